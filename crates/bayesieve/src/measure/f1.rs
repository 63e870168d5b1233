//! The harmonic mean of precision and recall.

use super::{Measure, PredictedRows, Stakes, UNKNOWN, Value};
use crate::stats::Better;

pub(super) static F1: Measure = Measure {
    name: "f1",
    key: "f1",
    scoring: &["f1_macro"],
    summary: "harmonic mean of precision and recall: of the positive class; macro-averaged for \
              more than two classes",
    formula: "2 TP / (2 TP + FP + FN); 0 where nothing is positive",
    better: Better::Higher,
    value: Value::Whole(of_rows),
};

fn of_rows(rows: &PredictedRows<'_>, stakes: &Stakes) -> Option<f64> {
    if rows.truth.is_empty() {
        return None;
    }
    let mut right = vec![0u64; rows.n_classes];
    let mut seen = vec![0u64; rows.n_classes];
    for row in rows.iter() {
        seen[row.predicted as usize] += 1;
        if row.truth != UNKNOWN {
            seen[row.truth as usize] += 1;
            right[row.truth as usize] += u64::from(row.truth == row.predicted);
        }
    }
    let of_class = |class: usize| match seen[class] {
        0 => 0.0,
        n => 2.0 * right[class] as f64 / n as f64,
    };
    match rows.n_classes {
        2 => Some(of_class(stakes.positive())),
        n => super::mean((0..n).filter(|&class| seen[class] > 0).map(of_class)),
    }
}
