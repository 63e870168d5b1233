//! Features to keep, with a reason for every other one.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::data_request::given;
use super::dataset::{Preparation, Prepared, PreparedRows};
use super::text::{as_optional_text, as_seconds, as_settings};
use super::{
    CheckpointFile, DataKind, DataRequest, Dataset, FoldSource, MeasureRequest, block_files,
};
use crate::classify::{Classifier, ModelKind, TrainOptions};
use crate::data::{CodedTable, CodingOptions, unknown_name};
use crate::document::{self, Seconds};
use crate::evaluate::{Auto, AutoOptions, Honest, Permutations};
use crate::measure::Stakes;
use crate::search::{Limits, Search};
use crate::select::{Method, SelectOptions, Selection, Takes, select, select_counted};
use crate::wording::grouped;
use crate::{Error, Observer, Result, parameter, quoted};

/// The method where none is named and the rows are not in memory: fast on any counts, and with a
/// stop of its own.
const DEFAULT_ON_COUNTS: &str = "mdl-fs";

/// Shuffles that may be asked for.
const MAX_PERMUTATIONS: usize = 1_000_000;

/// Above this many bytes a run says so before it begins.
const MUCH_MEMORY: u64 = 1_000_000_000;

/// Which features to keep, and how to find out.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `method` | `auto`; `mdl-fs` where the rows are not in memory | how features are chosen |
/// | `model` | the method's own | the classifier whose score counts |
/// | `search` | the method's own | the subset search strategy |
/// | `count` | the method's own stop | how many to keep, for methods that rank |
/// | `keep` | none | features that must be kept |
/// | `settings` | the method's own | `name=value`, of method, search and model |
/// | `seed` | 1 | the random seed |
/// | `budget` | none | the time after which the best so far is taken |
/// | `folds` | drawn | the folds of methods that cross-validate |
/// | `checkpoint` | none | the file that a run that is cut off goes on from |
/// | `honest` | by method and size | whether to estimate the accuracy of the whole procedure |
/// | `permutations` | none | how often to try shuffled classes |
/// | `measures` | log loss | what the choice goes by ([`MeasureRequest`]) |
/// | `size` | the method's own; `cv` with `auto` | what ends the order of the features |
/// | `tolerance` | one standard error of the paired difference | how far from the best |
/// | `with_model` | no | whether to train a model on what is kept, for its drawing |
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::Generator;
/// use bayesieve::run::{DataRequest, Dataset, SelectRequest};
///
/// let table = Generator::Example1.generate(3200, 1)?;
/// let data = Dataset::of_table(table, DataRequest::default())?;
/// let outcome = SelectRequest::method("mdl-fs")?.run(&data, &Silent)?;
/// let a8 = outcome.selection.dropped.iter().find(|dropped| dropped.feature == "A8");
/// let sentence = a8.map(|dropped| dropped.reason.sentence());
/// assert_eq!(sentence.as_deref(), Some("it says the same as A2 in every row"));
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default)]
pub struct SelectRequest {
    /// How features are chosen.
    #[serde(with = "as_optional_text")]
    pub method: Option<MethodChoice>,
    /// The classifier whose score counts.
    #[serde(with = "as_optional_text")]
    pub model: Option<ModelKind>,
    /// The subset search strategy.
    #[serde(with = "as_optional_text")]
    pub search: Option<Search>,
    /// How many features to keep, for methods that rank.
    pub count: Option<usize>,
    /// Features that must be kept.
    pub keep: Vec<String>,
    /// Settings of the method, its search and its model, `name=value`; in JSON also an object.
    #[serde(deserialize_with = "as_settings::deserialize")]
    pub settings: Vec<String>,
    /// The random seed.
    pub seed: u64,
    /// The time after which the best so far is taken; it counts once the rows are ready.
    #[serde(with = "as_seconds")]
    pub budget: Option<Duration>,
    /// The folds of methods that cross-validate.
    pub folds: Option<FoldSource>,
    /// The file that a run that is cut off goes on from.
    pub checkpoint: Option<CheckpointFile>,
    /// Whether to estimate the accuracy of the whole procedure on held-out rows.
    pub honest: Option<bool>,
    /// How often to shuffle the classes, to say how often they do as well.
    pub permutations: Option<usize>,
    /// Whether to train a model on what is kept, for its drawing.
    pub with_model: bool,
    /// What the choice of a method or a size goes by.
    #[serde(flatten)]
    pub measures: MeasureRequest,
    /// What ends the order of the features.
    #[serde(with = "as_optional_text")]
    pub size: Option<SizeRule>,
    /// How far from the best the measure may be; one standard error of the paired difference
    /// without.
    pub tolerance: Option<f64>,
}

