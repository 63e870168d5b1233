//! How good predicted classes and probabilities are: the measures that everything is judged by.
//!
//! - [`Measure`]: a named measure with its formula; [`MEASURES`] lists all.
//! - [`PredictedRows`]: true classes, predicted classes and probabilities of some rows.
//! - [`Stakes`]: which class is the positive one, and what mistakes cost.
//! - [`MeasuredValues`]: every measure of some rows.
//!
//! Definitions are those of scikit-learn's functions of the same names, where it has one.

mod accuracy;
mod auc;
mod average_precision;
mod balanced_accuracy;
mod brier;
mod calibration;
mod cost;
mod f1;
mod log_loss;
mod ranking;
mod stakes;
mod sums;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::data::unknown_name;
use crate::stats::Better;
use crate::{Error, Result};

pub(crate) use sums::MeasureSums;

pub use stakes::{CostMatrix, CostSource, CostTable, Stakes};

/// A row of a class that the model does not know.
pub(crate) const UNKNOWN: u32 = u32::MAX;

/// A named measure of predictions: one text for help, documents and pages.
#[derive(Debug)]
pub struct Measure {
    /// How it is written.
    pub name: &'static str,
    /// Its name in documents.
    pub key: &'static str,
    /// Names that scikit-learn's `scoring` has for it.
    pub scoring: &'static [&'static str],
    /// What it is, in a few words.
    pub summary: &'static str,
    /// What it computes, as plain text.
    pub formula: &'static str,
    /// Which end is good.
    pub better: Better,
    value: Value,
}

/// How a measure comes from rows.
#[derive(Debug)]
enum Value {
    /// The mean over rows; nothing for a row that has no part.
    Mean(fn(&PredictedRow<'_>, &Stakes) -> Option<f64>),
    /// From all rows together; nothing where it is not defined on them.
    Whole(fn(&PredictedRows<'_>, &Stakes) -> Option<f64>),
}

/// Every measure, in the order it is shown.
///
/// # Example
/// ```
/// use bayesieve::measure::MEASURES;
///
/// assert_eq!(MEASURES[0].name, "log-loss");
/// assert!(MEASURES.iter().any(|measure| measure.scoring.contains(&"roc_auc")));
/// ```
pub static MEASURES: [&Measure; 9] = [
    &log_loss::LOG_LOSS,
    &accuracy::ACCURACY,
    &balanced_accuracy::BALANCED_ACCURACY,
    &auc::AUC,
    &average_precision::AVERAGE_PRECISION,
    &f1::F1,
    &brier::BRIER,
    &calibration::CALIBRATION,
    &cost::COST,
];

impl Measure {
    /// The one that everything goes by unless another is named.
    pub const DEFAULT: &'static Measure = &log_loss::LOG_LOSS;

    /// The share of rows predicted right, which most people ask for first.
    pub const ACCURACY: &'static Measure = &accuracy::ACCURACY;

    /// The mean surprise at the true class.
    pub const LOG_LOSS: &'static Measure = &log_loss::LOG_LOSS;

    /// The mean squared distance of the probabilities from the truth.
    pub const BRIER: &'static Measure = &brier::BRIER;

    /// Its value on some rows; nothing where it is not defined on them.
    ///
    /// # Example
    /// ```
    /// use bayesieve::measure::{Measure, PredictedRows, Stakes};
    ///
    /// let rows = PredictedRows {
    ///     truth: &[0, 0, 1],
    ///     predicted: &[0, 1, 1],
    ///     probabilities: &[0.8, 0.2, 0.4, 0.6, 0.1, 0.9],
    ///     n_classes: 2,
    /// };
    /// let stakes = Stakes::new(&[2, 1]);
    /// // Of the pairs of a positive and a negative row, both are in order.
    /// assert_eq!("auc".parse::<&Measure>()?.of(&rows, &stakes), Some(1.0));
    /// assert_eq!("accuracy".parse::<&Measure>()?.of(&rows, &stakes), Some(2.0 / 3.0));
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn of(&self, rows: &PredictedRows<'_>, stakes: &Stakes) -> Option<f64> {
        match self.value {
            Value::Whole(value) => value(rows, stakes),
            Value::Mean(value) => mean(rows.iter().filter_map(|row| value(&row, stakes))),
        }
    }

    /// What every row adds to the mean, where the measure is one: to be compared row by row.
    pub(crate) fn by_row(
        &self,
        rows: &PredictedRows<'_>,
        stakes: &Stakes,
    ) -> Option<Vec<Option<f64>>> {
        match self.value {
            Value::Whole(_) => None,
            Value::Mean(value) => Some(rows.iter().map(|row| value(&row, stakes)).collect()),
        }
    }

    /// Whether it is a mean over rows.
    pub(crate) fn is_mean(&self) -> bool {
        matches!(self.value, Value::Mean(_))
    }

    /// The value with the sign that makes lower better.
    pub(crate) fn loss(&self, value: f64) -> f64 {
        match self.better {
            Better::Lower => value,
            Better::Higher => -value,
        }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0u64), |(sum, n), value| (sum + value, n + 1));
    (n > 0).then(|| sum / n as f64)
}

impl FromStr for &'static Measure {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let is_named = |measure: &&&Measure| {
            text == measure.name || text == measure.key || measure.scoring.contains(&text)
        };
        let names = MEASURES.iter().map(|measure| measure.name);
        let found = MEASURES.iter().find(is_named);
        found
            .copied()
            .ok_or_else(|| unknown_name("measure", text, names))
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name)
    }
}

