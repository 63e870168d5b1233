//! `bayesieve select`: choose features and say why each other one is out.

mod auto;
mod blocks;
mod people;
mod performance;

use std::path::{Path, PathBuf};
use std::time::Duration;

use bayesieve::classify::ModelKind;
use bayesieve::data::check_folder;
use bayesieve::run::{
    Dataset, FoldSource, MethodChoice, SelectOutcome, SelectRequest, SizeRule, block_files,
};
use bayesieve::search::Search;
use bayesieve::{Error, Result};
use bayesieve_report::selection as page_of;
use clap::Args;

use crate::checkpoint::CheckpointOptions;
use crate::options::{DataOptions, MeasureOptions, RunOptions, budget, check_paths, list};
use crate::report::{ReportOption, about};
use crate::text;

/// Choose features and say why each other one is out
#[derive(Args)]
#[command(after_help = "\
Methods and their settings: bayesieve methods, bayesieve methods NAME.

Examples:
  bayesieve select data.csv
  bayesieve select data.csv --class income --method mrmr --count 10 --report page.html
  bayesieve select data.csv --method mdl-fs --model nb --keep age -o selection.json
  bayesieve select data.csv --method wrapper --model tan --search floating --set cv=5
  bayesieve select data.csv --method fss-ebna --model id3 --checkpoint run.txt --budget 1h
  bayesieve select --counts all.counts --method mdl-fs
  bayesieve train data.csv --selection selection.json -o model.json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    data: DataOptions,

    /// How to choose: auto tries the fast methods and takes the smallest set that does about as
    /// well as the best; `bayesieve methods` lists all [default: auto; mdl-fs with --counts]
    #[arg(long, value_name = "METHOD")]
    method: Option<MethodChoice>,

    /// The classifier whose score counts: nb, tan, k2, cb, block or id3, as far as the method has a
    /// score for it [default: the method's own; auto tries nb and tan]
    #[arg(long, value_name = "MODEL")]
    model: Option<ModelKind>,

    /// How sets are walked, for methods by score [default: the method's own, mostly forward]
    #[arg(long, value_name = "SEARCH")]
    search: Option<Search>,

    /// How many features to keep, for methods with an order [default: the method's own stop]
    #[arg(long, value_name = "K")]
    count: Option<usize>,

    /// What ends the order of the features: own for the method's own stop, cv for the smallest
    /// number that predicts about as well as the best [default: own; cv with auto]
    #[arg(long, value_name = "RULE")]
    size: Option<SizeRule>,

    #[command(flatten)]
    measures: MeasureOptions,

    /// How far from the best the measure may be for fewer features, in units of the measure
    /// [default: one standard error of the paired difference]
    #[arg(long, value_name = "X")]
    tolerance: Option<f64>,

    /// Features that must stay in
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    keep: Option<String>,

    /// A setting of the method, its search or its model, name=value
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,

    /// Stop in time with the best so far: 500ms, 30s, 5m, 1h30m. The time counts once the rows
    /// are read; with --memory, once they are read twice, for labels and cut points and for the
    /// first counts
    #[arg(long, value_name = "TIME", value_parser = budget)]
    budget: Option<Duration>,

    #[command(flatten)]
    checkpoint: CheckpointOptions,

    /// One fold number per row, instead of drawn folds, for methods that cross-validate
    #[arg(long, value_name = "FILE")]
    folds: Option<PathBuf>,

    /// Also estimate the accuracy of the whole procedure on rows it has not seen: the
    /// selection runs ten times more, on halves [default: for methods by accuracy with nb
    /// or tan, and with --report, up to 5,000 rows and 100 features]
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    honest: Option<bool>,

    /// Never do that
    #[arg(long, conflicts_with = "honest")]
    no_honest: bool,

    /// Also shuffle the classes N times, select again, and say how often that does as well
    #[arg(long, value_name = "N")]
    permutations: Option<usize>,

    /// Seed of methods that draw
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,

    /// Dropped features to show in the table, the most telling first; 0 for all
    #[arg(long, default_value_t = 50, value_name = "N")]
    top: usize,

    #[command(flatten)]
    report: ReportOption,

    #[command(flatten)]
    run: RunOptions,
}

impl Arguments {
    fn request(&self) -> Result<SelectRequest> {
        Ok(SelectRequest {
            method: self.method,
            model: self.model,
            search: self.search,
            count: self.count,
            keep: list("--keep", &self.keep)?.unwrap_or_default(),
            settings: self.settings.clone(),
            seed: self.seed,
            budget: self.budget,
            folds: self.folds.clone().map(FoldSource::File),
            checkpoint: self.checkpoint.request(),
            honest: if self.no_honest {
                Some(false)
            } else {
                self.honest
            },
            permutations: self.permutations,
            with_model: self.report.is_asked_for(),
            measures: self.measures.request(),
            size: self.size,
            tolerance: self.tolerance,
        })
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let (data, request) = (arguments.data.request()?, arguments.request()?);
    check_files(arguments)?;
    request.check(&data)?;
    let progress = arguments.run.start()?;
    let data = Dataset::open(&data, &progress)?;
    let outcome = request.run(&data, &progress)?;
    drop(progress);
    show(arguments, &outcome)?;
    if outcome.is_interrupted {
        // What was found is out; the exit code still says that it was cut short.
        Err(Error::interrupted())
    } else {
        Ok(())
    }
}

/// Refuses files that get in each other's way or cannot be written, before anything is read.
fn check_files(arguments: &Arguments) -> Result<()> {
    let mut inputs: Vec<&Path> = vec![arguments.data.file()];
    inputs.extend(arguments.folds.as_deref());
    inputs.extend(arguments.measures.file());
    inputs.extend(block_files(&arguments.settings));
    let outputs = [
        ("-o", arguments.run.output.as_ref()),
        arguments.checkpoint.output(),
        arguments.report.path(),
    ];
    check_paths(&inputs, &outputs)?;
    arguments.report.check()?;
    arguments.run.output.as_deref().map_or(Ok(()), check_folder)
}

fn show(arguments: &Arguments, outcome: &SelectOutcome) -> Result<()> {
    let selection = &outcome.selection;
    let warnings = &selection.warnings;
    let json = arguments.run.write(warnings, &outcome.document())?;
    let file = arguments.data.file();
    let people = || Ok(people::show(file, selection, arguments.top));
    arguments.run.print(&json, people)?;
    let about = about(text::file(file), outcome.seconds);
    arguments.report.write(|| page_of(&about, outcome))
}
