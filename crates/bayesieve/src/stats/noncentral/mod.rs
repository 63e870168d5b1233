//! The non-central chi-square distribution: the law of a squared length of normal values
//! with a shifted mean.
//!
//! A Poisson mixture of central ones. It is summed where that takes few terms; where the
//! degrees of freedom, or the non-centrality times the value, are large, the density is
//! an expansion of the Bessel function.
//! Cost: a fraction of a microsecond, whatever the parameters.

mod debye;
mod mixture;

use std::f64::consts::LN_2;

use self::debye::Debye;
use self::mixture::Mixture;
use super::gamma::ln_factor;
use crate::{Error, Result};

/// Up to this many degrees of freedom the accuracy was checked.
const MAX_DEGREES_OF_FREEDOM: f64 = 1e12;
/// Below this the law is central to the last digit.
const CENTRAL: f64 = 1e-30;

/// A non-central chi-square distribution.
///
/// # Example
/// ```
/// use bayesieve::stats::NoncentralChiSquare;
///
/// let scores = NoncentralChiSquare::new(12.0, 6.0)?;
/// assert_eq!((scores.mean(), scores.variance()), (18.0, 48.0));
/// assert!((scores.ln_density(16.0) + 2.8036340902107613).abs() < 1e-12);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NoncentralChiSquare {
    degrees_of_freedom: f64,
    noncentrality: f64,
}

impl NoncentralChiSquare {
    /// The distribution with these degrees of freedom and this non-centrality.
    ///
    /// # Errors
    /// Degrees of freedom outside 0.5 to 1e12, or a non-centrality that is negative or
    /// not finite.
    pub fn new(degrees_of_freedom: f64, noncentrality: f64) -> Result<Self> {
        if !(0.5..=MAX_DEGREES_OF_FREEDOM).contains(&degrees_of_freedom) {
            return Err(Error::usage(format!(
                "{degrees_of_freedom} degrees of freedom: a number from 0.5 to 1e12 is needed"
            )));
        }
        if !(0.0..f64::INFINITY).contains(&noncentrality) {
            return Err(Error::usage(format!(
                "non-centrality {noncentrality}: a finite number of at least 0 is needed"
            )));
        }
        Ok(NoncentralChiSquare {
            degrees_of_freedom,
            noncentrality,
        })
    }

    /// The mean, degrees of freedom plus non-centrality.
    pub fn mean(&self) -> f64 {
        self.degrees_of_freedom + self.noncentrality
    }

    /// The variance, 2 (degrees of freedom + 2 non-centrality).
    pub fn variance(&self) -> f64 {
        2.0 * (self.degrees_of_freedom + 2.0 * self.noncentrality)
    }

    /// The density at `u`; 0 where it is below the smallest number.
    ///
    /// # Example
    /// ```
    /// use bayesieve::stats::NoncentralChiSquare;
    ///
    /// // Without non-centrality and with two degrees of freedom: exp(-u/2) / 2.
    /// let central = NoncentralChiSquare::new(2.0, 0.0)?;
    /// assert!((central.density(3.0) - (-1.5f64).exp() / 2.0).abs() < 1e-15);
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn density(&self, u: f64) -> f64 {
        self.ln_density(u).exp()
    }

    /// The natural logarithm of the density at `u`.
    pub fn ln_density(&self, u: f64) -> f64 {
        if u.is_nan() {
            return f64::NAN;
        }
        if u < 0.0 || u == f64::INFINITY {
            return f64::NEG_INFINITY;
        }
        if u == 0.0 {
            return self.ln_density_at_zero();
        }
        if self.noncentrality < CENTRAL {
            let (h, x) = (self.degrees_of_freedom / 2.0, u / 2.0);
            return ln_factor(h, x) - u.ln();
        }
        let expansion = Debye::new(self);
        if expansion.is_exact(u) {
            expansion.ln_density(u)
        } else {
            Mixture::new(self, u).ln_density()
        }
    }