impl PartialEq for Measure {
    fn eq(&self, other: &Measure) -> bool {
        self.name == other.name
    }
}

/// Rows with their classes and what a model says of them.
#[derive(Debug, Clone, Copy)]
pub struct PredictedRows<'a> {
    /// The class of every row, as a code; `u32::MAX` for a class that the model does not know.
    pub truth: &'a [u32],
    /// The predicted class of every row.
    pub predicted: &'a [u32],
    /// `P(class | row)`, all classes of a row one behind the other.
    pub probabilities: &'a [f64],
    /// Classes that the model knows.
    pub n_classes: usize,
}

/// One of them.
#[derive(Debug, Clone, Copy)]
struct PredictedRow<'a> {
    truth: u32,
    predicted: u32,
    probabilities: &'a [f64],
}

impl<'a> PredictedRows<'a> {
    fn iter(&self) -> impl Iterator<Item = PredictedRow<'a>> {
        let classes = self.truth.iter().zip(self.predicted);
        let rows = classes.zip(self.probabilities.chunks_exact(self.n_classes.max(1)));
        rows.map(|((&truth, &predicted), probabilities)| PredictedRow {
            truth,
            predicted,
            probabilities,
        })
    }

    /// `[true class][predicted class]`, of the classes that the model knows.
    pub fn confusion(&self) -> Vec<Vec<u64>> {
        let mut confusion = vec![vec![0; self.n_classes]; self.n_classes];
        let known = self.iter().filter(|row| row.truth != UNKNOWN);
        known.for_each(|row| confusion[row.truth as usize][row.predicted as usize] += 1);
        confusion
    }
}

/// Every measure of some rows, in the order of [`MEASURES`]; nothing for one that is not
/// defined on them.
///
/// Written by key, without those that are not defined.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MeasuredValues(pub [Option<f64>; MEASURES.len()]);

impl MeasuredValues {
    /// Of some rows.
    pub fn new(rows: &PredictedRows<'_>, stakes: &Stakes) -> Self {
        MeasuredValues(MEASURES.map(|measure| measure.of(rows, stakes)))
    }

    /// Of always saying the shares of the classes of some other rows, and the largest class.
    pub(crate) fn of_baseline(truth: &[u32], class_counts: &[u64], stakes: &Stakes) -> Self {
        let n = class_counts.iter().sum::<u64>().max(1) as f64;
        let shares: Vec<f64> = class_counts.iter().map(|&k| k as f64 / n).collect();
        // Of classes that tie, the one that comes first among the rows.
        let known = truth.iter().filter(|&&class| class != UNKNOWN);
        let of_rows = known.map(|&class| class as usize).rev();
        let all = (0..class_counts.len()).rev();
        let largest = all.chain(of_rows).max_by_key(|&class| class_counts[class]);
        let rows = PredictedRows {
            truth,
            predicted: &vec![largest.unwrap_or(0) as u32; truth.len()],
            probabilities: &shares.repeat(truth.len()),
            n_classes: class_counts.len(),
        };
        MeasuredValues::new(&rows, stakes)
    }

    /// The value of one.
    pub fn get(&self, measure: &Measure) -> Option<f64> {
        let place = MEASURES.iter().position(|known| **known == *measure)?;
        self.0[place]
    }

    /// Those that are defined, with their measures.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Measure, f64)> {
        let all = MEASURES.iter().zip(self.0);
        all.filter_map(|(measure, value)| Some((*measure, value?)))
    }
}

impl Serialize for MeasuredValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(measure, value)| (measure.key, value)))
    }
}

impl<'de> Deserialize<'de> for MeasuredValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let by_key = BTreeMap::<String, f64>::deserialize(deserializer)?;
        Ok(MeasuredValues(
            MEASURES.map(|measure| by_key.get(measure.key).copied()),
        ))
    }
}
