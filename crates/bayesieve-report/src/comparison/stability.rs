//! Which features were kept how often.

use bayesieve::evaluate::{Comparison, Entry};

use crate::html::Html;
use crate::page::more;
use crate::series::key;
use crate::table::{Cell, Kind, Table};

/// Features that are listed.
const MOST_FEATURES: usize = 15;
/// Pipelines that are listed.
const MOST_PIPELINES: usize = 26;

/// A table of features by pipelines: the share of splits that kept a feature.
pub(super) fn write(html: &mut Html, found: &Comparison, data: usize, entries: &[&Entry]) {
    let features = &found.data[data].features;
    // Who keeps everything says nothing about stability.
    let chooses = |entry: &&&Entry| {
        let mut runs = entry.runs.iter();
        runs.any(|run| run.kept.len() < features.len())
    };
    let entries: Vec<&&Entry> = entries
        .iter()
        .filter(chooses)
        .take(MOST_PIPELINES)
        .collect();
    if entries.is_empty() {
        return;
    }
    let shares: Vec<(usize, Vec<f64>)> = entries
        .iter()
        .map(|entry| (entry.pipeline, entry.frequencies(features.len())))
        .collect();
    let mut order: Vec<usize> = (0..features.len()).collect();
    let total = |&feature: &usize| shares.iter().map(|(_, share)| share[feature]).sum::<f64>();
    // Stable: ties stay in column order.
    order.sort_by(|a, b| total(b).total_cmp(&total(a)));
    order.retain(|feature| total(feature) > 0.0);
    if order.is_empty() {
        return;
    }
    let n_kept = order.len();
    order.truncate(MOST_FEATURES);
    let keys: Vec<String> = shares.iter().map(|(pipeline, _)| key(*pipeline)).collect();
    let mut head = vec![("feature", Kind::Words)];
    head.extend(keys.iter().map(|key| (key.as_str(), Kind::Number)));
    let rows = order.iter().map(|&feature| {
        let mut row = vec![Cell::Name(&features[feature])];
        row.extend(shares.iter().map(|(_, share)| {
            let share = share[feature];
            Cell::Shaded(format!("{:.0} %", 100.0 * share), share)
        }));
        row
    });
    html.words("h3", "Which features are kept, in how many of the splits");
    let table = Table {
        label: "Features kept, by pipeline",
        head: &head,
        rows: rows.collect(),
    };
    table.write(html);
    more(html, (n_kept, MOST_FEATURES), " that are kept less often");
}
