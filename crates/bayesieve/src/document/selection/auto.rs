//! How the method was chosen: the entry `auto`.

use serde_json::{Value, json};

use super::super::finite;
use crate::select::AutoReport;

/// Who was compared, and what came of it.
pub(super) fn entry(report: &AutoReport) -> Value {
    let chosen = report.candidates.get(report.chosen);
    json!({
        "chosen": chosen.map(|one| one.name.as_str()),
        "method": chosen.map(|one| one.method),
        "model": chosen.map(|one| one.model),
        "rule": "fewest features within one standard error of the best accuracy",
        "folds": report.n_folds,
        "accuracy": finite(report.accuracy),
        "standard_error": finite(report.standard_error),
        "corrected": report.corrected.map(|corrected| json!({
            "accuracy": corrected.mean,
            "sd": corrected.sd,
            "correction": "bootstrap bias corrected cross-validation",
            "draws": corrected.n_draws,
        })),
        "candidates": report.candidates,
        "not_tried": report.not_tried,
        "accuracy_of_guessing": finite(report.guessing()),
        "complete": !report.is_cut_short,
    })
}
