//! `bayesieve train`: learn a classifier, write a model file.

use std::path::{Path, PathBuf};

use bayesieve::classify::{Classifier, ModelKind, NetworkFormat, TrainOptions};
use bayesieve::data::check_folder;
use bayesieve::document::{SelectionFile, to_text};
use bayesieve::run::{Dataset, TrainOutcome, TrainRequest};
use bayesieve::wording::{counted as in_words, grouped};
use bayesieve::{Error, Result};
use bayesieve_report::{ModelReport, model as page_of};
use clap::{Args, ValueEnum};

use crate::options::{DataOptions, check_paths, require_file, start};
use crate::output;
use crate::report::{ReportOption, about};
use crate::text;

/// Learn a classifier and write a model file
#[derive(Args)]
#[command(after_help = "\
Settings (--set name=value, repeated):
  smoothing   laplace (default), ml, dirichlet, mixing          nb, tan, k2, cb, block
  alpha       what laplace adds to every cell [1], or a weight  nb, tan, k2, cb, block
  divisor     of variances: n-1 (default) or n                  nb
  parents     most parents of a node [5]                        k2, cb
  level       of the tests [cb and block 0.05, id3 0.01]        cb, id3, block
  stop        accuracy (default) or score                       cb
  blocks      found (default), or a JSON file of lists          block
  block_size  most features of a block that is found [12]       block
  covariance  common (default) or own to every class            block
  correction  of distances: on (default) or off                 block
  threshold   asymptotic (default) or exact                     block
  weights     none (default), threshold or optimal              block
  prior       em (default), plug-in, uniform, chi-square        block

Examples:
  bayesieve train data.csv --model tan -o model.json
  bayesieve train data.csv --model nb --discretize none --features age,income -o model.json
  bayesieve train data.csv --model block --set weights=optimal -o model.json
  bayesieve train data.csv --selection selection.json -o model.json --report page.html
  bayesieve train data.csv --model k2 --format bif -o network.bif
  bayesieve train --counts all.counts --model tan -o model.json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    data: DataOptions,

    /// The model: nb, tan, k2, cb, id3 or block, which takes numbers as numbers, whatever
    /// --discretize says [default: the one that the selection chose by, else tan]
    #[arg(long, value_name = "MODEL")]
    model: Option<ModelKind>,

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

    #[command(flatten)]
    report: ReportOption,

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

impl Format {
    /// The format of the network, where not the model is written.
    fn of_network(self) -> Option<NetworkFormat> {
        self.name().parse().ok()
    }

    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Extensions that belong to it, the usual one first.
    fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Model | Format::Json => &["json"],
            Format::Bif => &["bif"],
            Format::Xmlbif => &["xml", "xmlbif", "bifxml"],
            Format::Net => &["net", "hugin"],
            Format::Dot => &["dot", "gv"],
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let data = arguments.data.request()?;
    let selection = arguments.selection.as_deref().map(SelectionFile::read);
    let request = TrainRequest {
        model: arguments.model,
        settings: arguments.settings.clone(),
        selection: selection.transpose()?,
        with_evaluation: arguments.report.is_asked_for(),
    };
    let options = request.check(&data)?;
    check_output(arguments, &options)?;
    let progress = start(arguments.threads, arguments.quiet)?;
    let data = Dataset::open(&data, &progress)?;
    let outcome = request.run(&data, &progress)?;
    drop(progress);
    show(arguments, &outcome)
}

/// Writes the model and shows what was trained.
fn show(arguments: &Arguments, trained: &TrainOutcome) -> Result<()> {
    let classifier = &trained.classifier;
    write(arguments, classifier)?;
    output::notes(arguments.quiet, &trained.notes);
    let about = about(text::file(arguments.data.file()), trained.seconds);
    arguments.report.write(|| {
        page_of(&ModelReport {
            about: &about,
            model: classifier,
            settings: &arguments.settings,
            training: trained.evaluation.as_ref(),
            notes: &trained.notes,
        })
    })?;
    output::print(&if arguments.json {
        to_text(&trained.document())?
    } else {
        people(arguments, trained)
    })
}

/// Refuses an output that could not be written, before anything is read or trained.
fn check_output(arguments: &Arguments, options: &TrainOptions) -> Result<()> {
    let path = &arguments.output;
    require_file("-o", path)?;
    let mut inputs: Vec<&Path> = vec![arguments.data.file()];
    inputs.extend(arguments.selection.as_deref());
    inputs.extend(options.block.file());
    check_paths(&inputs, &[("-o", Some(path)), arguments.report.path()])?;
    arguments.report.check()?;
    if let Some(format) = arguments.format.of_network() {
        format.check(options.model)?;
    }
    check_extension(path, arguments.format)?;
    check_folder(path)
}

/// Refuses an extension that promises another format than the one written.
fn check_extension(path: &Path, format: Format) -> Result<()> {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let extension = extension.to_ascii_lowercase();
    let promises = |format: &&Format| format.extensions().contains(&extension.as_str());
    let promised = Format::value_variants().iter().find(promises);
    let is_table = ["csv", "gz", "parquet", "pq", "arff"].contains(&extension.as_str());
    if format.extensions().contains(&extension.as_str()) || (promised.is_none() && !is_table) {
        return Ok(());
    }
    let usual = format.extensions()[0];
    let hint = match promised {
        Some(&promised) => {
            let promised = promised.name();
            format!("Say --format {promised}, or let the name end in .{usual}.")
        }
        None => format!("Let the name end in .{usual}."),
    };
    Err(Error::usage(format!(
        "the name ends in .{extension}, but the format is {}",
        format.name()
    ))
    .in_file(path)
    .with_hint(hint))
}

fn write(arguments: &Arguments, classifier: &Classifier) -> Result<()> {
    match arguments.format.of_network() {
        None => classifier.write(&arguments.output),
        Some(format) => output::write(&arguments.output, &classifier.network_text(format)?),
    }
}

fn people(arguments: &Arguments, trained: &TrainOutcome) -> String {
    let classifier = &trained.classifier;
    let n_features = classifier.features().len() as u64;
    let n_read = classifier.required_features().len() as u64;
    let blocks = classifier.block_names().map_or(String::new(), |blocks| {
        format!(" in {}", in_words(blocks.len() as u64, "block"))
    });
    format!(
        "{} trained on {}: {}{blocks} ({} read by prediction), {} of {}; written to {}\n",
        classifier.options().model,
        in_words(trained.n_rows, "row"),
        in_words(n_features, "feature"),
        grouped(n_read),
        in_words(classifier.class_labels().len() as u64, "value"),
        text::name(classifier.class_name()),
        text::file(&arguments.output)
    )
}
