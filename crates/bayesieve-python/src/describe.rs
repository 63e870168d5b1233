//! What columns hold and say about the class.

use bayesieve::document;
use bayesieve::run::DescribeRequest;
use bayesieve_report::{DescriptionReport, description as page_of};
use pyo3::prelude::*;

use crate::data::Data;
use crate::errors::OrRaise;
use crate::run::Runner;

/// Describes every column: the document that `describe --json` prints, and the page for people.
#[pyfunction]
pub(crate) fn describe(
    py: Python<'_>,
    data: Data,
    request: &str,
    runner: Runner,
) -> PyResult<(String, String)> {
    let (outcome, origin) = data.run(py, request, &runner, DescribeRequest::run)?;
    let page = page_of(&DescriptionReport {
        about: &origin.about(outcome.seconds.run),
        description: &outcome.description,
        class: &outcome.coded.class_name,
        notes: &outcome.notes,
    });
    Ok((document::to_text(&outcome.document()).or_raise()?, page))
}
