//! What predicts the test rows of a fold: one judge per model and fold.

use std::sync::Arc;

use rayon::prelude::*;

use super::fold_measure::FoldMeasure;
use super::naive_bayes::NaiveBayes;
use super::part::FoldRows;
use super::posteriors::Posteriors;
use super::refit::Refit;
use super::tan::Tan;
use crate::classify::{ModelKind, TrainOptions};
use crate::score::FeatureSet;
use crate::{Error, Hushed, Observer, Result};

/// Predicts the test rows of one fold by models over sets of features.
pub(super) trait Judge: Send + Sync {
    /// The fold.
    fn part(&self) -> &FoldRows;

    /// How many test rows a model over each set predicts right.
    fn n_right(&self, sets: &[FeatureSet], observer: &dyn Observer) -> Result<Vec<u32>>;

    /// The same for the base with each candidate in it that was out, or out of it that was
    /// in.
    fn n_right_changed(
        &self,
        base: &FeatureSet,
        candidates: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<u32>> {
        self.n_right(&base.changed(candidates), observer)
    }

    /// What a model over some features, in this order, says of the test rows.
    fn predict(&self, features: &[usize], observer: &dyn Observer) -> Result<Posteriors>;

    /// What models over growing parts of a list of features say of the test rows.
    fn predict_along(
        &self,
        path: FeaturePath<'_>,
        observer: &dyn Observer,
    ) -> Result<Vec<Posteriors>> {
        let observer = Hushed(observer);
        let sizes = path.sizes.par_iter();
        sizes
            .map(|&size| self.predict(&path.order[..size], &observer))
            .collect()
    }

    /// The values of models over sets by a measure.
    fn measure_sets(
        &self,
        sets: &[FeatureSet],
        by: &FoldMeasure,
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        let observer = Hushed(observer);
        let value = |set: &FeatureSet| {
            let posteriors = self.predict(&set.iter().collect::<Vec<_>>(), &observer)?;
            Ok(by.of(self.part(), &posteriors))
        };
        sets.par_iter().map(value).collect()
    }

    /// The same for the base changed by each candidate.
    fn measure_changed(
        &self,
        base: &FeatureSet,
        candidates: &[usize],
        by: &FoldMeasure,
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        self.measure_sets(&base.changed(candidates), by, observer)
    }

    /// The same for lists of features, for models that look at their order.
    fn n_right_in_order(
        &self,
        _orders: &[Vec<usize>],
        _observer: &dyn Observer,
    ) -> Result<Vec<u32>> {
        Err(Error::internal(
            "the order of features is nothing to this model",
        ))
    }
}

/// What predicts one of so many folds of all runs.
pub(super) fn judge_of(
    part: Arc<FoldRows>,
    training: &TrainOptions,
    n_folds: usize,
) -> Result<Box<dyn Judge>> {
    Ok(match training.model {
        ModelKind::NaiveBayes => Box::new(NaiveBayes::new(part, training)?),
        ModelKind::Tan => Box::new(Tan::new(part, training.clone(), n_folds)?),
        ModelKind::K2 | ModelKind::Cb | ModelKind::Id3 | ModelKind::Block => {
            Box::new(Refit::new(part, training.clone())?)
        }
    })
}

/// Growing parts of a list of features.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FeaturePath<'p> {
    /// The features, numbered as in the fold.
    pub(crate) order: &'p [usize],
    /// How many of them the models have, rising.
    pub(crate) sizes: &'p [usize],
}

/// What a model says of the test rows of one of so many folds, over growing parts of a list of
/// features.
pub(crate) fn predict_along(
    part: &Arc<FoldRows>,
    training: &TrainOptions,
    n_folds: usize,
    path: FeaturePath<'_>,
    observer: &dyn Observer,
) -> Result<Vec<Posteriors>> {
    let judge = judge_of(Arc::clone(part), training, n_folds)?;
    judge.predict_along(path, observer)
}
