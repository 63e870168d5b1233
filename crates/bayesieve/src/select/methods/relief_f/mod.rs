//! RELIEF-F: features that differ between near rows of other classes and not within one.
//!
//! Papers: Kononenko, 1994; Robnik-Sikonja and Kononenko, 2003.
//! For m rows R, the k nearest rows of the same class (hits) and of every other class c
//! (misses): `W[A] -= mean diff(A, R, hit) / m`, and
//! `W[A] += P(c) / (1 - P(class of R)) * mean diff(A, R, miss) / m`.
//! Columns are taken as they were read: numbers as numbers, gaps as gaps (see
//! [`differences`]).
//! Cost: O(m n N).
//! Where the papers are silent: rows are taken evenly spaced, all of them by default; equally
//! near rows by row number; weights of equal size by column index.
//!
//! Robnik-Sikonja, M. and Kononenko, I. (2003). Theoretical and empirical analysis of
//! ReliefF and RReliefF. Machine Learning 53, 23-69.

mod differences;

use rayon::prelude::*;

use self::differences::RowDifferences;
use crate::search::{FeatureOrder, Limits, Stop, unless_early};
use crate::select::explain::rounded;
use crate::select::method::{Method, MethodRun, Outcome, Takes, Task};
use crate::select::rank::{self, Objection, RankCandidate, Ranker};
use crate::setting::{Setting, SettingKind};
use crate::{Error, Observer, Result, Silent};

/// Rows between two looks at the clock; one sum each, added up in order, so that the number
/// of threads changes nothing.
const BLOCK: usize = 64;

/// Rows summed up by one thread at a time.
const PART: usize = 4;

/// RELIEF-F.
pub(in crate::select) static RELIEF_F: Method = Method {
    name: "relief-f",
    summary: "takes features that differ between near rows of different classes and agree within \
              one",
    formula: "mean over rows of the mean difference to the k nearest rows of each other class, \
              weighted by its share, minus that to the k nearest of the same class",
    cost: "O(m n N) for m rows looked at",
    source: "Kononenko, 1994; Robnik-Sikonja and Kononenko, 2003",
    settings: &[
        Setting {
            name: "k",
            default: "10",
            kind: SettingKind::Integer {
                min: 1,
                max: u64::MAX,
            },
            meaning: "nearest rows of every class",
        },
        Setting {
            name: "sample",
            default: "0",
            kind: SettingKind::Integer {
                min: 0,
                max: u64::MAX,
            },
            meaning: "rows looked at, evenly spaced; 0 for all",
        },
        Setting {
            name: "threshold",
            default: "0",
            kind: SettingKind::Number {
                min: -1.0,
                max: 1.0,
            },
            meaning: "when no count is given: the weight that a feature must exceed",
        },
    ],
    takes: Takes {
        order: Some(FeatureOrder::Added),
        numbers: true,
        counts: false,
        ..Takes::NOTHING
    },
    run: MethodRun::Own(run),
};

fn run(task: &Task<'_, '_>) -> Result<Outcome> {
    let n_rows = task.table.n_rows();
    let n_sampled = match task.settings.integer("sample")? {
        0 => n_rows,
        sample => sample.min(n_rows),
    };
    let columns = task.places.iter().map(|&place| {
        let feature = &task.table.features[place];
        feature.column.values()
    });
    let differences = RowDifferences::new(&columns.collect::<Vec<_>>(), &task.table.class);
    let neighbors = Neighbors {
        differences: &differences,
        n_nearest: task.settings.integer("k")?,
    };
    let rows: Vec<usize> = (0..n_sampled).map(|i| i * n_rows / n_sampled).collect();
    let weighed = neighbors.weights(&rows, task.limits)?;
    let mut ranker = Weights {
        weights: weighed.weights,
        threshold: task.settings.number("threshold")?,
    };
    // The weights are there; ranking them takes no time that could be over.
    let quiet = Limits::new(&Silent);
    let count = match weighed.n_rows {
        0 => Some(task.keep.len()),
        _ => task.count,
    };
    let ranking = Task {
        count,
        limits: &quiet,
        ..*task
    };
    let mut outcome = rank::run(&ranking, rank::score("relief-f", ""), &mut ranker)?;
    if let Some(stop) = weighed.stop {
        outcome.stop = stop;
    }
    Ok(outcome)
}

