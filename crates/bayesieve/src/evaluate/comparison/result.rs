//! What a comparison came to.

use super::super::protocol::Protocol;
use super::super::stability::{frequencies, stability};
use super::Run;
use crate::measure::{MEASURES, Measure};
use crate::stats::{Better, MeanSd, mean_sd};

/// Everything that came out of a comparison.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The data sets.
    pub data: Vec<ComparedData>,
    /// The pipelines.
    pub pipelines: Vec<ComparedPipeline>,
    /// Finished cells.
    pub entries: Vec<Entry>,
    /// Cells that were asked for.
    pub n_asked: usize,
    /// Units that were taken from a checkpoint.
    pub n_resumed: usize,
    /// Whether the run was over before the last cell.
    pub is_cut_short: bool,
    /// What decides which pipeline is the best.
    pub measure: &'static Measure,
    /// The seed.
    pub seed: u64,
    /// What the reader should know.
    pub warnings: Vec<String>,
}

/// A data set that was compared on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedData {
    /// Its name.
    pub name: String,
    /// Rows that were used.
    pub n_rows: usize,
    /// The candidates.
    pub features: Vec<String>,
    /// The class's name.
    pub class: String,
    /// Its labels.
    pub classes: Vec<String>,
    /// Rows of every class.
    pub class_counts: Vec<u64>,
    /// The code of the positive class.
    pub positive: usize,
    /// How it was divided.
    pub protocol: Protocol,
}

impl ComparedData {
    /// The share of the most frequent class: the majority-class baseline.
    pub fn guessing(&self) -> f64 {
        let most = self.class_counts.iter().max().copied().unwrap_or(0);
        most as f64 / self.n_rows.max(1) as f64
    }

    /// The names of what a run on it kept, in column order.
    pub fn kept_names(&self, run: &Run) -> Vec<&str> {
        let kept = run.kept.iter();
        let names = kept.filter_map(|&place| self.features.get(place as usize));
        names.map(String::as_str).collect()
    }
}

/// What was compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedPipeline {
    /// As it was given.
    pub name: String,
    /// The method that selects.
    pub method: &'static str,
    /// The model that is trained.
    pub model: &'static str,
}

/// A pipeline on a data set.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The place of the data set.
    pub data: usize,
    /// The place of the pipeline.
    pub pipeline: usize,
    /// Rows of the training parts, for a point of a learning curve.
    pub n_train: Option<usize>,
    /// What every split gave, in order.
    pub runs: Vec<Run>,
}

/// What is compared about pipelines.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Quantity {
    /// A measure of the predictions.
    Measured(&'static Measure),
    /// Number of features kept.
    Kept,
    /// CALL per training row, in bits.
    CallWithClass,
    /// CALL per training row without the part of the class alone, in bits.
    Call,
    /// Time, in seconds.
    Seconds,
}

impl Quantity {
    /// Share of test rows predicted right.
    pub const ACCURACY: Quantity = Quantity::Measured(Measure::ACCURACY);

    /// Mean of `-ln P(true class)`.
    pub const LOG_LOSS: Quantity = Quantity::Measured(Measure::LOG_LOSS);

    /// All there are: accuracy, log loss and Brier score, what is no measure of predictions, and
    /// all other measures.
    pub fn all() -> Vec<Quantity> {
        let first = [Measure::ACCURACY, Measure::LOG_LOSS, Measure::BRIER];
        let others = [
            Quantity::Kept,
            Quantity::CallWithClass,
            Quantity::Call,
            Quantity::Seconds,
        ];
        let rest = MEASURES.into_iter().filter(|one| !first.contains(one));
        let mut all: Vec<Quantity> = first.map(Quantity::Measured).to_vec();
        all.extend(others);
        all.extend(rest.map(Quantity::Measured));
        all
    }

