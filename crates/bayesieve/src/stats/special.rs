//! The pieces that keep digits where the textbook formulas lose them.
//!
//! Tails of large samples are products of huge and tiny factors. Written through
//! Stirling's error and the deviance (Loader, 2000, "Fast and accurate computation of
//! binomial probabilities") every factor is of the size of its logarithm's true value,
//! so nothing cancels.

use std::f64::consts::PI;

/// ln(2 pi) / 2.
pub(super) const HALF_LN_2_PI: f64 = 0.918_938_533_204_672_7;

/// `ln Gamma(a)` minus Stirling's `(a - 1/2) ln a - a + ln(2 pi)/2`, for a > 0.
pub(super) fn stirling_error(a: f64) -> f64 {
    const SHIFTED: f64 = 13.0;
    if a >= SHIFTED {
        return stirling_series(a);
    }
    // Gamma(a) = Gamma(a + m) / (a (a+1) ... (a+m-1)).
    let mut product = a;
    let mut shifted = a + 1.0;
    while shifted < SHIFTED {
        product *= shifted;
        shifted += 1.0;
    }
    let ln_gamma = stirling_series(shifted) + (shifted - 0.5) * shifted.ln() - shifted
        + HALF_LN_2_PI
        - product.ln();
    ln_gamma - ((a - 0.5) * a.ln() - a + HALF_LN_2_PI)
}

/// Stirling's asymptotic series; eight terms are exact to 1e-17 from a = 13 on.
fn stirling_series(a: f64) -> f64 {
    // Bernoulli numbers: B_2k / (2k (2k-1)).
    const TERMS: [f64; 8] = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
        -691.0 / 360_360.0,
        1.0 / 156.0,
        -3617.0 / 122_400.0,
    ];
    let inverse = 1.0 / a;
    let square = inverse * inverse;
    inverse
        * TERMS
            .iter()
            .rev()
            .fold(0.0, |sum, term| sum * square + term)
}

/// `u - ln(1 + u)` for |u| <= 0.4, without cancellation.
///
/// With r = u/(2+u): ln(1+u) = 2 atanh r and u = 2r/(1-r), so the leading terms
/// subtract by hand and leave r u - 2 r^3 (1/3 + r^2/5 + ...).
fn minus_ln_1p(u: f64) -> f64 {
    const N_TERMS: u32 = 13;
    let r = u / (2.0 + u);
    let square = r * r;
    let mut sum = 0.0;
    for k in (1..=N_TERMS).rev() {
        sum = sum * square + 1.0 / f64::from(2 * k + 1);
    }
    r * (u - 2.0 * square * sum)
}

/// `u - ln(1 + u)`, never negative; `ratio` is 1 + u.
///
/// The caller knows both to full precision, which neither is if made from the other.
pub(super) fn unit_deviance(u: f64, ratio: f64) -> f64 {
    if u.abs() <= 0.4 {
        minus_ln_1p(u)
    } else {
        u - ratio.min(f64::MAX).ln()
    }
}

/// `observed ln(observed/expected) + expected - observed`, never negative.
///
/// `ratio` is expected/observed and `excess` is expected - observed, for `observed` > 0.
pub(super) fn deviance(observed: f64, ratio: f64, excess: f64) -> f64 {
    observed * unit_deviance(excess / observed, ratio)
}

/// `e^s - 1 - s`, without cancellation.
pub(super) fn exp_minus_line(s: f64) -> f64 {
    if s.abs() > 0.5 {
        return s.exp_m1() - s;
    }
    // 1/k! from k = 14 down to 2; at |s| = 1/2 the next term is below 1e-15 of the sum.
    const INVERSE_FACTORIALS: [f64; 13] = [
        1.0 / 87_178_291_200.0,
        1.0 / 6_227_020_800.0,
        1.0 / 479_001_600.0,
        1.0 / 39_916_800.0,
        1.0 / 3_628_800.0,
        1.0 / 362_880.0,
        1.0 / 40_320.0,
        1.0 / 5_040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        1.0 / 2.0,
    ];
    s * s
        * INVERSE_FACTORIALS
            .iter()
            .fold(0.0, |sum, term| sum * s + term)
}

/// Log of the Poisson probability of `count`, extended to real `count` >= 0:
/// `mean^count e^-mean / Gamma(count + 1)`.
pub(super) fn ln_poisson(count: f64, mean: f64) -> f64 {
    if count == 0.0 {
        return -mean;
    }
    -0.5 * (2.0 * PI * count).ln()
        - stirling_error(count)
        - deviance(count, mean / count, mean - count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(value: f64, expected: f64, relative: f64) {
        assert!(
            (value - expected).abs() <= relative * expected.abs(),
            "{value:e} is not {expected:e}"
        );
    }

    #[test]
    fn stirling_error_matches_known_gamma_values() {
        // Gamma(1) = 1: the error is 1 - ln(2 pi)/2. Gamma(1/2) = sqrt(pi): the error is
        // ln(pi)/2 + 1/2 - ln(2 pi)/2 = (1 - ln 2)/2.
        assert_close(stirling_error(1.0), 1.0 - HALF_LN_2_PI, 1e-13);
        assert_close(stirling_error(0.5), (1.0 - 2f64.ln()) / 2.0, 1e-13);
        // Both branches meet at the switch.
        assert_close(stirling_error(13.0 - 1e-9), stirling_error(13.0), 1e-9);
        assert_close(stirling_error(1e15), 1e-15 / 12.0, 1e-14);
    }

    #[test]
    fn deviance_keeps_its_digits_near_equality() {
        // observed = 1e12, expected = 1e12 + 1: 1/(2e12) to first order.
        assert_close(deviance(1e12, 1.0 + 1e-12, 1.0), 0.5e-12, 1e-11);
        // 2 ln(2/6) + 4.
        assert_close(deviance(2.0, 3.0, 4.0), 4.0 - 2.0 * 3f64.ln(), 1e-15);
        // The branches meet at u = 0.4.
        assert_close(deviance(10.0, 1.4, 4.0), 4.0 - 10.0 * 1.4f64.ln(), 1e-14);
    }

    #[test]
    fn exponential_remainders_are_exact_on_both_sides_of_the_switch() {
        assert_close(exp_minus_line(1e-9), 0.5e-18, 1e-9);
        assert_close(exp_minus_line(0.5), 0.5f64.exp() - 1.5, 1e-14);
        assert_close(exp_minus_line(-0.5), (-0.5f64).exp() - 0.5, 1e-14);
        assert_close(exp_minus_line(1.0), 1f64.exp() - 2.0, 1e-15);
    }

    #[test]
    fn poisson_probabilities_of_a_small_mean_are_the_textbook_ones() {
        // Mean 2: e^-2 2^3 / 6.
        assert_close(ln_poisson(3.0, 2.0), (8.0f64 / 6.0).ln() - 2.0, 1e-14);
        assert_close(ln_poisson(0.0, 2.0), -2.0, 0.0);
    }
}
