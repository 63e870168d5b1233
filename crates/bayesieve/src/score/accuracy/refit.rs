//! Models that are trained anew for every set: K2, CB, ID3 and block.

use std::borrow::Cow;
use std::sync::Arc;

use rayon::prelude::*;

use super::judge::Judge;
use super::part::FoldRows;
use super::posteriors::Posteriors;
use crate::classify::{
    Classifier, EncodedCells, EncodedColumn, Id3, Id3Options, ModelKind, Presorted, TrainOptions,
    tree_column,
};
use crate::data::{Column, Feature};
use crate::score::FeatureSet;
use crate::{Error, ErrorKind, Hushed, Observer, Result, check};

/// Trains on the training rows of a part, tests on its others.
pub(super) struct Refit {
    pub(super) part: Arc<FoldRows>,
    pub(super) training: TrainOptions,
    /// For trees: the columns as a tree reads them, made once.
    trees: Option<TreeColumns>,
}

/// Training and test rows of every feature, and the training rows in order of their numbers.
struct TreeColumns {
    train: Vec<Column>,
    sorted: Vec<Presorted>,
}

impl Refit {
    pub(super) fn new(part: Arc<FoldRows>, training: TrainOptions) -> Result<Self> {
        let is_tree = training.model == ModelKind::Id3;
        Ok(Refit {
            trees: is_tree.then(|| TreeColumns::new(&part)).transpose()?,
            part,
            training,
        })
    }

    /// How many test rows a model over the features, in this order, predicts right.
    pub(super) fn n_right_of(&self, features: &[usize], observer: &dyn Observer) -> Result<u32> {
        let posteriors = self.predict(features, observer)?;
        let predicted = posteriors.predicted.iter().zip(self.part.test_classes());
        let right = predicted.filter(|(class, truth)| class == truth);
        Ok(right.count() as u32)
    }

    /// Says which rows lack what the block model needs: the whole table may have it.
    fn in_fold(&self, error: Error) -> Error {
        match (self.training.model, error.kind()) {
            (ModelKind::Block, ErrorKind::Data) => {
                Error::data(format!("in the training rows of a fold, {error}"))
            }
            _ => error,
        }
    }

    fn predict_by_tree(
        &self,
        columns: &TreeColumns,
        features: &[usize],
        observer: &dyn Observer,
    ) -> Result<Posteriors> {
        let options = Id3Options {
            alpha: self.training.level,
            cuts: self.training.cuts,
        };
        let sorted = |&f: &usize| (&columns.train[f], &columns.sorted[f]);
        let train: Vec<(&Column, &Presorted)> = features.iter().map(sorted).collect();
        let test = features
            .iter()
            .map(|&f| Some(&self.part.test[f].as_ref()?.cells));
        let test: Vec<Option<&EncodedCells<'_>>> = test.collect();
        let tree = Id3::fit_presorted(&train, &self.part.train.class, &options, observer)?;
        let n_classes = self.part.n_classes();
        let mut probabilities = vec![0.0; self.part.n_test() * n_classes];
        let rows = probabilities.chunks_exact_mut(n_classes).enumerate();
        let predicted = rows.map(|(row, probabilities)| {
            let node = tree.node_of(&test, row);
            node.write_probabilities(probabilities);
            node.majority()
        });
        Ok(Posteriors {
            predicted: predicted.collect(),
            probabilities,
        })
    }

    fn predict_by_network(
        &self,
        features: &[usize],
        observer: &dyn Observer,
    ) -> Result<Posteriors> {
        let part = &self.part;
        let train: Vec<&Feature> = features.iter().map(|&f| &part.train.features[f]).collect();
        let model = Classifier::train_features(&part.train, &train, &self.training, observer)
            .map_err(|error| self.in_fold(error))?
            .with_ties_by_row(&part.train.class.codes);
        let test: Vec<Option<EncodedColumn<'_>>> = features
            .iter()
            .map(|&feature| part.test[feature].as_ref().map(borrowed))
            .collect();
        let (predicted, probabilities) = model.predict_encoded(&test, part.n_test(), observer)?;
        Ok(Posteriors {
            predicted,
            probabilities,
        })
    }
}

impl TreeColumns {
    fn new(part: &FoldRows) -> Result<Self> {
        let train: Vec<Column> = part.train.features.iter().map(tree_column).collect();
        let sorted = train
            .iter()
            .map(|column| Presorted::new(column, &part.train.class));
        Ok(TreeColumns {
            sorted: sorted.collect::<Result<_>>()?,
            train,
        })
    }
}

impl Judge for Refit {
    fn part(&self) -> &FoldRows {
        &self.part
    }

    fn predict(&self, features: &[usize], observer: &dyn Observer) -> Result<Posteriors> {
        check(observer)?;
        let part = &self.part;
        let is_known = |&&feature: &&usize| part.test[feature].is_some();
        let features: Vec<usize> = features.iter().filter(is_known).copied().collect();
        // Without a feature, or with one class only, there is nothing to be learned.
        if features.is_empty() || part.classes.len() < 2 {
            return Ok(Posteriors::of_shares(part));
        }
        match &self.trees {
            Some(columns) => self.predict_by_tree(columns, &features, observer),
            None => self.predict_by_network(&features, observer),
        }
    }

    fn n_right(&self, sets: &[FeatureSet], observer: &dyn Observer) -> Result<Vec<u32>> {
        let observer = Hushed(observer);
        sets.par_iter()
            .map(|set| self.n_right_of(&set.iter().collect::<Vec<_>>(), &observer))
            .collect()
    }

    fn n_right_in_order(&self, orders: &[Vec<usize>], observer: &dyn Observer) -> Result<Vec<u32>> {
        let observer = Hushed(observer);
        let orders = orders.par_iter();
        orders
            .map(|order| self.n_right_of(order, &observer))
            .collect()
    }
}

/// The same column without a copy of its cells.
fn borrowed<'c>(column: &'c EncodedColumn<'_>) -> EncodedColumn<'c> {
    EncodedColumn {
        cells: match &column.cells {
            EncodedCells::Codes(codes) => EncodedCells::Codes(Cow::Borrowed(&**codes)),
            EncodedCells::Numbers(numbers) => EncodedCells::Numbers(Cow::Borrowed(&**numbers)),
        },
        ..*column
    }
}
