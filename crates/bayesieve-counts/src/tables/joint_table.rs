//! Counts of the combinations of several columns' values.

use std::borrow::Cow;

use crate::cells::CellCounts;
use crate::error::{Error, Result};

/// How many rows have each combination of some columns' values.
///
/// A combination's key is its place among all combinations, the first column changing
/// slowest. Two tables are equal when they count the same.
///
/// # Example
/// ```
/// use bayesieve_counts::JointTable;
///
/// // Two columns of 2 and 3 values: one row has values 0 and 2, two have 1 and 0.
/// let table = JointTable::from_cells(&[2, 3], vec![(3, 2), (2, 1)])?;
/// assert_eq!(table.values_of(3), [1, 0]);
/// assert_eq!(table.dense(6).unwrap()[..], [0, 0, 1, 2, 0, 0]);
/// assert_eq!(table.n_rows(), 3);
/// # Ok::<(), bayesieve_counts::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct JointTable {
    n_values: Vec<usize>,
    n_cells: u64,
    cells: CellCounts,
}

/// Number of combinations; an error where a key would not fit.
pub(crate) fn n_combinations(n_values: &[usize]) -> Result<u64> {
    let product = n_values
        .iter()
        .try_fold(1u64, |product, &n| product.checked_mul(n as u64));
    product.ok_or_else(|| {
        Error::data(format!(
            "a table of {} columns has too many cells to be numbered",
            n_values.len()
        ))
        .with_hint("Leave out columns of many values, or keep fewer features.")
    })
}

impl JointTable {
    /// From combinations by key with their rows, in any order; equal keys are added up.
    ///
    /// # Errors
    /// A key outside the table, or more combinations than keys.
    pub fn from_cells(n_values: &[usize], cells: Vec<(u64, u64)>) -> Result<Self> {
        JointTable::of(n_values, CellCounts::of_cells(cells))
    }

    /// From all cells, by key.
    ///
    /// # Errors
    /// Another number of cells than combinations.
    pub fn from_dense(n_values: &[usize], cells: Vec<u64>) -> Result<Self> {
        JointTable::of(n_values, CellCounts::Dense(cells))
    }

    pub(super) fn of(n_values: &[usize], cells: CellCounts) -> Result<Self> {
        let n_cells = n_combinations(n_values)?;
        let is_fit = match &cells {
            CellCounts::Dense(cells) => cells.len() as u64 == n_cells,
            CellCounts::Sparse(cells) => cells.last().is_none_or(|&(key, _)| key < n_cells),
        };
        if !is_fit {
            return Err(Error::internal(format!(
                "other cells than the {n_cells} of a table"
            )));
        }
        Ok(JointTable {
            n_values: n_values.to_vec(),
            n_cells,
            cells,
        })
    }

    /// Number of values of every column.
    pub fn n_values(&self) -> &[usize] {
        &self.n_values
    }

    /// Number of combinations there could be.
    pub fn n_cells(&self) -> u64 {
        self.n_cells
    }

    /// Number of rows counted.
    pub fn n_rows(&self) -> u64 {
        self.cells.n_rows()
    }

    /// All cells by key, where there are at most so many.
    pub fn dense(&self, max_cells: usize) -> Option<Cow<'_, [u64]>> {
        (self.n_cells <= max_cells as u64).then(|| self.cells.dense(self.n_cells as usize))
    }

    /// The combinations that occur, by rising key, with their rows.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.cells.iter()
    }

    /// The values of a combination, one per column.
    pub fn values_of(&self, key: u64) -> Vec<u32> {
        let mut rest = key;
        let mut values: Vec<u32> = self
            .n_values
            .iter()
            .rev()
            .map(|&n| {
                let value = rest % n.max(1) as u64;
                rest /= n.max(1) as u64;
                value as u32
            })
            .collect();
        values.reverse();
        values
    }
}

impl PartialEq for JointTable {
    fn eq(&self, other: &Self) -> bool {
        self.n_values == other.n_values && self.iter().eq(other.iter())
    }
}

impl Eq for JointTable {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_sparse_tables_compare_by_what_they_count() {
        let dense = JointTable::from_dense(&[2, 2], vec![0, 3, 0, 1]).unwrap();
        let sparse = JointTable::from_cells(&[2, 2], vec![(3, 1), (1, 1), (1, 2)]).unwrap();
        assert_eq!(dense, sparse);
        assert_eq!(sparse.dense(4).unwrap()[..], [0, 3, 0, 1]);
        assert!(sparse.dense(3).is_none());
        assert_ne!(
            dense,
            JointTable::from_dense(&[4], vec![0, 3, 0, 1]).unwrap()
        );
    }

    #[test]
    fn keys_outside_the_table_are_refused() {
        assert!(JointTable::from_cells(&[2, 2], vec![(4, 1)]).is_err());
        assert!(JointTable::from_dense(&[2, 2], vec![0; 3]).is_err());
        assert!(JointTable::from_cells(&[usize::MAX, 3], vec![]).is_err());
    }
}
