//! Wilcoxon's signed rank test: the paired comparison that needs no normal law.
//!
//! Paper: Wilcoxon, 1945. Zero differences are dropped, the others ranked by size with
//! average ranks for ties; W+ and W- are the rank sums of the positive and of the
//! negative ones. Differences are rounded to 1e-9 first, or float noise would make
//! false non-zeros and break ties.
//! Cost: exact O(n^3), at most 20 differences by default; otherwise O(n log n).

use super::paired::{Alternative, Differences};
use super::ranks::{grouped_ranks, tie_sum};
use super::tail::{Tail, upper_normal};
use crate::{Error, Result};

/// Up to this many differences `Auto` is exact.
const LARGEST_AUTO: usize = 20;
/// Up to this many the number of sign patterns fits a `u64`.
const LARGEST_EXACT: usize = 63;

/// How the p-value of a signed rank test is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum WilcoxonMethod {
    /// Exact up to 20 differences other than 0, normal beyond.
    #[default]
    Auto,
    /// By counting all sign patterns; up to 63 differences.
    Exact,
    /// By the normal approximation with tie correction.
    Normal,
    /// The same, moved by half a rank towards the mean.
    NormalContinuity,
}

/// The outcome of a signed rank test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WilcoxonTest {
    /// Number of differences other than 0.
    pub n: usize,
    /// Rank sum of the positive differences.
    pub w_plus: f64,
    /// Rank sum of the negative differences.
    pub w_minus: f64,
    /// The smaller rank sum, standardized; never positive; `None` if exact.
    pub z: Option<f64>,
    /// Probability of rank sums at least as extreme, under "no difference".
    pub p: f64,
    /// Natural logarithm of `p`.
    pub ln_p: f64,
}

/// The signed rank test of `a` against `b`.
///
/// # Errors
/// Samples of different lengths, no value at all, a value that is not finite, or more
/// than 63 differences for [`WilcoxonMethod::Exact`].
///
/// # Example
/// ```
/// use bayesieve::stats::{wilcoxon, Alternative, WilcoxonMethod};
///
/// let a = [0.80, 0.82, 0.78, 0.81, 0.79, 0.83, 0.80, 0.77, 0.82, 0.78];
/// let b = [0.78, 0.81, 0.78, 0.79, 0.80, 0.80, 0.78, 0.77, 0.80, 0.77];
/// let test = wilcoxon(&a, &b, Alternative::TwoSided, WilcoxonMethod::Auto)?;
/// assert_eq!((test.n, test.w_plus, test.w_minus), (8, 34.0, 2.0));
/// assert_eq!(test.p, 0.03125);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn wilcoxon(
    a: &[f64],
    b: &[f64],
    alternative: Alternative,
    method: WilcoxonMethod,
) -> Result<WilcoxonTest> {
    let differences = Differences::new(a, b)?;
    if a.is_empty() {
        return Err(Error::data("the signed rank test needs at least one pair"));
    }
    let signed = SignedRanks::new(&differences.values);
    let n = signed.doubled.len();
    let (tail, z) = match method {
        _ if n == 0 => (Tail::ONE, None),
        WilcoxonMethod::Exact if n > LARGEST_EXACT => {
            return Err(Error::usage(format!(
                "{n} differences are too many for the exact signed rank test, limit \
                 {LARGEST_EXACT}"
            ))
            .with_hint("Take the normal approximation."));
        }
        WilcoxonMethod::Exact => (signed.exact(alternative), None),
        WilcoxonMethod::Auto if n <= LARGEST_AUTO => (signed.exact(alternative), None),
        WilcoxonMethod::Auto | WilcoxonMethod::Normal => signed.normal(alternative, 0.0),
        WilcoxonMethod::NormalContinuity => signed.normal(alternative, 0.5),
    };
    Ok(WilcoxonTest {
        n,
        w_plus: signed.plus as f64 / 2.0,
        w_minus: signed.minus as f64 / 2.0,
        z,
        p: tail.p,
        ln_p: tail.ln_p,
    })
}

/// Ranks of the differences other than 0, doubled so that averages are whole.
struct SignedRanks {
    doubled: Vec<u64>,
    plus: u64,
    minus: u64,
    /// Sum of t^3 - t over groups of t ties.
    ties: f64,
}

