//! Ranks of one row of values, with ties.

use super::moments::check_finite;
use crate::Result;

/// Which end of the scale is good, and so gets rank 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Better {
    /// Accuracy, log-likelihood.
    Higher,
    /// Error, number of features, time.
    Lower,
}

/// What equal values get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ties {
    /// The average of the ranks they fill together, as the Friedman test needs it.
    #[default]
    Average,
    /// The smallest of them ("competition ranking"): 1 2 2 4.
    Smallest,
}

/// The ranks of some values, 1 for the best.
///
/// Values that agree to ten decimals are equal.
///
/// # Errors
/// A value that is not finite.
///
/// # Example
/// ```
/// use bayesieve::stats::{ranks, Better, Ties};
///
/// let accuracies = [0.7, 0.9, 0.7, 0.8];
/// assert_eq!(ranks(&accuracies, Better::Higher, Ties::Average)?, [3.5, 1.0, 3.5, 2.0]);
/// assert_eq!(ranks(&accuracies, Better::Higher, Ties::Smallest)?, [3.0, 1.0, 3.0, 2.0]);
/// assert_eq!(ranks(&accuracies, Better::Lower, Ties::Average)?, [1.5, 4.0, 1.5, 3.0]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn ranks(values: &[f64], better: Better, ties: Ties) -> Result<Vec<f64>> {
    check_finite(values)?;
    let (groups, _) = grouped_ranks(&better.sort_keys(values));
    Ok(groups.iter().map(|group| group.rank(ties)).collect())
}

impl Better {
    /// Values that sort the best first, rounded so that float noise makes no order.
    pub(super) fn sort_keys(self, values: &[f64]) -> Vec<f64> {
        let sign = match self {
            Better::Higher => -1.0,
            Better::Lower => 1.0,
        };
        values.iter().map(|&value| sign * rounded(value)).collect()
    }
}

/// To ten decimals; numbers too large to have that many stay as they are.
fn rounded(value: f64) -> f64 {
    if value.abs() < 1e5 {
        (value * 1e10).round() / 1e10
    } else {
        value
    }
}

/// The place of a value in its row: first and last rank of its group of ties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GroupRank {
    first: u64,
    last: u64,
}

impl GroupRank {
    /// Twice the average rank, a whole number.
    pub(super) fn doubled_average(self) -> u64 {
        self.first + self.last
    }

    fn rank(self, ties: Ties) -> f64 {
        match ties {
            Ties::Average => self.doubled_average() as f64 / 2.0,
            Ties::Smallest => self.first as f64,
        }
    }
}

/// Ranks from the smallest value (1) up, and the sizes of the groups of equal values.
///
/// The values are not NaN.
pub(super) fn grouped_ranks(values: &[f64]) -> (Vec<GroupRank>, Vec<u64>) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut ranks = vec![GroupRank { first: 0, last: 0 }; values.len()];
    let mut sizes = Vec::new();
    let mut before = 0;
    for group in order.chunk_by(|&i, &j| values[i] == values[j]) {
        let size = group.len() as u64;
        for &position in group {
            ranks[position] = GroupRank {
                first: before + 1,
                last: before + size,
            };
        }
        before += size;
        sizes.push(size);
    }
    (ranks, sizes)
}

/// Sum of t^3 - t over groups of t ties.
pub(super) fn tie_sum(sizes: &[u64]) -> f64 {
    sizes
        .iter()
        .map(|&size| {
            let size = size as f64;
            (size - 1.0) * size * (size + 1.0)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_agree_to_ten_decimals_tie() {
        let row = [0.1 + 0.2, 0.3, 0.3 + 2e-10];
        let average = ranks(&row, Better::Lower, Ties::Average).unwrap();
        assert_eq!(average, [1.5, 1.5, 3.0]);
    }

    #[test]
    fn zeros_of_both_signs_tie() {
        let average = ranks(&[0.0, -0.0], Better::Higher, Ties::Average).unwrap();
        assert_eq!(average, [1.5, 1.5]);
    }

    #[test]
    fn tie_sums_add_over_groups() {
        // 2^3 - 2 = 6 and 3^3 - 3 = 24; single values add nothing.
        let (_, sizes) = grouped_ranks(&[1.0, 2.0, 1.0, 5.0, 5.0, 5.0]);
        assert_eq!(tie_sum(&sizes), 30.0);
    }

    #[test]
    fn values_that_are_not_finite_have_no_rank() {
        assert!(ranks(&[1.0, f64::NAN], Better::Higher, Ties::Average).is_err());
        assert_eq!(ranks(&[], Better::Higher, Ties::Average).unwrap().len(), 0);
    }
}
