//! Dictionary arrays: the labels are numbered once, the cells are looked up.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, UInt64Array};
use arrow_schema::DataType;

use super::numbers::{Number, check_finite};
use super::{Request, not_a_number, refused, widened};
use crate::data::read::arrow::Feed;
use crate::data::read::arrow::typed::is_text;
use crate::data::read::dictionary::Dictionary;
use crate::data::read::options::ColumnKind;
use crate::data::{Codes, Column, Domain, KindOrigin, Nominal, Values};
use crate::{Error, Result};

/// The column of cells that point into a dictionary.
pub(super) fn column(request: &Request<'_>) -> Result<Column> {
    let chunks: Vec<Pointers> = request
        .chunks
        .iter()
        .map(Pointers::new)
        .collect::<Result<_>>()?;
    let values = match request.kind {
        Some(ColumnKind::Numeric) => Values::Numeric(numbers(&chunks)?),
        _ => Values::Nominal(nominal(&chunks)),
    };
    Ok(Column::new(request.name, values, KindOrigin::Declared))
}

/// Cells that point into a dictionary, and the labels of the entries that are used.
struct Pointers {
    keys: UInt64Array,
    labels: Vec<Option<String>>,
    are_numbers: bool,
}

impl Pointers {
    fn new(array: &ArrayRef) -> Result<Self> {
        let array = array.as_any_dictionary();
        let values = array.values();
        let mut is_used = vec![false; values.len()];
        let keys = checked_keys(array.keys(), &mut is_used)?;
        Ok(Pointers {
            keys,
            labels: labels(values, &is_used)?,
            are_numbers: values.data_type().is_numeric(),
        })
    }
}

/// The keys of an array, which come unchecked from other programs, and marks of the entries
/// that they use.
pub(super) fn checked_keys(keys: &dyn Array, is_used: &mut [bool]) -> Result<UInt64Array> {
    let beyond = || {
        Error::data("a cell points beyond its dictionary")
            .with_hint("Build the column again, or turn it into text.")
    };
    let keys = widened(keys, &DataType::UInt64).map_err(|_| beyond())?;
    let keys = keys.as_primitive::<UInt64Type>();
    for key in keys.iter().flatten() {
        *is_used.get_mut(key as usize).ok_or_else(beyond)? = true;
    }
    Ok(keys.clone())
}

fn nominal(chunks: &[Pointers]) -> Nominal {
    let mut dictionary = Dictionary::new();
    let mut entry = |label: &Option<String>| {
        let label = label.as_deref()?;
        let known = dictionary.find(label.as_bytes());
        Some(known.unwrap_or_else(|| dictionary.add(label)))
    };
    let tables: Vec<Vec<Option<u32>>> = chunks
        .iter()
        .map(|chunk| chunk.labels.iter().map(&mut entry).collect())
        .collect();
    let (domain, map) = Domain::sorted(dictionary.labels().map(str::to_owned).collect());
    let cells = chunks.iter().zip(&tables).flat_map(|(chunk, table)| {
        let code = |key: Option<u64>| Some(map[table[key? as usize]? as usize]);
        chunk.keys.iter().map(code)
    });
    Nominal::new(Codes::new(domain.n_values(), cells), domain)
}

/// Numbers behind the keys.
fn numbers(chunks: &[Pointers]) -> Result<Vec<f64>> {
    let mut numbers = Vec::new();
    for Pointers {
        keys,
        labels,
        are_numbers,
    } in chunks
    {
        let label = |key: Option<u64>| labels[key? as usize].as_deref();
        let mut cells = keys.iter().enumerate();
        if !are_numbers && let Some((row, label)) = cells.find_map(|(i, k)| Some((i, label(k)?))) {
            return Err(not_a_number(label, numbers.len() + row));
        }
        // The label of a number reads back as the same number.
        let number = |label: &Option<String>| label.as_ref()?.parse().ok();
        let table: Vec<Option<f64>> = labels.iter().map(number).collect();
        let cell = |key: Option<u64>| table[key? as usize];
        numbers.extend(keys.iter().map(|key| cell(key).unwrap_or(f64::NAN)));
    }
    check_finite(&numbers)?;
    Ok(numbers)
}

/// The labels of the entries of a dictionary that are used, `None` for null and NaN.
fn labels(values: &ArrayRef, is_used: &[bool]) -> Result<Vec<Option<String>>> {
    fn numbers<N: Number>(cells: impl Iterator<Item = Option<N>>) -> Vec<Option<String>> {
        let label = |cell: Option<N>| cell.filter(|x| !x.is_missing()).map(Number::label);
        cells.map(label).collect()
    }
    let data_type = values.data_type();
    if data_type.is_null() {
        return Ok(vec![None; values.len()]);
    }
    let is_plain = data_type.is_numeric() || is_text(data_type);
    let feed = Feed::of(data_type).filter(|_| is_plain);
    let feed = feed.ok_or_else(|| refused(data_type))?;
    let wide = widened(values, &feed.target())?;
    let mut labels = match feed {
        Feed::Integers => numbers(wide.as_primitive::<Int64Type>().iter()),
        Feed::Unsigned => numbers(wide.as_primitive::<UInt64Type>().iter()),
        Feed::Floats => numbers(wide.as_primitive::<Float64Type>().iter()),
        Feed::Text | Feed::NumbersAsText => {
            let texts = wide.as_string::<i64>().iter();
            texts.map(|text| text.map(str::to_owned)).collect()
        }
    };
    let entries = labels.iter_mut().zip(is_used);
    let unused = entries.filter(|(_, is_used)| !**is_used);
    unused.for_each(|(label, _)| *label = None);
    Ok(labels)
}
