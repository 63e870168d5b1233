//! The distribution of the true scores: what is believed of blocks before one is looked at.
//!
//! Paper: Pavlenko, Hall and von Rosen, 2004, sections 3 and 4, the distribution H. It is
//! held as nodes with masses, so that every integral over it is a sum.
//! Cost: a weight takes two densities per node, about half a microsecond.

use crate::stats::NoncentralChiSquare;
use crate::{Observer, Result};

use super::em;
use super::options::PriorKind;
use super::score::SampleScore;

/// Nodes of a distribution with a formula.
const N_NODES: usize = 2000;
/// The fewest degrees of freedom that a score may have.
const MIN_PARAMETERS: f64 = 0.5;
/// The most: two and four more are still understood.
const MAX_PARAMETERS: f64 = 1e11;
/// Stands for a score of 0, where densities vanish but their ratios do not.
const MIN_SCORE: f64 = 1e-300;
/// The root of a chi-square value has at most unit standard deviation, so that this far from
/// its middle nothing is left.
pub(super) const REACH: f64 = 10.0;

/// The distribution of true scores, as nodes with masses that sum to 1.
///
/// Nodes ascend, no two are equal, and none is negative.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ScoreDistribution {
    pub(super) nodes: Vec<f64>,
    pub(super) masses: Vec<f64>,
}

impl ScoreDistribution {
    /// Every block has the same true score.
    ///
    /// A score that is negative or no finite number counts as 0, here and below.
    pub(super) fn point(score: f64) -> Self {
        ScoreDistribution {
            nodes: vec![finite(score)],
            masses: vec![1.0],
        }
    }

    /// Scores from 0 to `most` are equally likely: 2,000 midpoints.
    pub(super) fn uniform(most: f64) -> Self {
        let most = finite(most);
        let node = |i: usize| most * ((i as f64 + 0.5) / N_NODES as f64);
        ScoreDistribution::merged((0..N_NODES).map(|i| (node(i), 1.0)).collect())
    }

    /// Scores follow a chi-square distribution: 2,000 nodes weighted by its density.
    ///
    /// The nodes are fourth powers of midpoints: with less than two degrees of freedom the
    /// density is infinite at 0, but not over the fourth root of the score.
    pub(super) fn chi_square(distribution: NoncentralChiSquare) -> Self {
        let middle = distribution.mean().sqrt();
        let (from, to) = ((middle - REACH).max(0.0).sqrt(), (middle + REACH).sqrt());
        let node = |i: usize| {
            let root = from + (to - from) * ((i as f64 + 0.5) / N_NODES as f64);
            let score = root.powi(4);
            (score, distribution.density(score) * root.powi(3))
        };
        ScoreDistribution::merged((0..N_NODES).map(node).collect())
    }

    /// Every estimated score less its bias, with equal mass: crude, for it takes the noise of
    /// the estimates for differences of the blocks.
    pub(super) fn plug_in(scores: &[SampleScore]) -> Self {
        let node = |score: &SampleScore| (finite(score.score - score.parameters), 1.0);
        ScoreDistribution::merged(scores.iter().map(node).collect())
    }

    /// The most likely distribution on 100 points from 0 to the largest score, by expectation and
    /// maximization.
    ///
    /// # Errors
    /// A score that is negative or no finite number, or the run was stopped.
    ///
    /// # Cost
    /// O(100) densities per block, then up to 500 rounds of as many products.
    pub(super) fn estimate(scores: &[SampleScore], observer: &dyn Observer) -> Result<Self> {
        em::estimate(scores, observer).map(ScoreDistribution::merged)
    }

    /// The distribution of a kind that fits the scores: `Uniform` and `ChiSquare` (central, with at
    /// least half a degree of freedom) take their mean, less the bias, for their own.
    ///
    /// # Errors
    /// As of [`estimate`](ScoreDistribution::estimate).
    pub(super) fn of(
        kind: PriorKind,
        scores: &[SampleScore],
        observer: &dyn Observer,
    ) -> Result<Self> {
        match kind {
            PriorKind::Em => ScoreDistribution::estimate(scores, observer),
            PriorKind::PlugIn => Ok(ScoreDistribution::plug_in(scores)),
            PriorKind::Uniform => Ok(ScoreDistribution::uniform(2.0 * mean_excess(scores))),
            PriorKind::ChiSquare => match mean_excess(scores) {
                0.0 => Ok(ScoreDistribution::point(0.0)),
                mean => {
                    let degrees_of_freedom = mean.clamp(MIN_PARAMETERS, MAX_PARAMETERS);
                    let distribution = NoncentralChiSquare::new(degrees_of_freedom, 0.0)?;
                    Ok(ScoreDistribution::chi_square(distribution))
                }
            },
        }
    }

