//! The non-central chi-square law as a Poisson mixture of central ones.
//!
//! With k degrees of freedom and non-centrality g, the number j of extra pairs of degrees
//! of freedom is Poisson with mean g/2. The density is summed from the largest term
//! outwards. For the tails the inner sums are exchanged:
//! P(X > u) = Q(k/2, u/2) + sum_i p_i P(j > i), P(X <= u) = sum_i p_i P(j <= i), with
//! p_i = (u/2)^(k/2+i) e^(-u/2) / Gamma(k/2+i+1). Every term is positive, and each Poisson
//! tail follows from its neighbor in the direction in which sums only grow.
//! Cost: about 10 (g u)^(1/4) terms.

use super::NoncentralChiSquare;
use crate::stats::gamma::{ln_factor, scaled_lower, scaled_upper, upper_gamma};
use crate::stats::special::{ln_add, ln_poisson};

/// Terms below this share of the sum are left out.
const NEGLIGIBLE: f64 = 1e-19;
/// Where sums with a small non-centrality are scaled down.
const LARGEST_SCALED: f64 = 1e200;

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

    /// The tail above u, which is not below the mean of the law.
    ///
    /// With weights w_i = p_i Poisson(i), the terms are w_i s_i, s_i = P(j > i) over
    /// Poisson(i); s_(i-1) = (s_i + 1) mean / i only adds, so the sum runs downwards.
    pub(super) fn ln_upper(&self) -> f64 {
        let mode = self.largest_weight();
        let (mut weight, mut i) = (1.0, mode);
        while weight > NEGLIGIBLE {
            i += 1.0;
            weight *= self.step / ((self.shape + i) * i);
        }
        let mut beyond = self.mean * scaled_lower(i + 1.0, self.mean);
        let mut term = weight * beyond;
        let mut sum = term;
        while i >= 1.0 && term > NEGLIGIBLE * sum {
            weight *= (self.shape + i) * i / self.step;
            beyond = (beyond + 1.0) * self.mean / i;
            i -= 1.0;
            term = weight * beyond;
            sum += term;
        }
        let central = upper_gamma(self.shape, self.x).ln_p;
        ln_add(central, self.ln_weight(mode) + sum.ln())
    }

    /// The tail up to u, which is below the mean of the law.
    ///
    /// The terms are w_i c_i, c_i = P(j <= i) over Poisson(i); c_i = 1 + c_(i-1) i / mean
    /// only adds, so the sum runs upwards.
    pub(super) fn ln_lower(&self) -> f64 {
        let mode = self.largest_weight();
        let (mut weight, mut i) = (1.0, mode);
        while weight > NEGLIGIBLE && i >= 1.0 {
            weight *= (self.shape + i) * i / self.step;
            i -= 1.0;
        }
        let mut up_to = 1.0;
        if i >= 1.0 {
            up_to += i * scaled_upper(i, self.mean);
        }
        // 1 until `up_to` outgrows its range; then both are scaled down.
        let mut one = 1.0;
        let mut term = weight * up_to;
        let mut sum = term;
        while term > NEGLIGIBLE * sum {
            i += 1.0;
            weight *= self.step / ((self.shape + i) * i);
            up_to = one + up_to * i / self.mean;
            if up_to > LARGEST_SCALED {
                up_to /= LARGEST_SCALED;
                one /= LARGEST_SCALED;
                weight *= LARGEST_SCALED;
            }
            term = weight * up_to;
            sum += term;
        }
        self.ln_weight(mode) + sum.ln()
    }

    /// The i with the largest weight: i (k/2 + i) <= step up to it.
    fn largest_weight(&self) -> f64 {
        positive_root(self.shape, self.step).floor()
    }

    fn ln_weight(&self, i: f64) -> f64 {
        ln_poisson(self.shape + i, self.x) + ln_poisson(i, self.mean)
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
