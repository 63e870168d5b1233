//! What a comparison came to.

use super::super::protocol::Protocol;
use super::super::stability::{frequencies, stability};
use super::Run;
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
    /// How it was divided.
    pub protocol: Protocol,
}

impl ComparedData {
    /// The share of the most frequent class: what guessing it gets right.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Measure {
    /// Share of test rows predicted right.
    Accuracy,
    /// Mean of `-ln P(true class)`.
    LogLoss,
    /// Mean of `Σ (P(class) - is it)²`.
    Brier,
    /// Number of features kept.
    Kept,
    /// CALL per training row, in bits.
    CallWithClass,
    /// CALL per training row without the part of the class alone, in bits.
    Call,
    /// Time, in seconds.
    Seconds,
}

impl Measure {
    /// All there are.
    pub const ALL: [Measure; 7] = [
        Measure::Accuracy,
        Measure::LogLoss,
        Measure::Brier,
        Measure::Kept,
        Measure::CallWithClass,
        Measure::Call,
        Measure::Seconds,
    ];

    /// Those that tests and ranks are about.
    pub const TESTED: [Measure; 4] = [
        Measure::Accuracy,
        Measure::LogLoss,
        Measure::Kept,
        Measure::Call,
    ];

    /// Its name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Accuracy => "accuracy",
            Measure::LogLoss => "log_loss",
            Measure::Brier => "brier",
            Measure::Kept => "kept",
            Measure::CallWithClass => "call_per_row",
            Measure::Call => "call_per_row_without_class",
            Measure::Seconds => "seconds",
        }
    }

    /// Which end is good.
    pub fn better(self) -> Better {
        match self {
            Measure::Accuracy | Measure::CallWithClass | Measure::Call => Better::Higher,
            _ => Better::Lower,
        }
    }

    /// Its value in one run.
    pub fn of(self, run: &Run) -> Option<f64> {
        match self {
            Measure::Accuracy => Some(run.accuracy),
            Measure::LogLoss => run.log_loss,
            Measure::Brier => run.brier,
            Measure::Kept => Some(run.kept.len() as f64),
            Measure::CallWithClass => run.call_per_row,
            Measure::Call => run.call_per_row_without_class,
            Measure::Seconds => Some(run.seconds),
        }
    }
}

impl Entry {
    /// The values of a measure, run by run; nothing where a run has none.
    pub fn values(&self, measure: Measure) -> Option<Vec<f64>> {
        self.runs.iter().map(|run| measure.of(run)).collect()
    }

    /// Mean and standard deviation over the runs; nothing where a run has no value.
    pub fn mean_sd(&self, measure: Measure) -> Option<MeanSd> {
        mean_sd(&self.values(measure)?).ok()
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
