//! How far probabilities are from the shares of rows that come true.
//!
//! Naeini, M. P., Cooper, G. F. and Hauskrecht, M. (2015). Obtaining well calibrated
//! probabilities using Bayesian binning. AAAI 29, 2901-2907.

use super::{Measure, PredictedRows, Stakes, Value};
use crate::stats::Better;

const N_BINS: usize = 10;

pub(super) static CALIBRATION: Measure = Measure {
    name: "calibration",
    key: "calibration_error",
    scoring: &[],
    summary: "expected calibration error: mean gap between the largest probability and how often \
              it is right",
    formula: "sum over ten equal-width bins of the largest probability of (rows of the bin / rows) \
              |share predicted right - mean probability|",
    better: Better::Lower,
    value: Value::Whole(of_rows),
};

fn of_rows(rows: &PredictedRows<'_>, _: &Stakes) -> Option<f64> {
    let mut gaps = [0.0; N_BINS];
    let mut n_rows = 0u64;
    for row in rows.iter() {
        let largest = row.probabilities.iter().copied().fold(0.0, f64::max);
        let is_right = f64::from(u8::from(row.predicted == row.truth));
        gaps[bin(largest)] += is_right - largest;
        n_rows += 1;
    }
    let gap: f64 = gaps.iter().map(|gap| gap.abs()).sum();
    (n_rows > 0).then(|| gap / n_rows as f64)
}

/// The bin of a probability: edges belong to the bin below, as in scikit-learn's calibration
/// curve.
fn bin(probability: f64) -> usize {
    let edges = (1..N_BINS).map(|edge| edge as f64 * 0.1);
    edges.filter(|&edge| edge < probability).count()
}
