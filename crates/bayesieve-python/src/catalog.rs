//! What there is, so that Python's classes can be held to it.

use bayesieve::Spelling;
use bayesieve::data::{CodingOptions, ProfileOptions};
use bayesieve::document::{self, catalog_entries};
use bayesieve::run::{CompareRequest, DescribeRequest, SelectRequest};
use pyo3::prelude::*;
use serde_json::json;

use crate::errors::OrRaise;

/// All methods, searches, models and so on with their settings, and what requests are by default.
#[pyfunction]
pub(crate) fn catalog() -> PyResult<String> {
    let mut catalog = document::catalog(&catalog_entries(Spelling::LIBRARY));
    let (coding, profile) = (CodingOptions::default(), ProfileOptions::default());
    catalog["defaults"] = json!({
        "missing": coding.missing.to_string(),
        "discretize": coding.discretizer.to_string(),
        "max_labels": profile.max_labels,
        "max_numbers": profile.max_numbers,
        "select": SelectRequest::default(),
        "describe": DescribeRequest::default(),
        "compare": CompareRequest::default(),
    });
    document::to_text(&catalog).or_raise()
}
