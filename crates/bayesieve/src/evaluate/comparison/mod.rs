//! Methods and models on the same splits of the same data.
//!
//! A study of cells: one pipeline on one data set, perhaps on a part of every training set.
//! Its units are the splits of the data set's protocol, the same for all pipelines. On the
//! training rows of a split everything is learned anew: cut points, what is kept, the model.

mod pairs;
mod ranking;
mod result;

use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::pipeline::Pipeline;
use super::protocol::{Protocol, ProtocolSplit};
use super::study::{Conducted, Group, Study};
use super::trial::Trial;
use crate::Observer;
use crate::data::{
    CodedTable, Codes, CodingOptions, Discretizer, Folds, Nominal, Roles, Table, add_column,
    add_nominal, class_codes, class_fingerprint,
};
use crate::fingerprint::Fingerprint;
use crate::measure::{Measure, MeasuredValues, Stakes};
use crate::random::seed_of_split;
use crate::select::check_class;
use crate::wording::{counted, grouped};
use crate::{Error, Result};

pub use pairs::{PairTest, PairTestKind, Standing, Verdicts};
pub use ranking::{Rank, RankSummary};
pub use result::{ComparedData, ComparedPipeline, Comparison, Entry, Quantity};

/// Rows to divide, and how.
#[derive(Debug, Clone)]
pub struct DataSet {
    name: String,
    table: Table,
    roles: Roles,
    protocol: Protocol,
    /// Instead of drawn ones.
    folds: Option<Folds>,
    class: Nominal,
    stakes: Stakes,
    /// The rows of the table it was made from that are used; `None` for all of them.
    rows: Option<Vec<u32>>,
    notes: Vec<String>,
    fingerprint: String,
    /// Of which rows share a class, whatever file and labels are called.
    rows_fingerprint: u64,
}

impl DataSet {
    /// The rows of a table that can be used: those with a class, and where gaps are dropped
    /// or refused, those without.
    ///
    /// # Errors
    /// A class that cannot be one or has one value only, no row left, or a gap where they are
    /// refused.
    pub fn new(
        name: impl Into<String>,
        (table, roles): (Table, Roles),
        coding: CodingOptions,
        protocol: Protocol,
    ) -> Result<Self> {
        let plain = CodingOptions {
            discretizer: Discretizer::None,
            ..coding
        };
        let coded = CodedTable::new(&table, &roles, plain)?;
        let table = match &coded.rows {
            Some(rows) => table.take_rows(rows),
            None => table,
        };
        let column = &table.columns()[roles.class];
        let class = class_codes(column)?.with_labels_present();
        check_class(&class, column.name())?;
        let mut hash = Fingerprint::new();
        let features = roles.features.iter();
        features.for_each(|&place| add_column(&mut hash, &table.columns()[place]));
        add_nominal(&mut hash, &class);
        let notes = roles.notes.iter().chain(&coded.notes).cloned();
        Ok(DataSet {
            stakes: Stakes::new(&class.counts()),
            name: name.into(),
            notes: notes.collect(),
            fingerprint: hash.to_string(),
            rows_fingerprint: class_fingerprint(&class.codes),
            folds: None,
            rows: coded.rows,
            table,
            roles,
            protocol,
            class,
        })
    }

    /// With folds of all rows of the table it was made from, each tested once, in place of
    /// its protocol.
    ///
    /// # Errors
    /// Fewer than two folds left in the rows that are used.
    pub fn with_folds(mut self, folds: Folds) -> Result<Self> {
        let folds = match &self.rows {
            Some(rows) => folds.take(rows)?,
            None => folds,
        };
        self.protocol = Protocol::CrossValidation {
            n_folds: folds.n_folds(),
            n_runs: 1,
        };
        let mut hash = Fingerprint::new();
        hash.text(&self.fingerprint);
        let numbers = folds.fold_of_row().iter();
        numbers.for_each(|&fold| hash.whole(u64::from(fold)));
        self.fingerprint = hash.to_string();
        self.folds = Some(folds);
        Ok(self)
    }

    /// With another positive class, and what mistakes cost.
    #[must_use]
    pub fn with_stakes(mut self, stakes: Stakes) -> Self {
        if stakes != self.stakes {
            let mut hash = Fingerprint::new();
            hash.text(&self.fingerprint);
            hash.text(&format!("{stakes:?}"));
            self.fingerprint = hash.to_string();
        }
        self.stakes = stakes;
        self
    }

