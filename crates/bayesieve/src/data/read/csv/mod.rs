//! CSV: text cells between delimiters, a line of names first.
//!
//! One pass codes the cells as they come; a second one is needed only where a long column
//! of numbers turns out to hold text. Lines are counted only when an error names one.

use std::io::{Chain, Read};

use csv::{ByteRecord, Reader, ReaderBuilder};

use super::blocks::{ReadJob, RowBlock, Visit, read_ahead};
use super::encode::{Encoder, Finished, Problem, Wanted, checked_text, trim};
use super::fault::{
    cell_error, check_encoding, check_names, check_row_limit, empty_file, no_rows, ragged,
};
use super::header::{FirstLines, first_line_is_data, numbered_names};
use super::options::{ColumnKind, Missing, ReadOptions};
use super::sniff::sniff_delimiter;
use super::source::{BUFFER_BYTES, Source, changed};
use super::{Format, TableFile};
use crate::data::{Column, KindOrigin, Table};
use crate::{Error, Result, quoted};

/// What is put after the file's last byte. The csv crate takes the end of the file for the
/// end of an open quote; with this, a file that ends well yields one more record, a lone
/// NUL, which no file may hold, and one with an open quote does not.
const SENTINEL: &[u8] = b"\n\0";

/// Cells between two looks at the observer.
const CELLS_PER_REPORT: u64 = 100_000;

pub(super) static FORMAT: Format = Format {
    extensions: &[],
    is_start: |_| false,
    open: |source, options, _| Ok(Box::new(CsvFile::open(source, options)?)),
};

/// A CSV file whose header is known.
#[derive(Debug)]
struct CsvFile {
    delimiter: u8,
    /// Whether the first record holds the names.
    has_header: bool,
    names: Vec<String>,
}

impl CsvFile {
    fn open(source: &Source, options: &ReadOptions) -> Result<Self> {
        check_encoding(&source.sample)?;
        let mut file = CsvFile {
            delimiter: match options.delimiter {
                Some(delimiter) => checked_delimiter(delimiter)?,
                None => sniff_delimiter(&source.sample, source.sample_is_whole),
            },
            has_header: options.has_header,
            names: Vec::new(),
        };
        let mut records = Records::new(&file, source)?;
        let mut header = ByteRecord::new();
        if !records.next(&mut header)? {
            return Err(empty_file());
        }
        file.names = if options.has_header {
            let lines = FirstLines {
                sample: &source.sample,
                is_whole: source.sample_is_whole,
                delimiter: file.delimiter,
                missing: &Missing::new(&options.missing),
            };
            let names = if lines.start_with_data() {
                Err(first_line_is_data())
            } else {
                header_names(&header)
            };
            names.map_err(|error| records.blame(error, &header))?
        } else {
            numbered_names(header.len())
        };
        Ok(file)
    }

    /// One encoder for every column of the file; those that are not asked for keep nothing.
    fn encoders<'m>(&self, job: &ReadJob<'m>, columns: &[usize]) -> Vec<Encoder<'m>> {
        let n_columns = self.names.len();
        let mut encoders: Vec<Encoder<'m>> = (0..n_columns)
            .map(|_| Encoder::skipping(job.missing))
            .collect();
        for (&place, &kind) in columns.iter().zip(job.kinds) {
            let wanted = Wanted::declared_or(kind, Wanted::Inferred);
            encoders[place] = Encoder::new(job.missing, wanted).in_table_of(n_columns);
        }
        encoders
    }
}

impl TableFile for CsvFile {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn read_whole(&self, job: &ReadJob<'_>) -> Result<Table> {
        let read = |job: &ReadJob<'_>| -> Result<(Vec<Option<Column>>, u64)> {
            let mut pass = Pass::begin(self, job)?;
            let columns = pass.columns(u64::MAX)?.ok_or_else(no_rows)?;
            Ok((columns, pass.n_rows))
        };
        let (mut columns, n_rows) = read(job)?;
        let unclear: Vec<usize> = (0..columns.len())
            .filter(|&i| columns[i].is_none())
            .collect();
        if !unclear.is_empty() {
            let (again, n_rows_again) = read(&ReadJob {
                columns: &unclear,
                kinds: &vec![Some(ColumnKind::Nominal); unclear.len()],
                ..*job
            })?;
            if n_rows_again != n_rows {
                return Err(changed());
            }
            for (place, column) in unclear.into_iter().zip(again) {
                columns[place] = column.map(|column| column.with_origin(KindOrigin::Text));
            }
        }
        Table::new(columns.into_iter().flatten().collect())
    }

    fn read_blocks(&self, job: &ReadJob<'_>, visit: &mut Visit<'_>) -> Result<()> {
        read_ahead(|visit| Pass::begin(self, job)?.read_blocks(visit), visit)
    }
}

