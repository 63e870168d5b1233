//! The document of predicted rows: schema `bayesieve.prediction.v1`.

use serde_json::{Map, Value, json};

use super::Seconds;
use crate::classify::{Classifier, ColumnNote, Evaluation, PredictionSummary};

/// What the rows held, and how good the predictions were.
pub fn prediction(classifier: &Classifier, rows: &PredictionSummary, seconds: Seconds) -> Value {
    let evaluation = rows.evaluation.as_ref();
    let counts = |count: fn(&ColumnNote) -> u64| -> Map<String, Value> {
        let noted = rows.notes.iter().filter(|note| count(note) > 0);
        noted
            .map(|note| (note.name.clone(), json!(count(note))))
            .collect()
    };
    json!({
        "schema": "bayesieve.prediction.v1",
        "rows": rows.n_rows,
        "class": classifier.class_name(),
        "classes": classifier.class_labels(),
        "accuracy": evaluation.map(Evaluation::accuracy),
        "log_loss": evaluation.and_then(Evaluation::log_loss),
        "brier": evaluation.and_then(Evaluation::brier),
        "measures": evaluation.map(|e| e.measures),
        "positive": evaluation.and_then(|e| classifier.class_labels().get(e.positive)),
        "confusion": evaluation.map(|e| &e.confusion),
        "unknown_class_rows": evaluation.map(|e| e.n_unknown),
        "missing": counts(|note| note.n_missing),
        "unseen": counts(|note| note.n_unseen),
        "seconds": seconds,
    })
}
