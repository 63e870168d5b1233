//! Blocks of an Arrow IPC file or stream: as many batches as make up a block.

use arrow_array::{ArrayRef, RecordBatch};

use super::super::arrow::{Batches, Feed, columns};
use super::super::fault::no_rows;
use super::super::source::Source;
use super::typed::TypedColumn;
use super::{Job, RowBlock, Visit};
use crate::Result;
use crate::data::{Column, Table};

/// An Arrow IPC file whose schema was read.
#[derive(Debug)]
pub(super) struct IpcFile {
    names: Vec<String>,
    feeds: Vec<Feed>,
}

impl IpcFile {
    pub(super) fn open(source: &Source) -> Result<Self> {
        let batches = Batches::open(source)?;
        let (names, feeds) = columns(&batches.schema())?;
        Ok(IpcFile { names, feeds })
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    pub(super) fn read(&self, job: &Job<'_>, visit: &mut Visit<'_>) -> Result<()> {
        let blamed = |error| job.source.blame(error);
        let mut batches = Batches::open(job.source).map_err(blamed)?;
        let mut waiting = Waiting::default();
        let (mut first_row, mut n_blocks) = (0, 0);
        loop {
            job.source.report(job.observer)?;
            let batch = batches.next().map_err(blamed)?;
            let is_end = batch.is_none();
            waiting.add(batch);
            while waiting.n_rows >= job.n_rows_of_block || (is_end && waiting.n_rows > 0) {
                let some = waiting.take(job.n_rows_of_block);
                let n_rows: usize = some.iter().map(RecordBatch::num_rows).sum();
                if n_blocks >= job.request.n_skipped {
                    visit(self.block(job, first_row, &some).map_err(blamed)?)?;
                }
                n_blocks += 1;
                first_row += n_rows as u64;
            }
            if is_end {
                break;
            }
        }
        match first_row {
            0 => Err(blamed(no_rows())),
            _ => Ok(()),
        }
    }

    fn block(&self, job: &Job<'_>, first_row: u64, batches: &[RecordBatch]) -> Result<RowBlock> {
        let wanted = job.request.columns.iter().zip(job.request.kinds);
        let columns = wanted.map(|(&place, &kind)| {
            let column = TypedColumn {
                name: &self.names[place],
                feed: self.feeds[place],
                kind,
                missing: job.missing,
            };
            let chunks = batches
                .iter()
                .map(|batch| ArrayRef::clone(batch.column(place)));
            column.read(first_row, &chunks.collect::<Vec<_>>())
        });
        let columns: Vec<Column> = columns.collect::<Result<_>>()?;
        Ok(RowBlock {
            table: Table::new(columns)?,
            unclear: Vec::new(),
        })
    }
}

/// Batches that are not in a block yet.
#[derive(Default)]
struct Waiting {
    batches: Vec<RecordBatch>,
    n_rows: usize,
}

impl Waiting {
    fn add(&mut self, batch: Option<RecordBatch>) {
        let batch = batch.filter(|batch| batch.num_rows() > 0);
        self.n_rows += batch.as_ref().map_or(0, RecordBatch::num_rows);
        self.batches.extend(batch);
    }

    /// The first rows, so many at most.
    fn take(&mut self, most: usize) -> Vec<RecordBatch> {
        let mut taken = Vec::new();
        let mut room = most.min(self.n_rows);
        self.n_rows -= room;
        for batch in std::mem::take(&mut self.batches) {
            let n = batch.num_rows().min(room);
            room -= n;
            if n > 0 {
                taken.push(batch.slice(0, n));
            }
            if n < batch.num_rows() {
                self.batches.push(batch.slice(n, batch.num_rows() - n));
            }
        }
        taken
    }
}
