//! The block-augmented Gaussian classifier: blocks of numbers that are jointly normal.
//!
//! Paper: Pavlenko, Hall and von Rosen, 2004, sections 2 and 3, for blocks and their weights;
//! Price and others, 1995, for probabilities from pairs of classes.
//! Numbers fall into blocks that are independent given the class. In a block they are jointly
//! normal, with a mean for every class and one covariance for all classes or one for each. The
//! log score of a class is that of its share and of the tables of labels, as in naive Bayes,
//! plus the log density of every block. Estimated moments make a density too small, most of all
//! that of a class of few rows: a block has offsets that make up for it.
//! Weights belong to pairs of classes: with them every pair has a score of its own, and the
//! class that wins most pairs is predicted.
//! Cost of a row: O(features) per class with a common covariance, O(sum of squared block
//! sizes) with own ones. Gaps are summed out exactly: what is left of a block is normal too.
//! Where the papers are silent: of classes that win equally many pairs the one with the larger
//! sum of winning margins is predicted, then the larger one in training, then the first.

mod discriminant;
mod scorer;
#[cfg(test)]
mod tests;
mod votes;

use std::sync::OnceLock;

use self::discriminant::Discriminant;
pub(super) use self::scorer::BlockScorer;
pub(super) use self::votes::Votes;
use crate::separation::{BlockFit, NormalBlock};

/// Numbers in blocks that are independent given the class.
#[derive(Debug, Clone)]
pub struct BlockGaussian {
    blocks: Vec<NormalBlock>,
    weights: Vec<PairWeights>,
    /// Compiled when the first row is scored; `None` for a block that tells nothing.
    discriminants: OnceLock<Vec<Option<Discriminant>>>,
}

/// What the blocks count when two classes are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct PairWeights {
    /// The classes, as codes, rising.
    pub classes: [usize; 2],
    /// The weight of every block.
    pub weights: Vec<f64>,
}

impl BlockGaussian {
    /// Blocks and their weights for every two classes that have rows; no weights where every
    /// block counts as it is.
    pub(super) fn new(blocks: Vec<NormalBlock>, weights: Vec<PairWeights>) -> Self {
        BlockGaussian {
            blocks,
            weights,
            discriminants: OnceLock::new(),
        }
    }

    /// What was fitted, where column i is the feature at `positions[i]`.
    pub(super) fn from_fit(fit: BlockFit, positions: &[usize]) -> Self {
        let mut blocks = fit.blocks;
        for feature in blocks.iter_mut().flat_map(|block| &mut block.features) {
            *feature = positions[*feature];
        }
        let pairs = fit.pairs.iter().map(|pair| PairWeights {
            classes: pair.classes,
            weights: pair.blocks.iter().map(|block| block.weight).collect(),
        });
        let mut weights: Vec<PairWeights> = pairs.collect();
        if weights
            .iter()
            .flat_map(|pair| &pair.weights)
            .all(|&w| w == 1.0)
        {
            weights.clear();
        }
        BlockGaussian::new(blocks, weights)
    }

    /// The blocks, in the order of training.
    pub fn blocks(&self) -> &[NormalBlock] {
        &self.blocks
    }

    /// Weights for every two classes that have rows; empty where every weight is 1.
    pub fn weights(&self) -> &[PairWeights] {
        &self.weights
    }

    /// Whether a block counts when some two classes are compared.
    pub fn is_used(&self, block: usize) -> bool {
        let counts = |pair: &PairWeights| pair.weights.get(block).is_some_and(|&w| w > 0.0);
        self.weights.is_empty() || self.weights.iter().any(counts)
    }

    /// Positions of the features that prediction reads, block after block.
    pub(super) fn used_features(&self) -> impl Iterator<Item = usize> {
        let used = self.blocks.iter().enumerate();
        used.filter(|&(place, _)| self.is_used(place))
            .flat_map(|(_, block)| block.features.iter().copied())
    }

    /// Number of means and of elements of covariances.
    pub fn n_parameters(&self) -> usize {
        let of_block = |block: &NormalBlock| {
            let means: usize = block.means.iter().map(Vec::len).sum();
            let covariances = block.covariances.iter();
            means + covariances.map(|s| s.lower().len()).sum::<usize>()
        };
        self.blocks.iter().map(of_block).sum()
    }

    fn discriminants(&self) -> &[Option<Discriminant>] {
        self.discriminants.get_or_init(|| {
            let blocks = self.blocks.iter().enumerate();
            blocks
                .map(|(place, block)| {
                    let is_used = self.is_used(place);
                    is_used.then(|| Discriminant::new(block)).flatten()
                })
                .collect()
        })
    }
}

impl NormalBlock {
    /// The distribution of some of its features: those at these places, rising. They keep
    /// their share of the offsets.
    fn part(&self, places: &[usize]) -> NormalBlock {
        let share = places.len() as f64 / self.features.len().max(1) as f64;
        let chosen = |means: &Vec<f64>| places.iter().map(|&place| means[place]).collect();
        NormalBlock {
            features: places.iter().map(|&place| self.features[place]).collect(),
            means: self.means.iter().map(chosen).collect(),
            covariances: self.covariances.iter().map(|s| s.part(places)).collect(),
            offsets: self.offsets.iter().map(|offset| offset * share).collect(),
        }
    }
}
