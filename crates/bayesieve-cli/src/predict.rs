//! `bayesieve predict`: classify rows.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use bayesieve::classify::{
    AbsentColumns, Classifier, Evaluation, PredictedRows, Prediction, PredictionBatches,
};
use bayesieve::data::{
    BlockRequest, Codes, Column, Domain, KindOrigin, Nominal, ReadOptions, RowBlocks, Table,
    Values, check_table_path, write_blocks, write_table,
};
use bayesieve::document::{Seconds, to_text};
use bayesieve::wording::counted;
use bayesieve::{Error, Result, quoted};
use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};

use crate::memory::memory;
use crate::options::{ReadingOptions, check_paths, start_threads};
use crate::output;
use crate::progress::Progress;
use crate::text;

/// Columns named in the note about missing and unseen values.
const MOST_NOTED: usize = 10;

/// Classes above which no confusion matrix is printed.
const MOST_CLASSES: usize = 20;

/// What a block takes, rows and predictions together, is about this part of the memory.
const BLOCKS: u64 = 12;

/// Classify rows with a model that `train` wrote
#[derive(Args)]
#[command(after_help = "\
The result has a column `predicted` and a column `p(LABEL)` for every class. Where the data
have the class column, accuracy and the confusion matrix go to standard error.

Examples:
  bayesieve predict model.json new.csv > predicted.csv
  bayesieve predict model.json test.csv -o predicted.parquet --json
  bayesieve predict model.json large.parquet -o predicted.parquet --memory 500MB")]
pub(crate) struct Arguments {
    /// The model file
    model: PathBuf,

    #[command(flatten)]
    data: ReadingOptions,

    /// Columns that the model needs and the data have not: `refuse`, or `sum-out` as if
    /// they were empty
    #[arg(long, default_value = "refuse", value_name = "HOW")]
    absent: Absent,

    /// Write the probabilities too; --proba=false leaves them out
    #[arg(long, default_value_t = true, num_args = 0..=1, default_missing_value = "true", action = clap::ArgAction::Set, value_name = "true|false", value_parser = yes_or_no)]
    proba: bool,

    /// Write to this file, CSV or Parquet by extension, instead of CSV on standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Read and predict in blocks, within about so much memory, 68MB (64MiB) at least: 500MB, 2GB
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<u64>,

    /// Threads to use, 0 for all cores; never changes an answer
    #[arg(long, default_value_t = 0, value_name = "N")]
    threads: usize,

    /// Print a summary as JSON (with -o)
    #[arg(long, requires = "output")]
    json: bool,

    /// No progress and no notes; errors still show
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Absent {
    Refuse,
    SumOut,
}

/// Without an equals sign the option takes what stands behind it, which may be a file.
fn yes_or_no(text: &str) -> std::result::Result<bool, String> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("write --proba=true or --proba=false".into()),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let inputs = [arguments.model.as_path(), arguments.data.data.as_path()];
    check_paths(&inputs, &[("-o", arguments.output.as_ref())])?;
    if let Some(file) = &arguments.output {
        check_table_path(file)?;
    }
    start_threads(arguments.threads)?;
    let progress = Progress::start(arguments.quiet)?;

    let start = Instant::now();
    let classifier = read_model(arguments)?;
    let (options, note_on_empty) = read_options(arguments, &classifier)?;
    let run = Run {
        arguments,
        classifier: &classifier,
        options: &options,
        progress: &progress,
        start,
    };
    let done = match arguments.memory {
        Some(memory) => run.in_blocks(memory)?,
        None => run.at_once()?,
    };
    drop(progress);
    for note in note_on_empty.iter().chain(&done.note_on_class) {
        output::note(arguments.quiet, note);
    }
    if !arguments.quiet {
        notes(&classifier, &done);
        if let Some(evaluation) = &done.rows.evaluation {
            eprint!("{}", evaluation_text(&classifier, evaluation));
        }
    }
    if arguments.json {
        output::print(&to_text(&summary(&classifier, &done))?)?;
    }
    Ok(())
}

/// What it takes to predict.
struct Run<'a> {
    arguments: &'a Arguments,
    classifier: &'a Classifier,
    options: &'a ReadOptions,
    progress: &'a Progress,
    start: Instant,
}

/// Predictions that are written.
struct Done {
    rows: PredictedRows,
    /// The columns that were read.
    names: Vec<String>,
    note_on_class: Option<String>,
    seconds: Seconds,
}

