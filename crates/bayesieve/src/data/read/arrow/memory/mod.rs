//! Columns that another program holds in memory, coded where they stand.
//!
//! An array is read through its own type: nothing is turned into text or 64-bit numbers
//! first, so that a column costs little more than its codes. What comes out is the column
//! that a file of the same content gives.

mod dictionary;
mod distinct;
mod nominal;
mod numbers;
mod plain;
mod text;

use arrow_array::ArrayRef;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_cast::cast;
use arrow_schema::DataType;

use super::super::fault::check_row_limit;
use super::super::options::ColumnKind;
use super::unreadable;
use crate::data::{Column, KindOrigin, Values};
use crate::{Error, Result, quoted};

/// Codes a column that is in memory as Arrow arrays of one type, one after the other.
///
/// Null and NaN are missing. Text is taken as it stands: no blanks are cut, and no text
/// means "no value". Without a `kind`, text and booleans are nominal, and so are dictionaries
/// whatever their values; whole numbers with at most 20 distinct values are nominal, other
/// numbers numeric. The domain holds the labels that occur.
///
/// # Errors
/// Dates, times, bytes, lists, records and maps; an infinite number in a numeric column;
/// text or a boolean in a column that shall be numeric.
///
/// # Cost
/// One to three passes over the cells; beyond the column, memory for its distinct values.
///
/// # Example
/// ```
/// use std::sync::Arc;
///
/// use arrow_array::{ArrayRef, StringArray};
/// use bayesieve::data::column_from_arrow;
///
/// let cells: ArrayRef = Arc::new(StringArray::from(vec![Some("weak"), None, Some("strong")]));
/// let wind = column_from_arrow("wind", &[cells], None)?;
/// let nominal = wind.as_nominal().unwrap();
/// assert_eq!(nominal.domain.labels(), ["strong", "weak"]);
/// assert_eq!(nominal.codes.get(0), Some(1));
/// assert_eq!(wind.n_missing(), 1);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn column_from_arrow(
    name: &str,
    chunks: &[ArrayRef],
    kind: Option<ColumnKind>,
) -> Result<Column> {
    let n_rows = chunks.iter().map(|chunk| chunk.len()).sum();
    let request = Request {
        name,
        chunks,
        kind,
        n_rows,
    };
    request.column().map_err(|error| error.in_column(name))
}

/// What is asked for.
#[derive(Debug, Clone, Copy)]
struct Request<'a> {
    name: &'a str,
    chunks: &'a [ArrayRef],
    kind: Option<ColumnKind>,
    n_rows: usize,
}

impl<'a> Request<'a> {
    fn column(&self) -> Result<Column> {
        check_row_limit(self.n_rows as u64)?;
        let Some(first) = self.chunks.first() else {
            return Ok(self.empty_column());
        };
        let data_type = first.data_type();
        if self
            .chunks
            .iter()
            .any(|chunk| chunk.data_type() != data_type)
        {
            return Err(Error::internal(
                "the chunks of a column are of several types",
            ));
        }
        match data_type {
            DataType::Null => Ok(self.empty_column()),
            DataType::Boolean => text::booleans(self),
            DataType::Int8 => numbers::column::<Int8Type>(self),
            DataType::Int16 => numbers::column::<Int16Type>(self),
            DataType::Int32 => numbers::column::<Int32Type>(self),
            DataType::Int64 => numbers::column::<Int64Type>(self),
            DataType::UInt8 => numbers::column::<UInt8Type>(self),
            DataType::UInt16 => numbers::column::<UInt16Type>(self),
            DataType::UInt32 => numbers::column::<UInt32Type>(self),
            DataType::UInt64 => numbers::column::<UInt64Type>(self),
            DataType::Float16 => {
                let wider: Result<Vec<ArrayRef>> = self.chunks.iter().map(wider_floats).collect();
                let chunks = &wider?[..];
                numbers::column::<Float32Type>(&Request { chunks, ..*self })
            }
            DataType::Float32 => numbers::column::<Float32Type>(self),
            DataType::Float64 => numbers::column::<Float64Type>(self),
            DataType::Utf8 => text::column(self, &self.arrays(|c| c.as_string::<i32>())),
            DataType::LargeUtf8 => text::column(self, &self.arrays(|c| c.as_string::<i64>())),
            DataType::Utf8View => text::column(self, &self.arrays(|c| c.as_string_view())),
            DataType::Dictionary(key, _) => self.dictionary(key),
            decimal if decimal.is_decimal() => plain::column(self),
            other => Err(refused(other)),
        }
    }

    fn dictionary(&self, key: &DataType) -> Result<Column> {
        match key {
            DataType::Int8 => dictionary::column::<Int8Type>(self),
            DataType::Int16 => dictionary::column::<Int16Type>(self),
            DataType::Int32 => dictionary::column::<Int32Type>(self),
            DataType::Int64 => dictionary::column::<Int64Type>(self),
            DataType::UInt8 => dictionary::column::<UInt8Type>(self),
            DataType::UInt16 => dictionary::column::<UInt16Type>(self),
            DataType::UInt32 => dictionary::column::<UInt32Type>(self),
            DataType::UInt64 => dictionary::column::<UInt64Type>(self),
            other => Err(refused(other)),
        }
    }

    /// The chunks by their own type.
    fn arrays<A>(&self, typed: impl Fn(&'a ArrayRef) -> &'a A) -> Vec<&'a A> {
        self.chunks.iter().map(typed).collect()
    }

    /// The column without a value: nominal unless it shall be numeric.
    fn empty_column(&self) -> Column {
        let column = match self.kind {
            Some(ColumnKind::Numeric) => {
                let numbers = Values::Numeric(vec![f64::NAN; self.n_rows]);
                Column::new(self.name, numbers, KindOrigin::Declared)
            }
            _ => Column::empty(self.name, self.n_rows),
        };
        let origin = self.origin_or(column.origin());
        column.with_origin(origin)
    }

    /// Why the column has its kind: it was declared, or this.
    fn origin_or(&self, inferred: KindOrigin) -> KindOrigin {
        self.kind.map_or(inferred, |_| KindOrigin::Declared)
    }
}

/// Floats of 16 bits in 32, which hold them all: rare enough not to need a way of their own.
fn wider_floats(array: &ArrayRef) -> Result<ArrayRef> {
    let wider = cast(array, &DataType::Float32);
    wider.map_err(|error| unreadable(array.data_type(), Some(&error)))
}

/// The error for a type that holds neither labels nor numbers.
fn refused(data_type: &DataType) -> Error {
    if data_type.is_temporal() {
        return Error::data(format!("the type {data_type} is a date or a time")).with_hint(
            "Turn it into numbers such as days since a date, or into text such as the \
             weekday or month.",
        );
    }
    unreadable(data_type, None)
}

/// The error for a label in a column that shall be numeric; `row` is counted from 0.
fn not_a_number(label: &str, row: usize) -> Error {
    let text = quoted(label);
    Error::data(format!(
        "{text} is no number, but the column is declared numeric"
    ))
    .with_hint("Turn the column into numbers, or do not declare it numeric.")
    .at_row(row as u64 + 1)
}

#[cfg(test)]
#[cfg(feature = "parquet")]
mod tests;
