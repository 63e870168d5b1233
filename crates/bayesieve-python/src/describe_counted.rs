//! Descriptions from counts of rows that are somewhere else.

use std::time::{Duration, Instant};

use bayesieve::describe::{Levels, describe_counted as run_describe};
use bayesieve::document::{self, Seconds};
use bayesieve_report::{DescriptionReport, description as page_of};
use pyo3::prelude::*;
use serde::Deserialize;

use crate::describe::levels;
use crate::errors::OrRaise;
use crate::request::{self, Origin};
use crate::run::Runner;
use crate::source::Source;

/// What to look at.
#[derive(Deserialize)]
struct Request {
    levels: String,
    origin: Origin,
}

/// Describes rows by their counts: the document that `describe --json` prints, and the page for
/// people.
#[pyfunction]
pub(crate) fn describe_counted(
    py: Python<'_>,
    source: Source,
    request: &str,
    runner: Runner,
) -> PyResult<(String, String)> {
    let request: Request = request::parse(request).or_raise()?;
    source.run(py, &runner, |rows, observer| {
        let start = Instant::now();
        let levels = levels(&request.levels)?;
        let counted = rows.counted(levels != Levels::Zero)?;
        let description = run_describe(&counted, levels, observer)?;
        let notes = &rows.domains.notes;
        let seconds = Seconds::new(Duration::ZERO, start.elapsed());
        let document = document::description(counted.outline(), &description, notes, seconds);
        let page = page_of(&DescriptionReport {
            about: request.origin.about(seconds.run),
            description: &description,
            class: &counted.outline().class_name,
            notes,
        });
        Ok((document::to_text(&document)?, page))
    })
}
