//! What tests of blocks share.

use super::distribution::{ScoreDistribution, checked_parameters};
use super::effect::Effect;
use crate::data::Nominal;
use crate::stats::chi_square_tail;
use crate::stats::quadrature::panel;

/// The first half of class a, the second of class b.
pub(super) fn class_of_halves(n_rows: usize) -> Nominal {
    Nominal::from_labels((0..n_rows).map(|row| Some(if row < n_rows / 2 { "a" } else { "b" })))
}

/// The distance of two classes as a classifier sees it whose parameters are estimated:
/// D = J / sqrt(J + bias), equation (9); 0 for J = 0.
///
/// `bias` is what the estimated distance is too large by: the parameters over the rows `nh`,
/// the paper's 2 rho m.
pub(crate) fn limiting_distance(j: f64, bias: f64) -> f64 {
    if j > 0.0 { j / (j + bias).sqrt() } else { 0.0 }
}

/// Integrals over a distribution, equations (13) to (16), which faster code is held to.
impl ScoreDistribution {
    /// Scores are these, with probabilities in proportion to `masses`.
    pub(super) fn discrete(nodes: Vec<f64>, masses: Vec<f64>) -> Self {
        ScoreDistribution::merged(nodes.into_iter().zip(masses).collect())
    }

    /// The mean true score.
    pub(super) fn mean(&self) -> f64 {
        self.pairs().map(|(node, mass)| node * mass).sum()
    }

    /// The mean effect of a block that counts by its estimated score.
    ///
    /// The weight should be smooth: sums of 16 points per unit of the score's root.
    pub(super) fn effect_of_weight(&self, parameters: f64, weight: impl Fn(f64) -> f64) -> Effect {
        let mut effect = Effect::default();
        for (from, to) in self.panels(parameters, 1.0) {
            for (root, share) in panel(from, to) {
                let score = root * root;
                let density = self.densities(parameters, score);
                let (weight, share) = (weight(score), share * 2.0 * root);
                effect.separation += share * weight * density.separation;
                effect.variance += share * weight * weight * density.variance;
            }
        }
        effect
    }

    /// The mean effect of a block that counts where its estimated score is at least this:
    /// upper tails in place of integrals.
    pub(super) fn effect_of_threshold(&self, parameters: f64, threshold: f64) -> Effect {
        let m = checked_parameters(parameters);
        let tail = |k: f64, node: f64| upper_tail(k, node, threshold);
        let mut effect = Effect::default();
        for (node, mass) in self.pairs() {
            let two_more = tail(m + 2.0, node);
            effect.separation += mass * node * two_more;
            effect.variance += mass * (m * two_more + node * tail(m + 4.0, node));
        }
        effect
    }
}

/// The upper tail of the non-central chi-square distribution, as a Poisson mixture of central ones.
fn upper_tail(degrees_of_freedom: f64, noncentrality: f64, threshold: f64) -> f64 {
    let mean = noncentrality / 2.0;
    let n_terms = (mean + 12.0 * mean.sqrt() + 60.0) as usize;
    let mut ln_weight = -mean;
    let mut sum = 0.0;
    for j in 0..n_terms {
        let tail = chi_square_tail(threshold, degrees_of_freedom + 2.0 * j as f64);
        sum += ln_weight.exp() * tail.map_or(0.0, |tail| tail.p);
        ln_weight += mean.ln() - (j as f64 + 1.0).ln();
    }
    sum
}
