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
use bayesieve::wording::counted as in_words;
use bayesieve::{Error, ErrorKind, Result, quoted};
use clap::Args;

use crate::counted;
use crate::options::{DataOptions, RunOptions, check_paths, names, start_threads};
use crate::output;
use crate::progress::Progress;

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
  bayesieve score data.csv --subsets sets.txt --json --cv 0
  bayesieve score --counts all.counts --features age,income")]
pub(crate) struct Arguments {
    #[command(flatten)]
    data: DataOptions,

    /// Score every set of this file, one a line
    #[arg(long, value_name = "FILE", conflicts_with = "features")]
    subsets: Option<PathBuf>,

    /// The classifier: nb or tan
    #[arg(long, default_value = "tan", value_name = "MODEL")]
    model: Structure,

    /// Folds of the cross-validated accuracy; 0 for no accuracy at all [default: 10; there is
    /// none with --counts]
    #[arg(long, value_name = "K", conflicts_with = "folds")]
    cv: Option<usize>,

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

/// What was scored, ready to be shown.
struct Found {
    /// The columns, with or without their rows.
    coded: CodedTable,
    n_rows: u64,
    scored: Vec<Scored>,
    notes: Vec<String>,
    seconds: Seconds,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    arguments.data.check()?;
    let mut inputs: Vec<&Path> = vec![arguments.data.file()];
    inputs.extend(arguments.subsets.as_deref());
    inputs.extend(arguments.folds.as_deref());
    check_paths(&inputs, &[("-o", arguments.run.output.as_ref())])?;
    let given = arguments.settings.iter().map(String::as_str);
    let settings = Settings::parse(&SETTINGS, given)?;
    arguments.data.refuse_available("score")?;
    if arguments.cv == Some(1) {
        return Err(Error::usage("--cv 1 leaves nothing to train on")
            .with_hint("Give 2 folds or more, or 0 for no accuracy."));
    }
    let scoring = Scoring {
        arguments,
        settings: &settings,
    };
    let found = if arguments.data.counted.is_given() {
        scoring.on_counts()?
    } else {
        scoring.on_rows()?
    };
    show(arguments, &found)
}

fn show(arguments: &Arguments, found: &Found) -> Result<()> {
    for note in &found.notes {
        output::note(arguments.run.quiet, note);
    }
    let json = to_text(&document::new(arguments, found))?;
    if let Some(file) = &arguments.run.output {
        output::write(file, &json)?;
    }
    if arguments.run.json {
        return output::print(&json);
    }
    output::print(&people::show(arguments, found))
}

struct Scoring<'a> {
    arguments: &'a Arguments,
    settings: &'a Settings,
}

