//! Every term of the scores of given sets of features.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::dataset::{Preparation, Prepared, PreparedRows};
use super::text::{as_settings, as_text};
use super::{DataKind, DataRequest, Dataset, FoldSource, MeasureRequest, split_names};
use crate::classify::{ModelKind, TrainOptions};
use crate::data::{CodedTable, Nominal, unknown_name};
use crate::document::{ScoreOutcome, ScoredSet, SetAccuracy};
use crate::info::Informations;
use crate::measure::{Measure, MeasuredValues};
use crate::score::{
    Accuracy, AccuracyOptions, Estimate, FeatureSet, Runs, Score, Structure, Terms, TermsOptions,
    measured_sets,
};
use crate::setting::{Setting, SettingKind, Settings, choice};
use crate::wording::counted as in_words;
use crate::{Error, ErrorKind, Observer, Result, check, parameter, quoted, setting};

/// Folds of the cross-validated accuracy.
const FOLDS: usize = 10;

/// What can be set.
const SETTINGS: [Setting; 3] = [
    Setting {
        name: "auxiliary",
        default: "tree",
        kind: SettingKind::Choice(&["tree", "own-tree", "empty", "complete"]),
        meaning: "the network over the features alone that MDL-FS compares with",
    },
    Setting {
        name: "ess",
        default: "1",
        kind: SettingKind::Number {
            min: 1e-9,
            max: 1e9,
        },
        meaning: "how many rows BDeu's prior is worth",
    },
    Setting {
        name: "alpha",
        default: "1",
        kind: SettingKind::Number { min: 0.0, max: 1e9 },
        meaning: "what is added to every cell of the models that accuracy is taken of",
    },
];

/// Which sets of features to score, and how.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `features` | all features | the set to score; `none` alone is the empty set |
/// | `subsets` | | a file of sets in place of one, one per line: names, or 0 and 1 |
/// | `model` | `tan` | the classifier |
/// | `cv` | 10; none where the rows are not in memory | folds of the accuracy, 0 for no accuracy |
/// | `folds` | drawn | the folds |
/// | `measures` | log loss | what predictions are judged by ([`MeasureRequest`]) |
/// | `settings` | | `name=value`: `auxiliary`, `ess`, `alpha` |
/// | `seed` | 1 | the random seed of the folds |
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default)]
pub struct ScoreRequest {
    /// The set to score.
    pub features: Option<Vec<String>>,
    /// A file of sets in place of one.
    pub subsets: Option<PathBuf>,
    /// The classifier.
    #[serde(with = "as_text")]
    pub model: Structure,
    /// Folds of the cross-validated accuracy.
    pub cv: Option<usize>,
    /// The folds.
    pub folds: Option<FoldSource>,
    /// What predictions are judged by.
    #[serde(flatten)]
    pub measures: MeasureRequest,
    /// Settings, `name=value`.
    #[serde(deserialize_with = "as_settings::deserialize")]
    pub settings: Vec<String>,
    /// The random seed of the folds.
    pub seed: u64,
}

impl Default for ScoreRequest {
    fn default() -> Self {
        ScoreRequest {
            features: None,
            subsets: None,
            model: Structure::Tan,
            cv: None,
            folds: None,
            measures: MeasureRequest::default(),
            settings: Vec::new(),
            seed: 1,
        }
    }
}

impl ScoreRequest {
    /// Refuses what cannot be done, before anything is read.
    ///
    /// # Errors
    /// Settings out of range, or what needs rows where there are none.
    pub fn check(&self, data: &DataRequest) -> Result<()> {
        data.check()?;
        data.coding().refuse_available("score")?;
        self.settings(data.kind()).map(drop)
    }

    fn settings(&self, kind: DataKind) -> Result<Settings> {
        kind.refuse(&[
            ("folds", self.folds.is_some()),
            ("cv", self.cv.is_some_and(|n_folds| n_folds > 0)),
        ])?;
        kind.refuse(&self.measures.given())?;
        self.measures.check()?;
        if self.cv == Some(1) {
            let message = format!("{} leaves nothing to train on", parameter("cv").is(1));
            return Err(
                Error::usage(message).with_hint("Give 2 folds or more, or 0 for no accuracy.")
            );
        }
        Settings::parse(&SETTINGS, self.settings.iter().map(String::as_str))
    }

