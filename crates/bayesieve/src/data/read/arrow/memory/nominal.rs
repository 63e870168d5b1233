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

/// Entries of a table that is looked into without asking where it ends.
const SMALL: usize = 256;

/// The codes of the entries of a table, in their width.
pub(super) enum Lookup<C> {
    /// Few entries: the place is cut to the size of the table. A place beyond the entries
    /// gives the code of some other, so every cell that is not under a gap must have one
    /// within.
    Small(Box<[C; SMALL]>),
    /// Many entries, and missing cells beyond them.
    Large(Vec<C>),
}

impl<C: Code> Lookup<C> {
    pub(super) fn new(table: &[Option<u32>]) -> Self {
        let codes = table
            .iter()
            .map(|entry| entry.map_or(C::MISSING, |code| C::from_index(code as usize)));
        if table.len() > SMALL {
            return Lookup::Large(codes.collect());
        }
        let mut small = Box::new([C::MISSING; SMALL]);
        small
            .iter_mut()
            .zip(codes)
            .for_each(|(entry, code)| *entry = code);
        Lookup::Small(small)
    }

    /// Writes the codes of an array, whose cells have these places in the table; `None`
    /// is a missing cell.
    pub(super) fn write<T: ArrowPrimitiveType>(
        &self,
        array: &PrimitiveArray<T>,
        codes: &mut Vec<C>,
        place: impl Fn(T::Native) -> Option<usize>,
    ) {
        match self {
            Lookup::Small(table) => write_cells(array, codes, C::MISSING, |cell| {
                place(cell).map_or(C::MISSING, |place| table[place % SMALL])
            }),
            Lookup::Large(table) => write_cells(array, codes, C::MISSING, |cell| {
                let code = place(cell).and_then(|place| table.get(place));
                code.copied().unwrap_or(C::MISSING)
            }),
        }
    }
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
