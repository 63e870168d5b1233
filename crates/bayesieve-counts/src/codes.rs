//! Nominal cells as small integers of the narrowest width that fits.

use crate::error::{Error, Result};

/// An integer that can hold a nominal cell; its largest value means "missing".
pub trait Code: Copy + Eq + Ord + Send + Sync + 'static {
    /// The code of a missing cell. It lies outside every domain.
    const MISSING: Self;
    /// The code as an index; a missing cell gives the largest one of the width.
    fn index(self) -> usize;
    /// The code of an index that is known to fit.
    fn from_index(index: usize) -> Self;
}

macro_rules! code {
    ($($width:ty),*) => {$(
        impl Code for $width {
            const MISSING: Self = <$width>::MAX;
            fn index(self) -> usize {
                self as usize
            }
            fn from_index(index: usize) -> Self {
                debug_assert!(index <= <$width>::MAX as usize);
                index as $width
            }
        }
    )*};
}
code!(u8, u16, u32);

/// One nominal column's cells.
///
/// `u8` holds up to 255 values, `u16` up to 65,535, `u32` the rest; the largest integer
/// of the width is a missing cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Codes {
    /// Up to 255 values.
    U8(Vec<u8>),
    /// Up to 65,535 values.
    U16(Vec<u16>),
    /// Up to 4,294,967,295 values.
    U32(Vec<u32>),
}

/// Runs the same expression over the cells of any width.
///
/// `codes` is a `&Codes`; inside, `$cells` is a slice of `u8`, `u16` or `u32`.
#[macro_export]
#[doc(hidden)]
macro_rules! with_codes {
    ($codes:expr, $cells:ident => $body:expr) => {
        match $codes {
            $crate::Codes::U8($cells) => $body,
            $crate::Codes::U16($cells) => $body,
            $crate::Codes::U32($cells) => $body,
        }
    };
}

impl Codes {
    /// Cells of the narrowest width for a domain of `n_values` values.
    ///
    /// # Example
    /// ```
    /// use bayesieve_counts::Codes;
    ///
    /// let codes = Codes::new(3, [Some(2), None, Some(0)]);
    /// assert!(matches!(codes, Codes::U8(_)));
    /// assert_eq!(codes.get(1), None);
    /// assert_eq!(codes.n_missing(), 1);
    /// ```
    pub fn new(n_values: usize, cells: impl IntoIterator<Item = Option<u32>>) -> Self {
        fn collect<C: Code>(cells: impl IntoIterator<Item = Option<u32>>) -> Vec<C> {
            cells
                .into_iter()
                .map(|cell| cell.map_or(C::MISSING, |code| C::from_index(code as usize)))
                .collect()
        }
        match n_values {
            0..=255 => Codes::U8(collect(cells)),
            256..=65_535 => Codes::U16(collect(cells)),
            _ => Codes::U32(collect(cells)),
        }
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        with_codes!(self, cells => cells.len())
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of a row, `None` where the cell is missing.
    ///
    /// # Panics
    /// If `row` is not below [`Codes::len`].
    #[inline]
    pub fn get(&self, row: usize) -> Option<u32> {
        fn one<C: Code>(cell: C) -> Option<u32> {
            (cell != C::MISSING).then(|| cell.index() as u32)
        }
        with_codes!(self, cells => one(cells[row]))
    }

    /// All cells in row order.
    pub fn iter(&self) -> impl Iterator<Item = Option<u32>> + '_ {
        (0..self.len()).map(|row| self.get(row))
    }

    /// Number of missing cells.
    pub fn n_missing(&self) -> usize {
        fn count<C: Code>(cells: &[C]) -> usize {
            // Few enough cells at a time for sums in bytes, sixteen of them or more at once.
            let in_run = |run: &[C]| run.iter().map(|&c| u8::from(c == C::MISSING)).sum::<u8>();
            cells.chunks(240).map(|run| usize::from(in_run(run))).sum()
        }
        with_codes!(self, cells => count(cells))
    }

    /// The cells of the given rows, in their order.
    ///
    /// # Panics
    /// If a row is not below [`Codes::len`].
    #[must_use]
    pub fn take(&self, rows: &[u32]) -> Self {
        fn gather<C: Code>(cells: &[C], rows: &[u32]) -> Vec<C> {
            rows.iter().map(|&row| cells[row as usize]).collect()
        }
        match self {
            Codes::U8(cells) => Codes::U8(gather(cells, rows)),
            Codes::U16(cells) => Codes::U16(gather(cells, rows)),
            Codes::U32(cells) => Codes::U32(gather(cells, rows)),
        }
    }

    /// Whether the cells of another column take as many bytes.
    pub fn is_as_wide_as(&self, other: &Codes) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Adds the cells of a column of the same width.
    ///
    /// # Errors
    /// A column of another width.
    pub fn append(&mut self, other: &Codes) -> Result<()> {
        match (self, other) {
            (Codes::U8(cells), Codes::U8(more)) => cells.extend_from_slice(more),
            (Codes::U16(cells), Codes::U16(more)) => cells.extend_from_slice(more),
            (Codes::U32(cells), Codes::U32(more)) => cells.extend_from_slice(more),
            _ => return Err(Error::internal("codes of two widths in one column")),
        }
        Ok(())
    }

