//! Models along the orders of the methods, on the test rows of every fold.

use std::sync::Arc;

use rayon::prelude::*;

use super::candidates::sizes;
use super::paths::{MethodPath, PathStudy};
use crate::measure::{Measure, PredictedRows, Stakes};
use crate::score::{FeaturePath, FoldRows, Posteriors, predict_along};
use crate::{Observer, Result, check};

/// Above so many rows losses are kept as sums over groups of rows.
const MAX_UNITS: usize = 20_000;

/// A method, a model and a number of features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) method: usize,
    pub(super) model: usize,
    /// How much of the order is used, as far as it goes.
    pub(super) size: usize,
    /// Features of all rows that it keeps.
    pub(super) n_kept: usize,
}

/// What a candidate came to over all folds.
#[derive(Debug, Clone)]
pub(super) struct JudgedCandidate {
    pub(super) candidate: Candidate,
    /// The loss of every unit: a row, a group of rows, or a fold.
    pub(super) losses: Vec<f32>,
    pub(super) n_right: u64,
    /// Sum over rows of a class that training had.
    pub(super) log_loss: f64,
    /// Features kept, over all folds.
    pub(super) n_kept_in_folds: usize,
}

/// What all candidates came to.
pub(super) struct Judgement {
    pub(super) candidates: Vec<JudgedCandidate>,
    /// What the losses of a candidate add up over: rows, or folds.
    pub(super) n_total: usize,
    /// Rows whose class training had.
    pub(super) n_known: u64,
}

/// The paths of a method that worked everywhere: by fold, then all rows.
pub(super) type MethodPaths<'p> = Option<&'p [MethodPath]>;

/// Judges all methods whose paths are known.
pub(super) struct Judge<'j, 's> {
    pub(super) study: &'j PathStudy<'s>,
    pub(super) paths: &'j [MethodPaths<'j>],
    pub(super) measure: &'static Measure,
    pub(super) stakes: &'j Stakes,
}

impl Judge<'_, '_> {
    /// All candidates: by method, then model, then size.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let n_keep = self.study.auto.options.keep.len();
        let mut candidates = Vec::new();
        for (method, paths) in self.paths.iter().enumerate() {
            let Some((all_rows, _)) = paths.and_then(|paths| paths.split_last()) else {
                continue;
            };
            let n_all = all_rows.order.len();
            let of_method = &self.study.methods[method];
            let sizes = match (of_method.selection.order(), self.study.auto.options.count) {
                (None, _) => vec![n_all],
                (Some(_), Some(count)) => vec![count.max(n_keep)],
                (Some(_), None) => sizes(n_keep, self.study.max_path.min(n_all)),
            };
            for model in 0..of_method.models.len() {
                candidates.extend(sizes.iter().map(|&size| Candidate {
                    method,
                    model,
                    size,
                    n_kept: size.min(n_all),
                }));
            }
        }
        candidates
    }

    /// Judges all candidates on all folds.
    pub(super) fn judge(&self, observer: &dyn Observer) -> Result<Judgement> {
        let candidates = self.candidates();
        let n_rows = self.study.auto.table.n_rows();
        let n_folds = self.study.folds.n_folds();
        let folds: Vec<Result<Vec<FoldLosses>>> = (0..n_folds)
            .into_par_iter()
            .map(|fold| self.judge_fold(fold, &candidates, observer))
            .collect();
        let folds = folds.into_iter().collect::<Result<Vec<_>>>()?;
        let judged = candidates
            .into_iter()
            .enumerate()
            .map(|(place, candidate)| {
                let mut judged = JudgedCandidate {
                    candidate,
                    losses: Vec::new(),
                    n_right: 0,
                    log_loss: 0.0,
                    n_kept_in_folds: 0,
                };
                for fold in folds.iter().map(|fold| &fold[place]) {
                    judged.losses.extend_from_slice(&fold.losses);
                    judged.n_right += fold.n_right;
                    judged.log_loss += fold.log_loss;
                    judged.n_kept_in_folds += fold.n_kept;
                }
                judged
            });
        let candidates = judged.collect();
        Ok(Judgement {
            candidates,
            n_total: if self.measure.is_mean() {
                n_rows
            } else {
                n_folds
            },
            n_known: folds
                .iter()
                .filter_map(|fold| fold.first())
                .map(|one| one.n_known)
                .sum(),
        })
    }

    fn judge_fold(
        &self,
        fold: usize,
        candidates: &[Candidate],
        observer: &dyn Observer,
    ) -> Result<Vec<FoldLosses>> {
        let sheet = FoldSheet::new(self, fold)?;
        let truth = sheet.part.test_classes();
        let mut losses = Vec::with_capacity(candidates.len());
        let same = |a: &Candidate, b: &Candidate| (a.method, a.model) == (b.method, b.model);
        for along in candidates.chunk_by(same) {
            check(observer)?;
            let order = sheet.order(along[0].method);
            let lengths: Vec<usize> = along.iter().map(|one| one.size.min(order.len())).collect();
            let predicted = sheet.predict(along[0], &lengths, observer)?;
            for (posteriors, n_kept) in predicted.iter().zip(lengths) {
                losses.push(self.losses(truth, posteriors, n_kept));
            }
        }
        Ok(losses)
    }

    /// Rows whose losses are added up to one; nothing where a fold has one loss.
    pub(super) fn rows_per_unit(&self) -> Option<usize> {
        let n_rows = self.study.auto.table.n_rows();
        self.measure
            .is_mean()
            .then(|| n_rows.div_ceil(MAX_UNITS).max(1))
    }

    fn losses(&self, truth: &[u32], posteriors: &Posteriors, n_kept: usize) -> FoldLosses {
        let rows = predicted_rows(truth, posteriors);
        let losses = match self.measure.by_row(&rows, self.stakes) {
            Some(values) => {
                let loss = |value: &Option<f64>| self.measure.loss(value.unwrap_or(0.0));
                let groups = values.chunks(self.rows_per_unit().unwrap_or(1));
                groups
                    .map(|rows| rows.iter().map(loss).sum::<f64>() as f32)
                    .collect()
            }
            None => {
                let value = self.measure.of(&rows, self.stakes).unwrap_or(0.0);
                vec![self.measure.loss(value) as f32]
            }
        };
        let of_rows = |measure: &Measure| -> Vec<Option<f64>> {
            measure.by_row(&rows, self.stakes).unwrap_or_default()
        };
        let (log_losses, right) = (of_rows(Measure::DEFAULT), of_rows(Measure::ACCURACY));
        FoldLosses {
            losses,
            n_right: right
                .iter()
                .flatten()
                .filter(|&&is_right| is_right > 0.0)
                .count() as u64,
            log_loss: log_losses.iter().flatten().sum(),
            n_known: log_losses.iter().flatten().count() as u64,
            n_kept,
        }
    }
}

