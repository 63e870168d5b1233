//! The mean surprise at the true class.

use super::{Measure, PredictedRow, Stakes, UNKNOWN, Value};
use crate::stats::Better;

/// Probabilities are kept so far from 0 and 1.
const CLIP: f64 = f64::EPSILON;

pub(super) static LOG_LOSS: Measure = Measure {
    name: "log-loss",
    key: "log_loss",
    scoring: &["neg_log_loss"],
    summary: "mean negative log of the probability of the true class, in nats",
    formula: "mean of -ln P(true class), P clipped to [2.2e-16, 1 - 2.2e-16]",
    better: Better::Lower,
    value: Value::Mean(of_row),
};

fn of_row(row: &PredictedRow<'_>, _: &Stakes) -> Option<f64> {
    let probability = (row.truth != UNKNOWN).then(|| row.probabilities[row.truth as usize])?;
    Some(-probability.clamp(CLIP, 1.0 - CLIP).ln())
}
