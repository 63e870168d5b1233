//! `select` on counts: the rows are somewhere else.

use std::time::Instant;

use bayesieve::data::check_folder;
use bayesieve::document::Seconds;
use bayesieve::evaluate::Auto;
use bayesieve::search::Limits;
use bayesieve::select::{Method, SelectOptions, Takes, select_counted};
use bayesieve::{Error, Observer, Result, quoted};

use super::{
    Arguments, Choice, Found, finish, kept_by_user, options, page, warn_of_memory, warn_of_model,
};
use crate::counted;
use crate::options::{check_keep, start_threads};
use crate::progress::Progress;

/// The method where none is named: fast on any counts, and with a stop of its own.
const DEFAULT: &str = "mdl-fs";

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let options = checked(arguments)?;
    start_threads(arguments.run.threads)?;
    let progress = Progress::start(arguments.run.quiet)?;

    let data = counted::open(&arguments.data, &progress, |data, header| {
        let roles = data.roles(header)?;
        check_keep(&kept_by_user(arguments)?, (header, &roles), data)?;
        Ok(roles)
    })?;
    let start = Instant::now();
    let options = options.with_coding(data.coding)?;
    progress.check()?;
    progress.stage("selecting");
    let limits = Limits::new(&progress).with_budget(arguments.budget);
    warn_of_memory(arguments, &options, data.counted.facts().len());
    let mut selection = select_counted(&data.counted, &options, &limits)
        .map_err(|error| error.in_file_of_data(arguments.data.file()))?;
    warn_of_model(arguments, &mut selection);
    selection.exclude(data.excluded);
    let by_default = arguments.method.is_none().then(|| {
        format!(
            "auto needs the rows in memory: the method is {DEFAULT}, unless --method names another"
        )
    });
    let notes = data.notes.into_iter().chain(by_default);
    selection.warnings.splice(0..0, notes);
    let is_interrupted = progress.is_cancelled();
    let training = options.final_training()?;
    let model = page::model(arguments, (&selection, &progress), || {
        selection.train_on_kept_counts(&data.counted, &training, &progress)
    });
    drop(progress);
    finish(
        arguments,
        &Found {
            selection,
            model,
            coding: data.coding,
            class_counts: data.counted.tables().class_counts().to_vec(),
            seconds: Seconds::new(data.read, start.elapsed()),
            is_interrupted,
        },
    )
}

/// What to do, checked before anything is read.
fn checked(arguments: &Arguments) -> Result<SelectOptions> {
    arguments.data.counted.refuse(&[
        ("--folds", arguments.folds.is_some()),
        ("--honest", arguments.honest == Some(true)),
        ("--checkpoint", arguments.checkpoint.is_asked_for()),
    ])?;
    let method = match arguments.method {
        None => Method::named(DEFAULT)?,
        Some(Choice::Method(method)) => method,
        Some(Choice::Auto) => {
            let what = format!("{} compares methods by accuracy, which", Auto::NAME);
            return Err(needs_rows(arguments, &what));
        }
    };
    if !method.takes.counts {
        return Err(needs_rows(arguments, &quoted(method.name)));
    }
    if let Some(file) = &arguments.run.output {
        check_folder(file)?;
    }
    options(arguments, method)
}

/// The error of a method that cannot do without rows.
fn needs_rows(arguments: &Arguments, what: &str) -> Error {
    let is_streamed = arguments.data.counted.is_streamed();
    // Files of counts have pairs only.
    let (option, works): (&str, fn(&Takes) -> bool) = if is_streamed {
        ("--memory", |takes| takes.counts)
    } else {
        ("--counts", |takes| takes.pairs)
    };
    let others = Method::names_of_those(works);
    Error::usage(format!("{what} needs the rows in memory"))
        .with_hint(format!("Name a method that works with {option}: {others}."))
}
