//! Rows of a table that is too large to be held whole.

use std::ops::Range;

/// Some rows of a table and one for all other combinations of the parents' values.
///
/// Most cells of a row are what smoothing gives to a value that was not seen: a number that
/// all rows share, divided by one of the row's own. Only the others are held, so that the
/// table of two columns of thousands of values takes no more memory than their counts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SparseRows {
    /// The row of every combination that is not held.
    default: Vec<f64>,
    /// By state: what a cell that is not held has, times its row's divisor.
    rest: Vec<f64>,
    n_parents: usize,
    /// Parents' values of every row held, one behind the other, rising.
    values: Vec<u32>,
    divisors: Vec<f64>,
    /// Where the cells of every row end.
    ends: Vec<usize>,
    /// State and probability of the cells held, rising in every row.
    cells: Vec<(u32, f64)>,
}

impl SparseRows {
    /// Without any row yet.
    pub(super) fn new(default: Vec<f64>, rest: Vec<f64>, n_parents: usize) -> Self {
        SparseRows {
            default,
            rest,
            n_parents,
            values: Vec::new(),
            divisors: Vec::new(),
            ends: Vec::new(),
            cells: Vec::new(),
        }
    }

    /// Adds a row behind the others; its combination must rise.
    pub(super) fn push(
        &mut self,
        values: &[u32],
        divisor: f64,
        cells: impl IntoIterator<Item = (u32, f64)>,
    ) {
        self.values.extend(values);
        self.divisors.push(divisor);
        self.cells.extend(cells);
        self.ends.push(self.cells.len());
    }

    /// The row of every combination that is not held.
    pub(super) fn default_row(&self) -> &[f64] {
        &self.default
    }

    /// Number of rows held.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The parents' values of a row.
    pub(super) fn values(&self, row: usize) -> &[u32] {
        &self.values[row * self.n_parents..(row + 1) * self.n_parents]
    }

    /// The row of a combination, `None` where it is not held.
    pub(super) fn find(&self, values: &[u32]) -> Option<usize> {
        let Range { mut start, mut end } = 0..self.len();
        while start < end {
            let middle = start + (end - start) / 2;
            match self.values(middle).cmp(values) {
                std::cmp::Ordering::Less => start = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => end = middle,
            }
        }
        None
    }

    /// One cell of a row.
    pub(super) fn probability(&self, row: usize, state: usize) -> f64 {
        let cells = self.cells(row);
        let found = cells.binary_search_by_key(&state, |&(state, _)| state as usize);
        found.map_or_else(|_| self.rest[state] / self.divisors[row], |at| cells[at].1)
    }

    /// Writes all cells of a row.
    pub(super) fn write(&self, row: usize, out: &mut [f64]) {
        for (cell, rest) in out.iter_mut().zip(&self.rest) {
            *cell = rest / self.divisors[row];
        }
        for &(state, p) in self.cells(row) {
            out[state as usize] = p;
        }
    }

    fn cells(&self, row: usize) -> &[(u32, f64)] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.cells[start..self.ends[row]]
    }
}