    /// One division of its rows, counted from 0.
    fn split(&self, number: usize, n_train: Option<usize>, seed: u64) -> Result<ProtocolSplit> {
        match (&self.folds, n_train) {
            (Some(folds), None) => Ok(ProtocolSplit {
                run: 1,
                fold: number as u32 + 1,
                split: folds.split(number),
            }),
            _ => self.protocol.split(number, n_train, (self.class(), seed)),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Rows that are used.
    pub fn n_rows(&self) -> usize {
        self.table.n_rows()
    }

    /// The names of the candidates.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        let places = self.roles.features.iter();
        places.map(|&place| self.table.columns()[place].name())
    }

    /// The class of every row.
    pub fn class(&self) -> &Codes {
        &self.class.codes
    }

    /// The labels of its classes.
    pub fn class_labels(&self) -> &[String] {
        self.class.domain.labels()
    }

    /// Rows of every class.
    pub fn class_counts(&self) -> Vec<u64> {
        self.class.counts()
    }

    /// How it is divided.
    pub fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// What was said when its columns were settled.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// A pipeline on a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComparisonCell {
    /// The place of the data set in the study's list.
    pub data: usize,
    /// The place of the pipeline.
    pub pipeline: usize,
    /// Rows of every training part, for learning curves; all of it without.
    pub n_train: Option<usize>,
}

/// What one split gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The number of the run, from 1.
    pub run: u32,
    /// The fold that was tested, from 1.
    pub fold: u32,
    /// Rows that were learned from.
    pub n_train: usize,
    /// Rows that were tested.
    pub n_test: usize,
    /// What was kept: places among the candidates, rising.
    pub kept: Vec<u32>,
    /// Share of the test rows that were predicted right.
    pub accuracy: f64,
    /// Mean of `-ln P(true class)` over test rows of classes that training had; nothing
    /// where there are none.
    pub log_loss: Option<f64>,
    /// Mean of `Σ (P(class) - is it)²` over the same rows.
    pub brier: Option<f64>,
    /// Every measure of the test rows.
    #[serde(default)]
    pub measures: MeasuredValues,
    /// CALL per training row, in bits, for naive Bayes and TAN over labels and bins.
    pub call_per_row: Option<f64>,
    /// The same without the part of the class alone.
    pub call_per_row_without_class: Option<f64>,
    /// The accuracy that the search itself went by, where it went by one.
    pub inner_accuracy: Option<f64>,
    /// Features that the trained model reads: a tree may do without some that are kept.
    pub n_used: usize,
    /// How many sets or features the method asked the value of, those it asked again included.
    pub n_asked: u64,
    /// How long selecting, training and testing took, in seconds.
    pub seconds: f64,
}

/// Pipelines on data sets.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::{Generator, RoleOptions, Roles};
/// use bayesieve::evaluate::{ComparisonStudy, DataSet, Pipeline, conduct};
/// use bayesieve::search::Limits;
///
/// let table = Generator::Example1.generate(320, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let protocol = "holdout:3:2/3".parse()?;
/// let data = DataSet::new("example1", (table, roles), Default::default(), protocol)?;
/// let pipelines = vec![Pipeline::named("all/tan")?, Pipeline::named("mdl-fs/tan")?];
/// let study = ComparisonStudy::of_all(vec![data], pipelines, 1);
/// let conducted = conduct(&study, None, &Limits::new(&Silent))?;
/// let comparison = study.comparison(conducted);
/// let kept = |pipeline| comparison.entry(0, pipeline).map(|entry| entry.runs[0].kept.len());
/// assert_eq!((kept(0), kept(1)), (Some(8), Some(4)));
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ComparisonStudy {
    data: Vec<DataSet>,
    pipelines: Vec<Pipeline>,
    cells: Vec<ComparisonCell>,
    /// Whether learning curves were asked for.
    has_curve: bool,
    /// What decides which pipeline is the best.
    measure: &'static Measure,
    seed: u64,
}

impl ComparisonStudy {
    /// Of some cells.
    pub fn new(
        data: Vec<DataSet>,
        pipelines: Vec<Pipeline>,
        cells: Vec<ComparisonCell>,
        seed: u64,
    ) -> Self {
        let pipelines = pipelines.into_iter();
        ComparisonStudy {
            data,
            pipelines: pipelines.map(|one| one.with_seed(seed)).collect(),
            cells,
            has_curve: false,
            measure: Measure::ACCURACY,
            seed,
        }
    }

    /// Every pipeline on every data set.
    pub fn of_all(data: Vec<DataSet>, pipelines: Vec<Pipeline>, seed: u64) -> Self {
        let cells = (0..data.len()).flat_map(|data| {
            (0..pipelines.len()).map(move |pipeline| ComparisonCell {
                data,
                pipeline,
                n_train: None,
            })
        });
        let cells = cells.collect();
        ComparisonStudy::new(data, pipelines, cells, seed)
    }

