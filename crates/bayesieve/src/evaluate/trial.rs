//! One procedure on one split: everything is learned on the training rows, and the others say
//! how good that is.

use super::auto::{Auto, AutoOptions};
use crate::Observer;
use crate::classify::{Classifier, ModelKind, TrainOptions};
use crate::data::split::Split;
use crate::data::{CodedTable, CodingOptions, MissingPolicy, Nominal, Roles, Table};
use crate::info::Informations;
use crate::measure::{Measure, MeasuredValues, PredictedRows, Stakes, UNKNOWN};
use crate::score::{Auxiliary, Call, FeatureSet, Structure};
use crate::search::Limits;
use crate::select::{Chosen, InnerEstimate, SelectOptions, choose};
use crate::{Error, Result};

/// What chooses features.
#[derive(Debug, Clone)]
pub(super) enum Chooser {
    /// One method.
    Method(Box<SelectOptions>),
    /// The best of several, by folds of the rows that it is given.
    Auto(AutoOptions),
}

/// A selection and the training on what it keeps, as one procedure on some rows.
#[derive(Clone, Copy)]
pub(super) struct Trial<'a> {
    /// Rows that can be used.
    pub(super) table: &'a Table,
    pub(super) roles: &'a Roles,
    /// The class of every row.
    pub(super) class: &'a Nominal,
    pub(super) chooser: &'a Chooser,
    /// The model to train, unless the chooser chooses that, too.
    pub(super) training: Option<&'a TrainOptions>,
    pub(super) split: &'a Split,
    /// The seed of a chooser that draws, another one for every split.
    pub(super) seed: u64,
    /// The positive class and the costs of mistakes.
    pub(super) stakes: &'a Stakes,
    /// Whether CALL is wanted, too.
    pub(super) has_call: bool,
}

/// What a trial came to.
#[derive(Default)]
pub(super) struct Tried {
    /// Places among the features of the roles, rising.
    pub(super) kept: Vec<u32>,
    /// Features that the model reads.
    pub(super) n_used: usize,
    /// Sets or features that were evaluated, those asked for again among them.
    pub(super) n_asked: u64,
    pub(super) call: Option<Call>,
    /// The accuracy that the search went by.
    pub(super) inner_accuracy: Option<f64>,
    /// The predicted class of every test row, as a code of the whole table's class.
    pub(super) predicted: Vec<Option<u32>>,
    /// Every measure of the test rows; losses over those of a class that training had.
    pub(super) measures: MeasuredValues,
}

impl Tried {
    /// Share of test rows that were predicted right; 0 without test rows.
    pub(super) fn accuracy(&self) -> f64 {
        self.measures.get(Measure::ACCURACY).unwrap_or(0.0)
    }
}

