//! How the method was chosen: the entry `auto`.

use serde_json::{Map, Value, json};

use super::super::finite;
use crate::measure::Measure;
use crate::select::{AutoCandidate, AutoReport, RunnerUp};

/// Who was compared, and what came of it.
pub(super) fn entry(report: &AutoReport) -> Value {
    let chosen = report.candidates.get(report.chosen);
    let candidates = report.candidates.iter().map(|one| candidate(report, one));
    json!({
        "chosen": chosen.map(|one| one.name.as_str()),
        "method": chosen.map(|one| one.method),
        "model": chosen.map(|one| one.model),
        "measure": report.measure.key,
        "tolerance": report.tolerance,
        "rule": report.rule(),
        "folds": report.n_folds,
        "accuracy": finite(report.accuracy),
        "standard_error": finite(report.standard_error),
        "corrected": report.corrected.map(|corrected| json!({
            "accuracy": corrected.mean,
            "sd": corrected.sd,
            "correction": "bootstrap bias corrected cross-validation",
            "draws": corrected.n_draws,
        })),
        "candidates": candidates.collect::<Vec<_>>(),
        "runner_up": report.runner_up.as_ref().map(|runner_up| self::runner_up(report, runner_up)),
        "not_tried": report.not_tried,
        "accuracy_of_guessing": finite(report.guessing()),
        "complete": !report.is_cut_short,
    })
}

/// Log loss, accuracy and the measure that decides, by key.
fn measures(
    report: &AutoReport,
    values: [(&'static Measure, Option<f64>); 2],
    decides: Option<f64>,
) -> Map<String, Value> {
    let all = [(report.measure, decides)].into_iter().chain(values);
    all.filter_map(|(measure, value)| Some((measure.key.to_owned(), json!(finite(value?)?))))
        .collect()
}

fn candidate(report: &AutoReport, candidate: &AutoCandidate) -> Value {
    let mut entry = json!(candidate);
    let values = [
        (Measure::LOG_LOSS, candidate.log_loss),
        (Measure::ACCURACY, candidate.accuracy),
    ];
    entry["size"] = json!(candidate.n_kept);
    entry["measures"] = Value::Object(measures(report, values, candidate.value));
    entry
}

fn runner_up(report: &AutoReport, runner_up: &RunnerUp) -> Value {
    let values = [
        (Measure::LOG_LOSS, Some(runner_up.log_loss)),
        (Measure::ACCURACY, Some(runner_up.accuracy)),
    ];
    let taken = report.candidates.get(report.chosen);
    let decides = taken.and_then(|taken| Some(taken.value? + runner_up.difference));
    json!({
        "pipeline": runner_up.name,
        "size": runner_up.features.len(),
        "features": runner_up.features,
        "measures": measures(report, values, decides),
        "accuracy_difference": finite(runner_up.accuracy_difference),
        "difference": finite(runner_up.difference),
    })
}
