//! Methods and models on the same splits of one or more data sets.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::text::{as_optional_text, as_seconds, as_settings, as_text};
use super::{CheckpointFile, DataRequest, Dataset, FoldSource, MeasureRequest};
use crate::data::CodingOptions;
use crate::document::{CompareOutcome, Early, Seconds};
use crate::evaluate::{
    ComparisonStudy, DataSet, PairTestKind, Pipeline, Protocol, conduct, pipeline_names, pipelines,
};
use crate::measure::Measure;
use crate::search::Limits;
use crate::{Error, Observer, Result, parameter};

/// What is compared where nothing else is said.
const METHODS: [&str; 4] = ["all", "mdl-fs", "cfs", "mrmr"];
const MODELS: [&str; 2] = ["nb", "tan"];

/// What to compare, and how.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `pipelines` | every method with every model | `METHOD[:COUNT]/MODEL`, settings behind commas |
/// | `methods` | `all`, `mdl-fs`, `cfs`, `mrmr` | the methods |
/// | `models` | `nb`, `tan` | the models |
/// | `settings` | | settings of all pipelines that have them, `name=value` |
/// | `keep` | none | features that must be kept |
/// | `protocol` | `cv:10` | how rows are divided |
/// | `folds` | drawn | folds in place of a protocol, for one data set |
/// | `curve` | none | also learn from so many rows |
/// | `measures` | accuracy | what tests, wins and ranks go by ([`MeasureRequest`]) |
/// | `test` | by protocol | the test that wins and losses go by |
/// | `alpha` | 0.05 | the level of the tests |
/// | `seed` | 1 | the random seed |
/// | `budget` | none | the time after which no pipeline is begun |
/// | `checkpoint` | none | the file that a run that is cut off goes on from |
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default)]
pub struct CompareRequest {
    /// What to compare by name, in place of methods and models.
    pub pipelines: Vec<String>,
    /// The methods.
    pub methods: Vec<String>,
    /// The models.
    pub models: Vec<String>,
    /// Settings of all pipelines that have them.
    #[serde(deserialize_with = "as_settings::deserialize")]
    pub settings: Vec<String>,
    /// Features that must be kept.
    pub keep: Vec<String>,
    /// How rows are divided.
    #[serde(with = "as_text")]
    pub protocol: Protocol,
    /// Folds in place of a protocol, for one data set.
    pub folds: Option<FoldSource>,
    /// Numbers of training rows of a learning curve, rising.
    pub curve: Option<Vec<usize>>,
    /// What tests, wins and ranks go by; accuracy unless one is named.
    #[serde(flatten)]
    pub measures: MeasureRequest,
    /// The test that wins and losses go by.
    #[serde(with = "as_optional_text")]
    pub test: Option<PairTestKind>,
    /// The level of the tests.
    pub alpha: f64,
    /// The random seed.
    pub seed: u64,
    /// The time after which no pipeline is begun.
    #[serde(with = "as_seconds")]
    pub budget: Option<Duration>,
    /// The file that a run that is cut off goes on from.
    pub checkpoint: Option<CheckpointFile>,
}

impl Default for CompareRequest {
    fn default() -> Self {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        CompareRequest {
            pipelines: Vec::new(),
            methods: names(&METHODS),
            models: names(&MODELS),
            settings: Vec::new(),
            keep: Vec::new(),
            protocol: Protocol::CrossValidation {
                n_folds: 10,
                n_runs: 1,
            },
            folds: None,
            curve: None,
            measures: MeasureRequest::default(),
            test: None,
            alpha: 0.05,
            seed: 1,
            budget: None,
            checkpoint: None,
        }
    }
}

/// A data set and what it is called.
#[derive(Debug)]
pub struct NamedDataset {
    /// Its name.
    pub name: String,
    /// Its rows, in memory.
    pub data: Dataset,
}

impl CompareRequest {
    /// Refuses what cannot be done, before anything is read.
    ///
    /// # Errors
    /// Pipelines that do not exist, a test that is not for the protocol, or folds of more than
    /// one data set.
    pub fn check(&self, data: &[DataRequest]) -> Result<()> {
        data.iter().try_for_each(DataRequest::check)?;
        self.pipelines(data.first().map(DataRequest::coding))?;
        self.measures.check()?;
        self.check_folds(data.len())?;
        self.test.map_or(Ok(()), |test| test.check(self.protocol))
    }

