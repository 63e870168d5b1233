//! The mean squared distance of the probabilities from the truth.

use super::{Measure, PredictedRow, Stakes, UNKNOWN, Value};
use crate::stats::Better;

pub(super) static BRIER: Measure = Measure {
    name: "brier",
    key: "brier",
    scoring: &["neg_brier_score"],
    summary: "mean squared distance of the probabilities from the true class",
    formula: "mean of the sum over classes of (P(class) - is it the true one)^2",
    better: Better::Lower,
    value: Value::Mean(of_row),
};

fn of_row(row: &PredictedRow<'_>, _: &Stakes) -> Option<f64> {
    let squares = row.probabilities.iter().enumerate().map(|(class, p)| {
        let away = p - f64::from(u8::from(class as u32 == row.truth));
        away * away
    });
    (row.truth != UNKNOWN).then(|| squares.sum())
}
