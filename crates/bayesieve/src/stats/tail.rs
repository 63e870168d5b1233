//! Upper tails of the normal, chi-square, t and F distributions.
//!
//! Each comes as a probability and as its natural logarithm. The logarithm stays exact
//! where the probability is too small for a number (chi-square 5000 with 3 degrees of
//! freedom: ln p = -2496), so that strong dependences can still be ranked.
//! Cost: about a microsecond, whatever the degrees of freedom.

use super::beta::upper_f;
use super::gamma::upper_gamma;
use crate::{Error, Result};

/// The probability of a value at least as large as the one observed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tail {
    /// The probability; 0 where it is below the smallest number.
    pub p: f64,
    /// Its natural logarithm, exact even where `p` is 0.
    pub ln_p: f64,
}

impl Tail {
    /// The certain tail: p = 1.
    pub(super) const ONE: Tail = Tail { p: 1.0, ln_p: 0.0 };
    /// The impossible tail: p = 0.
    pub(super) const ZERO: Tail = Tail {
        p: 0.0,
        ln_p: f64::NEG_INFINITY,
    };

    /// The tail with this logarithm; rounding above 0 is cut.
    pub(super) fn from_ln(ln_p: f64) -> Self {
        let ln_p = ln_p.min(0.0);
        Tail {
            p: ln_p.exp(),
            ln_p,
        }
    }

    /// One minus the probability with this logarithm.
    pub(super) fn from_complement_ln(ln_q: f64) -> Self {
        let q = ln_q.min(0.0).exp();
        Tail {
            p: 1.0 - q,
            ln_p: (-q).ln_1p(),
        }
    }

    /// Twice the probability, at most 1: both sides of a symmetric distribution.
    ///
    /// # Example
    /// ```
    /// use bayesieve::stats::normal_tail;
    ///
    /// let both = normal_tail(1.959963984540054)?.two_sided();
    /// assert!((both.p - 0.05).abs() < 1e-15);
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    #[must_use]
    pub fn two_sided(self) -> Self {
        if self.p >= 0.5 {
            return Tail::ONE;
        }
        Tail {
            p: 2.0 * self.p,
            ln_p: self.ln_p + std::f64::consts::LN_2,
        }
    }
}

/// The upper tail of the standard normal distribution.
///
/// # Errors
/// `z` is not a number.
///
/// # Example
/// ```
/// use bayesieve::stats::normal_tail;
///
/// assert_eq!(normal_tail(0.0)?.p, 0.5);
/// let far = normal_tail(50.0)?;
/// assert_eq!(far.p, 0.0);
/// assert!((far.ln_p + 1254.8313611394).abs() < 1e-9);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn normal_tail(z: f64) -> Result<Tail> {
    check_statistic("z", z)?;
    Ok(upper_normal(z))
}

/// The upper tail of the chi-square distribution.
///
/// # Errors
/// `statistic` is not a number, or `degrees_of_freedom` lies outside 0.5 to 1e100.
///
/// # Example
/// ```
/// use bayesieve::stats::chi_square_tail;
///
/// // With two degrees of freedom the tail is exp(-x/2).
/// let tail = chi_square_tail(5000.0, 2.0)?;
/// assert_eq!(tail.p, 0.0);
/// assert!((tail.ln_p + 2500.0).abs() < 1e-9);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn chi_square_tail(statistic: f64, degrees_of_freedom: f64) -> Result<Tail> {
    check_statistic("chi-square", statistic)?;
    check_degrees_of_freedom(degrees_of_freedom)?;
    Ok(upper_chi_square(statistic, degrees_of_freedom))
}

pub(super) fn upper_chi_square(statistic: f64, degrees_of_freedom: f64) -> Tail {
    upper_gamma(degrees_of_freedom / 2.0, statistic / 2.0)
}

pub(super) fn upper_normal(z: f64) -> Tail {
    signed(z, upper_gamma(0.5, z * z / 2.0))
}

pub(super) fn upper_t(t: f64, degrees_of_freedom: f64) -> Tail {
    // Beyond this the square overflows; the tail is a pure power of t there.
    const LARGEST_SQUARED: f64 = 1e150;
    let size = t.abs();
    let near = size.min(LARGEST_SQUARED);
    let mut beyond = upper_f(0.5, degrees_of_freedom / 2.0, near * near);
    if size > LARGEST_SQUARED {
        beyond = Tail::from_ln(beyond.ln_p - degrees_of_freedom * (size / near).ln());
    }
    signed(t, beyond)
}

