//! CSV: text cells between delimiters, a line of names first.
//!
//! One pass codes the cells as they come; a second one is needed only where a long column
//! of numbers turns out to hold text. Lines are counted only when an error names one.

use std::io::{Chain, Read};
use std::path::Path;

use csv::{ByteRecord, Reader, ReaderBuilder};

use super::encode::{Encoder, Finished, Problem, Wanted, checked_text, trim};
use super::fault::{
    cell_error, check_encoding, check_names, check_row_limit, empty_file, no_rows, ragged,
};
use super::options::{Missing, ReadOptions};
use super::sniff::sniff_delimiter;
use super::source::{BUFFER_BYTES, Source, changed};
use crate::Observer;
use crate::data::{Column, KindOrigin, Table};
use crate::{Error, Result, quoted};

/// What is put after the file's last byte. The csv crate takes the end of the file for the
/// end of an open quote; with this, a file that ends well yields one more record, a lone
/// NUL, which no file may hold, and one with an open quote does not.
const SENTINEL: &[u8] = b"\n\0";

/// Cells between two looks at the observer.
const CELLS_PER_REPORT: u64 = 100_000;

/// Reads a CSV file, packed by gzip or not; `-` is standard input.
///
/// The first line holds the names. The delimiter is found (comma, semicolon, tab or bar)
/// unless the options give it. Cells may stand in double quotes, with line ends inside;
/// lines end at `\n`, `\r\n` or `\r`; blank lines are skipped; blanks and tabs around
/// cells are dropped.
///
/// # Errors
/// A file that is missing, unreadable, empty or without rows; rows of another length than
/// the header; names that are empty or stand twice; bytes that are not UTF-8; NUL bytes; an
/// open quote; an infinite number in a column of numbers; text in a column declared
/// numeric; options that name no column; an interruption by the observer.
///
/// # Cost
/// One pass over the file; memory of the coded table and a buffer.
///
/// # Example
/// ```
/// use bayesieve::data::{ReadOptions, read_csv};
/// use bayesieve::Silent;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("people.csv");
/// std::fs::write(&path, "age;smoker\n31.5;yes\n?;no\n")?;
/// let table = read_csv(&path, &ReadOptions::default(), &Silent)?;
/// assert_eq!(table.n_rows(), 2);
/// assert_eq!(table.column("age").map(|age| age.n_missing()), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_csv(path: &Path, options: &ReadOptions, observer: &dyn Observer) -> Result<Table> {
    let source = Source::open(path, observer)?;
    read(&source, options, observer)
}

/// Reads an opened source.
pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    observer: &dyn Observer,
) -> Result<Table> {
    let file = CsvFile::open(source, options)?;
    let missing = Missing::new(&options.missing);
    let declared = options.declared_kinds(&file.names)?;
    let encoder = |kind| Encoder::new(&missing, Wanted::declared_or(kind, Wanted::Inferred));
    let encoders = declared.into_iter().map(encoder);
    let encoders = encoders
        .map(|encoder| encoder.in_table_of(file.names.len()))
        .collect();
    let (mut columns, n_rows) = file.pass(encoders, observer)?;
    if columns.iter().any(Option::is_none) {
        let encoders = columns
            .iter()
            .map(|column| match column {
                Some(_) => Encoder::skipping(&missing),
                None => Encoder::new(&missing, Wanted::Nominal(KindOrigin::Text)),
            })
            .collect();
        let (again, n_rows_again) = file.pass(encoders, observer)?;
        if n_rows_again != n_rows {
            return Err(source.blame(changed()));
        }
        for (column, again) in columns.iter_mut().zip(again) {
            if column.is_none() {
                *column = again;
            }
        }
    }
    Table::new(columns.into_iter().flatten().collect()).map_err(|error| source.blame(error))
}

/// A CSV file whose header is known.
pub(super) struct CsvFile<'a> {
    source: &'a Source,
    delimiter: u8,
    pub(super) names: Vec<String>,
}

impl<'a> CsvFile<'a> {
    pub(super) fn open(source: &'a Source, options: &ReadOptions) -> Result<Self> {
        check_encoding(source.sample()).map_err(|error| source.blame(error))?;
        let mut file = CsvFile {
            source,
            delimiter: match options.delimiter {
                Some(delimiter) => checked_delimiter(delimiter)?,
                None => sniff_delimiter(source.sample(), source.sample_is_whole()),
            },
            names: Vec::new(),
        };
        let mut records = Records::new(&file)?;
        let mut header = ByteRecord::new();
        if !records.next(&mut header)? {
            return Err(source.blame(empty_file()));
        }
        let names = header_names(&header).map_err(|error| records.blame(error, &header))?;
        file.names = names;
        Ok(file)
    }

