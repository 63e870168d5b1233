//! Parquet: columns in pages, the schema at the end of the file.

use std::path::Path;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::guard::guarded;
use super::{Rows, check_not_empty};
use crate::Observer;
use crate::data::Table;
use crate::data::read::ReadOptions;
use crate::data::read::source::Source;
use crate::{Error, Result};

/// Cells that are unpacked at a time.
const CELLS_PER_BATCH: usize = 4_000_000;

/// Reads a Parquet file.
///
/// Whole numbers, floats and decimals get the kind their values suggest, as in a CSV file;
/// text, booleans, dates and times are nominal. NaN is missing.
///
/// # Errors
/// A file that is missing, unreadable, broken or without rows; names that are empty or
/// stand twice; columns of lists, records or maps; an infinite number; text in a column
/// declared numeric; options that name no column; an interruption by the observer.
///
/// # Cost
/// One pass over the file; memory of the coded table and of one batch of rows.
///
/// # Example
/// ```
/// use bayesieve::data::{ReadOptions, read_csv, read_parquet, write_table};
/// use bayesieve::Silent;
///
/// let folder = tempfile::tempdir()?;
/// let (text, typed) = (folder.path().join("a.csv"), folder.path().join("a.parquet"));
/// std::fs::write(&text, "height,class\n1.5,x\n,y\n")?;
/// write_table(&typed, &read_csv(&text, &ReadOptions::default(), &Silent)?, &Silent)?;
/// let table = read_parquet(&typed, &ReadOptions::default(), &Silent)?;
/// assert_eq!(table.column("height").map(|height| height.n_missing()), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_parquet(path: &Path, options: &ReadOptions, observer: &dyn Observer) -> Result<Table> {
    let source = Source::open(path, observer)?;
    read(&source, options, observer)
}

/// Reads an opened source.
pub(in super::super) fn read(
    source: &Source,
    options: &ReadOptions,
    observer: &dyn Observer,
) -> Result<Table> {
    read_batches(source, options, observer).map_err(|error| source.blame(error))
}

fn read_batches(source: &Source, options: &ReadOptions, observer: &dyn Observer) -> Result<Table> {
    check_not_empty(source)?;
    if source.is_gzip() {
        return Err(
            Error::data("the file is packed by gzip around a format that packs itself")
                .with_hint("Unpack it first: gunzip."),
        );
    }
    let file = source.file()?;
    let builder = guarded(|| ParquetRecordBatchReaderBuilder::try_new(file))?;
    let n_rows = builder.metadata().file_metadata().num_rows();
    let schema = builder.schema().clone();
    let batch_size = (CELLS_PER_BATCH / schema.fields().len().max(1)).clamp(64, 8192);
    let mut reader = guarded(|| builder.with_batch_size(batch_size).build())?;
    let mut rows = Rows::default();
    rows.read(&schema, options, |n_read| {
        source.report_share(n_read as f64 / n_rows.max(1) as f64, observer)?;
        guarded(|| reader.next().transpose())
    })
}
