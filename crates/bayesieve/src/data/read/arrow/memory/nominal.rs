//! Cells that are found in a table: their codes, or numbers, written one after the other.

use arrow_array::{Array, ArrowPrimitiveType, PrimitiveArray};

use crate::data::{Code, Codes};

/// Writes a value for every cell of an array; the cells under gaps may hold anything, and
/// `value` must bear it.
pub(super) fn write_cells<T: ArrowPrimitiveType, V: Copy>(
    array: &PrimitiveArray<T>,
    out: &mut Vec<V>,
    missing: V,
    value: impl Fn(T::Native) -> V,
) {
    let start = out.len();
    out.extend(array.values().iter().map(|&cell| value(cell)));
    let valid = array.nulls().map(|nulls| nulls.valid_slices());
    write_gaps(&mut out[start..], valid, missing);
}

/// Overwrites what stands between the runs that are valid; `None` means that all is.
pub(super) fn write_gaps<V: Copy>(
    cells: &mut [V],
    valid: Option<impl Iterator<Item = (usize, usize)>>,
    missing: V,
) {
    let Some(valid) = valid else { return };
    let mut end = 0;
    for (next_start, next_end) in valid {
        cells[end..next_start].fill(missing);
        end = next_end;
    }
    cells[end..].fill(missing);
}

/// The code of every entry of a table in the width of the codes.
pub(super) fn narrowed<C: Code>(table: &[Option<u32>]) -> Vec<C> {
    let code = |entry: &Option<u32>| entry.map_or(C::MISSING, |code| C::from_index(code as usize));
    table.iter().map(code).collect()
}

/// Writes the codes of a column in the narrowest width.
pub(super) trait WriteCodes {
    /// All codes in row order.
    fn write<C: Code>(&self) -> Vec<C>;

    /// The same for a domain of so many values.
    fn codes(&self, n_values: usize) -> Codes {
        match n_values {
            0..=255 => Codes::U8(self.write()),
            256..=65_535 => Codes::U16(self.write()),
            _ => Codes::U32(self.write()),
        }
    }
}