impl Default for SelectRequest {
    fn default() -> Self {
        SelectRequest {
            method: None,
            model: None,
            search: None,
            count: None,
            keep: Vec::new(),
            settings: Vec::new(),
            seed: 1,
            budget: None,
            folds: None,
            checkpoint: None,
            honest: None,
            permutations: None,
            with_model: false,
            measures: MeasureRequest::default(),
            size: None,
            tolerance: None,
        }
    }
}

/// A method, or the choice of one by the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MethodChoice {
    /// The fast methods are compared, and the smallest set that does about as well as the best
    /// is taken.
    Auto,
    /// This one.
    Method(&'static Method),
}

impl FromStr for MethodChoice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            Auto::NAME => Ok(MethodChoice::Auto),
            name => Method::named(name).map(MethodChoice::Method),
        }
    }
}

impl fmt::Display for MethodChoice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            MethodChoice::Auto => Auto::NAME,
            MethodChoice::Method(method) => method.name,
        })
    }
}

/// What ends the order in which a method takes features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SizeRule {
    /// The method's own stop.
    Own,
    /// The smallest number that predicts about as well as the best, by cross-validation.
    CrossValidation,
}

impl FromStr for SizeRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "own" => Ok(SizeRule::Own),
            "cv" => Ok(SizeRule::CrossValidation),
            _ => Err(unknown_name("size rule", text, ["own", "cv"])),
        }
    }
}

impl fmt::Display for SizeRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            SizeRule::Own => "own",
            SizeRule::CrossValidation => "cv",
        })
    }
}

/// What was kept and why, with all that is shown of it.
#[derive(Debug)]
pub struct SelectOutcome {
    /// What was kept, what was dropped and why.
    pub selection: Selection,
    /// The model on what is kept, for its drawing, where it was asked for and can be trained.
    pub model: Option<Classifier>,
    /// How cells became codes.
    pub coding: CodingOptions,
    /// Rows of every class.
    pub class_counts: Vec<u64>,
    /// How long it took.
    pub seconds: Seconds,
    /// Whether the run was stopped from outside: this is what was found by then.
    pub is_interrupted: bool,
}

impl SelectOutcome {
    /// The document of the selection, schema `bayesieve.selection.v1`.
    pub fn document(&self) -> Value {
        document::selection(&self.selection, self.coding, self.seconds)
    }
}

/// What to do, checked.
enum SelectionPlan {
    Auto(AutoOptions),
    Method(Box<SelectOptions>),
}

impl SelectRequest {
    /// A method with its defaults; `auto` for the choice by the data.
    ///
    /// # Errors
    /// There is no such method.
    pub fn method(name: &str) -> Result<Self> {
        Ok(SelectRequest {
            method: Some(name.parse()?),
            ..SelectRequest::default()
        })
    }

    /// Refuses what cannot be done, before anything is read.
    ///
    /// # Errors
    /// Parameters that contradict each other, the method or where the rows are.
    pub fn check(&self, data: &DataRequest) -> Result<()> {
        data.check()?;
        self.plan(data.kind(), data.coding()).map(drop)
    }

