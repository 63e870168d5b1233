//! Selections from counts of rows that are somewhere else.

use std::time::{Duration, Instant};

use bayesieve::document::Seconds;
use bayesieve::search::Limits;
use bayesieve::select::{Method, SelectOptions, select_counted as run_method};
use bayesieve::{Error, Result};
use pyo3::prelude::*;
use serde::Deserialize;

use crate::errors::OrRaise;
use crate::request::{self, Origin};
use crate::run::Runner;
use crate::select::{AUTO, How, Selection, check_keep};
use crate::source::{Rows, Source};

/// What to select by.
#[derive(Deserialize)]
struct Request {
    #[serde(flatten)]
    how: How,
    budget: Option<f64>,
    origin: Origin,
}

/// Chooses features by counts.
#[pyfunction]
pub(crate) fn select_counted(
    py: Python<'_>,
    source: Source,
    request: &str,
    runner: Runner,
) -> PyResult<Selection> {
    let request: Request = request::parse(request).or_raise()?;
    source.run(py, &runner, |rows, observer| {
        let options = request.options(rows)?;
        let budget = request::budget(request.budget)?;
        let start = Instant::now();
        let counted = rows.counted(true)?;
        let class_counts = counted.tables().class_counts().to_vec();
        let limits = Limits::new(observer).with_budget(budget);
        let mut found = run_method(&counted, &options, &limits)?;
        let domains = &rows.domains;
        found.warnings.splice(0..0, domains.notes.iter().cloned());
        found.exclude(domains.excluded.iter().cloned());
        let seconds = Seconds::new(Duration::ZERO, start.elapsed());
        let told = (request.origin, seconds);
        Selection::without_model(found, rows.coding(), class_counts, told)
    })
}

impl Request {
    /// What to do, checked before anything is counted.
    fn options(&self, rows: &Rows<'_>) -> Result<SelectOptions> {
        if self.how.method == AUTO {
            return Err(needs_rows(AUTO));
        }
        let options = self.how.options(rows.coding())?;
        if !options.method().takes.counts {
            return Err(needs_rows(options.method().name));
        }
        let features = rows.domains.features.iter();
        check_keep(&options.keep, features.map(|column| column.name.as_str()))?;
        Ok(options)
    }
}

/// The error of a method that cannot do without rows, before any are counted for it.
fn needs_rows(method: &str) -> Error {
    let others = Method::names_of_those(|takes| takes.counts);
    Error::usage(format!("{method} needs the rows in memory"))
        .with_hint(format!("Use a method that works on counts: {others}."))
}
