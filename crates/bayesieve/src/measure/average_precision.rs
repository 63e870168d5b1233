//! Precision, averaged over recall.

use super::ranking::{TiedRows, against_rest};
use super::{Measure, PredictedRows, Stakes, Value};
use crate::stats::Better;

pub(super) static AVERAGE_PRECISION: Measure = Measure {
    name: "average-precision",
    key: "average_precision",
    scoring: &[],
    summary: "precision averaged over recall: of the positive class; mean of one class against \
              the rest for more than two",
    formula: "sum over thresholds of (rise of recall) precision",
    better: Better::Higher,
    value: Value::Whole(of_rows),
};

fn of_rows(rows: &PredictedRows<'_>, stakes: &Stakes) -> Option<f64> {
    against_rest(rows, stakes, of_class)
}

fn of_class(ranked: &[TiedRows]) -> Option<f64> {
    let n_positive: u64 = ranked.iter().map(|tied| tied.n_positive).sum();
    let (mut n_found, mut n_above, mut sum) = (0, 0, 0.0);
    for tied in ranked {
        n_found += tied.n_positive;
        n_above += tied.n_positive + tied.n_negative;
        sum += tied.n_positive as f64 / n_positive as f64 * (n_found as f64 / n_above as f64);
    }
    (n_positive > 0).then_some(sum)
}
