//! What a block must score to be worth its noise.
//!
//! Paper: section 4, equations (20) to (22). A block below its threshold adds more noise to
//! the classifier than it tells. (22) is exact where such blocks are few; `exact_thresholds`
//! is what it approximates: the thresholds that make D = E / sqrt(V) largest under a distribution of
//! true scores.
//! How: E^2/V is the largest value of 2 a E - a^2 V over a, at a = E/V. For fixed a the
//! thresholds of blocks of different sizes do not depend on each other, so both are improved
//! in turn, first on a grid from many starts, then to the last digits: the best threshold t
//! has weight(t) = a/2, the weight of equation (17).
//! Cost: 32 densities per node, panel and size; panels are half a unit of the score's root.

use rayon::prelude::*;

use crate::stats::quadrature::panel;
use crate::{Observer, Result, check};

use super::distribution::{ScoreDistribution, checked_parameters};
use super::effect::Effect;
use super::score::SampleScore;

/// Length of a panel over the root of the score.
const PANEL: f64 = 0.5;
/// Values of a = E/V from which the thresholds on the grid are improved.
const N_STARTS: usize = 64;
/// Most rounds of improvement.
const MAX_ROUNDS: usize = 100;
/// Thresholds that move by less than this part of themselves have been found.
const STILL: f64 = 1e-10;
/// As near to a crossing as this is on it.
const EXACT: f64 = 1e-14;

/// The thresholds of equation (22) for blocks of any sizes: t = 2 m U / (U + M), where m are a
/// block's parameters, M those of all blocks and U the sum of their scores.
///
/// # Example
/// ```
/// use bayesieve::separation::{SampleScore, asymptotic_thresholds};
///
/// let scores = [10.0, 0.5].map(|score| SampleScore { score, parameters: 2.0 });
/// let thresholds = asymptotic_thresholds(&scores);
/// assert!((thresholds[0] - 4.0 * 10.5 / 14.5).abs() < 1e-15); // the second block is out
/// ```
pub fn asymptotic_thresholds(scores: &[SampleScore]) -> Vec<f64> {
    let total: f64 = scores.iter().map(|s| s.score).sum();
    let parameters: f64 = scores.iter().map(|s| s.parameters).sum();
    // Written so that a sum that is infinite has a limit.
    let share = if total > 0.0 {
        1.0 / (1.0 + parameters / total)
    } else {
        0.0
    };
    scores.iter().map(|s| 2.0 * s.parameters * share).collect()
}

/// Finds the thresholds, one per number of parameters (those within one percent go together),
/// that make the classifier best under a distribution of true scores; 0 where all blocks are worth keeping, none above the largest score.
///
/// # Errors
/// The run was stopped.
///
/// # Cost
/// About 0.05 s per distinct number of parameters for 100 nodes.
pub(super) fn exact_thresholds(
    distribution: &ScoreDistribution,
    scores: &[SampleScore],
    observer: &dyn Observer,
) -> Result<Vec<f64>> {
    let most = scores.iter().map(|s| s.score).fold(0.0, f64::max);
    let mut sizes: Vec<f64> = scores.iter().map(|s| s.parameters).collect();
    sizes.sort_by(f64::total_cmp);
    let runs: Vec<&[f64]> = sizes.chunk_by(|&a, &b| step(a) == step(b)).collect();
    let curves: Result<Vec<Curve>> = runs
        .par_iter()
        .map(|run| Curve::new(distribution, run[0], run.len(), observer))
        .collect();
    let curves = curves?;
    let best = Choice::on_grid(&curves, most, observer)?.refined(&curves, most, observer)?;
    let threshold = |s: &SampleScore| {
        let place = runs.partition_point(|run| step(run[0]) < step(s.parameters));
        let share = checked_parameters(s.parameters) / checked_parameters(runs[place][0]);
        best.thresholds[place] * share
    };
    Ok(scores.iter().map(threshold).collect())
}

