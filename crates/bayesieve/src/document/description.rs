//! A description of a table: schema `bayesieve.description.v1`.

use serde_json::{Map, Value, json};

use super::Seconds;
use crate::data::CodedTable;
use crate::describe::{Description, FeatureDescription};

/// Labels listed per column.
const MAX_LABELS: usize = 50;

/// The document of a description: an entry for every feature with what it holds and tells.
///
/// `notes` are what the reader should know; they stand under `warnings`.
///
/// # Example
/// ```
/// use std::time::Duration;
///
/// use bayesieve::Silent;
/// use bayesieve::data::{CodedTable, CodingOptions, Generator, RoleOptions, Roles};
/// use bayesieve::describe::{Levels, describe};
/// use bayesieve::document::{self, Seconds};
///
/// let table = Generator::Example1.generate(3200, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let coded = CodedTable::new(&table, &roles, CodingOptions::default())?;
/// let description = describe(&coded, Levels::Auto, &Silent)?;
/// let seconds = Seconds::new(Duration::ZERO, Duration::from_millis(2));
/// let document = document::description(&coded, &description, &coded.notes, seconds);
/// assert_eq!(document["class_counts"], serde_json::json!({"0": 800, "1": 2400}));
/// assert_eq!(document["columns"][2]["name"], "A3");
/// assert_eq!(document["columns"][2]["redundant_level0"], false);
/// assert_eq!(document["columns"][2]["redundant_level1_given"], "A2");
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn description(
    coded: &CodedTable,
    description: &Description,
    notes: &[String],
    seconds: Seconds,
) -> Value {
    let counts = description.class_counts.iter();
    let counts: Map<String, Value> = counts
        .map(|(label, n_rows)| (label.clone(), (*n_rows).into()))
        .collect();
    let features = description.features.iter();
    let columns: Vec<Value> = features
        .map(|feature| column(feature, description))
        .collect();
    let duplicates = description.duplicate_features.iter();
    let duplicates: Vec<Vec<&str>> = duplicates
        .map(|group| {
            group
                .iter()
                .map(|&place| name(description, place))
                .collect()
        })
        .collect();
    json!({
        "schema": "bayesieve.description.v1",
        "rows": description.n_rows,
        "features": description.features.len(),
        "class": coded.class_name,
        "class_counts": counts,
        "class_entropy": description.class_entropy,
        "columns": columns,
        "duplicate_columns": duplicates,
        "duplicate_rows": description.duplicate_rows,
        "warnings": notes,
        "seconds": seconds,
    })
}

fn column(feature: &FeatureDescription, description: &Description) -> Value {
    let labels = feature.column.as_nominal().map(|nominal| {
        let labels = nominal.domain.labels();
        &labels[..labels.len().min(MAX_LABELS)]
    });
    let information = feature.information;
    let level1 = feature.redundant_level1;
    json!({
        "name": feature.column.name(),
        "kind": feature.kind.name(),
        "values": (!feature.has_more_values).then_some(feature.n_distinct),
        "values_above": feature.has_more_values.then_some(feature.n_distinct),
        "labels": labels,
        "missing": feature.n_missing,
        "information_bits": information.map(|information| information.mutual),
        "symmetric_uncertainty": information.map(|one| one.symmetric_uncertainty()),
        "redundant_level0": feature.redundant_level0,
        "redundant_level1_given": level1.map(|given| name(description, given.feature)),
        "redundant_level1_gain_bits": level1.map(|given| given.gain_bits),
        "cut_points": feature.cut_points,
    })
}

fn name(description: &Description, place: usize) -> &str {
    description.features[place].column.name()
}
