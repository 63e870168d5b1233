//! Whole numbers and floats of any width: nominal where they are few, else copied.

use std::ops::ControlFlow;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrowPrimitiveType, PrimitiveArray};

use super::Request;
use super::distinct::{Distinct, Rule};
use super::nominal::{Lookup, WriteCodes, write_cells};
use crate::data::read::coded::EXACT_INTEGERS;
use crate::data::read::encode::Problem;
use crate::data::read::fault::cell_error;
use crate::data::read::options::ColumnKind;
use crate::data::{Code, Column, Domain, KindOrigin, Nominal, Values, format_number};
use crate::{Error, Result};

/// A number of any width as one of three: `i64`, `u64` or `f64`.
pub(super) trait Narrow: Copy {
    /// The one that holds it.
    type Wide: Number;
    /// The same number.
    fn widen(self) -> Self::Wide;
}

macro_rules! narrow {
    ($($narrow:ty => $wide:ty),*) => {$(
        impl Narrow for $narrow {
            type Wide = $wide;
            #[inline]
            fn widen(self) -> $wide {
                <$wide>::from(self)
            }
        }
    )*};
}
narrow!(i8 => i64, i16 => i64, i32 => i64, i64 => i64, u8 => i64, u16 => i64, u32 => i64);
narrow!(u64 => u64, f32 => f64, f64 => f64);

/// What the search for few whole numbers asks of a number.
pub(super) trait Number: Copy + PartialEq {
    /// Whether it stands for a missing cell.
    fn is_missing(self) -> bool;
    /// Whether it is finite and without a fraction.
    fn is_whole(self) -> bool;
    /// The distance from a whole number to this one, fractions cut; very large where this
    /// one is below. Integers wrap around, here as in `after` and `before`.
    fn steps_from(self, least: Self) -> usize;
    /// The whole number that is so many steps above this one.
    fn after(self, steps: usize) -> Self;
    /// The whole number that is so many steps below this one, unless this one has a fraction
    /// or is too large to tell its neighbors apart.
    fn before(self, steps: usize) -> Option<Self>;
    /// What tells it from every other number of its type; -0 is 0.
    fn bits(self) -> u64;
    /// As a cell of a numeric column: one zero, one NaN.
    fn cell(self) -> f64;
    /// As a label.
    fn label(self) -> String;
}

/// A key of a dictionary.
pub(super) trait Key: Narrow {
    /// Whether some key is below 0, or not below the number of entries.
    fn is_any_beyond(keys: &[Self], n_entries: usize) -> bool;
}

macro_rules! key {
    ($($key:ty: $unsigned:ty),*) => {$(
        impl Key for $key {
            fn is_any_beyond(keys: &[Self], n_entries: usize) -> bool {
                let Some(last) = n_entries.checked_sub(1) else {
                    return !keys.is_empty();
                };
                // In the width of the keys, of which several are then compared in one step.
                let last = <$key>::try_from(last).unwrap_or(<$key>::MAX) as $unsigned;
                keys.iter().fold(false, |any, &key| any | (key as $unsigned > last))
            }
        }
    )*};
}
key!(i8: u8, i16: u16, i32: u32, i64: u64, u8: u8, u16: u16, u32: u32, u64: u64);

