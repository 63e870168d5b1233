//! The tables of `reproduce` for people.

use std::time::Duration;

use bayesieve::wording::grouped;
use serde_json::Value;

use super::reproduction::{Cell, Layout, Means, Panel, Reproduction, methods};
use super::statement::word;
use crate::text;

pub(super) fn show(reproduction: &Reproduction, run: Duration) -> String {
    let paper = &reproduction.paper;
    let mut out = format!("{}: {}\n\n", paper.name, paper.summary);
    let is_compact = |panel: &Panel| panel.layout != Layout::Wide;
    if reproduction.panels.iter().any(is_compact) {
        out += "Ours (published); * where they are more than two published sd apart.\n\n";
    }
    for panel in &reproduction.panels {
        out += &match panel.layout {
            Layout::Wide => wide(panel),
            Layout::Compact { decimals } => compact(panel, decimals),
        };
        out += &format!("  {}\n\n", panel.title);
    }
    out += &if reproduction.conclusions.is_empty() {
        let lines = nearness(reproduction).into_iter();
        lines.map(|line| line + "\n").collect()
    } else {
        agreements(reproduction) + &conclusions(reproduction)
    };
    out += &format!(
        "{} units in {:.1} s, seed {}\n",
        grouped(reproduction.n_units as u64),
        run.as_secs_f64(),
        reproduction.seed
    );
    if reproduction.is_cut_short {
        let (done, asked) = (reproduction.cells().count(), reproduction.n_asked);
        out += &format!("stopped after {done} of {asked} cells\n");
    }
    out
}

/// Method by method, and which is ahead of which: a sentence for each.
pub(super) fn nearness(reproduction: &Reproduction) -> Vec<String> {
    let mut out = Vec::new();
    for near in reproduction.nearness() {
        out.push(format!(
            "{}: {:.4} from the published figures on average ({} cells; mean {:+.4}, at most {:.4})",
            near.method,
            near.mean_absolute_difference,
            near.n_cells,
            near.mean_difference,
            near.largest
        ));
    }
    for lead in reproduction.leads() {
        let published = lead.n_ahead_published;
        out.push(format!(
            "{} is ahead of {} in {} of {} cells{}",
            lead.first,
            lead.second,
            lead.n_ahead,
            lead.n_cells,
            published.map_or(String::new(), |n| format!(" (published: {n})"))
        ));
    }
    out
}

/// Table by table and measure by measure.
fn agreements(reproduction: &Reproduction) -> String {
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
    let rows = reproduction.agreements().into_iter().map(|one| {
        let share = |place: usize| {
            let share = one.shares().map(|shares| 100.0 * shares[place]);
            share.map_or("–".into(), |share| format!("{share:.0} %"))
        };
        let mean = |part: fn(Means) -> String| one.means.map_or("–".into(), part);
        vec![
            one.table.unwrap_or("all").to_owned(),
            one.measure.unwrap_or("all").to_owned(),
            one.n_cells.to_string(),
            one.n_with_sd.to_string(),
            share(0),
            share(1),
            mean(|means| format!("{:+.3}", means.difference)),
            mean(|means| format!("{:.3}", means.absolute_difference)),
        ]
    });
    text::table(&header, &[2, 3, 4, 5, 6, 7], rows.collect()) + "\n"
}

/// What the paper says, and whether the figures do.
fn conclusions(reproduction: &Reproduction) -> String {
    let mut out = String::from("what the paper says: in its figures, in ours\n");
    for one in &reproduction.conclusions {
        let (published, ours) = (word(one.published), word(one.ours));
        out += &format!("  {published:<4}{ours:<4}{}\n", one.text);
        out += &format!("          published: {}\n", one.published_detail);
        out += &format!("          ours: {}\n", one.detail);
    }
    out + "\n"
}

