//! What a weighted classifier can tell: the distance D of its classes, and its risk.
//!
//! Paper: equations (9) and (13) to (16). With blocks weighted by w(u) of their estimated
//! scores u, D = E / sqrt(V), where E sums the true scores g by what is left of them,
//! INT w(u) f(u; m+2, g) du, and V the noise, INT u w(u)^2 f(u; m, g) du; f is the
//! non-central chi-square density, m the block's parameters. The risk is Phi(-D/2).
//! Where the paper contradicts itself: the factor of (15) is taken as 2 rho, that of (16),
//! without which (9) would not follow from w = 1.

use crate::stats::quadrature::panel;
use crate::stats::{NoncentralChiSquare, normal_tail};

use super::law::{REACH, ScoreLaw, checked_parameters, ln_density};
use super::score::SampleScore;

/// Length of a panel of 16 points, over the root of the score; densities are smooth over 1.
const PANEL: f64 = 1.0;

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

impl ScoreLaw {
    /// The mean effect of a block that counts by its estimated score.
    ///
    /// The weight should be smooth: sums of 16 points per unit of the score's root.
    ///
    /// # Example
    /// ```
    /// use bayesieve::separation::ScoreLaw;
    ///
    /// // With the best weights, what separates is as large as what blurs.
    /// let law = ScoreLaw::discrete(vec![0.0, 30.0], vec![0.5, 0.5])?;
    /// let best = law.effect_of_weight(12.0, |score| law.weight(12.0, score));
    /// assert!((best.separation / best.variance - 1.0).abs() < 1e-10);
    /// // A hundred blocks and 600 rows: D is 1.32, and 1.18 with equal weights.
    /// let equal = law.effect_of_weight(12.0, |_| 1.0);
    /// assert!((best.distance(1.0 / 6.0) - 1.3154).abs() < 1e-4);
    /// assert!((equal.distance(1.0 / 6.0) - 1.1785).abs() < 1e-4);
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn effect_of_weight(&self, parameters: f64, weight: impl Fn(f64) -> f64) -> Effect {
        let mut effect = Effect::default();
        for (from, to) in self.panels(parameters, PANEL) {
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
    pub fn effect_of_threshold(&self, parameters: f64, threshold: f64) -> Effect {
        let m = checked_parameters(parameters);
        let tail = |k: f64, node: f64| {
            NoncentralChiSquare::new(k, node).map_or(0.0, |law| law.upper_tail(threshold).p)
        };
        let mut effect = Effect::default();
        for (node, mass) in self.pairs() {
            let two_more = tail(m + 2.0, node);
            effect.separation += mass * node * two_more;
            effect.variance += mass * (m * two_more + node * tail(m + 4.0, node));
        }
        effect
    }

    /// What an estimated score of exactly this adds, per unit of score.
    pub(super) fn densities(&self, parameters: f64, score: f64) -> Effect {
        let m = checked_parameters(parameters);
        let root = score.sqrt();
        let near = |distance: f64| (root + distance).max(0.0).powi(2) - m;
        let first = self.nodes().partition_point(|&node| node < near(-REACH));
        let end = self.nodes().partition_point(|&node| node <= near(REACH));
        let mut effect = Effect::default();
        for k in first..end {
            let (node, mass) = (self.nodes()[k], self.masses()[k]);
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
        for &node in self.nodes() {
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

/// The distance of two classes as a classifier sees it whose parameters are estimated:
/// D = J / sqrt(J + bias), equation (9); 0 for J = 0.
///
/// `bias` is what the estimated distance is too large by: the parameters over the rows `nh`,
/// the paper's 2 rho m.
///
/// # Example
/// ```
/// use bayesieve::separation::{limiting_distance, risk};
///
/// // J = 5 with a hundred blocks of twelve features and 1,200 rows per class.
/// let distance = limiting_distance(5.0, 2.0);
/// assert!((distance - 1.8898).abs() < 1e-4);
/// assert!((risk(distance) - 0.17235).abs() < 1e-5);
/// assert_eq!(risk(limiting_distance(0.0, 2.0)), 0.5);
/// ```
pub fn limiting_distance(j: f64, bias: f64) -> f64 {
    if j > 0.0 { j / (j + bias).sqrt() } else { 0.0 }
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
