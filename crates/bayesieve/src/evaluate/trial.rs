//! One procedure on one split: everything is learned on the training rows, and the others say
//! how good that is.

use crate::classify::{Classifier, Evaluation, ModelKind, Prediction, TrainOptions};
use crate::data::split::Split;
use crate::data::{CodedTable, MissingPolicy, Nominal, Roles, Table};
use crate::error::{Error, Result};
use crate::info::Informations;
use crate::observer::Observer;
use crate::score::{Auxiliary, Call, FeatureSet, Structure};
use crate::search::Limits;
use crate::select::{SelectOptions, Selection, select};

/// A selection and the training on what it keeps, as one procedure on some rows.
#[derive(Clone, Copy)]
pub(super) struct Trial<'a> {
    /// Rows that can be used, every one with its class.
    pub(super) table: &'a Table,
    pub(super) roles: &'a Roles,
    pub(super) selection: &'a SelectOptions,
    pub(super) training: &'a TrainOptions,
    pub(super) split: &'a Split,
}

/// What a trial came to.
pub(super) struct Tried {
    /// Places among the features of the roles, rising.
    pub(super) kept: Vec<u32>,
    pub(super) selection: Selection,
    /// Features that the model reads.
    pub(super) n_used: usize,
    pub(super) call: Option<Call>,
    pub(super) prediction: Prediction,
    pub(super) evaluation: Evaluation,
    /// The labels that predicted classes are codes of.
    pub(super) class_labels: Vec<String>,
}

impl Trial<'_> {
    /// Selects and trains on the one part, and tests on the other.
    pub(super) fn run(&self, observer: &dyn Observer) -> Result<Tried> {
        let options = self.selection.of_rows(&self.split.train)?;
        let part = self.table.take_rows(&self.split.train);
        let mut coded = CodedTable::new(&part, self.roles, options.coding())?;
        let selection = select(&coded, &options, &Limits::new(observer))?;
        // What a run had found when it was cut short says nothing about whole runs.
        if observer.is_cancelled() {
            return Err(Error::interrupted());
        }
        let kept = self.places(&selection);
        let is_kept = |place: usize| kept.binary_search(&(place as u32)).is_ok();
        let mut place = 0..;
        let mut next = || place.next().unwrap_or_default();
        coded.features.retain(|_| is_kept(next()));
        let call = call(
            &coded,
            options.coding().missing,
            self.training.model,
            observer,
        )?;
        let model = Classifier::train(&coded, self.training, observer)?;
        let tested = self.table.take_rows(&self.split.test);
        let prediction = model.predict(&tested, observer)?;
        Ok(Tried {
            kept,
            selection,
            n_used: model.required_features().len(),
            call,
            evaluation: prediction.evaluate(&tested, &model)?,
            prediction,
            class_labels: model.class_labels().to_vec(),
        })
    }

    /// Kept features as places among the candidates, rising.
    fn places(&self, selection: &Selection) -> Vec<u32> {
        let columns = self.table.columns();
        let mut is_kept = std::collections::HashSet::new();
        is_kept.extend(selection.kept.iter().map(|kept| kept.feature.as_str()));
        let candidates = self.roles.features.iter().zip(0u32..);
        let kept = candidates.filter(|(column, _)| is_kept.contains(columns[**column].name()));
        kept.map(|(_, place)| place).collect()
    }
}

/// What the classifier says beyond a tree over the features alone, on the rows it was trained
/// on; for models whose likelihood falls into pairs, over whole rows of labels and bins.
fn call(
    coded: &CodedTable,
    missing: MissingPolicy,
    model: ModelKind,
    observer: &dyn Observer,
) -> Result<Option<Call>> {
    let structure = match model {
        ModelKind::NaiveBayes => Structure::NaiveBayes,
        ModelKind::Tan => Structure::Tan,
        _ => return Ok(None),
    };
    let columns = coded.features.iter().map(|feature| feature.coded.as_ref());
    let columns: Option<Vec<&Nominal>> = columns.collect();
    let Some(columns) = columns.filter(|_| missing != MissingPolicy::Available) else {
        return Ok(None);
    };
    if coded.n_rows() < 2 {
        return Ok(None);
    }
    let told = Informations::new(&columns, &coded.class)?;
    let all = FeatureSet::full(columns.len());
    Call::new(&told, &all, (structure, Auxiliary::Tree), observer).map(Some)
}
