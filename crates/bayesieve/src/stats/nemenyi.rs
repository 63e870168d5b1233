//! Nemenyi's test: which methods differ, after Friedman's test says that some do?
//!
//! Paper: Demšar, 2006. Two methods differ at level alpha if their average ranks are at
//! least CD = q_alpha sqrt(k (k+1) / (6 N)) apart, q_alpha the studentized range of k
//! with infinite degrees of freedom over sqrt 2.

use std::f64::consts::{PI, SQRT_2};

use super::quadrature::integrate;
use super::tail::upper_normal;
use crate::{Error, Result};

/// q_alpha as published, for 2 to 10 methods.
const PUBLISHED: [(f64, [f64; 9]); 2] = [
    (
        0.05,
        [
            1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164,
        ],
    ),
    (
        0.10,
        [
            1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920,
        ],
    ),
];

/// Beyond this no one compares, and the integral's accuracy is not checked.
const LARGEST_N_METHODS: usize = 1000;

/// The critical difference of average ranks.
///
/// For 2 to 10 methods at 5 % and 10 % the three published decimals of q are used, so
/// that the result agrees with printed ones; elsewhere q is computed.
///
/// # Errors
/// Fewer than two or more than 1000 methods, no data set, or `alpha` outside 1e-6 to
/// 0.5.
///
/// # Example
/// ```
/// use bayesieve::stats::nemenyi_critical_difference;
///
/// // 2.343 sqrt(3 * 4 / (6 * 6))
/// let critical = nemenyi_critical_difference(3, 6, 0.05)?;
/// assert!((critical - 1.352732).abs() < 5e-7);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn nemenyi_critical_difference(
    n_methods: usize,
    n_data_sets: usize,
    alpha: f64,
) -> Result<f64> {
    let unit = rank_unit(n_methods, n_data_sets)?;
    if !(1e-6..=0.5).contains(&alpha) {
        return Err(Error::usage(format!(
            "level {alpha}: a number from 1e-6 to 0.5 is needed"
        )));
    }
    let published = PUBLISHED
        .iter()
        .find(|(level, _)| (level - alpha).abs() < 1e-12)
        .and_then(|(_, values)| values.get(n_methods - 2).copied());
    Ok(unit * published.unwrap_or_else(|| critical_range(n_methods, alpha) / SQRT_2))
}

/// The probability, under "no difference", that some pair of methods has average ranks
/// at least this far apart.
///
/// # Errors
/// Fewer than two or more than 1000 methods, no data set, or a difference that is
/// negative or not a number.
///
/// # Example
/// ```
/// use bayesieve::stats::nemenyi_p;
///
/// // Two methods: the normal distribution, both sides, at 1.96.
/// let p = nemenyi_p(1.959963984540054 / 10f64.sqrt(), 2, 10)?;
/// assert!((p - 0.05).abs() < 1e-12);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn nemenyi_p(difference: f64, n_methods: usize, n_data_sets: usize) -> Result<f64> {
    let unit = rank_unit(n_methods, n_data_sets)?;
    if difference.is_nan() || difference < 0.0 {
        return Err(Error::data(format!(
            "{difference} is no distance between two ranks"
        )));
    }
    Ok(upper_range(difference / unit * SQRT_2, n_methods))
}

/// sqrt(k (k+1) / (6 N)), the standard error of a difference of average ranks.
fn rank_unit(n_methods: usize, n_data_sets: usize) -> Result<f64> {
    if !(2..=LARGEST_N_METHODS).contains(&n_methods) {
        return Err(Error::usage(format!(
            "{n_methods} methods: from 2 to {LARGEST_N_METHODS} can be compared by ranks"
        )));
    }
    if n_data_sets == 0 {
        return Err(Error::data("ranks over no data set cannot be compared"));
    }
    let k = n_methods as f64;
    Ok((k * (k + 1.0) / (6.0 * n_data_sets as f64)).sqrt())
}

