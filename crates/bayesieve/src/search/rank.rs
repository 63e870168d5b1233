//! Which of two sets is preferred, where many are compared: one order, without circles.

use std::cmp::Ordering;

use crate::score::{FeatureSet, Score};
use crate::stats::Better;

/// Values in whole units of rounding, the better the smaller.
///
/// "Better by more than rounding" is not transitive; places on a grid are.
#[derive(Debug, Clone, Copy)]
pub(super) struct SetOrder {
    unit: f64,
}

impl SetOrder {
    /// The grid for scores of the size of the first one.
    pub(super) fn new(score: &dyn Score, start: f64) -> Self {
        let unit = f64::max(1e-10, 1e-13 * start.abs());
        SetOrder {
            unit: match score.better() {
                Better::Lower => unit,
                Better::Higher => -unit,
            },
        }
    }

    /// The place of a value on the grid.
    pub(super) fn of(self, value: f64) -> i64 {
        (value / self.unit).round() as i64
    }

    /// By value, then fewer features, then the features in order.
    pub(super) fn cmp(self, x: (&FeatureSet, f64), y: (&FeatureSet, f64)) -> Ordering {
        let by_value = self.of(x.1).cmp(&self.of(y.1));
        let by_size = by_value.then_with(|| x.0.len().cmp(&y.0.len()));
        by_size.then_with(|| x.0.iter().cmp(y.0.iter()))
    }
}
