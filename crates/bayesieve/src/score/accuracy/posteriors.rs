//! From sums of logs to the probabilities of test rows.

use super::part::FoldRows;
use super::votes::{Planes, TILE, Tile};
use crate::classify::TIE;

/// The probabilities and the class that a model gives to every test row of a fold, in the class
/// codes of the whole table.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Posteriors {
    /// All classes of a row one behind the other; 0 for a class that training did not have.
    pub(crate) probabilities: Vec<f64>,
    pub(crate) predicted: Vec<u32>,
}

impl Posteriors {
    /// From sums by plane and tile.
    pub(super) fn of_sums(part: &FoldRows, planes: Planes, sums: &[Vec<Tile>]) -> Self {
        let mut posteriors = Posteriors::empty(part);
        let mut logs = vec![0.0; part.classes.len()];
        for row in 0..part.n_test() {
            let of_plane = sums.iter().map(|tiles| tiles[row / TILE][row % TILE]);
            let behind_first = match planes {
                Planes::Differences => &mut logs[1..],
                Planes::Logs => &mut logs[..],
            };
            for (log, sum) in behind_first.iter_mut().zip(of_plane) {
                *log = sum;
            }
            posteriors.push(part, &logs);
        }
        posteriors
    }

    /// The shares of the classes in training, for every row.
    pub(super) fn of_shares(part: &FoldRows) -> Self {
        let mut posteriors = Posteriors::empty(part);
        (0..part.n_test()).for_each(|_| posteriors.push(part, part.log_shares()));
        posteriors
    }

    fn empty(part: &FoldRows) -> Self {
        Posteriors {
            probabilities: Vec::with_capacity(part.n_test() * part.n_classes()),
            predicted: Vec::with_capacity(part.n_test()),
        }
    }

    /// A row, from the logs of the classes of training by size: the first wins unless a later
    /// one is larger by more than a tie.
    fn push(&mut self, part: &FoldRows, logs: &[f64]) {
        let start = self.probabilities.len();
        self.probabilities.resize(start + part.n_classes(), 0.0);
        let mut best = 0;
        for (place, &log) in logs.iter().enumerate() {
            if log > logs[best] + TIE {
                best = place;
            }
        }
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Where every class is impossible, the row says nothing: the shares of the classes.
        let (logs, largest) = if largest == f64::NEG_INFINITY {
            (part.log_shares(), part.log_shares()[0])
        } else {
            (logs, largest)
        };
        let row = &mut self.probabilities[start..];
        let mut sum = 0.0;
        for (&class, log) in part.classes.iter().zip(logs) {
            let weight = (log - largest).exp();
            row[class as usize] = weight;
            sum += weight;
        }
        row.iter_mut().for_each(|weight| *weight /= sum);
        self.predicted.push(part.classes[best]);
    }
}
