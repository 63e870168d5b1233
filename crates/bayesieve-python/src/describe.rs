//! What the columns of a table hold and tell.

use std::time::{Duration, Instant};

use bayesieve::describe::{Levels, describe as run_describe};
use bayesieve::document::{self, Seconds};
use bayesieve::{Error, Result};
use bayesieve_report::{DescriptionReport, description as page_of};
use pyo3::prelude::*;
use serde::Deserialize;

use crate::errors::OrRaise;
use crate::request::{self, Coding, Data, Origin};
use crate::run::Runner;
use crate::table::Table;

/// What to look at.
#[derive(Deserialize)]
struct Request {
    coding: Coding,
    levels: String,
    origin: Origin,
}

/// Describes a table whose last column is the class: the document that `describe --json` prints,
/// and the page for people.
#[pyfunction]
pub(crate) fn describe(
    py: Python<'_>,
    table: &Table,
    request: &str,
    runner: Runner,
) -> PyResult<(String, String)> {
    let request: Request = request::parse(request).or_raise()?;
    let table = &table.0;
    runner.run(py, |observer| {
        let start = Instant::now();
        let data = Data::new(table, request.coding.options()?, observer)?;
        let description = run_describe(&data.coded, levels(&request.levels)?, observer)?;
        let notes = &data.coded.notes;
        let seconds = Seconds::new(Duration::ZERO, start.elapsed());
        let document = document::description(&data.coded, &description, notes, seconds);
        let page = page_of(&DescriptionReport {
            about: request.origin.about(seconds.run),
            description: &description,
            class: &data.coded.class_name,
            notes,
        });
        Ok((document::to_text(&document)?, page))
    })
}

pub(crate) fn levels(text: &str) -> Result<Levels> {
    match text {
        "auto" => Ok(Levels::Auto),
        "0" => Ok(Levels::Zero),
        "1" => Ok(Levels::One),
        other => Err(Error::usage(format!("{other} is no level of redundancy"))
            .with_hint("Use \"auto\", 0 or 1.")),
    }
}
