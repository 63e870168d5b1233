//! Accuracy of a model over a set of features, on rows it has not seen.
//!
//! Papers: Kohavi and John, 1997, for the estimate; Inza and others, 2000, for its use in
//! FSS-EBNA; Singh and Provan, 1996, for halves.
//! Everything that is learned is learned again on the training rows of every fold: cut
//! points, structure, probabilities. Predictions are those of a classifier trained on these
//! rows, ties included, but a fold is prepared once and not once per set:
//!
//! - Naive Bayes: the log term of a row, a feature and a class is one number, so a set's
//!   predictions are sums of columns; many sets at a time share partial sums.
//! - TAN: informations and tables of pairs are counted once per fold; a set needs its tree
//!   and sums along it.
//! - K2, CB, ID3, block: trained anew, on columns that were coded once.
//!
//! Where the papers are silent: a fold whose training rows are of one class predicts it;
//! the value of a set is the mean over folds, not over rows; without folds (halves, or the
//! training rows themselves) the standard error is the binomial one.

mod division;
mod measured;
mod naive_bayes;
mod part;
mod patterns;
mod posteriors;
mod refit;
mod tan;
#[cfg(test)]
mod tests;
mod votes;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rayon::prelude::*;

use division::RowDivision;
pub(crate) use measured::measured_sets;
use naive_bayes::NaiveBayes;
pub(crate) use part::FoldRows;
pub(crate) use posteriors::Posteriors;
use refit::Refit;
use tan::Tan;

use super::{Estimated, FeatureSet, Score};
use crate::classify::{ModelKind, NumberUse, TrainOptions};
use crate::data::split::Folds;
use crate::data::{CodedTable, CodingOptions, Discretizer};
use crate::stats::{Better, mean_sd};
use crate::{Error, Hushed, Observer, Result, check};

/// Bytes of what is remembered of sets; beyond, they are worked out again.
const MAX_REMEMBERED_BYTES: usize = 1 << 28;

/// Where accuracy comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Estimate {
    /// Folds, each predicted by a model of the others.
    CrossValidation {
        /// Number of folds; as many as rows where those are fewer.
        n_folds: usize,
        /// How often folds are drawn.
        runs: Runs,
    },
    /// One half of the rows, drawn, predicted by a model of the other.
    Holdout,
    /// The rows a model was trained on: optimistic.
    Training,
}

/// How often rows are divided into folds anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    /// Again while the standard error is above 1 %, at most five times (Kohavi and John).
    Auto,
    /// So many times.
    Fixed(usize),
}

/// How accuracy is estimated.
#[derive(Debug, Clone)]
pub struct AccuracyOptions {
    /// What is trained.
    pub training: TrainOptions,
    /// How cells become codes, in every fold anew.
    pub coding: CodingOptions,
    /// Where accuracy comes from.
    pub estimate: Estimate,
    /// Folds to be used instead of drawn ones, a single time.
    pub folds: Option<Folds>,
    /// The seed of folds and halves.
    pub seed: u64,
}

/// The share of rows that a model over a set of features predicts right.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::classify::{ModelKind, TrainOptions};
/// use bayesieve::data::{CodedTable, CodingOptions, Generator, RoleOptions, Roles};
/// use bayesieve::score::{Accuracy, AccuracyOptions, Estimate, FeatureSet, Runs, Score};
///
/// let table = Generator::Example1.generate(320, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let coded = CodedTable::new(&table, &roles, CodingOptions::default())?;
/// let options = AccuracyOptions {
///     training: TrainOptions::new(ModelKind::NaiveBayes),
///     coding: CodingOptions::default(),
///     estimate: Estimate::CrossValidation { n_folds: 10, runs: Runs::Fixed(1) },
///     folds: None,
///     seed: 1,
/// };
/// let all: Vec<usize> = (0..8).collect();
/// let accuracy = Accuracy::new(&coded, &all, options)?;
/// let sets = [FeatureSet::empty(8), FeatureSet::of(8, [5])?];
/// // Three of four rows are of the larger class; A6 alone gets seven of eight right.
/// assert_eq!(accuracy.evaluate(&sets, &Silent)?, [0.75, 0.875]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
///
/// Kohavi, R. and John, G. (1997). Wrappers for feature subset selection. Artificial
/// Intelligence 97, 273-324.
pub struct Accuracy<'a> {
    table: &'a CodedTable,
    places: Vec<usize>,
    options: AccuracyOptions,
    division: RowDivision,
    /// By run; prepared when the first set needs it.
    runs: Vec<OnceLock<Vec<Box<dyn Judge>>>>,
    known: Mutex<JudgedSets>,
    /// Whether the most frequent class is predicted where there is no feature.
    guesses: bool,
}

/// Predicts the test rows of one fold by models over sets of features.
trait Judge: Send + Sync {
    /// Number of test rows.
    fn n_test(&self) -> usize;

    /// How many of them a model over each set predicts right.
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