    /// Feeds all rows to the encoders; a column is `None` where its cells are needed again.
    fn pass(
        &self,
        mut encoders: Vec<Encoder<'_>>,
        observer: &dyn Observer,
    ) -> Result<(Vec<Option<Column>>, u64)> {
        let mut pass = Pass::begin(self)?;
        pass.feed(&mut encoders, u64::MAX, observer)?;
        if pass.n_rows == 0 {
            return Err(self.source.blame(no_rows()));
        }
        Ok((self.finish(encoders)?, pass.n_rows))
    }

    /// The columns of what was fed; one is `None` where its cells are needed again.
    pub(super) fn finish(&self, encoders: Vec<Encoder<'_>>) -> Result<Vec<Option<Column>>> {
        let finish = |(encoder, name): (Encoder<'_>, &String)| match encoder.finish(name) {
            Finished::Column(column) => Ok(Some(column)),
            Finished::ReadAgain => Ok(None),
            Finished::Infinite { place, text } => {
                let error = cell_error(Problem::Infinite, text.as_bytes()).in_column(name);
                Err(self.source.blame_place(error, place))
            }
        };
        encoders.into_iter().zip(&self.names).map(finish).collect()
    }
}

/// The rows of a file from the first on, some at a time.
pub(super) struct Pass<'f> {
    file: &'f CsvFile<'f>,
    records: Records<'f>,
    record: ByteRecord,
    n_rows: u64,
}

impl<'f> Pass<'f> {
    pub(super) fn begin(file: &'f CsvFile<'f>) -> Result<Self> {
        let mut pass = Pass {
            file,
            records: Records::new(file)?,
            record: ByteRecord::new(),
            n_rows: 0,
        };
        // The header was looked at when the file was opened.
        pass.records.next(&mut pass.record)?;
        Ok(pass)
    }

    /// Rows so far.
    pub(super) fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// Feeds the next rows to the encoders, `most` at most; fewer are the last ones.
    pub(super) fn feed(
        &mut self,
        encoders: &mut [Encoder<'_>],
        most: u64,
        observer: &dyn Observer,
    ) -> Result<u64> {
        let source = self.file.source;
        let n_columns = self.file.names.len();
        let rows_per_report = (CELLS_PER_REPORT / n_columns as u64).max(1);
        let mut n_fed = 0;
        while n_fed < most && self.records.next(&mut self.record)? {
            self.push(encoders)?;
            n_fed += 1;
            if n_fed % rows_per_report == 0 {
                source.report(observer)?;
                check_row_limit(n_fed).map_err(|error| source.blame(error))?;
            }
        }
        self.n_rows += n_fed;
        source.report(observer)?;
        check_row_limit(n_fed).map_err(|error| source.blame(error))?;
        Ok(n_fed)
    }

    /// Feeds the cells of a record.
    #[inline]
    fn push(&mut self, encoders: &mut [Encoder<'_>]) -> Result<()> {
        let record = &self.record;
        if record.len() != encoders.len() {
            let error = ragged(record.len(), encoders.len());
            return Err(self.records.blame(error, record));
        }
        let place = place_of(record);
        for (column, (encoder, cell)) in encoders.iter_mut().zip(record).enumerate() {
            let pushed = if may_hide_quotes(cell) {
                push_unquoted(encoder, cell, place)
            } else {
                encoder.push(cell, place)
            };
            if let Err(problem) = pushed {
                let error = cell_error(problem, cell).in_column(&self.file.names[column]);
                return Err(self.records.blame(error, record));
            }
        }
        Ok(())
    }
}

/// The records of a file, the header among them, blank lines not.
struct Records<'a> {
    source: &'a Source,
    reader: Reader<Chain<Box<dyn Read + 'a>, &'static [u8]>>,
    /// 0 while nothing but the header is wanted.
    n_columns: usize,
    is_header_next: bool,
    last_place: u64,
}

impl<'a> Records<'a> {
    fn new(file: &CsvFile<'a>) -> Result<Self> {
        let reader = ReaderBuilder::new()
            .delimiter(file.delimiter)
            .has_headers(false)
            .flexible(true)
            .buffer_capacity(BUFFER_BYTES)
            .from_reader(file.source.reader()?.chain(SENTINEL));
        Ok(Records {
            source: file.source,
            reader,
            n_columns: file.names.len(),
            is_header_next: true,
            last_place: 0,
        })
    }

