//! Two classes: what each block scores, what it must score, and what it counts.

use super::distribution::ScoreDistribution;
use super::effect::PlugIn;
use super::options::{SeparationOptions, ThresholdRule, Weighting};
use super::score::SampleScore;
use super::threshold::{asymptotic_thresholds, exact_thresholds};
use crate::{Observer, Result};

/// Scores up to this are rounding.
const NOTHING: f64 = 1e-9;

/// Two classes and the scores of all blocks for them.
#[derive(Debug, Clone, PartialEq)]
pub struct PairScores {
    /// The classes, by code.
    pub classes: [usize; 2],
    /// `n1 n2 / (n1 + n2)`: what a distance is multiplied by.
    pub n_rows: f64,
    /// The blocks.
    pub blocks: Vec<BlockScore>,
    /// Distance and risk of the classifier with all blocks, as the scores have it.
    pub all: PlugIn,
    /// The same with the kept ones. Too good to be true: they were kept for their scores.
    pub selected: PlugIn,
}

/// A block and two classes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockScore {
    /// The estimated distance of the classes.
    pub distance: f64,
    /// The score with its number of parameters.
    pub sample: SampleScore,
    /// What the score must reach.
    pub threshold: f64,
    /// Whether it does, or is the best where none does.
    pub is_kept: bool,
    /// What the block counts in a classifier. Optimal weights are not scaled: so they go with
    /// the shares of the classes and with what other features tell.
    pub weight: f64,
}

impl PairScores {
    /// Judges the blocks by their scores.
    ///
    /// # Errors
    /// The observer cancelled.
    pub(crate) fn new(
        classes: [usize; 2],
        n_rows: f64,
        samples: &[SampleScore],
        options: &SeparationOptions,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let needs_distribution =
            options.threshold == ThresholdRule::Exact || options.weights == Weighting::Optimal;
        let distribution = if needs_distribution {
            Some(ScoreDistribution::of(options.prior, samples, observer)?)
        } else {
            None
        };
        let thresholds = match (options.threshold, &distribution) {
            (ThresholdRule::Exact, Some(distribution)) => {
                exact_thresholds(distribution, samples, observer)?
            }
            _ => asymptotic_thresholds(samples),
        };
        let is_kept = kept(samples, &thresholds);
        let weights = match (options.weights, &distribution) {
            (Weighting::Optimal, Some(distribution)) => optimal_weights(distribution, samples),
            (Weighting::Threshold, _) => is_kept
                .iter()
                .map(|&kept| f64::from(u8::from(kept)))
                .collect(),
            _ => vec![1.0; samples.len()],
        };
        let blocks = (0..samples.len()).map(|block| BlockScore {
            distance: samples[block].score / n_rows,
            sample: samples[block],
            threshold: thresholds[block],
            is_kept: is_kept[block],
            weight: weights[block],
        });
        let selected = samples.iter().zip(&is_kept);
        let selected = selected.filter_map(|(sample, &is_kept)| is_kept.then_some(sample));
        Ok(PairScores {
            classes,
            n_rows,
            blocks: blocks.collect(),
            all: PlugIn::new(total(samples), n_rows),
            selected: PlugIn::new(total(selected), n_rows),
        })
    }
}

fn total<'s>(samples: impl IntoIterator<Item = &'s SampleScore>) -> SampleScore {
    let nothing = SampleScore {
        score: 0.0,
        parameters: 0.0,
    };
    samples
        .into_iter()
        .fold(nothing, |sum, sample| SampleScore {
            score: sum.score + sample.score,
            parameters: sum.parameters + sample.parameters,
        })
}

/// Blocks that reach their thresholds; where none does, the first of largest score for its
/// parameters; none at all where nothing separates the classes.
pub(crate) fn kept(samples: &[SampleScore], thresholds: &[f64]) -> Vec<bool> {
    let both = samples.iter().zip(thresholds);
    let mut is_kept: Vec<bool> = both
        .map(|(sample, &threshold)| sample.score >= threshold && sample.score > NOTHING)
        .collect();
    if !is_kept.contains(&true) {
        let ratio = |block: usize| samples[block].score / samples[block].parameters;
        let separates = (0..samples.len()).filter(|&block| samples[block].score > NOTHING);
        let best = separates.reduce(|best, block| {
            if ratio(block) > ratio(best) {
                block
            } else {
                best
            }
        });
        if let Some(best) = best {
            is_kept[best] = true;
        }
    }
    is_kept
}

/// Equation (17).
fn optimal_weights(distribution: &ScoreDistribution, samples: &[SampleScore]) -> Vec<f64> {
    let weights = samples.iter();
    weights
        .map(|sample| distribution.weight(sample.parameters, sample.score))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(scores: &[f64]) -> Vec<SampleScore> {
        let sample = |&score: &f64| SampleScore {
            score,
            parameters: 2.0,
        };
        scores.iter().map(sample).collect()
    }

    #[test]
    fn a_score_at_its_threshold_is_kept_and_so_is_the_first_of_the_best_below() {
        let thresholds = [3.0; 3];
        assert_eq!(
            kept(&samples(&[2.9, 3.0, 4.0]), &thresholds),
            [false, true, true]
        );
        assert_eq!(
            kept(&samples(&[1.0, 2.0, 2.0]), &thresholds),
            [false, true, false]
        );
    }

    #[test]
    fn where_nothing_separates_the_classes_nothing_is_kept() {
        // The threshold of no separation at all is 0, which scores of 0 would reach.
        assert_eq!(kept(&samples(&[0.0, 1e-13]), &[0.0; 2]), [false; 2]);
        assert_eq!(kept(&[], &[]), [false; 0]);
    }
}
