//! Tables beside the published ones, for people.

use bayesieve::printable;
use bayesieve::wording::grouped;
use bayesieve_report::ReproducedConclusion;
use serde_json::Value;

use crate::outcome::{PaperRun, TextPart};
use crate::tables::{FigureCell, Panel, PanelLayout, agreements, distinct, methods, nearness};

/// Where a cell is, besides its method.
type CellPlace = [(&'static str, Value)];

pub(crate) fn of_tables(
    run: &PaperRun,
    panels: &[Panel],
    conclusions: &[ReproducedConclusion],
) -> Vec<TextPart> {
    let cells: Vec<&FigureCell> = panels.iter().flat_map(|panel| &panel.cells).collect();
    let mut head = format!("{}: {}\n\n", run.paper.name, run.paper.summary);
    if panels.iter().any(|panel| panel.layout != PanelLayout::Wide) {
        head += "Ours (published); * where they are more than two published sd apart.\n\n";
    }
    let mut parts = vec![TextPart::Lines(head)];
    for panel in panels {
        parts.push(match panel.layout {
            PanelLayout::Wide => wide(panel),
            PanelLayout::Compact { decimals } => compact(panel, decimals),
        });
        parts.push(TextPart::Lines(format!("  {}\n\n", panel.title)));
    }
    let mut tail = if conclusions.is_empty() {
        let lines = nearness(&cells, run.measure).into_iter();
        lines.map(|line| line + "\n").collect()
    } else {
        parts.push(agreement(&cells));
        concluded(conclusions)
    };
    tail += &ending(run, "units", cells.len(), "cells");
    parts.push(TextPart::Lines(tail));
    parts
}

/// How long the run took, and how far it went.
pub(crate) fn ending(run: &PaperRun, units: &str, n_done: usize, cells: &str) -> String {
    let n_units = grouped(run.n_units as u64);
    let (seconds, seed) = (run.seconds.run, run.seed);
    let mut out = format!("{n_units} {units} in {seconds:.1} s, seed {seed}\n");
    if run.is_cut_short {
        out += &format!("stopped after {n_done} of {} {cells}\n", run.n_asked);
    }
    out
}

/// Table by table and measure by measure.
fn agreement(cells: &[&FigureCell]) -> TextPart {
    let header = [
        "table",
        "measure",
        "cells",
        "with sd",
        "within 1 sd",
        "within 2 sd",
        "mean difference",
        "mean absolute",
    ];
    let rows = agreements(cells).into_iter().map(|one| {
        let share = |share: Option<f64>| {
            share.map_or("–".into(), |share| format!("{:.0} %", 100.0 * share))
        };
        let mean = one.mean_difference.map(|mean| format!("{mean:+.3}"));
        let absolute = one
            .mean_absolute_difference
            .map(|mean| format!("{mean:.3}"));
        vec![
            one.table.unwrap_or("all").to_owned(),
            one.measure.unwrap_or("all").to_owned(),
            one.cells.to_string(),
            one.cells_with_sd.to_string(),
            share(one.within_one_sd),
            share(one.within_two_sd),
            mean.unwrap_or("–".into()),
            absolute.unwrap_or("–".into()),
        ]
    });
    TextPart::table(header, 2, rows)
}

/// What the paper says, and whether the figures do.
fn concluded(conclusions: &[ReproducedConclusion]) -> String {
    let word = |holds| match holds {
        Some(true) => "yes",
        Some(false) => "no",
        None => "–",
    };
    let mut out = String::from("\nwhat the paper says: in its figures, in ours\n");
    for one in conclusions {
        let (published, ours) = (word(one.published), word(one.ours));
        out += &format!("  {published:<4}{ours:<4}{}\n", one.text);
        out += &format!("          published: {}\n", one.published_detail);
        out += &format!("          ours: {}\n", one.ours_detail);
    }
    out + "\n"
}

/// The names that places go by.
fn names(places: &[&CellPlace]) -> Vec<&'static str> {
    let first = places.iter().take(1).copied().flatten();
    first.map(|(name, _)| *name).collect()
}

fn find<'a>(panel: &'a Panel, place: &CellPlace, method: &str) -> Option<&'a FigureCell> {
    let mut cells = panel.cells.iter();
    cells.find(|cell| cell.place == place && cell.method == method)
}

/// The methods and the places of a panel, each once.
fn sides(panel: &Panel) -> (Vec<&'static str>, Vec<&CellPlace>) {
    let cells: Vec<&FigureCell> = panel.cells.iter().collect();
    let places = distinct(panel.cells.iter().map(|cell| &*cell.place));
    (methods(&cells), places)
}

