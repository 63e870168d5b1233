//! Blocks of features with their names, and how far they hold the classes apart.

use std::sync::Arc;

use crate::separation::{PairScores, Separation, gain};

/// Every block, for every two classes, and what the scores say of whole classifiers.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedBlocks {
    /// The blocks; for more than two classes those of the first pair, then of the second …
    pub blocks: Vec<NamedBlock>,
    /// The pairs of classes.
    pub pairs: Vec<NamedPair>,
}

/// A block and two classes.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedBlock {
    /// Its features, in column order.
    pub features: Arc<[String]>,
    /// The classes, where there are more than two.
    pub classes: Option<Arc<[String; 2]>>,
    /// The estimated distance of the classes.
    pub distance: f64,
    /// The distance times `n1 n2 / (n1 + n2)`.
    pub score: f64,
    /// What the score must reach.
    pub threshold: f64,
    /// What a block of this size that tells nothing scores on average.
    pub expected: f64,
    /// What it counts in a classifier; 0 where it is not kept.
    pub weight: f64,
    /// Whether it is kept.
    pub is_kept: bool,
}

/// Two classes, and classifiers of them with all blocks and with those that are kept. Both
/// distances are plug-in estimates; the second is too good to be true, as blocks were kept for
/// their scores.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedPair {
    /// The classes.
    pub classes: [String; 2],
    /// Blocks that are kept for them.
    pub n_kept: usize,
    /// The sum of all distances, as estimated.
    pub j: f64,
    /// The same of kept blocks.
    pub j_selected: f64,
    /// The distance of a classifier with all blocks, bias taken off.
    pub d: f64,
    /// The same with kept blocks.
    pub d_selected: f64,
    /// The risk of a classifier with all blocks.
    pub risk: f64,
    /// The same with kept blocks.
    pub risk_selected: f64,
}

/// What features and classes are called.
pub(super) struct Names<'a> {
    pub(super) features: &'a [&'a str],
    pub(super) classes: &'a [String],
}

impl Names<'_> {
    pub(super) fn features_of(&self, block: &[usize]) -> Vec<String> {
        block.iter().map(|&f| self.features[f].to_owned()).collect()
    }

    pub(super) fn classes_of(&self, pair: &PairScores) -> [String; 2] {
        pair.classes.map(|class| self.classes[class].clone())
    }
}

impl NamedBlocks {
    pub(super) fn new(found: &Separation, names: &Names<'_>) -> Self {
        let has_more = found.pairs.len() > 1;
        // Names are many, and the same for every pair of classes.
        let features = found.blocks.iter().map(|block| names.features_of(block));
        let features: Vec<Arc<[String]>> = features.map(Arc::from).collect();
        let blocks = found.pairs.iter().flat_map(|pair| {
            let classes = has_more.then(|| Arc::new(names.classes_of(pair)));
            let both = features.iter().zip(&pair.blocks);
            both.map(move |(features, block)| NamedBlock {
                features: Arc::clone(features),
                classes: classes.clone(),
                distance: block.distance,
                score: block.sample.score,
                threshold: block.threshold,
                expected: block.sample.parameters,
                weight: if block.is_kept { block.weight } else { 0.0 },
                is_kept: block.is_kept,
            })
        });
        NamedBlocks {
            blocks: blocks.collect(),
            pairs: found
                .pairs
                .iter()
                .map(|pair| NamedPair::new(pair, names))
                .collect(),
        }
    }
}

impl NamedPair {
    fn new(pair: &PairScores, names: &Names<'_>) -> Self {
        let kept = || pair.blocks.iter().filter(|block| block.is_kept);
        NamedPair {
            classes: names.classes_of(pair),
            n_kept: kept().count(),
            j: pair.blocks.iter().map(|block| block.distance).sum(),
            j_selected: kept().map(|block| block.distance).sum(),
            d: pair.all.distance,
            d_selected: pair.selected.distance,
            risk: pair.all.risk,
            risk_selected: pair.selected.risk,
        }
    }

    /// By how much less the risk is with the kept blocks: `1 - R~ / R`.
    pub fn gain(&self) -> f64 {
        gain(self.d, self.d_selected)
    }
}
