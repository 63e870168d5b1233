//! Parquet and Arrow IPC: columns with types, in batches of rows.
//!
//! Numbers are fed to the encoders as numbers, everything else as text, so that a table
//! reads the same from these files as from CSV.

use std::io::BufReader;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::{CastOptions, can_cast_types, cast_with_options};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Schema};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::encode::{Encoder, Finished, Problem, Wanted};
use super::fault::{cell_error, check_names, check_row_limit, empty_file, no_rows};
use super::options::{Missing, ReadOptions};
use super::source::Source;
use crate::data::{KindOrigin, Table, format_number};
use crate::error::{Error, Result};
use crate::observer::Observer;

/// Cells of a Parquet file that are unpacked at a time.
const CELLS_PER_BATCH: usize = 4_000_000;

/// How an Arrow stream ends.
const END_OF_STREAM: &[u8] = b"\xFF\xFF\xFF\xFF\0\0\0\0";

/// Reads a Parquet file.
///
/// Whole numbers and floats get the kind their values suggest, as in a CSV file; text,
/// booleans, dates and times are nominal. NaN is missing.
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
/// write_table(&typed, &read_csv(&text, &ReadOptions::default(), &Silent)?)?;
/// let table = read_parquet(&typed, &ReadOptions::default(), &Silent)?;
/// assert_eq!(table.column("height").map(|height| height.n_missing()), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_parquet(path: &Path, options: &ReadOptions, observer: &dyn Observer) -> Result<Table> {
    let source = Source::open(path, observer)?;
    parquet(&source, options, observer)
}

/// Reads an Arrow IPC file (also called Feather, version 2) or stream.
///
/// As [`read_parquet`] in all other respects.
///
/// # Errors
/// As [`read_parquet`], and: a stream without its end mark.
pub fn read_arrow(path: &Path, options: &ReadOptions, observer: &dyn Observer) -> Result<Table> {
    let source = Source::open(path, observer)?;
    ipc(&source, options, observer)
}

/// Reads an opened Parquet file.
pub(super) fn parquet(
    source: &Source,
    options: &ReadOptions,
    observer: &dyn Observer,
) -> Result<Table> {
    check_plain(source)?;
    let broken =
        |error: parquet::errors::ParquetError| source.blame(broken("Parquet", &error.to_string()));
    let file = source.file()?;
    let builder = guarded(source, || ParquetRecordBatchReaderBuilder::try_new(file))?;
    let builder = builder.map_err(broken)?;
    let schema = builder.schema().clone();
    let n_rows = builder.metadata().file_metadata().num_rows();
    let batch_size = (CELLS_PER_BATCH / schema.fields().len().max(1)).clamp(64, 8192);
    let reader = guarded(source, || builder.with_batch_size(batch_size).build())?;
    let mut reader = reader.map_err(broken)?;
    let mut rows = Rows::new(source, options, observer);
    rows.n_rows_expected = u64::try_from(n_rows).ok();
    rows.read(&schema, || reader.next())
}

/// Reads an opened Arrow IPC file or stream.
pub(super) fn ipc(
    source: &Source,
    options: &ReadOptions,
    observer: &dyn Observer,
) -> Result<Table> {
    let broken = |error: ArrowError| source.blame(broken("Arrow", &error.to_string()));
    let rows = Rows::new(source, options, observer);
    if source.sample().starts_with(b"ARROW1") {
        check_plain(source)?;
        let file = BufReader::new(source.file()?);
        let reader = guarded(source, || FileReader::try_new(file, None))?;
        let mut reader = reader.map_err(broken)?;
        let schema = reader.schema();
        return rows.read(&schema, || reader.next());
    }
    check_not_empty(source)?;
    let stream = source.buffered()?;
    let reader = guarded(source, || StreamReader::try_new(stream, None))?;
    let mut reader = reader.map_err(broken)?;
    let schema = reader.schema();
    let table = rows.read(&schema, || reader.next())?;
    if !source.is_gzip() && !source.ends_with(END_OF_STREAM)? {
        // A stream that stops between two batches looks whole but for this.
        return Err(source.blame(
            Error::data("the Arrow stream has no end mark")
                .with_hint("It was cut short, or its writer was not closed."),
        ));
    }
    Ok(table)
}

fn check_not_empty(source: &Source) -> Result<()> {
    if source.sample().is_empty() {
        return Err(source.blame(empty_file()));
    }
    Ok(())
}

/// Refuses files packed by gzip, which cannot be read out of order.
fn check_plain(source: &Source) -> Result<()> {
    check_not_empty(source)?;
    if source.is_gzip() {
        return Err(source.blame(
            Error::data("the file is packed by gzip around a format that packs itself")
                .with_hint("Unpack it first: gunzip."),
        ));
    }
    Ok(())
}

