//! Files read block by block, as often as needed, without ever holding all rows.
//!
//! A block reads the same as a file of its rows would: every format goes through the encoders
//! of the readers of whole files. Parquet is decoded on all threads, a column at a time; other
//! formats are read ahead on a thread of their own.

mod ahead;
mod ipc;
mod parquet;
mod shared_file;
mod text;
mod typed;

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use self::ahead::{pulled, read_ahead};
use self::ipc::IpcFile;
use self::parquet::ParquetFile;
use self::text::CsvRows;
use super::options::{ColumnKind, Missing, ReadOptions};
use super::source::Source;
use super::{Format, arff, format_of};
use crate::Observer;
use crate::data::Table;
use crate::{Error, Result, quoted};

/// Bytes of a cell before it is coded: those of a number.
const BYTES_PER_CELL: u64 = 8;

/// Fewest and most rows of a block, whatever the memory.
const ROWS_PER_BLOCK: (u64, u64) = (1 << 6, 1 << 18);

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
    names: Vec<String>,
    n_rows_of_block: usize,
    form: Form,
}

#[derive(Debug)]
enum Form {
    Csv,
    Parquet(ParquetFile),
    Ipc(IpcFile),
    /// A format that is only read whole.
    Whole(Table),
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
        let opened = RowBlocks::of_source(&source, path, options, observer);
        let (form, names) = opened.map_err(|error| source.blame(error))?;
        let row_bytes = BYTES_PER_CELL * names.len().max(1) as u64;
        let (fewest, most) = ROWS_PER_BLOCK;
        options.declared_kinds(&names)?;
        Ok(RowBlocks {
            source,
            options: options.clone(),
            names,
            n_rows_of_block: (block_bytes / row_bytes).clamp(fewest, most) as usize,
            form,
        })
    }

    fn of_source(
        source: &Source,
        path: &Path,
        options: &ReadOptions,
        observer: &dyn Observer,
    ) -> Result<(Form, Vec<String>)> {
        Ok(match format_of(source.sample(), path)? {
            Format::Csv => (Form::Csv, CsvRows::names(source, options)?),
            Format::Parquet => {
                let file = ParquetFile::open(source)?;
                let names = file.names();
                (Form::Parquet(file), names)
            }
            Format::Arrow => {
                let file = IpcFile::open(source)?;
                let names = file.names();
                (Form::Ipc(file), names)
            }
            Format::Arff => {
                let table = arff::read(source, options, observer)?;
                let names = table.names().map(str::to_owned).collect();
                (Form::Whole(table), names)
            }
        })
    }

    /// The names of all columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Where in the file some columns stand.
    ///
    /// # Errors
    /// A column that is not there.
    pub fn places(&self, names: &[&str]) -> Result<Vec<usize>> {
        let known = self.names.iter().enumerate();
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
        self.options.declared_kinds(&self.names)
    }

    /// Number of rows, where the file says so.
    pub fn n_rows(&self) -> Option<u64> {
        match &self.form {
            Form::Parquet(file) => Some(file.n_rows()),
            Form::Whole(table) => Some(table.n_rows() as u64),
            Form::Csv | Form::Ipc(_) => None,
        }
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
        !matches!(self.form, Form::Whole(_))
    }

    /// Names the file in an error.
    pub fn blame(&self, error: Error) -> Error {
        self.source.blame(error)
    }

    /// Hands over the blocks in their order.
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
        self.source.check_unchanged()?;
        let missing = Missing::new(&self.options.missing);
        let job = Job {
            source: &self.source,
            missing: &missing,
            request,
            n_rows_of_block: self.n_rows_of_block,
            observer,
        };
        match &self.form {
            Form::Csv => {
                let rows = CsvRows::new(&job, &self.options)?;
                read_ahead(|visit| rows.read(&job, visit), visit)
            }
            Form::Parquet(file) => file.read(&job, visit),
            Form::Ipc(file) => read_ahead(|visit| file.read(&job, visit), visit),
            Form::Whole(table) => job.cut(table, visit),
        }?;
        self.source.check_unchanged()
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
                Some(n_rows) => block.table.n_rows() as f64 / n_rows.max(1) as f64,
                None => self.source.share_read(),
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
struct Job<'a> {
    source: &'a Source,
    missing: &'a Missing,
    request: BlockRequest<'a>,
    n_rows_of_block: usize,
    observer: &'a dyn Observer,
}

impl Job<'_> {
    /// The blocks of a table that is in memory.
    fn cut(&self, table: &Table, visit: &mut Visit<'_>) -> Result<()> {
        let columns = self.request.columns.iter();
        let columns = columns.map(|&place| (*table.columns()[place]).clone());
        let table = Table::new(columns.collect())?;
        let rows: Vec<u32> = (0..table.n_rows() as u32).collect();
        let blocks = rows.chunks(self.n_rows_of_block);
        for rows in blocks.skip(self.request.n_skipped) {
            visit(RowBlock {
                table: table.take_rows(rows).with_labels_present(),
                unclear: Vec::new(),
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