    /// With what decides which pipeline is the best, in place of accuracy.
    #[must_use]
    pub fn with_measure(self, measure: &'static Measure) -> Self {
        ComparisonStudy { measure, ..self }
    }

    /// With learning curves: every pipeline on every data set, also with training parts of
    /// so many rows; those above the training part of a data set are left out.
    #[must_use]
    pub fn with_curve(mut self, sizes: &[usize]) -> Self {
        self.has_curve = true;
        for (data, set) in self.data.iter().enumerate() {
            let whole = set.protocol.n_train(set.n_rows());
            for pipeline in 0..self.pipelines.len() {
                let sizes = sizes.iter().filter(|&&size| size < whole);
                self.cells.extend(sizes.map(|&size| ComparisonCell {
                    data,
                    pipeline,
                    n_train: Some(size),
                }));
            }
        }
        self
    }

    /// Tries whether the rows of every data set can be divided as its protocol says.
    ///
    /// # Errors
    /// They cannot.
    pub fn check(&self) -> Result<()> {
        self.cells.iter().try_for_each(|cell| {
            let set = self.set(cell)?;
            let first = set
                .protocol
                .split(0, cell.n_train, (set.class(), self.seed));
            first.map(drop).map_err(|error| {
                let rows = counted(set.n_rows() as u64, "row");
                error.about(&format!("{} has {rows}", set.name))
            })
        })
    }

    /// What came out of the study.
    pub fn comparison(&self, conducted: Conducted<Run>) -> Comparison {
        let cells = self.cells.iter().zip(conducted.groups);
        let entries = cells.filter_map(|(cell, runs)| {
            let runs = runs?;
            Some(Entry {
                data: cell.data,
                pipeline: cell.pipeline,
                n_train: cell.n_train,
                runs,
            })
        });
        let data = self.data.iter().map(|set| ComparedData {
            name: set.name.clone(),
            n_rows: set.n_rows(),
            features: set.features().map(str::to_owned).collect(),
            class: set.table.columns()[set.roles.class].name().to_owned(),
            classes: set.class.domain.labels().to_vec(),
            class_counts: set.class.counts(),
            positive: set.stakes.positive(),
            protocol: set.protocol,
        });
        let pipelines = self.pipelines.iter().map(|pipeline| ComparedPipeline {
            name: pipeline.name().to_owned(),
            method: pipeline.method(),
            model: pipeline.model_name(),
        });
        let entries: Vec<Entry> = entries.collect();
        let mut warnings = conducted.warnings;
        for (place, set) in self.data.iter().enumerate() {
            let mut cells = self.cells.iter();
            if self.has_curve && !cells.any(|cell| cell.data == place && cell.n_train.is_some()) {
                let whole = grouped(set.protocol.n_train(set.n_rows()) as u64);
                let name = &set.name;
                warnings.push(format!(
                    "{name}: no size of the learning curve is below its {whole} training rows"
                ));
            }
        }
        warnings.extend(self.without_measure(&entries));
        let notes = self.data.iter().flat_map(|set| {
            let notes = set.notes.iter();
            notes.map(|note| format!("{}: {note}", set.name))
        });
        warnings.extend(notes);
        Comparison {
            data: data.collect(),
            pipelines: pipelines.collect(),
            n_asked: self.cells.len(),
            n_resumed: conducted.n_resumed,
            is_cut_short: conducted.is_cut_short,
            measure: self.measure,
            seed: self.seed,
            entries,
            warnings,
        }
    }

    /// Says where the measure that decides is not known of every run.
    fn without_measure(&self, entries: &[Entry]) -> Vec<String> {
        let decides = Quantity::Measured(self.measure);
        let sets = self.data.iter().enumerate().filter(|(place, _)| {
            let mut here = entries.iter().filter(|entry| entry.data == *place);
            here.any(|entry| entry.values(decides).is_none())
        });
        sets.map(|(_, set)| {
            format!(
                "{}: {} is not defined on the test rows of every split; pipelines without it are not \
                 compared by it",
                set.name, self.measure
            )
        })
        .collect()
    }

    fn set(&self, cell: &ComparisonCell) -> Result<&DataSet> {
        let missing = || Error::internal("a cell without its data set");
        self.data.get(cell.data).ok_or_else(missing)
    }

    fn pipeline(&self, cell: &ComparisonCell) -> Result<&Pipeline> {
        let missing = || Error::internal("a cell without its pipeline");
        self.pipelines.get(cell.pipeline).ok_or_else(missing)
    }
}

impl Study for ComparisonStudy {
    type Measure = Run;

