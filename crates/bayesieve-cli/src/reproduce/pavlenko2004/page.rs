//! The page of this paper: its figures, and the numbers they are drawn from.

use bayesieve::document::Seconds;
use bayesieve::evaluate::Average;
use bayesieve_report::{ReproducedCell, ReproducedPanel};

use super::document::settings;
use super::figure;
use super::people::meaning;
use super::trials::{Found, Part, Results};
use crate::reproduce::page::Parts;
use crate::reproduce::published::Published;

pub(super) fn of(paper: &Published, results: &Results, (seed, seconds): (u64, Seconds)) -> String {
    let parts = results.parts.iter().copied();
    let drawn = parts
        .clone()
        .filter(|part| part.file().is_some() && results.is_whole(*part));
    let panels = parts.filter(|part| results.of(*part).next().is_some());
    let page = Parts {
        paper,
        settings: &settings(results),
        seed,
        findings: meaning(results),
        drawings: drawn.map(|part| figure::draw(part, results)).collect(),
        panels: panels.map(|part| panel(part, results)).collect(),
        conclusions: Vec::new(),
        warnings: &[],
    };
    page.page(seconds)
}

fn panel(part: Part, results: &Results) -> ReproducedPanel {
    ReproducedPanel {
        title: part.title().to_owned(),
        cells: results
            .of(part)
            .flat_map(|found| cells(part, found))
            .collect(),
    }
}

/// What a law is judged by.
fn cells(part: Part, found: &Found) -> [ReproducedCell; 4] {
    let means = &found.means;
    let measures = [
        ("R with all blocks", means.by_truth.risk),
        ("R with kept blocks", means.by_truth.risk_kept),
        ("gain by the truth", means.by_truth.gain),
        ("gain by the estimates", means.by_plug_in.gain),
    ];
    let row = found.entry.source.to_string();
    measures.map(|(column, average)| cell(part, (&row, column), average))
}

fn cell(part: Part, (row, column): (&str, &str), average: Average) -> ReproducedCell {
    ReproducedCell {
        table: part.name().to_owned(),
        row: row.to_owned(),
        column: column.to_owned(),
        measure: "risk".to_owned(),
        published: None,
        published_sd: None,
        ours: Some(average.mean),
        ours_sd: None,
    }
}
