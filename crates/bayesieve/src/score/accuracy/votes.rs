//! From sums of logs to classes: which class of a row wins, and how often it is the right one.

use crate::classify::TIE;

/// Test rows whose sums are worked out at a time.
pub(super) const TILE: usize = 64;

/// A number for each of these rows.
pub(super) type Tile = [f64; TILE];

/// What is summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Planes {
    /// Per class behind the first: its log less that of the first.
    Differences,
    /// Per class: its log.
    Logs,
}

impl Planes {
    /// What is summed, from the logs of every class.
    pub(super) fn of(self, logs: &[f64]) -> Vec<f64> {
        match self {
            Planes::Differences => logs.iter().skip(1).map(|log| log - logs[0]).collect(),
            Planes::Logs => logs.to_vec(),
        }
    }

    /// The same by plane and value, with a 0 behind the values for cells that have none.
    pub(super) fn of_values(self, logs: &[f64], n_classes: usize) -> Vec<f64> {
        let of_values: Vec<Vec<f64>> = logs.chunks(n_classes).map(|logs| self.of(logs)).collect();
        let n_planes = self.of(&vec![0.0; n_classes]).len();
        let plane = |plane: usize| {
            let logs = of_values.iter().map(move |logs| logs[plane]);
            logs.chain([0.0])
        };
        (0..n_planes).flat_map(plane).collect()
    }
}

/// Adds terms to sums, row by row.
#[inline]
pub(super) fn add(sums: &mut Tile, terms: &Tile) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += term;
    }
}

/// Two classes: rows of a tile go to the second where its difference is more than a tie.
pub(super) struct Duel {
    /// What a row adds when it goes to the second class: 1 where that is right, -1 where the
    /// first class is, 0 where neither is or there is no row.
    weights: Tile,
    /// Rows of the first class.
    n_first: f64,
}

impl Duel {
    pub(super) fn new(truth: &[u32]) -> Self {
        let mut weights = [0.0; TILE];
        for (weight, &truth) in weights.iter_mut().zip(truth) {
            *weight = match truth {
                0 => -1.0,
                1 => 1.0,
                _ => 0.0,
            };
        }
        Duel {
            weights,
            n_first: truth.iter().filter(|&&truth| truth == 0).count() as f64,
        }
    }

    /// Without a branch, several rows at a time; sums of whole numbers are exact.
    #[inline]
    pub(super) fn n_right(&self, differences: &Tile) -> u32 {
        const LANES: usize = 8;
        let mut sums = [0.0; LANES];
        let weights = self.weights.chunks_exact(LANES);
        for (weights, differences) in weights.zip(differences.chunks_exact(LANES)) {
            for ((sum, weight), difference) in sums.iter_mut().zip(weights).zip(differences) {
                *sum += if *difference > TIE { *weight } else { 0.0 };
            }
        }
        (self.n_first + sums.iter().sum::<f64>()) as u32
    }
}

/// The best class of every row of a tile so far.
pub(super) struct Vote {
    best: Tile,
    class: [u32; TILE],
}

impl Default for Vote {
    fn default() -> Self {
        Vote {
            best: [0.0; TILE],
            class: [0; TILE],
        }
    }
}

impl Vote {
    /// One class after the other: a later one wins where it is larger by more than a tie.
    #[inline]
    pub(super) fn hear(&mut self, planes: Planes, plane: usize, sums: &Tile) {
        if planes == Planes::Logs && plane == 0 {
            self.best = *sums;
            return;
        }
        let class = match planes {
            Planes::Differences => plane as u32 + 1,
            Planes::Logs => plane as u32,
        };
        for ((best, winner), &sum) in self.best.iter_mut().zip(&mut self.class).zip(sums) {
            let is_better = sum > *best + TIE;
            *best = if is_better { sum } else { *best };
            *winner = if is_better { class } else { *winner };
        }
    }

    pub(super) fn n_right(&self, truth: &[u32]) -> u32 {
        let pairs = self.class.iter().zip(truth);
        pairs.map(|(class, truth)| u32::from(class == truth)).sum()
    }
}