    /// What a block counts in the best classifier, by its estimated score: equation (17).
    ///
    /// For the distance of two classes only ratios of weights matter; beside shares of classes and
    /// other features their size does too. The weight is finite and not negative whatever it is
    /// asked; 0 where no block tells anything.
    pub(super) fn weight(&self, parameters: f64, score: f64) -> f64 {
        let parameters = checked_parameters(parameters);
        let score = finite(score).max(MIN_SCORE);
        let (mut above, mut below) = (LogSum::default(), LogSum::default());
        for (node, mass) in self.pairs() {
            let ln_mass = mass.ln();
            below.add(ln_mass + ln_density(parameters, node, score));
            if node > 0.0 {
                let ln_node = ln_mass + node.ln();
                above.add(ln_node + ln_density(parameters + 2.0, node, score));
            }
        }
        let weight = (above.value() - below.value() - score.ln()).exp();
        if weight.is_finite() { weight } else { 0.0 }
    }

    pub(super) fn pairs(&self) -> impl Iterator<Item = (f64, f64)> {
        self.nodes.iter().copied().zip(self.masses.iter().copied())
    }

    /// Nodes in order, equal ones as one, without those of no mass; a point at 0 where nothing
    /// is left.
    pub(super) fn merged(mut pairs: Vec<(f64, f64)>) -> Self {
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut nodes, mut masses): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
        for (node, mass) in pairs {
            match (nodes.last(), masses.last_mut()) {
                (Some(last), Some(before)) if *last == node => *before += mass,
                _ if mass > 0.0 => {
                    nodes.push(node);
                    masses.push(mass);
                }
                _ => {}
            }
        }
        if nodes.is_empty() {
            return ScoreDistribution::point(0.0);
        }
        let total: f64 = masses.iter().sum();
        masses.iter_mut().for_each(|mass| *mass /= total);
        // The smallest numbers may become nothing.
        let pairs = nodes.into_iter().zip(masses);
        let (nodes, masses) = pairs.filter(|&(_, mass)| mass > 0.0).unzip();
        ScoreDistribution { nodes, masses }
    }
}

/// What is left of a mean score when its bias is taken off; not below 0.
fn mean_excess(scores: &[SampleScore]) -> f64 {
    let excess: f64 = scores.iter().map(|s| s.score - s.parameters).sum();
    finite(excess / scores.len().max(1) as f64)
}

/// The number itself where it is finite and above 0, else 0.
fn finite(score: f64) -> f64 {
    if score.is_finite() && score > 0.0 {
        score
    } else {
        0.0
    }
}

/// Degrees of freedom within the range of the distribution.
pub(super) fn checked_parameters(parameters: f64) -> f64 {
    if parameters.is_nan() {
        return MIN_PARAMETERS;
    }
    parameters.clamp(MIN_PARAMETERS, MAX_PARAMETERS)
}

/// The log density of an estimated score, given the true one.
pub(super) fn ln_density(parameters: f64, node: f64, score: f64) -> f64 {
    let score = score.max(MIN_SCORE);
    NoncentralChiSquare::new(parameters, node).map_or(f64::NEG_INFINITY, |distribution| {
        distribution.ln_density(score)
    })
}

/// A sum of numbers given by their logarithms, each of which may be out of range.
#[derive(Debug, Clone, Copy)]
struct LogSum {
    largest: f64,
    /// The sum as a multiple of the largest.
    sum: f64,
}

impl Default for LogSum {
    fn default() -> Self {
        LogSum {
            largest: f64::NEG_INFINITY,
            sum: 0.0,
        }
    }
}

impl LogSum {
    fn add(&mut self, ln_term: f64) {
        // Nothing is added, and is no number beside nothing.
        if ln_term == f64::NEG_INFINITY {
            return;
        }
        if ln_term <= self.largest {
            self.sum += (ln_term - self.largest).exp();
        } else {
            self.sum = self.sum * (self.largest - ln_term).exp() + 1.0;
            self.largest = ln_term;
        }
    }

    fn value(&self) -> f64 {
        self.largest + self.sum.ln()
    }
}
