//! `bayesieve score`: every term of the scores of given sets of features.

mod people;

use std::path::{Path, PathBuf};

use bayesieve::Result;
use bayesieve::run::{Dataset, FoldSource, ScoreOutcome, ScoreRequest};
use bayesieve::score::Structure;
use clap::Args;

use crate::options::{DataOptions, MeasureOptions, RunOptions, check_paths};

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

    #[command(flatten)]
    measures: MeasureOptions,

    /// A setting, name=value
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,

    /// Seed of the drawn folds
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,

    #[command(flatten)]
    run: RunOptions,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut data = arguments.data.request()?;
    let request = ScoreRequest {
        // All other columns count as isolated features.
        features: data.features.take(),
        subsets: arguments.subsets.clone(),
        model: arguments.model,
        cv: arguments.cv,
        folds: arguments.folds.clone().map(FoldSource::File),
        measures: arguments.measures.request(),
        settings: arguments.settings.clone(),
        seed: arguments.seed,
    };
    request.check(&data)?;
    check_files(arguments)?;
    let progress = arguments.run.start()?;
    let data = Dataset::open(&data, &progress)?;
    let outcome = request.run(&data, &progress)?;
    drop(progress);
    show(arguments, &outcome)
}

/// Refuses files that get in each other's way, before anything is read.
fn check_files(arguments: &Arguments) -> Result<()> {
    let mut inputs: Vec<&Path> = vec![arguments.data.file()];
    inputs.extend(arguments.subsets.as_deref());
    inputs.extend(arguments.folds.as_deref());
    inputs.extend(arguments.measures.file());
    check_paths(&inputs, &[("-o", arguments.run.output.as_ref())])
}

fn show(arguments: &Arguments, outcome: &ScoreOutcome) -> Result<()> {
    let json = arguments.run.write(&outcome.notes, &outcome.document())?;
    let file = arguments.data.file();
    arguments
        .run
        .print(&json, || Ok(people::show(file, outcome)))
}
