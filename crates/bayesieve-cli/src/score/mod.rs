//! `bayesieve score`: every term of the scores of given sets of features.

mod document;
mod people;

use std::path::{Path, PathBuf};
use std::time::Instant;

use bayesieve::classify::{ModelKind, TrainOptions};
use bayesieve::data::split::Folds;
use bayesieve::data::{CodedTable, Nominal, Roles, Table, unknown_name};
use bayesieve::document::{Seconds, to_text};
use bayesieve::info::Informations;
use bayesieve::score::{
    Accuracy, AccuracyOptions, Estimate, FeatureSet, Runs, Score, Structure, Terms, TermsOptions,
};
use bayesieve::select::{Setting, SettingKind, Settings};
use bayesieve::wording::counted;
use bayesieve::{Error, Result, quoted};
use clap::Args;
use document::Content;

use crate::options::{DataOptions, RunOptions, check_paths, names, start_threads};
use crate::output;
use crate::progress::Progress;

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

/// Score given sets of features, with every term of the score
#[derive(Args)]
#[command(after_help = "\
--features names the set to score; all other columns count as isolated features. `none` is
the empty set. --subsets scores many: one a line, as names separated by commas or as a
string of 0 and 1 over the features in column order.

Settings (--set name=value):
  auxiliary  tree (default), own-tree, empty, complete: what MDL-FS compares with
  ess        how many rows BDeu's prior is worth [1]
  alpha      added to every cell of the models that accuracy is taken of [1]

Examples:
  bayesieve score data.csv --features age,income --model nb
  bayesieve score data.csv --subsets sets.txt --json --cv 0")]
pub(crate) struct Arguments {
    #[command(flatten)]
    data: DataOptions,

    /// Score every set of this file, one a line
    #[arg(long, value_name = "FILE", conflicts_with = "features")]
    subsets: Option<PathBuf>,

    /// The classifier: nb or tan
    #[arg(long, default_value = "tan", value_name = "MODEL")]
    model: Structure,

    /// Folds of the cross-validated accuracy; 0 for no accuracy at all
    #[arg(long, default_value_t = 10, value_name = "K", conflicts_with = "folds")]
    cv: usize,

    /// One fold number per row, instead of drawn folds
    #[arg(long, value_name = "FILE")]
    folds: Option<PathBuf>,

    /// A setting, name=value
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,

    /// Seed of the drawn folds
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,

    #[command(flatten)]
    run: RunOptions,
}

/// One set with its terms, features by name.
struct Scored {
    features: Vec<String>,
    terms: Terms,
    accuracy: Option<Shares>,
}

/// Shares of rows that the model predicts right.
#[derive(Clone, Copy)]
struct Shares {
    /// On the rows it was trained on.
    train: f64,
    /// On the rows of every fold, by a model of the others: the mean over folds.
    cross_validated: f64,
    n_folds: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut inputs: Vec<&Path> = vec![arguments.data.file()];
    inputs.extend(arguments.subsets.as_deref());
    inputs.extend(arguments.folds.as_deref());
    check_paths(&inputs, &[("-o", arguments.run.output.as_ref())])?;
    let given = arguments.settings.iter().map(String::as_str);
    let settings = Settings::parse(&SETTINGS, given)?;
    arguments.data.refuse_available("score")?;
    if arguments.cv == 1 {
        return Err(Error::usage("--cv 1 leaves nothing to train on")
            .with_hint("Give 2 folds or more, or 0 for no accuracy."));
    }
    start_threads(arguments.run.threads)?;
    let progress = Progress::start(arguments.run.quiet)?;

    let (table, read) = arguments.data.read(&progress)?;
    let start = Instant::now();
    let roles = arguments.data.roles_of_all(&table)?;
    let sets = sets(arguments, &table, &roles)?;
    progress.stage("binning");
    let coded = arguments.data.code(&table, &roles)?;
    progress.check()?;
    progress.stage("scoring");
    let scoring = Scoring {
        arguments,
        settings: &settings,
        table: &table,
        coded: &coded,
    };
    let scored = scoring.run(&sets, &progress)?;
    drop(progress);
    let notes = roles.notes.iter().chain(&coded.notes);
    let warnings: Vec<&str> = notes.map(String::as_str).collect();
    for note in &warnings {
        output::note(arguments.run.quiet, note);
    }
    let json = to_text(&document::new(&Content {
        arguments,
        coded: &coded,
        scored: &scored,
        seconds: Seconds::new(read, start.elapsed()),
        warnings: &warnings,
    }))?;
    if let Some(file) = &arguments.run.output {
        output::write(file, &json)?;
    }
    if arguments.run.json {
        return output::print(&json);
    }
    output::print(&people::show(arguments, &coded, &scored))
}

struct Scoring<'a> {
    arguments: &'a Arguments,
    settings: &'a Settings,
    table: &'a Table,
    coded: &'a CodedTable,
}

