//! The page of `reproduce`.

use bayesieve::document::Seconds;
use bayesieve_report::draw::Svg;
use bayesieve_report::{
    ReproducedCell, ReproducedConclusion, ReproducedPanel, ReproductionReport,
    reproduction as page_of,
};
use serde_json::{Map, Value};

use super::people::{nearness, shown};
use super::published::Published;
use super::reproduction::{Cell, Reproduction};
use super::statement::Conclusion;
use crate::report::Origin;

/// What the pages of all papers have.
pub(super) struct Parts<'a> {
    pub(super) paper: &'a Published,
    /// What was asked for.
    pub(super) settings: &'a Map<String, Value>,
    pub(super) seed: u64,
    pub(super) findings: Vec<String>,
    pub(super) drawings: Vec<Svg>,
    pub(super) panels: Vec<ReproducedPanel>,
    pub(super) conclusions: Vec<ReproducedConclusion>,
    pub(super) warnings: &'a [String],
}

impl Parts<'_> {
    pub(super) fn page(&self, seconds: Seconds) -> String {
        let origin = Origin::named(self.paper.name.clone(), seconds);
        let settings = self.settings.iter();
        let mut settings: Vec<(String, String)> = settings
            .map(|(name, value)| (name.clone(), words(value)))
            .collect();
        settings.push(("seed".into(), self.seed.to_string()));
        page_of(&ReproductionReport {
            about: origin.about(),
            paper: &self.paper.name,
            citation: &self.paper.citation,
            summary: &self.paper.summary,
            findings: &self.findings,
            drawings: &self.drawings,
            panels: &self.panels,
            conclusions: &self.conclusions,
            settings: &settings,
            notes: self.warnings,
        })
    }
}

/// A setting in words.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => {
            let words: Vec<String> = values.iter().map(words).collect();
            words.join(", ")
        }
        other => other.to_string(),
    }
}

/// The page of tables beside the published ones.
pub(super) fn of(reproduction: &Reproduction, seconds: Seconds) -> String {
    let panels = reproduction.panels.iter().map(|panel| ReproducedPanel {
        title: panel.title.clone(),
        cells: panel.cells.iter().map(cell).collect(),
    });
    let conclusions = reproduction.conclusions.iter().map(conclusion);
    let mut findings = if reproduction.conclusions.is_empty() {
        nearness(reproduction)
    } else {
        Vec::new()
    };
    if reproduction.is_cut_short {
        let (done, asked) = (reproduction.cells().count(), reproduction.n_asked);
        findings.push(format!("Stopped after {done} of {asked} cells."));
    }
    let parts = Parts {
        paper: &reproduction.paper,
        settings: &reproduction.settings,
        seed: reproduction.seed,
        findings,
        drawings: Vec::new(),
        panels: panels.collect(),
        conclusions: conclusions.collect(),
        warnings: &reproduction.warnings,
    };
    parts.page(seconds)
}

fn cell(cell: &Cell) -> ReproducedCell {
    let place: Vec<String> = cell.place.iter().map(|(_, word)| shown(word)).collect();
    ReproducedCell {
        table: cell.table.to_owned(),
        row: place.join(", "),
        column: cell.method.to_owned(),
        measure: cell.measure.to_owned(),
        published: cell.published.map(|figure| figure.value),
        published_sd: cell.published.and_then(|figure| figure.sd),
        ours: Some(cell.value),
        ours_sd: cell.sd,
    }
}

fn conclusion(conclusion: &Conclusion) -> ReproducedConclusion {
    ReproducedConclusion {
        text: conclusion.text.clone(),
        published: conclusion.published,
        published_detail: conclusion.published_detail.clone(),
        ours: conclusion.ours,
        ours_detail: conclusion.detail.clone(),
    }
}
