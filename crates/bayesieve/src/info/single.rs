//! What one column tells about the class.

use super::{bits, ratio};
use crate::counts::CountTable;
use crate::math::{n_log_n, sum_n_log_n};

/// Entropies and information of one column and the class, in bits.
///
/// # Example
/// ```
/// use bayesieve::counts::{CountTable, Shape};
/// use bayesieve::info::SingleInformation;
///
/// // A column that says the class: value 0 in class 0, value 1 in class 1.
/// let shape = Shape { n_classes: 2, n_a: 2, n_b: 1 };
/// let table = CountTable::dense(shape, vec![4, 0, 0, 4])?;
/// let information = SingleInformation::new(&table);
/// assert_eq!(information.mutual, 1.0);
/// assert_eq!(information.symmetric_uncertainty(), 1.0);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SingleInformation {
    /// Number of rows counted.
    pub n_rows: u64,
    /// `H(A)`.
    pub feature_entropy: f64,
    /// `H(C)`, over the rows counted.
    pub class_entropy: f64,
    /// `H(A, C)`.
    pub joint_entropy: f64,
    /// `I(A; C)`: what the column tells about the class. Also called gain.
    pub mutual: f64,
}

impl SingleInformation {
    /// From the counts of one column given the class.
    pub fn new(table: &CountTable) -> Self {
        let shape = table.shape();
        let mut by_class = vec![0; shape.n_classes];
        let mut by_value = vec![0; shape.n_a];
        let mut both = 0.0;
        table.for_each(|cell, n| {
            by_class[cell.class] += n;
            by_value[cell.a] += n;
            both += n_log_n(n);
        });
        let n = by_class.iter().sum();
        let all = n_log_n(n);
        let (class, value) = (sum_n_log_n(&by_class), sum_n_log_n(&by_value));
        SingleInformation {
            n_rows: n,
            feature_entropy: bits(all - value, n),
            class_entropy: bits(all - class, n),
            joint_entropy: bits(all - both, n),
            mutual: bits(both - class - value + all, n),
        }
    }

    /// `H(C | A)`: what is left to know about the class.
    pub fn conditional_entropy(&self) -> f64 {
        (self.class_entropy - self.mutual).max(0.0)
    }

    /// `2 I(A; C) / (H(A) + H(C))`, 0 where both are constant.
    pub fn symmetric_uncertainty(&self) -> f64 {
        ratio(2.0 * self.mutual, self.feature_entropy + self.class_entropy)
    }

    /// `1 - I(A; C) / H(A, C)`: the normalized distance of López de Mántaras; 1 where
    /// the column tells nothing.
    pub fn distance(&self) -> f64 {
        1.0 - ratio(self.mutual, self.joint_entropy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Shape;

    #[test]
    fn a_constant_column_and_a_constant_class_give_zeros() {
        for (n_classes, n_a, cells) in [(2, 1, vec![3, 5]), (1, 2, vec![3, 5]), (1, 1, vec![0])] {
            let shape = Shape {
                n_classes,
                n_a,
                n_b: 1,
            };
            let information = SingleInformation::new(&CountTable::dense(shape, cells).unwrap());
            assert_eq!(information.mutual, 0.0);
            assert_eq!(information.symmetric_uncertainty(), 0.0);
            assert_eq!(information.distance(), 1.0);
        }
    }

    #[test]
    fn independent_columns_tell_exactly_nothing() {
        // 3:6 in both classes; floating sums would leave some 1e-16.
        let shape = Shape {
            n_classes: 2,
            n_a: 2,
            n_b: 1,
        };
        let table = CountTable::dense(shape, vec![3, 6, 7, 14]).unwrap();
        assert_eq!(SingleInformation::new(&table).mutual, 0.0);
    }
}
