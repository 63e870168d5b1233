//! `bayesieve select`: choose features and say why each other one is out.

mod document;
mod people;

use std::time::{Duration, Instant};

use bayesieve::Result;
use bayesieve::score::Structure;
use bayesieve::search::{Limits, Search, Stop};
use bayesieve::select::{Method, SelectOptions, Selection, select};
use bayesieve::wording::grouped;
use bayesieve::{Error, quoted};
use clap::Args;

use crate::options::{DataOptions, RunOptions, budget, check_paths, names, start_threads};
use crate::output::{self, Seconds};
use crate::progress::Progress;

/// Choose features and say why each other one is out
#[derive(Args)]
#[command(after_help = "\
Methods and their settings: bayesieve methods, bayesieve methods NAME.

Examples:
  bayesieve select data.csv
  bayesieve select data.csv --class income --method mrmr --count 10
  bayesieve select data.csv --method mdl-fs --model nb --keep age -o selection.json
  bayesieve train data.csv --selection selection.json -o model.json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    data: DataOptions,

    /// How to choose; `bayesieve methods` lists them
    #[arg(long, default_value = "mdl-fs", value_name = "METHOD", value_parser = Method::named)]
    method: &'static Method,

    /// The classifier whose score counts, for methods by score: nb or tan [default: tan]
    #[arg(long, value_name = "MODEL")]
    model: Option<Structure>,

    /// How sets are walked, for methods by score [default: the method's own, mostly forward]
    #[arg(long, value_name = "SEARCH")]
    search: Option<Search>,

    /// How many features to keep, for methods that rank [default: the method's own stop]
    #[arg(long, value_name = "K")]
    count: Option<usize>,

    /// Features that must stay in
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    keep: Option<String>,

    /// A setting of the method, name=value
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,

    /// Stop in time with the best so far: 500ms, 30s, 5m, 1h30m
    #[arg(long, value_name = "TIME", value_parser = budget)]
    budget: Option<Duration>,

    /// Seed of methods that draw
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,

    /// Dropped features to show in the table, the most telling first; 0 for all
    #[arg(long, default_value_t = 50, value_name = "N")]
    top: usize,

    #[command(flatten)]
    run: RunOptions,
}

/// Above this many bytes a run says so before it begins.
const MUCH_MEMORY: u64 = 1_000_000_000;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let outputs = [("-o", arguments.run.output.as_ref())];
    check_paths(&[arguments.data.file()], &outputs)?;
    let options = options(arguments)?;
    start_threads(arguments.run.threads)?;
    let progress = Progress::start(arguments.run.quiet)?;

    let (table, read) = arguments.data.read(&progress)?;
    let start = Instant::now();
    let roles = arguments.data.roles(&table)?;
    check_keep(arguments, &options, &table, &roles)?;
    progress.stage("binning");
    let coded = arguments.data.code(&table, &roles)?;
    progress.check()?;
    warn_of_memory(arguments, &options, coded.features.len());
    progress.stage("selecting");
    let limits = Limits::new(&progress).with_budget(arguments.budget);
    let mut selection = select(&coded, &options, &limits)
        .map_err(|error| error.in_file_of_data(arguments.data.file()))?;
    let excluded = roles.excluded.iter();
    selection.exclude(excluded.map(|&place| table.columns()[place].name().to_owned()));
    let notes = roles.notes.iter().chain(&coded.notes);
    selection.warnings.splice(0..0, notes.cloned());
    if let Some(model) = arguments.model.filter(|_| selection.model.is_none()) {
        selection.warnings.push(format!(
            "{} scores no classifier: --model {model} has no effect on it",
            selection.method
        ));
    }
    drop(progress);
    show(arguments, &selection, Seconds::new(read, start.elapsed()))
}

fn options(arguments: &Arguments) -> Result<SelectOptions> {
    let mut options = SelectOptions::new(arguments.method)?
        .with_settings(arguments.settings.iter().map(String::as_str))?
        .with_missing(arguments.data.missing())?
        .with_structure(arguments.model.unwrap_or_default());
    if let Some(search) = arguments.search {
        options = options.with_search(search)?;
    }
    if let Some(count) = arguments.count {
        options = options.with_count(count)?;
    }
    if let Some(text) = &arguments.keep {
        options.keep = names("--keep", text)?;
    }
    options.seed = arguments.seed;
    Ok(options)
}

/// A feature to keep must be a candidate: said before anything is computed.
fn check_keep(
    arguments: &Arguments,
    options: &SelectOptions,
    table: &bayesieve::data::Table,
    roles: &bayesieve::data::Roles,
) -> Result<()> {
    for name in &options.keep {
        let Some(place) = table.position(name) else {
            let known = roles.features.iter().map(|&f| table.columns()[f].name());
            return Err(bayesieve::data::unknown_name("feature", name, known));
        };
        if roles.excluded.contains(&place) {
            let option = arguments.data.excluding_option();
            return Err(Error::usage(format!(
                "--keep names {}, which {option} leaves out",
                quoted(name)
            ))
            .with_hint("Name it in one of them."));
        }
    }
    Ok(())
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

fn show(arguments: &Arguments, selection: &Selection, seconds: Seconds) -> Result<()> {
    for warning in &selection.warnings {
        output::note(arguments.run.quiet, warning);
    }
    let json = output::json(&document::new(selection, seconds))?;
    if let Some(file) = &arguments.run.output {
        output::write(file, &json)?;
    }
    if arguments.run.json {
        output::print(&json)?;
    } else {
        let file = arguments.data.file();
        output::print(&people::show(file, selection, arguments.top))?;
    }
    match selection.stop {
        // What was found is out; the exit code still says that it was cut short.
        Stop::Interrupted => Err(Error::interrupted()),
        _ => Ok(()),
    }
}