fn broken(format: &str, detail: &str) -> Error {
    let detail = crate::error::printable(detail, 200);
    Error::data(format!("this is not a whole {format} file: {detail}"))
        .with_hint("Copy or write it again.")
}

/// Runs a piece of the libraries behind these formats, which may panic on a broken file.
fn guarded<T>(source: &Source, run: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(run))
        .map_err(|_| source.blame(broken("Parquet or Arrow", "its parts do not fit together")))
}

/// How the cells of a column are fed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Feed {
    /// As 64-bit integers.
    Integers,
    /// As 64-bit integers that may be above the signed ones.
    Unsigned,
    /// As floats.
    Floats,
    /// As text that is text.
    Text,
    /// As text that is a number.
    NumbersAsText,
}

impl Feed {
    /// How a column of a type is fed; `None` where it cannot be.
    fn of(data_type: &DataType) -> Option<Feed> {
        use DataType::{
            Decimal32, Decimal64, Decimal128, Decimal256, Dictionary, Float16, Float32, Float64,
            Int8, Int16, Int32, Int64, RunEndEncoded, UInt8, UInt16, UInt32, UInt64,
        };
        match data_type {
            Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 => Some(Feed::Integers),
            UInt64 => Some(Feed::Unsigned),
            Float16 | Float32 | Float64 => Some(Feed::Floats),
            Decimal32(..) | Decimal64(..) | Decimal128(..) | Decimal256(..) => {
                Some(Feed::NumbersAsText)
            }
            Dictionary(_, values) => Feed::of(values),
            RunEndEncoded(_, values) => Feed::of(values.data_type()),
            other if other.is_nested() => None,
            other => can_cast_types(other, &DataType::LargeUtf8).then_some(Feed::Text),
        }
    }

    /// The type that the arrays are brought to.
    fn target(self) -> DataType {
        match self {
            Feed::Integers => DataType::Int64,
            Feed::Unsigned => DataType::UInt64,
            Feed::Floats => DataType::Float64,
            Feed::Text | Feed::NumbersAsText => DataType::LargeUtf8,
        }
    }

    /// What the column becomes if the user does not say.
    fn wanted(self) -> Wanted {
        match self {
            Feed::Text => Wanted::Nominal(KindOrigin::Text),
            _ => Wanted::Inferred,
        }
    }
}

/// A cell that cannot be taken: its row from 0, why, and its text.
struct BadCell {
    place: u64,
    problem: Problem,
    text: String,
}

/// Reads all batches of a file.
struct Rows<'a> {
    source: &'a Source,
    options: &'a ReadOptions,
    observer: &'a dyn Observer,
    n_rows: u64,
    n_rows_expected: Option<u64>,
}

type NextBatch = Option<std::result::Result<RecordBatch, ArrowError>>;

impl<'a> Rows<'a> {
    fn new(source: &'a Source, options: &'a ReadOptions, observer: &'a dyn Observer) -> Self {
        Rows {
            source,
            options,
            observer,
            n_rows: 0,
            n_rows_expected: None,
        }
    }

    fn read(mut self, schema: &Schema, mut next: impl FnMut() -> NextBatch) -> Result<Table> {
        let source = self.source;
        self.table(schema, &mut next)
            .map_err(|error| source.blame(error))
    }

    fn table(&mut self, schema: &Schema, next: &mut dyn FnMut() -> NextBatch) -> Result<Table> {
        let (names, feeds) = columns(schema)?;
        let missing = Missing::new(&self.options.missing);
        let declared = self.options.declared_kinds(&names)?;
        let mut encoders: Vec<Encoder<'_>> = declared
            .into_iter()
            .zip(&feeds)
            .map(|(kind, feed)| Encoder::new(&missing, Wanted::declared_or(kind, feed.wanted())))
            .collect();
        while let Some(batch) = guarded(self.source, &mut *next)? {
            let batch = batch.map_err(|error| broken("Parquet or Arrow", &error.to_string()))?;
            for (i, array) in batch.columns().iter().enumerate() {
                self.push(&mut encoders[i], feeds[i], array)
                    .map_err(|error| error.in_column(&*names[i]))?;
            }
            self.n_rows += batch.num_rows() as u64;
            check_row_limit(self.n_rows)?;
            let expected = self.n_rows_expected.unwrap_or(0).max(1);
            self.source
                .report_share(self.n_rows as f64 / expected as f64, self.observer)?;
        }
        if self.n_rows == 0 {
            return Err(no_rows());
        }
        finish(encoders, &names)
    }

