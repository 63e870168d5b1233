//! Accuracy of a model over a set of features, on rows it has not seen; or any other measure of
//! its predictions.
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
//! Accuracy only counts the rows that are right. Other measures need the probabilities of every
//! test row, which the same sums give; they cost one more pass over the rows, or a sort.
//!
//! Where the papers are silent: a fold whose training rows are of one class predicts it;
//! the value of a set is the mean over folds, not over rows; without folds (halves, or the
//! training rows themselves) the standard error is the binomial one. Of other measures it is
//! that of the mean over rows, where they are one. A fold on which a measure is not defined is
//! left out. What is written for shares of rows holds for every measure as it is, and for costs
//! as a share of the largest one: another run above a standard error of 0.01, a new best of a
//! best-first search from 0.001 on.

mod division;
mod fold_measure;
mod judge;
#[cfg(test)]
mod measure_tests;
mod measured;
mod naive_bayes;
mod part;
mod patterns;
mod posteriors;
mod refit;
mod tan;
#[cfg(test)]
mod tests;
mod tree_nodes;
mod votes;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use rayon::prelude::*;

use division::RowDivision;
use fold_measure::FoldMeasure;
pub(crate) use judge::{FeaturePath, predict_along};
use judge::{Judge, judge_of};
pub(crate) use measured::measured_sets;
pub(crate) use part::FoldRows;
pub(crate) use posteriors::Posteriors;

use super::{Estimated, FeatureSet, Score};
use crate::classify::{ModelKind, NumberUse, TrainOptions};
use crate::data::split::Folds;
use crate::data::{CodedTable, CodingOptions, Discretizer};
use crate::measure::{Measure, Stakes};
use crate::stats::{Better, mean_sd};
use crate::{Error, Hushed, Observer, Result, check};

/// Bytes of what is remembered of sets; beyond, they are worked out again.
const MAX_REMEMBERED_BYTES: usize = 1 << 28;

/// Where the test rows come from.
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

/// How accuracy, or another measure, is estimated.
#[derive(Debug, Clone)]
pub struct AccuracyOptions {
    /// What is trained.
    pub training: TrainOptions,
    /// How cells become codes, in every fold anew.
    pub coding: CodingOptions,
    /// Where the test rows come from.
    pub estimate: Estimate,
    /// Folds to be used instead of drawn ones, a single time.
    pub folds: Option<Folds>,
    /// The seed of folds and halves.
    pub seed: u64,
    /// What predictions are judged by.
    pub measure: &'static Measure,
    /// The positive class and the costs; the rarest class and none without.
    pub stakes: Option<Stakes>,
}

/// The share of rows that a model over a set of features predicts right, or another measure of
/// what it predicts.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::classify::{ModelKind, TrainOptions};
/// use bayesieve::data::{CodedTable, CodingOptions, Generator, RoleOptions, Roles};
/// use bayesieve::measure::Measure;
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
///     measure: Measure::ACCURACY,
///     stakes: None,
/// };
/// let all: Vec<usize> = (0..8).collect();
/// let accuracy = Accuracy::new(&coded, &all, options.clone())?;
/// let sets = [FeatureSet::empty(8), FeatureSet::of(8, [5])?];
/// // Three of four rows are of the larger class; A6 alone gets seven of eight right.
/// assert_eq!(accuracy.evaluate(&sets, &Silent)?, [0.75, 0.875]);
/// let auc = AccuracyOptions { measure: "auc".parse()?, ..options };
/// let auc = Accuracy::new(&coded, &all, auc)?;
/// // Shares alone order no rows.
/// assert_eq!(auc.evaluate(&sets[..1], &Silent)?, [0.5]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
///
/// Kohavi, R. and John, G. (1997). Wrappers for feature subset selection. Artificial
/// Intelligence 97, 273-324.
pub struct Accuracy<'a> {
    table: &'a CodedTable,
    places: Vec<usize>,
    options: AccuracyOptions,
    measure: FoldMeasure,
    division: RowDivision,
    /// By run; prepared when the first set needs it.
    runs: Vec<OnceLock<Vec<Box<dyn Judge>>>>,
    known: Mutex<JudgedSets>,
    /// Whether the most frequent class is predicted where there is no feature.
    guesses: bool,
}