    /// What models over growing parts of a list of features say of the test rows: over its first
    /// `sizes` features, the sizes rising.
    fn predict_along(
        &self,
        order: &[usize],
        sizes: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<Posteriors>>;

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

/// Rows predicted right, by run, then by fold.
type Right = Vec<u32>;

/// What is remembered of sets.
#[derive(Default)]
struct JudgedSets {
    /// Looked up only, never listed.
    right: HashMap<FeatureSet, Right>,
    n_bytes: usize,
}

/// Those at some places.
fn picked<T: Clone>(all: &[T], places: &[usize]) -> Vec<T> {
    places.iter().map(|&place| all[place].clone()).collect()
}

/// What predicts one of so many folds of all runs.
fn judge_of(
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

/// What a model says of the test rows of one of so many folds, over growing parts of a list of
/// features.
pub(crate) fn predict_along(
    part: &Arc<FoldRows>,
    (training, n_folds): (&TrainOptions, usize),
    (order, sizes): (&[usize], &[usize]),
    observer: &dyn Observer,
) -> Result<Vec<Posteriors>> {
    let judge = judge_of(Arc::clone(part), training, n_folds)?;
    judge.predict_along(order, sizes, observer)
}

impl<'a> Accuracy<'a> {
    /// Over the features at these places of the table, numbered in this order.
    ///
    /// # Errors
    /// Rows that cannot be divided, or numbers without bins where the model needs labels.
    pub fn new(
        table: &'a CodedTable,
        places: &[usize],
        mut options: AccuracyOptions,
    ) -> Result<Self> {
        let (estimate, folds) = (options.estimate, options.folds.clone());
        let division = RowDivision::new(estimate, folds, options.seed, table.n_rows())?;
        let model = options.training.model;
        let takes_numbers = model.model().numbers != NumberUse::Binned;
        if model.model().numbers == NumberUse::Plain {
            options.coding.discretizer = Discretizer::None;
        }
        let mut features = places.iter().map(|&place| &table.features[place]);
        let number = features.find(|feature| feature.coded().is_none());
        if let Some(feature) = number.filter(|_| !takes_numbers) {
            return Err(model.needs_bins().in_column(feature.column.name()));
        }
        Ok(Accuracy {
            table,
            places: places.to_vec(),
            runs: (0..division.max_runs()).map(|_| OnceLock::new()).collect(),
            division,
            options,
            known: Mutex::default(),
            guesses: true,
        })
    }

    /// With nothing right where there is no feature, so that a first one joins in any case.
    pub(crate) fn without_guessing(mut self) -> Self {
        self.guesses = false;
        self
    }

    /// The accuracy of models whose features come in this order, which K2 looks at.
    pub(crate) fn of_orders(
        &self,
        orders: &[Vec<usize>],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        let rights = self.judge(orders, observer, |judge, orders, observer| {
            judge.n_right_in_order(orders, observer)
        })?;
        let means = rights.iter().map(|right| self.estimated(right).mean);
        Ok(means.collect())
    }

    /// The judges of a run, one per fold.
    fn judges(&self, run: usize, observer: &dyn Observer) -> Result<&[Box<dyn Judge>]> {
        if let Some(judges) = self.runs[run].get() {
            return Ok(judges);
        }
        let splits = self.division.splits(run, &self.table.class)?;
        let judges = splits.par_iter().map(|split| {
            check(observer)?;
            let part = FoldRows::new(self.table, &self.places, split, self.options.coding)?;
            judge_of(
                part.into(),
                &self.options.training,
                splits.len() * self.runs.len(),
            )
        });
        let judges = judges.collect::<Result<Vec<_>>>()?;
        Ok(self.runs[run].get_or_init(|| judges))
    }

    /// Rows predicted right, for everything asked about: run after run, as long as one wants
    /// another.
    fn judge<T: Clone + Sync>(
        &self,
        asked: &[T],
        observer: &dyn Observer,
        ask: impl Fn(&dyn Judge, &[T], &dyn Observer) -> Result<Vec<u32>> + Sync,
    ) -> Result<Vec<Right>> {
        let mut rights = vec![Right::new(); asked.len()];
        let mut open: Vec<usize> = (0..asked.len()).collect();
        let hushed = Hushed(observer);
        for run in 0..self.runs.len() {
            if run > 0 {
                open.retain(|&place| {
                    let error = self.estimated(&rights[place]).standard_error;
                    self.division.wants_another(error)
                });
            }
            if open.is_empty() {
                break;
            }
            let judges = self.judges(run, observer)?;
            let (mut n_done, n_open) = (0, open.len() as u64);
            for places in open.chunks(self.n_at_a_time()) {
                check(observer)?;
                if n_done > 0 {
                    observer.progress("scoring sets", n_done, n_open);
                }
                n_done += places.len() as u64;
                let some = picked(asked, places);
                let by_fold = judges.par_iter().map(|judge| ask(&**judge, &some, &hushed));
                let by_fold = by_fold.collect::<Result<Vec<_>>>()?;
                for (number, &place) in places.iter().enumerate() {
                    rights[place].extend(by_fold.iter().map(|fold| fold[number]));
                }
            }
        }
        Ok(rights)
    }

    /// Sets that are judged between two reports: what takes a second at most.
    fn n_at_a_time(&self) -> usize {
        match self.options.training.model {
            ModelKind::NaiveBayes => 2_048,
            ModelKind::Tan => 256,
            ModelKind::K2 | ModelKind::Cb | ModelKind::Id3 | ModelKind::Block => 32,
        }
    }

    /// The estimate of rows predicted right.
    fn estimated(&self, right: &Right) -> Estimated {
        let runs = || self.runs.iter().map_while(OnceLock::get);
        let sizes = || runs().flatten().map(|judge| judge.n_test().max(1) as f64);
        let shares = right.iter().zip(sizes());
        let mut shares: Vec<f64> = shares.map(|(&n, size)| f64::from(n) / size).collect();
        // Every run has as many folds as the first.
        let n_folds = runs().next().map_or(1, |judges| judges.len().max(1));
        let of_shares = mean_sd(&shares);
        let mean = of_shares.as_ref().map_or(f64::NAN, |of| of.mean);
        let standard_error = match shares.len() {
            0 => f64::NAN,
            // One division says nothing about others: the spread of a share of so many rows.
            1 => (mean * (1.0 - mean) / sizes().next().unwrap_or(1.0)).sqrt(),
            n => {
                let sd = of_shares.ok().and_then(|of| of.sd).unwrap_or(f64::NAN);
                sd / (n as f64).sqrt()
            }
        };
        let n_runs = shares.len().div_ceil(n_folds);
        shares.truncate(n_folds);
        Estimated {
            mean,
            standard_error,
            first_run: shares,
            n_runs,
            n_rows: self.table.n_rows(),
        }
    }

    fn known(&self) -> MutexGuard<'_, JudgedSets> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The values of sets; those that are not known are asked for in a way that has one entry
    /// per set.
    fn values<T: Clone + Sync>(
        &self,
        sets: &[FeatureSet],
        asked: &[T],
        observer: &dyn Observer,
        ask: impl Fn(&dyn Judge, &[T], &dyn Observer) -> Result<Vec<u32>> + Sync,
    ) -> Result<Vec<f64>> {
        let mut rights: Vec<Option<Right>> = {
            let known = self.known();
            sets.iter()
                .map(|set| known.right.get(set).cloned())
                .collect()
        };
        let new: Vec<usize> = (0..sets.len()).filter(|&p| rights[p].is_none()).collect();
        let judged = self.judge(&picked(asked, &new), observer, ask)?;
        let mut known = self.known();
        for (place, right) in new.into_iter().zip(judged) {
            known.remember(&sets[place], &right);
            rights[place] = Some(right);
        }
        let values = sets
            .iter()
            .zip(rights.iter().flatten())
            .map(|(set, right)| {
                let is_guess = set.is_empty() && !self.guesses;
                if is_guess {
                    0.0
                } else {
                    self.estimated(right).mean
                }
            });
        Ok(values.collect())
    }
}

impl JudgedSets {
    fn remember(&mut self, set: &FeatureSet, right: &Right) {
        let n_bytes = 100 + set.n_bytes() + size_of_val(&right[..]);
        if self.n_bytes + n_bytes <= MAX_REMEMBERED_BYTES {
            self.n_bytes += n_bytes;
            self.right.insert(set.clone(), right.clone());
        }
    }
}

impl Score for Accuracy<'_> {
    fn name(&self) -> &'static str {
        "accuracy"
    }

    fn unit(&self) -> &'static str {
        ""
    }