impl Trial<'_> {
    /// Selects and trains on the one part, and tests on the other. Training rows of one class
    /// predict that class.
    pub(super) fn run(&self, observer: &dyn Observer) -> Result<Tried> {
        match self.only_class() {
            Some(class) => Ok(self.always(class)),
            None => self.learn(observer),
        }
    }

    fn learn(&self, observer: &dyn Observer) -> Result<Tried> {
        // Labels of test rows alone are news to all that is learned here.
        let part = self.table.take_rows(&self.split.train);
        let part = part.with_labels_present();
        let coding = self.chooser.coding();
        let mut coded = CodedTable::new(&part, self.roles, coding)?;
        let (chosen, training) = self.chosen(&part, &coded, observer)?;
        // What a run had found when it was cut short says nothing about whole runs.
        if observer.is_cancelled() {
            return Err(Error::interrupted());
        }
        let kept = &chosen.kept;
        let mut is_kept = (0..).map(|place| kept.binary_search(&place).is_ok());
        coded.features.retain(|_| is_kept.next() == Some(true));
        let call = if self.has_call {
            call(&coded, coding.missing, training.model, observer)?
        } else {
            None
        };
        let model = Classifier::train(&coded, &training, observer)?;
        let model = model.with_ties_by_row(&coded.class.codes);
        let tested = self.table.take_rows(&self.split.test);
        let prediction = model.predict(&tested, observer)?;
        // A part may lack a class, and then number them otherwise.
        let labels = model.class_labels().iter();
        let codes: Vec<Option<u32>> = labels.map(|label| self.class.domain.code(label)).collect();
        let predicted = prediction.classes.iter();
        let inner = chosen.estimate.filter(InnerEstimate::is_accuracy);
        let predicted: Vec<Option<u32>> = predicted.map(|&code| codes[code as usize]).collect();
        let mut probabilities = vec![0.0; predicted.len() * self.class.n_values()];
        let of_rows = probabilities.chunks_mut(self.class.n_values().max(1));
        for (row, of_model) in of_rows.zip(prediction.probabilities.chunks(codes.len().max(1))) {
            for (code, probability) in codes.iter().zip(of_model) {
                if let Some(code) = code {
                    row[*code as usize] = *probability;
                }
            }
        }
        let measures = self.measures(&predicted, &probabilities, &codes);
        Ok(Tried {
            kept: kept.iter().map(|&place| place as u32).collect(),
            n_used: model.required_features().len(),
            n_asked: chosen.n_asked,
            call,
            inner_accuracy: inner.map(|inner| inner.mean),
            predicted,
            measures,
        })
    }

    /// Every measure of the test rows, over the classes of the whole table; those that training
    /// did not have are unknown to it.
    fn measures(
        &self,
        predicted: &[Option<u32>],
        probabilities: &[f64],
        known: &[Option<u32>],
    ) -> MeasuredValues {
        let rows = PredictedRows {
            truth: &self.truth(|class| known.contains(&Some(class))),
            predicted: &predicted
                .iter()
                .map(|class| class.unwrap_or(0))
                .collect::<Vec<_>>(),
            probabilities,
            n_classes: self.class.n_values(),
        };
        MeasuredValues::new(&rows, self.stakes)
    }

    /// The class of every test row, where training knows it.
    fn truth(&self, is_known: impl Fn(u32) -> bool) -> Vec<u32> {
        let rows = self.split.test.iter();
        let classes = rows.map(|&row| self.class.codes.get(row as usize));
        classes
            .map(|class| class.filter(|&class| is_known(class)).unwrap_or(UNKNOWN))
            .collect()
    }

    /// Every measure of always saying the shares of the classes of the training rows.
    pub(super) fn baseline(&self) -> MeasuredValues {
        let counts = self.class_counts();
        let truth = self.truth(|class| counts[class as usize] > 0);
        MeasuredValues::of_baseline(&truth, &counts, self.stakes)
    }

    /// Training rows of every class.
    fn class_counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.class.n_values()];
        let rows = self.split.train.iter();
        let classes = rows.filter_map(|&row| self.class.codes.get(row as usize));
        classes.for_each(|class| counts[class as usize] += 1);
        counts
    }

    fn chosen(
        &self,
        part: &Table,
        coded: &CodedTable,
        observer: &dyn Observer,
    ) -> Result<(Chosen, TrainOptions)> {
        let limits = Limits::new(observer);
        match self.chooser {
            Chooser::Method(options) => {
                let mut options = options.of_rows(&self.split.train)?;
                // A part may lack a class, and then number them otherwise.
                let stakes = options.stakes.as_ref();
                options.stakes = stakes.map(|stakes| stakes.among(self.class, &coded.class));
                options.seed = self.seed;
                let training = match self.training {
                    Some(training) => training.clone(),
                    None => options.final_training()?,
                };
                Ok((choose(coded, &options, &limits)?, training))
            }
            Chooser::Auto(options) => {
                let options = AutoOptions {
                    seed: self.seed,
                    ..options.clone()
                };
                let auto = Auto {
                    table: part,
                    roles: self.roles,
                    options: &options,
                };
                auto.features(&limits)
            }
        }
    }

    /// The class of all training rows, where it is one.
    fn only_class(&self) -> Option<u32> {
        let rows = self.split.train.iter();
        let mut codes = rows.map(|&row| self.class.codes.get(row as usize));
        let first = codes.next()??;
        codes.all(|code| code == Some(first)).then_some(first)
    }

    /// What comes of saying one class of every row.
    fn always(&self, class: u32) -> Tried {
        let predicted = vec![Some(class); self.split.test.len()];
        // No other class is known: it is certain.
        let of_row: Vec<f64> = (0..self.class.n_values())
            .map(|other| f64::from(u8::from(other == class as usize)))
            .collect();
        let probabilities = of_row.repeat(predicted.len());
        Tried {
            measures: self.measures(&predicted, &probabilities, &[Some(class)]),
            predicted,
            ..Tried::default()
        }
    }
}

impl Chooser {
    /// How cells become codes.
    pub(super) fn coding(&self) -> CodingOptions {
        match self {
            Chooser::Method(options) => options.coding(),
            Chooser::Auto(options) => options.coding,
        }
    }

    /// The seed of the whole run.
    pub(super) fn seed(&self) -> u64 {
        match self {
            Chooser::Method(options) => options.seed,
            Chooser::Auto(options) => options.seed,
        }
    }
}

/// Above so many features CALL is not computed: it looks at all pairs of them.
const MAX_FEATURES_OF_CALL: usize = 1_000;

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
    let columns = coded.features.iter().map(|feature| feature.coded());
    let columns: Option<Vec<&Nominal>> = columns.collect();
    let Some(columns) = columns.filter(|_| missing != MissingPolicy::Available) else {
        return Ok(None);
    };
    if coded.n_rows() < 2 || columns.len() > MAX_FEATURES_OF_CALL {
        return Ok(None);
    }
    let informations = Informations::new(&columns, &coded.class)?;
    let all = FeatureSet::full(columns.len());
    Call::new(&informations, &all, (structure, Auxiliary::Tree), observer).map(Some)
}