/// The values of a set, by run, then by fold; no number where the measure is not defined.
type FoldValues = Vec<f64>;

/// What is remembered of sets.
#[derive(Default)]
struct JudgedSets {
    /// Looked up only, never listed.
    values: HashMap<FeatureSet, FoldValues>,
    n_bytes: usize,
}

/// Those at some places.
fn picked<T: Clone>(all: &[T], places: &[usize]) -> Vec<T> {
    places.iter().map(|&place| all[place].clone()).collect()
}

impl<'a> Accuracy<'a> {
    /// Over the features at these places of the table, numbered in this order.
    ///
    /// # Errors
    /// Rows that cannot be divided, numbers without bins where the model needs labels, or stakes
    /// of other classes.
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
        let given = options.stakes.clone();
        let stakes = given.unwrap_or_else(|| Stakes::new(&table.class.counts()));
        if !stakes.fit(table.class.n_values()) {
            return Err(Error::usage(
                "the positive class and the costs are not those of the table's classes",
            ));
        }
        let measure = FoldMeasure {
            measure: options.measure,
            stakes,
        };
        Ok(Accuracy {
            table,
            measure,
            places: places.to_vec(),
            runs: (0..division.max_runs()).map(|_| OnceLock::new()).collect(),
            division,
            options,
            known: Mutex::default(),
            guesses: true,
        })
    }

    /// With every row wrong where there is no feature, so that a first one joins in any case.
    pub(crate) fn without_guessing(mut self) -> Self {
        self.guesses = false;
        self
    }

    /// The values of models whose features come in this order, which K2 looks at.
    pub(crate) fn of_orders(
        &self,
        orders: &[Vec<usize>],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        let judged = self.judge(orders, observer, |judge, orders, observer| {
            self.measure.of_orders(judge, orders, observer)
        })?;
        judged.iter().map(|values| self.mean_of(values)).collect()
    }

    /// The standard error of a value, where the rows are divided once; no number where nothing
    /// is known of it.
    pub(crate) fn error_of_division(
        &self,
        features: &[usize],
        value: f64,
        observer: &dyn Observer,
    ) -> Result<f64> {
        let [judge] = self.judges(0, observer)? else {
            return Ok(f64::NAN);
        };
        if self.measure.is_accuracy() {
            // The spread of a share of so many rows.
            return Ok((value * (1.0 - value) / judge.part().n_test().max(1) as f64).sqrt());
        }
        let posteriors = judge.predict(features, observer)?;
        Ok(self.measure.error_by_rows(judge.part(), &posteriors))
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

    /// The values of everything asked about: run after run, as long as one wants another.
    fn judge<T: Clone + Sync>(
        &self,
        asked: &[T],
        observer: &dyn Observer,
        ask: impl Fn(&dyn Judge, &[T], &dyn Observer) -> Result<Vec<f64>> + Sync,
    ) -> Result<Vec<FoldValues>> {
        let mut values = vec![FoldValues::new(); asked.len()];
        let mut open: Vec<usize> = (0..asked.len()).collect();
        let hushed = Hushed(observer);
        for run in 0..self.runs.len() {
            if run > 0 {
                open.retain(|&place| {
                    let error = self.estimated(&values[place]).standard_error;
                    self.division.wants_another(error / self.measure.scale())
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
                    values[place].extend(by_fold.iter().map(|fold| fold[number]));
                }
            }
        }
        Ok(values)
    }

    /// Sets that are judged between two reports: what takes a second at most.
    fn n_at_a_time(&self) -> usize {
        match self.options.training.model {
            ModelKind::NaiveBayes => 2_048,
            ModelKind::Tan => 256,
            ModelKind::K2 | ModelKind::Cb | ModelKind::Id3 | ModelKind::Block => 32,
        }
    }

    /// The estimate from the values of all folds.
    fn estimated(&self, values: &[f64]) -> Estimated {
        // Every run has as many folds as the first.
        let first = self.runs.first().and_then(OnceLock::get);
        let n_folds = first.map_or(1, |judges| judges.len().max(1));
        let defined = |values: &[f64]| -> Vec<f64> {
            let values = values.iter().copied();
            values.filter(|value| !value.is_nan()).collect()
        };
        let all = defined(values);
        let of_all = mean_sd(&all).ok();
        let sd = of_all.as_ref().and_then(|of| of.sd).unwrap_or(f64::NAN);
        Estimated {
            mean: of_all.map_or(f64::NAN, |of| of.mean),
            standard_error: sd / (all.len() as f64).sqrt(),
            first_run: defined(&values[..n_folds.min(values.len())]),
            n_runs: values.len().div_ceil(n_folds),
            n_rows: self.table.n_rows(),
        }
    }

    /// The mean over folds.
    fn mean_of(&self, values: &[f64]) -> Result<f64> {
        let mean = self.estimated(values).mean;
        if mean.is_nan() {
            return Err(self.measure.not_defined());
        }
        Ok(mean)
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
        ask: impl Fn(&dyn Judge, &[T], &dyn Observer) -> Result<Vec<f64>> + Sync,
    ) -> Result<Vec<f64>> {
        let mut by_set: Vec<Option<FoldValues>> = {
            let known = self.known();
            let of_set = |set| known.values.get(set).cloned();
            sets.iter().map(of_set).collect()
        };
        let new: Vec<usize> = (0..sets.len()).filter(|&p| by_set[p].is_none()).collect();
        let judged = self.judge(&picked(asked, &new), observer, ask)?;
        let mut known = self.known();
        for (place, values) in new.into_iter().zip(judged) {
            known.remember(&sets[place], &values);
            by_set[place] = Some(values);
        }
        drop(known);
        let value = |(set, values): (&FeatureSet, &FoldValues)| {
            if set.is_empty() && !self.guesses {
                return Ok(self.measure.of_nothing_right());
            }
            self.mean_of(values)
        };
        sets.iter()
            .zip(by_set.iter().flatten())
            .map(value)
            .collect()
    }
}

impl JudgedSets {
    fn remember(&mut self, set: &FeatureSet, values: &FoldValues) {
        let n_bytes = 100 + set.n_bytes() + size_of_val(&values[..]);
        if self.n_bytes + n_bytes <= MAX_REMEMBERED_BYTES {
            self.n_bytes += n_bytes;
            self.values.insert(set.clone(), values.clone());
        }
    }
}

impl Score for Accuracy<'_> {
    fn name(&self) -> &'static str {
        self.measure.measure.name
    }

    fn unit(&self) -> &'static str {
        self.measure.unit()
    }

    fn better(&self) -> Better {
        self.measure.measure.better
    }

    fn n_features(&self) -> usize {
        self.places.len()
    }

    fn evaluate(&self, sets: &[FeatureSet], observer: &dyn Observer) -> Result<Vec<f64>> {
        self.values(sets, sets, observer, |judge, sets, observer| {
            self.measure.of_sets(judge, sets, observer)
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
            self.measure.of_changed(judge, base, some, observer)
        })
    }

    fn estimate(&self, set: &FeatureSet, observer: &dyn Observer) -> Result<Option<Estimated>> {
        let sets = std::slice::from_ref(set);
        self.evaluate(sets, observer)?;
        let known = self.known().values.get(set).cloned();
        let values = match known {
            Some(values) => values,
            None => {
                let judged = self.judge(sets, observer, |judge, sets, observer| {
                    self.measure.of_sets(judge, sets, observer)
                })?;
                judged.concat()
            }
        };
        let mut estimated = self.estimated(&values);
        if let [value] = values[..] {
            // One division says nothing about others; its rows do.
            let features: Vec<usize> = set.iter().collect();
            estimated.standard_error = self.error_of_division(&features, value, observer)?;
        }
        Ok(Some(estimated))
    }

    fn is_new_best(&self, value: f64, than: f64) -> bool {
        // Kohavi and John: best-first goes on only for a tenth of a percent.
        self.gain(value, than) > 0.001 * self.measure.scale()
    }
}