    fn settings(&self) -> Map<String, Value> {
        let mut settings = Map::new();
        settings.insert("study".into(), "comparison".into());
        settings.insert("seed".into(), self.seed.into());
        settings
    }

    fn groups(&self) -> Vec<Group> {
        let groups = self.cells.iter().map(|cell| {
            let found = self.set(cell).ok().zip(self.pipeline(cell).ok());
            found.map_or_else(Group::default, |(set, pipeline)| group(cell, set, pipeline))
        });
        groups.collect()
    }

    fn is_possible(&self, group: usize, unit: usize, run: &Run) -> bool {
        let cell = self.cells.get(group);
        let Some(set) = cell.and_then(|cell| self.set(cell).ok()) else {
            return false;
        };
        let n_folds = set.protocol.n_folds();
        let number = (run.run as usize).wrapping_sub(1) * n_folds + run.fold as usize;
        let is_kept = run.kept.is_sorted_by(|a, b| a < b)
            && run
                .kept
                .last()
                .is_none_or(|&f| (f as usize) < set.roles.features.len());
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        number == unit + 1
            && is_kept
            && is_share(run.accuracy)
            && run.inner_accuracy.is_none_or(is_share)
            && [run.log_loss, run.brier]
                .iter()
                .flatten()
                .all(|loss| *loss >= 0.0)
    }

    fn measure(&self, group: usize, unit: usize, observer: &dyn Observer) -> Result<Run> {
        let missing = || Error::internal(format!("there is no unit {unit} of cell {group}"));
        let cell = self.cells.get(group).ok_or_else(missing)?;
        let (set, pipeline) = (self.set(cell)?, self.pipeline(cell)?);
        let numbered = set.split(unit, cell.n_train, self.seed)?;
        let whom = format!("{} on {}, run {}", pipeline.name(), set.name, numbered.run);
        run(set, pipeline, &numbered, observer).map_err(|error| error.about(&whom))
    }
}

fn group(cell: &ComparisonCell, set: &DataSet, pipeline: &Pipeline) -> Group {
    let part = cell.n_train.map_or(String::new(), |n_train| {
        format!(", {} training rows", grouped(n_train as u64))
    });
    let mut hash = Fingerprint::new();
    hash.text(&set.fingerprint);
    // More runs of the same are the same ones and more.
    hash.text(&set.protocol.with_runs(1).to_string());
    hash.text(&format!("{:?}", pipeline.chooser().coding()));
    let settings = pipeline.selection().map(|options| options.all_settings());
    hash.text(&format!("{settings:?} {:?}", pipeline.training()));
    hash.text(&format!("{:?}", pipeline.keep()));
    // Runs of versions with one seed for all splits are other runs.
    hash.text("a seed per split");
    // A file that cannot be read is an error of its own as soon as it is needed.
    for file in pipeline.files() {
        hash.bytes(&std::fs::read(file).unwrap_or_default());
    }
    let whole = set.protocol.n_train(set.n_rows());
    let cells = cell.n_train.unwrap_or(whole) as u64 * (1 + set.roles.features.len()) as u64;
    Group {
        name: format!("{} on {}{part}", pipeline.name(), set.name),
        data: hash.to_string(),
        n_units: set.protocol.n_splits(),
        cost: (cells / 100 + 1) * pipeline.weight(),
    }
}

fn run(
    set: &DataSet,
    pipeline: &Pipeline,
    numbered: &ProtocolSplit,
    observer: &dyn Observer,
) -> Result<Run> {
    let split = &numbered.split;
    let start = Instant::now();
    let chooser = pipeline.chooser();
    let trial = Trial {
        table: &set.table,
        roles: &set.roles,
        class: &set.class,
        chooser,
        training: pipeline.training(),
        split,
        seed: seed_of_split(
            chooser.seed(),
            set.rows_fingerprint,
            numbered.run,
            numbered.fold,
        ),
        stakes: &set.stakes,
        has_call: true,
    };
    let tried = trial.run(observer)?;
    Ok(Run {
        run: numbered.run,
        fold: numbered.fold,
        n_train: split.train.len(),
        n_test: split.test.len(),
        accuracy: tried.accuracy(),
        log_loss: tried.measures.get(Measure::LOG_LOSS),
        brier: tried.measures.get(Measure::BRIER),
        measures: tried.measures,
        kept: tried.kept,
        call_per_row: tried.call.map(|call| call.per_row),
        call_per_row_without_class: tried.call.map(|call| call.per_row_without_class),
        inner_accuracy: tried.inner_accuracy,
        n_used: tried.n_used,
        n_asked: tried.n_asked,
        seconds: start.elapsed().as_secs_f64(),
    })
}

#[cfg(test)]
mod tests;