macro_rules! whole_number {
    ($($whole:ty),*) => {$(
        impl Number for $whole {
            fn is_missing(self) -> bool {
                false
            }
            fn is_whole(self) -> bool {
                true
            }
            #[inline]
            fn steps_from(self, least: Self) -> usize {
                usize::try_from(self.wrapping_sub(least) as u64).unwrap_or(usize::MAX)
            }
            fn after(self, steps: usize) -> Self {
                self.wrapping_add(steps as $whole)
            }
            fn before(self, steps: usize) -> Option<Self> {
                Some(self.wrapping_sub(steps as $whole))
            }
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
    )*};
}
whole_number!(i64, u64);

impl Number for f64 {
    fn is_missing(self) -> bool {
        self.is_nan()
    }
    #[inline]
    fn is_whole(self) -> bool {
        // By conversion, which is one instruction everywhere, unlike rounding.
        if self.abs() < EXACT_INTEGERS {
            (self as i64) as f64 == self
        } else {
            self.is_finite()
        }
    }
    #[inline]
    fn steps_from(self, least: Self) -> usize {
        // Exact for whole numbers that are near to each other.
        let steps = self - least;
        if steps >= 0.0 {
            steps as usize
        } else {
            usize::MAX
        }
    }
    fn after(self, steps: usize) -> Self {
        self + steps as f64
    }
    fn before(self, steps: usize) -> Option<Self> {
        let is_exact = self.abs() + (steps as f64) < EXACT_INTEGERS;
        (is_exact && self.is_whole()).then_some(self - steps as f64)
    }
    fn bits(self) -> u64 {
        (self + 0.0).to_bits()
    }
    #[inline]
    fn cell(self) -> f64 {
        if self.is_nan() { f64::NAN } else { self + 0.0 }
    }
    fn label(self) -> String {
        format_number(self)
    }
}

/// The column of numbers of a type.
pub(super) fn column<T>(request: &Request<'_>) -> Result<Column>
where
    T: ArrowPrimitiveType,
    T::Native: Narrow,
{
    let cells = Cells::<T>::of(request);
    let rule = match request.kind {
        Some(ColumnKind::Numeric) => return cells.numeric(request),
        Some(ColumnKind::Nominal) => Rule::All,
        None => Rule::FewWhole,
    };
    match Distinct::of(&cells, rule) {
        Some(distinct) if distinct.is_empty() => Ok(request.empty_column()),
        Some(distinct) => Ok(cells.nominal(request, &distinct)),
        None => cells.numeric(request),
    }
}

/// The arrays of a column.
pub(super) struct Cells<'a, T: ArrowPrimitiveType> {
    chunks: Vec<&'a PrimitiveArray<T>>,
    n_rows: usize,
}

impl<'a, T: ArrowPrimitiveType> Cells<'a, T>
where
    T::Native: Narrow,
{
    fn of(request: &Request<'a>) -> Self {
        Cells {
            chunks: request.chunks.iter().map(|c| c.as_primitive()).collect(),
            n_rows: request.n_rows,
        }
    }

    /// Shows the cells that are not null, some at a time and in their order, until told to
    /// stop.
    pub(super) fn visit(
        &self,
        mut visit: impl FnMut(&[T::Native]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.chunks
            .iter()
            .try_for_each(|chunk| visit_valid(chunk, &mut visit))
    }

    fn numeric(&self, request: &Request<'_>) -> Result<Column> {
        let mut numbers = Vec::with_capacity(self.n_rows);
        for chunk in &self.chunks {
            write_cells(chunk, &mut numbers, f64::NAN, |x| x.widen().cell());
        }
        check_finite(&numbers)?;
        let origin = request.origin_or(KindOrigin::Numbers);
        Ok(Column::new(request.name, Values::Numeric(numbers), origin))
    }

    fn nominal(&self, request: &Request<'_>, distinct: &Distinct<Wide<T>>) -> Column {
        let labels = distinct.values().map(Number::label).collect();
        let (domain, map) = Domain::sorted(labels);
        let codes = Found {
            cells: self,
            distinct,
            table: distinct.table(&map),
        };
        let nominal = Nominal::new(codes.codes(domain.n_values()), domain);
        let origin = request.origin_or(KindOrigin::FewIntegers);
        Column::new(request.name, Values::Nominal(nominal), origin)
    }
}

/// The wide form of an array's cells.
pub(super) type Wide<T> = <<T as ArrowPrimitiveType>::Native as Narrow>::Wide;

/// Cells and the codes of their distinct values.
struct Found<'a, T: ArrowPrimitiveType>
where
    T::Native: Narrow,
{
    cells: &'a Cells<'a, T>,
    distinct: &'a Distinct<Wide<T>>,
    table: Vec<Option<u32>>,
}

impl<T: ArrowPrimitiveType> WriteCodes for Found<'_, T>
where
    T::Native: Narrow,
{
    fn write<C: Code>(&self) -> Vec<C> {
        let table = Lookup::new(&self.table);
        let mut codes = Vec::with_capacity(self.cells.n_rows);
        for chunk in &self.cells.chunks {
            match self.distinct {
                Distinct::Near { least, .. } => table.write(chunk, &mut codes, |x| {
                    let x = x.widen();
                    (!x.is_missing()).then(|| x.steps_from(*least))
                }),
                Distinct::Apart { places, .. } => table.write(chunk, &mut codes, |x| {
                    let place = places.find(x.widen().bits());
                    place.map(|place| place as usize)
                }),
            }
        }
        codes
    }
}

/// Cells that are shown at a time: few enough that an early stop saves something, and that
/// the second loop over them finds them in the nearest cache.
const CELLS_AT_A_TIME: usize = 1_024;

/// Shows the cells of one array that are not null.
pub(super) fn visit_valid<T: ArrowPrimitiveType>(
    array: &PrimitiveArray<T>,
    mut visit: impl FnMut(&[T::Native]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let cells: &[T::Native] = array.values();
    match array.nulls() {
        None => cells.chunks(CELLS_AT_A_TIME).try_for_each(visit),
        Some(nulls) => nulls.valid_slices().try_for_each(|(start, end)| {
            cells[start..end]
                .chunks(CELLS_AT_A_TIME)
                .try_for_each(&mut visit)
        }),
    }
}

/// Refuses infinite numbers.
pub(super) fn check_finite(numbers: &[f64]) -> Result<()> {
    for (i, run) in numbers.chunks(CELLS_AT_A_TIME).enumerate() {
        // Without a way out of the loop, so that several are looked at in one step.
        if run.iter().fold(false, |any, x| any | x.is_infinite()) {
            let all = run.iter().zip(i * CELLS_AT_A_TIME..);
            let mut infinite = all.filter(|(x, _)| x.is_infinite());
            let (x, row) = infinite.next().unwrap_or((&f64::INFINITY, 0));
            return Err(infinite_number(*x, row));
        }
    }
    Ok(())
}

fn infinite_number(x: f64, row: usize) -> Error {
    cell_error(Problem::Infinite, format_number(x).as_bytes()).at_row(row as u64 + 1)
}