    /// Scores the sets.
    ///
    /// # Errors
    /// Those of [`ScoreRequest::check`], of coding or counting the rows, and sets of what is no
    /// feature.
    pub fn run(&self, data: &Dataset, observer: &dyn Observer) -> Result<ScoreOutcome> {
        let settings = self.settings(data.kind())?;
        data.coding().refuse_available("score")?;
        let sets = self.sets(data)?;
        // Nothing is chosen: sets over all columns can be scored.
        let how = Preparation {
            roles: Some(data.roles_with_identifiers()),
            ..Preparation::default()
        };
        let rows = data.prepare(how, observer)?;
        observer.stage("scoring");
        let blame = |error| data.blame(error);
        let columns = columns(rows.outline())?;
        let (informations, accuracies) = match &rows.rows {
            PreparedRows::Coded(coded) => (
                Informations::new(&columns, &coded.class).map_err(blame)?,
                self.accuracies(&rows, &settings, &sets, observer)
                    .map_err(blame)?,
            ),
            PreparedRows::Counted(counted) => {
                let all: Vec<usize> = (0..columns.len()).collect();
                (counted.informations(&all).map_err(blame)?, None)
            }
        };
        let auxiliary = settings.text("auxiliary")?;
        let options = TermsOptions {
            structure: self.model,
            auxiliary: choice(auxiliary)?,
            equivalent_sample_size: settings.number("ess")?,
        };
        let name = |feature: usize| rows.outline().features[feature].column.name().to_owned();
        let mut scored = Vec::new();
        for (place, set) in sets.iter().enumerate() {
            check(observer)?;
            let terms = Terms::new(&informations, set, options, observer);
            scored.push(ScoredSet {
                features: set.iter().map(name).collect(),
                terms: terms.map_err(|error| blame_auxiliary(blame(error), auxiliary))?,
                accuracy: accuracies.as_ref().map(|of_sets| of_sets[place].0),
                measures: accuracies.as_ref().map(|of_sets| of_sets[place].1),
            });
        }
        drop(informations);
        let mut notes = rows.notes.clone();
        notes.extend(self.left_out(data.kind(), &scored));
        Ok(ScoreOutcome {
            model: self.model,
            n_rows: rows.n_rows(),
            sets: scored,
            is_list: self.subsets.is_some(),
            notes,
            seconds: rows.seconds(),
            coded: rows.into_outline(),
        })
    }

    /// What rows in memory would show besides.
    fn left_out(&self, kind: DataKind, scored: &[ScoredSet]) -> Vec<String> {
        let mut notes = Vec::new();
        if kind == DataKind::Memory {
            return notes;
        }
        if self.cv.is_none() {
            notes.push("accuracies need the rows in memory, and are left out".into());
        }
        let mut terms = scored.iter().map(|set| &set.terms);
        if terms.any(|terms| terms.conditional_entropy.is_none()) {
            let why = match kind {
                DataKind::CountFile => "the counts have no table of all features of the set",
                _ => "there is no room for a table of all features of the set",
            };
            notes.push(format!("conditional entropies are left out where {why}"));
        }
        notes
    }

    /// The accuracies and all other measures of all sets, unless none are wanted.
    fn accuracies(
        &self,
        rows: &Prepared<'_>,
        settings: &Settings,
        sets: &[FeatureSet],
        observer: &dyn Observer,
    ) -> Result<Option<Vec<(SetAccuracy, MeasuredValues)>>> {
        let coded = rows.outline();
        let folds = self.folds.as_ref();
        let folds = folds.map(|folds| rows.dataset.folds(folds, coded));
        let folds = folds.transpose()?;
        let n_folds = match &folds {
            Some(folds) => folds.n_folds(),
            None => self.cv.unwrap_or(FOLDS),
        };
        if n_folds == 0 {
            return Ok(None);
        }
        let n_rows = coded.n_rows();
        if n_rows < 2 {
            return Err(Error::data("one row cannot be scored: two are the least"));
        }
        let kind = match self.model {
            Structure::NaiveBayes => ModelKind::NaiveBayes,
            Structure::Tan => ModelKind::Tan,
        };
        let alpha = format!("alpha={}", settings.text("alpha")?);
        let training = TrainOptions::new(kind).with_settings([alpha.as_str()])?;
        let options = |estimate, folds| AccuracyOptions {
            training: training.clone(),
            coding: rows.dataset.coding(),
            estimate,
            folds,
            seed: self.seed,
            measure: Measure::ACCURACY,
            stakes: None,
        };
        let values = |options| {
            let places: Vec<usize> = (0..coded.features.len()).collect();
            Accuracy::new(coded, &places, options)?.evaluate(sets, observer)
        };
        let runs = Runs::Fixed(1);
        let on_folds = options(Estimate::CrossValidation { n_folds, runs }, folds);
        let class = &coded.class;
        let stakes = self
            .measures
            .stakes(class.domain.labels(), &class.counts())?;
        let measured = measured_sets(coded, sets, &on_folds, &stakes, observer)?;
        let tested = values(on_folds)?;
        let trained = values(options(Estimate::Training, None))?;
        let both = trained.into_iter().zip(tested);
        let accuracies = both.map(|(train, cross_validated)| SetAccuracy {
            train,
            cross_validated,
            n_folds: n_folds.min(n_rows),
        });
        Ok(Some(accuracies.zip(measured).collect()))
    }

