//! Which features were kept how often.

use bayesieve::evaluate::{Comparison, Entry};

use crate::html::Html;
use crate::page::more;
use crate::series::key;
use crate::table::{PageCell, PageTable};

/// Features that are listed.
const MAX_FEATURES: usize = 15;
/// Pipelines that are listed.
const MAX_PIPELINES: usize = 26;

/// Writes a table of features by pipelines: the share of splits that kept a feature.
pub(super) fn write(html: &mut Html, found: &Comparison, data: usize, entries: &[&Entry]) {
    let features = &found.data[data].features;
    // Who keeps everything says nothing about stability.
    let chooses = |entry: &&&Entry| {
        let mut runs = entry.runs.iter();
        runs.any(|run| run.kept.len() < features.len())
    };
    let shares: Vec<(usize, Vec<f64>)> = entries
        .iter()
        .filter(chooses)
        .take(MAX_PIPELINES)
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
    order.truncate(MAX_FEATURES);
    html.words("h3", "Which features are kept, in how many of the splits");
    let mut table = PageTable::new("Features kept, by pipeline", order);
    table.words("feature", |feature| PageCell::Name(&features[feature]));
    for (pipeline, shares) in &shares {
        table.number(&key(*pipeline), |feature| {
            let share = shares[feature];
            PageCell::Shaded(format!("{:.0} %", 100.0 * share), share)
        });
    }
    table.write(html);
    more(html, n_kept, MAX_FEATURES, " that are kept less often");
}