/// A row per place; a column per method, and two more where the paper has figures of it.
fn wide(panel: &Panel) -> TextPart {
    let (methods, places) = sides(panel);
    let is_published = |method: &str| {
        let mut cells = panel.cells.iter();
        cells.any(|cell| cell.method == method && cell.published.is_some())
    };
    let mut header = names(&places);
    for &method in &methods {
        header.push(method);
        if is_published(method) {
            header.extend(["published", "difference"]);
        }
    }
    let rows = places.iter().map(|place| {
        let mut row: Vec<String> = place.iter().map(|(_, word)| shown(word)).collect();
        for method in &methods {
            let columns = columns(find(panel, place, method));
            let n_columns = if is_published(method) { 3 } else { 1 };
            row.extend(columns.into_iter().take(n_columns));
        }
        row
    });
    TextPart::table(header.clone(), 1, rows)
}

/// Places against methods, the fewer of the two across the page.
fn compact(panel: &Panel, decimals: usize) -> TextPart {
    let (methods, places) = sides(panel);
    let telling = telling(&places);
    let label = |place: &CellPlace| -> Vec<String> {
        telling.iter().map(|&part| shown(&place[part].1)).collect()
    };
    let cell = |place, method| match find(panel, place, method) {
        Some(cell) => beside(cell, decimals),
        None => String::new(),
    };
    if methods.len() > places.len() {
        let columns: Vec<String> = places.iter().map(|place| label(place).join(" ")).collect();
        let rows = methods.iter().map(|&method| {
            let cells = places.iter().map(|place| cell(place, method));
            [method.to_owned()].into_iter().chain(cells).collect()
        });
        let header = ["method"]
            .into_iter()
            .chain(columns.iter().map(String::as_str));
        TextPart::table(header, 1, rows)
    } else {
        let names = names(&places);
        let header = telling.iter().map(|&part| names[part]);
        let rows = places.iter().map(|place| {
            let cells = methods.iter().map(|method| cell(place, method));
            label(place).into_iter().chain(cells).collect()
        });
        TextPart::table(header.chain(methods.iter().copied()), telling.len(), rows)
    }
}

/// The parts of a place that are not the same everywhere; the last one where all are.
fn telling(places: &[&CellPlace]) -> Vec<usize> {
    let Some(first) = places.first() else {
        return Vec::new();
    };
    let differs = |part: &usize| places.iter().any(|place| place[*part] != first[*part]);
    let telling: Vec<usize> = (0..first.len()).filter(differs).collect();
    if telling.is_empty() {
        first.len().checked_sub(1).into_iter().collect()
    } else {
        telling
    }
}

/// `ours (published)`, with a star where they are more than two published standard deviations
/// apart.
fn beside(cell: &FigureCell, decimals: usize) -> String {
    let ours = format!("{:.*}", decimals, cell.value);
    // As printed: figures that end in 0 have lost it in binary.
    let published = cell.published.map(|figure| format!(" ({})", figure.value));
    let is_far = cell
        .difference_in_sd()
        .is_some_and(|d| d.abs() > 2.0 + 1e-9);
    let star = if is_far { "*" } else { "" };
    format!("{ours}{}{star}", published.unwrap_or_default())
}

/// Shows a word of a place.
pub(crate) fn shown(word: &Value) -> String {
    match word {
        Value::String(text) => printable(text, 32),
        Value::Number(n) => n.as_u64().map_or(n.to_string(), grouped),
        other => other.to_string(),
    }
}

/// Ours, the published figure, the difference.
fn columns(cell: Option<&FigureCell>) -> [String; 3] {
    let Some(cell) = cell else {
        return Default::default();
    };
    let about = cell.standard_error.map(|error| format!(" ± {error:.4}"));
    let published = cell.published.map(|figure| figure.value);
    [
        format!("{:.4}{}", cell.value, about.unwrap_or_default()),
        published.map_or("–".into(), |x| format!("{x:.4}")),
        cell.difference().map_or("–".into(), |x| format!("{x:+.4}")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::Figure;

    #[test]
    fn the_fewer_go_across_and_far_ones_have_a_star() {
        let cells = [
            ("chess", "mdl", 93.0),
            ("chess", "all", 90.0),
            ("car", "mdl", 95.0),
        ];
        let of = |n: usize| {
            let cells = cells[..n].iter().map(|&(data, method, value)| FigureCell {
                place: vec![("data", data.into())],
                method,
                value,
                published: Some(Figure {
                    value: 94.0,
                    sd: Some(1.0),
                }),
                ..FigureCell::default()
            });
            let panel = Panel {
                title: String::new(),
                layout: PanelLayout::Compact { decimals: 1 },
                cells: cells.collect(),
            };
            match compact(&panel, 1) {
                TextPart::Table { header, rows, .. } => (header, rows),
                TextPart::Lines(lines) => panic!("{lines}"),
            }
        };
        // Two methods on one data set: methods go down.
        let (header, rows) = of(2);
        assert_eq!(header, ["method", "chess"]);
        assert_eq!(rows, [["mdl", "93.0 (94)"], ["all", "90.0 (94)*"]]);
        assert_eq!(of(3).0, ["data", "mdl", "all"]);
    }
}
