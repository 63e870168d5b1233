//! Tables from files: CSV, ARFF, Parquet and Arrow IPC.
//!
//! Every reader cuts its file into cells and feeds them to the same encoders, so that equal
//! content gives equal tables, whatever the format. A format is one file (or folder) here that
//! implements `TableFile`, and one line of `FORMATS`.

// Numbers that come as such, and files that are read at many places, are Arrow's and Parquet's.
#![cfg_attr(not(feature = "parquet"), allow(dead_code))]

mod arff;
#[cfg(feature = "arrow")]
mod arrow;
mod blocks;
mod coded;
mod csv;
mod dictionary;
mod encode;
mod fault;
mod header;
#[cfg(feature = "arrow")]
mod ipc;
mod lines;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod sniff;
mod source;
#[cfg(test)]
mod testing;

use std::fmt::Debug;
use std::path::Path;

#[cfg(feature = "arrow")]
pub use self::arrow::column_from_arrow;
pub use self::blocks::{BlockRequest, RowBlock, RowBlocks};
use self::blocks::{ReadJob, Visit};
pub(super) use self::coded::{EXACT_INTEGERS, MAX_NOMINAL_INTEGERS};
pub(super) use self::dictionary::Slots;
pub use self::options::{ColumnChoice, ColumnKind, ReadOptions};
use self::source::Source;
use super::Table;
use crate::Observer;
use crate::{Error, Result, parameter};

/// Reads a table from a file of any format; `-` is standard input.
///
/// The first bytes tell the format, and where they do not, the extension: `.arff`,
/// `.parquet`, `.arrow`, `.feather` and `.ipc`, with or without `.gz`; everything else is
/// CSV. Text may be packed by gzip.
///
/// - **CSV**: the first line holds the names, unless the options say that there are none; then
///   columns are `column1`, `column2` and so on. The delimiter is found (comma, semicolon, tab or
///   bar) unless the options give it. Cells may stand in double quotes, with line ends inside;
///   lines end at `\n`, `\r\n` or `\r`; blank lines are skipped; blanks and tabs around cells
///   are dropped.
/// - **ARFF**: kinds are those that the file declares, unless the options overrule them:
///   `numeric`, `real` and `integer` are numeric however few values there are; `{a, b}`,
///   `string` and `date` are nominal. Labels that are declared but do not occur are not in the
///   domain. Besides `?`, the options' texts for "no value" are missing, unless they are
///   declared as labels.
/// - **Parquet** and **Arrow IPC** (Feather, version 2, or a stream): whole numbers, floats and
///   decimals get the kind their values suggest, as in a CSV file; text, booleans, dates and
///   times are nominal. NaN is missing.
///
/// # Errors
/// A file that is missing, unreadable, empty or without rows; rows of another length than the
/// header; names that are empty or stand twice; bytes that are not UTF-8; NUL bytes; an open
/// quote; an infinite number in a column of numbers; text in a column declared numeric; a label
/// that the file does not declare; columns of lists, records or maps; options that name no
/// column; a file of another format, or of one that this build leaves out; an interruption by
/// the observer.
///
/// # Cost
/// One pass over the file; memory of the coded table and a buffer, a batch of rows or a column.
///
/// # Example
/// ```
/// use bayesieve::data::{ReadOptions, read_table};
/// use bayesieve::Silent;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("people");
/// std::fs::write(&path, "age;smoker\n31.5;yes\n?;no\n")?;
/// let table = read_table(&path, &ReadOptions::default(), &Silent)?;
/// assert_eq!(table.names().collect::<Vec<_>>(), ["age", "smoker"]);
/// assert_eq!(table.column("age").map(|age| age.n_missing()), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_table(path: &Path, options: &ReadOptions, observer: &dyn Observer) -> Result<Table> {
    RowBlocks::open(path, options, u64::MAX, observer)?.read_whole(observer)
}

type OpenFile = fn(&Source, &ReadOptions, &dyn Observer) -> Result<Box<dyn TableFile>>;

/// A file format: how it is told from others, and how a file of it is opened.
struct Format {
    /// The extensions, in lower case, by which files go whose first bytes do not tell.
    extensions: &'static [&'static str],
    /// Whether a file starts like this.
    is_start: fn(&[u8]) -> bool,
    /// Reads as much as it takes to know the columns.
    open: OpenFile,
}