    /// Chooses features and says why every other one is dropped.
    ///
    /// # Errors
    /// Those of [`SelectRequest::check`], of coding or counting the rows, and of
    /// [`select`](crate::select::select()).
    pub fn run(&self, data: &Dataset, observer: &dyn Observer) -> Result<SelectOutcome> {
        let plan = self.plan(data.kind(), data.coding())?;
        data.check_block_files(block_files(&self.settings))?;
        data.check_keep(&self.keep)?;
        let how = Preparation {
            roles: Some(data.roles_keeping(&self.keep)),
            ..Preparation::default()
        };
        let rows = data.prepare(how, observer)?;
        observer.stage("selecting");
        let limits = Limits::new(observer).with_budget(self.budget);
        let (mut selection, training) = match plan {
            SelectionPlan::Auto(options) => self.choose_method(options, &rows, &limits),
            SelectionPlan::Method(options) => self.by_method(*options, &rows, (&limits, observer)),
        }
        .map_err(|error| data.blame(error))?;
        selection.exclude(rows.excluded.iter().cloned());
        let by_default = self.method.is_none() && data.kind() != DataKind::Memory;
        let by_default = by_default.then(|| {
            format!(
                "auto needs the rows in memory: the method is {DEFAULT_ON_COUNTS}, unless another \
                 is named"
            )
        });
        let notes = rows.notes.iter().cloned().chain(by_default);
        selection.warnings.splice(0..0, notes);
        let is_interrupted = observer.is_cancelled();
        Ok(SelectOutcome {
            model: self.model_of(&selection, &rows, &training, observer),
            selection,
            coding: data.coding(),
            class_counts: rows.class_counts(),
            seconds: rows.seconds(),
            is_interrupted,
        })
    }

    fn plan(&self, kind: DataKind, coding: CodingOptions) -> Result<SelectionPlan> {
        kind.refuse(&[
            ("folds", self.folds.is_some()),
            ("honest", self.honest == Some(true)),
            ("checkpoint", self.checkpoint.is_some()),
            ("permutations", self.permutations.is_some()),
        ])?;
        self.check_permutations()?;
        let method = match self.method {
            Some(MethodChoice::Method(method)) => method,
            None if kind != DataKind::Memory => Method::named(DEFAULT_ON_COUNTS)?,
            Some(MethodChoice::Auto) if kind != DataKind::Memory => {
                let what = format!("{} compares methods by accuracy, which", Auto::NAME);
                return Err(needs_rows(kind, &what));
            }
            None | Some(MethodChoice::Auto) => return self.auto(coding),
        };
        if kind != DataKind::Memory && !method.takes.counts {
            return Err(needs_rows(kind, &quoted(method.name)));
        }
        let mut options = SelectOptions::new(method)?.with_coding(coding)?;
        if let Some(model) = self.model {
            options = options.with_model(model)?;
        }
        if let Some(search) = self.search {
            options = options.with_search(search)?;
        }
        options = options.with_settings(self.settings.iter().map(String::as_str))?;
        if let Some(measure) = self.measures.measure.filter(|_| method.takes.accuracy) {
            options.measure = measure;
        }
        if let Some(count) = self.count {
            options = options.with_count(count)?;
        }
        if self.size == Some(SizeRule::CrossValidation) {
            return self.sized(options, (kind, coding));
        }
        self.refuse_measures(&options)?;
        if self.folds.is_some() {
            options.check_folds()?;
        }
        if let Some(checkpoint) = &self.checkpoint {
            options.check_checkpoint()?;
            options.checkpoint = Some(checkpoint.open()?);
        }
        options.keep.clone_from(&self.keep);
        options.seed = self.seed;
        Ok(SelectionPlan::Method(Box::new(options)))
    }

    fn check_permutations(&self) -> Result<()> {
        match self.permutations {
            Some(n) if !(1..=MAX_PERMUTATIONS).contains(&n) => {
                let given = parameter("permutations").is(n);
                let limit = grouped(MAX_PERMUTATIONS as u64);
                let message = format!("{given} must be a number from 1 to {limit}");
                Err(Error::usage(message).with_hint("Give a number such as 199."))
            }
            _ => Ok(()),
        }
    }