    /// Reads the next record; `false` at a proper end.
    #[inline]
    fn next(&mut self, record: &mut ByteRecord) -> Result<bool> {
        loop {
            if !self.read(record)? {
                // The sentinel never came: it is inside the last cell.
                return Err(self.source.blame_place(open_quote(), self.last_place));
            }
            self.last_place = place_of(record);
            if record.len() == 1 {
                if record.as_slice() == b"\0" {
                    return self.end(record);
                }
                if self.is_blank_line(record.as_slice()) {
                    continue;
                }
            }
            self.is_header_next = false;
            return Ok(true);
        }
    }

    fn read(&mut self, record: &mut ByteRecord) -> Result<bool> {
        self.reader
            .read_byte_record(record)
            .map_err(|error| match error.into_kind() {
                csv::ErrorKind::Io(error) => self.source.read_error(error),
                other => Error::internal(format!("reading CSV: {other:?}")),
            })
    }

    /// Tells the sentinel from a NUL byte of the file.
    fn end(&mut self, record: &ByteRecord) -> Result<bool> {
        if self.read(&mut ByteRecord::new())? {
            let error = cell_error(Problem::Nul, record.as_slice());
            return Err(self.source.blame_place(error, self.last_place));
        }
        Ok(false)
    }

    /// Whether the only cell of a record is a line of blanks. In a table of one column
    /// it is a missing cell; a pair of quotes is a cell everywhere.
    fn is_blank_line(&self, cell: &[u8]) -> bool {
        (self.is_header_next || self.n_columns > 1) && !cell.is_empty() && trim(cell).is_empty()
    }

    /// Names the file and the line in an error about a record, unless an open quote is
    /// behind it.
    fn blame(&mut self, error: Error, record: &ByteRecord) -> Error {
        let is_open = record.as_slice().ends_with(SENTINEL)
            && matches!(self.read(&mut ByteRecord::new()), Ok(false));
        let error = if is_open { open_quote() } else { error };
        self.source.blame_place(error, place_of(record))
    }
}

/// Whether quotes may stand after blanks, where the csv crate leaves them in place.
#[inline]
fn may_hide_quotes(cell: &[u8]) -> bool {
    matches!(cell, [b' ' | b'\t', ..]) && trim(cell).starts_with(b"\"")
}

#[cold]
fn push_unquoted(
    encoder: &mut Encoder<'_>,
    cell: &[u8],
    place: u64,
) -> std::result::Result<(), Problem> {
    encoder.push(&unquoted(cell), place)
}

/// The cell without quotes that stand after blanks.
fn unquoted(cell: &[u8]) -> Vec<u8> {
    let [b'"', inner @ .., b'"'] = trim(cell) else {
        return cell.to_vec();
    };
    let mut text = Vec::with_capacity(inner.len());
    let mut is_doubled = false;
    for &byte in inner {
        is_doubled = byte == b'"' && !is_doubled;
        if !is_doubled {
            text.push(byte);
        }
    }
    text
}

fn place_of(record: &ByteRecord) -> u64 {
    record.position().map_or(0, csv::Position::byte)
}

fn open_quote() -> Error {
    Error::data("a quote is opened in this row and never closed")
        .with_hint("Close it, or write two quotes for one inside a quoted cell.")
}

/// The names of the header without the blanks around them.
fn header_names(header: &ByteRecord) -> Result<Vec<String>> {
    let mut names = Vec::with_capacity(header.len());
    for cell in header {
        let hidden = may_hide_quotes(cell).then(|| unquoted(cell));
        let name = trim(hidden.as_deref().unwrap_or(cell));
        let text = checked_text(name).map_err(|problem| {
            cell_error(problem, name).in_column(String::from_utf8_lossy(name))
        })?;
        names.push(text.to_owned());
    }
    check_names(&names)?;
    Ok(names)
}

fn checked_delimiter(delimiter: u8) -> Result<u8> {
    if delimiter.is_ascii() && !matches!(delimiter, b'"' | b'\r' | b'\n' | 0) {
        return Ok(delimiter);
    }
    let shown = quoted(&String::from_utf8_lossy(&[delimiter]));
    Err(Error::usage(format!("{shown} cannot stand between cells"))
        .with_hint("Use a comma, semicolon, tab, bar or another ASCII character."))
}

#[cfg(test)]
mod tests;
