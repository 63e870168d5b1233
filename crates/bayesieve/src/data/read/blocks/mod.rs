//! Files read block by block, as often as needed, without ever holding all rows.
//!
//! A block reads the same as a file of its rows would: every format goes through the encoders
//! of the readers of whole files. Parquet is decoded on all threads, a column at a time; other
//! formats are read ahead on a thread of their own.

mod ahead;
mod weighted;

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use self::ahead::pulled;
pub(super) use self::ahead::read_ahead;
use super::options::{ColumnKind, Missing, ReadOptions};
use super::source::Source;
use super::{TableFile, format_of};
use crate::Observer;
use crate::data::Table;
use crate::{Error, Result, quoted};

/// Bytes of a cell before it is coded: those of a number.
const BYTES_PER_CELL: u64 = 8;

/// Fewest and most rows of a block, whatever the memory.
const MIN_ROWS_OF_BLOCK: u64 = 1 << 6;
const MAX_ROWS_OF_BLOCK: u64 = 1 << 18;

/// A file whose rows come in blocks, the same ones every time.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::{BlockRequest, ReadOptions, RowBlocks};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("a.csv");
/// std::fs::write(&path, "x,class\na,0\nb,1\na,1\n")?;
/// let blocks = RowBlocks::open(&path, &ReadOptions::default(), 1 << 20, &Silent)?;
/// assert_eq!(blocks.names(), ["x", "class"]);
/// let mut n_rows = 0;
/// let request = BlockRequest { columns: &[0], kinds: &[None], n_skipped: 0 };
/// blocks.read(request, &Silent, &mut |block| {
///     n_rows += block.table.n_rows();
///     Ok(())
/// })?;
/// assert_eq!(n_rows, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RowBlocks {
    source: Source,
    options: ReadOptions,
    n_rows_of_block: usize,
    file: Box<dyn TableFile>,
}

/// What to read of every block.
#[derive(Debug, Clone, Copy)]
pub struct BlockRequest<'a> {
    /// The columns by their places in the file, rising.
    pub columns: &'a [usize],
    /// The kind of each, `None` for what the cells of a block suggest.
    pub kinds: &'a [Option<ColumnKind>],
    /// Blocks to leave out at the start.
    pub n_skipped: usize,
}

/// Some rows of a file.
#[derive(Debug)]
pub struct RowBlock {
    /// The columns that were asked for.
    pub table: Table,
    /// Columns in which text came after many numbers, whose texts are gone: they have to be
    /// read as text. In the table they are empty.
    pub unclear: Vec<String>,
}

/// What becomes of the blocks.
pub(super) type Visit<'a> = dyn FnMut(RowBlock) -> Result<()> + 'a;

impl RowBlocks {
    /// Opens a file of any format, or `-` for standard input; a block takes about
    /// `block_bytes` of memory.
    ///
    /// # Errors
    /// As [`read_table`](super::read_table), as far as the start of the file tells.
    pub fn open(
        path: &Path,
        options: &ReadOptions,
        block_bytes: u64,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let source = Source::open(path, observer)?;
        let opened = format_of(&source.sample, path)
            .and_then(|format| (format.open)(&source, options, observer));
        let file = opened.map_err(|error| source.blame(error))?;
        let row_bytes = BYTES_PER_CELL * file.names().len().max(1) as u64;
        // Rows that count more than once are copied out of their block.
        let n_copies = if options.weight.is_some() { 2 } else { 1 };
        let row_bytes = n_copies * row_bytes;
        let n_rows = (block_bytes / row_bytes).clamp(MIN_ROWS_OF_BLOCK, MAX_ROWS_OF_BLOCK);
        options.declared_kinds(file.names())?;
        Ok(RowBlocks {
            source,
            options: options.clone(),
            n_rows_of_block: n_rows as usize,
            file,
        })
    }

    /// The names of all columns.
    pub fn names(&self) -> &[String] {
        self.file.names()
    }

    /// Where in the file some columns stand.
    ///
    /// # Errors
    /// A column that is not there.
    pub fn places(&self, names: &[&str]) -> Result<Vec<usize>> {
        let known = self.names().iter().enumerate();
        let known: HashMap<&str, usize> =
            known.map(|(place, name)| (name.as_str(), place)).collect();
        let place = |name: &&str| {
            known.get(name).copied().ok_or_else(|| {
                let error = Error::data(format!("there is no column {}", quoted(name)));
                self.blame(error.with_hint("Every file needs all columns."))
            })
        };
        names.iter().map(place).collect()
    }