/// Numbers of parameters within about one percent of each other share a curve.
fn step(parameters: f64) -> i64 {
    (100.0 * checked_parameters(parameters).ln()).round() as i64
}

/// What blocks of one size add, by their threshold.
struct Curve<'a> {
    distribution: &'a ScoreDistribution,
    parameters: f64,
    n_blocks: f64,
    /// Where panels begin, over the root of the score.
    starts: Vec<f64>,
    /// Where they end.
    ends: Vec<f64>,
    /// The effect of blocks that score at least as where the panel begins; one more for none.
    effects: Vec<Effect>,
}

impl<'a> Curve<'a> {
    fn new(
        distribution: &'a ScoreDistribution,
        parameters: f64,
        n_blocks: usize,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let panels = distribution.panels(parameters, PANEL);
        let n_blocks = n_blocks as f64;
        let inside = |&(from, to): &(f64, f64)| {
            check(observer)?;
            Ok(integral(distribution, parameters, from, to).times(n_blocks))
        };
        let inside: Result<Vec<Effect>> = panels.par_iter().map(inside).collect();
        let mut effects = vec![Effect::default()];
        for effect in inside?.into_iter().rev() {
            let beyond = effects.last().copied().unwrap_or_default();
            effects.push(beyond.plus(effect));
        }
        effects.reverse();
        let (starts, ends) = panels.into_iter().unzip();
        Ok(Curve {
            distribution,
            parameters,
            n_blocks,
            starts,
            ends,
            effects,
        })
    }

    /// The effect at any threshold.
    fn effect(&self, threshold: f64) -> Effect {
        let root = threshold.max(0.0).sqrt();
        let next = self.starts.partition_point(|&start| start < root);
        let beyond = self.effects[next];
        match next.checked_sub(1).map(|before| self.ends[before]) {
            Some(end) if end > root => {
                let rest = integral(self.distribution, self.parameters, root, end);
                beyond.plus(rest.times(self.n_blocks))
            }
            _ => beyond,
        }
    }

    /// The panel start with the largest E - slope V, the first where several are equal.
    fn best_on_grid(&self, slope: f64, most: f64) -> usize {
        let value = |place: usize| {
            let effect = self.effects[place];
            effect.separation - slope * effect.variance
        };
        let mut best = 0;
        for place in 1..self.starts.len() {
            if self.starts[place].powi(2) > most {
                break;
            }
            if value(place) > value(best) {
                best = place;
            }
        }
        best
    }

    /// The threshold on the grid that a panel's start stands for.
    fn threshold_at(&self, place: usize) -> f64 {
        // Nothing scores below the first panel: all blocks are kept.
        if place == 0 {
            0.0
        } else {
            self.starts[place].powi(2)
        }
    }

    /// The threshold with the largest E - slope V: around the best of the grid, where the
    /// weight of a score passes the slope.
    fn best(&self, slope: f64, most: f64) -> f64 {
        let place = self.best_on_grid(slope, most);
        let on_grid = self.threshold_at(place);
        let low = self.threshold_at(place.saturating_sub(1));
        let high = (self.starts.get(place + 1)).map_or(most, |start| start.powi(2).min(most));
        let between = self.crossing(slope, low, high);
        let value = |threshold: f64| {
            let effect = self.effect(threshold);
            effect.separation - slope * effect.variance
        };
        if value(between) > value(on_grid) {
            between
        } else {
            on_grid
        }
    }

    /// Where the weight of a score rises through the slope; an end where it does not.
    fn crossing(&self, slope: f64, mut low: f64, mut high: f64) -> f64 {
        let excess = |threshold: f64| self.distribution.weight(self.parameters, threshold) - slope;
        let (mut at_low, mut at_high) = (excess(low), excess(high));
        if at_low >= 0.0 {
            return low;
        }
        if at_high <= 0.0 {
            return high;
        }
        // Straight lines between the ends; an end that stays counts half each time.
        let mut between = high;
        let mut moved_low = None;
        for _ in 0..MAX_ROUNDS {
            between = low + (high - low) * (at_low / (at_low - at_high));
            let at = excess(between);
            if at.abs() <= EXACT * slope || high - low <= EXACT * high {
                break;
            }
            let is_low = at < 0.0;
            if is_low {
                (low, at_low) = (between, at);
            } else {
                (high, at_high) = (between, at);
            }
            if moved_low == Some(is_low) {
                if is_low {
                    at_high /= 2.0;
                } else {
                    at_low /= 2.0;
                }
            }
            moved_low = Some(is_low);
        }
        between
    }
}