    /// Those that tests and ranks are about where a measure decides.
    pub fn tested(decides: &'static Measure) -> Vec<Quantity> {
        let usual = [
            Quantity::ACCURACY,
            Quantity::LOG_LOSS,
            Quantity::Kept,
            Quantity::Call,
        ];
        let decides = Some(Quantity::Measured(decides));
        let first = decides.filter(|quantity| !usual.contains(quantity));
        first.into_iter().chain(usual).collect()
    }

    /// Its name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Measured(measure) => measure.key,
            Quantity::Kept => "kept",
            Quantity::CallWithClass => "call_per_row",
            Quantity::Call => "call_per_row_without_class",
            Quantity::Seconds => "seconds",
        }
    }

    /// Which end is good.
    pub fn better(self) -> Better {
        match self {
            Quantity::Measured(measure) => measure.better,
            Quantity::CallWithClass | Quantity::Call => Better::Higher,
            Quantity::Kept | Quantity::Seconds => Better::Lower,
        }
    }

    /// Its value in one run.
    pub fn of(self, run: &Run) -> Option<f64> {
        match self {
            Quantity::Measured(measure) => run.measured(measure),
            Quantity::Kept => Some(run.kept.len() as f64),
            Quantity::CallWithClass => run.call_per_row,
            Quantity::Call => run.call_per_row_without_class,
            Quantity::Seconds => Some(run.seconds),
        }
    }
}

impl Run {
    /// A measure of the predictions; nothing where it is not defined on the test rows.
    pub fn measured(&self, measure: &Measure) -> Option<f64> {
        // Runs of older checkpoints have these three alone.
        self.measures.get(measure).or(match measure.key {
            "accuracy" => Some(self.accuracy),
            "log_loss" => self.log_loss,
            "brier" => self.brier,
            _ => None,
        })
    }
}

impl Entry {
    /// The values of a quantity, run by run; nothing where a run has none.
    pub fn values(&self, quantity: Quantity) -> Option<Vec<f64>> {
        self.runs.iter().map(|run| quantity.of(run)).collect()
    }

    /// Mean and standard deviation over the runs; nothing where a run has no value.
    pub fn mean_sd(&self, quantity: Quantity) -> Option<MeanSd> {
        mean_sd(&self.values(quantity)?).ok()
    }

    /// Mean of the accuracies that searches went by, where all runs have one.
    pub fn inner_accuracy(&self) -> Option<f64> {
        let inner: Option<Vec<f64>> = self.runs.iter().map(|run| run.inner_accuracy).collect();
        mean_sd(&inner?).ok().map(|of_runs| of_runs.mean)
    }

    /// The share of the runs that kept each of so many features.
    pub fn frequencies(&self, n_features: usize) -> Vec<f64> {
        frequencies(n_features, self.runs.iter().map(|run| run.kept.as_slice()))
    }

    /// How much the kept sets agree: Nogueira's index.
    pub fn stability(&self, n_features: usize) -> Option<f64> {
        stability(self.runs.len(), &self.frequencies(n_features))
    }
}

impl Comparison {
    /// A pipeline on a data set, with the whole training parts.
    pub fn entry(&self, data: usize, pipeline: usize) -> Option<&Entry> {
        let mut entries = self.wholes();
        entries.find(|entry| entry.data == data && entry.pipeline == pipeline)
    }

    /// All entries with the whole training parts.
    pub fn wholes(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.n_train.is_none())
    }

    /// The points of a learning curve by rising training rows; the last one is the whole
    /// training part. Empty without a curve.
    pub fn curve(&self, data: usize, pipeline: usize) -> Vec<(usize, &Entry)> {
        let is_here = |entry: &&Entry| entry.data == data && entry.pipeline == pipeline;
        let points = self.entries.iter().filter(is_here);
        let mut points: Vec<(usize, &Entry)> = points
            .filter_map(|entry| {
                let whole = entry.runs.first().map(|run| run.n_train);
                Some((entry.n_train.or(whole)?, entry))
            })
            .collect();
        if points.iter().all(|(_, entry)| entry.n_train.is_none()) {
            return Vec::new();
        }
        points.sort_by_key(|(n_train, _)| *n_train);
        points
    }
}