impl Scoring<'_> {
    fn run(&self, sets: &[FeatureSet], progress: &Progress) -> Result<Vec<Scored>> {
        let in_file = |error: Error| error.in_file_of_data(self.arguments.data.file());
        let columns = self.columns()?;
        let told = Informations::new(&columns, &self.coded.class).map_err(in_file)?;
        let options = TermsOptions {
            structure: self.arguments.model,
            auxiliary: self.settings.text("auxiliary")?.parse()?,
            equivalent_sample_size: self.settings.number("ess")?,
        };
        let accuracies = self.accuracies(sets, progress).map_err(in_file)?;
        let mut scored = Vec::new();
        for (place, set) in sets.iter().enumerate() {
            progress.check()?;
            scored.push(Scored {
                features: set.iter().map(|f| self.name(f).to_owned()).collect(),
                terms: Terms::new(&told, set, options, progress).map_err(in_file)?,
                accuracy: accuracies.as_ref().map(|shares| shares[place]),
            });
        }
        Ok(scored)
    }

    /// The accuracies of all sets, unless none are wanted.
    fn accuracies(&self, sets: &[FeatureSet], progress: &Progress) -> Result<Option<Vec<Shares>>> {
        let folds = self.folds()?;
        if folds.is_none() && self.arguments.cv == 0 {
            return Ok(None);
        }
        let n_rows = self.coded.n_rows();
        if n_rows < 2 {
            return Err(Error::data("one row cannot be scored: two are the least"));
        }
        let n_folds = folds.as_ref().map_or(self.arguments.cv, Folds::n_folds);
        let values = |estimate, folds| {
            let options = AccuracyOptions {
                training: self.training()?,
                coding: self.arguments.data.coding(),
                estimate,
                folds,
                seed: self.arguments.seed,
            };
            let places: Vec<usize> = (0..self.coded.features.len()).collect();
            Accuracy::new(self.coded, &places, options)?.evaluate(sets, progress)
        };
        let runs = Runs::Fixed(1);
        let tested = values(Estimate::CrossValidation { n_folds, runs }, folds)?;
        let trained = values(Estimate::Training, None)?;
        let shares = trained
            .into_iter()
            .zip(tested)
            .map(|(train, tested)| Shares {
                train,
                cross_validated: tested,
                n_folds: n_folds.min(n_rows),
            });
        Ok(Some(shares.collect()))
    }

    fn name(&self, feature: usize) -> &str {
        self.coded.features[feature].column.name()
    }

    fn columns(&self) -> Result<Vec<&Nominal>> {
        let coded = self.coded.features.iter();
        coded
            .map(|feature| {
                feature.coded().ok_or_else(|| {
                    Error::usage("scores count values, not numbers")
                        .in_column(feature.column.name())
                        .with_hint("Bin it: leave --discretize none out.")
                })
            })
            .collect()
    }

    /// The folds that were given, of the rows that were not dropped.
    fn folds(&self) -> Result<Option<Folds>> {
        let Some(file) = &self.arguments.folds else {
            return Ok(None);
        };
        let folds = Folds::read(file, self.table.n_rows())?;
        Ok(Some(match &self.coded.rows {
            Some(rows) => folds.take(rows).map_err(|error| error.in_file(file))?,
            None => folds,
        }))
    }

    fn training(&self) -> Result<TrainOptions> {
        let kind = match self.arguments.model {
            Structure::NaiveBayes => ModelKind::NaiveBayes,
            Structure::Tan => ModelKind::Tan,
        };
        let alpha = format!("alpha={}", self.settings.text("alpha")?);
        TrainOptions::new(kind).with_settings([alpha.as_str()])
    }
}

/// The sets to score, over the features in column order.
fn sets(arguments: &Arguments, table: &Table, roles: &Roles) -> Result<Vec<FeatureSet>> {
    let known: Vec<&str> = roles
        .features
        .iter()
        .map(|&place| table.columns()[place].name())
        .collect();
    let Some(file) = &arguments.subsets else {
        let names = match arguments.data.features() {
            None => return Ok(vec![FeatureSet::full(known.len())]),
            Some("none") if !known.contains(&"none") => Vec::new(),
            Some(text) => names("--features", text)?,
        };
        return Ok(vec![named(&known, &names, &table.columns()[roles.class])?]);
    };
    let text = std::fs::read_to_string(file).map_err(|error| {
        Error::data("the subsets cannot be read")
            .with_source(error)
            .in_file(file)
    })?;
    let class = &table.columns()[roles.class];
    // Some editors put a mark before the first line.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = text.lines().enumerate().map(|(line, text)| {
        set_of_line(text.trim(), &known, class)
            .map_err(|error| error.at_line(line as u64 + 1).in_file(file))
    });
    let sets: Vec<FeatureSet> = lines.collect::<Result<_>>()?;
    if sets.is_empty() {
        return Err(Error::data("there is no subset in the file")
            .in_file(file)
            .with_hint("Write one a line; an empty line is the empty set."));
    }
    Ok(sets)
}

fn set_of_line(text: &str, known: &[&str], class: &bayesieve::data::Column) -> Result<FeatureSet> {
    let is_bits = !text.is_empty() && text.bytes().all(|b| b == b'0' || b == b'1');
    if is_bits && text.len() == known.len() {
        let bits = text.bytes().enumerate().filter(|&(_, bit)| bit == b'1');
        return FeatureSet::of(known.len(), bits.map(|(place, _)| place));
    }
    if is_bits && !known.contains(&text) {
        return Err(Error::data(format!(
            "{} bits for {}",
            text.len(),
            counted(known.len() as u64, "feature")
        ))
        .with_hint("Write one 0 or 1 per feature in column order, or names."));
    }
    if text.is_empty() || text == "none" {
        return Ok(FeatureSet::empty(known.len()));
    }
    named(known, &names("--subsets", text)?, class)
}

fn named(known: &[&str], names: &[String], class: &bayesieve::data::Column) -> Result<FeatureSet> {
    let mut set = FeatureSet::empty(known.len());
    for name in names {
        if name == class.name() {
            return Err(Error::usage(format!("{} is the class", quoted(name)))
                .with_hint("Name features only."));
        }
        let place = known.iter().position(|known| known == name);
        let place = place.ok_or_else(|| unknown_name("feature", name, known.iter().copied()))?;
        set.insert(place);
    }
    Ok(set)
}