/// The rows of a file from the first on, some at a time.
struct Pass<'a> {
    file: &'a CsvFile,
    job: &'a ReadJob<'a>,
    records: Records<'a>,
    record: ByteRecord,
    n_rows: u64,
}

impl<'a> Pass<'a> {
    fn begin(file: &'a CsvFile, job: &'a ReadJob<'a>) -> Result<Self> {
        let mut pass = Pass {
            file,
            job,
            records: Records::new(file, job.source)?,
            record: ByteRecord::new(),
            n_rows: 0,
        };
        // The header was looked at when the file was opened.
        if file.has_header {
            pass.records.next(&mut pass.record)?;
        }
        Ok(pass)
    }

    fn read_blocks(&mut self, visit: &mut Visit<'_>) -> Result<()> {
        let max_rows = self.job.n_rows_of_block as u64;
        for _ in 0..self.job.n_skipped {
            // The last rows: there is nothing behind them.
            if self.feed(&mut self.file.encoders(self.job, &[]), max_rows)? < max_rows {
                return Ok(());
            }
        }
        loop {
            let n_rows_before = self.n_rows;
            let Some(finished) = self.columns(max_rows)? else {
                break;
            };
            let n_rows = (self.n_rows - n_rows_before) as usize;
            let mut unclear = Vec::new();
            let columns = finished.into_iter().zip(self.job.columns);
            let columns = columns.map(|(column, &place)| {
                column.unwrap_or_else(|| {
                    unclear.push(self.file.names[place].clone());
                    Column::empty(&self.file.names[place], n_rows)
                })
            });
            let table = Table::new(columns.collect())?;
            visit(RowBlock { table, unclear })?;
            if (n_rows as u64) < max_rows {
                break;
            }
        }
        if self.n_rows == 0 {
            return Err(self.job.source.blame(no_rows()));
        }
        Ok(())
    }

    /// The columns asked for of the next rows, `None` behind the last row; a column is `None`
    /// where its cells are needed again.
    fn columns(&mut self, max_rows: u64) -> Result<Option<Vec<Option<Column>>>> {
        let mut encoders = self.file.encoders(self.job, self.job.columns);
        if self.feed(&mut encoders, max_rows)? == 0 {
            return Ok(None);
        }
        let mut encoders: Vec<Option<Encoder<'_>>> = encoders.into_iter().map(Some).collect();
        let finish = |&place: &usize| {
            let name = &self.file.names[place];
            match encoders[place].take().map(|encoder| encoder.finish(name)) {
                Some(Finished::Column(column)) => Ok(Some(column)),
                Some(Finished::ReadAgain) | None => Ok(None),
                Some(Finished::Infinite { place, text }) => {
                    let error = cell_error(Problem::Infinite, text.as_bytes()).in_column(name);
                    Err(self.job.source.blame_place(error, place))
                }
            }
        };
        self.job
            .columns
            .iter()
            .map(finish)
            .collect::<Result<_>>()
            .map(Some)
    }

    /// Feeds the next rows to the encoders; fewer than `max_rows` are the last ones.
    fn feed(&mut self, encoders: &mut [Encoder<'_>], max_rows: u64) -> Result<u64> {
        let source = self.job.source;
        let rows_per_report = (CELLS_PER_REPORT / encoders.len() as u64).max(1);
        let mut n_fed = 0;
        while n_fed < max_rows && self.records.next(&mut self.record)? {
            self.push(encoders)?;
            n_fed += 1;
            if n_fed % rows_per_report == 0 {
                source.report(self.job.observer)?;
                check_row_limit(n_fed).map_err(|error| source.blame(error))?;
            }
        }
        self.n_rows += n_fed;
        source.report(self.job.observer)?;
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
    fn new(file: &CsvFile, source: &'a Source) -> Result<Self> {
        let reader = ReaderBuilder::new()
            .delimiter(file.delimiter)
            .has_headers(false)
            .flexible(true)
            .buffer_capacity(BUFFER_BYTES)
            .from_reader(source.reader()?.chain(SENTINEL));
        Ok(Records {
            source,
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
