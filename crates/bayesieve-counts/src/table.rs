//! A table of counts: one or two columns given the class.

use std::borrow::Cow;

use super::cells::CellCounts;
use super::pairs::is_pair_held_whole;
use crate::error::{Error, Result};

/// The extent of a [`CountTable`] along each of its axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Number of classes.
    pub n_classes: usize,
    /// Values of the first column.
    pub n_a: usize,
    /// Values of the second column; 1 for a table of one column.
    pub n_b: usize,
}

impl Shape {
    /// Two columns given the class; one where the second has one value.
    pub fn of(n_classes: usize, n_a: usize, n_b: usize) -> Self {
        Shape {
            n_classes,
            n_a,
            n_b,
        }
    }

    /// Number of cells, `None` where it does not fit.
    pub fn n_cells(&self) -> Option<u64> {
        [self.n_classes, self.n_a, self.n_b]
            .iter()
            .try_fold(1u64, |product, &n| product.checked_mul(n as u64))
    }

    fn has(&self, cell: Cell) -> bool {
        cell.class < self.n_classes && cell.a < self.n_a && cell.b < self.n_b
    }

    fn index(&self, cell: Cell) -> u64 {
        (cell.class as u64 * self.n_a as u64 + cell.a as u64) * self.n_b as u64 + cell.b as u64
    }

    fn cell(&self, index: u64) -> Cell {
        let (rest, b) = (index / self.n_b as u64, index % self.n_b as u64);
        let (class, a) = (rest / self.n_a as u64, rest % self.n_a as u64);
        Cell {
            class: class as usize,
            a: a as usize,
            b: b as usize,
        }
    }
}

/// A place in a [`CountTable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cell {
    /// The class.
    pub class: usize,
    /// The value of the first column.
    pub a: usize,
    /// The value of the second column; 0 in a table of one column.
    pub b: usize,
}

/// How many rows have each combination of class and one or two column values.
///
/// Two tables are equal when they count the same, whichever engine made them.
///
/// # Example
/// ```
/// use bayesieve_counts::{Cell, CountTable, Shape};
///
/// // Two classes, one column of three values: class 0 has 1, 2, 3 rows, class 1 has 4, 5, 6.
/// let shape = Shape { n_classes: 2, n_a: 3, n_b: 1 };
/// let table = CountTable::dense(shape, vec![1, 2, 3, 4, 5, 6])?;
/// assert_eq!(table.get(Cell { class: 1, a: 2, ..Cell::default() }), 6);
/// assert_eq!(table.n_rows(), 21);
/// # Ok::<(), bayesieve_counts::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct CountTable {
    shape: Shape,
    cells: CellCounts,
}

impl CountTable {
    /// From all cells in the order class, a, b (the last changes fastest).
    ///
    /// # Errors
    /// The number of cells is not that of the shape.
    pub fn dense(shape: Shape, cells: Vec<u64>) -> Result<Self> {
        if shape.n_cells() != Some(cells.len() as u64) {
            return Err(Error::internal(format!(
                "{} cells for a table of shape {shape:?}",
                cells.len()
            )));
        }
        Ok(CountTable {
            shape,
            cells: CellCounts::Dense(cells),
        })
    }

    /// From the indices of all rows' cells, in any order.
    ///
    /// # Errors
    /// So many cells that their indices do not fit 64 bits.
    pub fn from_keys(shape: Shape, keys: Vec<u64>) -> Result<Self> {
        if shape.n_cells().is_none() {
            return Err(
                Error::data(format!("a table of shape {shape:?} has too many cells")).with_hint(
                    "Leave out columns in which nearly every row has a value of its own.",
                ),
            );
        }
        Ok(CountTable {
            shape,
            cells: CellCounts::of_keys(keys),
        })
    }

