//! Information from counts, in bits.
//!
//! All quantities are plug-in estimates: entropies of the observed frequencies, no
//! smoothing. Every one is a difference of sums `S = Σ n log2 n` over margins of one
//! table, so a table is walked once and all of its informations follow.
//!
//! - [`entropy`]: of a list of counts.
//! - [`SingleInformation`]: what one column tells about the class.
//! - [`PairInformation`]: what two columns tell about each other and the class.
//! - [`conditional_entropy`]: of the class given the parts of a joint table.
//! - [`Informations`], [`PairRows`]: all of these for a whole table, pairs on demand.
//! - [`Counted`]: a table whose rows are somewhere else.
//! - [`MutualInformations`]: what every two columns tell about each other, none of them the class.

mod counted;
mod informations;
mod mutual;
mod pair;
mod redundancy;
mod single;

#[cfg(test)]
pub(crate) use counted::testing;
pub use counted::{ColumnFacts, Counted};
pub use informations::{Informations, PairRows};
pub use mutual::MutualInformations;
pub use pair::PairInformation;
pub use redundancy::{is_redundant, price_bits};
pub use single::SingleInformation;

use crate::counts::JointCounts;
use crate::math::{n_log_n, sum_n_log_n};

/// Entropy of a list of counts, in bits.
///
/// # Example
/// ```
/// assert_eq!(bayesieve::info::entropy(&[4, 4]), 1.0);
/// assert_eq!(bayesieve::info::entropy(&[8, 0]), 0.0);
/// assert_eq!(bayesieve::info::entropy(&[]), 0.0);
/// ```
pub fn entropy(counts: &[u64]) -> f64 {
    let n = counts.iter().sum();
    bits(n_log_n(n) - sum_n_log_n(counts), n)
}

/// Entropy of the class given the part a row is in: `H(C | parts)`, in bits.
///
/// The information of a column given others is the difference of two such entropies,
/// of the partition without the column and with it.
///
/// # Example
/// ```
/// use bayesieve::counts::Partition;
/// use bayesieve::data::Codes;
/// use bayesieve::info::conditional_entropy;
///
/// let a = Codes::new(2, [0, 0, 1, 1].map(Some));
/// let class = Codes::new(2, [0, 1, 1, 1].map(Some));
/// let counts = Partition::whole(4).refine(&a, 2)?.count(&class, 2)?;
/// assert_eq!(conditional_entropy(&counts), 0.5); // one bit in half of the rows
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn conditional_entropy(counts: &JointCounts) -> f64 {
    let sum = counts
        .parts()
        .map(|part| n_log_n(part.iter().sum()) - sum_n_log_n(part))
        .sum();
    bits(sum, counts.n_rows())
}

/// A difference of sums over `n` rows as bits per row; what drowns in rounding is 0.
pub(crate) fn bits(difference: f64, n: u64) -> f64 {
    PerRow::new(n).bits(difference)
}

/// Turns differences of sums over the same rows into bits per row.
#[derive(Debug, Clone, Copy)]
struct PerRow {
    n: f64,
    noise: f64,
}

impl PerRow {
    fn new(n: u64) -> Self {
        let n = n as f64;
        // The sums are about n log2 n, so rounding leaves some epsilons of log2 n per row;
        // the smallest information that counts can hold is of the order 1/n^2.
        PerRow {
            n,
            noise: 64.0 * f64::EPSILON * n.max(1.0).log2(),
        }
    }

    /// What drowns in rounding is 0.
    fn bits(self, difference: f64) -> f64 {
        let bits = difference / self.n;
        // Written so that no rows at all, 0 / 0, are 0 too.
        if bits >= self.noise { bits } else { 0.0 }
    }
}

/// A ratio that is 0 where its denominator is.
pub(crate) fn ratio(numerator: f64, denominator: f64) -> f64 {
    if denominator > 0.0 {
        numerator / denominator
    } else {
        0.0
    }
}
