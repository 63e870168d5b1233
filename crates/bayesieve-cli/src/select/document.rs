//! The JSON of `select`: schema `bayesieve.selection.v1`.

use bayesieve::select::{DroppedFeature, KeptFeature, NamedStep, Selection};
use bayesieve::stats::Better;
use serde_json::{Map, Value, json};

use crate::output::Seconds;

pub(super) fn new(selection: &Selection, seconds: Seconds) -> Value {
    let settings = selection.settings.iter();
    let settings: Map<String, Value> = settings
        .map(|(name, value)| ((*name).to_owned(), setting(value)))
        .collect();
    let steps: Vec<Value> = selection.steps.iter().map(step).collect();
    let kept_features: Vec<Value> = selection.kept.iter().map(kept).collect();
    let dropped: Vec<Value> = selection.dropped.iter().map(reason).collect();
    json!({
        "schema": "bayesieve.selection.v1",
        "data": {
            "rows": selection.data.n_rows,
            "features": selection.data.n_features,
            "class": selection.data.class,
            "classes": selection.data.classes,
        },
        "method": selection.method,
        "model": selection.model,
        "search": selection.search,
        "settings": settings,
        "seed": selection.seed,
        "kept": selection.kept_names(),
        "score": {
            "name": selection.score.name,
            "unit": selection.score.unit,
            "better": match selection.score.better {
                Better::Higher => "larger",
                Better::Lower => "smaller",
            },
            "start": finite(selection.start),
            "value": finite(selection.value),
        },
        "steps": steps,
        "stop": {
            "reason": selection.stop.name(),
            "text": selection.stop.to_string(),
        },
        "kept_features": kept_features,
        "dropped": dropped,
        "evaluations": selection.n_evaluations,
        "repeated": selection.n_repeated,
        "estimate": estimate(selection),
        "seconds": seconds,
        "warnings": selection.warnings,
    })
}

/// The accuracy that the search went by, and that of the whole procedure on other rows.
fn estimate(selection: &Selection) -> Value {
    let inner = selection.estimate.map(|inner| {
        json!({
            "accuracy": finite(inner.mean),
            "standard_error": finite(inner.standard_error),
            "folds": inner.n_folds,
            "runs": inner.n_runs,
        })
    });
    let honest = selection.honest.as_ref().map(|honest| {
        json!({
            "accuracy": finite(honest.mean),
            "sd": finite(honest.sd),
            "protocol": "5x2cv",
            "model": honest.model,
            "kept": finite(honest.mean_kept),
        })
    });
    match (&inner, &honest) {
        (None, None) => Value::Null,
        _ => json!({"inner": inner, "honest": honest}),
    }
}

fn step(step: &NamedStep) -> Value {
    json!({
        "action": step.action.name(),
        "feature": step.feature,
        "score": finite(step.score),
    })
}

fn kept(kept: &KeptFeature) -> Value {
    json!({
        "feature": kept.feature,
        "information_bits": kept.alone_bits,
        "information_given_rest_bits": kept.given_rest_bits,
    })
}

/// Numbers as numbers, words as words.
fn setting(value: &str) -> Value {
    let whole = value.parse::<u64>().map(Value::from);
    whole.unwrap_or_else(|_| match value.parse::<f64>() {
        Ok(number) if number.is_finite() => number.into(),
        _ => value.into(),
    })
}

/// A number that JSON can hold, or nothing.
fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|number| number.is_finite())
}

fn reason(dropped: &DroppedFeature) -> Value {
    let reason = &dropped.reason;
    let mut entry = Map::new();
    let mut put = |name: &str, value: Value| {
        entry.insert(name.to_owned(), value);
    };
    put("feature", dropped.feature.as_str().into());
    put("reason", reason.name().into());
    if let Some(level) = reason.level() {
        put("level", level.into());
    }
    if !reason.given().is_empty() {
        put("given", reason.given().into());
    }
    let estimates = reason.estimates();
    let numbers = [
        ("estimate_with", estimates.map(|[with, ..]| with)),
        ("estimate_without", estimates.map(|[_, without, _]| without)),
        ("standard_error", estimates.map(|[.., error]| error)),
        ("gain_bits", reason.gain_bits()),
        ("price_bits", reason.price_bits()),
        ("value", reason.value()),
        ("needed", reason.needed()),
        ("information_bits", dropped.alone_bits),
    ];
    for (name, number) in numbers {
        if let Some(number) = number.and_then(finite) {
            put(name, number.into());
        }
    }
    put("text", reason.sentence().into());
    Value::Object(entry)
}