    /// Files that the pipelines read.
    ///
    /// # Errors
    /// Pipelines that do not exist.
    pub fn files(&self) -> Result<Vec<PathBuf>> {
        let pipelines = self.pipelines(None)?;
        Ok(pipelines.iter().flat_map(Pipeline::files).collect())
    }

    /// Compares the pipelines on all data sets.
    ///
    /// # Errors
    /// Those of [`CompareRequest::check`], data that cannot be divided, or a stop from outside
    /// before anything is finished.
    pub fn run(&self, data: Vec<NamedDataset>, observer: &dyn Observer) -> Result<CompareOutcome> {
        let start = Instant::now();
        self.check_folds(data.len())?;
        self.measures.check()?;
        let pipelines = self.pipelines(data.first().map(|named| named.data.coding()))?;
        let files: Vec<PathBuf> = pipelines.iter().flat_map(Pipeline::files).collect();
        let read = data.iter().map(|named| named.data.read_time()).sum();
        let sets = data.into_iter().map(|named| {
            named
                .data
                .check_block_files(files.iter().map(PathBuf::as_path))?;
            named.data.check_keep(&self.keep)?;
            self.data_set(named, observer)
        });
        let sets = sets.collect::<Result<Vec<DataSet>>>()?;
        // Folds that are given are a protocol of their own.
        let protocol = sets.first().map_or(self.protocol, DataSet::protocol);
        self.test.map_or(Ok(()), |test| test.check(protocol))?;
        let measure = self.measures.measure.unwrap_or(Measure::ACCURACY);
        let mut study = ComparisonStudy::of_all(sets, pipelines, self.seed).with_measure(measure);
        if let Some(sizes) = &self.curve {
            study = study.with_curve(sizes);
        }
        study.check()?;
        let checkpoint = self.checkpoint.as_ref().map(CheckpointFile::open);
        let checkpoint = checkpoint.transpose()?;
        observer.stage("comparing");
        let limits = Limits::new(observer).with_budget(self.budget);
        let conducted = conduct(&study, checkpoint.as_ref(), &limits)?;
        let is_interrupted = observer.is_cancelled();
        let comparison = study.comparison(conducted);
        if is_interrupted && comparison.entries.is_empty() {
            return Err(Error::interrupted());
        }
        let early = if is_interrupted {
            Some(Early::Interrupted)
        } else {
            comparison.is_cut_short.then_some(Early::Budget)
        };
        Ok(CompareOutcome {
            comparison,
            test: self.test,
            alpha: self.alpha,
            early,
            seconds: Seconds::new(read, start.elapsed()),
        })
    }

    /// The pipelines that are named, else all pairs of methods and models.
    fn pipelines(&self, coding: Option<CodingOptions>) -> Result<Vec<Pipeline>> {
        let names = if self.pipelines.is_empty() {
            pipeline_names(&self.methods, &self.models)
        } else {
            self.pipelines.clone()
        };
        let coding = coding.unwrap_or_default();
        pipelines(&names, &self.settings, coding, &self.keep)
    }

    fn check_folds(&self, n_data_sets: usize) -> Result<()> {
        if self.folds.is_none() || n_data_sets < 2 {
            return Ok(());
        }
        let [folds, protocol] = ["folds", "protocol"].map(parameter);
        Err(
            Error::usage(format!("{folds} is for one data set")).with_hint(format!(
                "Compare one at a time, or let folds be drawn ({protocol})."
            )),
        )
    }

    /// The rows that can be used, and how they are divided.
    fn data_set(
        &self,
        NamedDataset { name, data }: NamedDataset,
        observer: &dyn Observer,
    ) -> Result<DataSet> {
        let roles = data.roles_keeping(&self.keep);
        roles.check_features().map_err(|error| data.blame(error))?;
        let notes = roles.identifier_notes(data.header());
        notes.for_each(|note| observer.note(&note));
        let rows = (data.header().clone(), roles);
        let set = DataSet::new(name, rows, data.coding(), self.protocol);
        let set = set.map_err(|error| data.blame(error))?;
        let stakes = self
            .measures
            .stakes(set.class_labels(), &set.class_counts())
            .map_err(|error| error.about(set.name()))?;
        let set = set.with_stakes(stakes);
        match &self.folds {
            Some(folds) => {
                let all = data.folds_of_all(folds)?;
                set.with_folds(all).map_err(|error| folds.blame(error))
            }
            None => Ok(set),
        }
    }
}
