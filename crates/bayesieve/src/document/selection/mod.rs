//! A selection: schema `bayesieve.selection.v1`.

mod auto;
mod blocks;
mod performance;

use serde_json::{Map, Value, json};

use super::{Seconds, finite};
use crate::data::CodingOptions;
use crate::evaluate::Auto;
use crate::select::{
    AutoReport, DataSummary, DroppedFeature, KeptFeature, NamedBoundary, NamedEvidence, NamedStep,
    Role, Selection,
};
use crate::stats::{Better, IndependenceTest};

/// The schema that is written, and read by [`SelectionFile`](super::SelectionFile).
pub(super) const SCHEMA: &str = "bayesieve.selection.v1";

/// The document of a selection: what was kept, why every other feature is out, and how it came
/// to that.
///
/// `coding` is how the cells became the codes that the selection was made from: who trains by
/// the document learns where that differs.
///
/// # Example
/// ```
/// use std::time::Duration;
///
/// use bayesieve::Silent;
/// use bayesieve::data::{CodedTable, CodingOptions, Generator, RoleOptions, Roles};
/// use bayesieve::document::{self, Seconds};
/// use bayesieve::search::Limits;
/// use bayesieve::select::{Method, SelectOptions, select};
///
/// let table = Generator::Example1.generate(3200, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let coding = CodingOptions::default();
/// let coded = CodedTable::new(&table, &roles, coding)?;
/// let options = SelectOptions::new(Method::named("mdl-fs")?)?;
/// let selection = select(&coded, &options, &Limits::new(&Silent))?;
/// let seconds = Seconds::new(Duration::ZERO, Duration::from_millis(2));
/// let document = document::selection(&selection, coding, seconds);
/// assert_eq!(document["kept"], serde_json::json!(["A2", "A6", "A1", "A4"]));
/// assert_eq!(document["data"]["columns"][2], "A3");
/// assert_eq!(document["dropped"][0]["given"][0], "A2");
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn selection(selection: &Selection, coding: CodingOptions, seconds: Seconds) -> Value {
    let settings = selection.settings.iter();
    let settings: Map<String, Value> = settings
        .map(|(name, value)| ((*name).to_owned(), setting(value)))
        .collect();
    let steps: Vec<Value> = selection.steps.iter().map(step).collect();
    let kept_features = selection.kept.iter();
    let kept_features: Vec<Value> = kept_features
        .map(|feature| {
            let entry = kept(feature, selection.boundary.as_ref());
            with_folds(entry, feature.kept_in_folds, selection.n_folds)
        })
        .collect();
    let dropped = selection.dropped.iter();
    let dropped: Vec<Value> = dropped
        .map(|feature| with_folds(reason(feature), feature.kept_in_folds, selection.n_folds))
        .collect();
    let mut document = json!({
        "schema": SCHEMA,
        "data": data(&selection.data),
        "method": match selection.auto {
            Some(AutoReport {
                is_of_one_method: false,
                ..
            }) => Auto::NAME,
            _ => selection.method,
        },
        "model": selection.model,
        "search": selection.search,
        "settings": settings,
        "coding": {"missing": coding.missing.to_string(), "discretize": coding.discretizer.to_string()},
        "seed": selection.seed,
        "measure": selection.measure().map(|measure| measure.key),
        "kept": selection.kept_names(),
        "score": score(selection),
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
    });
    if let (Some(report), Some(fields)) = (&selection.auto, document.as_object_mut()) {
        fields.insert("auto".into(), auto::entry(report));
    }
    if let (Some(test), Some(fields)) = (&selection.permutations, document.as_object_mut()) {
        let entry = json!({
            "n": test.n_shuffles,
            "as_good": test.n_as_good,
            "p": test.p(),
            "kept_mean": finite(test.mean_kept),
        });
        fields.insert("permutations".into(), entry);
    }
    if let (Some(expected), Some(fields)) = (&selection.performance, document.as_object_mut()) {
        let entry = performance::entry(expected, &selection.data.classes);
        fields.insert("performance".into(), entry);
    }
    if let (false, Some(fields)) = (selection.path.is_empty(), document.as_object_mut()) {
        fields.insert("path".into(), performance::path(selection).into());
    }
    if let (Some(boundary), Some(fields)) = (&selection.boundary, document.as_object_mut()) {
        fields.insert("boundary".into(), roles(boundary));
        let (arcs, edges) = (&boundary.arcs, &boundary.edges);
        fields.insert("graph".into(), json!({"arcs": arcs, "edges": edges}));
    }
    if let (Some(found), Some(fields)) = (&selection.blocks, document.as_object_mut()) {
        fields.extend(blocks::entries(found));
    }
    document
}

