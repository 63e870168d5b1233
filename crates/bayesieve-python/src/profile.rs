//! What the columns are, learned in parts: profiles of parts, merged into one coding.

use std::collections::{BTreeSet, HashMap};

use bayesieve::Result;
use bayesieve::data::{Domains, Profile, ProfileColumns, ProfileOptions};
use bayesieve::run::{DataRequest, request_from_json};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3_arrow::PyRecordBatch;
use serde::Deserialize;

use crate::blocks::{Part, kind_named};
use crate::errors::OrRaise;

/// What to learn.
#[derive(Deserialize)]
struct ProfileRequest {
    data: DataRequest,
    max_labels: Option<usize>,
    max_numbers: Option<usize>,
}

/// A profile of no rows, as bytes: where all parts start from.
#[pyfunction]
pub(crate) fn start_profile(request: &str) -> PyResult<Vec<u8>> {
    let request: ProfileRequest = request_from_json(request).or_raise()?;
    let default = ProfileOptions::default();
    let options = ProfileOptions {
        coding: request.data.coding(),
        max_labels: request.max_labels.unwrap_or(default.max_labels),
        max_numbers: request.max_numbers.unwrap_or(default.max_numbers),
        ..default
    };
    let columns = ProfileColumns {
        class: request.data.class.unwrap_or_default(),
        features: request.data.features.unwrap_or_default(),
        excluded: request.data.ignore,
    };
    let start = Profile::new(&columns, &options).or_raise()?;
    Ok(start.to_bytes())
}

/// The profile of one part, fed batch by batch.
#[pyclass(module = "bayesieve._engine")]
pub(crate) struct PartProfile {
    profile: Profile,
    part: Part,
}

#[pymethods]
impl PartProfile {
    /// Starts from bytes of [`start_profile`]; `kinds` are those that columns are declared to
    /// have.
    #[new]
    fn new(
        start: &[u8],
        columns: Vec<String>,
        kinds: HashMap<String, String>,
        part: String,
    ) -> PyResult<Self> {
        let kinds = kinds.into_iter().map(|(name, kind)| {
            let kind = kind_named(&kind).map_err(|error| error.in_column(&name))?;
            Ok((name, kind))
        });
        Ok(PartProfile {
            profile: Profile::from_bytes(start).or_raise()?,
            part: Part::new(part, columns, kinds.collect::<Result<_>>().or_raise()?)?,
        })
    }

    /// Takes some rows.
    fn observe(&mut self, py: Python<'_>, batches: Vec<PyRecordBatch>) -> PyResult<()> {
        let profile = &mut self.profile;
        self.part.take(py, batches, |rows| profile.observe(rows))
    }

    /// What is known by now.
    fn to_bytes(&self, py: Python<'_>) -> Vec<u8> {
        py.detach(|| self.profile.to_bytes())
    }
}

/// Several profiles as one.
#[pyfunction]
pub(crate) fn merge_profiles(py: Python<'_>, parts: Vec<PyBackedBytes>) -> PyResult<Vec<u8>> {
    let merged = || -> Result<Vec<u8>> {
        let mut parts = parts.iter();
        let first = parts.next().map(|bytes| bytes.as_ref()).unwrap_or_default();
        let mut all = Profile::from_bytes(first)?;
        for part in parts {
            all.merge(&Profile::from_bytes(part)?)?;
        }
        Ok(all.to_bytes())
    };
    py.detach(merged).or_raise()
}

/// Columns whose rows have to be read once more as labels, and the bytes to start from then.
#[pyfunction]
pub(crate) fn profile_again(profile: &[u8]) -> PyResult<(Vec<String>, Vec<u8>)> {
    let profile = Profile::from_bytes(profile).or_raise()?;
    let again = profile.columns_to_read_again();
    let again = again.into_iter().map(str::to_owned).collect();
    Ok((again, profile.start_again(&BTreeSet::new()).to_bytes()))
}

/// The coding that a profile leads to, as a document. Few whole numbers are what they are in a
/// frame in memory.
#[pyfunction]
pub(crate) fn finish_profile(py: Python<'_>, profile: &[u8]) -> PyResult<String> {
    let finish = || -> Result<String> {
        let mut profile = Profile::from_bytes(profile)?;
        let note = profile.take_few_as_numbers();
        let mut domains = profile.finish()?;
        domains.notes.splice(0..0, note);
        Ok(domains.to_json())
    };
    py.detach(finish).or_raise()
}

/// A coding as it is written here, and the number that tells it from others.
#[pyfunction]
pub(crate) fn read_coding(text: &str) -> PyResult<(String, String)> {
    let domains = Domains::from_json(text).or_raise()?;
    let fingerprint = format!("{:016x}", domains.fingerprint());
    Ok((domains.to_json(), fingerprint))
}
