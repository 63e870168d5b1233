//! What there is, so that Python's classes can be held to it.

use bayesieve::Spelling;
use bayesieve::document::{self, catalog_entries};
use pyo3::prelude::*;

use crate::errors::OrRaise;

/// All methods, searches, models and so on with their settings, as a document.
#[pyfunction]
pub(crate) fn catalog() -> PyResult<String> {
    let entries = catalog_entries(Spelling::Library);
    document::to_text(&document::catalog(&entries)).or_raise()
}
