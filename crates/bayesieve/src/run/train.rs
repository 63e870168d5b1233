//! A classifier, learned from rows or counts.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::dataset::{Preparation, Prepared, PreparedRows};
use super::text::{as_optional_text, as_settings};
use super::{DataKind, DataRequest, Dataset, block_files};
use crate::classify::{Classifier, Evaluation, ModelKind, TrainOptions};
use crate::data::{CodingOptions, Discretizer, Roles};
use crate::document::{self, Seconds, SelectionFile};
use crate::{Observer, Result, check};

/// Which model to train, and on what.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `model` | that of the selection, else `tan` | the model |
/// | `settings` | the model's own | `name=value` |
/// | `selection` | none | a selection whose kept features are used |
/// | `with_evaluation` | no | whether to predict the training rows, too |
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::Generator;
/// use bayesieve::run::{DataRequest, Dataset, TrainRequest};
///
/// let table = Generator::Example1.generate(320, 1)?;
/// let data = Dataset::of_table(table, DataRequest::default())?;
/// let outcome = TrainRequest::default().run(&data, &Silent)?;
/// assert_eq!(outcome.classifier.features().len(), 8);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TrainRequest {
    /// The model.
    #[serde(with = "as_optional_text")]
    pub model: Option<ModelKind>,
    /// Settings of the model, `name=value`.
    #[serde(deserialize_with = "as_settings::deserialize")]
    pub settings: Vec<String>,
    /// The selection whose kept features are used.
    pub selection: Option<SelectionFile>,
    /// Whether to find out how well the model predicts the rows it was trained on.
    pub with_evaluation: bool,
}

/// A trained model, with all that is shown of it.
#[derive(Debug)]
pub struct TrainOutcome {
    /// The model.
    pub classifier: Classifier,
    /// Number of rows that it was trained on.
    pub n_rows: u64,
    /// How well it predicts these, where that was asked for and they are in memory.
    pub evaluation: Option<Evaluation>,
    /// What the reader should know.
    pub notes: Vec<String>,
    /// How long it took.
    pub seconds: Seconds,
}

impl TrainOutcome {
    /// The document of the training, schema `bayesieve.training.v1`.
    pub fn document(&self) -> Value {
        document::training(&self.classifier, self.n_rows, self.seconds)
    }
}

impl TrainRequest {
    /// Refuses what cannot be done, before anything is read; gives the model with its settings.
    ///
    /// # Errors
    /// Settings that the model does not have, or a model that needs rows where there are none.
    pub fn check(&self, data: &DataRequest) -> Result<TrainOptions> {
        data.check()?;
        self.options(data.kind(), data.coding())
    }

    /// Trains the model.
    ///
    /// # Errors
    /// Those of [`TrainRequest::check`], of coding or counting the rows, and of
    /// [`Classifier::train`].
    pub fn run(&self, data: &Dataset, observer: &dyn Observer) -> Result<TrainOutcome> {
        let options = self.options(data.kind(), data.coding())?;
        data.check_block_files(block_files(&self.settings))?;
        let how = Preparation {
            roles: self.roles(data)?,
            // Bins that the model would not look at are not made.
            coding: (options.model == ModelKind::Block).then_some(CodingOptions {
                discretizer: Discretizer::None,
                ..data.coding()
            }),
            needs_pairs: (options.model == ModelKind::Tan).into(),
        };
        let rows = data.prepare(how, observer)?;
        observer.stage("training");
        let classifier = match &rows.rows {
            PreparedRows::Coded(coded) => Classifier::train(coded, &options, observer),
            PreparedRows::Counted(counted) => {
                Classifier::train_counted(counted, &options, observer)
            }
        };
        let mut classifier = classifier.map_err(|error| data.blame(error))?;
        if let Some(cells) = data.empty_cells() {
            classifier = classifier.with_missing_cells(cells);
        }
        if let Some(selection) = &self.selection {
            classifier = classifier.with_selection(selection.remembered());
        }
        check(observer)?;
        let selection = self.selection.as_ref();
        let coding_note = selection.and_then(|selection| selection.coding_note(data.coding()));
        let notes = rows.notes.iter().chain(&coding_note);
        Ok(TrainOutcome {
            notes: notes.chain(classifier.notes()).cloned().collect(),
            n_rows: rows.n_rows(),
            evaluation: self.evaluation(&classifier, &rows, observer)?,
            classifier,
            seconds: rows.seconds(),
        })
    }

    fn options(&self, kind: DataKind, coding: CodingOptions) -> Result<TrainOptions> {
        let chosen_by = self.selection.as_ref().and_then(SelectionFile::model);
        let model = self.model.or(chosen_by).unwrap_or(ModelKind::Tan);
        let settings = self.settings.iter().map(String::as_str);
        let options = TrainOptions::new(model).with_settings(settings)?;
        coding.refuse_available("train")?;
        if kind != DataKind::Memory {
            model.check_counts()?;
        }
        Ok(options)
    }

    /// The class and the features that the selection keeps.
    fn roles(&self, data: &Dataset) -> Result<Option<Roles>> {
        let Some(selection) = &self.selection else {
            return Ok(None);
        };
        selection.check(data.header(), data.roles())?;
        data.roles_of(selection.kept()).map(Some)
    }

    /// How well the model predicts the rows it was trained on.
    fn evaluation(
        &self,
        classifier: &Classifier,
        rows: &Prepared<'_>,
        observer: &dyn Observer,
    ) -> Result<Option<Evaluation>> {
        let PreparedRows::Coded(coded) = &rows.rows else {
            return Ok(None);
        };
        if !self.with_evaluation {
            return Ok(None);
        }
        observer.stage("predicting the training rows");
        let used = coded.used_rows(rows.dataset.header());
        let predicted = classifier.predict(&used, observer)?;
        predicted.evaluate(&used, classifier).map(Some)
    }
}
