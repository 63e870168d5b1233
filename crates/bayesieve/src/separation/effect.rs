//! What a weighted classifier can tell: the distance D of its classes, and its risk.
//!
//! Paper: equations (9) and (13) to (16). With blocks weighted by w(u) of their estimated
//! scores u, D = E / sqrt(V), where E sums the true scores g by what is left of them,
//! INT w(u) f(u; m+2, g) du, and V the noise, INT u w(u)^2 f(u; m, g) du; f is the
//! non-central chi-square density, m the block's parameters. The risk is Phi(-D/2).
//! Where the paper contradicts itself: the factor of (15) is taken as 2 rho, that of (16),
//! without which (9) would not follow from w = 1.

use crate::stats::normal_tail;

use super::distribution::{REACH, ScoreDistribution, checked_parameters, ln_density};
use super::score::SampleScore;

/// Logarithms of ratios of risks beyond this are cut: the ratio would not be a finite number.
const LARGEST_LN_RATIO: f64 = 700.0;

/// What blocks add to a weighted classifier, in units of scores: E and V without their factor.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Effect {
    /// What separates the classes.
    pub separation: f64,
    /// What blurs them.
    pub variance: f64,
}

impl Effect {
    /// The distance D = E / sqrt(V) of the classes; 0 where nothing is left.
    ///
    /// `blocks_per_row` is the number of blocks that have this mean effect over the rows
    /// `nh = n1 n2 / (n1 + n2)`: the paper's 2 rho. For a sum over all blocks it is 1 / nh.
    pub fn distance(&self, blocks_per_row: f64) -> f64 {
        if self.variance > 0.0 {
            self.separation * (blocks_per_row / self.variance).sqrt()
        } else {
            0.0
        }
    }

    /// The same of this many blocks.
    #[must_use]
    pub fn times(&self, n_blocks: f64) -> Self {
        Effect {
            separation: self.separation * n_blocks,
            variance: self.variance * n_blocks,
        }
    }

    /// Of these blocks and others together.
    #[must_use]
    pub fn plus(&self, other: Effect) -> Self {
        Effect {
            separation: self.separation + other.separation,
            variance: self.variance + other.variance,
        }
    }
}

impl ScoreDistribution {
    /// What an estimated score of exactly this adds, per unit of score.
    pub(super) fn densities(&self, parameters: f64, score: f64) -> Effect {
        let m = checked_parameters(parameters);
        let root = score.sqrt();
        let near = |distance: f64| (root + distance).max(0.0).powi(2) - m;
        let first = self.nodes.partition_point(|&node| node < near(-REACH));
        let end = self.nodes.partition_point(|&node| node <= near(REACH));
        let mut effect = Effect::default();
        for k in first..end {
            let (node, mass) = (self.nodes[k], self.masses[k]);
            effect.variance += mass * score * ln_density(m, node, score).exp();
            if node > 0.0 {
                effect.separation += mass * node * ln_density(m + 2.0, node, score).exp();
            }
        }
        effect
    }

    /// Panels over the root of the score wherever an estimated score can be, ascending.
    pub(super) fn panels(&self, parameters: f64, length: f64) -> Vec<(f64, f64)> {
        let m = checked_parameters(parameters);
        let mut reaches: Vec<(f64, f64)> = Vec::new();
        for &node in &self.nodes {
            let middle = (m + node).sqrt();
            let (from, to) = ((middle - REACH).max(0.0), middle + REACH);
            match reaches.last_mut() {
                Some(last) if last.1 >= from => last.1 = to,
                _ => reaches.push((from, to)),
            }
        }
        let split = |(from, to): (f64, f64)| {
            let n = ((to - from) / length).ceil().max(1.0);
            let end = move |i: usize| from + (to - from) * (i as f64 / n);
            (0..n as usize).map(move |i| (end(i), end(i + 1)))
        };
        reaches.into_iter().flat_map(split).collect()
    }
}

/// The share of rows that go to the wrong one of two classes at this distance: Phi(-D/2).
pub fn risk(distance: f64) -> f64 {
    normal_tail(distance / 2.0).map_or(0.5, |tail| tail.p)
}

/// The part of the risk that is taken off when the distance of two classes becomes another:
/// `1 - R~ / R`, also where both are smaller than any number; negative where risk is added.
pub fn gain(distance: f64, new_distance: f64) -> f64 {
    let ln_risk = |distance: f64| normal_tail(distance / 2.0).map_or(0.0, |tail| tail.ln_p);
    let ln_ratio = ln_risk(new_distance) - ln_risk(distance);
    -ln_ratio.min(LARGEST_LN_RATIO).exp_m1()
}

/// What estimated scores promise of a classifier: too much, where blocks were chosen by them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlugIn {
    /// D with the estimated distance less its bias for the true one.
    pub distance: f64,
    /// Phi(-D/2).
    pub risk: f64,
}

impl PlugIn {
    /// From the sums of scores and of parameters over the blocks that count;
    /// `rows` is `nh = n1 n2 / (n1 + n2)`.
    ///
    /// # Example
    /// ```
    /// use bayesieve::separation::{PlugIn, SampleScore};
    ///
    /// // Scores 10 and 0.5 of two features each, 20 rows per class: J = 1.05, less 0.4.
    /// let both = PlugIn::new(SampleScore { score: 10.5, parameters: 4.0 }, 10.0);
    /// assert!((both.distance - 0.65 / 1.05f64.sqrt()).abs() < 1e-15);
    /// ```
    pub fn new(total: SampleScore, rows: f64) -> Self {
        let distance = (total.score - total.parameters) / (total.score * rows).sqrt();
        // Nothing is known without scores or rows.
        let distance = if distance.is_finite() { distance } else { 0.0 };
        PlugIn {
            distance,
            risk: risk(distance),
        }
    }
}
