//! The JSON document of `describe`.

use bayesieve::data::CodedTable;
use bayesieve::describe::{Description, FeatureDescription};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::output::Seconds;

/// Labels listed per column.
const MOST_LABELS: usize = 50;

#[derive(Serialize)]
pub(super) struct Document<'a> {
    schema: &'static str,
    rows: usize,
    features: usize,
    class: &'a str,
    class_counts: Map<String, Value>,
    class_entropy: f64,
    columns: Vec<ColumnDocument<'a>>,
    duplicate_columns: Vec<Vec<&'a str>>,
    duplicate_rows: u64,
    warnings: &'a [String],
    seconds: Seconds,
}

#[derive(Serialize)]
struct ColumnDocument<'a> {
    name: &'a str,
    kind: &'static str,
    values: usize,
    labels: Option<&'a [String]>,
    missing: usize,
    information_bits: Option<f64>,
    symmetric_uncertainty: Option<f64>,
    redundant_level0: Option<bool>,
    redundant_level1_given: Option<&'a str>,
    redundant_level1_gain_bits: Option<f64>,
    cut_points: Option<&'a [f64]>,
}

pub(super) fn new<'a>(
    coded: &'a CodedTable,
    description: &'a Description,
    notes: &'a [String],
    seconds: Seconds,
) -> Document<'a> {
    let name = |position: usize| description.features[position].column.name();
    let column = |feature: &'a FeatureDescription| ColumnDocument {
        name: feature.column.name(),
        kind: feature.kind.name(),
        values: feature.n_distinct,
        labels: feature.column.as_nominal().map(|nominal| {
            let labels = nominal.domain.labels();
            &labels[..labels.len().min(MOST_LABELS)]
        }),
        missing: feature.n_missing,
        information_bits: feature.information.map(|i| i.mutual),
        symmetric_uncertainty: feature.information.map(|i| i.symmetric_uncertainty()),
        redundant_level0: feature.redundant_level0,
        redundant_level1_given: feature.redundant_level1.map(|given| name(given.feature)),
        redundant_level1_gain_bits: feature.redundant_level1.map(|given| given.gain_bits),
        cut_points: feature.cut_points.as_deref(),
    };
    Document {
        schema: "bayesieve.description.v1",
        rows: description.n_rows,
        features: description.features.len(),
        class: &coded.class_name,
        class_counts: description
            .class_counts
            .iter()
            .map(|(label, n)| (label.clone(), Value::from(*n)))
            .collect(),
        class_entropy: description.class_entropy,
        columns: description.features.iter().map(column).collect(),
        duplicate_columns: description
            .duplicate_features
            .iter()
            .map(|group| group.iter().map(|&position| name(position)).collect())
            .collect(),
        duplicate_rows: description.duplicate_rows,
        warnings: notes,
        seconds,
    }
}
