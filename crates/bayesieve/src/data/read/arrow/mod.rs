//! Columns with types, from files and in memory.
//!
//! Numbers are fed to the encoders as numbers, everything else as text, so that a table
//! reads the same from these files as from CSV.

mod guard;
mod memory;
mod typed;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_cast::{CastOptions, can_cast_types, cast_with_options};
use arrow_schema::{ArrowError, DataType, Schema};

pub(super) use self::guard::{broken, guarded};
pub use self::memory::column_from_arrow;
pub(super) use self::typed::TypedColumn;
use super::encode::{Encoder, Finished, Problem, Wanted};
use super::fault::{cell_error, check_names};
use super::options::{ColumnKind, Missing};
use crate::data::{Column, KindOrigin, format_number};
use crate::{Error, Result, printable};

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
    fn wanted(self) -> Wanted {
        match self {
            Feed::Text => Wanted::Nominal(KindOrigin::Text),
            _ => Wanted::Inferred,
        }
    }
}

/// The columns of a file by its schema.
#[derive(Debug)]
pub(super) struct TypedColumns {
    pub(super) names: Vec<String>,
    feeds: Vec<Feed>,
}

impl TypedColumns {
    /// # Errors
    /// No column, a name that is empty or stands twice, or a type that cannot be read.
    pub(super) fn new(schema: &Schema) -> Result<Self> {
        let (mut names, mut feeds) = (Vec::new(), Vec::new());
        for field in schema.fields() {
            let name = field.name().trim_matches([' ', '\t']).to_owned();
            let feed = Feed::of(field.data_type());
            let refused = || unreadable(field.data_type(), None).in_column(name.as_str());
            feeds.push(feed.ok_or_else(refused)?);
            names.push(name);
        }
        if names.is_empty() {
            return Err(Error::data("there are no columns"));
        }
        check_names(&names)?;
        Ok(TypedColumns { names, feeds })
    }

    /// A column by its place.
    pub(super) fn column<'a>(
        &'a self,
        place: usize,
        kind: Option<ColumnKind>,
        missing: &'a Missing,
    ) -> TypedColumn<'a> {
        TypedColumn {
            name: &self.names[place],
            feed: self.feeds[place],
            kind,
            missing,
        }
    }
}

/// Feeds one array to its encoder, whose first cell is that of a row; errors name the row, not
/// the column.
fn push_array(
    encoder: &mut Encoder<'_>,
    feed: Feed,
    array: &ArrayRef,
    first_row: u64,
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
    match feed {
        Feed::Integers => {
            let cells = plain.as_primitive::<Int64Type>().iter();
            let cells = cells.map(|cell| cell.map(|n| (n as f64, n as u64)));
            push_numbers(encoder, first_row, cells, |bits| (bits as i64).to_string())
        }
        Feed::Unsigned => {
            let cells = plain.as_primitive::<UInt64Type>().iter();
            let cells = cells.map(|cell| cell.map(|n| (n as f64, n)));
            push_numbers(encoder, first_row, cells, |bits| bits.to_string())
        }
        Feed::Floats => {
            let cells = plain.as_primitive::<Float64Type>().iter();
            let cells = cells.map(|cell| cell.filter(|x| !x.is_nan()).map(|x| (x, x.to_bits())));
            let text = |bits| format_number(f64::from_bits(bits));
            push_numbers(encoder, first_row, cells, text)
        }
        Feed::Text | Feed::NumbersAsText => {
            push_texts(encoder, first_row, plain.as_string::<i64>().iter())
        }
    }
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

/// The column of cells that came typed.
fn finish_column(encoder: Encoder<'_>, name: &str) -> Result<Column> {
    match encoder.finish(name) {
        Finished::Column(column) => Ok(column),
        Finished::Infinite { place, text } => {
            Err(bad_cell(Problem::Infinite, &text, place).in_column(name))
        }
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
) -> Result<()> {
    for (place, cell) in (first..).zip(cells) {
        match cell {
            Some((number, bits)) => encoder
                .push_number(number, bits, place, || text(bits))
                .map_err(|problem| bad_cell(problem, &text(bits), place))?,
            None => encoder.push_missing(),
        }
    }
    Ok(())
}

fn push_texts<'c>(
    encoder: &mut Encoder<'_>,
    first: u64,
    cells: impl Iterator<Item = Option<&'c str>>,
) -> Result<()> {
    for (place, cell) in (first..).zip(cells) {
        match cell {
            Some(text) => encoder
                .push(text.as_bytes(), place)
                .map_err(|problem| bad_cell(problem, text, place))?,
            None => encoder.push_missing(),
        }
    }
    Ok(())
}

/// The error for a cell that cannot be taken; its row is counted from 0.
fn bad_cell(problem: Problem, text: &str, row: u64) -> Error {
    cell_error(problem, text.as_bytes()).at_row(row + 1)
}

#[cfg(test)]
#[cfg(all(feature = "parquet", feature = "gzip"))]
mod tests;