/// With the number of folds that kept the feature, where features were selected on folds.
fn with_folds(mut entry: Value, kept_in_folds: Option<usize>, n_folds: Option<usize>) -> Value {
    if let Some((n_kept, n_folds)) = kept_in_folds.zip(n_folds) {
        entry["kept_in_folds"] = n_kept.into();
        entry["folds"] = n_folds.into();
    }
    entry
}

fn data(data: &DataSummary) -> Value {
    json!({
        "rows": data.n_rows,
        "features": data.features.len(),
        "class": data.class,
        "classes": data.classes,
        "columns": data.features,
    })
}

/// What was optimized, before and after.
fn score(selection: &Selection) -> Value {
    json!({
        "name": selection.score.name,
        "unit": selection.score.unit,
        "better": match selection.score.better {
            Better::Higher => "larger",
            Better::Lower => "smaller",
        },
        "start": finite(selection.start),
        "value": finite(selection.value),
    })
}

/// The members of the boundary by what they are to the class.
fn roles(boundary: &NamedBoundary) -> Value {
    let lists = Role::ALL.iter().map(|&role| {
        let list = boundary.of_role(role).into();
        (role.plural().to_owned(), list)
    });
    Value::Object(lists.collect())
}

/// The estimate that the search went by, and the accuracy of the whole procedure on other rows.
fn estimate(selection: &Selection) -> Value {
    let inner = selection.estimate.map(|inner| {
        json!({
            "measure": inner.measure.name,
            "value": finite(inner.mean),
            "accuracy": finite(inner.mean).filter(|_| inner.is_accuracy()),
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
    let mut entry = json!({
        "action": step.action.name(),
        "feature": step.feature,
        "score": finite(step.score),
    });
    if let Some(operator) = &step.operator {
        entry["operator"] = operator.name.into();
        entry["with"] = operator.with.as_str().into();
    }
    entry
}

fn kept(kept: &KeptFeature, boundary: Option<&NamedBoundary>) -> Value {
    let mut entry = Map::new();
    entry.insert("feature".into(), kept.feature.as_str().into());
    entry.insert("information_bits".into(), kept.alone_bits.into());
    let given_rest = kept.given_rest_bits;
    entry.insert("information_given_rest_bits".into(), given_rest.into());
    let member = boundary.and_then(|boundary| boundary.member(&kept.feature));
    if let Some(member) = member {
        entry.insert("role".into(), member.role.name().into());
        match &member.evidence {
            NamedEvidence::Score { loss } => {
                entry.insert("score_loss".into(), finite(*loss).into());
            }
            NamedEvidence::Test { given, test } => {
                entry.insert("given".into(), given.as_slice().into());
                entry.extend(tested(test));
            }
            NamedEvidence::Untested => {}
        }
    }
    Value::Object(entry)
}

/// The numbers of a test.
fn tested(test: &IndependenceTest) -> impl Iterator<Item = (String, Value)> {
    let numbers = [
        ("p", test.p),
        ("statistic", test.statistic),
        ("degrees_of_freedom", test.degrees_of_freedom),
    ];
    numbers
        .into_iter()
        .map(|(name, number)| (name.to_owned(), finite(number).into()))
}

/// Numbers as numbers, words as words.
fn setting(value: &str) -> Value {
    let whole = value.parse::<u64>().map(Value::from);
    whole.unwrap_or_else(|_| match value.parse::<f64>() {
        Ok(number) if number.is_finite() => number.into(),
        _ => value.into(),
    })
}

fn reason(dropped: &DroppedFeature) -> Value {
    let (reason, parts) = (&dropped.reason, dropped.reason.parts());
    let mut entry = Map::new();
    let mut put = |name: &str, value: Value| {
        entry.insert(name.to_owned(), value);
    };
    put("feature", dropped.feature.as_str().into());
    put("reason", reason.name().into());
    if let Some(level) = parts.level {
        put("level", level.into());
    }
    if !parts.given.is_empty() {
        put("given", parts.given.into());
    }
    if parts.recoding {
        put("recoding", true.into());
    }
    if let Some(block) = parts.block {
        put("block_with", block.with.as_slice().into());
        if let Some(classes) = &block.classes {
            put("classes", json!(classes));
        }
    }
    let alone = dropped.alone_bits.map(|bits| ("information_bits", bits));
    for (name, number) in parts.numbers.into_iter().chain(alone) {
        if let Some(number) = finite(number) {
            put(name, number.into());
        }
    }
    for (name, value) in parts.test.into_iter().flat_map(tested) {
        put(&name, value);
    }
    put("text", reason.sentence().into());
    Value::Object(entry)
}
