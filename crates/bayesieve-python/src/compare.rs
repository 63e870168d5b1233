//! Methods and models on the same splits.

use std::time::{Duration, Instant};

use bayesieve::Result;
use bayesieve::data::Folds;
use bayesieve::document::{self, ComparisonDocument, Early, Seconds};
use bayesieve::evaluate::{
    ComparisonStudy, DataSet, PairTestKind, Protocol, conduct, pipeline_names, pipelines,
};
use bayesieve::search::Limits;
use bayesieve_report::{ComparisonReport, comparison as page_of};
use pyo3::prelude::*;
use serde::Deserialize;

use crate::errors::OrRaise;
use crate::request::{self, Coding, Origin, roles};
use crate::run::Runner;
use crate::table::Table;

/// What to compare.
#[derive(Deserialize)]
struct Request {
    /// The names of the data sets.
    names: Vec<String>,
    pipelines: Vec<String>,
    methods: Vec<String>,
    models: Vec<String>,
    settings: Vec<String>,
    keep: Vec<String>,
    protocol: String,
    /// A fold for every row of the only data set.
    folds: Option<Vec<i64>>,
    curve: Option<Vec<usize>>,
    test: Option<String>,
    alpha: f64,
    coding: Coding,
    seed: u64,
    budget: Option<f64>,
    origin: Origin,
}

impl Request {
    /// The pipelines that are named, else all pairs of methods and models.
    fn pipeline_names(&self) -> Vec<String> {
        if !self.pipelines.is_empty() {
            return self.pipelines.clone();
        }
        let methods: Vec<&str> = self.methods.iter().map(String::as_str).collect();
        let models: Vec<&str> = self.models.iter().map(String::as_str).collect();
        pipeline_names(&methods, &models)
    }

    /// The test that wins and losses go by.
    fn test(&self, protocol: Protocol) -> Result<Option<PairTestKind>> {
        let test: Option<PairTestKind> = self.test.as_deref().map(str::parse).transpose()?;
        test.map_or(Ok(()), |test| test.check(protocol))?;
        Ok(test)
    }
}

/// Compares pipelines on tables whose last columns are the classes: the document that `compare
/// --json` prints, and the page for people.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    tables: Vec<PyRef<'_, Table>>,
    request: &str,
    runner: Runner,
) -> PyResult<(String, String)> {
    let request: Request = request::parse(request).or_raise()?;
    let tables: Vec<_> = tables.iter().map(|table| table.0.clone()).collect();
    runner.run(py, |observer| {
        let start = Instant::now();
        let coding = request.coding.options()?;
        let names = request.pipeline_names();
        let pipelines = pipelines(&names, &request.settings, coding, &request.keep)?;
        let protocol: Protocol = request.protocol.parse()?;
        let named = request.names.iter().zip(tables);
        let sets = named.map(|(name, table)| {
            let roles = roles(&table)?;
            let set = DataSet::new(name.as_str(), (table, roles), coding, protocol)?;
            match &request.folds {
                Some(folds) => set.with_folds(Folds::from_numbers(folds)?),
                None => Ok(set),
            }
        });
        let sets = sets.collect::<Result<Vec<DataSet>>>()?;
        // Folds that are given are a protocol of their own.
        let protocol = sets.first().map_or(protocol, DataSet::protocol);
        let test = request.test(protocol)?;
        let mut study = ComparisonStudy::of_all(sets, pipelines, request.seed);
        if let Some(sizes) = &request.curve {
            study = study.with_curve(sizes);
        }
        study.check()?;
        let limits = Limits::new(observer).with_budget(request::budget(request.budget)?);
        let comparison = study.comparison(conduct(&study, None, &limits)?);
        let seconds = Seconds::new(Duration::ZERO, start.elapsed());
        let early = comparison.is_cut_short.then_some(Early::Budget);
        let document = ComparisonDocument {
            comparison: &comparison,
            test,
            alpha: request.alpha,
            early,
        };
        let document = document::to_text(&document::comparison(&document, seconds)?)?;
        let page = page_of(&ComparisonReport {
            about: request.origin.about(seconds.run),
            comparison: &comparison,
            test,
            alpha: request.alpha,
        })?;
        Ok((document, page))
    })
}