    /// Two columns as one: `a * n_b + b` in every row for a column of `n_a` and one of `n_b`
    /// values, missing where either cell is.
    ///
    /// # Panics
    /// If there are more combinations than the widest code can number.
    pub fn joined((a, n_a): (&Codes, usize), (b, n_b): (&Codes, usize)) -> Codes {
        fn join<A: Code, B: Code, J: Code>(a: &[A], b: &[B], n_b: usize) -> Vec<J> {
            let join = |(&a, &b): (&A, &B)| {
                if a == A::MISSING || b == B::MISSING {
                    J::MISSING
                } else {
                    J::from_index(a.index() * n_b + b.index())
                }
            };
            a.iter().zip(b).map(join).collect()
        }
        /// In 16 bits, which the compiler multiplies in vectors.
        fn join_narrow<A: Code + Into<u16>>(a: &[A], b: &[u8], n_b: u16) -> Vec<u16> {
            let join = |(&a, &b): (&A, &u8)| {
                let joined = a.into().wrapping_mul(n_b).wrapping_add(u16::from(b));
                let is_missing = a == A::MISSING || b == u8::MISSING;
                if is_missing { u16::MISSING } else { joined }
            };
            a.iter().zip(b).map(join).collect()
        }
        let n_values = n_a.saturating_mul(n_b);
        assert!(
            n_values <= u32::MAX as usize,
            "{n_a} x {n_b} values in one column"
        );
        match (a, b) {
            // Nearly always so, and worth a loop that the compiler turns into vectors.
            (Codes::U8(a), Codes::U8(b)) if n_values <= usize::from(u8::MAX) => {
                let n_b = n_b as u8;
                let join = |(&a, &b): (&u8, &u8)| {
                    let joined = a.wrapping_mul(n_b).wrapping_add(b);
                    let is_missing = a == u8::MISSING || b == u8::MISSING;
                    if is_missing { u8::MISSING } else { joined }
                };
                Codes::U8(a.iter().zip(b).map(join).collect())
            }
            (Codes::U8(a), Codes::U8(b)) if n_values <= usize::from(u16::MAX) => {
                Codes::U16(join_narrow(a, b, n_b as u16))
            }
            (Codes::U16(a), Codes::U8(b)) if (256..=65_535).contains(&n_values) => {
                Codes::U16(join_narrow(a, b, n_b as u16))
            }
            _ => with_codes!(a, a => with_codes!(b, b => match n_values {
                0..=255 => Codes::U8(join(a, b, n_b)),
                256..=65_535 => Codes::U16(join(a, b, n_b)),
                _ => Codes::U32(join(a, b, n_b)),
            })),
        }
    }

    /// The same cells under other codes: `map[old] = new`, for a domain of `n_values`.
    ///
    /// Missing cells get `missing`, which is how a gap becomes a value of its own.
    #[must_use]
    pub fn recode(&self, map: &[u32], n_values: usize, missing: Option<u32>) -> Self {
        if let Codes::U8(cells) = self
            && n_values <= usize::from(u8::MAX)
        {
            // Nearly every column: one look into a small table a cell.
            let mut table = [missing.map_or(u8::MISSING, |code| code as u8); 256];
            for (entry, &code) in table.iter_mut().zip(map) {
                *entry = code as u8;
            }
            return Codes::U8(cells.iter().map(|&cell| table[usize::from(cell)]).collect());
        }
        Codes::new(
            n_values,
            self.iter()
                .map(|cell| cell.map(|code| map[code as usize]).or(missing)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_leaves_room_for_the_missing_code() {
        let widths = [(1, 1), (255, 1), (256, 2), (65_535, 2), (65_536, 4)];
        for (n_values, bytes) in widths {
            let codes = Codes::new(n_values, [Some(n_values as u32 - 1), None]);
            assert_eq!(with_codes!(&codes, c => size_of_val(&c[0])), bytes);
            assert_eq!(codes.get(0), Some(n_values as u32 - 1), "{n_values} values");
            assert_eq!(codes.get(1), None, "{n_values} values");
        }
    }

    #[test]
    fn joined_columns_number_the_combinations() {
        // Up to 255 values in a byte, then in two, then in four.
        for (n_a, n_b) in [(2, 3), (90, 3), (300, 2), (2, 300), (300, 300)] {
            let a = Codes::new(n_a, [Some(1), None, Some(0), Some(n_a as u32 - 1)]);
            let b = Codes::new(n_b, [Some(1), Some(0), None, Some(n_b as u32 - 1)]);
            let last = (n_a * n_b) as u32 - 1;
            let expected = [Some(n_b as u32 + 1), None, None, Some(last)];
            let joined = Codes::joined((&a, n_a), (&b, n_b));
            assert_eq!(joined, Codes::new(n_a * n_b, expected), "{n_a} x {n_b}");
        }
    }

    #[test]
    fn recoding_turns_gaps_into_a_value() {
        let codes = Codes::new(2, [Some(0), None, Some(1)]);
        let swapped = codes.recode(&[1, 0], 3, Some(2));
        assert_eq!(swapped, Codes::U8(vec![1, 2, 0]));
    }
}
