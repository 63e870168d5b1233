//! What tests of the loop and of its models share.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::Individual;
use super::columns::BitColumns;
use crate::score::{Estimated, FeatureSet, Score};
use crate::stats::Better;
use crate::{Observer, Result, check};

/// Eight selected sets: the first two bits are equal, the third is independent of them.
pub(super) const EXAMPLE: [&str; 8] = ["000", "000", "110", "110", "111", "001", "110", "000"];

/// Sets written as bits, all of the same value.
pub(super) fn individuals(rows: &[&str]) -> Vec<Individual> {
    rows.iter()
        .map(|row| {
            let ones = row.bytes().enumerate().filter(|&(_, bit)| bit == b'1');
            Individual {
                bits: FeatureSet::of(row.len(), ones.map(|(place, _)| place)).unwrap(),
                value: 0.0,
            }
        })
        .collect()
}

/// Their columns.
pub(super) fn columns(rows: &[&str]) -> BitColumns {
    BitColumns::new(&individuals(rows), rows[0].len())
}

/// A score by a formula, with folds or without.
pub(super) struct Toy {
    pub(super) n_features: usize,
    pub(super) value: fn(&FeatureSet) -> f64,
    pub(super) folds: Option<fn(&FeatureSet) -> Vec<f64>>,
    pub(super) n_rows: usize,
    pub(super) n_scored: AtomicUsize,
}

impl Toy {
    /// Without folds.
    pub(super) fn new(n_features: usize, value: fn(&FeatureSet) -> f64) -> Self {
        Toy {
            n_features,
            value,
            folds: None,
            n_rows: 1_000,
            n_scored: AtomicUsize::new(0),
        }
    }
}

impl Score for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn unit(&self) -> &'static str {
        ""
    }

    fn better(&self) -> Better {
        Better::Higher
    }

    fn n_features(&self) -> usize {
        self.n_features
    }

    fn evaluate(&self, sets: &[FeatureSet], observer: &dyn Observer) -> Result<Vec<f64>> {
        check(observer)?;
        self.n_scored.fetch_add(sets.len(), Ordering::Relaxed);
        Ok(sets.iter().map(self.value).collect())
    }

    fn estimate(&self, set: &FeatureSet, observer: &dyn Observer) -> Result<Option<Estimated>> {
        check(observer)?;
        Ok(self.folds.map(|folds| Estimated {
            mean: (self.value)(set),
            standard_error: 0.01,
            first_run: folds(set),
            n_runs: 1,
            n_rows: self.n_rows,
        }))
    }
}

/// Even features are good, odd ones bad: 1 - 0.01 a feature that is wrong.
pub(super) fn even(set: &FeatureSet) -> f64 {
    let is_right = |f: &usize| set.contains(*f) == f.is_multiple_of(2);
    let n_right = (0..set.n_features()).filter(is_right).count();
    1.0 - 0.01 * (set.n_features() - n_right) as f64
}

/// Ten folds that all are the value.
pub(super) fn even_folds(set: &FeatureSet) -> Vec<f64> {
    vec![even(set); 10]
}

/// Ten folds around the value, with errors of their own for every set: the differences of
/// two sets scatter by more than 1, where a feature is worth 0.01.
pub(super) fn scattered_folds(set: &FeatureSet) -> Vec<f64> {
    const PRIME: usize = 1_000_003;
    let lot = set.iter().fold(17, |lot, f| (lot * 31 + f + 1) % PRIME);
    let error = |fold: usize| (lot * (fold + 3).pow(3) % PRIME) as f64 * 3e-6;
    let errors: Vec<f64> = (0..10).map(error).collect();
    let mean = errors.iter().sum::<f64>() / 10.0;
    errors
        .iter()
        .map(|error| even(set) + error - mean)
        .collect()
}
