//! Friedman's test: do several methods differ over several data sets?
//!
//! Paper: Demšar, 2006. With average ranks R_j of k methods over N data sets,
//! X2 = 12 N / (k (k+1)) (sum R_j^2 - k (k+1)^2 / 4) with k - 1 degrees of freedom,
//! divided by 1 - sum(t^3 - t) / (N (k^3 - k)) for ties; Iman and Davenport's
//! F = (N-1) X2 / (N (k-1) - X2), with k - 1 and (k-1)(N-1), is less conservative.
//! Cost: O(N k log k).

use super::beta::upper_f;
use super::moments::check_finite;
use super::ranks::{Better, Ties, grouped_ranks, ranks, tie_sum};
use super::tail::{Tail, upper_chi_square};
use crate::{Error, Result};

/// One value per data set and method, the methods of a data set side by side.
#[derive(Debug, Clone, Copy)]
pub struct Scores<'a> {
    values: &'a [f64],
    n_methods: usize,
    better: Better,
}

/// A statistic with the upper tail of its distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankTest {
    /// X2 or F; F is infinite where all data sets agree on the order.
    pub statistic: f64,
    /// Probability of a statistic at least as large, under "no difference".
    pub p: f64,
    /// Natural logarithm of `p`.
    pub ln_p: f64,
}

/// Friedman's statistic and Iman and Davenport's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FriedmanVariant {
    /// X2 with k - 1 degrees of freedom.
    pub chi_square: RankTest,
    /// F with k - 1 and (k - 1)(N - 1) degrees of freedom.
    pub iman_davenport: RankTest,
}

/// The outcome of Friedman's test.
#[derive(Debug, Clone, PartialEq)]
pub struct FriedmanTest {
    /// Average rank of each method, 1 for the best.
    pub mean_ranks: Vec<f64>,
    /// Ties left as they are.
    pub plain: FriedmanVariant,
    /// Corrected for ties.
    pub tie_corrected: FriedmanVariant,
}

impl<'a> Scores<'a> {
    /// Checks the shape.
    ///
    /// # Errors
    /// Fewer than two methods, no value, a number of values that is no whole number of
    /// data sets, or a value that is not finite.
    pub fn new(n_methods: usize, values: &'a [f64], better: Better) -> Result<Self> {
        if n_methods < 2 {
            return Err(Error::data(format!(
                "{n_methods} methods are too few to be compared by ranks"
            )));
        }
        if values.is_empty() || !values.len().is_multiple_of(n_methods) {
            return Err(Error::data(format!(
                "{} values do not fill data sets of {n_methods} methods",
                values.len()
            )));
        }
        check_finite(values)?;
        Ok(Scores {
            values,
            n_methods,
            better,
        })
    }

    /// Number of data sets.
    pub fn n_data_sets(&self) -> usize {
        self.values.len() / self.n_methods
    }

    /// The mean over data sets of each method's rank.
    ///
    /// # Example
    /// ```
    /// use bayesieve::stats::{Better, Scores, Ties};
    ///
    /// // Two data sets, three methods; fewer features are better.
    /// let scores = Scores::new(3, &[4.0, 2.0, 2.0, 9.0, 3.0, 5.0], Better::Lower)?;
    /// assert_eq!(scores.mean_ranks(Ties::Average), [3.0, 1.25, 1.75]);
    /// assert_eq!(scores.mean_ranks(Ties::Smallest), [3.0, 1.0, 1.5]);
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn mean_ranks(&self, ties: Ties) -> Vec<f64> {
        let mut sums = vec![0.0; self.n_methods];
        for row in self.values.chunks_exact(self.n_methods) {
            // Doubled ranks are whole, so the sums are exact in any order of data sets.
            let row = ranks(row, self.better, ties).expect("checked by Scores::new");
            for (sum, rank) in sums.iter_mut().zip(row) {
                *sum += rank;
            }
        }
        let n = self.n_data_sets() as f64;
        sums.iter().map(|sum| sum / n).collect()
    }

    /// Friedman's test of "all methods are equally good".
    ///
    /// Where every data set ties all methods, X2 = 0 and p = 1.
    ///
    /// # Errors
    /// Fewer than two data sets.
    ///
    /// # Example
    /// ```
    /// use bayesieve::stats::{Better, Scores};
    ///
    /// let accuracies = [
    ///     0.80, 0.82, 0.85, //
    ///     0.70, 0.71, 0.75, //
    ///     0.90, 0.88, 0.91, //
    ///     0.60, 0.66, 0.66, //
    ///     0.75, 0.74, 0.79, //
    ///     0.81, 0.83, 0.82,
    /// ];
    /// let test = Scores::new(3, &accuracies, Better::Higher)?.friedman()?;
    /// assert_eq!(test.mean_ranks[2], 1.25);
    /// assert!((test.plain.chi_square.statistic - 6.083333).abs() < 5e-7);
    /// assert!((test.plain.iman_davenport.p - 0.029139).abs() < 5e-7);
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn friedman(&self) -> Result<FriedmanTest> {
        let n_data_sets = self.n_data_sets();
        if n_data_sets < 2 {
            return Err(Error::data("one data set is too few for the Friedman test")
                .with_hint("Compare over at least two."));
        }
        let (n, k) = (n_data_sets as f64, self.n_methods as f64);
        let mut ties = 0.0;
        for row in self.values.chunks_exact(self.n_methods) {
            ties += tie_sum(&grouped_ranks(&self.better.sort_keys(row)).1);
        }
        let mean_ranks = self.mean_ranks(Ties::Average);
        // Sum of (2 N (R_j - (k+1)/2))^2, whole numbers.
        let spread: f64 = mean_ranks
            .iter()
            .map(|rank| (2.0 * n * rank).round() - n * (k + 1.0))
            .map(|deviation| deviation * deviation)
            .sum();
        let all = n * k * (k + 1.0) * (k - 1.0);
        let variant = |untied: f64| {
            // X2 = 3 spread (k-1) / untied, where untied is all, less the ties.
            let numerator = 3.0 * spread * (k - 1.0);
            Variant {
                numerator,
                untied,
                n,
                k,
            }
            .test()
        };
        Ok(FriedmanTest {
            plain: variant(all),
            tie_corrected: variant(all - ties),
            mean_ranks,
        })
    }
}

