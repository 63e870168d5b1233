//! Accuracy on the training rows and by cross-validation.
//!
//! Everything that is learned is learned again on the training rows of every fold: cut
//! points, structure, probabilities.

use crate::classify::{Classifier, TrainOptions};
use crate::data::split::{Folds, Rows};
use crate::data::{CodedTable, CodingOptions, Roles, Table};
use crate::error::{Error, ErrorKind, Result};
use crate::observer::Observer;

/// A model over some features of a table.
#[derive(Debug, Clone, Copy)]
pub struct Trial<'a> {
    /// The table, with the class of every row.
    pub table: &'a Table,
    /// The class and the features.
    pub roles: &'a Roles,
    /// How cells become codes.
    pub coding: CodingOptions,
    /// What is trained.
    pub training: &'a TrainOptions,
}

/// Shares of rows that were predicted right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// On the rows the model was trained on: optimistic.
    pub train: f64,
    /// On the rows of every fold, by a model of the other folds; `None` where a training
    /// part had one class only.
    pub cross_validated: Option<f64>,
    /// Number of folds.
    pub n_folds: usize,
}

impl Trial<'_> {
    /// Folds with the same share of every class in each, as far as rows allow.
    ///
    /// # Errors
    /// Fewer than two folds, or more than rows.
    pub fn draw_folds(&self, n_folds: usize, seed: u64) -> Result<Folds> {
        let class = crate::data::class_codes(&self.table.columns()[self.roles.class])?;
        Folds::draw(Rows::Stratified(&class.codes), n_folds, seed, 0)
    }

    /// Trains and tests on all rows, and fold by fold.
    ///
    /// # Errors
    /// A model that cannot be trained on all rows, or the observer cancelled.
    ///
    /// # Example
    /// ```
    /// use bayesieve::Silent;
    /// use bayesieve::classify::{ModelKind, TrainOptions};
    /// use bayesieve::data::{CodingOptions, Generator, RoleOptions, Roles};
    /// use bayesieve::evaluate::Trial;
    ///
    /// let table = Generator::Example1.generate(320, 1)?;
    /// let roles = Roles::resolve(&table, &RoleOptions::default())?;
    /// let trial = Trial {
    ///     table: &table,
    ///     roles: &roles,
    ///     coding: CodingOptions::default(),
    ///     training: &TrainOptions::new(ModelKind::Tan),
    /// };
    /// let folds = trial.draw_folds(10, 1)?;
    /// assert_eq!(trial.accuracy(&folds, &Silent)?.cross_validated, Some(1.0));
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn accuracy(&self, folds: &Folds, observer: &dyn Observer) -> Result<Accuracy> {
        let all: Vec<u32> = (0..self.table.n_rows() as u32).collect();
        let right = self.n_right(&all, &all, observer)?;
        let train = right as f64 / self.table.n_rows().max(1) as f64;
        let mut n_right = Some(0);
        for (fold, split) in folds.splits().enumerate() {
            if observer.is_cancelled() {
                return Err(Error::interrupted());
            }
            observer.progress("testing folds", fold as u64, folds.n_folds() as u64);
            n_right = match self.n_right(&split.train, &split.test, observer) {
                Ok(n) => n_right.map(|sum| sum + n),
                // The rest of the rows may be of one class only: then nothing can be said.
                Err(error) if error.kind() == ErrorKind::Data => None,
                Err(error) => return Err(error),
            };
        }
        Ok(Accuracy {
            train,
            cross_validated: n_right.map(|n| n as f64 / self.table.n_rows().max(1) as f64),
            n_folds: folds.n_folds(),
        })
    }

    /// How many of the test rows a model of the training rows predicts right.
    pub(super) fn n_right(
        &self,
        train: &[u32],
        test: &[u32],
        observer: &dyn Observer,
    ) -> Result<u64> {
        let part = self.table.take_rows(train);
        let coded = CodedTable::new(&part, self.roles, self.coding)?;
        let classifier = Classifier::train(&coded, self.training, observer)?;
        let tested = self.table.take_rows(test);
        let prediction = classifier.predict(&tested, observer)?;
        let evaluation = prediction.evaluate(&tested, &classifier)?;
        let confusion = evaluation.confusion.iter().enumerate();
        Ok(confusion.map(|(class, row)| row[class]).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::ModelKind;
    use crate::data::{Generator, RoleOptions};
    use crate::observer::Silent;

    fn accuracy(features: &[usize], model: ModelKind) -> Accuracy {
        let table = Generator::Example1.generate(320, 1).unwrap();
        let mut roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
        roles.features = features.to_vec();
        let trial = Trial {
            table: &table,
            roles: &roles,
            coding: CodingOptions::default(),
            training: &TrainOptions::new(model),
        };
        let folds = trial.draw_folds(10, 1).unwrap();
        trial.accuracy(&folds, &Silent).unwrap()
    }

    #[test]
    fn example_1_has_the_accuracies_of_its_worked_numbers() {
        // A6 alone: 87.5 %; NB over A2 and A6 the same; all eight by NB: 81.25 %.
        assert_eq!(accuracy(&[5], ModelKind::NaiveBayes).train, 0.875);
        assert_eq!(accuracy(&[1, 5], ModelKind::NaiveBayes).train, 0.875);
        let all: Vec<usize> = (0..8).collect();
        assert_eq!(accuracy(&all, ModelKind::NaiveBayes).train, 0.8125);
        assert_eq!(accuracy(&all, ModelKind::Tan).train, 1.0);
    }

    #[test]
    fn without_a_feature_the_larger_class_is_always_right() {
        // 24 of every 32 rows are of class 1.
        for model in [ModelKind::NaiveBayes, ModelKind::Tan] {
            let accuracy = accuracy(&[], model);
            assert_eq!(
                (accuracy.train, accuracy.cross_validated),
                (0.75, Some(0.75))
            );
        }
    }
}
