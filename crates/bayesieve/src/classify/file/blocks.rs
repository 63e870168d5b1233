//! The blocks of numbers of a model: features, moments, offsets, weights.

use std::cmp::Ordering;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::super::block_gaussian::{BlockGaussian, PairWeights};
use super::super::coding::CodedFeature;
use super::super::counts_entry::OneLine;
use super::{FileContext, broken};
use crate::Result;
use crate::separation::{
    Cholesky, Correction, Covariance, NormalBlock, Symmetric, Weighting, pairs_of,
};

#[derive(Serialize, Deserialize)]
pub(super) struct BlocksEntry {
    list: Vec<BlockEntry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    weights: Vec<WeightsEntry>,
}

#[derive(Serialize, Deserialize)]
struct BlockEntry {
    features: Vec<String>,
    /// By class.
    means: OneLine<Vec<Vec<f64>>>,
    /// Rows of the lower half, one behind the other: for all classes, or by class.
    covariances: OneLine<Vec<Vec<f64>>>,
    /// By class.
    offsets: OneLine<Vec<f64>>,
}

#[derive(Serialize, Deserialize)]
struct WeightsEntry {
    classes: [String; 2],
    weights: OneLine<Vec<f64>>,
}

/// Positions of the features of numbers by name. Looked up only, never listed.
type Positions<'a> = HashMap<&'a str, usize>;

impl BlocksEntry {
    pub(super) fn new(
        blocks: &BlockGaussian,
        features: &[CodedFeature],
        class_labels: &[String],
    ) -> Self {
        let block = |block: &NormalBlock| BlockEntry {
            features: block
                .features
                .iter()
                .map(|&feature| features[feature].name.clone())
                .collect(),
            means: OneLine(block.means.clone()),
            covariances: OneLine(
                block
                    .covariances
                    .iter()
                    .map(|s| s.lower().to_vec())
                    .collect(),
            ),
            offsets: OneLine(block.offsets.clone()),
        };
        let weights = |pair: &PairWeights| WeightsEntry {
            classes: pair.classes.map(|class| class_labels[class].clone()),
            weights: OneLine(pair.weights.clone()),
        };
        BlocksEntry {
            list: blocks.blocks().iter().map(block).collect(),
            weights: blocks.weights().iter().map(weights).collect(),
        }
    }

    /// The blocks, if training could have made them.
    pub(super) fn read(&self, context: &FileContext<'_>) -> Result<BlockGaussian> {
        let name = |position: usize| context.features[position].name.as_str();
        let positions: Positions<'_> = context.numbers().map(|p| (name(p), p)).collect();
        let mut is_taken = vec![false; context.features.len()];
        let mut blocks = Vec::with_capacity(self.list.len());
        for entry in &self.list {
            let block = entry.read(&positions, context)?;
            for &feature in &block.features {
                if std::mem::replace(&mut is_taken[feature], true) {
                    let name = &context.features[feature].name;
                    return Err(broken("the feature is in two blocks").in_column(name));
                }
            }
            blocks.push(block);
        }
        Ok(BlockGaussian::new(blocks, self.read_weights(context)?))
    }

