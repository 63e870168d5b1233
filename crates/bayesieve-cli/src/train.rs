//! `bayesieve train`: learn a classifier, write a model file.

use std::path::{Path, PathBuf};
use std::time::Instant;

use bayesieve::classify::{Classifier, Coding, ModelKind, TrainOptions};
use bayesieve::data::write_whole;
use bayesieve::network::{to_bif, to_dot, to_json, to_net, to_xmlbif};
use bayesieve::wording::counted;
use bayesieve::{Error, Result};
use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};

use crate::options::{DataOptions, check_paths, start_threads};
use crate::output::{self, Seconds};
use crate::progress::Progress;
use crate::text;

/// Learn a classifier and write a model file
#[derive(Args)]
#[command(after_help = "\
Settings (--set name=value, repeated):
  smoothing  laplace (default), ml, dirichlet, mixing         nb, tan, k2, cb
  alpha      what laplace adds to every cell [1], or a weight  nb, tan, k2, cb
  divisor    of variances: n-1 (default) or n                  nb
  parents    most parents of a node [5]                        k2, cb
  level      of the chi-square tests [cb 0.05, id3 0.01]       cb, id3
  stop       accuracy (default) or score                       cb

Examples:
  bayesieve train data.csv --model tan -o model.json
  bayesieve train data.csv --model nb --discretize none --features age,income -o model.json
  bayesieve train data.csv --selection selection.json -o model.json
  bayesieve train data.csv --model k2 --format bif -o network.bif")]
pub(crate) struct Arguments {
    #[command(flatten)]
    data: DataOptions,

    /// The model: nb, tan, k2, cb or id3
    #[arg(long, default_value = "tan", value_name = "MODEL")]
    model: ModelKind,

    /// Use the features that this selection file keeps
    #[arg(long, value_name = "FILE", conflicts_with = "features")]
    selection: Option<PathBuf>,

    /// A setting of the model, name=value
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,

    /// What to write: the model, or its network in another format
    #[arg(long, default_value = "model", value_name = "FORMAT")]
    format: Format,

    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Threads to use, 0 for all cores; never changes an answer
    #[arg(long, default_value_t = 0, value_name = "N")]
    threads: usize,

    /// Print a summary as JSON
    #[arg(long)]
    json: bool,

    /// No progress and no notes; errors still show
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    Model,
    Bif,
    Xmlbif,
    Net,
    Dot,
    Json,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut inputs: Vec<&Path> = vec![arguments.data.file()];
    inputs.extend(arguments.selection.as_deref());
    check_paths(&inputs, &[("-o", Some(&arguments.output))])?;
    let options = TrainOptions::new(arguments.model)
        .with_settings(arguments.settings.iter().map(String::as_str))?;
    arguments.data.refuse_available("train")?;
    start_threads(arguments.threads)?;
    let selection = match &arguments.selection {
        Some(file) => read_selection(file)?,
        None => Value::Null,
    };
    let progress = Progress::start(arguments.quiet)?;

    let start = Instant::now();
    progress.stage("reading");
    let table = arguments.data.reading.read(&progress)?;
    let read = start.elapsed();

    let start = Instant::now();
    let roles = arguments.data.roles_of(&table, kept(&selection)?)?;
    let coded = arguments.data.code(&table, &roles)?;
    progress.stage("training");
    let classifier = Classifier::train(&coded, &options, &progress)
        .map_err(|error| error.in_file(arguments.data.file()))?;
    progress.check()?;
    drop(progress);
    write(arguments, &classifier, selection)?;
    let seconds = Seconds::new(read, start.elapsed());
    for note in roles.notes.iter().chain(&coded.notes) {
        output::note(arguments.quiet, note);
    }
    if arguments.json {
        output::print(&output::json(&summary(
            &classifier,
            coded.n_rows(),
            seconds,
        ))?)
    } else {
        output::print(&people(arguments, &classifier, coded.n_rows()))
    }
}

