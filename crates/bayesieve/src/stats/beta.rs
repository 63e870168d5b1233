//! The tails of the F distribution, that is the regularized incomplete beta function.
//!
//! Written in the ratio f rather than in x = a f / (a f + b), because the distance from
//! the mean, a b (1 - f) / (a f + b), is then known to full precision. The smaller tail
//! is D(a, b, x) = x^a (1-x)^b / B(a, b) times a factor of moderate size, and t/(1-t) =
//! e^-s x/(1-x) turns that factor into an integral whose integrand falls like an
//! exponential or a Gaussian.

use super::quadrature::decaying_integral;
use super::special::{HALF_LN_2_PI, deviance, exp_minus_line, stirling_error, unit_deviance};
use super::tail::Tail;

/// Beyond this the series, of about sqrt(a) terms, costs more than the integral; and so
/// it does where x is near 1, with about 36/(1-x) terms.
const LARGEST_SERIES: f64 = 1000.0;

/// The upper tail at `f` of the F distribution with 2a and 2b degrees of freedom.
pub(super) fn upper_f(a: f64, b: f64, f: f64) -> Tail {
    if f <= 0.0 {
        Tail::from_ln(0.0)
    } else if f <= 1.0 {
        Tail::from_complement_ln(ln_lower(a, b, f))
    } else if f < f64::INFINITY {
        // The reciprocal of F(2a, 2b) is F(2b, 2a).
        Tail::from_ln(ln_lower(b, a, 1.0 / f))
    } else {
        Tail::from_ln(f64::NEG_INFINITY)
    }
}

/// The log of the lower tail at `f`, 0 < f <= 1.
fn ln_lower(a: f64, b: f64, f: f64) -> f64 {
    let n = a + b;
    let scale = a * f + b;
    let x = a * f / scale;
    let y = b / scale;
    // n x - a = -slope and n y - b = slope.
    let slope = a * y * (1.0 - f);
    let ln_factor = 0.5 * (a * (b / n)).ln() - HALF_LN_2_PI + stirling_error(n)
        - stirling_error(a)
        - stirling_error(b)
        - deviance(a, n / scale * f, -slope)
        - deviance(b, n / scale, slope);
    let scaled = if a <= LARGEST_SERIES && x <= 0.97 {
        series(a, n, x)
    } else {
        integral(n, x, y, slope)
    };
    ln_factor + scaled.ln()
}

/// 1/a (1 + x (n)/(a+1) (1 + x (n+1)/(a+2) (...)))
fn series(a: f64, n: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    let mut k = 0.0;
    while term > sum * (f64::EPSILON / 4.0) {
        term *= x * ((n + k) / (a + k + 1.0));
        sum += term;
        k += 1.0;
    }
    sum
}

/// The exponent is slope s + n (x s + ln(1 - x (1 - e^-s))). The bracket is x y s^2/2 to
/// first order; which of its two forms keeps that small product depends on the smaller
/// of x and y.
fn integral(n: f64, x: f64, y: f64, slope: f64) -> f64 {
    let curvature = n * x * y;
    if x <= y {
        decaying_integral(slope, curvature, |s| {
            let change = x * (-s).exp_m1();
            let bend = x * exp_minus_line(-s) - unit_deviance(change, 1.0 + change);
            slope * s + n * bend
        })
    } else {
        decaying_integral(slope, curvature, |s| {
            let change = y * s.exp_m1();
            let bend = y * exp_minus_line(s) - unit_deviance(change, 1.0 + change);
            slope * s + n * bend
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_and_two_degrees_of_freedom_have_a_closed_form() {
        // P(F > f) = 1 / (1 + f).
        for f in [1e-12, 0.2, 1.0, 3.0, 1e9, 1e200] {
            let tail = upper_f(1.0, 1.0, f);
            let expected = 1.0 / (1.0 + f);
            assert!((tail.p / expected - 1.0).abs() < 1e-13, "f = {f}");
        }
    }

    #[test]
    fn series_and_integral_agree_where_both_are_good() {
        for (a, b) in [(2.0, 9.0), (40.0, 40.0), (900.0, 700.0), (800.0, 1e6)] {
            for f in [0.05, 0.5, 0.9, 1.0] {
                let scale = a * f + b;
                let (x, y) = (a * f / scale, b / scale);
                let by_series = series(a, a + b, x);
                let by_integral = integral(a + b, x, y, a * y * (1.0 - f));
                let ratio = by_integral / by_series;
                assert!((ratio - 1.0).abs() < 1e-12, "a = {a}, b = {b}, f = {f}");
            }
        }
    }

    #[test]
    fn both_tails_add_to_one_at_the_mean() {
        for (a, b) in [(0.5, 0.5), (0.5, 1e9), (1e9, 0.5), (1e8, 3e12), (20.0, 3.0)] {
            let both = ln_lower(a, b, 1.0).exp() + ln_lower(b, a, 1.0).exp();
            assert!((both - 1.0).abs() < 1e-12, "a = {a}, b = {b}: {both}");
        }
    }
}
