//! Batches of rows as tables: what workers of Spark, Dask and Ray get.
//!
//! Nothing here needs numpy, which workers may not have.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch, UInt8Array};
use bayesieve::data::{Column, ColumnKind, KindOrigin, Table, Values, column_from_arrow};
use bayesieve::wording::grouped;
use bayesieve::{Error, Result, quoted};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::OrRaise;

/// The kinds that columns are declared to have.
pub(crate) type Kinds = HashMap<String, ColumnKind>;

/// A kind as Python names it.
pub(crate) fn kind_named(name: &str) -> Result<ColumnKind> {
    match name {
        "nominal" => Ok(ColumnKind::Nominal),
        "numeric" => Ok(ColumnKind::Numeric),
        _ => Err(Error::usage(format!("{} is no kind", quoted(name)))),
    }
}

/// One part of the rows, whose columns are read on a thread of its own: the other cores have
/// parts of their own, and a process that forks leaves no thread behind that its child would wait
/// for.
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) columns: Vec<String>,
    kinds: Kinds,
    /// Rows that were taken.
    n_seen: u64,
    pool: ThreadPool,
}

impl Part {
    pub(crate) fn new(name: String, columns: Vec<String>, kinds: Kinds) -> PyResult<Self> {
        let pool = ThreadPoolBuilder::new().num_threads(1).build();
        let pool = pool.map_err(|error| Error::internal(format!("no thread: {error}")));
        Ok(Part {
            name,
            columns,
            kinds,
            n_seen: 0,
            pool: pool.or_raise()?,
        })
    }

    /// Takes some rows, unless there are none.
    pub(crate) fn take(
        &mut self,
        py: Python<'_>,
        batches: Vec<PyRecordBatch>,
        work: impl FnOnce(&Table) -> Result<()> + Send,
    ) -> PyResult<()> {
        let batches = batches.into_iter().map(PyRecordBatch::into_inner);
        let batches: Vec<RecordBatch> = batches.filter(|batch| batch.num_rows() > 0).collect();
        if !batches.is_empty() {
            self.read(py, &batches, work)?;
            let n_rows = batches.iter().map(|batch| batch.num_rows() as u64);
            self.n_seen += n_rows.sum::<u64>();
        }
        Ok(())
    }

    /// Does some work on a table of rows, without the interpreter's lock. An error says in which
    /// part it is, and behind how many of its rows.
    pub(crate) fn read<T: Send>(
        &self,
        py: Python<'_>,
        batches: &[RecordBatch],
        work: impl FnOnce(&Table) -> Result<T> + Send,
    ) -> PyResult<T> {
        let work = || work(&self.table(batches)?);
        let done = py.detach(|| self.pool.install(work));
        let part = match self.n_seen {
            0 => self.name.clone(),
            n_seen => format!("{} behind row {}", self.name, grouped(n_seen)),
        };
        done.map_err(|error| error.in_file_of_data(part)).or_raise()
    }

    fn table(&self, batches: &[RecordBatch]) -> Result<Table> {
        if self.columns.is_empty() {
            // A model that reads no column still wants to know how many rows there are.
            let n_rows = batches.iter().map(RecordBatch::num_rows).sum();
            let rows = Values::Numeric(vec![f64::NAN; n_rows]);
            return Table::new(vec![Column::new("rows", rows, KindOrigin::Derived)]);
        }
        let columns = self.columns.iter().map(|name| self.column(name, batches));
        Table::new(columns.collect::<Result<_>>()?)
    }

    fn column(&self, name: &str, batches: &[RecordBatch]) -> Result<Column> {
        let kind = self.kinds.get(name).copied();
        let chunk = |batch: &RecordBatch| {
            let chunk = batch.column_by_name(name)?;
            Some(match (kind, chunk.as_boolean_opt()) {
                // Truth values that shall be numbers are 0 and 1.
                (Some(ColumnKind::Numeric), Some(truths)) => {
                    let numbers = truths.iter().map(|truth| truth.map(u8::from));
                    Arc::new(numbers.collect::<UInt8Array>())
                }
                _ => Arc::clone(chunk),
            })
        };
        let chunks: Option<Vec<ArrayRef>> = batches.iter().map(chunk).collect();
        let chunks = chunks.ok_or_else(|| {
            Error::data(format!("there is no column {}", quoted(name)))
                .with_hint("Every part needs all columns.")
        })?;
        column_from_arrow(name, &chunks, kind)
    }
}
