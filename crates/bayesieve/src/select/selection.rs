//! The result of every method.

use serde::Serialize;

use super::method::ScoreKind;
use super::named_blocks::NamedBlocks;
use super::named_boundary::NamedBoundary;
use super::reason::Reason;
use crate::measure::Measure;
use crate::search::{Action, Stop};

/// What was kept, what was dropped and why, and how it came to that.
#[derive(Debug, Clone)]
pub struct Selection {
    /// The data it was made from.
    pub data: DataSummary,
    /// The method.
    pub method: &'static str,
    /// The classifier whose score counted, if one did.
    pub model: Option<&'static str>,
    /// How sets were walked, if they were.
    pub search: Option<&'static str>,
    /// Every setting with its value.
    pub settings: Vec<(&'static str, String)>,
    /// The seed.
    pub seed: u64,
    /// What was kept: in order of entry or rank, or in column order.
    pub kept: Vec<KeptFeature>,
    /// Everything else, in column order; those the user left out come last.
    pub dropped: Vec<DroppedFeature>,
    /// What was optimized.
    pub score: ScoreKind,
    /// Its value before the first step; no number if the time was over before it was known.
    pub start: f64,
    /// Its value at the end; no number if the time was over before any was known.
    pub value: f64,
    /// How it came to that.
    pub steps: Vec<NamedStep>,
    /// Why it ended.
    pub stop: Stop,
    /// How many sets or features were evaluated.
    pub n_evaluations: u64,
    /// How often a set was asked for again, and not evaluated again.
    pub n_repeated: u64,
    /// How sure the value is, where it is an estimate that the search itself went by.
    pub estimate: Option<InnerEstimate>,
    /// The accuracy of the whole procedure on rows that it has not seen, where that was
    /// asked for; see [`evaluate::Honest`](crate::evaluate::Honest).
    pub honest: Option<HonestEstimate>,
    /// Who was compared, where the method was chosen by the data; see
    /// [`evaluate::Auto`](crate::evaluate::Auto).
    pub auto: Option<AutoReport>,
    /// The curve over numbers of features, where they were judged.
    pub path: Vec<PathPoint>,
    /// What to expect on other rows, where that was measured.
    pub performance: Option<Performance>,
    /// Folds that features were selected on, where they were.
    pub n_folds: Option<usize>,
    /// How often shuffled classes do as well, where that was asked for; see
    /// [`evaluate::Permutations`](crate::evaluate::Permutations).
    pub permutations: Option<PermutationTest>,
    /// What the kept features are to the class, for methods that find Markov boundaries.
    pub boundary: Option<NamedBoundary>,
    /// How far blocks of features hold the classes apart, for methods that score blocks.
    pub blocks: Option<NamedBlocks>,
    /// What the reader should know.
    pub warnings: Vec<String>,
}

/// The estimate that a search went by. Of many sets it took the one that looked best: too
/// good to be true of new rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InnerEstimate {
    /// What was estimated.
    pub measure: &'static Measure,
    /// The mean over all folds of all runs.
    pub mean: f64,
    /// The standard error of the mean; no number where there is one test part only.
    pub standard_error: f64,
    /// Test parts of a run: folds, or one half.
    pub n_folds: usize,
    /// Runs, each with its own folds.
    pub n_runs: usize,
}

impl InnerEstimate {
    /// Whether the mean is a share of rows.
    pub fn is_accuracy(&self) -> bool {
        self.measure == Measure::ACCURACY
    }
}

/// The accuracy of a whole procedure, selection included, on rows it has not seen: five
/// times two halves.
#[derive(Debug, Clone, PartialEq)]
pub struct HonestEstimate {
    /// The mean of the ten accuracies.
    pub mean: f64,
    /// Their standard deviation, by nine.
    pub sd: f64,
    /// Features kept, on average.
    pub mean_kept: f64,
    /// The accuracies: first and second half of every repeat.
    pub accuracies: Vec<f64>,
    /// `[true class][predicted class]`, rows of all ten halves; every row is in five of them.
    pub confusion: Vec<Vec<u64>>,
    /// The model that was trained on what was kept.
    pub model: &'static str,
}

/// How often the same method did as well on shuffled classes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PermutationTest {
    /// Shuffles.
    pub n_shuffles: usize,
    /// Those that did at least as well.
    pub n_as_good: usize,
    /// Features that were kept of shuffled classes, on average.
    pub mean_kept: f64,
}

impl PermutationTest {
    /// The probability of doing as well by chance: the classes as they are count as one more
    /// shuffle.
    pub fn p(&self) -> f64 {
        (self.n_as_good + 1) as f64 / (self.n_shuffles + 1) as f64
    }
}

