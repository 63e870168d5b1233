//! The mean of the classes' recalls.

use super::{Measure, PredictedRows, Stakes, Value};
use crate::stats::Better;

pub(super) static BALANCED_ACCURACY: Measure = Measure {
    name: "balanced-accuracy",
    key: "balanced_accuracy",
    scoring: &[],
    summary: "mean over the classes of the share of their rows predicted right",
    formula: "mean over the classes that occur of (rows predicted right / rows)",
    better: Better::Higher,
    value: Value::Whole(of_rows),
};

fn of_rows(rows: &PredictedRows<'_>, _: &Stakes) -> Option<f64> {
    let confusion = rows.confusion();
    let recalls = confusion.iter().enumerate().filter_map(|(class, row)| {
        let n: u64 = row.iter().sum();
        (n > 0).then(|| row[class] as f64 / n as f64)
    });
    super::mean(recalls)
}