    /// The sets to score, over the features in column order.
    fn sets(&self, data: &Dataset) -> Result<Vec<FeatureSet>> {
        let name = |&place: &usize| data.header().columns()[place].name();
        let roles = data.roles_with_identifiers();
        let known = KnownFeatures {
            names: roles.features.iter().map(name).collect(),
            class: name(&roles.class),
        };
        match (&self.subsets, &self.features) {
            (Some(file), _) => known.sets_of_file(file),
            (None, Some(features)) => Ok(vec![known.set(features)?]),
            (None, None) => Ok(vec![FeatureSet::full(known.names.len())]),
        }
    }
}

/// Says which auxiliary network needs tables that cannot be had.
fn blame_auxiliary(error: Error, auxiliary: &str) -> Error {
    match error.kind() {
        ErrorKind::Usage => {
            let hint = format!(
                "Use the rows, or {}, own-tree or empty.",
                setting("auxiliary").is("tree")
            );
            let what = setting("auxiliary").is(auxiliary).to_string();
            error.about(&what).with_hint(hint)
        }
        _ => error,
    }
}

fn columns(coded: &CodedTable) -> Result<Vec<&Nominal>> {
    let features = coded.features.iter();
    features
        .map(|feature| {
            feature.coded().ok_or_else(|| {
                Error::usage("scores count values, not numbers")
                    .in_column(feature.column.name())
                    .with_hint(format!(
                        "Bin it: leave {} out.",
                        parameter("discretize").is("none")
                    ))
            })
        })
        .collect()
}

/// Features that sets are made of.
struct KnownFeatures<'a> {
    names: Vec<&'a str>,
    class: &'a str,
}

impl KnownFeatures<'_> {
    /// The sets of a file, one per line.
    fn sets_of_file(&self, file: &Path) -> Result<Vec<FeatureSet>> {
        let text = std::fs::read_to_string(file);
        let text = text.map_err(|error| Error::unreadable(error).in_file(file))?;
        // Some editors put a mark before the first line.
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let lines = text.lines().zip(1..).map(|(text, line)| {
            let set = self.set_of_line(text.trim());
            set.map_err(|error| error.at_line(line).in_file(file))
        });
        let sets: Vec<FeatureSet> = lines.collect::<Result<_>>()?;
        if sets.is_empty() {
            return Err(Error::data("there is no subset in the file")
                .in_file(file)
                .with_hint("Write one per line; an empty line is the empty set."));
        }
        Ok(sets)
    }

    fn set_of_line(&self, text: &str) -> Result<FeatureSet> {
        let n_features = self.names.len();
        let is_bits = !text.is_empty() && text.bytes().all(|b| b == b'0' || b == b'1');
        if is_bits && text.len() == n_features {
            let bits = text.bytes().enumerate().filter(|&(_, bit)| bit == b'1');
            return FeatureSet::of(n_features, bits.map(|(place, _)| place));
        }
        if is_bits && !self.names.contains(&text) {
            return Err(Error::data(format!(
                "{} bits for {}",
                text.len(),
                in_words(n_features as u64, "feature")
            ))
            .with_hint("Write one 0 or 1 per feature in column order, or names."));
        }
        if text.is_empty() || text == "none" {
            return Ok(FeatureSet::empty(n_features));
        }
        self.set(&split_names(text)?)
    }

    /// The set of these names; `none` alone is the empty one, unless it is a feature.
    fn set(&self, names: &[String]) -> Result<FeatureSet> {
        let mut set = FeatureSet::empty(self.names.len());
        for name in names {
            let Some(place) = self.names.iter().position(|known| known == name) else {
                if names == ["none"] {
                    break;
                }
                if name == self.class {
                    return Err(Error::usage(format!("{} is the class", quoted(name)))
                        .with_hint("Name features only."));
                }
                return Err(unknown_name("feature", name, self.names.iter().copied()));
            };
            set.insert(place);
        }
        Ok(set)
    }
}