/// From the probability of a larger |value| to the upper tail at the signed value.
fn signed(value: f64, beyond: Tail) -> Tail {
    let ln_half = beyond.ln_p - std::f64::consts::LN_2;
    if value < 0.0 {
        Tail::from_complement_ln(ln_half)
    } else {
        Tail {
            p: beyond.p / 2.0,
            ln_p: ln_half,
        }
    }
}

fn check_statistic(name: &str, value: f64) -> Result<()> {
    if value.is_nan() {
        return Err(Error::data(format!("the statistic {name} is not a number")));
    }
    Ok(())
}

fn check_degrees_of_freedom(value: f64) -> Result<()> {
    if (0.5..=1e100).contains(&value) {
        return Ok(());
    }
    Err(Error::usage(format!(
        "{value} degrees of freedom: a number from 0.5 to 1e100 is needed"
    )))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stats::beta::upper_f;

    fn f_tail(f: f64, [numerator, denominator]: [f64; 2]) -> Tail {
        upper_f(numerator / 2.0, denominator / 2.0, f)
    }

    /// Against a reference computed with 60 digits.
    fn assert_tail(tail: Tail, p: f64, ln_p: f64, what: &str) {
        let close = |value: f64, expected: f64, relative: f64| {
            (value - expected).abs() <= relative * expected.abs()
        };
        assert!(
            close(tail.ln_p, ln_p, 2e-14),
            "{what}: ln p {:e}",
            tail.ln_p
        );
        assert!(close(tail.p, p, 3e-13), "{what}: p {:e}", tail.p);
    }

    #[test]
    fn chi_square_tails_match_reference_values() {
        let table = [
            (1e-06, 1.0, 0.9992021155721779, -0.0007982029070198694),
            (0.3, 1.0, 0.5838824207703652, -0.5380556507217004),
            (
                3.841458820694124,
                1.0,
                0.05000000000000006,
                -2.99573227355399,
            ),
            (5000.0, 3.0, 0.0, -2495.966994816902),
            (60.0, 3.0, 5.878230727906912e-13, -28.162350388904997),
            (11.07, 5.0, 0.05000961862240548, -2.995539919607088),
            (2.0, 10.0, 0.9963401531726563, -0.003666560452308509),
            (400.0, 10.0, 9.413291991183476e-80, -181.96468470744782),
            (75.0, 100.0, 0.9708182988467862, -0.029615956062603126),
            (150.0, 100.0, 0.0009039320423540091, -7.0087563747849915),
            (1900.0, 2000.0, 0.9449453137692619, -0.05662822219010707),
            (2300.0, 2000.0, 2.8737760603923574e-06, -12.759883692483045),
            (
                19000.0,
                20000.0,
                0.9999998137545348,
                -1.8624548252320432e-07,
            ),
            (20800.0, 20000.0, 3.88801705739882e-05, -10.155026191190604),
            (
                100141421.3562373,
                1e8,
                7.987149804374675e-24,
                -53.18420825607236,
            ),
            (
                10000424264.068712,
                1e10,
                0.001350065171965621,
                -6.607602412166935,
            ),
            (
                999997171572.8752,
                1e12,
                0.977249944407001,
                -0.02301283119625686,
            ),
        ];
        for (x, freedom, p, ln_p) in table {
            let tail = chi_square_tail(x, freedom).unwrap();
            assert_tail(tail, p, ln_p, &format!("{x} with {freedom}"));
        }
    }

    #[test]
    fn t_tails_match_reference_values() {
        let table = [
            (0.5, 1.0, 0.35241638234956674, -1.0429418980620317),
            (1000.0, 1.0, 0.0003183097800805589, -8.052485498164726),
            (2.262157, 9.0, 0.02500000665221583, -3.6888791880253384),
            (-2.262157, 9.0, 0.9749999933477842, -0.025317814807075366),
            (50.0, 9.0, 1.284476455437399e-12, -27.380669908277746),
            (1.3, 29.5, 0.10183361559561332, -2.284415017236088),
            (40.0, 100.0, 1.2310538010700354e-63, -144.8549903072029),
            (3.0, 1000.0, 0.0013833545221190963, -6.583243916330419),
            (-1.0, 10000.0, 0.8413326478347855, -0.1727681587658789),
            (35.0, 10000.0, 1.411959458717138e-253, -582.2090501007914),
        ];
        for (t, freedom, p, ln_p) in table {
            let tail = upper_t(t, freedom);
            assert_tail(tail, p, ln_p, &format!("{t} with {freedom}"));
        }
    }

    #[test]
    fn f_tails_match_reference_values() {
        let table = [
            (
                4.735063,
                10.0,
                5.0,
                0.050000001473298875,
                -2.995732244088014,
            ),
            (0.2, 10.0, 5.0, 0.985131199591887, -0.014980449124839652),
            (
                1000000.0,
                10.0,
                5.0,
                4.1473358908641246e-15,
                -33.116310220817425,
            ),
            (0.5, 1.0, 1.0, 0.6081734479693928, -0.4972951614340581),
            (3.0, 2.5, 7.0, 0.10914432558922176, -2.2150841846099305),
            (0.9, 200.0, 150.0, 0.7572884650918478, -0.27801103460143417),
            (3.0, 200.0, 150.0, 3.938597941992392e-12, -26.26019630823535),
            (1.02, 5000.0, 4000.0, 0.2550466959097181, -1.366308629373773),
            (
                1.2,
                5000.0,
                4000.0,
                7.18005900645951e-10,
                -21.054543328744245,
            ),
            (
                30.0,
                3.0,
                1000.0,
                1.4195898970408714e-18,
                -41.09616364889261,
            ),
        ];
        for (f, numerator, denominator, p, ln_p) in table {
            let tail = f_tail(f, [numerator, denominator]);
            assert_tail(
                tail,
                p,
                ln_p,
                &format!("{f} with {numerator}, {denominator}"),
            );
        }
    }

    #[test]
    fn normal_tails_match_reference_values() {
        let table = [
            (0.5, 0.3085375387259869, -1.1759117615936185),
            (1.96, 0.024997895148220435, -3.6889636517296385),
            (6.0, 9.86587645037698e-10, -20.736768949974707),
            (-6.0, 0.9999999990134123, -9.865876455243758e-10),
            (37.0, 5.725571222524577e-300, -689.0305855768906),
            (100.0, 0.0, -5005.524208694205),
        ];
        for (z, p, ln_p) in table {
            assert_tail(normal_tail(z).unwrap(), p, ln_p, &format!("{z}"));
        }
    }

    #[test]
    fn a_huge_t_of_the_cauchy_law_is_a_power() {
        // 1 / (pi t), also where t^2 overflows.
        for t in [1e140, 1e160, 1e300] {
            let tail = upper_t(t, 1.0);
            assert!(
                (tail.p * t * std::f64::consts::PI - 1.0).abs() < 1e-12,
                "t = {t}"
            );
        }
    }

    #[test]
    fn both_sides_of_a_symmetric_law_are_at_most_one() {
        assert_eq!(upper_t(0.0, 7.0).two_sided(), Tail::ONE);
        assert_eq!(upper_t(-3.0, 7.0).two_sided(), Tail::ONE);
    }

    #[test]
    fn statistics_and_degrees_of_freedom_out_of_range_are_errors() {
        assert!(normal_tail(f64::NAN).is_err());
        assert!(chi_square_tail(f64::NAN, 1.0).is_err());
        for freedom in [0.0, 0.49, -1.0, 1e101, f64::NAN, f64::INFINITY] {
            assert!(chi_square_tail(1.0, freedom).is_err());
        }
    }

    proptest! {
        #[test]
        fn every_tail_is_a_probability_with_its_log(
            statistic in prop_oneof![Just(f64::INFINITY), -1e308..1e308, -30.0..30.0, 0.0..1e4, 0.0..1e-300],
            ln_first in -0.69..230.0,
            ln_second in -0.69..230.0,
        ) {
            let (first, second) = (f64::exp(ln_first), f64::exp(ln_second));
            for tail in [
                normal_tail(statistic).unwrap(),
                chi_square_tail(statistic, first).unwrap(),
                upper_t(statistic, first),
                f_tail(statistic, [first, second]),
            ] {
                prop_assert!((0.0..=1.0).contains(&tail.p), "{tail:?}");
                prop_assert!(tail.ln_p <= 0.0, "{tail:?}");
                prop_assert!((tail.ln_p.exp() - tail.p).abs() <= 1e-14, "{tail:?}");
            }
        }

        #[test]
        fn a_larger_statistic_has_a_smaller_tail(
            statistic in 0.0..200.0,
            step in 1e-6..10.0,
            first in 0.5..300.0,
            second in 0.5..300.0,
        ) {
            let pairs = [statistic, statistic + step].map(|x| [
                chi_square_tail(x, first).unwrap().ln_p,
                upper_t(x, first).ln_p,
                f_tail(x, [first, second]).ln_p,
                normal_tail(x).unwrap().ln_p,
            ]);
            for (near, far) in pairs[0].into_iter().zip(pairs[1]) {
                prop_assert!(far <= near, "{near} {far}");
            }
        }
    }
}
