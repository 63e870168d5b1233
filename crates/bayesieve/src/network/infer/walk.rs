//! A walk over the cells of a table that keeps its place in other tables.

/// The cells to walk over, and the way to them in every table followed.
#[derive(Debug, Default)]
pub(super) struct Grid {
    /// Number of values of every digit, the last changing fastest.
    pub(super) dims: Vec<usize>,
    /// How far one more of a digit is in every table, digit by digit.
    pub(super) strides: Vec<usize>,
}

impl Grid {
    pub(super) fn n_cells(&self) -> usize {
        self.dims.iter().product()
    }
}

/// A place in a grid; its memory serves one grid after the other.
#[derive(Debug, Default)]
pub(super) struct Walk {
    digits: Vec<usize>,
    offsets: Vec<usize>,
}

impl Walk {
    /// Goes to the first cell of a grid over which `n_tables` tables are followed.
    pub(super) fn start(&mut self, grid: &Grid, n_tables: usize) {
        self.digits.clear();
        self.digits.resize(grid.dims.len(), 0);
        self.offsets.clear();
        self.offsets.resize(n_tables, 0);
    }

    pub(super) fn digits(&self) -> &[usize] {
        &self.digits
    }

    /// The place in every table.
    #[inline]
    pub(super) fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// Goes to the next cell, behind the last to the first.
    #[inline]
    pub(super) fn advance(&mut self, grid: &Grid) {
        let n_tables = self.offsets.len();
        for (place, &dim) in grid.dims.iter().enumerate().rev() {
            let strides = &grid.strides[place * n_tables..(place + 1) * n_tables];
            let moves = self.offsets.iter_mut().zip(strides);
            self.digits[place] += 1;
            if self.digits[place] < dim {
                moves.for_each(|(offset, stride)| *offset += stride);
                return;
            }
            self.digits[place] = 0;
            moves.for_each(|(offset, stride)| *offset -= (dim - 1) * stride);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_followed_over_all_cells() {
        // Digits a (2) and b (3); one table is over both, one over b alone.
        let grid = Grid {
            dims: vec![2, 3],
            strides: vec![3, 0, 1, 1],
        };
        let mut walk = Walk::default();
        walk.start(&grid, 2);
        let mut seen = Vec::new();
        for _ in 0..grid.n_cells() {
            seen.push((walk.digits().to_vec(), walk.offsets().to_vec()));
            walk.advance(&grid);
        }
        let cells = (0..2).flat_map(|a| (0..3).map(move |b| (a, b)));
        let expected: Vec<_> = cells
            .map(|(a, b)| (vec![a, b], vec![3 * a + b, b]))
            .collect();
        assert_eq!(seen, expected);
        assert_eq!(walk.offsets(), [0, 0]);
    }
}
