//! The regularized incomplete gamma function, both tails, in logs.
//!
//! Each tail is D(a, x) = x^a e^-x / Gamma(a) times a factor of moderate size. The
//! factor of the smaller tail is computed, the other tail is its complement, so neither
//! loses digits. The factor is a power series below the mean and a continued fraction
//! above it. Both need about sqrt(a) steps near the mean, so for large a the factor is
//! the integral that t = x e^s makes of the tail: its integrand falls like an
//! exponential or a Gaussian whatever a and x are, and the cost is constant.

use super::quadrature::decaying_integral;
use super::special::{HALF_LN_2_PI, deviance, exp_minus_line, stirling_error};
use super::tail::Tail;

/// Beyond this, steps of the order of sqrt(a) cost more than the integral.
const LARGEST_STEPPED: f64 = 1000.0;

/// The upper tail `Q(a, x)`, for a > 0 and x >= 0.
pub(super) fn upper_gamma(a: f64, x: f64) -> Tail {
    if x <= 0.0 {
        return Tail::from_ln(0.0);
    }
    if x == f64::INFINITY {
        return Tail::from_ln(f64::NEG_INFINITY);
    }
    // A little above the mean the series is still the faster one, and the upper tail is
    // not yet small.
    if x < a + 1.0 {
        Tail::from_complement_ln(ln_factor(a, x) + scaled_lower(a, x).ln())
    } else {
        Tail::from_ln(ln_factor(a, x) + scaled_upper(a, x).ln())
    }
}

/// `ln D(a, x)`, D = x^a e^-x / Gamma(a).
pub(super) fn ln_factor(a: f64, x: f64) -> f64 {
    0.5 * a.ln() - HALF_LN_2_PI - stirling_error(a) - deviance(a, x / a, x - a)
}

/// `P(a, x) / D(a, x)` for x <= a + 1.
pub(super) fn scaled_lower(a: f64, x: f64) -> f64 {
    if a > LARGEST_STEPPED {
        // a s - x (1 - e^-s) = (a - x) s + x (e^-s - 1 + s)
        return decaying_integral(a - x, x, |s| (a - x) * s + x * exp_minus_line(-s));
    }
    // 1/a (1 + x/(a+1) (1 + x/(a+2) (...)))
    let mut term = 1.0 / a;
    let mut sum = term;
    let mut divisor = a;
    while term > sum * (f64::EPSILON / 4.0) {
        divisor += 1.0;
        term *= x / divisor;
        sum += term;
    }
    sum
}

/// `Q(a, x) / D(a, x)` for x >= a.
pub(super) fn scaled_upper(a: f64, x: f64) -> f64 {
    if a <= LARGEST_STEPPED && x >= a + 1.0 {
        return upper_fraction(a, x);
    }
    // x (e^s - 1) - a s = (x - a) s + x (e^s - 1 - s)
    decaying_integral(x - a, x, |s| (x - a) * s + x * exp_minus_line(s))
}

/// Legendre's continued fraction, 1/(x+1-a + 1(a-1)/(x+3-a + 2(a-2)/(x+5-a + ...))),
/// by Lentz's rule; for x >= a + 1 no denominator comes near 0.
fn upper_fraction(a: f64, x: f64) -> f64 {
    // About 300 steps are the most in the range where this is used.
    const MOST_STEPS: u32 = 10_000;
    let mut denominator = x + 1.0 - a;
    let mut inverse = 1.0 / denominator;
    let mut value = inverse;
    let mut quotient = f64::INFINITY;
    for step in 1..MOST_STEPS {
        let step = f64::from(step);
        let numerator = step * (a - step);
        denominator += 2.0;
        inverse = 1.0 / (denominator + numerator * inverse);
        quotient = denominator + numerator / quotient;
        let change = quotient * inverse;
        value *= change;
        if (change - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_degree_of_shape_is_the_exponential_distribution() {
        for x in [1e-9, 0.3, 1.0, 17.0, 700.0, 1e5] {
            let tail = upper_gamma(1.0, x);
            assert!((tail.ln_p + x).abs() <= 1e-14 * x, "x = {x}: {}", tail.ln_p);
        }
    }

    #[test]
    fn series_and_integral_agree_where_they_meet() {
        let above = LARGEST_STEPPED * (1.0 + 1e-15);
        for x in [0.1, 0.5, 0.9, 0.99, 1.0].map(|share| share * LARGEST_STEPPED) {
            let series = scaled_lower(LARGEST_STEPPED, x);
            let integral = scaled_lower(above, x);
            assert!((integral / series - 1.0).abs() < 1e-12, "x = {x}");
        }
    }

    #[test]
    fn fraction_and_integral_agree_where_both_are_good() {
        for a in [0.5, 1.0, 4.0, 33.5, 1000.0] {
            for x in [a + 1.0, 1.3 * a + 1.0, 5.0 * a + 1.0, 1e4] {
                let integral = decaying_integral(x - a, x, |s| (x - a) * s + x * exp_minus_line(s));
                let ratio = upper_fraction(a, x) / integral;
                assert!((ratio - 1.0).abs() < 1e-13, "a = {a}, x = {x}");
            }
        }
    }

    #[test]
    fn both_tails_add_to_one_across_the_mean() {
        for a in [0.5, 3.0, 80.0, 5e3, 1e9, 1e15] {
            let lower = (ln_factor(a, a) + scaled_lower(a, a).ln()).exp();
            let upper = (ln_factor(a, a) + scaled_upper(a, a).ln()).exp();
            assert!((lower + upper - 1.0).abs() < 1e-13, "a = {a}");
        }
    }
}