/// A file whose columns are known. Errors need not name the file.
trait TableFile: Debug + Send + Sync {
    /// The names of all columns.
    fn names(&self) -> &[String];

    /// Number of rows, where the file says so.
    fn n_rows(&self) -> Option<u64> {
        None
    }

    /// Whether the file is read in parts, so that it may be larger than the memory.
    fn is_in_parts(&self) -> bool {
        true
    }

    /// Reads all rows at once.
    fn read_whole(&self, job: &ReadJob<'_>) -> Result<Table>;

    /// Hands over the rows in blocks; errors of `visit` are handed on as they are.
    fn read_blocks(&self, job: &ReadJob<'_>, visit: &mut Visit<'_>) -> Result<()>;
}

/// The formats that can be read; the last takes what no other one claims.
static FORMATS: &[&Format] = &[
    #[cfg(feature = "parquet")]
    &parquet::FORMAT,
    #[cfg(feature = "arrow")]
    &ipc::FORMAT,
    &arff::FORMAT,
    &csv::FORMAT,
];

/// First bytes of a file of counts, which stands in for rows but holds none.
pub(crate) const COUNTS_MAGIC: &[u8; 8] = b"BSVCOUNT";

/// A format that cannot be read, but that users take for a table.
struct OtherFormat {
    magic: &'static [u8],
    what: &'static str,
    way_out: &'static str,
}

static OTHER_FORMATS: &[OtherFormat] = &[
    OtherFormat {
        magic: COUNTS_MAGIC,
        what: "one of counts, not of rows",
        way_out: "Give it as COUNTS in place of the data, or merge it with others.",
    },
    OtherFormat {
        magic: b"PK\x03\x04",
        what: "a ZIP archive, perhaps a spreadsheet",
        way_out: "Save the sheet as CSV.",
    },
    OtherFormat {
        magic: b"\x28\xB5\x2F\xFD",
        what: "packed by zstd",
        way_out: "Unpack it first: unzstd.",
    },
    OtherFormat {
        magic: b"\xFD7zXZ\0",
        what: "packed by xz",
        way_out: "Unpack it first: unxz.",
    },
    OtherFormat {
        magic: b"BZh",
        what: "packed by bzip2",
        way_out: "Unpack it first: bunzip2.",
    },
    OtherFormat {
        magic: b"FEA1",
        what: "Feather of version 1",
        way_out: "Write it as Feather of version 2 or as Parquet.",
    },
    #[cfg(not(feature = "gzip"))]
    OtherFormat {
        magic: source::GZIP_MAGIC,
        what: "packed by gzip, which this build cannot unpack",
        way_out: "Unpack it first: gunzip. Or build with the feature \"gzip\".",
    },
    #[cfg(not(feature = "parquet"))]
    OtherFormat {
        magic: b"PAR1",
        what: "Parquet, which this build cannot read",
        way_out: "Build with the feature \"parquet\".",
    },
    #[cfg(not(feature = "arrow"))]
    OtherFormat {
        magic: b"ARROW1",
        what: "Arrow IPC, which this build cannot read",
        way_out: "Build with the feature \"arrow\".",
    },
];

/// The format of a file by its first bytes, else by its name.
fn format_of(sample: &[u8], path: &Path) -> Result<&'static Format> {
    if let Some(format) = FORMATS.iter().find(|format| (format.is_start)(sample)) {
        return Ok(format);
    }
    // "BZh" alone may start a header; a packed file is no text.
    let is_text = std::str::from_utf8(&sample[..sample.len().min(16)]).is_ok();
    let other = OTHER_FORMATS.iter().find(|f| sample.starts_with(f.magic));
    if let Some(other) = other
        && (!is_text || sample.contains(&0))
    {
        let counts = parameter("counts").to_string();
        let way_out = other.way_out.replace("COUNTS", &counts);
        return Err(Error::data(format!("the file is {}", other.what)).with_hint(way_out));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let by_name = FORMATS
        .iter()
        .find(|format| extension.is_some_and(|e| format.extensions.contains(&e)));
    Ok(by_name.unwrap_or(&FORMATS[FORMATS.len() - 1]))
}
