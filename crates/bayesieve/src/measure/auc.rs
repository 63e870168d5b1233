//! The area under the ROC curve.

use super::ranking::{TiedRows, against_rest};
use super::{Measure, PredictedRows, Stakes, Value};
use crate::stats::Better;

pub(super) static AUC: Measure = Measure {
    name: "auc",
    key: "auc",
    scoring: &["roc_auc", "roc_auc_ovr"],
    summary: "area under the ROC curve: of the positive class; mean of one class against the rest \
              for more than two",
    formula: "share of pairs of a row of the class and another row in which the first has the \
              larger P(class), ties counting a half",
    better: Better::Higher,
    value: Value::Whole(of_rows),
};

fn of_rows(rows: &PredictedRows<'_>, stakes: &Stakes) -> Option<f64> {
    against_rest(rows, stakes, of_class)
}

/// Twice the pairs in order, as whole numbers, so that no order of rows shows.
fn of_class(ranked: &[TiedRows]) -> Option<f64> {
    let n_positive: u128 = ranked.iter().map(|tied| u128::from(tied.n_positive)).sum();
    let n_negative: u128 = ranked.iter().map(|tied| u128::from(tied.n_negative)).sum();
    let (mut doubled, mut above) = (0u128, 0u128);
    for tied in ranked {
        let (positive, negative) = (u128::from(tied.n_positive), u128::from(tied.n_negative));
        doubled += negative * (2 * above + positive);
        above += positive;
    }
    let n_pairs = n_positive * n_negative;
    (n_pairs > 0).then(|| doubled as f64 / (2.0 * n_pairs as f64))
}