/// What a model says of some rows.
pub(super) fn predicted_rows<'p>(
    truth: &'p [u32],
    posteriors: &'p Posteriors,
) -> PredictedRows<'p> {
    PredictedRows {
        truth,
        predicted: &posteriors.predicted,
        probabilities: &posteriors.probabilities,
        n_classes: posteriors.probabilities.len() / truth.len().max(1),
    }
}

/// A candidate on a fold.
struct FoldLosses {
    losses: Vec<f32>,
    n_right: u64,
    log_loss: f64,
    n_known: u64,
    n_kept: usize,
}

/// A fold with the features that any order has in front.
pub(super) struct FoldSheet<'j> {
    judge: &'j Judge<'j, 'j>,
    pub(super) part: Arc<FoldRows>,
    /// By method: the order, as numbers of the part's features.
    orders: Vec<Vec<usize>>,
}

impl<'j> FoldSheet<'j> {
    pub(super) fn new(judge: &'j Judge<'_, '_>, fold: usize) -> Result<Self> {
        let order_of = |paths: &MethodPaths<'_>| -> Vec<usize> {
            let path = paths.and_then(|paths| paths.get(fold));
            let order = path.map_or(&[][..], |path| &path.order);
            order.iter().map(|&place| place as usize).collect()
        };
        let mut orders: Vec<Vec<usize>> = judge.paths.iter().map(order_of).collect();
        let mut used = orders.concat();
        used.sort_unstable();
        used.dedup();
        let part = judge.study.part(fold)?.with_features(&used);
        for order in &mut orders {
            for place in order {
                *place = used.partition_point(|&known| known < *place);
            }
        }
        Ok(FoldSheet {
            judge,
            part: Arc::new(part),
            orders,
        })
    }

    pub(super) fn order(&self, method: usize) -> &[usize] {
        &self.orders[method]
    }

    /// What a model says of the test rows over the first features of its method's order.
    pub(super) fn predict(
        &self,
        candidate: Candidate,
        lengths: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<Posteriors>> {
        let study = self.judge.study;
        let training = &study.methods[candidate.method].models[candidate.model];
        let path = FeaturePath {
            order: self.order(candidate.method),
            sizes: lengths,
        };
        predict_along(&self.part, training, study.folds.n_folds(), path, observer)
    }
}
