//! What the columns are, learned in parts: profiles of parts, merged into one coding.

use std::collections::{BTreeSet, HashMap};

use bayesieve::Result;
use bayesieve::data::{Domains, Profile, ProfileColumns, ProfileOptions};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3_arrow::PyRecordBatch;
use rayon::ThreadPool;
use serde::Deserialize;

use crate::blocks::{self, Kinds};
use crate::errors::OrRaise;
use crate::request::{self, Coding};

/// What to learn.
#[derive(Deserialize)]
struct Request {
    class: String,
    features: Vec<String>,
    excluded: Vec<String>,
    coding: Coding,
    max_labels: Option<usize>,
    max_numbers: Option<usize>,
}

/// A profile of no rows, as bytes: where all parts start from.
#[pyfunction]
pub(crate) fn start_profile(request: &str) -> PyResult<Vec<u8>> {
    let request: Request = request::parse(request).or_raise()?;
    let start = || -> Result<Vec<u8>> {
        let default = ProfileOptions::default();
        let options = ProfileOptions {
            coding: request.coding.options()?,
            max_labels: request.max_labels.unwrap_or(default.max_labels),
            max_numbers: request.max_numbers.unwrap_or(default.max_numbers),
            ..default
        };
        let columns = ProfileColumns {
            class: request.class,
            features: request.features,
            excluded: request.excluded,
        };
        Ok(Profile::new(&columns, &options)?.to_bytes())
    };
    start().or_raise()
}

/// The profile of one part, fed batch by batch.
#[pyclass(module = "bayesieve._engine")]
pub(crate) struct PartProfile {
    profile: Profile,
    columns: Vec<String>,
    kinds: Kinds,
    part: String,
    n_seen: u64,
    pool: ThreadPool,
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
        Ok(PartProfile {
            profile: Profile::from_bytes(start).or_raise()?,
            columns,
            kinds: blocks::kinds(kinds).or_raise()?,
            part,
            n_seen: 0,
            pool: blocks::lone_thread()?,
        })
    }

    /// Takes some rows.
    fn observe(&mut self, py: Python<'_>, batches: Vec<PyRecordBatch>) -> PyResult<()> {
        let batches = blocks::taken(batches);
        if batches.is_empty() {
            return Ok(());
        }
        py.detach(|| self.take(&batches)).or_raise()
    }

    /// What is known by now.
    fn to_bytes(&self, py: Python<'_>) -> Vec<u8> {
        py.detach(|| self.profile.to_bytes())
    }
}

impl PartProfile {
    fn take(&mut self, batches: &[arrow_array::RecordBatch]) -> Result<()> {
        let names: Vec<&str> = self.columns.iter().map(String::as_str).collect();
        let (pool, profile) = (&self.pool, &mut self.profile);
        let kinds = &self.kinds;
        let taken = pool.install(|| profile.observe(&blocks::table(batches, &names, kinds)?));
        taken.map_err(|error| blocks::in_part(error, &self.part, self.n_seen))?;
        let n_rows = batches.iter().map(|batch| batch.num_rows() as u64);
        self.n_seen += n_rows.sum::<u64>();
        Ok(())
    }
}

/// Several profiles as one.
#[pyfunction]
pub(crate) fn merge_profiles(py: Python<'_>, parts: Vec<PyBackedBytes>) -> PyResult<Vec<u8>> {
    let merged = || -> Result<Vec<u8>> { Ok(merged(&parts)?.to_bytes()) };
    py.detach(merged).or_raise()
}

fn merged(parts: &[PyBackedBytes]) -> Result<Profile> {
    let mut parts = parts.iter();
    let first = parts.next().map(|bytes| bytes.as_ref()).unwrap_or_default();
    let mut all = Profile::from_bytes(first)?;
    for part in parts {
        all.merge(&Profile::from_bytes(part)?)?;
    }
    Ok(all)
}

/// Columns whose rows have to be read once more as labels, and the bytes to start from then.
#[pyfunction]
pub(crate) fn profile_again(profile: &[u8]) -> PyResult<(Vec<String>, Vec<u8>)> {
    let profile = Profile::from_bytes(profile).or_raise()?;
    let again = profile.columns_to_read_again();
    let again = again.into_iter().map(str::to_owned).collect();
    Ok((again, profile.start_again(&BTreeSet::new()).to_bytes()))
}

/// The coding that a profile leads to, as a document.
#[pyfunction]
pub(crate) fn finish_profile(py: Python<'_>, profile: &[u8]) -> PyResult<String> {
    let finish = || -> Result<String> { Ok(Profile::from_bytes(profile)?.finish()?.to_json()) };
    py.detach(finish).or_raise()
}

/// A coding as it is written here, and the number that tells it from others.
#[pyfunction]
pub(crate) fn read_coding(text: &str) -> PyResult<(String, String)> {
    let domains = Domains::from_json(text).or_raise()?;
    let fingerprint = format!("{:016x}", domains.fingerprint());
    Ok((domains.to_json(), fingerprint))
}