impl SignedRanks {
    fn new(differences: &[f64]) -> Self {
        let mut kept: Vec<f64> = differences.iter().map(|&d| rounded(d)).collect();
        kept.retain(|&d| d != 0.0);
        let sizes: Vec<f64> = kept.iter().map(|d| d.abs()).collect();
        let (ranks, groups) = grouped_ranks(&sizes);
        let doubled: Vec<u64> = ranks.iter().map(|rank| rank.doubled_average()).collect();
        let signs = kept.iter().zip(&doubled);
        let (mut plus, mut minus) = (0, 0);
        for (&difference, &rank) in signs {
            if difference > 0.0 {
                plus += rank;
            } else {
                minus += rank;
            }
        }
        SignedRanks {
            doubled,
            plus,
            minus,
            ties: tie_sum(&groups),
        }
    }

    /// Counts the sign patterns by the rank sum they give; each has probability 2^-n.
    fn exact(&self, alternative: Alternative) -> Tail {
        let total = (self.plus + self.minus) as usize;
        let mut patterns = vec![0u64; total + 1];
        patterns[0] = 1;
        let mut reached = 0;
        for &rank in &self.doubled {
            let rank = rank as usize;
            reached += rank;
            for sum in (rank..=reached).rev() {
                patterns[sum] += patterns[sum - rank];
            }
        }
        // Both rank sums have the same distribution, so "at most the other side's sum"
        // is the upper tail of either.
        let at_most = |sum: u64| {
            let count: u64 = patterns[..=sum as usize].iter().sum();
            let ln_all = self.doubled.len() as f64 * std::f64::consts::LN_2;
            let n = self.doubled.len() as i32;
            Tail {
                p: count as f64 * 0.5f64.powi(n),
                ln_p: (count as f64).ln() - ln_all,
            }
        };
        match alternative {
            Alternative::TwoSided => at_most(self.plus.min(self.minus)).two_sided(),
            Alternative::Greater => at_most(self.minus),
            Alternative::Less => at_most(self.plus),
        }
    }

    fn normal(&self, alternative: Alternative, correction: f64) -> (Tail, Option<f64>) {
        let n = self.doubled.len() as f64;
        let sd = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - self.ties / 48.0).sqrt();
        // W+ minus its mean n (n+1) / 4, from doubled sums.
        let above = (self.plus as f64 - self.minus as f64) / 4.0;
        let nearer = (above.abs() - correction).max(0.0) / sd;
        let tail = match alternative {
            Alternative::TwoSided => upper_normal(nearer).two_sided(),
            Alternative::Greater => upper_normal((above - correction) / sd),
            Alternative::Less => upper_normal((-above - correction) / sd),
        };
        (tail, Some(-nearer))
    }
}