/// The places of some cells, each once.
fn places(cells: &[Cell]) -> Vec<&[(&'static str, Value)]> {
    let mut places: Vec<&[(&'static str, Value)]> = Vec::new();
    for cell in cells {
        if !places.contains(&cell.place.as_slice()) {
            places.push(&cell.place);
        }
    }
    places
}

/// The names that places go by.
fn names(places: &[&[(&'static str, Value)]]) -> Vec<&'static str> {
    let first = places.first();
    first.map_or(Vec::new(), |place| {
        place.iter().map(|(name, _)| *name).collect()
    })
}

fn find<'a>(panel: &'a Panel, place: &[(&'static str, Value)], method: &str) -> Option<&'a Cell> {
    let mut cells = panel.cells.iter();
    cells.find(|cell| cell.place == place && cell.method == method)
}

/// A row per place; a column per method, and two more where the paper has figures of it.
fn wide(panel: &Panel) -> String {
    let methods = methods(panel.cells.iter());
    let places = places(&panel.cells);
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
    let numbers: Vec<usize> = (1..header.len()).collect();
    text::table(&header, &numbers, rows.collect())
}

/// Places against methods, the fewer of the two across the page.
fn compact(panel: &Panel, decimals: usize) -> String {
    let methods = methods(panel.cells.iter());
    let places = places(&panel.cells);
    let telling = telling(&places);
    let label = |place: &[(&'static str, Value)]| -> Vec<String> {
        telling.iter().map(|&at| shown(&place[at].1)).collect()
    };
    let cell = |place, method| match find(panel, place, method) {
        Some(cell) => beside(cell, decimals),
        None => String::new(),
    };
    let by_method = methods.len() > places.len();
    let (header, rows): (Vec<String>, Vec<Vec<String>>) = if by_method {
        let columns = places.iter().map(|place| label(place).join(" "));
        let rows = methods.iter().map(|&method| {
            let cells = places.iter().map(|place| cell(place, method));
            [method.to_owned()].into_iter().chain(cells).collect()
        });
        let header = ["method".to_owned()].into_iter().chain(columns);
        (header.collect(), rows.collect())
    } else {
        let names = names(&places);
        let names = telling.iter().map(|&at| names[at]);
        let names = names.chain(methods.iter().copied());
        let rows = places.iter().map(|place| {
            let cells = methods.iter().map(|method| cell(place, method));
            label(place).into_iter().chain(cells).collect()
        });
        (names.map(str::to_owned).collect(), rows.collect())
    };
    let n_labels = if by_method { 1 } else { telling.len() };
    let numbers: Vec<usize> = (n_labels..header.len()).collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    text::table(&header, &numbers, rows)
}

/// The parts of a place that are not the same everywhere; the last one where all are.
fn telling(places: &[&[(&'static str, Value)]]) -> Vec<usize> {
    let Some(first) = places.first() else {
        return Vec::new();
    };
    let differs = |at: &usize| places.iter().any(|place| place[*at] != first[*at]);
    let telling: Vec<usize> = (0..first.len()).filter(differs).collect();
    if telling.is_empty() {
        first.len().checked_sub(1).into_iter().collect()
    } else {
        telling
    }
}

/// `ours (published)`, with a star where they are more than two published standard deviations
/// apart.
fn beside(cell: &Cell, decimals: usize) -> String {
    let ours = format!("{:.*}", decimals, cell.value);
    // As printed: figures that end in 0 have lost it in binary.
    let published = cell.published.map(|figure| format!(" ({})", figure.value));
    let is_far = cell
        .difference_in_sd()
        .is_some_and(|d| d.abs() > 2.0 + 1e-9);
    let star = if is_far { "*" } else { "" };
    format!("{ours}{}{star}", published.unwrap_or_default())
}

pub(super) fn shown(word: &Value) -> String {
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
    let published = cell.published.map(|figure| figure.value);
    [
        format!("{:.4}{}", cell.value, about.unwrap_or_default()),
        published.map_or("–".into(), |x| format!("{x:.4}")),
        cell.difference().map_or("–".into(), |x| format!("{x:+.4}")),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::published::Figure;
    use super::*;

    fn cell(data: &str, method: &'static str, value: f64) -> Cell {
        Cell {
            table: "3",
            place: vec![("data", data.into())],
            method,
            measure: "accuracy",
            value,
            sd: None,
            standard_error: None,
            others: Vec::new(),
            published: Some(Figure {
                value: 94.0,
                sd: Some(1.0),
            }),
            n_units: 1,
        }
    }

    fn panel(cells: Vec<Cell>) -> Panel {
        Panel {
            title: String::new(),
            layout: Layout::Compact { decimals: 1 },
            cells,
        }
    }

    #[test]
    fn the_fewer_go_across_and_far_ones_have_a_star() {
        let cells = [
            ("chess", "mdl", 93.0),
            ("chess", "all", 90.0),
            ("car", "mdl", 95.0),
        ];
        let of = |n: usize| {
            let cells = cells[..n].iter();
            panel(
                cells
                    .map(|&(data, method, x)| cell(data, method, x))
                    .collect(),
            )
        };
        // Two methods on one data set: methods go down.
        let lines = compact(&of(2), 1);
        let words: Vec<&str> = lines.split_whitespace().collect();
        assert_eq!(
            words,
            [
                "method", "chess", "mdl", "93.0", "(94)", "all", "90.0", "(94)*"
            ]
        );
        let lines = compact(&of(3), 1);
        let words: Vec<&str> = lines.split_whitespace().collect();
        assert_eq!(words[..3], ["data", "mdl", "all"]);
    }
}
