//! How good a prediction is.

use super::coding::{CodedFeature, Coding, EncodedCells};
use super::prediction::Prediction;
use crate::data::{Column, Domain};

/// A probability of 0 would cost infinitely much; it is taken as this.
const LEAST: f64 = 1e-15;

/// Predictions compared with the truth.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// Rows with a class.
    pub n_rows: u64,
    /// Rows whose class the model does not know: always wrong.
    pub n_unknown: u64,
    /// `[true class][predicted class]`, of the classes that the model knows.
    pub confusion: Vec<Vec<u64>>,
    /// Mean of `-ln P(true class)`, in nats; over rows with a class the model knows.
    pub log_loss: f64,
    /// Mean of `Σ (P(class) - is it)²`; over rows with a class the model knows.
    pub brier: f64,
}

impl Evaluation {
    /// Compares with the class column, read as the classes' labels.
    pub(super) fn new(prediction: &Prediction, class: &Column, labels: &[String]) -> Self {
        let mut sums = EvaluationSums::new(labels);
        sums.add(prediction, class);
        sums.finish()
    }

    /// Share of rows with a class that were predicted right; 0 without such rows.
    pub fn accuracy(&self) -> f64 {
        let right: u64 = self
            .confusion
            .iter()
            .enumerate()
            .map(|(class, row)| row[class])
            .sum();
        right as f64 / self.n_rows.max(1) as f64
    }
}

/// Predictions compared with the truth so far, block by block.
///
/// Rows are added one by one, so that blocks give the same digits as the whole table.
#[derive(Debug, Clone)]
pub(super) struct EvaluationSums {
    labels: Vec<String>,
    n_known: u64,
    /// With sums in the place of means.
    sums: Evaluation,
}

impl EvaluationSums {
    pub(super) fn new(labels: &[String]) -> Self {
        let n_classes = labels.len();
        EvaluationSums {
            labels: labels.to_vec(),
            n_known: 0,
            sums: Evaluation {
                n_rows: 0,
                n_unknown: 0,
                confusion: vec![vec![0; n_classes]; n_classes],
                log_loss: 0.0,
                brier: 0.0,
            },
        }
    }

    /// Adds rows, whose class column is read as the classes' labels.
    pub(super) fn add(&mut self, prediction: &Prediction, class: &Column) {
        let n_classes = self.labels.len();
        let rows = prediction
            .probabilities
            .chunks(n_classes.max(1))
            .zip(&prediction.classes);
        for ((probabilities, &predicted), truth) in rows.zip(self.truth(class)) {
            let Some(truth) = truth else { continue };
            let truth = truth as usize;
            self.n_known += 1;
            self.sums.confusion[truth][predicted as usize] += 1;
            self.sums.log_loss -= probabilities[truth].max(LEAST).ln();
            let squares = probabilities.iter().enumerate().map(|(class, p)| {
                let away = p - f64::from(u8::from(class == truth));
                away * away
            });
            self.sums.brier += squares.sum::<f64>();
        }
        self.sums.n_rows += (class.len() - class.n_missing()) as u64;
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
        let n = self.n_known.max(1) as f64;
        Evaluation {
            n_unknown: self.sums.n_rows - self.n_known,
            log_loss: self.sums.log_loss / n,
            brier: self.sums.brier / n,
            ..self.sums
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
        let evaluation = Evaluation::new(&prediction, &class, &["a".into(), "b".into()]);
        // Rows 0 and 1 are of class a: one right, one wrong; row 2 is of a class unknown.
        assert_eq!(evaluation.confusion, [[1, 1], [0, 0]]);
        assert_eq!((evaluation.n_rows, evaluation.n_unknown), (3, 1));
        assert!((evaluation.accuracy() - 1.0 / 3.0).abs() < 1e-15);
        assert!((evaluation.log_loss - -(0.8f64.ln() + 0.4f64.ln()) / 2.0).abs() < 1e-15);
        // (0.04 + 0.04 + 0.36 + 0.36) / 2
        assert!((evaluation.brier - 0.4).abs() < 1e-15);
    }
}
