//! Selections from counts of rows that are somewhere else.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bayesieve::counts::Tables;
use bayesieve::data::{CodingOptions, Domains};
use bayesieve::document::Seconds;
use bayesieve::search::Limits;
use bayesieve::select::{SelectOptions, select_counted};
use bayesieve::{Error, Observer, Result};
use pyo3::prelude::*;
use serde::Deserialize;

use crate::asked::AskedTables;
use crate::counts::{Counts, counted};
use crate::errors::OrRaise;
use crate::request::{self, Origin};
use crate::run::Runner;
use crate::select::{AUTO, How, Selection, check_keep};

/// What to select by.
#[derive(Deserialize)]
struct Request {
    #[serde(flatten)]
    how: How,
    budget: Option<f64>,
    origin: Origin,
}

/// Chooses features by a file of counts.
#[pyfunction]
pub(crate) fn select_counts(
    py: Python<'_>,
    counts: &Counts,
    request: &str,
    runner: Runner,
) -> PyResult<Selection> {
    let request: Request = request::parse(request).or_raise()?;
    runner.run(py, |observer| {
        let file = Arc::clone(&counts.0);
        let domains = file.domains().clone();
        let options = request.options(&domains)?;
        request.select(&domains, file, options, observer)
    })
}

/// Chooses features by counts that `ask` is called for: with a request, to come back with the
/// counts of every part.
#[pyfunction]
pub(crate) fn select_asking(
    py: Python<'_>,
    coding: &str,
    ask: Py<PyAny>,
    request: &str,
    runner: Runner,
) -> PyResult<Selection> {
    let request: Request = request::parse(request).or_raise()?;
    let answer = |py: Python<'_>, wanted: &str| ask.call1(py, (wanted,))?.extract(py);
    runner.run_asking(py, answer, |observer, asker| {
        let domains = Domains::from_json(coding)?;
        let options = request.options(&domains)?;
        let tables = Arc::new(AskedTables::new(domains.clone(), asker)?);
        request.select(&domains, tables, options, observer)
    })
}

impl Request {
    /// What to do, checked before anything is counted.
    fn options(&self, domains: &Domains) -> Result<SelectOptions> {
        if self.how.method == AUTO {
            return Err(Error::usage(
                "auto compares methods on rows that were held out, and counts have no rows",
            )
            .with_hint("Name a method, such as mdl-fs."));
        }
        let options = self.how.options(coding_of(domains))?;
        let names = domains.features.iter().map(|column| column.name.as_str());
        check_keep(&options.keep, names)?;
        Ok(options)
    }

    fn select(
        self,
        domains: &Domains,
        tables: Arc<dyn Tables>,
        options: SelectOptions,
        observer: &dyn Observer,
    ) -> Result<Selection> {
        let start = Instant::now();
        let class_counts = tables.class_counts().to_vec();
        let limits = Limits::new(observer).with_budget(request::budget(self.budget)?);
        let mut found = select_counted(&counted(domains, tables)?, &options, &limits)?;
        found.warnings.splice(0..0, domains.notes.iter().cloned());
        found.exclude(domains.excluded.iter().cloned());
        let seconds = Seconds::new(Duration::ZERO, start.elapsed());
        Selection::without_model(
            found,
            coding_of(domains),
            class_counts,
            (self.origin, seconds),
        )
    }
}

pub(crate) fn coding_of(domains: &Domains) -> CodingOptions {
    CodingOptions {
        missing: domains.missing,
        discretizer: domains.discretizer,
    }
}
