//! What the predictions of a fold are worth, by any measure.

use rayon::prelude::*;

use super::Judge;
use super::part::FoldRows;
use super::posteriors::Posteriors;
use crate::measure::{Measure, PredictedRows, Stakes};
use crate::score::FeatureSet;
use crate::stats::{Better, mean_sd};
use crate::{Error, Hushed, Observer, Result, setting};

/// A measure with what it has to know of the classes. Accuracy has a way of its own: judges
/// count the rows that are right, without any probability.
#[derive(Debug)]
pub(super) struct FoldMeasure {
    pub(super) measure: &'static Measure,
    pub(super) stakes: Stakes,
}

impl FoldMeasure {
    pub(super) fn is_accuracy(&self) -> bool {
        *self.measure == *Measure::ACCURACY
    }

    /// The unit of its values.
    pub(super) fn unit(&self) -> &'static str {
        if self.measure.key == "log_loss" {
            "nats"
        } else {
            ""
        }
    }

    /// The value on the test rows of a fold; no number where it is not defined on them.
    pub(super) fn of(&self, part: &FoldRows, posteriors: &Posteriors) -> f64 {
        let value = self.measure.of(&rows(part, posteriors), &self.stakes);
        value.unwrap_or(f64::NAN)
    }

    /// The standard error of the value, by the spread of the rows; no number where it is not
    /// a mean over rows.
    pub(super) fn error_by_rows(&self, part: &FoldRows, posteriors: &Posteriors) -> f64 {
        let by_row = self.measure.by_row(&rows(part, posteriors), &self.stakes);
        let values: Vec<f64> = by_row.into_iter().flatten().flatten().collect();
        let sd = mean_sd(&values).ok().and_then(|of| of.sd);
        sd.map_or(f64::NAN, |sd| sd / (values.len() as f64).sqrt())
    }

    /// What counts as 1 where values are compared with a share of rows: costs come in any
    /// currency, so the largest one does.
    pub(super) fn scale(&self) -> f64 {
        let costs = self.stakes.costs().filter(|_| self.measure.key == "cost");
        match costs.map_or(1.0, |costs| costs.largest()) {
            0.0 => 1.0,
            scale => scale,
        }
    }

    /// The value where every row is wrong, and for sure.
    pub(super) fn of_nothing_right(&self) -> f64 {
        let wrong = PredictedRows {
            truth: &[0],
            predicted: &[1],
            probabilities: &[0.0, 1.0],
            n_classes: 2,
        };
        let value = match self.measure.better {
            Better::Higher => None,
            Better::Lower if self.stakes.costs().is_some() && self.measure.key == "cost" => {
                Some(self.scale())
            }
            Better::Lower => self.measure.of(&wrong, &self.stakes),
        };
        value.unwrap_or(0.0)
    }

    /// The values of models over sets on the test rows of a fold.
    pub(super) fn of_sets(
        &self,
        judge: &dyn Judge,
        sets: &[FeatureSet],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        if self.is_accuracy() {
            return Ok(shares(judge, judge.n_right(sets, observer)?));
        }
        judge.measure_sets(sets, self, observer)
    }

    /// The same for the base changed by each candidate.
    pub(super) fn of_changed(
        &self,
        judge: &dyn Judge,
        base: &FeatureSet,
        candidates: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        if self.is_accuracy() {
            let n_right = judge.n_right_changed(base, candidates, observer)?;
            return Ok(shares(judge, n_right));
        }
        judge.measure_changed(base, candidates, self, observer)
    }

    /// The same for lists of features, for models that look at their order.
    pub(super) fn of_orders(
        &self,
        judge: &dyn Judge,
        orders: &[Vec<usize>],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        if self.is_accuracy() {
            return Ok(shares(judge, judge.n_right_in_order(orders, observer)?));
        }
        let observer = &Hushed(observer);
        let value = |order: &Vec<usize>| {
            let posteriors = judge.predict(order, observer)?;
            Ok(self.of(judge.part(), &posteriors))
        };
        orders.par_iter().map(value).collect()
    }

    /// The error where no fold has a value.
    pub(super) fn not_defined(&self) -> Error {
        let message = format!(
            "{} is not defined on the rows that models are tested on",
            self.measure
        );
        Error::data(message).with_hint(format!(
            "Use fewer folds ({}), or another measure.",
            setting("cv")
        ))
    }
}

/// The test rows of a fold with what a model says of them.
fn rows<'r>(part: &'r FoldRows, posteriors: &'r Posteriors) -> PredictedRows<'r> {
    PredictedRows {
        truth: part.test_classes(),
        predicted: &posteriors.predicted,
        probabilities: &posteriors.probabilities,
        n_classes: part.n_classes(),
    }
}

/// The shares of the test rows of a fold.
fn shares(judge: &dyn Judge, n_right: Vec<u32>) -> Vec<f64> {
    let n_test = judge.part().n_test().max(1) as f64;
    n_right.iter().map(|&n| f64::from(n) / n_test).collect()
}
