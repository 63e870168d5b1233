//! Blocks of a Parquet file: a row group, several small ones, or a part of a large one.

mod chunks;

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use rayon::prelude::*;

use super::arrow::{TypedColumns, broken, guarded};
use super::blocks::{ReadJob, RowBlock, Visit};
use super::fault::{check_not_empty, check_row_limit, no_rows};
use super::source::{SharedFile, Source};
use super::{Format, TableFile};
use crate::check;
use crate::data::{Column, Table};
use crate::{Error, Result};

pub(super) static FORMAT: Format = Format {
    extensions: &["parquet", "pq"],
    is_start: |sample| sample.starts_with(b"PAR1"),
    open: |source, _, _| Ok(Box::new(ParquetFile::open(source)?)),
};

/// A Parquet file whose end was read.
#[derive(Debug)]
struct ParquetFile {
    file: SharedFile,
    metadata: ArrowReaderMetadata,
    columns: TypedColumns,
}

/// Row groups that are read in one go, and cut into blocks from the first row on.
#[derive(Debug, PartialEq, Eq)]
struct GroupRun {
    groups: Vec<usize>,
    first_row: u64,
    n_rows: u64,
}

impl ParquetFile {
    fn open(source: &Source) -> Result<Self> {
        check_not_empty(source)?;
        if source.is_gzip {
            return Err(Error::data(
                "the file is packed by gzip around a format that packs itself",
            )
            .with_hint("Unpack it first: gunzip."));
        }
        let file = source.file().clone();
        let load = |options| guarded(|| ArrowReaderMetadata::load(&file, options));
        let plain = load(ArrowReaderOptions::new())?;
        let columns = TypedColumns::new(plain.schema())?;
        // Pages hold text by its numbers in a dictionary, and so it shall stay.
        let pointed =
            ArrowReaderOptions::new().with_schema(Arc::new(with_dictionaries(plain.schema())));
        let metadata =
            guarded(|| ArrowReaderMetadata::try_new(Arc::clone(plain.metadata()), pointed));
        let metadata = metadata.unwrap_or(plain);
        let file = ParquetFile {
            file,
            metadata,
            columns,
        };
        if file.rows_of_groups().iter().all(|&n_rows| n_rows == 0) {
            return Err(no_rows());
        }
        Ok(file)
    }

    fn rows_of_groups(&self) -> Vec<u64> {
        let groups = self.metadata.metadata().row_groups().iter();
        let n_rows = groups.map(|group| u64::try_from(group.num_rows()).unwrap_or_default());
        n_rows.collect()
    }

    /// A reader of one column, from a row of the run on.
    fn reader(
        &self,
        job: &ReadJob<'_>,
        run: &GroupRun,
        column: usize,
        first: u64,
    ) -> Result<ParquetRecordBatchReader> {
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(
            self.file.clone(),
            self.metadata.clone(),
        );
        let schema = self.metadata.metadata().file_metadata().schema_descr();
        let builder = builder
            .with_projection(ProjectionMask::roots(schema, [column]))
            .with_row_groups(run.groups.clone())
            .with_offset(first as usize)
            .with_batch_size(job.n_rows_of_block);
        guarded(|| builder.build())
    }

    /// The table of the columns asked for, on all threads; `chunks` gives the cells of each,
    /// from a row of the file on.
    fn table<R: Send>(
        &self,
        job: &ReadJob<'_>,
        first_row: u64,
        readers: Vec<R>,
        chunks: impl Fn(usize, R) -> Result<Vec<ArrayRef>> + Sync,
    ) -> Result<Table> {
        let wanted: Vec<_> = job.columns.iter().zip(job.kinds).zip(readers).collect();
        let columns = wanted.into_par_iter().map(|((&place, &kind), reader)| {
            let chunks = chunks(place, reader)?;
            let column = self.columns.column(place, kind, job.missing);
            guarded(|| Ok::<_, String>(column.read(first_row, &chunks)))?
        });
        // In column order, so that the error does not depend on the threads.
        let columns: Vec<Result<Column>> = columns.collect();
        Table::new(columns.into_iter().collect::<Result<_>>()?)
    }