impl Scoring<'_> {
    /// From rows in memory.
    fn on_rows(&self) -> Result<Found> {
        let arguments = self.arguments;
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
        let columns = columns(&coded)?;
        let told = Informations::new(&columns, &coded.class);
        let told = told.map_err(|error| self.in_file(error))?;
        let rows = Rows {
            scoring: self,
            table: &table,
            coded: &coded,
        };
        let accuracies = rows.accuracies(&sets, &progress);
        let accuracies = accuracies.map_err(|error| self.in_file(error))?;
        let scored = self.scored((&coded, &told), &sets, accuracies.as_deref(), &progress)?;
        drop(told);
        let notes = roles.notes.iter().chain(&coded.notes).cloned().collect();
        Ok(Found {
            n_rows: coded.n_rows() as u64,
            scored,
            notes,
            seconds: Seconds::new(read, start.elapsed()),
            coded,
        })
    }

    /// From counts: without accuracies, which need the rows.
    fn on_counts(&self) -> Result<Found> {
        let arguments = self.arguments;
        arguments.data.counted.refuse(&[
            ("--folds", arguments.folds.is_some()),
            ("--cv", arguments.cv.is_some_and(|n_folds| n_folds > 0)),
        ])?;
        start_threads(arguments.run.threads)?;
        let progress = Progress::start(arguments.run.quiet)?;
        let open = |data: &DataOptions, header: &Table| data.roles_of_all(header);
        let data = counted::open(&arguments.data, &progress, open)?;
        let start = Instant::now();
        data.coding.refuse_available("score")?;
        let sets = sets(arguments, &data.header, &data.roles)?;
        progress.check()?;
        progress.stage("scoring");
        let coded = data.counted.outline().clone();
        let all: Vec<usize> = (0..coded.features.len()).collect();
        let told = data.counted.informations(&all);
        let told = told.map_err(|error| self.in_file(error))?;
        let scored = self.scored((&coded, &told), &sets, None, &progress)?;
        let mut notes = data.notes;
        notes.extend(self.left_out(&scored));
        Ok(Found {
            n_rows: data.counted.tables().n_rows(),
            scored,
            notes,
            seconds: Seconds::new(data.read, start.elapsed()),
            coded,
        })
    }

    /// What rows in memory would tell besides.
    fn left_out(&self, scored: &[Scored]) -> Vec<String> {
        let is_streamed = self.arguments.data.counted.is_streamed();
        let mut notes = Vec::new();
        if self.arguments.cv.is_none() {
            notes.push("accuracies need the rows in memory, and are left out".into());
        }
        let mut scored = scored.iter();
        if scored.any(|one| one.terms.conditional_entropy.is_none()) {
            let why = if is_streamed {
                "there is no room for a table of all features of the set (--memory)"
            } else {
                "the counts have no table of all features of the set"
            };
            notes.push(format!("conditional entropies are left out where {why}"));
        }
        notes
    }

    /// The terms of every set.
    fn scored(
        &self,
        (coded, told): (&CodedTable, &Informations<'_>),
        sets: &[FeatureSet],
        accuracies: Option<&[Shares]>,
        progress: &Progress,
    ) -> Result<Vec<Scored>> {
        let auxiliary = self.settings.text("auxiliary")?;
        let options = TermsOptions {
            structure: self.arguments.model,
            auxiliary: auxiliary.parse()?,
            equivalent_sample_size: self.settings.number("ess")?,
        };
        let name = |feature: usize| coded.features[feature].column.name().to_owned();
        let mut scored = Vec::new();
        for (place, set) in sets.iter().enumerate() {
            progress.check()?;
            let terms = Terms::new(told, set, options, progress);
            let terms = terms.map_err(|error| match error.kind() {
                ErrorKind::Usage => error
                    .about(&format!("auxiliary={auxiliary}"))
                    .with_hint("Use the rows, or --set auxiliary=tree, own-tree or empty."),
                _ => self.in_file(error),
            })?;
            scored.push(Scored {
                features: set.iter().map(name).collect(),
                terms,
                accuracy: accuracies.map(|shares| shares[place]),
            });
        }
        Ok(scored)
    }

    fn in_file(&self, error: Error) -> Error {
        error.in_file_of_data(self.arguments.data.file())
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

/// Rows that accuracies are taken of.
struct Rows<'a> {
    scoring: &'a Scoring<'a>,
    table: &'a Table,
    coded: &'a CodedTable,
}

impl Rows<'_> {
    /// The accuracies of all sets, unless none are wanted.
    fn accuracies(&self, sets: &[FeatureSet], progress: &Progress) -> Result<Option<Vec<Shares>>> {
        let arguments = self.scoring.arguments;
        let folds = self.folds()?;
        let n_folds = arguments.cv.unwrap_or(FOLDS);
        if folds.is_none() && n_folds == 0 {
            return Ok(None);
        }
        let n_rows = self.coded.n_rows();
        if n_rows < 2 {
            return Err(Error::data("one row cannot be scored: two are the least"));
        }
        let n_folds = folds.as_ref().map_or(n_folds, Folds::n_folds);
        let values = |estimate, folds| {
            let options = AccuracyOptions {
                training: self.scoring.training()?,
                coding: arguments.data.coding(),
                estimate,
                folds,
                seed: arguments.seed,
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

    /// The folds that were given, of the rows that were not dropped.
    fn folds(&self) -> Result<Option<Folds>> {
        let Some(file) = &self.scoring.arguments.folds else {
            return Ok(None);
        };
        let folds = Folds::read(file, self.table.n_rows())?;
        Ok(Some(match &self.coded.rows {
            Some(rows) => folds.take(rows).map_err(|error| error.in_file(file))?,
            None => folds,
        }))
    }
}

fn columns(coded: &CodedTable) -> Result<Vec<&Nominal>> {
    let features = coded.features.iter();
    features
        .map(|feature| {
            feature.coded().ok_or_else(|| {
                Error::usage("scores count values, not numbers")
                    .in_column(feature.column.name())
                    .with_hint("Bin it: leave --discretize none out.")
            })
        })
        .collect()
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
    let text = std::fs::read_to_string(file);
    let text = text.map_err(|error| Error::unreadable(error).in_file(file))?;
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
            in_words(known.len() as u64, "feature")
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
