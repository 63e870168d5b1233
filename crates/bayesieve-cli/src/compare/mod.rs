//! `bayesieve compare`: methods, models and data sets under one protocol.

mod people;
mod runs;

use std::path::{Path, PathBuf};
use std::time::Duration;

use bayesieve::data::{check_folder, check_table_path, write_table};
use bayesieve::document::Early;
use bayesieve::evaluate::{PairTestKind, Protocol};
use bayesieve::run::{
    CompareOutcome, CompareRequest, DataRequest, Dataset, FoldSource, NamedDataset,
};
use bayesieve::{Error, Result, Silent};
use bayesieve_report::comparison as page_of;
use clap::Args;

use crate::checkpoint::CheckpointOptions;
use crate::options::{
    ColumnOptions, HowToRead, MeasureOptions, RunOptions, budget, check_paths, list,
};
use crate::report::{ReportOption, about};
use crate::text;

/// Points of a learning curve that is given by its ends.
const N_POINTS: usize = 8;

/// Compare methods and models on the same splits of one or more data sets
///
/// On the training rows of every split all is learned anew: cut points, what is kept, the
/// model. The test rows say how good that is, and tests say which differences are more than
/// chance.
#[derive(Args)]
#[command(after_help = "\
Pipelines are written METHOD[:COUNT]/MODEL, with settings behind commas:
  mdl-fs/tan   mrmr:20/nb   all/id3   wrapper/nb,search=floating,cv=5   mdl-fs/nb,alpha=0.5

Protocols:
  holdout:50:2/3       50 times two thirds to learn from, the rest to test on
  cv:10, cv:10x3       10 folds with every class by its share, once or three times
  5x2cv                five times two halves
  split:1000/2196x30   30 times 1,000 rows to learn from and 2,196 to test on

Examples:
  bayesieve compare data.csv
  bayesieve compare data.csv --methods mdl-fs,cfs,all --models nb,tan --protocol cv:10x3
  bayesieve compare a.csv b.csv c.csv --pipeline mdl-fs/tan --pipeline mrmr:10/nb
  bayesieve compare data.csv --protocol holdout:20:2/3 --learning-curve 25..2000
  bayesieve compare *.csv --checkpoint run.txt -o comparison.json --runs runs.csv
  bayesieve compare a.csv b.csv c.csv --report page.html")]
pub(crate) struct Arguments {
    /// One or more files: CSV (any delimiter, also gzipped), ARFF, Parquet or Arrow IPC; `-` is
    /// CSV on standard input
    #[arg(required = true, value_name = "DATA")]
    files: Vec<PathBuf>,

    /// What to compare, `METHOD[:COUNT]/MODEL`; repeat it
    #[arg(long = "pipeline", value_name = "PIPELINE", conflicts_with_all = ["methods", "models"])]
    pipelines: Vec<String>,

    /// Every one of these methods with every one of the models [default: all,mdl-fs,cfs,mrmr]
    #[arg(long, value_name = "A,B")]
    methods: Option<String>,

    /// The models for these methods [default: nb,tan]
    #[arg(long, value_name = "A,B")]
    models: Option<String>,

    /// How rows are divided: `holdout:RUNS:A/B`, `cv:FOLDS[xRUNS]`, `5x2cv`,
    /// `split:TRAIN/TEST[xRUNS]`
    #[arg(long, default_value = "cv:10", value_name = "PROTOCOL")]
    protocol: Protocol,

    /// One fold number per row, instead of a protocol, for one file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["protocol", "learning_curve"])]
    folds: Option<PathBuf>,

    /// Also learn from fewer rows: SMALLEST..LARGEST in eight steps, or sizes N,M; with holdout
    /// or split
    #[arg(long, value_name = "SIZES", value_parser = curve)]
    learning_curve: Option<Curve>,

    /// The test that wins and losses go by: paired-t, corrected-t, wilcoxon or 5x2cv-f
    /// [default: 5x2cv-f for 5x2cv, else corrected-t]
    #[arg(long, value_name = "TEST")]
    test: Option<PairTestKind>,