/// How a method was chosen by the data.
#[derive(Debug, Clone, PartialEq)]
pub struct AutoReport {
    /// The place of the candidate that was taken.
    pub chosen: usize,
    /// Who took part.
    pub candidates: Vec<AutoCandidate>,
    /// Those that are not fast at the size of the data and had no part.
    pub not_tried: Vec<String>,
    /// Folds that all were tested on.
    pub n_folds: usize,
    /// The accuracy of the chosen one over the folds: optimistic, as it was chosen by it.
    pub accuracy: f64,
    /// The standard error of that.
    pub standard_error: f64,
    /// `[true class][predicted class]` of the chosen one over the folds.
    pub confusion: Vec<Vec<u64>>,
    /// What the choice promises on other rows.
    pub corrected: Option<CorrectedAccuracy>,
    /// Whether the time was over before all were tested.
    pub is_cut_short: bool,
    /// Whether the method was named, and only the number of features was chosen.
    pub is_of_one_method: bool,
    /// What decided.
    pub measure: &'static Measure,
    /// How far from the best the measure may be; one standard error of the paired difference
    /// without.
    pub tolerance: Option<f64>,
    /// A smaller set that predicts nearly as well.
    pub runner_up: Option<RunnerUp>,
}

impl AutoReport {
    /// How one of the candidates is taken, as a sentence.
    pub fn rule(&self) -> String {
        let measure = self.measure;
        match self.tolerance {
            Some(tolerance) => {
                format!("fewest features within {tolerance} of the best {measure}")
            }
            None => format!(
                "fewest features within one standard error of the paired difference from the best \
                 {measure}"
            ),
        }
    }

    /// How many were compared to the end.
    pub fn n_compared(&self) -> usize {
        let known = self.candidates.iter().filter(|one| one.accuracy.is_some());
        known.count()
    }

    /// The share of the most frequent class: what guessing it gets right; no number where
    /// nobody was compared.
    pub fn guessing(&self) -> f64 {
        let sizes = self.confusion.iter().map(|row| row.iter().sum::<u64>());
        let (most, all) = (sizes.clone().max(), sizes.sum::<u64>());
        most.map_or(f64::NAN, |most| most as f64 / all as f64)
    }
}

/// What to expect of a selection and its model on other rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Performance {
    /// How rows were divided into those to learn from and those to test on.
    pub protocol: String,
    /// The measure that decides, or was asked for.
    pub measure: Option<&'static Measure>,
    /// Every measure that is defined.
    pub measures: Vec<MeasuredPerformance>,
    /// Draws of the correction for having chosen; none where nothing was chosen.
    pub n_draws: usize,
    /// The code of the positive class.
    pub positive: usize,
    /// `[true class][predicted class]` over the test rows.
    pub confusion: Vec<Vec<u64>>,
}

impl Performance {
    /// One of its measures.
    pub fn get(&self, measure: &Measure) -> Option<&MeasuredPerformance> {
        self.measures.iter().find(|one| *one.measure == *measure)
    }
}

/// One measure of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredPerformance {
    /// Which one.
    pub measure: &'static Measure,
    /// What to expect.
    pub mean: f64,
    /// Its standard error, where there is one.
    pub standard_error: Option<f64>,
    /// The value over the test rows, before it is corrected.
    pub on_folds: f64,
    /// The value of always saying the shares of the classes.
    pub baseline: Option<f64>,
}

/// A point of the curve over numbers of features.
#[derive(Debug, Clone, PartialEq)]
pub struct PathPoint {
    /// Features in it.
    pub size: usize,
    /// Those that come in here, in the order of all rows.
    pub features_added: Vec<String>,
    /// Mean log loss over the test rows, in nats.
    pub log_loss: f64,
    /// Share of the test rows predicted right.
    pub accuracy: f64,
    /// The measure that decides.
    pub value: f64,
    /// The standard error of its difference from the taken size.
    pub standard_error: f64,
}

/// A smaller set that predicts nearly as well.
#[derive(Debug, Clone, PartialEq)]
pub struct RunnerUp {
    /// Method and model.
    pub name: String,
    /// Its features, the best first.
    pub features: Vec<String>,
    /// Mean log loss over the test rows.
    pub log_loss: f64,
    /// Share of the test rows predicted right.
    pub accuracy: f64,
    /// Its accuracy less that of the taken one.
    pub accuracy_difference: f64,
    /// The measure that decides, less that of the taken one.
    pub difference: f64,
}