    fn ln_density_at_zero(&self) -> f64 {
        if self.degrees_of_freedom < 2.0 {
            f64::INFINITY
        } else if self.degrees_of_freedom > 2.0 {
            f64::NEG_INFINITY
        } else {
            -self.noncentrality / 2.0 - LN_2
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::quadrature::integrate;

    fn law(degrees_of_freedom: f64, noncentrality: f64) -> NoncentralChiSquare {
        NoncentralChiSquare::new(degrees_of_freedom, noncentrality).unwrap()
    }

    fn assert_close(value: f64, expected: f64, relative: f64, what: &str) {
        assert!(
            (value - expected).abs() <= relative * expected.abs(),
            "{what}: {value:e} is not {expected:e}"
        );
    }

    #[test]
    fn densities_match_reference_values() {
        // Degrees of freedom, non-centrality, u, ln density: the Poisson mixture summed with at least 60 digits.
        let table = [
            (1.0, 0.3, 0.01, 1.230145810388827),
            (1.0, 30.0, 45.0, -4.2730708169021066),
            (2.0, 6.0, 3.0, -2.5575668060648864),
            (3.0, 100.0, 20.0, -19.19331125676287),
            (12.0, 6.0, 16.0, -2.8036340902107613),
            (12.0, 30.0, 16.0, -6.393755986579494),
            (14.0, 6.0, 16.0, -2.8718339482143524),
            (12.0, 60.0, 48.0, -4.728309270039414),
            (12.0, 60.0, 200.0, -21.51927590995583),
            (12.0, 1e-08, 20.0, -3.9677134550384294),
            (12.5, 100.0, 60.0, -7.8455997068203756),
            (90.0, 30.0, 200.0, -11.84906998372297),
            (500.0, 3000.0, 3000.0, -15.94452471797939),
            (12.0, 3000.0, 2500.0, -17.417225009702396),
            (12.0, 3000.0, 3000.0, -5.619395184372765),
            (12.0, 3000.0, 3500.0, -14.901900860676657),
            (12.0, 3000.0, 9000.0, -806.9933509403438),
            (12.0, 1e5, 1.01e5, -8.590072129392295),
        ];
        for (k, g, u, ln_density) in table {
            let what = format!("{k} degrees of freedom, non-centrality {g}, at {u}");
            assert_close(law(k, g).ln_density(u), ln_density, 1e-13, &what);
            if ln_density > -700.0 {
                assert_close(law(k, g).density(u), ln_density.exp(), 1e-12, &what);
            }
        }
    }

    #[test]
    fn densities_of_many_degrees_of_freedom_match_reference_values() {
        let table = [
            (2e5, 1e5, 3.01e5, -8.341943547496115),
            (1e5, 10.0, 1e5, -7.022226484311441),
            (1e6, 3e5, 1.295e6, -12.320492591368195),
        ];
        for (k, g, u, ln_density) in table {
            assert_close(
                law(k, g).ln_density(u),
                ln_density,
                1e-13,
                &format!("{k}, {g}"),
            );
        }
    }

    #[test]
    fn densities_of_block_scores_match_reference_values() {
        // Degrees of freedom, non-centrality, u, density: the Bessel function with 40 digits;
        // another library's density agrees to 3e-13.
        let table = [
            (1.0, 0.0, 0.5, 0.4393912894677224),
            (1.0, 0.01, 1e-06, 396.9523509855494),
            (1.0, 4.0, 30.0, 8.625235016045933e-5),
            (1.0, 1000.0, 900.0, 0.001782060419770873),
            (2.0, 0.0, 7.0, 0.01509869171115925),
            (2.0, 50.0, 0.001, 7.027528564700861e-12),
            (3.0, 1.0, 0.1, 0.07400522216421547),
            (4.0, 10.0, 40.0, 0.000589612287161196),
            (5.0, 0.5, 60.0, 4.403173392367279e-11),
            (6.0, 200.0, 100.0, 1.556526540695022e-6),
            (12.0, 0.0, 3.0, 0.007059977723446413),
            (12.0, 0.0, 80.0, 1.812631148924411e-12),
            (12.0, 1.0, 12.0, 0.07899639285222975),
            (12.0, 30.0, 0.01, 4.013044014757608e-21),
            (12.0, 60.0, 150.0, 7.064827067684726e-6),
            (12.0, 1000.0, 700.0, 4.481736727666366e-9),
            (14.0, 6.0, 2.0, 1.931492087884942e-5),
            (27.0, 15.0, 90.0, 4.090050507849815e-5),
            (90.0, 0.0, 60.0, 0.001733290703011069),
            (90.0, 100.0, 250.0, 0.0009368492988674988),
            (150.0, 3.0, 120.0, 0.003720690512421981),
            (300.0, 1000.0, 1500.0, 9.408869953484739e-5),
            (600.0, 50.0, 500.0, 1.008387290556601e-6),
            (1000.0, 0.0, 1100.0, 0.0007772280832295783),
            (1200.0, 10.0, 1200.0, 0.007976454315631221),
            (1200.0, 1000.0, 1900.0, 2.654419375076979e-6),
            (1200.0, 1000.0, 2800.0, 1.176019051756445e-13),
        ];
        for (k, g, u, density) in table {
            let what = format!("{k} degrees of freedom, non-centrality {g}, at {u}");
            assert_close(law(k, g).density(u), density, 1e-12, &what);
        }
    }

    #[test]
    fn numerical_moments_are_the_textbook_ones() {
        // Mean m + g and variance 2 (m + 2g), m = 12.
        for (g, mean, variance) in [
            (0.0, 12.0, 24.0),
            (6.0, 18.0, 48.0),
            (12.0, 24.0, 72.0),
            (30.0, 42.0, 132.0 + 12.0),
        ] {
            let law = law(12.0, g);
            let moment =
                |f: &dyn Fn(f64) -> f64| integrate(0.0, 400.0, 60, |u| f(u) * law.density(u));
            assert_close(moment(&|_| 1.0), 1.0, 1e-12, "mass");
            assert_close(moment(&|u| u), mean, 1e-12, "mean");
            assert_close(moment(&|u| (u - mean).powi(2)), variance, 1e-12, "variance");
            assert_eq!((law.mean(), law.variance()), (mean, variance));
        }
    }

    #[test]
    fn optimal_weights_of_block_scores_come_out() {
        // w(u) = sum g f_(m+2)(u; g) / (u sum f_m(u; g)) over the scores g, m = 12.
        let weight = |u: f64, scores: &[f64]| {
            let sum = |f: &dyn Fn(f64) -> f64| scores.iter().map(|&g| f(g)).sum::<f64>();
            sum(&|g| g * law(14.0, g).density(u)) / (u * sum(&|g| law(12.0, g).density(u)))
        };
        for (u, expected) in [
            (5.0, 0.77451),
            (12.0, 0.63102),
            (24.0, 0.50949),
            (48.0, 0.39650),
        ] {
            assert!((weight(u, &[12.0]) - expected).abs() < 5e-6, "u = {u}");
        }
        let uniform: Vec<f64> = (0..2000)
            .map(|i| 60.0 * (f64::from(i) + 0.5) / 2000.0)
            .collect();
        let table = [
            (5.0, 0.22771),
            (12.0, 0.35389),
            (24.0, 0.58854),
            (48.0, 0.76839),
            (72.0, 0.74928),
        ];
        for (u, expected) in table {
            assert!((weight(u, &uniform) - expected).abs() < 5e-6, "u = {u}");
        }
    }

    #[test]
    fn mixture_and_expansion_agree_where_they_meet() {
        let table = [
            (1.0, 1e3, 1.1e3),
            (12.0, 1.2e3, 900.0),
            (2100.0, 3.0, 2200.0),
            (1500.0, 800.0, 2250.0),
        ];
        for (k, g, u) in table {
            let law = law(k, g);
            let expansion = Debye::new(&law);
            let what = format!("{k}, {g}, {u}");
            let by_mixture = Mixture::new(&law, u).ln_density();
            assert_close(expansion.ln_density(u), by_mixture, 1e-14, &what);
        }
    }

    #[test]
    fn a_vanishing_noncentrality_is_the_central_law() {
        for u in [0.5, 12.0, 40.0, 1000.0] {
            let (central, nearly) = (law(12.0, 0.0), law(12.0, 1e-25));
            assert_close(
                nearly.ln_density(u),
                central.ln_density(u),
                1e-14,
                "density",
            );
        }
    }

    #[test]
    fn the_ends_of_the_scale_are_safe() {
        let law_2 = law(2.0, 4.0);
        assert_close(
            law_2.density(0.0),
            (-2f64).exp() / 2.0,
            1e-15,
            "density at 0",
        );
        assert_eq!(law(1.0, 4.0).density(0.0), f64::INFINITY);
        assert_eq!(law(3.0, 4.0).density(0.0), 0.0);
        assert_eq!(law_2.density(-1.0), 0.0);
        assert_eq!(law_2.density(f64::INFINITY), 0.0);
        assert!(law_2.density(f64::NAN).is_nan());
        // A product of both parameters that underflows.
        let small = law(2.0, 2e-30);
        assert_close(small.density(1e-300), 0.5, 1e-12, "tiny density");
        // About -u/2 far out, for small and for huge arguments.
        assert_close(law_2.ln_density(1e300), -5e299, 1e-12, "far density");
    }

    #[test]
    fn parameters_out_of_range_are_errors() {
        for (k, g) in [(0.0, 1.0), (-1.0, 1.0), (2e12, 1.0), (f64::NAN, 1.0)] {
            assert!(NoncentralChiSquare::new(k, g).is_err());
        }
        for g in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(NoncentralChiSquare::new(12.0, g).is_err());
        }
    }
}
