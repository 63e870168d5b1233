//! Scores: what makes a set of features good.
//!
//! - [`FeatureSet`]: a set of features, as bits.
//! - [`Score`]: many sets in, many values out; searches need nothing else.
//! - [`DescriptionLength`]: MDL and MDL-FS of selective naive Bayes and TAN.
//! - [`Accuracy`]: of a model on rows it has not seen, many sets at a time.
//! - [`Merit`]: the merit of correlation-based selection (CFS).
//! - [`NetworkScore`]: BIC and BDeu of the classifier.
//! - [`Remembered`]: any score, with every set scored once.
//! - [`Terms`]: every term of these scores for one set, to be shown.

mod accuracy;
mod description_length;
mod feature_set;
mod merit;
mod network_score;
mod remembered;
mod structure;
mod terms;
#[cfg(test)]
pub(crate) mod testing;

pub use accuracy::{Accuracy, AccuracyOptions, Estimate, Runs};
pub(crate) use accuracy::{FeaturePath, FoldRows, Posteriors, measured_sets, predict_along};
pub use description_length::{Auxiliary, DescriptionLength};
pub use feature_set::FeatureSet;
pub use merit::Merit;
pub use network_score::NetworkScore;
pub use remembered::{Listener, Remembered};
pub use structure::Structure;
pub use terms::{Call, Terms, TermsOptions};

use crate::stats::Better;
use crate::{Observer, Result};

/// A value that was estimated from rows held out.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimated {
    /// The estimate: the mean over all folds of all runs.
    pub mean: f64,
    /// The standard error of the mean, folds taken as independent; no number for one fold.
    pub standard_error: f64,
    /// The value of every fold of the first run, which divides the rows alike for all sets.
    pub first_run: Vec<f64>,
    /// Number of runs, each with its own folds.
    pub n_runs: usize,
    /// Rows that were divided into folds.
    pub n_rows: usize,
}

/// What makes a set of features good: sets in, values out, many at a time.
///
/// A set's value does not depend on what else is asked in the same call.
pub trait Score: Sync {
    /// Its name in documents.
    fn name(&self) -> &'static str;

    /// The unit of its values: `bits`, `nats`, or nothing.
    fn unit(&self) -> &'static str;

    /// Which values are good.
    fn better(&self) -> Better;

    /// How many features there are to choose from.
    fn n_features(&self) -> usize;

    /// The value of every set.
    ///
    /// # Errors
    /// The observer cancelled.
    fn evaluate(&self, sets: &[FeatureSet], observer: &dyn Observer) -> Result<Vec<f64>>;

    /// The value of the base changed by each candidate: those in it leave, or others join; never
    /// both in one call.
    ///
    /// # Errors
    /// The observer cancelled.
    fn change(
        &self,
        base: &FeatureSet,
        candidates: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        self.evaluate(&base.changed(candidates), observer)
    }

    /// How sure the value of a set is, for scores that are estimates from held-out rows.
    ///
    /// # Errors
    /// The observer cancelled.
    fn estimate(&self, set: &FeatureSet, observer: &dyn Observer) -> Result<Option<Estimated>> {
        let _ = (set, observer);
        Ok(None)
    }

    /// What `value` is better by than `than`, negative where it is worse.
    fn gain(&self, value: f64, than: f64) -> f64 {
        match self.better() {
            Better::Higher => value - than,
            Better::Lower => than - value,
        }
    }

    /// Whether `value` is better than `than` by more than rounding.
    fn is_better(&self, value: f64, than: f64) -> bool {
        // A score of a million rows is a sum of some 1e8 bits, known to 1e-8.
        self.gain(value, than) > f64::max(1e-9, 1e-13 * than.abs())
    }

    /// Whether a best-first search takes `value` for a new best over `than`: as
    /// [`Score::is_better`], unless the score's literature asks for more.
    fn is_new_best(&self, value: f64, than: f64) -> bool {
        self.is_better(value, than)
    }

    /// The place of the best value, the first of equal ones.
    fn best(&self, values: &[f64]) -> Option<usize> {
        (0..values.len()).reduce(|best, place| {
            if self.is_better(values[place], values[best]) {
                place
            } else {
                best
            }
        })
    }
}