/// X2 as a quotient of whole numbers, so that full agreement is seen as such.
struct Variant {
    numerator: f64,
    untied: f64,
    n: f64,
    k: f64,
}

impl Variant {
    fn test(&self) -> FriedmanVariant {
        let (n, freedom) = (self.n, self.k - 1.0);
        if self.numerator == 0.0 {
            let nothing = RankTest::new(0.0, Tail::ONE);
            return FriedmanVariant {
                chi_square: nothing,
                iman_davenport: nothing,
            };
        }
        let chi_square = self.numerator / self.untied;
        let rest = n * freedom * self.untied - self.numerator;
        let f = (n - 1.0) * self.numerator / rest.max(0.0);
        FriedmanVariant {
            chi_square: RankTest::new(chi_square, upper_chi_square(chi_square, freedom)),
            iman_davenport: RankTest::new(f, upper_f(freedom / 2.0, freedom * (n - 1.0) / 2.0, f)),
        }
    }
}

impl RankTest {
    fn new(statistic: f64, tail: Tail) -> Self {
        RankTest {
            statistic,
            p: tail.p,
            ln_p: tail.ln_p,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKED: [f64; 18] = [
        0.80, 0.82, 0.85, 0.70, 0.71, 0.75, 0.90, 0.88, 0.91, 0.60, 0.66, 0.66, 0.75, 0.74, 0.79,
        0.81, 0.83, 0.82,
    ];

    fn assert_close(value: f64, expected: f64) {
        assert!((value - expected).abs() < 5e-7, "{value} is not {expected}");
    }

    #[test]
    fn six_data_sets_and_three_methods_give_the_worked_numbers() {
        // Ranks 3 2 1, 3 2 1, 2 3 1, 3 1.5 1.5, 2 3 1, 3 1 2: sums 16, 12.5, 7.5.
        // X2 = 2 (7.1111 + 4.3403 + 1.5625 - 12) 3 = 6.0833; one pair of ties: divisor
        // 1 - 6/144.
        let test = Scores::new(3, &WORKED, Better::Higher)
            .unwrap()
            .friedman()
            .unwrap();
        assert_close(test.mean_ranks[0], 2.666667);
        assert_close(test.mean_ranks[1], 2.083333);
        assert_close(test.mean_ranks[2], 1.25);
        assert_close(test.plain.chi_square.statistic, 6.083333);
        assert_close(test.plain.chi_square.p, 0.047755);
        assert_close(test.tie_corrected.chi_square.statistic, 6.347826);
        assert_close(test.tie_corrected.chi_square.p, 0.041840);
        assert_close(test.plain.iman_davenport.statistic, 5.140845);
        assert_close(test.plain.iman_davenport.p, 0.029139);
    }

    #[test]
    fn turning_the_scale_round_turns_the_ranks_round() {
        let higher = Scores::new(3, &WORKED, Better::Higher)
            .unwrap()
            .friedman()
            .unwrap();
        let lower = Scores::new(3, &WORKED, Better::Lower)
            .unwrap()
            .friedman()
            .unwrap();
        assert_eq!(higher.plain, lower.plain);
        assert_close(lower.mean_ranks[2], 4.0 - 1.25);
    }

    #[test]
    fn full_agreement_is_certain_by_f() {
        // Every data set orders the methods alike: X2 = N (k-1) = 14, F infinite.
        let values = [0.1, 0.2, 0.3].repeat(7);
        let test = Scores::new(3, &values, Better::Higher)
            .unwrap()
            .friedman()
            .unwrap();
        assert_eq!(test.plain.chi_square.statistic, 14.0);
        assert_eq!(test.plain.iman_davenport.statistic, f64::INFINITY);
        assert_eq!(test.plain.iman_davenport.p, 0.0);
        assert_eq!(test.plain, test.tie_corrected);
    }

    #[test]
    fn ties_everywhere_are_no_evidence() {
        let test = Scores::new(4, &[0.5; 12], Better::Lower)
            .unwrap()
            .friedman()
            .unwrap();
        assert_eq!(test.mean_ranks, [2.5; 4]);
        assert_eq!(test.tie_corrected.chi_square.p, 1.0);
        assert_eq!(test.tie_corrected.iman_davenport.p, 1.0);
    }

    #[test]
    fn shapes_that_cannot_be_ranked_are_errors() {
        assert!(Scores::new(1, &[1.0, 2.0], Better::Higher).is_err());
        assert!(Scores::new(2, &[], Better::Higher).is_err());
        assert!(Scores::new(2, &[1.0, 2.0, 3.0], Better::Higher).is_err());
        assert!(Scores::new(2, &[1.0, f64::NAN], Better::Higher).is_err());
        assert!(
            Scores::new(2, &[1.0, 2.0], Better::Higher)
                .unwrap()
                .friedman()
                .is_err()
        );
    }
}
