//! A test on five replications of two-fold cross-validation.
//!
//! Paper: Alpaydin, 1999. With d_ij the difference on half j
//! of replication i and s_i^2 = (d_i1 - d_i2)^2 / 2:
//! F = sum d_ij^2 / (2 sum s_i^2) with 10 and 5 degrees of freedom.

use super::beta::upper_f;
use super::paired::{Differences, ratio};
use crate::Result;

/// One value per half of each replication.
pub type FiveByTwo = [[f64; 2]; 5];

/// The outcome of a test on five times two-fold cross-validation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FiveByTwoTest {
    /// F; infinite where the halves of every replication agree on a difference.
    pub statistic: f64,
    /// Probability of a statistic at least as extreme, under "no difference".
    pub p: f64,
    /// Natural logarithm of `p`.
    pub ln_p: f64,
}

/// Alpaydin's combined F test of `a` against `b`, both on the same splits.
///
/// No difference at all gives p = 1; differences without spread between halves give
/// p = 0.
///
/// # Errors
/// A value that is not finite.
///
/// # Example
/// ```
/// use bayesieve::stats::five_by_two_f;
///
/// let a = [[0.02, 0.03], [0.01, 0.04], [0.00, 0.02], [0.03, 0.01], [0.02, 0.02]];
/// let test = five_by_two_f(&a, &[[0.0; 2]; 5])?;
/// assert!((test.statistic - 2.888889).abs() < 5e-7);
/// assert!((test.p - 0.126598).abs() < 5e-7);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn five_by_two_f(a: &FiveByTwo, b: &FiveByTwo) -> Result<FiveByTwoTest> {
    let d = differences(a, b)?;
    let squares = sum_of(&d, |[first, second]| first * first + second * second);
    let f = ratio(squares, 2.0 * spread(&d));
    let tail = upper_f(5.0, 2.5, f);
    Ok(FiveByTwoTest {
        statistic: f,
        p: tail.p,
        ln_p: tail.ln_p,
    })
}

/// Differences with rounding noise set to 0, halves that agree but for it made equal, in
/// units of the largest: the statistic is free of scale, and squares stay in range.
fn differences(a: &FiveByTwo, b: &FiveByTwo) -> Result<FiveByTwo> {
    let pairs = Differences::new(a.as_flattened(), b.as_flattened())?;
    let mut d = [[0.0; 2]; 5];
    for (half, &value) in d.as_flattened_mut().iter_mut().zip(&pairs.values) {
        *half = pairs.without_noise(value);
    }
    for [first, second] in &mut d {
        if pairs.without_noise(*second - *first) == 0.0 {
            *second = *first;
        }
    }
    let largest = d
        .as_flattened()
        .iter()
        .fold(0.0, |m: f64, v| m.max(v.abs()));
    if largest > 0.0 {
        d.as_flattened_mut()
            .iter_mut()
            .for_each(|half| *half /= largest);
    }
    Ok(d)
}

/// Sum of the variances within replications.
fn spread(d: &FiveByTwo) -> f64 {
    sum_of(d, |[first, second]| (first - second).powi(2) / 2.0)
}

fn sum_of(d: &FiveByTwo, term: impl Fn([f64; 2]) -> f64) -> f64 {
    d.iter().map(|&halves| term(halves)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZEROS: FiveByTwo = [[0.0; 2]; 5];
    const WORKED: FiveByTwo = [
        [0.02, 0.03],
        [0.01, 0.04],
        [0.00, 0.02],
        [0.03, 0.01],
        [0.02, 0.02],
    ];

    #[test]
    fn the_worked_example_gives_the_published_number() {
        // Squares add to .0052, variances to (1 + 9 + 4 + 4 + 0) / 2 = 9 times 1e-4:
        // F = .0052 / .0018.
        let f = five_by_two_f(&WORKED, &ZEROS).unwrap();
        assert!((f.statistic - 52.0 / 18.0).abs() < 1e-13);
        assert!((f.p - 0.126598).abs() < 5e-7);
    }

    #[test]
    fn critical_values_of_f_10_5_are_those_of_the_tables() {
        for (critical, alpha) in [(4.7351, 0.05), (3.2974, 0.10)] {
            let p = upper_f(5.0, 2.5, critical).p;
            assert!((p - alpha).abs() < 1e-5, "{critical}: {p}");
        }
    }

    #[test]
    fn only_the_difference_counts() {
        let shifted = WORKED.map(|halves| halves.map(|d| d + 0.7));
        let moved = five_by_two_f(&shifted, &[[0.7; 2]; 5]).unwrap();
        let plain = five_by_two_f(&WORKED, &ZEROS).unwrap();
        assert!((moved.p - plain.p).abs() < 1e-12);
    }

    #[test]
    fn the_scale_does_not_count() {
        let plain = five_by_two_f(&WORKED, &ZEROS).unwrap();
        for unit in [1e-250, 1e250] {
            let scaled = WORKED.map(|halves| halves.map(|d| d * unit));
            let scaled = five_by_two_f(&scaled, &ZEROS).unwrap();
            assert!((scaled.statistic - plain.statistic).abs() < 1e-12);
        }
    }

    #[test]
    fn methods_that_never_differ_have_p_one() {
        assert_eq!(five_by_two_f(&WORKED, &WORKED).unwrap().p, 1.0);
    }

    #[test]
    fn a_difference_without_spread_has_p_zero() {
        // 0.82 - 0.80 and 0.81 - 0.79 differ in their last bit only.
        let f = five_by_two_f(&[[0.82, 0.81]; 5], &[[0.80, 0.79]; 5]).unwrap();
        assert_eq!((f.statistic, f.p), (f64::INFINITY, 0.0));
    }

    #[test]
    fn values_that_are_not_finite_are_errors() {
        let mut broken = WORKED;
        broken[4][1] = f64::NAN;
        assert!(five_by_two_f(&broken, &ZEROS).is_err());
    }
}