    #[command(flatten)]
    measures: MeasureOptions,

    /// The level of the tests
    #[arg(long, default_value_t = 0.05, value_name = "P", value_parser = level)]
    alpha: f64,

    /// Features that must stay in, whoever chooses
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    keep: Option<String>,

    /// A setting of all pipelines that have it, name=value
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,

    #[command(flatten)]
    how: HowToRead,

    #[command(flatten)]
    columns: ColumnOptions,

    /// Seed of the splits and of methods that draw
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,

    /// Stop in time with the pipelines that are finished: 30s, 5m, 1h30m
    #[arg(long, value_name = "TIME", value_parser = budget)]
    budget: Option<Duration>,

    #[command(flatten)]
    checkpoint: CheckpointOptions,

    /// Write every run as a row of this table, CSV or Parquet by extension
    #[arg(long, value_name = "FILE")]
    runs: Option<PathBuf>,

    #[command(flatten)]
    report: ReportOption,

    #[command(flatten)]
    run: RunOptions,
}

/// `--learning-curve`.
#[derive(Clone)]
struct Curve(Vec<usize>);

impl Arguments {
    fn request(&self) -> Result<CompareRequest> {
        let default = CompareRequest::default();
        let split = |text: &Option<String>, default| match text {
            Some(text) => text.split(',').map(|part| part.trim().to_owned()).collect(),
            None => default,
        };
        Ok(CompareRequest {
            pipelines: self.pipelines.clone(),
            methods: split(&self.methods, default.methods),
            models: split(&self.models, default.models),
            settings: self.settings.clone(),
            keep: list("--keep", &self.keep)?.unwrap_or_default(),
            protocol: self.protocol,
            folds: self.folds.clone().map(FoldSource::File),
            curve: self.learning_curve.as_ref().map(|curve| curve.0.clone()),
            measures: self.measures.request(),
            test: self.test,
            alpha: self.alpha,
            seed: self.seed,
            budget: self.budget,
            checkpoint: self.checkpoint.request(),
        })
    }

    /// One request per file.
    fn data(&self) -> Result<Vec<DataRequest>> {
        let columns = self.columns.request(&self.how)?;
        let files = self.files.iter();
        Ok(files
            .map(|file| DataRequest {
                file: Some(file.clone()),
                ..columns.clone()
            })
            .collect())
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let (data, request) = (arguments.data()?, arguments.request()?);
    request.check(&data)?;
    check_files(arguments, &request)?;
    let progress = arguments.run.start()?;
    let named = data.iter().zip(names(&arguments.files));
    let data = named.map(|(data, name)| {
        let data = Dataset::open(data, &progress)?;
        Ok(NamedDataset { name, data })
    });
    let data = data.collect::<Result<Vec<NamedDataset>>>()?;
    let outcome = request.run(data, &progress)?;
    drop(progress);
    show(arguments, &outcome)?;
    if outcome.early == Some(Early::Interrupted) {
        // What was finished is out; the exit code still says that it was cut short.
        Err(Error::interrupted())
    } else {
        Ok(())
    }
}

/// Refuses files that get in each other's way or cannot be written, before anything is read.
fn check_files(arguments: &Arguments, request: &CompareRequest) -> Result<()> {
    for (place, file) in arguments.files.iter().enumerate() {
        if arguments.files[..place].contains(file) {
            let twice = format!("{} is given twice", text::file(file));
            return Err(Error::usage(twice).with_hint("Give every file once."));
        }
    }
    let blocks = request.files()?;
    let inputs = arguments
        .files
        .iter()
        .chain(&arguments.folds)
        .chain(&blocks);
    let inputs = inputs.map(PathBuf::as_path);
    let inputs: Vec<&Path> = inputs.chain(arguments.measures.file()).collect();
    let outputs = [
        ("-o", arguments.run.output.as_ref()),
        ("--runs", arguments.runs.as_ref()),
        arguments.checkpoint.output(),
        arguments.report.path(),
    ];
    check_paths(&inputs, &outputs)?;
    arguments.report.check()?;
    arguments.runs.as_deref().map_or(Ok(()), check_table_path)?;
    let mut files = outputs.iter().filter_map(|(_, file)| *file);
    files.try_for_each(|file| check_folder(file))
}

/// Names of data sets: those of their files, without endings where that leaves them distinct.
fn names(files: &[PathBuf]) -> Vec<String> {
    let short = |file: &PathBuf| {
        let name = file.file_name().unwrap_or(file.as_os_str());
        let name = name.to_string_lossy().into_owned();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        match name.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
            _ => name.to_owned(),
        }
    };
    let shorts: Vec<String> = files.iter().map(short).collect();
    let named = files.iter().zip(&shorts).map(|(file, name)| {
        let n_alike = shorts.iter().filter(|other| *other == name).count();
        match n_alike {
            1 => name.clone(),
            _ => file.display().to_string(),
        }
    });
    named.collect()
}