    /// Feeds one array to its encoder; errors name the row, not the column.
    fn push(&self, encoder: &mut Encoder<'_>, feed: Feed, array: &ArrayRef) -> Result<()> {
        let options = CastOptions {
            safe: false,
            ..CastOptions::default()
        };
        let plain = cast_with_options(array, &feed.target(), &options)
            .map_err(|error| unreadable(array.data_type(), Some(&error)))?;
        let first = self.n_rows;
        let pushed = match feed {
            Feed::Integers => {
                let cells = plain.as_primitive::<Int64Type>().iter();
                let cells = cells.map(|cell| cell.map(|n| (n as f64, n as u64)));
                push_numbers(encoder, first, cells, |bits| (bits as i64).to_string())
            }
            Feed::Unsigned => {
                let cells = plain.as_primitive::<UInt64Type>().iter();
                let cells = cells.map(|cell| cell.map(|n| (n as f64, n)));
                push_numbers(encoder, first, cells, |bits| bits.to_string())
            }
            Feed::Floats => {
                let cells = plain.as_primitive::<Float64Type>().iter();
                let cells =
                    cells.map(|cell| cell.filter(|x| !x.is_nan()).map(|x| (x, x.to_bits())));
                let text = |bits| format_number(f64::from_bits(bits));
                push_numbers(encoder, first, cells, text)
            }
            Feed::Text | Feed::NumbersAsText => {
                push_texts(encoder, first, plain.as_string::<i64>().iter())
            }
        };
        pushed.map_err(|bad| cell_error(bad.problem, bad.text.as_bytes()).at_row(bad.place + 1))
    }
}

/// The names of the columns, and how each is fed.
fn columns(schema: &Schema) -> Result<(Vec<String>, Vec<Feed>)> {
    let mut names = Vec::new();
    let mut feeds = Vec::new();
    for field in schema.fields() {
        let name = field.name().trim_matches([' ', '\t']).to_owned();
        let feed = Feed::of(field.data_type());
        let feed =
            feed.ok_or_else(|| unreadable(field.data_type(), None).in_column(name.as_str()))?;
        names.push(name);
        feeds.push(feed);
    }
    if names.is_empty() {
        return Err(Error::data("there are no columns"));
    }
    check_names(&names)?;
    Ok((names, feeds))
}

/// The error for a column of a type that is neither text nor number.
fn unreadable(data_type: &DataType, detail: Option<&ArrowError>) -> Error {
    let detail = detail
        .map(|error| format!(" ({error})"))
        .unwrap_or_default();
    let message = format!("the type {data_type}{detail} cannot be read");
    Error::data(crate::error::printable(&message, 300))
        .with_hint("Leave the column out, or write it as text or numbers.")
}

fn finish(encoders: Vec<Encoder<'_>>, names: &[String]) -> Result<Table> {
    let mut columns = Vec::with_capacity(names.len());
    for (encoder, name) in encoders.into_iter().zip(names) {
        match encoder.finish(name) {
            Finished::Column(column) => columns.push(column),
            Finished::Infinite { place, text } => {
                return Err(cell_error(Problem::Infinite, text.as_bytes())
                    .at_row(place + 1)
                    .in_column(name.as_str()));
            }
            Finished::ReadAgain => {
                return Err(Error::internal("text among typed numbers").in_column(name.as_str()));
            }
        }
    }
    Table::new(columns)
}

/// Feeds numbers: each a float and the bits that tell it apart, from which `text` makes
/// its text.
fn push_numbers(
    encoder: &mut Encoder<'_>,
    first: u64,
    cells: impl Iterator<Item = Option<(f64, u64)>>,
    text: impl Fn(u64) -> String,
) -> std::result::Result<(), BadCell> {
    for (place, cell) in (first..).zip(cells) {
        match cell {
            Some((number, bits)) => encoder
                .push_number(number, bits, place, || text(bits))
                .map_err(|problem| BadCell {
                    place,
                    problem,
                    text: text(bits),
                })?,
            None => encoder.push_missing(),
        }
    }
    Ok(())
}

fn push_texts<'c>(
    encoder: &mut Encoder<'_>,
    first: u64,
    cells: impl Iterator<Item = Option<&'c str>>,
) -> std::result::Result<(), BadCell> {
    for (place, cell) in (first..).zip(cells) {
        match cell {
            Some(text) => encoder
                .push(text.as_bytes(), place)
                .map_err(|problem| BadCell {
                    place,
                    problem,
                    text: text.to_owned(),
                })?,
            None => encoder.push_missing(),
        }
    }
    Ok(())
}