/// The effect of scores whose roots lie between two points of one panel.
fn integral(distribution: &ScoreDistribution, parameters: f64, from: f64, to: f64) -> Effect {
    panel(from, to).fold(Effect::default(), |sum, (root, share)| {
        let density = distribution.densities(parameters, root * root);
        sum.plus(density.times(share * 2.0 * root))
    })
}

/// Thresholds for all sizes, with what they make of the classifier.
struct Choice {
    thresholds: Vec<f64>,
    effect: Effect,
}

impl Choice {
    fn new(curves: &[Curve], thresholds: Vec<f64>) -> Self {
        let effects = curves.iter().zip(&thresholds);
        let effect = effects
            .map(|(curve, &threshold)| curve.effect(threshold))
            .fold(Effect::default(), |sum, effect| sum.plus(effect));
        Choice { thresholds, effect }
    }

    /// The best on the grids, from many slopes: each is improved as far as it goes.
    fn on_grid(curves: &[Curve], most: f64, observer: &dyn Observer) -> Result<Self> {
        let keep_all = Choice::new(curves, vec![0.0; curves.len()]);
        let effect_at = |places: &[usize]| {
            let effects = curves.iter().zip(places);
            effects.fold(Effect::default(), |sum, (curve, &place)| {
                sum.plus(curve.effects[place])
            })
        };
        let places_at = |slope: f64| -> Vec<usize> {
            curves
                .iter()
                .map(|curve| curve.best_on_grid(slope, most))
                .collect()
        };
        let mut best = (vec![0; curves.len()], keep_all.effect);
        for start in 1..=N_STARTS {
            check(observer)?;
            // V is above E whatever the threshold, so that no slope reaches 1/2.
            let mut slope = 0.5 * start as f64 / N_STARTS as f64;
            for _ in 0..MAX_ROUNDS {
                let places = places_at(slope);
                let effect = effect_at(&places);
                let next = slope_of(effect);
                if effect.distance(1.0) > best.1.distance(1.0) {
                    best = (places, effect);
                }
                if next == slope {
                    break;
                }
                slope = next;
            }
        }
        let (places, effect) = best;
        let thresholds = curves.iter().zip(places);
        Ok(Choice {
            thresholds: thresholds
                .map(|(curve, place)| curve.threshold_at(place))
                .collect(),
            effect,
        })
    }

    /// The same between the points of the grids, until nothing moves.
    fn refined(mut self, curves: &[Curve], most: f64, observer: &dyn Observer) -> Result<Self> {
        for _ in 0..MAX_ROUNDS {
            check(observer)?;
            let slope = slope_of(self.effect);
            let thresholds = curves.par_iter().map(|curve| curve.best(slope, most));
            let next = Choice::new(curves, thresholds.collect());
            // The distance is flat at its top: what moves there is below its last digits.
            if next.effect.distance(1.0) < self.effect.distance(1.0) * (1.0 - 1e-12) {
                break;
            }
            let pairs = next.thresholds.iter().zip(&self.thresholds);
            let is_still = pairs
                .into_iter()
                .all(|(new, old)| (new - old).abs() <= STILL * new);
            self = next;
            if is_still {
                break;
            }
        }
        Ok(self)
    }
}

/// E / 2V: what a block must add per unit of noise.
fn slope_of(effect: Effect) -> f64 {
    if effect.variance > 0.0 {
        effect.separation / (2.0 * effect.variance)
    } else {
        0.0
    }
}