impl Run<'_> {
    /// Reads all rows, then predicts them.
    fn at_once(&self) -> Result<Done> {
        self.progress.stage("reading");
        let table = self.arguments.data.read(self.options, self.progress)?;
        let read = self.start.elapsed();
        let start = Instant::now();
        self.progress.stage("predicting");
        let mut batches = self.classifier.batches(self.absent());
        let result = self.predict(&mut batches, &table)?;
        let seconds = Seconds::new(read, start.elapsed());
        self.progress.check()?;
        match &self.arguments.output {
            Some(file) => write_table(file, &result, self.progress)?,
            None => output::print_table(&result, self.progress)?,
        }
        let class = self.classifier.class_column(&table);
        Ok(Done {
            rows: batches.finish(),
            names: table.names().map(str::to_owned).collect(),
            note_on_class: class.and_then(|class| note_on_class(self.classifier, class.name())),
            seconds,
        })
    }

    /// Reads, predicts and writes block by block.
    fn in_blocks(&self, memory: u64) -> Result<Done> {
        let data = &self.arguments.data.data;
        self.progress.stage("predicting");
        let file = RowBlocks::open(data, self.options, memory / BLOCKS, self.progress)?;
        if !file.is_in_parts() {
            return Err(Error::usage("ARFF is read whole, not in parts")
                .in_file(data)
                .with_hint("Leave --memory out, or write the rows as CSV or Parquet."));
        }
        let columns = self.classifier.columns_to_read(file.names());
        let (places, kinds): (Vec<usize>, Vec<_>) = columns.into_iter().unzip();
        let request = BlockRequest {
            columns: &places,
            kinds: &kinds,
            n_skipped: 0,
        };
        let mut batches = self.classifier.batches(self.absent());
        file.pull(request, self.progress, |blocks| {
            let predicted = blocks.map(|block| {
                let block = block?;
                match block.unclear.first() {
                    Some(column) => Err(text_among_numbers(column).in_file(data)),
                    None => self.predict(&mut batches, &block.table),
                }
            });
            match &self.arguments.output {
                Some(file) => write_blocks(file, predicted, self.progress),
                None => output::print_blocks(predicted, self.progress),
            }
        })?;
        let names = places.iter().map(|&place| file.names()[place].clone());
        let names: Vec<String> = names.collect();
        let mut notes = names.iter().filter_map(|name| {
            let is_class = !self.classifier.features().iter().any(|f| f.name == *name);
            is_class.then(|| note_on_class(self.classifier, name))?
        });
        Ok(Done {
            rows: batches.finish(),
            note_on_class: notes.next_back(),
            names,
            seconds: Seconds::new(Duration::ZERO, self.start.elapsed()),
        })
    }

    fn absent(&self) -> AbsentColumns {
        match self.arguments.absent {
            Absent::Refuse => AbsentColumns::Refuse,
            Absent::SumOut => AbsentColumns::SumOut,
        }
    }

    fn predict(&self, batches: &mut PredictionBatches<'_>, rows: &Table) -> Result<Table> {
        let prediction = batches
            .predict(rows, self.progress)
            .map_err(|error| error.in_file(&self.arguments.data.data))?;
        result_table(self.classifier, &prediction, self.arguments.proba)
    }
}

fn text_among_numbers(column: &str) -> Error {
    Error::data("there is text among the numbers, but the model was trained on numbers")
        .in_column(column)
        .with_hint("Correct the cells, or leave them empty.")
}

/// Reads the model; whoever gave it behind the data is told so.
fn read_model(arguments: &Arguments) -> Result<Classifier> {
    let (model, data) = (&arguments.model, &arguments.data.data);
    Classifier::read(model).map_err(|error| {
        if Classifier::is_model_file(model) || !Classifier::is_model_file(data) {
            return error;
        }
        Error::data(format!(
            "this is no model file, but {} is",
            text::file(data)
        ))
        .in_file(model)
        .with_hint("Give the model first, then the data: bayesieve predict MODEL DATA.")
    })
}

/// How to read the data: empty cells as in training, unless the user says which they are;
/// and a note where that is not what they always are.
fn read_options(
    arguments: &Arguments,
    classifier: &Classifier,
) -> Result<(ReadOptions, Option<String>)> {
    let mut options = arguments.data.options()?;
    options.class = Some(classifier.class_name().to_owned());
    let trained = classifier.missing_cells();
    let Some(trained) = trained.filter(|_| !arguments.data.names_empty_cells()) else {
        return Ok((options, None));
    };
    let sorted = |cells: &[String]| {
        let mut cells = cells.to_vec();
        cells.sort();
        cells.dedup();
        cells
    };
    let is_usual = sorted(trained) == sorted(&options.missing);
    options.missing = trained.to_vec();
    let note = (!is_usual).then(|| {
        let marks = trained.iter().filter(|cell| !cell.is_empty());
        let marks: Vec<String> = marks.map(|cell| quoted(cell)).collect();
        let marks = marks.join(", ");
        format!("cells that count as empty, as in training: {marks}; --na names others")
    });
    Ok((options, note))
}