    /// The kinds that were declared, `None` where none was.
    ///
    /// # Errors
    /// Declarations that contradict each other or name no column.
    pub fn declared_kinds(&self) -> Result<Vec<Option<ColumnKind>>> {
        self.options.declared_kinds(self.names())
    }

    /// Number of rows, where the file says so.
    pub fn n_rows(&self) -> Option<u64> {
        self.file.n_rows()
    }

    /// Bytes of the file.
    pub fn n_bytes(&self) -> u64 {
        self.source.n_bytes()
    }

    /// Most rows of a block.
    pub fn n_rows_of_block(&self) -> usize {
        self.n_rows_of_block
    }

    /// Whether the file is read in parts, so that it may be larger than the memory.
    pub fn is_in_parts(&self) -> bool {
        self.file.is_in_parts()
    }

    /// Names the file in an error.
    pub fn blame(&self, error: Error) -> Error {
        self.source.blame(error)
    }

    /// Hands over the blocks in their order, with every row as often as it weighs.
    ///
    /// # Errors
    /// As [`read_table`](super::read_table), those of `visit`, and an interruption by the
    /// observer. Blocks before the fault have been handed over then.
    pub fn read(
        &self,
        request: BlockRequest<'_>,
        observer: &dyn Observer,
        visit: &mut Visit<'_>,
    ) -> Result<()> {
        match self.options.weight_position(self.names())? {
            Some(weight) => self.read_weighted(weight, request, observer, visit),
            None => self.read_once(request, observer, visit),
        }
    }

    /// As [`RowBlocks::read`] with every row once.
    fn read_once(
        &self,
        request: BlockRequest<'_>,
        observer: &dyn Observer,
        visit: &mut Visit<'_>,
    ) -> Result<()> {
        self.source.check_unchanged()?;
        let missing = Missing::new(&self.options.missing);
        let job = ReadJob {
            source: &self.source,
            missing: &missing,
            columns: request.columns,
            kinds: request.kinds,
            n_skipped: request.n_skipped,
            n_rows_of_block: self.n_rows_of_block,
            observer,
        };
        self.file.read_blocks(&job, visit)?;
        self.source.check_unchanged()
    }

    /// Reads all columns and rows at once.
    pub(super) fn read_whole(&self, observer: &dyn Observer) -> Result<Table> {
        let missing = Missing::new(&self.options.missing);
        let columns: Vec<usize> = (0..self.names().len()).collect();
        let job = ReadJob {
            source: &self.source,
            missing: &missing,
            columns: &columns,
            kinds: &self.declared_kinds()?,
            n_skipped: 0,
            n_rows_of_block: self.n_rows_of_block,
            observer,
        };
        self.file
            .read_whole(&job)
            .map_err(|error| self.blame(error))
    }

    /// As [`RowBlocks::read`], for whoever takes the blocks one by one: an error is the last.
    pub fn pull<T>(
        &self,
        request: BlockRequest<'_>,
        observer: &dyn Observer,
        take: impl FnOnce(&mut dyn Iterator<Item = Result<RowBlock>>) -> T,
    ) -> T {
        pulled(|visit| self.read(request, observer, visit), take)
    }

    /// How long one reading of the file takes, from the time that the first block takes.
    ///
    /// # Errors
    /// As [`RowBlocks::read`].
    pub fn probe(&self, request: BlockRequest<'_>, observer: &dyn Observer) -> Result<Duration> {
        let start = Instant::now();
        let mut first = None;
        let read = self.read(request, observer, &mut |block| {
            let share = match self.n_rows() {
                Some(n_rows) if self.options.weight.is_none() => {
                    block.table.n_rows() as f64 / n_rows.max(1) as f64
                }
                _ => self.source.share_read(),
            };
            first = Some(start.elapsed().div_f64(share.clamp(1e-9, 1.0)));
            Err(Error::interrupted())
        });
        match first {
            Some(duration) => Ok(duration),
            None => read.map(|()| start.elapsed()),
        }
    }
}

/// One reading of a file.
#[derive(Clone, Copy)]
pub(super) struct ReadJob<'a> {
    pub(super) source: &'a Source,
    pub(super) missing: &'a Missing,
    /// The columns by their places in the file, rising.
    pub(super) columns: &'a [usize],
    /// The kind of each, `None` for what the cells suggest.
    pub(super) kinds: &'a [Option<ColumnKind>],
    /// Blocks to leave out at the start.
    pub(super) n_skipped: usize,
    pub(super) n_rows_of_block: usize,
    pub(super) observer: &'a dyn Observer,
}

#[cfg(test)]
#[cfg(all(feature = "parquet", feature = "gzip"))]
mod tests;
