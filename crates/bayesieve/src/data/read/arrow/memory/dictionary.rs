//! Dictionary arrays: the labels are numbered once, the cells are looked up.

use std::borrow::Cow;
use std::ops::ControlFlow;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, DictionaryArray};
use arrow_cast::cast;
use arrow_schema::DataType;

use super::nominal::{Lookup, WriteCodes, write_cells};
use super::numbers::{Key, Narrow, Number, check_finite, visit_valid};
use super::{Request, not_a_number, refused, unreadable, wider_floats};
use crate::data::read::dictionary::Dictionary;
use crate::data::read::options::ColumnKind;
use crate::data::{Code, Column, Domain, KindOrigin, Nominal, Values};
use crate::{Error, Result};

/// The column of cells that point into a dictionary.
pub(super) fn column<K: ArrowDictionaryKeyType>(request: &Request<'_>) -> Result<Column>
where
    K::Native: Key,
{
    let chunks: Vec<&DictionaryArray<K>> =
        request.chunks.iter().map(|c| c.as_dictionary()).collect();
    match request.kind {
        Some(ColumnKind::Numeric) => numeric(request, &chunks),
        _ => nominal(request, &chunks),
    }
}

/// The place of a key in its dictionary; one below 0 is far beyond the end.
#[inline]
fn place<N: Narrow>(key: N) -> usize {
    usize::try_from(key.widen().bits()).unwrap_or(usize::MAX)
}

/// Which entries of its dictionary an array uses.
fn used_entries<K: ArrowDictionaryKeyType>(array: &DictionaryArray<K>) -> Result<Vec<bool>>
where
    K::Native: Key,
{
    let n_entries = array.values().len();
    let mut is_used = vec![false; n_entries];
    let mut n_used = 0;
    let checked = visit_valid(array.keys(), |run| {
        if Key::is_any_beyond(run, n_entries) {
            return ControlFlow::Break(());
        }
        // Most columns use their whole dictionary within the first cells.
        if n_used < n_entries {
            for &key in run {
                let is_used = &mut is_used[place(key)];
                n_used += usize::from(!*is_used);
                *is_used = true;
            }
        }
        ControlFlow::Continue(())
    });
    match checked {
        ControlFlow::Continue(()) => Ok(is_used),
        ControlFlow::Break(()) => Err(Error::data("a cell points beyond its dictionary")
            .with_hint("Build the column again, or turn it into text.")),
    }
}

fn nominal<K: ArrowDictionaryKeyType>(
    request: &Request<'_>,
    chunks: &[&DictionaryArray<K>],
) -> Result<Column>
where
    K::Native: Key,
{
    let mut dictionary = Dictionary::new();
    let mut tables = Vec::with_capacity(chunks.len());
    for chunk in chunks {
        let label = labels(chunk.values())?;
        let entry = |(entry, is_used): (usize, bool)| {
            let label = if is_used { label(entry) } else { None }?;
            let known = dictionary.find(label.as_bytes());
            Some(known.unwrap_or_else(|| dictionary.add(&label)))
        };
        let used = used_entries(chunk)?;
        tables.push(used.into_iter().enumerate().map(entry).collect());
    }
    let (domain, map) = Domain::sorted(dictionary.labels().map(str::to_owned).collect());
    for entry in tables
        .iter_mut()
        .flat_map(|table: &mut Vec<_>| table.iter_mut())
    {
        *entry = entry.map(|code: u32| map[code as usize]);
    }
    let pointers = Pointers {
        chunks,
        tables,
        n_rows: request.n_rows,
    };
    let nominal = Nominal::new(pointers.codes(domain.n_values()), domain);
    Ok(Column::new(
        request.name,
        Values::Nominal(nominal),
        KindOrigin::Declared,
    ))
}

/// Cells that point into dictionaries, and the codes of the entries of each.
struct Pointers<'a, K: ArrowDictionaryKeyType> {
    chunks: &'a [&'a DictionaryArray<K>],
    tables: Vec<Vec<Option<u32>>>,
    n_rows: usize,
}

impl<K: ArrowDictionaryKeyType> WriteCodes for Pointers<'_, K>
where
    K::Native: Key,
{
    fn write<C: Code>(&self) -> Vec<C> {
        let mut codes = Vec::with_capacity(self.n_rows);
        for (chunk, table) in self.chunks.iter().zip(&self.tables) {
            Lookup::new(table).write(chunk.keys(), &mut codes, |key| Some(place(key)));
        }
        codes
    }
}

