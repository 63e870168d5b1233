//! The non-central chi-square law by Debye's expansion of the Bessel function.
//!
//! Abramowitz and Stegun, 9.7.7: with v = k/2 - 1 the order, z = sqrt(g u) the argument
//! and R = sqrt(v^2 + z^2), I_v(z) = exp(R) (z / (v + R))^v / sqrt(2 pi R) times a series
//! in 1/R, whichever of v and z is large.
//! Cost: constant.

use std::f64::consts::{LN_2, PI};

use super::NoncentralChiSquare;
use crate::stats::special::unit_deviance;

/// From this R on, four terms of the series are exact.
const SMALLEST_RADIUS: f64 = 1e3;

/// The expansion for one law.
pub(super) struct Debye {
    degrees_of_freedom: f64,
    noncentrality: f64,
    order: f64,
}

impl Debye {
    pub(super) fn new(law: &NoncentralChiSquare) -> Self {
        Debye {
            degrees_of_freedom: law.degrees_of_freedom,
            noncentrality: law.noncentrality,
            order: law.degrees_of_freedom / 2.0 - 1.0,
        }
    }

    /// Whether the expansion is exact to the last digit at `u`.
    pub(super) fn is_exact(&self, u: f64) -> bool {
        self.radius(u) > SMALLEST_RADIUS
    }

    /// R, from roots so that g u cannot overflow.
    fn radius(&self, u: f64) -> f64 {
        self.order.hypot(self.noncentrality.sqrt() * u.sqrt())
    }

    /// With e = u - g - 2v the offset from the center and S = R + g, the large terms
    /// -(u + g)/2 + (v/2) ln(u/g) + R + v ln(z / (v + R)) are the same as
    /// -v (q - ln(1 + q)) - e^2 (S - v) / ((S + v) (4R + 2u + 2g)), q = e / (S + v):
    /// squares of e, with nothing left to cancel.
    pub(super) fn ln_density(&self, u: f64) -> f64 {
        let (v, g, r) = (self.order, self.noncentrality, self.radius(u));
        let offset = (u - self.noncentrality - self.degrees_of_freedom) + 2.0;
        // S - v, where R - v = g u / (R + v) keeps its digits for v near R.
        let minus = g * (u / (v + r)) + g;
        let plus = v + r + g;
        let square = offset * (offset / (4.0 * r + 2.0 * (u + g))) * (minus / plus);
        -LN_2 - v * unit_deviance(offset / plus, u / (v + r)) - square - 0.5 * (2.0 * PI * r).ln()
            + series((v / r).powi(2), 1.0 / r).ln_1p()
    }
}

/// U1 + U2 + U3 + U4 of the expansion (9.3.9), `t` being (v/R)^2.
fn series(t: f64, inverse_radius: f64) -> f64 {
    let first = (3.0 - 5.0 * t) / 24.0;
    let second = (81.0 + t * (-462.0 + t * 385.0)) / 1152.0;
    let third = (30_375.0 + t * (-369_603.0 + t * (765_765.0 - t * 425_425.0))) / 414_720.0;
    let fourth = (4_465_125.0
        + t * (-94_121_676.0 + t * (349_922_430.0 + t * (-446_185_740.0 + t * 185_910_725.0))))
        / 39_813_120.0;
    let x = inverse_radius;
    x * (first + x * (second + x * (third + x * fourth)))
}
