//! The JSON of this paper: one cell per law.

use bayesieve::document::Seconds;
use bayesieve::evaluate::{Average, Judged, JudgedMeans, ScoreSource, Span};
use serde_json::{Map, Value, json};

use super::people::meaning;
use super::trials::{Found, Histogram, Results};
use crate::reproduce::document::Parts;
use crate::reproduce::published::Published;

pub(super) fn new(paper: &Published, results: &Results, (seed, seconds): (u64, Seconds)) -> Value {
    let parts = Parts {
        paper,
        settings: &settings(results),
        seed,
        measure: "gain",
        cells: results.found.iter().map(cell).collect(),
        n_asked: results.n_asked,
        is_cut_short: results.is_cut_short(),
        more: vec![
            ("histograms", histograms(results)),
            ("summary", json!({"text": meaning(results)})),
        ],
        warnings: &[],
        seconds,
    };
    parts.document()
}

/// What was asked for.
pub(super) fn settings(results: &Results) -> Map<String, Value> {
    let names = results.parts.iter().map(|part| part.name());
    let settings = json!({
        "figures": names.collect::<Vec<&str>>(),
        "trials": results.n_trials,
        "blocks": results.design.n_blocks,
        "block_size": results.design.block_size,
        "rows": results.design.n_rows,
    });
    match settings {
        Value::Object(settings) => settings,
        _ => Map::new(),
    }
}

fn cell(found: &Found) -> Value {
    let entry = &found.entry;
    let mut cell = Map::new();
    cell.insert("figure".into(), entry.part.name().into());
    cell.insert("law".into(), entry.source.to_string().into());
    if let Some(b) = entry.largest_distance {
        cell.insert("b".into(), b.into());
    }
    match entry.source {
        ScoreSource::ChiSquare {
            degrees_of_freedom,
            noncentrality,
        } => {
            cell.insert("degrees_of_freedom".into(), span(degrees_of_freedom));
            cell.insert("noncentrality".into(), span(noncentrality));
        }
        ScoreSource::Irrelevant { share, score } => {
            cell.insert("irrelevant_share".into(), share.into());
            cell.insert("score".into(), score.into());
        }
        _ => {}
    }
    cell.insert("place".into(), entry.place().into());
    cell.insert("mean_score".into(), entry.source.mean().into());
    cell.insert("trials".into(), found.trials.len().into());
    cell.insert("kept".into(), average(found.means.kept));
    cell.insert("true".into(), judged(&found.means.by_truth));
    cell.insert("plug_in".into(), judged(&found.means.by_plug_in));
    Value::Object(cell)
}

/// One number, or where it is drawn from.
fn span(span: Span) -> Value {
    if span.from == span.to {
        json!(span.from)
    } else {
        json!([span.from, span.to])
    }
}

fn judged(means: &JudgedMeans) -> Value {
    json!({
        "distance": average(means.distance),
        "distance_kept": average(means.distance_kept),
        "risk": average(means.risk),
        "risk_kept": average(means.risk_kept),
        "gain": average(means.gain),
    })
}

fn average(average: Average) -> Value {
    json!({"mean": average.mean, "standard_error": average.standard_error})
}

fn histograms(results: &Results) -> Value {
    let counted = |histogram: Histogram| {
        json!({
            "below": histogram.n_below,
            "counts": histogram.counts.to_vec(),
            "above": histogram.n_above,
        })
    };
    let parts = results.parts.iter().map(|&part| {
        json!({
            "figure": part.name(),
            "from": Histogram::FROM,
            "width": Histogram::WIDTH,
            "true": counted(results.histogram(part, Judged::Truth)),
            "plug_in": counted(results.histogram(part, Judged::PlugIn)),
        })
    });
    Value::Array(parts.collect())
}
