//! Batches of rows as tables: what workers of Spark, Dask and Ray get.
//!
//! Nothing here needs numpy, which workers may not have.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch, UInt8Array};
use bayesieve::data::{Column, ColumnKind, Table, column_from_arrow};
use bayesieve::wording::grouped;
use bayesieve::{Error, Result, quoted};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::OrRaise;

/// The kinds that columns are declared to have.
pub(crate) type Kinds = HashMap<String, ColumnKind>;

/// Reads kinds as Python says them.
pub(crate) fn kinds(declared: HashMap<String, String>) -> Result<Kinds> {
    let kind = |(name, kind): (String, String)| match kind.as_str() {
        "nominal" => Ok((name, ColumnKind::Nominal)),
        "numeric" => Ok((name, ColumnKind::Numeric)),
        _ => Err(Error::usage(format!("{} is no kind", quoted(&kind))).in_column(name)),
    };
    declared.into_iter().map(kind).collect()
}

/// The batches that Python handed over.
pub(crate) fn taken(batches: Vec<PyRecordBatch>) -> Vec<RecordBatch> {
    let batches = batches.into_iter().map(PyRecordBatch::into_inner);
    batches.filter(|batch| batch.num_rows() > 0).collect()
}

/// Some columns of batches, as one table.
pub(crate) fn table(batches: &[RecordBatch], names: &[&str], kinds: &Kinds) -> Result<Table> {
    let column = |&name: &&str| -> Result<Column> {
        let chunks: Option<Vec<ArrayRef>> = batches
            .iter()
            .map(|batch| batch.column_by_name(name).map(Arc::clone))
            .collect();
        let chunks = chunks.ok_or_else(|| {
            Error::data(format!("there is no column {}", quoted(name)))
                .with_hint("Every part needs all columns.")
        })?;
        let kind = kinds.get(name).copied();
        match kind {
            Some(ColumnKind::Numeric) => {
                let chunks: Vec<ArrayRef> = chunks.iter().map(truths_as_numbers).collect();
                column_from_arrow(name, &chunks, kind)
            }
            _ => column_from_arrow(name, &chunks, kind),
        }
    };
    Table::new(names.iter().map(column).collect::<Result<_>>()?)
}

/// Truth values as 0 and 1; everything else as it is.
fn truths_as_numbers(array: &ArrayRef) -> ArrayRef {
    match array.as_boolean_opt() {
        Some(truths) => Arc::new(
            truths
                .iter()
                .map(|t| t.map(u8::from))
                .collect::<UInt8Array>(),
        ),
        None => Arc::clone(array),
    }
}

/// A thread for one part of the rows: the other cores have parts of their own, and a process
/// that forks leaves no thread behind that its child would wait for.
pub(crate) fn lone_thread() -> PyResult<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    pool.map_err(|error| Error::internal(format!("no thread: {error}")))
        .or_raise()
}

/// Says in which part an error is, and behind how many of its rows.
pub(crate) fn in_part(error: Error, part: &str, n_before: u64) -> Error {
    error.in_file_of_data(match n_before {
        0 => part.to_owned(),
        _ => format!("{part} behind row {}", grouped(n_before)),
    })
}
