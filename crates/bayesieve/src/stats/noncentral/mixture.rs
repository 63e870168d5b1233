//! The non-central chi-square law as a Poisson mixture of central ones.
//!
//! With k degrees of freedom and non-centrality g, the number j of extra pairs of degrees
//! of freedom is Poisson with mean g/2. The density is summed from the largest term
//! outwards.
//! Cost: about 10 (g u)^(1/4) terms.

use super::NoncentralChiSquare;
use crate::stats::gamma::ln_factor;
use crate::stats::special::ln_poisson;

/// Terms below this share of the sum are left out.
const NEGLIGIBLE: f64 = 1e-19;
/// The mixture at one value u.
pub(super) struct Mixture {
    /// k/2
    shape: f64,
    /// u/2
    x: f64,
    /// g/2
    mean: f64,
    /// x times the Poisson mean, which every ratio of neighboring terms contains.
    step: f64,
}

impl Mixture {
    pub(super) fn new(law: &NoncentralChiSquare, u: f64) -> Self {
        let (x, mean) = (u / 2.0, law.noncentrality / 2.0);
        Mixture {
            shape: law.degrees_of_freedom / 2.0,
            x,
            mean,
            step: x * mean,
        }
    }

    /// The terms are Poisson(j) times the central density with k + 2j.
    pub(super) fn ln_density(&self) -> f64 {
        // The term at j is not smaller than the one before while j (k/2 + j - 1) <= step.
        let mode = positive_root(self.shape - 1.0, self.step).floor();
        let mut sum = 1.0;
        let (mut term, mut j) = (1.0, mode);
        while term > NEGLIGIBLE * sum {
            term *= self.step / ((j + 1.0) * (self.shape + j));
            j += 1.0;
            sum += term;
        }
        (term, j) = (1.0, mode);
        while term > NEGLIGIBLE * sum && j >= 1.0 {
            j -= 1.0;
            term *= (j + 1.0) * (self.shape + j) / self.step;
            sum += term;
        }
        let ln_largest = ln_poisson(mode, self.mean) + ln_factor(self.shape + mode, self.x);
        ln_largest - (2.0 * self.x).ln() + sum.ln()
    }
}

/// The root of j (j + b) = c that is not negative, in the form that cannot cancel.
fn positive_root(b: f64, c: f64) -> f64 {
    let root = (b * b + 4.0 * c).sqrt();
    if b < 0.0 {
        (root - b) / 2.0
    } else if c > 0.0 {
        2.0 * c / (b + root)
    } else {
        0.0
    }
}
