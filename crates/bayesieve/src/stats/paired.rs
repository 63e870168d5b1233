//! Paired t tests: is one method better than another on the same splits?
//!
//! t = mean(d) / (sd(d) sqrt(1/n)) with n - 1 degrees of freedom, d the differences.
//! Repeated random splits share training rows, which makes the plain test too eager;
//! Nadeau and Bengio (2003) replace 1/n by 1/n + test rows / training rows.

use super::moments::{check_finite, mean_sd};
use super::tail::{Tail, upper_t};
use crate::{Error, Result};

/// What is held against "no difference".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Alternative {
    /// The first sample differs from the second, either way.
    #[default]
    TwoSided,
    /// The first sample is larger.
    Greater,
    /// The first sample is smaller.
    Less,
}

impl Alternative {
    /// The p-value from the upper tail at a signed statistic of a symmetric law.
    pub(super) fn tail(self, statistic: f64, upper: impl Fn(f64) -> Tail) -> Tail {
        match self {
            Alternative::TwoSided => upper(statistic.abs()).two_sided(),
            Alternative::Greater => upper(statistic),
            Alternative::Less => upper(-statistic),
        }
    }
}

/// The outcome of a t test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TTest {
    /// Mean of the differences, first minus second.
    pub mean: f64,
    /// Their standard deviation, divisor n - 1.
    pub sd: f64,
    /// The statistic; infinite where equal differences other than 0 leave no spread.
    pub t: f64,
    /// Degrees of freedom.
    pub degrees_of_freedom: f64,
    /// Probability of a statistic at least as extreme, under "no difference".
    pub p: f64,
    /// Natural logarithm of `p`.
    pub ln_p: f64,
}

/// The paired t test of `a` against `b`.
///
/// Differences without spread decide by themselves: all 0 gives p = 1; all the same
/// gives p = 0, or 1 where they point away from a one-sided alternative.
///
/// # Errors
/// Samples of different lengths, of fewer than two values, or with a value that is not
/// finite.
///
/// # Example
/// ```
/// use bayesieve::stats::{paired_t, Alternative};
///
/// let a = [0.80, 0.82, 0.78, 0.81, 0.79, 0.83, 0.80, 0.77, 0.82, 0.78];
/// let b = [0.78, 0.81, 0.78, 0.79, 0.80, 0.80, 0.78, 0.77, 0.80, 0.77];
/// let test = paired_t(&a, &b, Alternative::TwoSided)?;
/// assert!((test.t - 3.086975).abs() < 5e-7);
/// assert!((test.p - 0.012993).abs() < 5e-7);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn paired_t(a: &[f64], b: &[f64], alternative: Alternative) -> Result<TTest> {
    let pairs = Differences::new(a, b)?;
    pairs.t_test(1.0 / a.len() as f64, alternative)
}

/// The paired t test corrected for overlapping training sets; `test_to_train` is the
/// number of test rows over the number of training rows of one split.
///
/// # Errors
/// As [`paired_t`], or a `test_to_train` that is negative or not finite.
///
/// # Example
/// ```
/// use bayesieve::stats::{corrected_t, paired_t, Alternative};
///
/// let (a, b) = ([0.9, 0.8, 0.9, 0.7], [0.8, 0.8, 0.7, 0.7]);
/// let plain = paired_t(&a, &b, Alternative::TwoSided)?;
/// // A third of the rows is held out: 1/4 becomes 1/4 + 1/2, three times as much.
/// let corrected = corrected_t(&a, &b, 0.5, Alternative::TwoSided)?;
/// assert!((corrected.t - plain.t / 3f64.sqrt()).abs() < 1e-12);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn corrected_t(
    a: &[f64],
    b: &[f64],
    test_to_train: f64,
    alternative: Alternative,
) -> Result<TTest> {
    if !(0.0..f64::INFINITY).contains(&test_to_train) {
        return Err(Error::usage(format!(
            "{test_to_train} test rows per training row: a number of at least 0 is needed"
        )));
    }
    let pairs = Differences::new(a, b)?;
    pairs.t_test(1.0 / a.len() as f64 + test_to_train, alternative)
}

/// Differences of two samples, and how large one can be by rounding alone.
pub(super) struct Differences {
    pub(super) values: Vec<f64>,
    noise: f64,
}

impl Differences {
    /// First minus second, checked.
    pub(super) fn new(a: &[f64], b: &[f64]) -> Result<Self> {
        if a.len() != b.len() {
            return Err(Error::data(format!(
                "{} values cannot be paired with {}",
                a.len(),
                b.len()
            )));
        }
        check_finite(a)?;
        check_finite(b)?;
        let values: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        check_finite(&values)?;
        let largest = a.iter().chain(b).fold(0.0, |m: f64, v| m.max(v.abs()));
        Ok(Differences {
            values,
            // A value of the size of `largest` is itself rounded to half an epsilon.
            noise: 4.0 * f64::EPSILON * largest,
        })
    }

    /// The value, or 0 where it is rounding alone.
    pub(super) fn without_noise(&self, value: f64) -> f64 {
        if value.abs() <= self.noise {
            0.0
        } else {
            value
        }
    }

