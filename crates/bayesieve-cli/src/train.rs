//! `bayesieve train`: learn a classifier, write a model file.

use std::path::{Path, PathBuf};
use std::time::Instant;

use bayesieve::classify::{Classifier, Evaluation, ModelKind, NetworkFormat, TrainOptions};
use bayesieve::data::{CodedTable, CodingOptions, Discretizer, Roles, Table, check_folder};
use bayesieve::document::{Seconds, SelectionFile, to_text};
use bayesieve::wording::{counted as in_words, grouped};
use bayesieve::{Error, Result};
use bayesieve_report::{ModelReport, model as page_of};
use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};

use crate::counted;
use crate::options::{DataOptions, check_blocks, check_paths, require_file, start_threads};
use crate::output;
use crate::progress::Progress;
use crate::report::{Origin, ReportOption};
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
        match self {
            Format::Model => None,
            Format::Bif => Some(NetworkFormat::Bif),
            Format::Xmlbif => Some(NetworkFormat::Xmlbif),
            Format::Net => Some(NetworkFormat::Net),
            Format::Dot => Some(NetworkFormat::Dot),
            Format::Json => Some(NetworkFormat::Json),
        }
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

/// A trained model, ready to be written and shown.
struct Trained {
    classifier: Classifier,
    n_rows: u64,
    /// How well it predicts the rows it was trained on, where a page is asked for.
    training: Option<Evaluation>,
    notes: Vec<String>,
    seconds: Seconds,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    arguments.data.check()?;
    let selection = arguments.selection.as_deref().map(SelectionFile::read);
    let selection = selection.transpose()?;
    let chosen_by = selection.as_ref().and_then(SelectionFile::model);
    let model = arguments.model.or(chosen_by).unwrap_or(ModelKind::Tan);
    let options =
        TrainOptions::new(model).with_settings(arguments.settings.iter().map(String::as_str))?;
    arguments.data.refuse_available("train")?;
    check_output(arguments, &options)?;
    let plan = Plan {
        arguments,
        selection,
        options,
    };
    let trained = if arguments.data.counted.is_given() {
        plan.on_counts()?
    } else {
        plan.on_rows()?
    };
    finish(arguments, &trained)
}

/// What to train, checked before anything is read.
struct Plan<'a> {
    arguments: &'a Arguments,
    selection: Option<SelectionFile>,
    options: TrainOptions,
}

impl Plan<'_> {
    /// From rows in memory.
    fn on_rows(self) -> Result<Trained> {
        let arguments = self.arguments;
        start_threads(arguments.threads)?;
        let progress = Progress::start(arguments.quiet)?;
        let (table, read) = arguments.data.read(&progress)?;
        let start = Instant::now();
        check_blocks(&arguments.settings, &table)?;
        let mut roles = self.roles(&arguments.data, &table)?;
        let coding = arguments.data.coding();
        roles.notes.extend(self.coding_note(coding));
        let coded = code(arguments, self.options.model, (&table, &roles))?;
        progress.stage("training");
        let classifier = Classifier::train(&coded, &self.options, &progress);
        let empty_cells = arguments.data.read_options()?.missing;
        let classifier = self.remembering(classifier, empty_cells)?;
        progress.check()?;
        let training = if arguments.report.is_asked_for() {
            Some(on_training_rows(&classifier, &table, &coded, &progress)?)
        } else {
            None
        };
        let notes = roles.notes.iter().chain(&coded.notes);
        let notes: Vec<String> = notes.chain(classifier.notes()).cloned().collect();
        Ok(Trained {
            n_rows: coded.n_rows() as u64,
            classifier,
            training,
            notes,
            seconds: Seconds::new(read, start.elapsed()),
        })
    }

    /// From counts.
    fn on_counts(self) -> Result<Trained> {
        let arguments = self.arguments;
        self.options.model.check_counts()?;
        start_threads(arguments.threads)?;
        let progress = Progress::start(arguments.quiet)?;
        let roles = |data: &DataOptions, header: &Table| self.roles(data, header);
        let data = counted::open(&arguments.data, &progress, roles)?;
        let start = Instant::now();
        data.coding.refuse_available("train")?;
        progress.check()?;
        progress.stage("training");
        let classifier = Classifier::train_counted(&data.counted, &self.options, &progress);
        let note = self.coding_note(data.coding);
        let classifier = self.remembering(classifier, data.empty_cells)?;
        progress.check()?;
        Ok(Trained {
            n_rows: data.counted.tables().n_rows(),
            classifier,
            training: None,
            notes: data.notes.into_iter().chain(note).collect(),
            seconds: Seconds::new(data.read, start.elapsed()),
        })
    }

    /// The class and the features, those of the selection where there is one.
    fn roles(&self, data: &DataOptions, table: &Table) -> Result<Roles> {
        let roles = data.roles(table)?;
        let Some(selection) = &self.selection else {
            return Ok(roles);
        };
        selection.check(table, &roles)?;
        data.roles_of(table, Some(selection.kept().to_vec()))
    }

    /// What differs in how cells became codes when the selection was made.
    fn coding_note(&self, coding: CodingOptions) -> Option<String> {
        self.selection.as_ref()?.coding_note(coding)
    }

    /// The classifier with what it remembers of the data and the selection.
    fn remembering(
        self,
        classifier: Result<Classifier>,
        empty_cells: Vec<String>,
    ) -> Result<Classifier> {
        let classifier = classifier.map_err(|error| error.in_file(self.arguments.data.file()))?;
        let selection = self.selection.map(|selection| selection.remembered());
        Ok(classifier
            .with_missing_cells(empty_cells)
            .with_selection(selection.unwrap_or(Value::Null)))
    }
}

