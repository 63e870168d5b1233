//! What the mistakes cost.

use super::{Measure, PredictedRow, Stakes, UNKNOWN, Value};
use crate::stats::Better;

pub(super) static COST: Measure = Measure {
    name: "cost",
    key: "cost",
    scoring: &[],
    summary: "mean cost of the predicted classes, by a matrix of costs",
    formula: "mean of cost(true class, predicted class); not defined without costs",
    better: Better::Lower,
    value: Value::Mean(of_row),
};

fn of_row(row: &PredictedRow<'_>, stakes: &Stakes) -> Option<f64> {
    let costs = stakes.costs().filter(|_| row.truth != UNKNOWN)?;
    Some(costs.of(row.truth as usize, row.predicted as usize))
}
