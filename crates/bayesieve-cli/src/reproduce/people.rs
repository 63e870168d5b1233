//! The tables of `reproduce` for people.

use std::time::Duration;

use bayesieve::wording::grouped;
use serde_json::Value;

use super::reproduction::{Cell, Reproduction};
use crate::text;

pub(super) fn show(reproduction: &Reproduction, run: Duration) -> String {
    let paper = &reproduction.paper;
    let mut out = format!("{}: {}\n\n", paper.name, paper.summary);
    out += &table(reproduction);
    let has_errors = reproduction
        .cells
        .iter()
        .any(|c| c.standard_error.is_some());
    let about = if has_errors {
        " ± its standard error"
    } else {
        ""
    };
    out += &format!("  mean {}{about}\n\n", reproduction.measure);
    for near in reproduction.nearness() {
        out += &format!(
            "{}: {:.4} from the published figures on average ({} cells; mean {:+.4}, at most {:.4})\n",
            near.method,
            near.mean_absolute_difference,
            near.n_cells,
            near.mean_difference,
            near.largest
        );
    }
    for lead in reproduction.leads() {
        let published = lead.n_ahead_published;
        out += &format!(
            "{} is ahead of {} in {} of {} cells{}\n",
            lead.first,
            lead.second,
            lead.n_ahead,
            lead.n_cells,
            published.map_or(String::new(), |n| format!(" (published: {n})"))
        );
    }
    let units: usize = reproduction.cells.iter().map(|cell| cell.n_units).sum();
    out += &format!(
        "{} units in {:.1} s, seed {}\n",
        grouped(units as u64),
        run.as_secs_f64(),
        reproduction.seed
    );
    if reproduction.is_cut_short {
        let (done, asked) = (reproduction.cells.len(), reproduction.n_asked);
        out += &format!("stopped after {done} of {asked} cells\n");
    }
    out
}

/// A row per place; a column per method, and two more where the paper has figures of it.
fn table(reproduction: &Reproduction) -> String {
    let methods = reproduction.methods();
    let mut places: Vec<&[(&'static str, Value)]> = Vec::new();
    for cell in &reproduction.cells {
        if !places.contains(&cell.place.as_slice()) {
            places.push(&cell.place);
        }
    }
    let names = places.first().map_or(Vec::new(), |place| {
        place.iter().map(|(name, _)| *name).collect()
    });
    let is_published = |method: &str| {
        let mut cells = reproduction.cells.iter();
        cells.any(|cell| cell.method == method && cell.published.is_some())
    };
    let mut header = names.clone();
    for &method in &methods {
        header.push(method);
        if is_published(method) {
            header.extend(["published", "difference"]);
        }
    }
    let rows = places.iter().map(|place| {
        let mut row: Vec<String> = place.iter().map(|(_, word)| shown(word)).collect();
        for method in &methods {
            let columns = columns(reproduction.cell(place, method));
            let n_columns = if is_published(method) { 3 } else { 1 };
            row.extend(columns.into_iter().take(n_columns));
        }
        row
    });
    let numbers: Vec<usize> = (1..header.len()).collect();
    text::table(&header, &numbers, rows.collect())
}

fn shown(word: &Value) -> String {
    match word {
        Value::String(text) => text::name(text),
        Value::Number(n) => n.as_u64().map_or(n.to_string(), grouped),
        other => other.to_string(),
    }
}

/// Ours, the published figure, the difference.
fn columns(cell: Option<&Cell>) -> [String; 3] {
    let Some(cell) = cell else {
        return Default::default();
    };
    let about = cell.standard_error.map(|error| format!(" ± {error:.4}"));
    [
        format!("{:.4}{}", cell.value, about.unwrap_or_default()),
        cell.published.map_or("–".into(), |x| format!("{x:.4}")),
        cell.difference().map_or("–".into(), |x| format!("{x:+.4}")),
    ]
}