/// To nine decimals; numbers too large to have that many stay as they are.
fn rounded(difference: f64) -> f64 {
    if difference.abs() < 1e6 {
        (difference * 1e9).round() / 1e9
    } else {
        difference
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: [f64; 10] = [0.80, 0.82, 0.78, 0.81, 0.79, 0.83, 0.80, 0.77, 0.82, 0.78];
    const B: [f64; 10] = [0.78, 0.81, 0.78, 0.79, 0.80, 0.80, 0.78, 0.77, 0.80, 0.77];
    const ALTERNATIVES: [Alternative; 3] = [
        Alternative::TwoSided,
        Alternative::Greater,
        Alternative::Less,
    ];

    fn of(differences: &[f64], alternative: Alternative, method: WilcoxonMethod) -> WilcoxonTest {
        let zeros = vec![0.0; differences.len()];
        wilcoxon(differences, &zeros, alternative, method).unwrap()
    }

    #[test]
    fn the_worked_example_matches_exactly_and_by_the_normal_law() {
        // Differences .02 .01 0 .02 -.01 .03 .02 0 .02 .01: three of .01 share rank 2,
        // four of .02 rank 5.5, .03 has rank 8: W- = 2, W+ = 34.
        let exact = wilcoxon(&A, &B, Alternative::TwoSided, WilcoxonMethod::Auto).unwrap();
        assert_eq!((exact.n, exact.w_plus, exact.w_minus), (8, 34.0, 2.0));
        assert_eq!(exact.p, 0.03125);
        assert_eq!(exact.z, None);
        let normal = wilcoxon(&A, &B, Alternative::TwoSided, WilcoxonMethod::Normal).unwrap();
        assert!((normal.z.unwrap() + 2.279906).abs() < 5e-7);
        assert!((normal.p - 0.022613).abs() < 5e-7);
    }

    #[test]
    fn three_differences_can_be_counted_by_hand() {
        // Ranks 1 2 3, eight patterns; W- = 1: sums 0 and 1, one pattern each.
        let d = [-1.0, 2.0, 3.0];
        let p = |alternative| of(&d, alternative, WilcoxonMethod::Exact).p;
        assert_eq!(p(Alternative::Greater), 2.0 / 8.0);
        assert_eq!(p(Alternative::TwoSided), 4.0 / 8.0);
        // W+ = 5: all patterns but the one with all signs positive, sum 6.
        assert_eq!(p(Alternative::Less), 7.0 / 8.0);
    }

    #[test]
    fn dynamic_programming_counts_like_enumeration() {
        // Ties make half-integer ranks: sizes 1 1 2 2 2 3 4 4.
        let d = [1.0, -1.0, 2.0, -2.0, 2.0, 3.0, -4.0, 4.0];
        let ranks = [1.5, 1.5, 4.0, 4.0, 4.0, 6.0, 7.5, 7.5];
        let test = of(&d, Alternative::Greater, WilcoxonMethod::Exact);
        let mut count = 0;
        for pattern in 0..256u32 {
            let minus: f64 = (0..8)
                .filter(|i| pattern >> i & 1 == 1)
                .map(|i| ranks[i])
                .sum();
            count += u32::from(minus <= test.w_minus);
        }
        assert_eq!(test.w_minus, 13.0);
        assert_eq!(test.p, f64::from(count) / 256.0);
    }

    #[test]
    fn no_difference_at_all_has_p_one() {
        for alternative in ALTERNATIVES {
            let test = wilcoxon(&A, &A, alternative, WilcoxonMethod::Auto).unwrap();
            assert_eq!((test.n, test.p, test.ln_p), (0, 1.0, 0.0));
        }
        // Float noise is no difference either.
        let test = of(
            &[0.1 + 0.2 - 0.3],
            Alternative::TwoSided,
            WilcoxonMethod::Auto,
        );
        assert_eq!(test.n, 0);
    }

    #[test]
    fn exact_and_normal_come_together_for_many_differences() {
        let d: Vec<f64> = (1..=60)
            .map(|i| f64::from(i) * if i % 3 == 0 { -1.0 } else { 1.0 })
            .collect();
        for alternative in ALTERNATIVES {
            let exact = of(&d, alternative, WilcoxonMethod::Exact).p;
            let normal = of(&d, alternative, WilcoxonMethod::NormalContinuity).p;
            assert!((exact - normal).abs() < 2e-3, "{exact} and {normal}");
        }
        assert!(
            of(&d, Alternative::TwoSided, WilcoxonMethod::Auto)
                .z
                .is_some()
        );
    }

    #[test]
    fn the_continuity_correction_moves_towards_the_mean() {
        // n = 8: W = 2, mean 18, sd = 16/2.279906 = 7.017834; (2.5 - 18)/sd = -2.208659.
        let test = wilcoxon(
            &A,
            &B,
            Alternative::TwoSided,
            WilcoxonMethod::NormalContinuity,
        );
        assert!((test.unwrap().z.unwrap() + 2.208659).abs() < 5e-7);
    }

    #[test]
    fn bad_samples_are_errors() {
        let run = |a: &[f64], b: &[f64], method| wilcoxon(a, b, Alternative::TwoSided, method);
        assert!(run(&[], &[], WilcoxonMethod::Auto).is_err());
        assert!(run(&[1.0], &[], WilcoxonMethod::Auto).is_err());
        assert!(run(&[f64::NAN], &[0.0], WilcoxonMethod::Auto).is_err());
        let many: Vec<f64> = (1..=64).map(f64::from).collect();
        assert!(run(&many, &[0.0; 64], WilcoxonMethod::Exact).is_err());
        assert!(run(&many[..63], &[0.0; 63], WilcoxonMethod::Exact).is_ok());
    }
}
