//! The document of predicted rows: schema `bayesieve.prediction.v1`.

use serde_json::{Map, Value, json};

use super::Seconds;
use crate::classify::{Classifier, ColumnNote, Evaluation, PredictedRows};

/// What the rows held, and how good the predictions were.
pub fn prediction(classifier: &Classifier, rows: &PredictedRows, seconds: Seconds) -> Value {
    let evaluation = rows.evaluation.as_ref();
    let counts = |count: fn(&ColumnNote) -> u64| -> Map<String, Value> {
        let noted = rows.notes.iter().filter(|note| count(note) > 0);
        noted
            .map(|note| (note.name.clone(), json!(count(note))))
            .collect()
    };
    // Losses are over rows of a class that the model knows.
    let known = evaluation.filter(|e| e.n_rows > e.n_unknown);
    json!({
        "schema": "bayesieve.prediction.v1",
        "rows": rows.n_rows,
        "class": classifier.class_name(),
        "classes": classifier.class_labels(),
        "accuracy": evaluation.map(Evaluation::accuracy),
        "log_loss": known.map(|e| e.log_loss),
        "brier": known.map(|e| e.brier),
        "confusion": evaluation.map(|e| &e.confusion),
        "unknown_class_rows": evaluation.map(|e| e.n_unknown),
        "missing": counts(|note| note.n_missing),
        "unseen": counts(|note| note.n_unseen),
        "seconds": seconds,
    })
}