/// Weights as values to rank by.
struct Weights {
    weights: Vec<f64>,
    threshold: f64,
}

impl Ranker for Weights {
    fn admit(&mut self, _feature: usize, _open: &[usize], _observer: &dyn Observer) -> Result<()> {
        Ok(())
    }

    fn value(&self, feature: usize) -> f64 {
        self.weights[feature]
    }

    fn objection(&self, best: RankCandidate) -> Result<Option<Objection>> {
        Ok(Objection::unless_above(self.threshold, best.value))
    }
}

/// The weights from the rows that there was time for.
struct Weighed {
    weights: Vec<f64>,
    n_rows: usize,
    /// Why it ended before the last row.
    stop: Option<Stop>,
}

struct Neighbors<'d> {
    differences: &'d RowDifferences,
    /// How many of every class.
    n_nearest: usize,
}

impl Neighbors<'_> {
    fn weights(&self, rows: &[usize], limits: &Limits<'_>) -> Result<Weighed> {
        let mut weighed = Weighed {
            weights: vec![0.0; self.differences.n_features()],
            n_rows: 0,
            stop: None,
        };
        for block in rows.chunks(BLOCK) {
            let sums: Result<Vec<Vec<f64>>> = block
                .par_chunks(PART)
                .map(|part| self.sum(part, limits))
                .collect();
            match unless_early(sums, limits, weighed.n_rows > 0)? {
                Ok(sums) => {
                    for sum in sums {
                        let both = weighed.weights.iter_mut().zip(sum);
                        both.for_each(|(weight, part)| *weight += part);
                    }
                }
                Err(stop) => {
                    weighed.stop = Some(stop);
                    break;
                }
            }
            weighed.n_rows += block.len();
            let (done, all) = (weighed.n_rows as u64, rows.len() as u64);
            limits.progress("comparing rows", done, all);
        }
        let n = weighed.n_rows.max(1) as f64;
        weighed.weights.iter_mut().for_each(|weight| *weight /= n);
        Ok(weighed)
    }

    /// What these rows add to the weights, times the number of all rows.
    fn sum(&self, rows: &[usize], observer: &dyn Observer) -> Result<Vec<f64>> {
        let mut weights = vec![0.0; self.differences.n_features()];
        let mut near = Vec::new();
        for &row in rows {
            if observer.is_cancelled() {
                return Err(Error::interrupted());
            }
            let own = self.differences.class_of(row);
            let share_of_others = 1.0 - self.differences.class_share(own);
            for class in 0..self.differences.n_classes() {
                self.nearest(row, class, &mut near);
                if near.is_empty() {
                    continue;
                }
                let share = if class == own {
                    -1.0
                } else {
                    self.differences.class_share(class) / share_of_others
                };
                let factor = share / near.len() as f64;
                for &(_, other) in &near {
                    self.differences.add(row, other, factor, &mut weights);
                }
            }
        }
        Ok(weights)
    }

    /// The nearest rows of a class, nearest first, without the row itself.
    fn nearest(&self, row: usize, class: usize, near: &mut Vec<(f64, usize)>) {
        near.clear();
        let others = self.differences.rows_of(class).iter();
        let others = others.filter(|&&other| other != row);
        near.extend(others.map(|&other| (rounded(self.differences.distance(row, other)), other)));
        let by_distance =
            |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        if near.len() > self.n_nearest {
            near.select_nth_unstable_by(self.n_nearest - 1, by_distance);
            near.truncate(self.n_nearest);
        }
        near.sort_unstable_by(by_distance);
    }
}

#[cfg(test)]
mod tests;