/// The upper tail of the range of k standard normal values.
///
/// k times the integral over the largest value z of phi(z) times (Phi(z)^(k-1) less
/// (Phi(z) - Phi(z - range))^(k-1)): all positive, so small tails keep their digits.
fn upper_range(range: f64, n_methods: usize) -> f64 {
    if range <= 0.0 {
        return 1.0;
    }
    let others = (n_methods - 1) as f64;
    let density = |z: f64| {
        // By symmetry the lower tail at z is the upper one at -z.
        let below = upper_normal(-z);
        let out_of_range = upper_normal(range - z).p / below.p;
        let some_out = if out_of_range < 1.0 {
            -(others * (-out_of_range).ln_1p()).exp_m1()
        } else {
            1.0
        };
        (-z * z / 2.0 + others * below.ln_p).exp() * some_out
    };
    // phi is below 1e-22 outside; the largest of 1000 values, too, stays inside.
    let integral = integrate(-10.0, 10.0, 20, density);
    (n_methods as f64 * integral / (2.0 * PI).sqrt()).min(1.0)
}

/// The range with upper tail `alpha`, by bisection.
fn critical_range(n_methods: usize, alpha: f64) -> f64 {
    let (mut low, mut high) = (0.0, 20.0);
    while high - low > 1e-14 * high {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if upper_range(middle, n_methods) > alpha {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_constants_agree_with_the_computed_range() {
        // Three decimals, some of them cut instead of rounded (2.3437 is printed 2.343).
        for (alpha, values) in PUBLISHED {
            for (n_methods, published) in (2..).zip(values) {
                let computed = critical_range(n_methods, alpha) / SQRT_2;
                assert!(
                    (computed - published).abs() < 8e-4,
                    "{n_methods}: {computed}"
                );
            }
        }
    }

    #[test]
    fn critical_ranges_match_reference_values() {
        // Studentized range quantiles over sqrt 2, from an independent quadrature with
        // 30 digits.
        let table = [
            (2, 0.05, 1.95996398454005),
            (3, 0.05, 2.34370058637841),
            (3, 0.1, 2.05229273049678),
            (10, 0.05, 3.16368357705337),
            (11, 0.05, 3.21865360732915),
            (20, 0.1, 3.31923305954841),
            (50, 0.01, 4.40413864942065),
            (200, 0.05, 4.5933043189282),
            (1000, 0.05, 5.21111356956009),
        ];
        for (n_methods, alpha, expected) in table {
            let q = critical_range(n_methods, alpha) / SQRT_2;
            assert!(
                (q / expected - 1.0).abs() < 1e-11,
                "{n_methods}, {alpha}: {q}"
            );
        }
    }

    #[test]
    fn six_data_sets_and_three_methods_give_the_worked_difference() {
        let critical = nemenyi_critical_difference(3, 6, 0.05).unwrap();
        assert!((critical - 1.352732).abs() < 5e-7);
        let p = nemenyi_p(critical, 3, 6).unwrap();
        assert!((p - 0.05).abs() < 1e-4);
    }

    #[test]
    fn levels_and_numbers_beyond_the_published_table_are_computed() {
        let unit = (11.0 * 12.0 / 60.0f64).sqrt();
        let critical = nemenyi_critical_difference(11, 10, 0.05).unwrap();
        assert!((critical / unit - 3.218654).abs() < 5e-7);
        for alpha in [0.5, 0.2, 0.01, 1e-6] {
            let critical = nemenyi_critical_difference(7, 25, alpha).unwrap();
            let p = nemenyi_p(critical, 7, 25).unwrap();
            assert!((p / alpha - 1.0).abs() < 1e-10, "{alpha}: {p}");
        }
    }

    #[test]
    fn no_distance_has_p_one_and_an_endless_one_p_zero() {
        assert_eq!(nemenyi_p(0.0, 5, 3).unwrap(), 1.0);
        assert_eq!(nemenyi_p(f64::INFINITY, 5, 3).unwrap(), 0.0);
    }

    #[test]
    fn numbers_that_make_no_comparison_are_errors() {
        assert!(nemenyi_critical_difference(1, 6, 0.05).is_err());
        assert!(nemenyi_critical_difference(1001, 6, 0.05).is_err());
        assert!(nemenyi_critical_difference(3, 0, 0.05).is_err());
        for alpha in [0.0, 0.6, -0.05, f64::NAN] {
            assert!(nemenyi_critical_difference(3, 6, alpha).is_err());
        }
        assert!(nemenyi_p(-1.0, 3, 6).is_err());
        assert!(nemenyi_p(f64::NAN, 3, 6).is_err());
    }
}
