//! What came out of a run, ready to be shown: the document, the page and the text.

use bayesieve::document::Seconds;
use bayesieve::{Error, Result};
use bayesieve_report::draw::Svg;
use bayesieve_report::{
    About, ReproducedConclusion, ReproducedPanel, ReproductionReport, reproduction,
};
use serde_json::{Value, json};

use crate::published::Published;
use crate::tables::{FigureCell, Panel, nearness, summary};
use crate::text;

/// What the runs of all papers have.
#[derive(Debug)]
pub struct PaperRun {
    /// The paper.
    pub paper: &'static Published,
    /// What was asked for.
    pub settings: Value,
    /// The seed.
    pub seed: u64,
    /// The name of the measure that cells are about.
    pub measure: &'static str,
    /// Experimental units that all cells are made of.
    pub n_units: usize,
    /// Cells that were asked for.
    pub n_asked: usize,
    /// Whether the run was over before the last cell.
    pub is_cut_short: bool,
    /// What the reader should know.
    pub warnings: Vec<String>,
    /// How long it took.
    pub seconds: Seconds,
}

/// What came out of a run.
#[derive(Debug)]
pub struct PaperOutcome {
    /// How it went.
    pub run: PaperRun,
    /// Drawings that are whole, with the names of their files.
    pub drawings: Vec<(&'static str, Svg)>,
    /// For people who read text.
    pub text: Vec<TextPart>,
    pub(crate) cells: Vec<Value>,
    /// What the document has besides: behind the cells.
    pub(crate) more: Vec<(&'static str, Value)>,
    pub(crate) findings: Vec<String>,
    pub(crate) panels: Vec<ReproducedPanel>,
    pub(crate) conclusions: Vec<ReproducedConclusion>,
}

/// A part of the text for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextPart {
    /// Lines as they are.
    Lines(String),
    /// A table.
    Table {
        /// Above the columns.
        header: Vec<String>,
        /// The number of first columns that hold words; the others hold numbers.
        n_words: usize,
        /// One text per column.
        rows: Vec<Vec<String>>,
    },
}

impl TextPart {
    /// Returns a table whose first columns hold words.
    pub(crate) fn table<'a>(
        header: impl IntoIterator<Item = &'a str>,
        n_words: usize,
        rows: impl Iterator<Item = Vec<String>>,
    ) -> Self {
        TextPart::Table {
            header: header.into_iter().map(str::to_owned).collect(),
            n_words,
            rows: rows.collect(),
        }
    }
}

impl PaperOutcome {
    /// Shows tables beside the published ones.
    ///
    /// # Errors
    /// The run was stopped before any cell was finished.
    pub(crate) fn of_tables(
        run: PaperRun,
        panels: Vec<Panel>,
        conclusions: Vec<ReproducedConclusion>,
    ) -> Result<Self> {
        let cells: Vec<&FigureCell> = panels.iter().flat_map(|panel| &panel.cells).collect();
        if cells.is_empty() {
            return Err(Error::interrupted());
        }
        let mut more = vec![("summary", summary(&cells, run.measure))];
        let mut findings = Vec::new();
        if conclusions.is_empty() {
            findings = nearness(&cells, run.measure);
        } else {
            more.push(("conclusions", conclusions.iter().map(concluded).collect()));
        }
        if run.is_cut_short {
            let (done, asked) = (cells.len(), run.n_asked);
            findings.push(format!("Stopped after {done} of {asked} cells."));
        }
        Ok(PaperOutcome {
            drawings: Vec::new(),
            text: text::of_tables(&run, &panels, &conclusions),
            cells: cells.iter().map(|cell| cell.document()).collect(),
            more,
            findings,
            panels: panels.iter().map(Panel::reproduced).collect(),
            conclusions,
            run,
        })
    }

    /// Returns the document, of schema `bayesieve.reproduction.v1`.
    pub fn document(&self) -> Value {
        let run = &self.run;
        let paper = json!({
            "name": run.paper.name,
            "citation": run.paper.citation,
            "summary": run.paper.summary,
        });
        let stop = json!({
            "reason": if run.is_cut_short { "interrupted" } else { "finished" },
            "cells": self.cells.len(),
            "of": run.n_asked,
        });
        let head = [
            ("schema", json!("bayesieve.reproduction.v1")),
            ("paper", paper),
            ("settings", run.settings.clone()),
            ("seed", json!(run.seed)),
            ("measure", json!(run.measure)),
            ("cells", json!(self.cells)),
        ];
        let tail = [
            ("stop", stop),
            ("warnings", json!(run.warnings)),
            ("seconds", json!(run.seconds)),
        ];
        object(head.into_iter().chain(self.more.clone()).chain(tail))
    }

    /// Returns the page.
    pub fn page(&self, about: &About) -> String {
        let settings = self.run.settings.as_object().into_iter().flatten();
        let settings = settings.map(|(name, value)| (name.clone(), words(value)));
        let seed = ("seed".to_owned(), self.run.seed.to_string());
        let drawings = self.drawings.iter().map(|(_, drawing)| drawing.clone());
        reproduction(&ReproductionReport {
            about,
            paper: &self.run.paper.name,
            citation: &self.run.paper.citation,
            summary: &self.run.paper.summary,
            findings: &self.findings,
            drawings: &drawings.collect::<Vec<Svg>>(),
            panels: &self.panels,
            conclusions: &self.conclusions,
            settings: &settings.chain([seed]).collect::<Vec<_>>(),
            notes: &self.run.warnings,
        })
    }
}

/// Returns an object of entries in their order.
pub(crate) fn object<N: Into<String>>(entries: impl IntoIterator<Item = (N, Value)>) -> Value {
    let entries = entries.into_iter();
    Value::Object(entries.map(|(name, value)| (name.into(), value)).collect())
}

fn concluded(conclusion: &ReproducedConclusion) -> Value {
    json!({
        "text": conclusion.text,
        "published": conclusion.published,
        "published_detail": conclusion.published_detail,
        "ours": conclusion.ours,
        "detail": conclusion.ours_detail,
    })
}

/// Says a setting in words.
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