/// The document of a selection, checked as far as it is used here.
fn read_selection(file: &Path) -> Result<Value> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        Error::data("the selection cannot be read")
            .with_source(error)
            .in_file(file)
    })?;
    let document: Value = serde_json::from_str(&text).map_err(|error| {
        Error::data(format!("this is no selection file: {error}")).in_file(file)
    })?;
    if document["schema"] != "bayesieve.selection.v1" || !document["kept"].is_array() {
        return Err(
            Error::data("this is no selection file of schema bayesieve.selection.v1").in_file(file),
        );
    }
    Ok(document)
}

/// The names that a selection keeps.
fn kept(selection: &Value) -> Result<Option<Vec<String>>> {
    let Some(kept) = selection["kept"].as_array() else {
        return Ok(None);
    };
    let name = |value: &Value| {
        value
            .as_str()
            .map(str::to_owned)
            .ok_or_else(|| Error::data("a kept feature has no name"))
    };
    kept.iter().map(name).collect::<Result<Vec<_>>>().map(Some)
}

fn write(arguments: &Arguments, classifier: &Classifier, selection: Value) -> Result<()> {
    if arguments.format == Format::Model {
        return classifier.write(&arguments.output, selection);
    }
    let network = classifier.network().ok_or_else(|| {
        Error::usage(format!(
            "{} is no network and cannot be written as one",
            arguments.model
        ))
        .with_hint("Write the model (--format model).")
    })?;
    let numbers: Vec<&str> = classifier
        .features()
        .iter()
        .filter(|feature| feature.coding == Coding::Numbers)
        .map(|feature| feature.name.as_str())
        .collect();
    if let [first, ..] = numbers[..] {
        return Err(
            Error::usage("a network file cannot hold numbers that are not binned")
                .in_column(first)
                .with_hint("Bin them (--discretize mdlp), or write the model (--format model)."),
        );
    }
    let text = match arguments.format {
        Format::Bif => to_bif(network),
        Format::Xmlbif => to_xmlbif(network)?,
        Format::Net => to_net(network)?,
        Format::Dot => to_dot(network),
        Format::Json | Format::Model => to_json(network),
    };
    write_whole(&arguments.output, |out| out.write_all(text.as_bytes()))
}

fn summary(classifier: &Classifier, n_rows: usize, seconds: Seconds) -> Value {
    let features: Vec<&str> = classifier
        .features()
        .iter()
        .map(|f| f.name.as_str())
        .collect();
    let required: Vec<&str> = classifier
        .required_features()
        .iter()
        .map(|&i| features[i])
        .collect();
    let parents = classifier.network().map(|network| {
        let name = |node: usize| network.variables()[node].name.as_str();
        let nodes = 0..network.dag().n_nodes();
        let listed = |node: usize| {
            let parents: Vec<&str> = network
                .dag()
                .parents(node)
                .iter()
                .map(|&p| name(p))
                .collect();
            (name(node).to_owned(), json!(parents))
        };
        nodes.map(listed).collect::<Map<String, Value>>()
    });
    json!({
        "schema": "bayesieve.training.v1",
        "model": classifier.options().model.name(),
        "rows": n_rows,
        "class": classifier.class_name(),
        "classes": classifier.class_labels(),
        "features": features,
        "required_features": required,
        "parents": parents,
        "parameters": classifier.n_parameters(),
        "seconds": seconds,
    })
}

fn people(arguments: &Arguments, classifier: &Classifier, n_rows: usize) -> String {
    let n_features = classifier.features().len() as u64;
    let n_read = classifier.required_features().len() as u64;
    format!(
        "{} trained on {}: {} ({} read by prediction), {} of {}; written to {}\n",
        arguments.model,
        counted(n_rows as u64, "row"),
        counted(n_features, "feature"),
        n_read,
        counted(classifier.class_labels().len() as u64, "value"),
        text::name(classifier.class_name()),
        text::file(&arguments.output)
    )
}
