//! Predictions of rows that come in blocks.

use super::classifier::Classifier;
use super::evaluation::{Evaluation, EvaluationSums};
use super::prediction::{AbsentColumns, ColumnNote, Prediction};
use crate::data::{ColumnKind, Table};
use crate::measure::Stakes;
use crate::{Observer, Result};

/// Predicts blocks of rows one after the other, and knows what all of them held together.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::classify::{Classifier, ModelKind, TrainOptions};
/// use bayesieve::data::{CodedTable, CodingOptions, Generator, RoleOptions, Roles};
///
/// let table = Generator::Led24.generate(300, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let coded = CodedTable::new(&table, &roles, CodingOptions::default())?;
/// let model = Classifier::train(&coded, &TrainOptions::new(ModelKind::NaiveBayes), &Silent)?;
///
/// let mut batches = model.batches(Default::default());
/// let half = |rows: std::ops::Range<u32>| table.take_rows(&rows.collect::<Vec<_>>());
/// let first = batches.predict(&half(0..150), &Silent)?;
/// batches.predict(&half(150..300), &Silent)?;
/// assert_eq!(first.classes.len(), 150);
/// let whole = model.predict(&table, &Silent)?.evaluate(&table, &model)?;
/// assert_eq!(batches.finish().evaluation, Some(whole));
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug)]
pub struct PredictionBatches<'c> {
    classifier: &'c Classifier,
    absent: AbsentColumns,
    n_rows: u64,
    notes: Vec<ColumnNote>,
    stakes: Stakes,
    max_cells: usize,
    evaluation: Option<EvaluationSums>,
}

/// What all blocks held.
#[derive(Debug, Clone, PartialEq)]
pub struct PredictionSummary {
    /// Number of rows.
    pub n_rows: u64,
    /// Columns in which cells were missing or unseen, in the model's order.
    pub notes: Vec<ColumnNote>,
    /// How good the predictions were, where some row has a class.
    pub evaluation: Option<Evaluation>,
}

impl Classifier {
    /// Predicts blocks of rows, with a choice what an absent column means.
    pub fn batches(&self, absent: AbsentColumns) -> PredictionBatches<'_> {
        PredictionBatches {
            classifier: self,
            absent,
            n_rows: 0,
            notes: Vec::new(),
            stakes: Stakes::new(self.class_counts()),
            max_cells: usize::MAX,
            evaluation: None,
        }
    }

    /// The columns of a file that prediction reads, by their places, with the kinds that they
    /// have in the model: the required features that are there, and the class.
    pub fn columns_to_read(&self, names: &[String]) -> Vec<(usize, Option<ColumnKind>)> {
        let mut columns = Vec::new();
        for feature in self.required_features() {
            let feature = &self.features()[feature];
            let place = names.iter().position(|name| *name == feature.name);
            // What the model has as numbers is read as its cells suggest: a text among them
            // then gets the model's own words.
            let kind = (!feature.is_number()).then_some(ColumnKind::Nominal);
            columns.extend(place.map(|place| (place, kind)));
        }
        let class = self.class_place(names);
        columns.extend(class.map(|place| (place, Some(ColumnKind::Nominal))));
        columns.sort_unstable_by_key(|&(place, _)| place);
        columns
    }
}

impl PredictionBatches<'_> {
    /// With another positive class, and what mistakes cost.
    #[must_use]
    pub fn with_stakes(self, stakes: Stakes) -> Self {
        PredictionBatches { stakes, ..self }
    }

    /// Keeps at most so many probabilities for measures that need all rows together; with more
    /// they are not known.
    #[must_use]
    pub fn with_max_cells(self, max_cells: usize) -> Self {
        PredictionBatches { max_cells, ..self }
    }

    /// Predicts the next rows.
    ///
    /// # Errors
    /// As [`Classifier::predict_with`].
    pub fn predict(&mut self, table: &Table, observer: &dyn Observer) -> Result<Prediction> {
        let prediction = self.classifier.predict_with(table, self.absent, observer)?;
        self.n_rows += table.n_rows() as u64;
        for note in &prediction.notes {
            match self.notes.iter_mut().find(|known| known.name == note.name) {
                Some(known) => {
                    known.n_missing += note.n_missing;
                    known.n_unseen += note.n_unseen;
                }
                None => self.notes.push(note.clone()),
            }
        }
        if let Some(class) = self.classifier.class_column(table) {
            let labels = self.classifier.class_labels();
            let sums = self.evaluation.get_or_insert_with(|| {
                EvaluationSums::new(labels, self.stakes.clone(), self.max_cells)
            });
            sums.add(&prediction, class);
        }
        Ok(prediction)
    }

    /// What all blocks held.
    pub fn finish(mut self) -> PredictionSummary {
        let features = self.classifier.features();
        let place = |note: &ColumnNote| features.iter().position(|f| f.name == note.name);
        self.notes.sort_by_key(place);
        let evaluation = self.evaluation.map(EvaluationSums::finish);
        PredictionSummary {
            n_rows: self.n_rows,
            notes: self.notes,
            // Without any class to compare with there is no accuracy, not one of 0.
            evaluation: evaluation.filter(|evaluation| evaluation.n_rows > 0),
        }
    }
}
