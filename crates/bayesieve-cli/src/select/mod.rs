//! `bayesieve select`: choose features and say why each other one is out.

mod auto;
mod blocks;
mod counted;
mod page;
mod people;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bayesieve::Result;
use bayesieve::classify::{Classifier, ModelKind, TrainOptions};
use bayesieve::data::{CodedTable, CodingOptions, Folds, Roles, Table};
use bayesieve::document::{self, Seconds};
use bayesieve::evaluate::{Auto, Honest};
use bayesieve::search::{Limits, Search};
use bayesieve::select::{Method, SelectOptions, Selection, select};
use bayesieve::wording::grouped;
use bayesieve::{Error, Observer};
use clap::Args;

use crate::checkpoint::CheckpointOptions;
use crate::options::{
    DataOptions, RunOptions, budget, check_blocks, check_keep, check_paths, files_of_settings,
    names, start_threads,
};
use crate::output;
use crate::progress::Progress;
use crate::report::ReportOption;

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
    #[arg(long, value_name = "METHOD", value_parser = Choice::named)]
    method: Option<Choice>,

    /// The classifier whose score counts: nb, tan, k2, cb, block or id3, as far as the method has a
    /// score for it [default: the method's own; auto tries nb and tan]
    #[arg(long, value_name = "MODEL")]
    model: Option<ModelKind>,

    /// How sets are walked, for methods by score [default: the method's own, mostly forward]
    #[arg(long, value_name = "SEARCH")]
    search: Option<Search>,

    /// How many features to keep, for methods that rank [default: the method's own stop]
    #[arg(long, value_name = "K")]
    count: Option<usize>,

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