    /// A method whose number of features is chosen by cross-validation.
    fn sized(
        &self,
        mut options: SelectOptions,
        (kind, coding): (DataKind, CodingOptions),
    ) -> Result<SelectionPlan> {
        kind.refuse(&[("size", true)])?;
        let cv = parameter("size").is(SizeRule::CrossValidation);
        let both = [
            ("count", self.count.is_some()),
            ("honest", self.honest == Some(true)),
            ("permutations", self.permutations.is_some()),
        ];
        if let Some(name) = given(both) {
            let message = format!("{} does not go with {cv}", parameter(name));
            return Err(Error::usage(message).with_hint("Leave one of them out."));
        }
        if options.order().is_none() {
            let name = options.method().name;
            return Err(
                Error::usage(format!("{cv}: {name} has no order of features"))
                    .with_hint("Choose a method with an order such as mrmr, jmi or mdl-fs."),
            );
        }
        options.keep.clone_from(&self.keep);
        options.seed = self.seed;
        Ok(SelectionPlan::Auto(AutoOptions {
            method: Some(Box::new(options)),
            ..self.auto_options(coding)
        }))
    }

    /// Refuses measures where nothing is judged by one.
    fn refuse_measures(&self, options: &SelectOptions) -> Result<()> {
        self.measures.check()?;
        let tolerance = [("tolerance", self.tolerance.is_some())];
        let honest = self.honest == Some(true) || options.method().takes.accuracy;
        let measures = self.measures.given();
        let useless = match honest {
            true => given(tolerance),
            false => given(tolerance).or_else(|| given(measures)),
        };
        match useless {
            None => Ok(()),
            Some(name) => {
                let method = options.method().name;
                let message = format!("{}: {method} judges no predictions", parameter(name));
                Err(Error::usage(message).with_hint(format!(
                    "Add {} or {}.",
                    parameter("size").is(SizeRule::CrossValidation),
                    parameter("honest").is("true")
                )))
            }
        }
    }