    fn blocks_of_run(
        &self,
        job: &ReadJob<'_>,
        run: &GroupRun,
        n_skipped: u64,
        visit: &mut Visit<'_>,
    ) -> Result<()> {
        let blamed = |error| job.source.blame(error);
        let n_rows_of_block = job.n_rows_of_block as u64;
        let n_rows_of_file = self.n_rows().unwrap_or_default();
        let mut first = n_skipped * n_rows_of_block;
        let readers = job.columns.par_iter();
        let readers = readers.map(|&column| self.reader(job, run, column, first));
        let mut readers: Vec<_> = readers.collect::<Result<_>>().map_err(blamed)?;
        while first < run.n_rows {
            let first_row = run.first_row + first;
            let share = first_row as f64 / n_rows_of_file as f64;
            job.source.report_share(share, job.observer)?;
            let n_rows = n_rows_of_block.min(run.n_rows - first);
            let readers = readers.iter_mut().collect();
            let table = self.table(job, first_row, readers, |_, reader| {
                next_rows(job, reader, n_rows)
            });
            visit(RowBlock {
                table: table.map_err(blamed)?,
                unclear: Vec::new(),
            })?;
            first += n_rows;
        }
        Ok(())
    }
}

impl TableFile for ParquetFile {
    fn names(&self) -> &[String] {
        &self.columns.names
    }

    fn n_rows(&self) -> Option<u64> {
        Some(self.rows_of_groups().iter().sum())
    }

    fn read_whole(&self, job: &ReadJob<'_>) -> Result<Table> {
        let runs = runs(&self.rows_of_groups(), job.n_rows_of_block as u64);
        check_row_limit(runs.iter().map(|run| run.n_rows).sum())?;
        self.table(job, 0, vec![(); job.columns.len()], |column, ()| {
            let mut chunks = Vec::new();
            for run in &runs {
                job.source.report(job.observer)?;
                let mut reader = self.reader(job, run, column, 0)?;
                chunks.extend(next_rows(job, &mut reader, run.n_rows)?);
            }
            Ok(chunks)
        })
    }

    fn read_blocks(&self, job: &ReadJob<'_>, visit: &mut Visit<'_>) -> Result<()> {
        let n_rows_of_block = job.n_rows_of_block as u64;
        let mut n_skipped = job.n_skipped as u64;
        for run in runs(&self.rows_of_groups(), n_rows_of_block) {
            let n_blocks = run.n_rows.div_ceil(n_rows_of_block);
            if n_skipped < n_blocks {
                self.blocks_of_run(job, &run, n_skipped, visit)?;
            }
            n_skipped = n_skipped.saturating_sub(n_blocks);
        }
        job.source.report_share(1.0, job.observer)
    }
}

/// The next rows of a column, which may come in several batches.
fn next_rows(
    job: &ReadJob<'_>,
    reader: &mut ParquetRecordBatchReader,
    n_rows: u64,
) -> Result<Vec<ArrayRef>> {
    let mut chunks = Vec::new();
    let mut n_read = 0;
    while n_read < n_rows {
        check(job.observer)?;
        let batch = guarded(|| reader.next().transpose())?;
        let array = batch.and_then(|batch| batch.columns().first().cloned());
        let array = array.ok_or_else(|| broken("a column has fewer rows than others"))?;
        n_read += array.len() as u64;
        chunks.push(array);
    }
    if n_read > n_rows {
        return Err(broken("a column has more rows than others"));
    }
    Ok(chunks)
}

/// Small row groups together, others alone: a dictionary is one of a row group.
fn runs(rows_of_groups: &[u64], n_rows_of_block: u64) -> Vec<GroupRun> {
    let mut runs: Vec<GroupRun> = Vec::new();
    let mut first_row = 0;
    for (group, &n_rows) in rows_of_groups.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if run.n_rows.max(n_rows) < n_rows_of_block / 4 => {
                run.groups.push(group);
                run.n_rows += n_rows;
            }
            _ => runs.push(GroupRun {
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
        let groups = |runs: Vec<GroupRun>| -> Vec<(Vec<usize>, u64, u64)> {
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
