//! Counts of the combinations of several columns' values.

use std::borrow::Cow;

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
    cells: Cells,
}

#[derive(Debug, Clone)]
pub(super) enum Cells {
    /// Every cell by its key.
    Dense(Vec<u64>),
    /// The cells that are not zero, by rising key.
    Sparse(Vec<(u64, u64)>),
}

/// Number of combinations; an error where a key would not fit.
pub(super) fn n_combinations(n_values: &[usize]) -> Result<u64> {
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
    pub fn from_cells(n_values: &[usize], mut cells: Vec<(u64, u64)>) -> Result<Self> {
        let n_cells = n_combinations(n_values)?;
        cells.sort_unstable();
        cells.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 += next.1;
            }
            is_same
        });
        if cells.last().is_some_and(|&(key, _)| key >= n_cells) {
            return Err(Error::internal("a combination outside its table"));
        }
        cells.retain(|&(_, n)| n > 0);
        Ok(JointTable {
            n_values: n_values.to_vec(),
            n_cells,
            cells: Cells::Sparse(cells),
        })
    }

    /// From all cells, by key.
    ///
    /// # Errors
    /// Another number of cells than combinations.
    pub fn from_dense(n_values: &[usize], cells: Vec<u64>) -> Result<Self> {
        let n_cells = n_combinations(n_values)?;
        if n_cells != cells.len() as u64 {
            return Err(Error::internal(format!(
                "{} cells for {n_cells} combinations",
                cells.len()
            )));
        }
        Ok(JointTable {
            n_values: n_values.to_vec(),
            n_cells,
            cells: Cells::Dense(cells),
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
        self.iter().map(|(_, n)| n).sum()
    }

    /// All cells by key, where there are at most so many.
    pub fn dense(&self, most: usize) -> Option<Cow<'_, [u64]>> {
        if self.n_cells > most as u64 {
            return None;
        }
        Some(match &self.cells {
            Cells::Dense(cells) => Cow::Borrowed(cells),
            Cells::Sparse(cells) => {
                let mut dense = vec![0; self.n_cells as usize];
                cells.iter().for_each(|&(key, n)| dense[key as usize] = n);
                Cow::Owned(dense)
            }
        })
    }

    /// The combinations that occur, by rising key, with their rows.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let (dense, sparse): (&[u64], &[(u64, u64)]) = match &self.cells {
            Cells::Dense(cells) => (cells, &[]),
            Cells::Sparse(cells) => (&[], cells),
        };
        let dense = (0..).zip(dense.iter().copied()).filter(|&(_, n)| n > 0);
        dense.chain(sparse.iter().copied())
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
