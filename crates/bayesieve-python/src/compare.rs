//! Methods and models on the same splits.

use bayesieve::Result;
use bayesieve::document;
use bayesieve::run::{CompareRequest, NamedDataset, request_from_json};
use bayesieve_report::comparison as page_of;
use pyo3::prelude::*;

use crate::data::Asked;
use crate::errors::OrRaise;
use crate::run::Runner;
use crate::table::Table;

/// Compares pipelines on named tables whose last columns are the classes: the document that
/// `compare --json` prints, and the page for people.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    tables: Vec<(String, Py<Table>)>,
    request: &str,
    runner: Runner,
) -> PyResult<(String, String)> {
    let asked: Asked<CompareRequest> = request_from_json(request).or_raise()?;
    runner.run(py, |observer| {
        let sets = tables.into_iter().map(|(name, table)| {
            let data = table.get().dataset(asked.data.clone())?;
            Ok(NamedDataset { name, data })
        });
        let sets = sets.collect::<Result<Vec<NamedDataset>>>()?;
        let outcome = asked.request.run(sets, observer)?;
        let about = asked.origin.about(outcome.seconds.run);
        let page = page_of(&about, &outcome)?;
        Ok((document::to_text(&outcome.document()?)?, page))
    })
}
