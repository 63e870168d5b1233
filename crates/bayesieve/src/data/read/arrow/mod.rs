//! Parquet and Arrow IPC: columns with types, in batches of rows.
//!
//! Numbers are fed to the encoders as numbers, everything else as text, so that a table
//! reads the same from these files as from CSV.

mod guard;
mod ipc;
mod memory;
mod parquet;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::{CastOptions, can_cast_types, cast_with_options};
use arrow_schema::{ArrowError, DataType, Schema};

pub(super) use self::guard::{broken, guarded};
pub(super) use self::ipc::Batches;
use super::encode::{Encoder, Finished, Problem, Wanted};
use super::fault::{cell_error, check_names, check_row_limit, empty_file, no_rows};
use super::options::{Missing, ReadOptions};
use super::source::Source;
use crate::data::{Column, KindOrigin, Table, format_number};
use crate::{Error, Result, printable};

pub(super) use self::ipc::read as read_ipc_source;
pub use self::ipc::read_arrow;
pub use self::memory::column_from_arrow;
pub(super) use self::parquet::read as read_parquet_source;
pub use self::parquet::read_parquet;

pub(super) fn check_not_empty(source: &Source) -> Result<()> {
    if source.sample().is_empty() {
        return Err(empty_file());
    }
    Ok(())
}

/// How the cells of a column are fed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feed {
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
            // A few runs can stand for more rows than memory holds.
            RunEndEncoded(..) => None,
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
    pub(super) fn wanted(self) -> Wanted {
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

/// The rows of a file, batch by batch.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) n_rows: u64,
}

impl Rows {
    /// Reads all batches; `next` is told how many rows there are so far. Errors name the
    /// row and the column, not the file.
    fn read(
        &mut self,
        schema: &Schema,
        options: &ReadOptions,
        mut next: impl FnMut(u64) -> Result<Option<RecordBatch>>,
    ) -> Result<Table> {
        let (names, feeds) = columns(schema)?;
        let missing = Missing::new(&options.missing);
        let declared = options.declared_kinds(&names)?;
        let mut encoders: Vec<Encoder<'_>> = declared
            .into_iter()
            .zip(&feeds)
            .map(|(kind, feed)| Encoder::new(&missing, Wanted::declared_or(kind, feed.wanted())))
            .map(|encoder| encoder.in_table_of(names.len()))
            .collect();
        while let Some(batch) = next(self.n_rows)? {
            let n_rows = self.n_rows + batch.num_rows() as u64;
            check_row_limit(n_rows)?;
            if batch.num_columns() != names.len() {
                return Err(broken("a batch has other columns than the schema"));
            }
            for (i, array) in batch.columns().iter().enumerate() {
                self.push(&mut encoders[i], feeds[i], array)
                    .map_err(|error| error.in_column(&*names[i]))?;
            }
            self.n_rows = n_rows;
        }
        if self.n_rows == 0 {
            return Err(no_rows());
        }
        finish(encoders, &names)
    }

    /// Feeds one array to its encoder; errors name the row, not the column.
    pub(super) fn push(
        &self,
        encoder: &mut Encoder<'_>,
        feed: Feed,
        array: &ArrayRef,
    ) -> Result<()> {
        if array.data_type().is_null() {
            (0..array.len()).for_each(|_| encoder.push_missing());
            return Ok(());
        }
        let options = CastOptions {
            safe: false,
            ..CastOptions::default()
        };
        let target = feed.target();
        let cast = guarded(|| Ok::<_, ArrowError>(cast_with_options(array, &target, &options)))?;
        let plain = cast.map_err(|error| unreadable(array.data_type(), Some(&error)))?;
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
pub(super) fn columns(schema: &Schema) -> Result<(Vec<String>, Vec<Feed>)> {
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
    Error::data(printable(&message, 300))
        .with_hint("Leave the column out, or write it as text or numbers.")
}

fn finish(encoders: Vec<Encoder<'_>>, names: &[String]) -> Result<Table> {
    let columns = encoders
        .into_iter()
        .zip(names)
        .map(|(encoder, name)| finish_column(encoder, name));
    Table::new(columns.collect::<Result<_>>()?)
}

/// The column of cells that came typed.
pub(super) fn finish_column(encoder: Encoder<'_>, name: &str) -> Result<Column> {
    match encoder.finish(name) {
        Finished::Column(column) => Ok(column),
        Finished::Infinite { place, text } => Err(cell_error(Problem::Infinite, text.as_bytes())
            .at_row(place + 1)
            .in_column(name)),
        Finished::ReadAgain => Err(Error::internal("text among typed numbers").in_column(name)),
    }
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

#[cfg(test)]
mod tests;