    /// Refuses what only a single method can be told.
    fn auto(&self, coding: CodingOptions) -> Result<SelectionPlan> {
        let only_of_one = [
            ("search", self.search.is_some()),
            ("set", !self.settings.is_empty()),
            ("honest", self.honest == Some(true)),
            ("permutations", self.permutations.is_some()),
        ];
        if let Some(name) = given(only_of_one) {
            let method = parameter("method");
            let hint = match name {
                "honest" => "Its accuracy is corrected for the choice already.".to_owned(),
                _ => format!(
                    "Name the method it is for, as in {}.",
                    method.clone().is("mrmr")
                ),
            };
            let (name, auto) = (parameter(name), method.is(Auto::NAME));
            return Err(Error::usage(format!("{name} does not go with {auto}")).with_hint(hint));
        }
        self.measures.check()?;
        if self.count == Some(0) {
            let message = format!("{} would keep nothing", parameter("count").is("0"));
            return Err(Error::usage(message).with_hint("Give a number from 1 on."));
        }
        if let Some(tolerance) = self.tolerance.filter(|t| !(t.is_finite() && *t >= 0.0)) {
            let given = parameter("tolerance").is(tolerance);
            return Err(Error::usage(format!("{given} must be a number from 0 on"))
                .with_hint("Give it in units of the measure, as in 0.01."));
        }
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint.open()?;
        }
        Ok(SelectionPlan::Auto(self.auto_options(coding)))
    }

    fn auto_options(&self, coding: CodingOptions) -> AutoOptions {
        AutoOptions {
            model: self.model,
            coding,
            keep: self.keep.clone(),
            count: self.count,
            measure: self.measures.decides(),
            tolerance: self.tolerance,
            seed: self.seed,
            ..AutoOptions::default()
        }
    }

    /// Compares the methods, and runs the chosen one on all rows.
    fn choose_method(
        &self,
        mut options: AutoOptions,
        rows: &Prepared<'_>,
        limits: &Limits<'_>,
    ) -> Result<(Selection, TrainOptions)> {
        if let Some(folds) = &self.folds {
            options.folds = Some(rows.dataset.folds(folds, rows.outline())?);
        }
        let stakes = self.stakes(rows.outline())?;
        if let Some(method) = &mut options.method {
            method.stakes = Some(stakes.clone());
        }
        options.stakes = Some(stakes);
        let auto = Auto {
            table: &rows.outline().used_rows(rows.dataset.header()),
            roles: &rows.roles,
            options: &options,
        };
        let checkpoint = self.checkpoint.as_ref().map(CheckpointFile::open);
        let found = auto.choose(checkpoint.transpose()?.as_ref(), limits)?;
        Ok((found.selection, found.training))
    }

    /// The positive class and the costs, for the classes of the rows.
    fn stakes(&self, coded: &CodedTable) -> Result<Stakes> {
        let class = &coded.class;
        self.measures.stakes(class.domain.labels(), &class.counts())
    }

    /// What one method keeps, and how to train on it.
    fn by_method(
        &self,
        mut options: SelectOptions,
        rows: &Prepared<'_>,
        (limits, observer): (&Limits<'_>, &dyn Observer),
    ) -> Result<(Selection, TrainOptions)> {
        note_memory(&options, rows.outline().features.len(), observer);
        let mut selection = match &rows.rows {
            PreparedRows::Counted(counted) => select_counted(counted, &options, limits)?,
            PreparedRows::Coded(coded) => {
                if let Some(folds) = &self.folds {
                    options = options.with_folds(rows.dataset.folds(folds, coded)?)?;
                }
                let used = coded.used_rows(rows.dataset.header());
                let stakes = self.stakes(coded)?;
                options.stakes = Some(stakes.clone());
                let mut selection = select(coded, &options, limits)?;
                let honest = Honest {
                    table: &used,
                    roles: &rows.roles,
                    options: &options,
                    measure: self.measures.measure,
                    stakes: Some(&stakes),
                };
                // Who wants a drawing wants to know what the features buy.
                let is_rule = || honest.is_default() || (self.with_model && honest.is_small());
                if self.honest.unwrap_or_else(is_rule) {
                    honest.add_to(&mut selection, limits)?;
                }
                if let Some(n_shuffles) = self.permutations {
                    let permutations = Permutations {
                        table: honest.table,
                        roles: &rows.roles,
                        options: &options,
                        n_shuffles,
                    };
                    permutations.add_to(&mut selection, limits)?;
                }
                selection
            }
        };
        let has_model = selection.model.is_some() || selection.honest.is_some();
        if let Some(model) = self.model.filter(|_| !has_model) {
            selection.warnings.push(format!(
                "{} scores no classifier: the model {model} has no effect on it",
                selection.method
            ));
        }
        Ok((selection, options.final_training()?))
    }

    /// The model on what is kept, for its drawing; none where nobody asked for one, or where
    /// nothing can be trained.
    fn model_of(
        &self,
        selection: &Selection,
        rows: &Prepared<'_>,
        training: &TrainOptions,
        observer: &dyn Observer,
    ) -> Option<Classifier> {
        if !self.with_model || selection.boundary.is_some() || selection.kept.is_empty() {
            return None;
        }
        observer.stage("training for the page");
        let trained = match &rows.rows {
            PreparedRows::Counted(counted) => {
                selection.train_on_kept_counts(counted, training, observer)
            }
            PreparedRows::Coded(_) => {
                let table = (rows.dataset.header(), &rows.roles);
                selection.train_on_kept(table, rows.dataset.coding(), training, observer)
            }
        };
        // A page without a drawing is better than none: what went wrong here is no fault of the
        // selection.
        trained.ok()
    }
}

/// Says in advance when all pairs of features will take much memory.
fn note_memory(options: &SelectOptions, n_features: usize, observer: &dyn Observer) {
    let bytes = options.bytes_of_pairs(n_features);
    if bytes > MUCH_MEMORY {
        let gigabytes = bytes as f64 / 1e9;
        let pairs = format!("all pairs of {} features", grouped(n_features as u64));
        observer.note(&format!(
            "{pairs} take {gigabytes:.1} GB; a forward search needs far less"
        ));
    }
}

/// The error of a method that cannot do without rows.
fn needs_rows(kind: DataKind, what: &str) -> Error {
    let (how, works): (_, fn(&Takes) -> bool) = match kind {
        DataKind::CountFile => (parameter("counts").to_string(), |takes| takes.pairs),
        DataKind::OutOfCore => (parameter("memory").to_string(), |takes| takes.counts),
        _ => ("partitions".to_owned(), |takes| takes.counts),
    };
    let others = Method::names_of_those(works);
    Error::usage(format!("{what} needs the rows in memory"))
        .with_hint(format!("Name a method that works with {how}: {others}."))
}
