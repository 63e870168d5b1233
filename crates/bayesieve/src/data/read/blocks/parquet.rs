//! Blocks of a Parquet file: a row group, several small ones, or a part of a large one.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use rayon::prelude::*;

use super::super::arrow::{Feed, broken, check_not_empty, columns, guarded};
use super::super::fault::no_rows;
use super::super::source::Source;
use super::shared_file::SharedFile;
use super::typed::TypedColumn;
use super::{Job, RowBlock, Visit};
use crate::data::{Column, Table};
use crate::{Error, Result};

/// A Parquet file whose end was read.
#[derive(Debug)]
pub(super) struct ParquetFile {
    file: SharedFile,
    metadata: ArrowReaderMetadata,
    names: Vec<String>,
    feeds: Vec<Feed>,
}

/// Row groups that are read in one go, and cut into blocks from the first row on.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    groups: Vec<usize>,
    first_row: u64,
    n_rows: u64,
}

impl ParquetFile {
    pub(super) fn open(source: &Source) -> Result<Self> {
        check_not_empty(source)?;
        if source.is_gzip() {
            return Err(Error::data(
                "the file is packed by gzip around a format that packs itself",
            )
            .with_hint("Unpack it first: gunzip."));
        }
        let file = SharedFile::new(source.file()?, source.n_bytes());
        let load = |options| guarded(|| ArrowReaderMetadata::load(&file, options));
        let plain = load(ArrowReaderOptions::new())?;
        let (names, feeds) = columns(plain.schema())?;
        // Pages hold text by its numbers in a dictionary, and so it shall stay.
        let pointed =
            ArrowReaderOptions::new().with_schema(Arc::new(with_dictionaries(plain.schema())));
        let metadata =
            guarded(|| ArrowReaderMetadata::try_new(Arc::clone(plain.metadata()), pointed));
        let metadata = metadata.unwrap_or(plain);
        if metadata.metadata().file_metadata().num_rows() < 1 {
            return Err(no_rows());
        }
        Ok(ParquetFile {
            file,
            metadata,
            names,
            feeds,
        })
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    pub(super) fn n_rows(&self) -> u64 {
        self.rows_of_groups().iter().sum()
    }

    fn rows_of_groups(&self) -> Vec<u64> {
        let groups = self.metadata.metadata().row_groups().iter();
        let n_rows = groups.map(|group| u64::try_from(group.num_rows()).unwrap_or_default());
        n_rows.collect()
    }

    pub(super) fn read(&self, job: &Job<'_>, visit: &mut Visit<'_>) -> Result<()> {
        let blamed = |error| job.source.blame(error);
        let n_rows = self.n_rows();
        let n_rows_of_block = job.n_rows_of_block as u64;
        let mut n_skipped = job.request.n_skipped as u64;
        for run in runs(&self.rows_of_groups(), n_rows_of_block) {
            let n_blocks = run.n_rows.div_ceil(n_rows_of_block);
            if n_skipped >= n_blocks {
                n_skipped -= n_blocks;
                continue;
            }
            let mut at = n_skipped * n_rows_of_block;
            n_skipped = 0;
            let mut readers = self.readers(job, &run, at).map_err(blamed)?;
            while at < run.n_rows {
                let first_row = run.first_row + at;
                let share = first_row as f64 / n_rows.max(1) as f64;
                job.source.report_share(share, job.observer)?;
                let n_expected = n_rows_of_block.min(run.n_rows - at);
                let block = self.block(job, &mut readers, (first_row, n_expected));
                visit(block.map_err(blamed)?)?;
                at += n_expected;
            }
        }
        job.source.report_share(1.0, job.observer)
    }

    /// A reader for every column, from a row of the run on.
    fn readers(&self, job: &Job<'_>, run: &Run, at: u64) -> Result<Vec<ParquetRecordBatchReader>> {
        let reader = |&column: &usize| {
            let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(
                self.file.clone(),
                self.metadata.clone(),
            );
            let schema = self.metadata.metadata().file_metadata().schema_descr();
            let builder = builder
                .with_projection(ProjectionMask::roots(schema, [column]))
                .with_row_groups(run.groups.clone())
                .with_offset(at as usize)
                .with_batch_size(job.n_rows_of_block);
            guarded(|| builder.build())
        };
        job.request.columns.par_iter().map(reader).collect()
    }

    fn block(
        &self,
        job: &Job<'_>,
        readers: &mut [ParquetRecordBatchReader],
        (first_row, n_rows): (u64, u64),
    ) -> Result<RowBlock> {
        let wanted = job.request.columns.iter().zip(job.request.kinds);
        let wanted: Vec<_> = wanted.zip(readers).collect();
        let columns = wanted.into_par_iter().map(|((&place, &kind), reader)| {
            let column = TypedColumn {
                name: &self.names[place],
                feed: self.feeds[place],
                kind,
                missing: job.missing,
            };
            let chunks = next_rows(reader, n_rows)?;
            guarded(|| Ok::<_, String>(column.read(first_row, &chunks)))?
        });
        // In column order, so that the error does not depend on the threads.
        let columns: Vec<Result<Column>> = columns.collect();
        Ok(RowBlock {
            table: Table::new(columns.into_iter().collect::<Result<_>>()?)?,
            unclear: Vec::new(),
        })
    }
}

/// The next rows of a column, which may come in several batches.
fn next_rows(reader: &mut ParquetRecordBatchReader, n_rows: u64) -> Result<Vec<ArrayRef>> {
    let mut chunks = Vec::new();
    let mut n_read = 0;
    while n_read < n_rows {
        let batch = guarded(|| reader.next().transpose())?;
        let array = batch.and_then(|batch| batch.columns().first().cloned());
        let array = array.ok_or_else(|| broken("a column has fewer rows than others"))?;
        n_read += array.len() as u64;
        chunks.push(array);
    }
    if n_read == n_rows {
        Ok(chunks)
    } else {
        Err(broken("a column has more rows than others"))
    }
}

/// Small row groups together, others alone: a dictionary is one of a row group.
fn runs(rows_of_groups: &[u64], n_rows_of_block: u64) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut first_row = 0;
    for (group, &n_rows) in rows_of_groups.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if run.n_rows.max(n_rows) < n_rows_of_block / 4 => {
                run.groups.push(group);
                run.n_rows += n_rows;
            }
            _ => runs.push(Run {
                groups: vec![group],
                first_row,
                n_rows,
            }),
        }
        first_row += n_rows;
    }
    runs
}

/// The schema with text as numbers into a dictionary.
fn with_dictionaries(schema: &Schema) -> Schema {
    let fields = schema.fields().iter().map(|field| match field.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 => {
            let values = Box::new(field.data_type().clone());
            let data_type = DataType::Dictionary(Box::new(DataType::Int32), values);
            Field::clone(field).with_data_type(data_type)
        }
        _ => Field::clone(field),
    });
    Schema::new(fields.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_row_groups_are_read_together() {
        let groups = |runs: Vec<Run>| -> Vec<(Vec<usize>, u64, u64)> {
            let runs = runs.into_iter();
            runs.map(|run| (run.groups, run.first_row, run.n_rows))
                .collect()
        };
        let found = groups(runs(&[100, 900, 3, 4, 5, 30, 40], 100));
        assert_eq!(
            found,
            [
                (vec![0], 0, 100),
                (vec![1], 100, 900),
                (vec![2, 3, 4], 1000, 12),
                (vec![5], 1012, 30),
                (vec![6], 1042, 40),
            ]
        );
    }
}