/// Numbers behind the keys.
fn numeric<K: ArrowDictionaryKeyType>(
    request: &Request<'_>,
    chunks: &[&DictionaryArray<K>],
) -> Result<Column>
where
    K::Native: Key,
{
    let mut numbers = Vec::with_capacity(request.n_rows);
    for chunk in chunks {
        let label = labels(chunk.values())?;
        let used = used_entries(chunk)?;
        if !chunk.values().data_type().is_numeric() {
            let first = chunk
                .keys()
                .iter()
                .enumerate()
                .find_map(|(row, key)| label(place(key?)).map(|label| (row, label)));
            if let Some((row, label)) = first {
                return Err(not_a_number(&label, numbers.len() + row));
            }
        }
        let entry = |(entry, is_used): (usize, bool)| match is_used.then(|| label(entry)).flatten()
        {
            // The label of a number reads back as the same number.
            Some(label) => label.parse().unwrap_or(f64::NAN),
            None => f64::NAN,
        };
        let table: Vec<f64> = used.into_iter().enumerate().map(entry).collect();
        write_cells(chunk.keys(), &mut numbers, f64::NAN, |key| {
            table.get(place(key)).copied().unwrap_or(f64::NAN)
        });
    }
    check_finite(&numbers)?;
    Ok(Column::new(
        request.name,
        Values::Numeric(numbers),
        KindOrigin::Declared,
    ))
}

/// The label of an entry of a dictionary, `None` where it is null or NaN.
type Labels<'a> = Box<dyn Fn(usize) -> Option<Cow<'a, str>> + 'a>;

/// How the entries of a dictionary are written.
fn labels(values: &ArrayRef) -> Result<Labels<'_>> {
    Ok(match values.data_type() {
        DataType::Utf8 => texts(values, |i| values.as_string::<i32>().value(i)),
        DataType::LargeUtf8 => texts(values, |i| values.as_string::<i64>().value(i)),
        DataType::Utf8View => texts(values, |i| values.as_string_view().value(i)),
        DataType::Boolean => texts(values, |i| {
            if values.as_boolean().value(i) {
                "true"
            } else {
                "false"
            }
        }),
        DataType::Null => Box::new(|_| None),
        DataType::Int8 => numbers::<Int8Type>(values),
        DataType::Int16 => numbers::<Int16Type>(values),
        DataType::Int32 => numbers::<Int32Type>(values),
        DataType::Int64 => numbers::<Int64Type>(values),
        DataType::UInt8 => numbers::<UInt8Type>(values),
        DataType::UInt16 => numbers::<UInt16Type>(values),
        DataType::UInt32 => numbers::<UInt32Type>(values),
        DataType::UInt64 => numbers::<UInt64Type>(values),
        DataType::Float16 => numbers::<Float32Type>(&wider_floats(values)?),
        DataType::Float32 => numbers::<Float32Type>(values),
        DataType::Float64 => numbers::<Float64Type>(values),
        decimal if decimal.is_decimal() => decimals(values)?,
        other => return Err(refused(other)),
    })
}

fn texts<'a>(values: &'a ArrayRef, text: impl Fn(usize) -> &'a str + 'a) -> Labels<'a> {
    Box::new(move |i| values.is_valid(i).then(|| Cow::Borrowed(text(i))))
}

fn numbers<'a, T>(values: &ArrayRef) -> Labels<'a>
where
    T: ArrowPrimitiveType,
    T::Native: Narrow,
{
    // A clone shares the cells.
    let values = values.as_primitive::<T>().clone();
    Box::new(move |i| {
        let number = values.is_valid(i).then(|| values.value(i).widen())?;
        (!number.is_missing()).then(|| Cow::Owned(number.label()))
    })
}

fn decimals<'a>(values: &ArrayRef) -> Result<Labels<'a>> {
    let texts = cast(values, &DataType::LargeUtf8)
        .map_err(|error| unreadable(values.data_type(), Some(&error)))?;
    let texts = texts.as_string::<i64>().clone();
    Ok(Box::new(move |i| {
        texts
            .is_valid(i)
            .then(|| Cow::Owned(texts.value(i).to_owned()))
    }))
}