    fn better(&self) -> Better {
        Better::Higher
    }

    fn n_features(&self) -> usize {
        self.places.len()
    }

    fn evaluate(&self, sets: &[FeatureSet], observer: &dyn Observer) -> Result<Vec<f64>> {
        self.values(sets, sets, observer, |judge, sets, observer| {
            judge.n_right(sets, observer)
        })
    }

    fn change(
        &self,
        base: &FeatureSet,
        candidates: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        let sets = base.changed(candidates);
        self.values(&sets, candidates, observer, |judge, some, observer| {
            judge.n_right_changed(base, some, observer)
        })
    }

    fn estimate(&self, set: &FeatureSet, observer: &dyn Observer) -> Result<Option<Estimated>> {
        self.evaluate(std::slice::from_ref(set), observer)?;
        let known = self.known().right.get(set).cloned();
        let right = match known {
            Some(right) => right,
            None => {
                let sets = std::slice::from_ref(set);
                let judged = self.judge(sets, observer, |judge, sets, observer| {
                    judge.n_right(sets, observer)
                })?;
                judged.concat()
            }
        };
        Ok(Some(self.estimated(&right)))
    }

    fn is_new_best(&self, value: f64, than: f64) -> bool {
        // Kohavi and John: best-first goes on only for a tenth of a percent.
        value - than > 0.001
    }
}
