//! What to expect on other rows: the entries `performance` and `path`.

use serde_json::{Map, Value, json};

use super::super::finite;
use crate::measure::Measure;
use crate::select::{Performance, Selection};

/// Every measure, with its standard error and its baseline.
pub(super) fn entry(performance: &Performance, classes: &[String]) -> Value {
    let measures = performance.measures.iter().map(|one| {
        let entry = json!({
            "mean": finite(one.mean),
            "se": one.standard_error.and_then(finite),
            "baseline": one.baseline.and_then(finite),
        });
        (one.measure.key.to_owned(), entry)
    });
    json!({
        "protocol": performance.protocol,
        "corrected": performance.n_draws > 0,
        "positive": classes.get(performance.positive),
        "measures": measures.collect::<Map<_, _>>(),
        "classes": classes,
        "confusion": performance.confusion,
    })
}

/// The curve over numbers of features. The standard error of the measure that decides is that of
/// the paired difference from the size that was taken.
pub(super) fn path(selection: &Selection) -> Vec<Value> {
    let decides = selection.measure();
    let n_rows = selection.data.n_rows.max(1) as f64;
    let points = selection.path.iter().map(|point| {
        let mut measures = Map::new();
        let mut put = |measure: &Measure, mean: f64, se: Option<f64>| {
            let entry = json!({"mean": finite(mean), "se": se.and_then(finite)});
            measures.insert(measure.key.to_owned(), entry);
        };
        put(Measure::LOG_LOSS, point.log_loss, None);
        let spread = point.accuracy * (1.0 - point.accuracy) / n_rows;
        put(Measure::ACCURACY, point.accuracy, Some(spread.sqrt()));
        if let Some(decides) = decides {
            put(decides, point.value, Some(point.standard_error));
        }
        json!({
            "size": point.size,
            "features_added": point.features_added,
            "measures": measures,
        })
    });
    points.collect()
}