/// `--method`.
#[derive(Clone, Copy)]
enum Choice {
    Auto,
    Method(&'static Method),
}

impl Choice {
    fn named(text: &str) -> Result<Self> {
        match text {
            Auto::NAME => Ok(Choice::Auto),
            name => Method::named(name).map(Choice::Method),
        }
    }
}

/// What to do, checked before anything is read.
enum Plan {
    Auto(Box<auto::Plan>),
    Method(Box<SelectOptions>),
}

/// Above this many bytes a run says so before it begins.
const MUCH_MEMORY: u64 = 1_000_000_000;

/// A table that is ready to be selected from.
struct Data {
    table: Table,
    roles: Roles,
    coded: CodedTable,
}

/// What was found, ready to be shown.
struct Found {
    selection: Selection,
    /// The model of what is kept, for its drawing.
    model: Option<Classifier>,
    coding: CodingOptions,
    class_counts: Vec<u64>,
    seconds: Seconds,
    is_interrupted: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    arguments.data.check()?;
    check_files(arguments)?;
    if arguments.data.counted.is_given() {
        counted::run(arguments)
    } else {
        on_rows(arguments)
    }
}

/// From rows in memory.
fn on_rows(arguments: &Arguments) -> Result<()> {
    let plan = match arguments.method.unwrap_or(Choice::Auto) {
        Choice::Auto => Plan::Auto(Box::new(auto::Plan::new(arguments)?)),
        Choice::Method(method) => Plan::Method(Box::new(options(arguments, method)?)),
    };
    start_threads(arguments.run.threads)?;
    let progress = Progress::start(arguments.run.quiet)?;

    let (table, read) = arguments.data.read(&progress)?;
    let start = Instant::now();
    let data = prepared(arguments, table, &progress)?;
    progress.check()?;
    progress.stage("selecting");
    let limits = Limits::new(&progress).with_budget(arguments.budget);
    let (mut selection, training) = match plan {
        Plan::Auto(plan) => plan.run(arguments, &data, &limits)?,
        Plan::Method(options) => by_method(arguments, &data, *options, &limits)?,
    };
    let excluded = data.roles.excluded.iter();
    selection.exclude(excluded.map(|&place| data.table.columns()[place].name().to_owned()));
    let notes = data.roles.notes.iter().chain(&data.coded.notes);
    selection.warnings.splice(0..0, notes.cloned());
    let is_interrupted = progress.is_cancelled();
    let coding = arguments.data.coding();
    let model = page::model(arguments, (&selection, &progress), || {
        selection.train_on_kept((&data.table, &data.roles), coding, &training, &progress)
    });
    drop(progress);
    finish(
        arguments,
        &Found {
            selection,
            model,
            coding,
            class_counts: data.coded.class.counts(),
            seconds: Seconds::new(read, start.elapsed()),
            is_interrupted,
        },
    )
}

/// Shows and writes what was found.
fn finish(arguments: &Arguments, found: &Found) -> Result<()> {
    show(arguments, found)?;
    page::write(arguments, found)?;
    if found.is_interrupted {
        // What was found is out; the exit code still says that it was cut short.
        Err(Error::interrupted())
    } else {
        Ok(())
    }
}

/// What one method says, and how to train on what it keeps.
fn by_method(
    arguments: &Arguments,
    data: &Data,
    options: SelectOptions,
    limits: &Limits<'_>,
) -> Result<(Selection, TrainOptions)> {
    let options = match &arguments.folds {
        Some(file) => options.with_folds(folds(file, data)?)?,
        None => options,
    };
    warn_of_memory(arguments, &options, data.coded.features.len());
    let mut selection = select(&data.coded, &options, limits)
        .map_err(|error| error.in_file_of_data(arguments.data.file()))?;
    test_honestly(arguments, data, (&options, limits), &mut selection)?;
    warn_of_model(arguments, &mut selection);
    Ok((selection, options.final_training()?))
}

fn prepared(arguments: &Arguments, table: Table, progress: &Progress) -> Result<Data> {
    let roles = arguments.data.roles(&table)?;
    check_blocks(&arguments.settings, &table)?;
    check_keep(&kept_by_user(arguments)?, (&table, &roles), &arguments.data)?;
    progress.stage("binning");
    let coded = arguments.data.code(&table, &roles)?;
    Ok(Data {
        table,
        roles,
        coded,
    })
}

/// Says when `--model` had nothing to do.
fn warn_of_model(arguments: &Arguments, selection: &mut Selection) {
    let has_model = selection.model.is_some() || selection.honest.is_some();
    if let Some(model) = arguments.model.filter(|_| !has_model) {
        selection.warnings.push(format!(
            "{} scores no classifier: --model {model} has no effect on it",
            selection.method
        ));
    }
}

/// Tests the whole procedure on other rows, where that is asked for or the rule.
fn test_honestly(
    arguments: &Arguments,
    data: &Data,
    (options, limits): (&SelectOptions, &Limits<'_>),
    selection: &mut Selection,
) -> Result<()> {
    let used = data.coded.used_rows(&data.table);
    let honest = Honest {
        table: &used,
        roles: &data.roles,
        options,
    };
    let is_asked_for = if arguments.no_honest {
        Some(false)
    } else {
        arguments.honest
    };
    // Who wants a page wants to know what the features buy.
    let is_rule = || honest.is_default() || (arguments.report.is_asked_for() && honest.is_small());
    if !is_asked_for.unwrap_or_else(is_rule) {
        return Ok(());
    }
    honest.add_to(selection, limits)
}

/// Refuses files that get in each other's way, before anything is read.
fn check_files(arguments: &Arguments) -> Result<()> {
    let mut inputs: Vec<&Path> = vec![arguments.data.file()];
    inputs.extend(arguments.folds.as_deref());
    let files = files_of_settings(&arguments.settings);
    inputs.extend(files.iter().map(PathBuf::as_path));
    let outputs = [
        ("-o", arguments.run.output.as_ref()),
        arguments.checkpoint.output(),
        arguments.report.path(),
    ];
    check_paths(&inputs, &outputs)?;
    arguments.report.check()
}

/// Features that `--keep` names.
fn kept_by_user(arguments: &Arguments) -> Result<Vec<String>> {
    match &arguments.keep {
        Some(text) => names("--keep", text),
        None => Ok(Vec::new()),
    }
}

fn options(arguments: &Arguments, method: &'static Method) -> Result<SelectOptions> {
    let mut options = SelectOptions::new(method)?.with_coding(arguments.data.coding())?;
    if let Some(model) = arguments.model {
        options = options.with_model(model)?;
    }
    if let Some(search) = arguments.search {
        options = options.with_search(search)?;
    }
    options = options.with_settings(arguments.settings.iter().map(String::as_str))?;
    if let Some(count) = arguments.count {
        options = options.with_count(count)?;
    }
    options.keep = kept_by_user(arguments)?;
    options.seed = arguments.seed;
    if arguments.folds.is_some() {
        options.check_folds()?;
    }
    if arguments.checkpoint.is_asked_for() {
        options.check_checkpoint()?;
    }
    options.checkpoint = arguments.checkpoint.open()?;
    Ok(options)
}

/// The folds of the rows that are used.
fn folds(file: &Path, data: &Data) -> Result<Folds> {
    let folds = Folds::read(file, data.table.n_rows())?;
    match &data.coded.rows {
        Some(rows) => folds.take(rows).map_err(|error| error.in_file(file)),
        None => Ok(folds),
    }
}

/// Says in advance when all pairs of features will take much memory.
fn warn_of_memory(arguments: &Arguments, options: &SelectOptions, n_features: usize) {
    let bytes = options.bytes_of_pairs(n_features);
    if bytes > MUCH_MEMORY {
        let gigabytes = bytes as f64 / 1e9;
        let pairs = format!("all pairs of {} features", grouped(n_features as u64));
        output::note(
            arguments.run.quiet,
            &format!("{pairs} take {gigabytes:.1} GB; --search forward needs far less"),
        );
    }
}

fn show(arguments: &Arguments, found: &Found) -> Result<()> {
    let selection = &found.selection;
    for warning in &selection.warnings {
        output::note(arguments.run.quiet, warning);
    }
    let document = document::selection(selection, found.coding, found.seconds);
    let json = document::to_text(&document)?;
    if let Some(file) = &arguments.run.output {
        output::write(file, &json)?;
    }
    if arguments.run.json {
        output::print(&json)?;
    } else {
        let file = arguments.data.file();
        output::print(&people::show(file, selection, arguments.top))?;
    }
    Ok(())
}
