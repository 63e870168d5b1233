//! Gauss-Legendre sums, and one integral that all large-parameter tails share.

/// Positive nodes of the 16-point Gauss-Legendre rule on [-1, 1], with their weights.
const RULE: [(f64, f64); 8] = [
    (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
    (0.281_603_550_779_258_9, 0.182_603_415_044_923_58),
    (0.458_016_777_657_227_37, 0.169_156_519_395_002_54),
    (0.617_876_244_402_643_7, 0.149_595_988_816_576_73),
    (0.755_404_408_355_003, 0.124_628_971_255_533_88),
    (0.865_631_202_387_831_8, 0.095_158_511_682_492_79),
    (0.944_575_023_073_232_6, 0.062_253_523_938_647_894),
    (0.989_400_934_991_649_9, 0.027_152_459_411_754_096),
];

/// The integrand is cut off where it has fallen to `exp(-CUT)`, far below the last digit.
const CUT: f64 = 38.0;
/// No end is looked for beyond this, where the exponential would overflow; with half a
/// degree of freedom or more, every tail ends before.
const LONGEST: f64 = 700.0;

/// The integral of `f` from `from` to `to`, by `n_panels` panels of 16 points.
pub(super) fn integrate(from: f64, to: f64, n_panels: usize, f: impl Fn(f64) -> f64) -> f64 {
    let half = (to - from) / (2 * n_panels) as f64;
    let mut sum = 0.0;
    for panel in 0..n_panels {
        let middle = from + half * (2 * panel + 1) as f64;
        for (node, weight) in RULE {
            sum += weight * (f(middle - half * node) + f(middle + half * node));
        }
    }
    half * sum
}

/// Where one panel of 16 points looks at a function between `from` and `to`, and what each
/// look counts: for several integrals over the same points.
pub(crate) fn panel(from: f64, to: f64) -> impl Iterator<Item = (f64, f64)> {
    let (half, middle) = ((to - from) / 2.0, from + (to - from) / 2.0);
    RULE.into_iter().flat_map(move |(node, weight)| {
        let (step, weight) = (half * node, half * weight);
        [(middle - step, weight), (middle + step, weight)]
    })
}

/// The integral of `exp(-fall(s))` over s from 0 to infinity.
///
/// `fall` is convex with `fall(0) = 0`, slope `slope >= 0` and curvature `curvature > 0`
/// there; both only say where to look for the end of the integrand.
pub(super) fn decaying_integral(slope: f64, curvature: f64, fall: impl Fn(f64) -> f64) -> f64 {
    // Root of slope s + curvature s^2 / 2 = CUT, in the form that can neither cancel nor
    // overflow; never 0, or it could not grow.
    let root = slope.hypot((2.0 * CUT * curvature).sqrt());
    let mut end = (2.0 * CUT / (slope + root)).clamp(f64::MIN_POSITIVE, LONGEST);
    while fall(end) < CUT && end < LONGEST {
        end *= 1.2;
    }
    while fall(end / 1.2) > CUT {
        end /= 1.2;
    }
    // A panel longer than 2 would come near the poles that the beta integrand has at a
    // distance of pi from the axis.
    let n_panels = ((end / 2.0).ceil() as usize).max(5);
    integrate(0.0, end, n_panels, |s| (-fall(s)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_is_exact_for_polynomials_of_degree_31() {
        let integral = integrate(0.0, 1.0, 1, |x| x.powi(31));
        assert!((integral * 32.0 - 1.0).abs() < 1e-14);
        // From 1 to 3: (3^32 - 1) / 32.
        let sum: f64 = panel(1.0, 3.0).map(|(x, weight)| weight * x.powi(31)).sum();
        assert!((sum / ((3f64.powi(32) - 1.0) / 32.0) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn exponential_and_gaussian_falls_give_their_closed_forms() {
        // Integral of exp(-3 s) = 1/3; of exp(-s^2/2) = sqrt(pi/2).
        let exponential = decaying_integral(3.0, 0.0, |s| 3.0 * s);
        assert!((exponential * 3.0 - 1.0).abs() < 1e-14);
        let gaussian = decaying_integral(0.0, 1.0, |s| s * s / 2.0);
        assert!((gaussian - std::f64::consts::FRAC_PI_2.sqrt()).abs() < 1e-14);
    }
}