/// Writes the model and shows what was trained.
fn finish(arguments: &Arguments, trained: &Trained) -> Result<()> {
    let classifier = &trained.classifier;
    write(arguments, classifier)?;
    for note in &trained.notes {
        output::note(arguments.quiet, note);
    }
    let origin = Origin::new(arguments.data.file(), trained.seconds);
    arguments.report.write(|| {
        page_of(&ModelReport {
            about: origin.about(),
            model: classifier,
            settings: &settings(arguments),
            training: trained.training.as_ref(),
            notes: &trained.notes,
        })
    })?;
    output::print(&if arguments.json {
        to_text(&summary(trained))?
    } else {
        people(arguments, trained)
    })
}

/// How well the model predicts the rows it was trained on.
fn on_training_rows(
    classifier: &Classifier,
    table: &Table,
    coded: &CodedTable,
    progress: &Progress,
) -> Result<Evaluation> {
    progress.stage("predicting the training rows");
    let used = coded.rows.as_ref().map(|rows| table.take_rows(rows));
    let used = used.as_ref().unwrap_or(table);
    classifier
        .predict(used, progress)?
        .evaluate(used, classifier)
}

/// The settings as they were given.
fn settings(arguments: &Arguments) -> Vec<(String, String)> {
    let given = arguments.settings.iter();
    let pairs = given.filter_map(|text| text.split_once('='));
    pairs
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// Turns the table into codes; bins that the model would not look at are not made.
fn code(
    arguments: &Arguments,
    model: ModelKind,
    (table, roles): (&Table, &Roles),
) -> Result<CodedTable> {
    let mut coding = arguments.data.coding();
    if model == ModelKind::Block {
        coding.discretizer = Discretizer::None;
    }
    let coded = CodedTable::new(table, roles, coding);
    coded.map_err(|error| error.in_file(arguments.data.file()))
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
    let name = |format: Format| {
        let value = format.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    };
    let usual = format.extensions()[0];
    let hint = match promised {
        Some(&promised) => {
            let promised = name(promised);
            format!("Say --format {promised}, or let the name end in .{usual}.")
        }
        None => format!("Let the name end in .{usual}."),
    };
    Err(Error::usage(format!(
        "the name ends in .{extension}, but the format is {}",
        name(format)
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

fn summary(trained: &Trained) -> Value {
    let classifier = &trained.classifier;
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
    let mut document = json!({
        "schema": "bayesieve.training.v1",
        "model": classifier.options().model.name(),
        "rows": trained.n_rows,
        "class": classifier.class_name(),
        "classes": classifier.class_labels(),
        "features": features,
        "required_features": required,
        "parents": parents,
        "parameters": output::whole(classifier.n_parameters()),
        "warnings": classifier.notes(),
        "seconds": trained.seconds,
    });
    if let Some(blocks) = classifier.block_names() {
        document["blocks"] = json!(blocks);
    }
    document
}

fn people(arguments: &Arguments, trained: &Trained) -> String {
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
