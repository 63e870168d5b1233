//! Files of counts.

use std::path::PathBuf;
use std::sync::Arc;

use bayesieve::Result;
use bayesieve::counts::{CountFile, ShardName};
use bayesieve::data::Domains;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::asked::check_rows;
use crate::errors::OrRaise;
use crate::part;

/// Single and pair tables of all features given the class.
#[pyclass(frozen, module = "bayesieve._engine")]
pub(crate) struct Counts(pub(crate) Arc<CountFile>);

#[pymethods]
impl Counts {
    /// The sum of the counts of parts; with a name the parts are one shard of that name and a
    /// number made of what was counted, so that it does not matter how the rows were divided.
    /// Where the coding is of the same rows, `n_rows` is their number.
    #[staticmethod]
    #[pyo3(signature = (coding, parts, name=None, n_rows=None))]
    fn of_parts(
        py: Python<'_>,
        coding: &str,
        parts: Vec<PyBackedBytes>,
        name: Option<&str>,
        n_rows: Option<u64>,
    ) -> PyResult<Self> {
        let file = || {
            let file = counted_parts(coding, &parts, name)?;
            check_rows(n_rows, file.n_rows())?;
            Ok(file)
        };
        py.detach(file).map(Counts::new).or_raise()
    }

    /// Reads a file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let file = || CountFile::read(&path);
        py.detach(file).map(Counts::new).or_raise()
    }

    /// Writes a file, whole or not at all.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.0.write(&path)).or_raise()
    }

    /// The bytes of a file.
    fn to_bytes(&self, py: Python<'_>) -> Vec<u8> {
        py.detach(|| self.0.to_bytes())
    }

    /// From the bytes of a file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let file = || CountFile::from_bytes(bytes);
        py.detach(file).map(Counts::new).or_raise()
    }

    /// The counts of both.
    fn merged(&self, py: Python<'_>, other: &Counts) -> PyResult<Self> {
        let merged = || -> Result<CountFile> {
            let mut sum = CountFile::clone(&self.0);
            sum.merge(CountFile::clone(&other.0))?;
            Ok(sum)
        };
        py.detach(merged).map(Counts::new).or_raise()
    }

    /// Number of rows.
    #[getter]
    fn n_rows(&self) -> u64 {
        self.0.n_rows()
    }

    /// The shards, each with its rows.
    #[getter]
    fn shards(&self) -> Vec<(String, u64)> {
        let shards = self.0.shards().iter();
        shards.map(|one| (one.id.clone(), one.n_rows)).collect()
    }

    /// How the rows were coded, as a document.
    fn coding(&self) -> String {
        self.0.domains().to_json()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Vec<u8>,))> {
        let read = py.get_type::<Counts>().getattr("from_bytes")?;
        Ok((read, (self.to_bytes(py),)))
    }
}

impl Counts {
    fn new(file: CountFile) -> Self {
        Counts(Arc::new(file))
    }
}

fn counted_parts(coding: &str, parts: &[PyBackedBytes], name: Option<&str>) -> Result<CountFile> {
    let domains = Domains::from_json(coding)?;
    let file = match part::merged(parts)? {
        Some(partial) => CountFile::from_partial(domains, partial)?,
        None => {
            let nothing = CountFile::counter(&domains)?.finish();
            CountFile::new(domains, "nothing", nothing)?
        }
    };
    Ok(match name {
        Some(name) => file.as_one_shard(ShardName::WithContent(name)),
        None => file,
    })
}
