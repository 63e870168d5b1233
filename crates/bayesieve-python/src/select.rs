//! Selections.

use bayesieve::document;
use bayesieve::run::{SelectOutcome, SelectRequest};
use bayesieve_report::selection as page_of;
use pyo3::prelude::*;

use crate::data::{Data, Origin};
use crate::errors::OrRaise;
use crate::run::Runner;

/// A selection: its document, and all that its page needs.
#[pyclass(frozen, module = "bayesieve._engine")]
pub(crate) struct Selection {
    /// The document that `select --json` prints.
    #[pyo3(get)]
    document: String,
    page: Page,
}

enum Page {
    /// Not written yet.
    Open(Box<(SelectOutcome, Origin)>),
    /// Written before it was pickled.
    Written(String),
}

/// Chooses features.
#[pyfunction]
pub(crate) fn select(
    py: Python<'_>,
    data: Data,
    request: &str,
    runner: Runner,
) -> PyResult<Selection> {
    let (outcome, origin) = data.run(py, request, &runner, SelectRequest::run)?;
    Ok(Selection {
        document: document::to_text(&outcome.document()).or_raise()?,
        page: Page::Open(Box::new((outcome, origin))),
    })
}

#[pymethods]
impl Selection {
    /// The page for people.
    fn page(&self) -> String {
        let (outcome, origin) = match &self.page {
            Page::Written(page) => return page.clone(),
            Page::Open(open) => &**open,
        };
        let about = origin.about(outcome.seconds.read + outcome.seconds.run);
        page_of(&about, outcome)
    }

    /// From a document and a page that were written before.
    #[staticmethod]
    fn restore(document: String, page: String) -> Self {
        Selection {
            document,
            page: Page::Written(page),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let restore = py.get_type::<Selection>().getattr("restore")?;
        Ok((restore, (self.document.clone(), self.page())))
    }
}
