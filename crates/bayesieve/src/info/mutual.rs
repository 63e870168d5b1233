//! What every two columns tell about each other, counted once.

use super::Informations;
use crate::Observer;
use crate::Result;
use crate::data::Nominal;

/// The mutual information of every pair of columns, in bits.
///
/// For work in which every column is the class in turn: whoever is the class, the pairs
/// stay the same.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::Nominal;
/// use bayesieve::info::MutualInformations;
///
/// let a = Nominal::from_labels(["0", "0", "1", "1"].map(Some));
/// let b = Nominal::from_labels(["0", "1", "0", "1"].map(Some));
/// let info = MutualInformations::new(&[&a, &b, &a], &Silent)?;
/// assert_eq!(info.of(0), [1.0, 0.0, 1.0]); // a column tells all of itself
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MutualInformations {
    n_columns: usize,
    cells: Vec<f64>,
}

impl MutualInformations {
    /// Counts all pairs.
    ///
    /// # Errors
    /// Columns of different lengths, or the observer cancelled.
    ///
    /// # Cost
    /// All pair tables, O(n² N / 64); memory for n² numbers.
    pub fn new(columns: &[&Nominal], observer: &dyn Observer) -> Result<Self> {
        let n_columns = columns.len();
        let n_rows = columns.first().map_or(0, |column| column.codes.len());
        let one_class = Nominal::from_labels((0..n_rows).map(|_| Some("")));
        let info = Informations::new(columns, &one_class)?;
        let mut cells = vec![0.0; n_columns * n_columns];
        for (column, single) in info.singles().iter().enumerate() {
            cells[column * n_columns + column] = single.feature_entropy;
        }
        info.for_each_pair(
            &info.features(),
            observer,
            |pair| pair.mutual,
            |a, b, mutual| {
                cells[a * n_columns + b] = mutual;
                cells[b * n_columns + a] = mutual;
            },
        )?;
        Ok(MutualInformations { n_columns, cells })
    }

    /// Number of columns.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// What a column and each of the columns tell about each other; with itself, its entropy.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn of(&self, column: usize) -> &[f64] {
        &self.cells[column * self.n_columns..][..self.n_columns]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    #[test]
    fn a_pair_tells_the_same_both_ways_and_no_columns_tell_nothing() {
        let a = Nominal::from_labels(["x", "y", "z", "x", "x"].map(Some));
        let b = Nominal::from_labels(["0", "1", "1", "0", "1"].map(Some));
        let info = MutualInformations::new(&[&a, &b], &Silent).unwrap();
        let by_class = Informations::new(&[&a], &b).unwrap();
        assert_eq!(info.of(0)[1], info.of(1)[0]);
        assert!((info.of(0)[1] - by_class.single(0).mutual).abs() < 1e-12);
        // H(a) with 3, 1, 1 of 5: log2 5 - 3/5 log2 3.
        let entropy = 5f64.log2() - 0.6 * 3f64.log2();
        assert!((info.of(0)[0] - entropy).abs() < 1e-12);
        let none = MutualInformations::new(&[], &Silent).unwrap();
        assert_eq!(none.n_columns(), 0);
    }
}
