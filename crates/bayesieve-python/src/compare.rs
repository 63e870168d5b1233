//! Methods and models on the same splits.

use std::time::{Duration, Instant};

use bayesieve::data::{CodingOptions, Folds};
use bayesieve::document::{self, ComparisonDocument, Early, Seconds};
use bayesieve::evaluate::{
    ComparisonStudy, DataSet, PairTestKind, Pipeline, Protocol, conduct, pipeline_names,
};
use bayesieve::search::Limits;
use bayesieve::{Error, Result};
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
        let pipelines = pipelines(&request, coding)?;
        let protocol: Protocol = request.protocol.parse()?;
        let test = test(&request, protocol)?;
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

/// What to compare, each once.
fn pipelines(request: &Request, coding: CodingOptions) -> Result<Vec<Pipeline>> {
    let mut texts = request.pipelines.clone();
    if texts.is_empty() {
        let methods: Vec<&str> = request.methods.iter().map(String::as_str).collect();
        let models: Vec<&str> = request.models.iter().map(String::as_str).collect();
        texts = pipeline_names(&methods, &models);
    }
    let common: Vec<&str> = request.settings.iter().map(String::as_str).collect();
    let mut pipelines: Vec<Pipeline> = Vec::new();
    for text in &texts {
        let pipeline = Pipeline::with_settings(text, &common)?
            .with_coding(coding)?
            .with_keep(&request.keep);
        let mut known = pipelines.iter();
        if known.any(|known| known.name() == pipeline.name()) {
            let twice = format!("the pipeline {} is given twice", bayesieve::quoted(text));
            return Err(Error::usage(twice).with_hint("Give it once."));
        }
        pipelines.push(pipeline);
    }
    check_settings(&common, &pipelines)?;
    Ok(pipelines)
}

/// A setting that nobody has is a typing error.
fn check_settings(common: &[&str], pipelines: &[Pipeline]) -> Result<()> {
    let names = common
        .iter()
        .map(|text| text.split('=').next().unwrap_or(text));
    for name in names {
        if !pipelines.iter().any(|one| one.takes_setting(name)) {
            let message = format!("no pipeline has a setting {}", bayesieve::quoted(name));
            return Err(Error::usage(message)
                .with_hint("bayesieve methods NAME lists the settings of a method or a model."));
        }
    }
    Ok(())
}

/// The test that wins and losses go by.
fn test(request: &Request, protocol: Protocol) -> Result<Option<PairTestKind>> {
    let Some(name) = &request.test else {
        return Ok(None);
    };
    let known = PairTestKind::of_protocol(protocol);
    let found = known.iter().find(|test| test.name() == name.as_str());
    let names: Vec<&str> = known.iter().map(|test| test.name()).collect();
    let wrong = || {
        let message = format!(
            "the test {} does not go with {protocol}",
            bayesieve::quoted(name)
        );
        Error::usage(message).with_hint(format!("Use {}.", names.join(" or ")))
    };
    found.copied().ok_or_else(wrong).map(Some)
}