    /// From the cells that are not zero with their indices.
    ///
    /// # Errors
    /// Indices that do not rise or lie outside the table.
    pub fn sparse(shape: Shape, cells: Vec<(u64, u64)>) -> Result<Self> {
        let rises = cells.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let last = cells.last().map_or(0, |&(index, _)| index);
        if !rises || shape.n_cells().is_none_or(|n_cells| n_cells.max(1) <= last) {
            return Err(Error::internal(format!(
                "cells outside a table of shape {shape:?}"
            )));
        }
        Ok(CountTable {
            shape,
            cells: CellCounts::Sparse(cells),
        })
    }

    /// The cells that are not zero with their indices, rising.
    pub fn indexed(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.cells.iter()
    }

    /// A dense table whose storage can be filled again and again.
    pub fn refill(&mut self, shape: Shape, cells: &[u64]) {
        let storage = self.storage(shape);
        storage.clear();
        storage.extend_from_slice(cells);
    }

    /// As [`CountTable::refill`], with zeros to be counted up in place.
    pub fn reset(&mut self, shape: Shape, n_cells: usize) -> &mut [u64] {
        let storage = self.storage(shape);
        storage.clear();
        storage.resize(n_cells, 0);
        storage
    }

    fn storage(&mut self, shape: Shape) -> &mut Vec<u64> {
        self.shape = shape;
        if let CellCounts::Sparse(_) = self.cells {
            self.cells = CellCounts::Dense(Vec::new());
        }
        match &mut self.cells {
            CellCounts::Dense(storage) => storage,
            CellCounts::Sparse(_) => unreachable!("made dense above"),
        }
    }

    /// The extents.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// All cells, where the table holds them all.
    pub fn as_dense(&self) -> Option<&[u64]> {
        match &self.cells {
            CellCounts::Dense(cells) => Some(cells),
            CellCounts::Sparse(_) => None,
        }
    }

    /// All cells, of a table of so few that they can be held.
    pub fn all_cells(&self) -> Cow<'_, [u64]> {
        self.cells
            .dense(self.shape.n_cells().unwrap_or_default() as usize)
    }

    /// Number of cells that are kept one by one, none where all are held.
    pub fn n_listed(&self) -> usize {
        match &self.cells {
            CellCounts::Dense(_) => 0,
            CellCounts::Sparse(cells) => cells.len(),
        }
    }

    /// The count of one cell.
    ///
    /// # Panics
    /// If the cell lies outside the table.
    pub fn get(&self, cell: Cell) -> u64 {
        assert!(
            self.shape.has(cell),
            "{cell:?} in a table of shape {:?}",
            self.shape
        );
        let index = self.shape.index(cell);
        match &self.cells {
            CellCounts::Dense(cells) => cells[index as usize],
            CellCounts::Sparse(cells) => cells
                .binary_search_by_key(&index, |&(index, _)| index)
                .map_or(0, |at| cells[at].1),
        }
    }

    /// Calls `visit` for every cell that is not zero, in the order class, a, b.
    pub fn for_each(&self, mut visit: impl FnMut(Cell, u64)) {
        match &self.cells {
            CellCounts::Dense(cells) => {
                let mut values = cells.iter();
                for class in 0..self.shape.n_classes {
                    for a in 0..self.shape.n_a {
                        for (b, &n) in values.by_ref().take(self.shape.n_b).enumerate() {
                            if n > 0 {
                                visit(Cell { class, a, b }, n);
                            }
                        }
                    }
                }
            }
            CellCounts::Sparse(cells) => {
                for &(index, n) in cells {
                    visit(self.shape.cell(index), n);
                }
            }
        }
    }

    /// Number of rows counted.
    pub fn n_rows(&self) -> u64 {
        self.cells.n_rows()
    }

    /// The same counts over all classes.
    pub fn over_classes(&self) -> Self {
        let shape = Shape {
            n_classes: 1,
            ..self.shape
        };
        let index = |cell: Cell| shape.index(Cell { class: 0, ..cell });
        let cells = if self.as_dense().is_some() {
            let mut out = vec![0; shape.n_cells().unwrap_or_default() as usize];
            self.for_each(|cell, n| out[index(cell) as usize] += n);
            CellCounts::Dense(out)
        } else {
            let mut parts = Vec::new();
            self.for_each(|cell, n| parts.push((index(cell), n)));
            CellCounts::of_cells(parts)
        };
        CountTable { shape, cells }
    }

    /// The same counts, laid out as a table of two columns of so many rows in memory is: sums
    /// over cells in another order differ in their last digits.
    #[must_use]
    pub fn laid_out(self, n_rows: u64) -> Self {
        let n_cells = self.shape.n_cells().unwrap_or(u64::MAX);
        let is_dense = self.as_dense().is_some();
        let is_whole = is_pair_held_whole(n_cells, n_rows);
        let cells = if is_whole == is_dense {
            self.cells
        } else if is_whole {
            CellCounts::Dense(self.cells.dense(n_cells as usize).into_owned())
        } else {
            CellCounts::Sparse(self.cells.iter().collect())
        };
        CountTable {
            shape: self.shape,
            cells,
        }
    }

    /// From cells in any order, each named once; laid out as [`CountTable::laid_out`] does.
    ///
    /// # Errors
    /// More cells than can be numbered.
    pub fn from_cells(
        shape: Shape,
        cells: impl Iterator<Item = (Cell, u64)>,
        n_rows: u64,
    ) -> Result<Self> {
        let empty = CountTable::from_keys(shape, Vec::new())?;
        let cells = cells.map(|(cell, n)| (shape.index(cell), n)).collect();
        let cells = CellCounts::of_cells(cells);
        Ok(CountTable { cells, ..empty }.laid_out(n_rows))
    }

    /// Adds the counts of a table of the same shape.
    ///
    /// # Errors
    /// The shapes differ.
    pub fn add(&mut self, other: &CountTable) -> Result<()> {
        if self.shape != other.shape {
            return Err(Error::internal(format!(
                "tables of shapes {:?} and {:?} cannot be added",
                self.shape, other.shape
            )));
        }
        self.cells.add(&other.cells);
        Ok(())
    }
}