/// One that took part in a choice. What is not known is missing: it was not finished, or it
/// does not work on the data.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct AutoCandidate {
    /// Method and model.
    #[serde(rename = "pipeline")]
    pub name: String,
    /// The method.
    pub method: &'static str,
    /// The model.
    pub model: &'static str,
    /// Share of rows predicted right, each by a procedure learned on the other folds.
    pub accuracy: Option<f64>,
    /// Its standard error.
    pub standard_error: Option<f64>,
    /// Mean log loss over the test rows, in nats.
    pub log_loss: Option<f64>,
    /// The measure that decides.
    pub value: Option<f64>,
    /// Features that it keeps of all rows.
    #[serde(rename = "kept")]
    pub n_kept: Option<usize>,
    /// Features kept, on average over the folds.
    pub mean_kept: Option<f64>,
    /// How much its set is that of the chosen one: features in both over features in one of
    /// them, of all rows.
    pub agreement: Option<f64>,
    /// What all folds and all rows took, in seconds.
    pub seconds: Option<f64>,
    /// Why it does not work on the data.
    pub failure: Option<String>,
}

/// An accuracy that allows for the choice: the mean over draws of rows with replacement, each
/// with its own choice, tested on the rows that were not drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CorrectedAccuracy {
    /// The mean over the draws.
    pub mean: f64,
    /// Their standard deviation, somewhat above the standard error of the mean: each draw is
    /// tested on the third of the rows that it leaves.
    pub sd: Option<f64>,
    /// Number of draws.
    pub n_draws: usize,
}

/// The data a selection was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataSummary {
    /// Rows.
    pub n_rows: usize,
    /// The names of the candidates, in column order.
    pub features: Vec<String>,
    /// The class's name.
    pub class: String,
    /// Its labels.
    pub classes: Vec<String>,
}

/// A feature that is in.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptFeature {
    /// Its name.
    pub feature: String,
    /// What it tells about the class alone, in bits; `None` for numbers without bins.
    pub alone_bits: Option<f64>,
    /// What it tells when all other kept features are known; `None` where rows differ from
    /// table to table, or for numbers without bins.
    pub given_rest_bits: Option<f64>,
    /// In how many folds it was kept, where features were selected on folds.
    pub kept_in_folds: Option<usize>,
}

/// A feature that is out, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct DroppedFeature {
    /// Its name.
    pub feature: String,
    /// What it tells about the class alone, in bits; `None` for numbers without bins and
    /// for features that were never looked at.
    pub alone_bits: Option<f64>,
    /// Why it is out.
    pub reason: Reason,
    /// In how many folds it was kept, where features were selected on folds.
    pub kept_in_folds: Option<usize>,
}

impl Selection {
    /// The measure of predictions that decided, where one did: that of the choice or of the
    /// search, else the one that the test was asked for.
    pub fn measure(&self) -> Option<&'static Measure> {
        let of_auto = self.auto.as_ref().map(|report| report.measure);
        let of_search = self.estimate.map(|inner| inner.measure);
        let asked = self.performance.as_ref().and_then(|one| one.measure);
        let tested = self.honest.as_ref().map(|_| Measure::ACCURACY);
        of_auto.or(of_search).or(asked).or(tested)
    }

    /// Ends the order of the kept features after so many, for the size that was judged best: what
    /// comes after them is dropped for that.
    pub(crate) fn end_path(&mut self, size: usize) {
        for dropped in &mut self.dropped {
            if matches!(
                dropped.reason,
                Reason::Outranked { .. } | Reason::NoGain { .. }
            ) {
                dropped.reason = Reason::NotSelectedAtThisSize { size };
            }
        }
        let after = self.kept.split_off(size.min(self.kept.len()));
        self.steps
            .truncate(self.steps.len() - after.len().min(self.steps.len()));
        let after = after.into_iter().map(|kept| DroppedFeature {
            feature: kept.feature,
            alone_bits: kept.alone_bits,
            reason: Reason::NotSelectedAtThisSize { size },
            kept_in_folds: None,
        });
        self.dropped.extend(after);
        let columns = &self.data.features;
        let place = |name: &str| columns.iter().position(|column| column == name);
        self.dropped.sort_by_key(|dropped| place(&dropped.feature));
    }
}

/// A step, with the feature's name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedStep {
    /// What happened.
    pub action: Action,
    /// To which feature.
    pub feature: String,
    /// The method's own quantity after it.
    pub score: f64,
    /// The move in a graph that it was, for methods that search one.
    pub operator: Option<NamedOperator>,
}

/// A move in a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedOperator {
    /// As the paper writes it, such as `A_Sibling`.
    pub name: &'static str,
    /// The other column that takes part; mostly the class.
    pub with: String,
}