/// The predicted class and the probability of every class.
fn result_table(classifier: &Classifier, prediction: &Prediction, proba: bool) -> Result<Table> {
    let labels = classifier.class_labels();
    let codes = Codes::new(
        labels.len(),
        prediction.classes.iter().map(|&class| Some(class)),
    );
    let predicted = Nominal {
        codes,
        domain: Domain::ordered(labels.to_vec()),
    };
    let mut columns = vec![Column::new(
        "predicted",
        Values::Nominal(predicted),
        KindOrigin::Derived,
    )];
    if proba {
        let n = labels.len();
        columns.extend(labels.iter().enumerate().map(|(class, label)| {
            let cells = prediction
                .probabilities
                .iter()
                .skip(class)
                .step_by(n)
                .copied();
            let values = Values::Numeric(cells.collect());
            Column::new(format!("p({label})"), values, KindOrigin::Derived)
        }));
    }
    Table::new(columns)
}

/// Says so where the class was found under a name in another letter case.
fn note_on_class(classifier: &Classifier, found: &str) -> Option<String> {
    (found != classifier.class_name()).then(|| {
        let (asked, found) = (quoted(classifier.class_name()), quoted(found));
        format!("the class {asked} is taken to be {found}")
    })
}

/// Says which cells were missing or unseen, and what became of them.
fn notes(classifier: &Classifier, done: &Done) {
    let fate = match classifier.network() {
        Some(_) => "summed out",
        None => "sent down the largest branch",
    };
    for note in done.rows.notes.iter().take(MOST_NOTED) {
        let name = text::name(&note.name);
        if !done.names.contains(&note.name) {
            output::note(
                false,
                &format!("{name}: not in the data, {fate} in every row"),
            );
            continue;
        }
        let mut parts = Vec::new();
        if note.n_missing > 0 {
            parts.push(counted(note.n_missing, "missing cell"));
        }
        if note.n_unseen > 0 {
            parts.push(format!(
                "{} never seen in training",
                counted(note.n_unseen, "value")
            ));
        }
        output::note(false, &format!("{name}: {} {fate}", parts.join(" and ")));
    }
    if done.rows.notes.len() > MOST_NOTED {
        let rest = counted((done.rows.notes.len() - MOST_NOTED) as u64, "more column");
        output::note(
            false,
            &format!("{rest} with missing or unseen values, {fate}"),
        );
    }
}

fn evaluation_text(classifier: &Classifier, evaluation: &Evaluation) -> String {
    let mut out = format!(
        "accuracy {:.4} over {}, log loss {:.4} nats, Brier score {:.4}\n",
        evaluation.accuracy(),
        counted(evaluation.n_rows, "row"),
        evaluation.log_loss,
        evaluation.brier
    );
    if evaluation.n_unknown > 0 {
        let rows = counted(evaluation.n_unknown, "row");
        out += &format!("{rows} of a class that the model does not know count as wrong\n");
    }
    let labels = classifier.class_labels();
    if labels.len() > MOST_CLASSES {
        return out;
    }
    let mut header = vec!["true \\ predicted".to_owned()];
    header.extend(labels.iter().map(|label| text::name(label)));
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let rows = labels
        .iter()
        .zip(&evaluation.confusion)
        .map(|(label, counts)| {
            let mut row = vec![text::name(label)];
            row.extend(counts.iter().map(|&n| bayesieve::wording::grouped(n)));
            row
        });
    let right: Vec<usize> = (1..=labels.len()).collect();
    out + &text::table(&header, &right, rows.collect())
}

fn summary(classifier: &Classifier, done: &Done) -> Value {
    let evaluation = done.rows.evaluation.as_ref();
    let counts = |count: fn(&bayesieve::classify::ColumnNote) -> u64| -> Map<String, Value> {
        let noted = done.rows.notes.iter().filter(|note| count(note) > 0);
        noted
            .map(|note| (note.name.clone(), json!(count(note))))
            .collect()
    };
    // Losses are over rows of a class that the model knows.
    let known = evaluation.filter(|e| e.n_rows > e.n_unknown);
    json!({
        "schema": "bayesieve.prediction.v1",
        "rows": done.rows.n_rows,
        "class": classifier.class_name(),
        "classes": classifier.class_labels(),
        "accuracy": evaluation.map(Evaluation::accuracy),
        "log_loss": known.map(|e| e.log_loss),
        "brier": known.map(|e| e.brier),
        "confusion": evaluation.map(|e| &e.confusion),
        "unknown_class_rows": evaluation.map(|e| e.n_unknown),
        "missing": counts(|note| note.n_missing),
        "unseen": counts(|note| note.n_unseen),
        "seconds": done.seconds,
    })
}