impl Default for CountTable {
    /// A table without cells.
    fn default() -> Self {
        CountTable {
            shape: Shape {
                n_classes: 0,
                n_a: 0,
                n_b: 0,
            },
            cells: CellCounts::Dense(Vec::new()),
        }
    }
}

impl PartialEq for CountTable {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape && self.indexed().eq(other.indexed())
    }
}

impl Eq for CountTable {}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape {
        n_classes: 2,
        n_a: 2,
        n_b: 2,
    };

    /// Class 0 holds 1, 0, 2, 0; class 1 holds 3, 4, 0, 0: once dense, once sparse.
    fn both_kinds() -> [CountTable; 2] {
        let keys = vec![0, 2, 2, 4, 4, 4, 5, 5, 5, 5];
        [
            CountTable::dense(SHAPE, vec![1, 0, 2, 0, 3, 4, 0, 0]).unwrap(),
            CountTable::from_keys(SHAPE, keys).unwrap(),
        ]
    }

    #[test]
    fn dense_and_sparse_tables_compare_by_what_they_count() {
        let [dense, sparse] = both_kinds();
        assert_eq!(dense, sparse);
        assert_ne!(dense, sparse.over_classes());
    }

    #[test]
    fn counts_over_all_classes_are_sums() {
        for table in both_kinds() {
            let expected = CountTable::dense(Shape::of(1, 2, 2), vec![4, 4, 2, 0]).unwrap();
            assert_eq!(table.over_classes(), expected);
        }
    }

    #[test]
    fn adding_works_between_all_kinds() {
        for mut sum in both_kinds() {
            for other in both_kinds() {
                sum.add(&other).unwrap();
            }
            let cells = [3, 0, 6, 0, 9, 12, 0, 0];
            assert_eq!(sum, CountTable::dense(SHAPE, cells.to_vec()).unwrap());
        }
    }

    #[test]
    fn tables_of_two_shapes_are_not_added() {
        let [mut dense, sparse] = both_kinds();
        assert!(dense.add(&sparse.over_classes()).is_err());
    }
}