    fn t_test(&self, variance_factor: f64, alternative: Alternative) -> Result<TTest> {
        let n = self.values.len();
        let sample = (n >= 2).then(|| mean_sd(&self.values)).transpose()?;
        let Some((mean, sd)) = sample.and_then(|s| s.sd.map(|sd| (s.mean, sd))) else {
            return Err(Error::data(format!("{n} pairs are too few for a t test"))
                .with_hint("Give at least two."));
        };
        let (mean, sd) = (self.without_noise(mean), self.without_noise(sd));
        let t = ratio(mean, sd * variance_factor.sqrt());
        let degrees_of_freedom = (n - 1) as f64;
        let tail = if mean == 0.0 && sd == 0.0 {
            Tail::ONE
        } else {
            alternative.tail(t, |t| upper_t_or_certain(t, degrees_of_freedom))
        };
        Ok(TTest {
            mean,
            sd,
            t,
            degrees_of_freedom,
            p: tail.p,
            ln_p: tail.ln_p,
        })
    }
}

/// `value / spread`, with 0 for 0/0.
pub(super) fn ratio(value: f64, spread: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value / spread }
}

/// The upper tail of t, where infinite values mean differences without spread.
pub(super) fn upper_t_or_certain(t: f64, degrees_of_freedom: f64) -> Tail {
    if t == f64::INFINITY {
        Tail::ZERO
    } else if t == f64::NEG_INFINITY {
        Tail::ONE
    } else {
        upper_t(t, degrees_of_freedom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: [f64; 10] = [0.80, 0.82, 0.78, 0.81, 0.79, 0.83, 0.80, 0.77, 0.82, 0.78];
    const B: [f64; 10] = [0.78, 0.81, 0.78, 0.79, 0.80, 0.80, 0.78, 0.77, 0.80, 0.77];

    fn assert_close(value: f64, expected: f64, tolerance: f64) {
        assert!(
            (value - expected).abs() < tolerance,
            "{value} is not {expected}"
        );
    }

    #[test]
    fn ten_folds_give_the_worked_numbers() {
        let test = paired_t(&A, &B, Alternative::TwoSided).unwrap();
        assert_close(test.mean, 0.012, 1e-15);
        assert_close(test.sd, 0.012293, 5e-7);
        assert_close(test.t, 3.086975, 5e-7);
        assert_close(test.p, 0.012993, 5e-7);
        assert_eq!(test.degrees_of_freedom, 9.0);
        let better = paired_t(&A, &B, Alternative::Greater).unwrap();
        assert_close(better.p, 0.006496, 5e-7);
        let worse = paired_t(&A, &B, Alternative::Less).unwrap();
        assert_close(worse.p, 1.0 - better.p, 1e-15);
    }

    #[test]
    fn equal_samples_have_p_one_against_every_alternative() {
        for alternative in [
            Alternative::TwoSided,
            Alternative::Greater,
            Alternative::Less,
        ] {
            let test = paired_t(&A, &A, alternative).unwrap();
            assert_eq!((test.t, test.p, test.ln_p), (0.0, 1.0, 0.0));
        }
    }

    #[test]
    fn one_constant_difference_is_certain() {
        // 0.82 - 0.80 and 0.81 - 0.79 differ in their last bit; that is no spread.
        let (a, b) = ([0.82, 0.81, 0.5], [0.80, 0.79, 0.48]);
        let p = |alternative| paired_t(&a, &b, alternative).unwrap().p;
        assert_eq!(p(Alternative::TwoSided), 0.0);
        assert_eq!(p(Alternative::Greater), 0.0);
        assert_eq!(p(Alternative::Less), 1.0);
        let test = paired_t(&a, &b, Alternative::TwoSided).unwrap();
        assert_eq!((test.sd, test.t), (0.0, f64::INFINITY));
    }

    #[test]
    fn rounding_alone_is_no_difference() {
        // 0.1 + 0.2 is not 0.3 in binary.
        let test = paired_t(&[0.1 + 0.2, 0.3], &[0.3, 0.3], Alternative::TwoSided).unwrap();
        assert_eq!((test.mean, test.sd, test.p), (0.0, 0.0, 1.0));
    }

    #[test]
    fn no_overlap_makes_the_corrected_test_the_plain_one() {
        let plain = paired_t(&A, &B, Alternative::TwoSided).unwrap();
        let corrected = corrected_t(&A, &B, 0.0, Alternative::TwoSided).unwrap();
        assert_eq!(plain, corrected);
        // 1/10 + 1/2 is six times 1/10: t = 3.086975 / sqrt 6 = 1.260252.
        let corrected = corrected_t(&A, &B, 0.5, Alternative::TwoSided).unwrap();
        assert_close(corrected.t, 1.260252, 5e-7);
    }

    #[test]
    fn bad_samples_are_errors() {
        let two_sided = Alternative::TwoSided;
        assert!(paired_t(&[], &[], two_sided).is_err());
        assert!(paired_t(&[1.0], &[2.0], two_sided).is_err());
        assert!(paired_t(&[1.0, 2.0], &[2.0], two_sided).is_err());
        assert!(paired_t(&[1.0, f64::NAN], &[2.0, 1.0], two_sided).is_err());
        assert!(paired_t(&[f64::MAX, 1.0], &[-f64::MAX, 1.0], two_sided).is_err());
        assert!(corrected_t(&A, &B, -0.1, two_sided).is_err());
        assert!(corrected_t(&A, &B, f64::NAN, two_sided).is_err());
    }
}