fn curve(text: &str) -> std::result::Result<Curve, String> {
    let wrong = || "write two sizes with dots between, 25..2000, or a list, 25,100,400".to_owned();
    let size = |text: &str| {
        let size: Option<usize> = text.trim().parse().ok();
        size.filter(|&size| size >= 2).ok_or_else(wrong)
    };
    let sizes: std::result::Result<Vec<usize>, String> = match text.split_once("..") {
        Some((from, to)) => {
            let (from, to) = (size(from)?, size(to)?);
            let ratio = to as f64 / from as f64;
            let step = |n: usize| ratio.powf(n as f64 / (N_POINTS - 1) as f64);
            let points = (0..N_POINTS).map(|n| (from as f64 * step(n)).round() as usize);
            (from < to).then(|| points.collect()).ok_or_else(wrong)
        }
        None => text.split(',').map(size).collect(),
    };
    let mut sizes = sizes?;
    sizes.sort_unstable();
    sizes.dedup();
    Ok(Curve(sizes))
}

fn level(text: &str) -> std::result::Result<f64, String> {
    let level = text.parse().ok().filter(|p| (1e-6..=0.5).contains(p));
    level.ok_or_else(|| "write a number from 0.000001 to 0.5".to_owned())
}

fn show(arguments: &Arguments, outcome: &CompareOutcome) -> Result<()> {
    let comparison = &outcome.comparison;
    let warnings = &comparison.warnings;
    let json = arguments.run.write(warnings, &outcome.document()?)?;
    if let Some(file) = &arguments.runs {
        write_table(file, &runs::table(comparison)?, &Silent)?;
    }
    if arguments.report.is_asked_for() {
        let files = arguments.files.iter().map(|file| text::file(file));
        let files: Vec<String> = files.collect();
        let about = about(files.join(", "), outcome.seconds);
        let page = page_of(&about, outcome)?;
        arguments.report.write(|| page)?;
    }
    arguments.run.print(&json, || people::show(outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_ranges_or_lists() {
        let sizes = |text: &str| curve(text).map(|curve| curve.0);
        // 25 * 80^(n/7)
        let range = sizes("25..2000").unwrap();
        assert_eq!(range, [25, 47, 87, 164, 306, 572, 1069, 2000]);
        assert_eq!(sizes("100, 25,100").unwrap(), [25, 100]);
        for wrong in ["", "25..", "9..9", "20..10", "1,2", "a..b", "-5..10"] {
            assert!(sizes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn data_sets_go_by_their_files() {
        let files = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        assert_eq!(
            names(&files(&["x/a.csv", "b.csv.gz", "-"])),
            ["a", "b", "-"]
        );
        assert_eq!(
            names(&files(&["x/a.csv", "y/a.csv"])),
            ["x/a.csv", "y/a.csv"]
        );
        assert_eq!(names(&files(&[".csv"])), [".csv"]);
    }
}
