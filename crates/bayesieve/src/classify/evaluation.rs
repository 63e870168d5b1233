//! How good a prediction is.

use super::coding::{CodedFeature, Coding, EncodedCells};
use super::prediction::Prediction;
use crate::data::{Column, Domain};
use crate::measure::{Measure, MeasureSums, MeasuredValues, PredictedRows, Stakes, UNKNOWN};

/// Predictions compared with the truth.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// Rows with a class.
    pub n_rows: u64,
    /// Rows whose class the model does not know: always wrong.
    pub n_unknown: u64,
    /// `[true class][predicted class]`, of the classes that the model knows.
    pub confusion: Vec<Vec<u64>>,
    /// Every measure; losses and costs over rows with a class the model knows.
    pub measures: MeasuredValues,
    /// The code of the positive class.
    pub positive: usize,
    /// Whether the rows were few enough to keep: if not, only measures that are means over rows
    /// are known.
    pub has_all_measures: bool,
}

impl Evaluation {
    /// Compares with the class column, read as the classes' labels.
    pub(super) fn new(
        prediction: &Prediction,
        class: &Column,
        labels: &[String],
        stakes: Stakes,
    ) -> Self {
        let mut sums = EvaluationSums::new(labels, stakes, usize::MAX);
        sums.add(prediction, class);
        sums.finish()
    }

    /// Share of rows with a class that were predicted right; 0 without such rows.
    pub fn accuracy(&self) -> f64 {
        self.measures.get(Measure::ACCURACY).unwrap_or(0.0)
    }

    /// Mean of `-ln P(true class)`, in nats; nothing without a row whose class the model knows.
    pub fn log_loss(&self) -> Option<f64> {
        self.measures.get(Measure::LOG_LOSS)
    }

    /// Mean of `Σ (P(class) - is it)²`; nothing without a row whose class the model knows.
    pub fn brier(&self) -> Option<f64> {
        self.measures.get(Measure::BRIER)
    }
}

/// Predictions compared with the truth so far, block by block.
#[derive(Debug, Clone)]
pub(super) struct EvaluationSums {
    labels: Vec<String>,
    n_rows: u64,
    n_unknown: u64,
    confusion: Vec<Vec<u64>>,
    positive: usize,
    measures: MeasureSums,
}

impl EvaluationSums {
    /// Of no rows yet; rows are kept up to so many probabilities.
    pub(super) fn new(labels: &[String], stakes: Stakes, max_cells: usize) -> Self {
        let n_classes = labels.len();
        EvaluationSums {
            labels: labels.to_vec(),
            n_rows: 0,
            n_unknown: 0,
            confusion: vec![vec![0; n_classes]; n_classes],
            positive: stakes.positive(),
            measures: MeasureSums::new(stakes, n_classes, max_cells),
        }
    }

    /// Adds rows, whose class column is read as the classes' labels; rows without a class are
    /// passed over.
    pub(super) fn add(&mut self, prediction: &Prediction, class: &Column) {
        let n_classes = self.labels.len().max(1);
        let (mut truth, mut predicted, mut probabilities) = (Vec::new(), Vec::new(), Vec::new());
        let rows = prediction
            .classes
            .iter()
            .zip(prediction.probabilities.chunks(n_classes));
        let classes = self.truth(class).into_iter().zip(class.has_values());
        for ((code, has_class), (&says, of_row)) in classes.zip(rows) {
            if has_class {
                truth.push(code.unwrap_or(UNKNOWN));
                predicted.push(says);
                probabilities.extend_from_slice(of_row);
            }
        }
        let rows = PredictedRows {
            truth: &truth,
            predicted: &predicted,
            probabilities: &probabilities,
            n_classes,
        };
        self.n_rows += truth.len() as u64;
        self.n_unknown += truth.iter().filter(|&&code| code == UNKNOWN).count() as u64;
        let cells = self.confusion.iter_mut().flatten();
        for (cell, more) in cells.zip(rows.confusion().into_iter().flatten()) {
            *cell += more;
        }
        self.measures.add(&rows);
    }

    /// The classes of the rows, where the model knows them.
    fn truth(&self, class: &Column) -> Vec<Option<u32>> {
        let feature = CodedFeature {
            name: class.name().to_owned(),
            coding: Coding::Labels(Domain::ordered(self.labels.clone())),
            notation: None,
        };
        match feature.encode(class).map(|encoded| encoded.cells) {
            Ok(EncodedCells::Codes(codes)) => codes.iter().collect(),
            _ => vec![None; class.len()],
        }
    }

    pub(super) fn finish(self) -> Evaluation {
        Evaluation {
            n_rows: self.n_rows,
            n_unknown: self.n_unknown,
            confusion: self.confusion,
            measures: self.measures.values(),
            positive: self.positive,
            has_all_measures: self.measures.has_all_rows(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{KindOrigin, Nominal, Values};

    #[test]
    fn losses_follow_their_definitions() {
        let prediction = Prediction {
            classes: vec![0, 1, 0, 0],
            probabilities: vec![0.8, 0.2, 0.4, 0.6, 1.0, 0.0, 0.5, 0.5],
            notes: vec![],
        };
        let labels = [Some("a"), Some("a"), Some("other"), None];
        let values = Values::Nominal(Nominal::from_labels(labels));
        let class = Column::new("class", values, KindOrigin::Text);
        let stakes = Stakes::new(&[2, 1]);
        let evaluation = Evaluation::new(&prediction, &class, &["a".into(), "b".into()], stakes);
        // Rows 0 and 1 are of class a: one right, one wrong; row 2 is of a class unknown.
        assert_eq!(evaluation.confusion, [[1, 1], [0, 0]]);
        assert_eq!((evaluation.n_rows, evaluation.n_unknown), (3, 1));
        assert!((evaluation.accuracy() - 1.0 / 3.0).abs() < 1e-15);
        let log_loss = evaluation.log_loss().unwrap();
        assert!((log_loss - -(0.8f64.ln() + 0.4f64.ln()) / 2.0).abs() < 1e-15);
        // (0.04 + 0.04 + 0.36 + 0.36) / 2
        assert!((evaluation.brier().unwrap() - 0.4).abs() < 1e-15);
        // No row is of the positive class b.
        assert_eq!(evaluation.measures.get("auc".parse().unwrap()), None);
    }
}
