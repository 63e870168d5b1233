//! Whole numbers and floats of any width: nominal where they are few, else copied.

use arrow_array::cast::AsArray;
use arrow_array::{ArrowPrimitiveType, PrimitiveArray};

use super::{Request, widened};
use crate::Result;
use crate::data::read::coded::{EXACT_INTEGERS, MAX_NOMINAL_INTEGERS};
use crate::data::read::dictionary::Slots;
use crate::data::read::encode::Problem;
use crate::data::read::fault::cell_error;
use crate::data::read::options::ColumnKind;
use crate::data::{Codes, Column, Domain, KindOrigin, Nominal, Values, format_number};

/// What the search for few whole numbers asks of a number.
pub(super) trait Number: Copy {
    /// Whether it stands for a missing cell.
    fn is_missing(self) -> bool {
        false
    }
    /// Whether it is finite and without a fraction.
    fn is_whole(self) -> bool {
        true
    }
    /// What tells it from every other number of its type; -0 is 0.
    fn bits(self) -> u64;
    /// As a cell of a numeric column: one zero, one NaN.
    fn cell(self) -> f64;
    /// As a label.
    fn label(self) -> String;
}

impl Number for i64 {
    fn bits(self) -> u64 {
        self as u64
    }
    fn cell(self) -> f64 {
        self as f64
    }
    fn label(self) -> String {
        self.to_string()
    }
}

impl Number for u64 {
    fn bits(self) -> u64 {
        self
    }
    fn cell(self) -> f64 {
        self as f64
    }
    fn label(self) -> String {
        self.to_string()
    }
}

impl Number for f64 {
    fn is_missing(self) -> bool {
        self.is_nan()
    }
    fn is_whole(self) -> bool {
        // By conversion, which is one instruction everywhere, unlike rounding.
        if self.abs() < EXACT_INTEGERS {
            (self as i64) as f64 == self
        } else {
            self.is_finite()
        }
    }
    fn bits(self) -> u64 {
        (self + 0.0).to_bits()
    }
    fn cell(self) -> f64 {
        if self.is_nan() { f64::NAN } else { self + 0.0 }
    }
    fn label(self) -> String {
        format_number(self)
    }
}

/// The column of numbers, all of which a wide type holds.
pub(super) fn column<T>(request: &Request<'_>) -> Result<Column>
where
    T: ArrowPrimitiveType,
    T::Native: Number,
{
    let chunks = request.chunks.iter().map(|chunk| {
        let wide = widened(chunk, &T::DATA_TYPE)?;
        Ok(wide.as_primitive::<T>().clone())
    });
    let chunks: Vec<PrimitiveArray<T>> = chunks.collect::<Result<_>>()?;
    let cells = || chunks.iter().flatten();
    let distinct = match request.kind {
        Some(ColumnKind::Numeric) => None,
        kind => Distinct::of(cells(), kind.is_none()),
    };
    let Some(Distinct { values, places }) = distinct else {
        let mut numbers = Vec::with_capacity(request.n_rows);
        numbers.extend(cells().map(|cell| cell.map_or(f64::NAN, Number::cell)));
        check_finite(&numbers)?;
        let origin = request.origin_or(KindOrigin::Numbers);
        return Ok(Column::new(request.name, Values::Numeric(numbers), origin));
    };
    if values.is_empty() {
        return Ok(request.empty_column());
    }
    let (domain, map) = Domain::sorted(values.into_iter().map(Number::label).collect());
    let code = |cell: Option<T::Native>| Some(map[places.find(cell?.bits())? as usize]);
    let codes = Codes::new(domain.n_values(), cells().map(code));
    let origin = request.origin_or(KindOrigin::FewIntegers);
    let values = Values::Nominal(Nominal::new(codes, domain));
    Ok(Column::new(request.name, values, origin))
}

/// Distinct numbers in order of first sight, and their places by their bits.
struct Distinct<N> {
    values: Vec<N>,
    places: Slots,
}

impl<N: Number> Distinct<N> {
    /// The numbers of a column, missing ones left out; `None` as soon as they are not `is_few`
    /// whole ones.
    fn of(cells: impl Iterator<Item = Option<N>>, is_few: bool) -> Option<Self> {
        let mut values = Vec::new();
        let mut places = Slots::default();
        for x in cells.flatten().filter(|x| !x.is_missing()) {
            if places.find(x.bits()).is_none() {
                places.insert(x.bits(), values.len() as u32);
                values.push(x);
                if is_few && (!x.is_whole() || values.len() > MAX_NOMINAL_INTEGERS) {
                    return None;
                }
            }
        }
        Some(Distinct { values, places })
    }
}

/// Refuses infinite numbers.
pub(super) fn check_finite(numbers: &[f64]) -> Result<()> {
    match numbers.iter().position(|x| x.is_infinite()) {
        Some(row) => {
            let text = format_number(numbers[row]);
            Err(cell_error(Problem::Infinite, text.as_bytes()).at_row(row as u64 + 1))
        }
        None => Ok(()),
    }
}
