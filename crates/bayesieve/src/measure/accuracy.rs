//! The share of rows predicted right.

use super::{Measure, PredictedRow, Stakes, Value};
use crate::stats::Better;

pub(super) static ACCURACY: Measure = Measure {
    name: "accuracy",
    key: "accuracy",
    scoring: &[],
    summary: "share of rows predicted right",
    formula: "rows whose predicted class is the true one / rows",
    better: Better::Higher,
    value: Value::Mean(of_row),
};

fn of_row(row: &PredictedRow<'_>, _: &Stakes) -> Option<f64> {
    Some(f64::from(u8::from(row.predicted == row.truth)))
}