    /// Weights for every two classes that have rows, in order; or none at all.
    fn read_weights(&self, context: &FileContext<'_>) -> Result<Vec<PairWeights>> {
        if self.weights.is_empty() {
            return Ok(Vec::new());
        }
        if context.options.block.weights == Weighting::None {
            return Err(broken("there are weights, but the settings have none"));
        }
        let labels = &context.class.labels;
        let with_rows: Vec<usize> = (0..labels.len())
            .filter(|&class| context.class.counts[class] > 0)
            .collect();
        let other_pairs = || broken("the weights are not those of every two classes in order");
        // Counted before the pairs are listed: a file can name more classes than there is room for.
        let n_pairs = with_rows.len() as u128 * with_rows.len().saturating_sub(1) as u128 / 2;
        match (self.weights.len() as u128).cmp(&n_pairs) {
            Ordering::Less => return Err(other_pairs()),
            Ordering::Equal => {}
            Ordering::Greater => {
                return Err(broken("there are more weights than pairs of classes"));
            }
        }
        let mut weights = Vec::with_capacity(self.weights.len());
        for (entry, classes) in self.weights.iter().zip(pairs_of(&with_rows)) {
            if entry.classes.each_ref() != classes.map(|class| &labels[class]) {
                return Err(other_pairs());
            }
            let is_right = entry.weights.0.len() == self.list.len()
                && entry.weights.0.iter().all(|w| w.is_finite() && *w >= 0.0);
            if !is_right {
                return Err(broken("the weights do not fit the blocks"));
            }
            weights.push(PairWeights {
                classes,
                weights: entry.weights.0.clone(),
            });
        }
        Ok(weights)
    }
}

impl BlockEntry {
    fn read(&self, positions: &Positions<'_>, context: &FileContext<'_>) -> Result<NormalBlock> {
        let features = self.read_features(positions)?;
        let n_classes = context.class.labels.len();
        let n_covariances = match context.options.block.covariance {
            Covariance::Common => 1,
            Covariance::Own => n_classes,
        };
        let checked = self
            .check_means(features.len(), n_classes)
            .and_then(|()| self.check_offsets(n_classes, context.options.block.correction))
            .and_then(|()| self.read_covariances(features.len(), n_covariances));
        let first = &context.features[features[0]].name;
        Ok(NormalBlock {
            covariances: checked.map_err(|error| error.in_column(first))?,
            features,
            means: self.means.0.clone(),
            offsets: self.offsets.0.clone(),
        })
    }

    fn check_means(&self, size: usize, n_classes: usize) -> Result<()> {
        let means = &self.means.0;
        let is_right = |mean: &Vec<f64>| mean.len() == size && mean.iter().all(|x| x.is_finite());
        if means.len() == n_classes && means.iter().all(is_right) {
            Ok(())
        } else {
            Err(broken(
                "the means of the block do not fit its features and the classes",
            ))
        }
    }

    fn check_offsets(&self, n_classes: usize, correction: Correction) -> Result<()> {
        let offsets = &self.offsets.0;
        if offsets.len() != n_classes || offsets.iter().any(|offset| !offset.is_finite()) {
            return Err(broken("the offsets of the block do not fit the classes"));
        }
        if correction == Correction::Off && offsets.iter().any(|&offset| offset != 0.0) {
            Err(broken(
                "there are offsets, but the settings have no correction",
            ))
        } else {
            Ok(())
        }
    }

    fn read_covariances(&self, size: usize, n_covariances: usize) -> Result<Vec<Symmetric>> {
        if self.covariances.0.len() != n_covariances {
            return Err(broken(
                "the covariances of the block are too many or too few",
            ));
        }
        let read = |lower: &Vec<f64>| {
            let matrix = Symmetric::from_lower(size, lower.clone())?;
            Cholesky::new(&matrix).map(|_| matrix)
        };
        let covariances: Option<Vec<Symmetric>> = self.covariances.0.iter().map(read).collect();
        covariances.ok_or_else(|| broken("a covariance of the block is not positive definite"))
    }

    /// Positions of its features, at least one, rising.
    fn read_features(&self, positions: &Positions<'_>) -> Result<Vec<usize>> {
        let position = |name: &String| {
            let found = positions.get(name.as_str()).copied();
            found.ok_or_else(|| {
                broken("a block has a feature that is none of numbers").in_column(name)
            })
        };
        let positions: Vec<usize> = self.features.iter().map(position).collect::<Result<_>>()?;
        match positions.first() {
            None => Err(broken("a block has no feature")),
            Some(_) if !positions.is_sorted_by(|a, b| a < b) => Err(broken(
                "the features of a block stand twice or in another order than in the model",
            )
            .in_column(&self.features[0])),
            Some(_) => Ok(positions),
        }
    }
}
