//! `bayesieve predict`: classify rows.

use std::path::PathBuf;
use std::time::Instant;

use bayesieve::classify::{AbsentColumns, Classifier, Evaluation, Prediction};
use bayesieve::data::{
    Codes, Column, Domain, KindOrigin, Nominal, ReadOptions, Table, Values, check_table_path,
    write_table,
};
use bayesieve::document::{Seconds, to_text};
use bayesieve::wording::counted;
use bayesieve::{Error, Result, quoted};
use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};

use crate::options::{ReadingOptions, check_paths, start_threads};
use crate::output;
use crate::progress::Progress;
use crate::text;

/// Columns named in the note about missing and unseen values.
const MOST_NOTED: usize = 10;

/// Classes above which no confusion matrix is printed.
const MOST_CLASSES: usize = 20;

/// Classify rows with a model that `train` wrote
#[derive(Args)]
#[command(after_help = "\
The result has a column `predicted` and a column `p(LABEL)` for every class. Where the data
have the class column, accuracy and the confusion matrix go to standard error.

Examples:
  bayesieve predict model.json new.csv > predicted.csv
  bayesieve predict model.json test.csv -o predicted.parquet --json")]
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
    progress.stage("reading");
    let (options, note_on_empty) = read_options(arguments, &classifier)?;
    let table = arguments.data.read(&options, &progress)?;
    let read = start.elapsed();

    let start = Instant::now();
    progress.stage("predicting");
    let absent = match arguments.absent {
        Absent::Refuse => AbsentColumns::Refuse,
        Absent::SumOut => AbsentColumns::SumOut,
    };
    let in_data = |error: Error| error.in_file(&arguments.data.data);
    let prediction = classifier
        .predict_with(&table, absent, &progress)
        .map_err(in_data)?;
    let class = classifier.class_column(&table);
    let evaluation = match class {
        // Without any class to compare with there is no accuracy, not one of 0.
        Some(_) => Some(prediction.evaluate(&table, &classifier)?).filter(|e| e.n_rows > 0),
        None => None,
    };
    let seconds = Seconds::new(read, start.elapsed());

    progress.check()?;
    let result = result_table(&classifier, &prediction, arguments.proba)?;
    match &arguments.output {
        Some(file) => write_table(file, &result, &progress)?,
        None => output::print_table(&result, &progress)?,
    }
    drop(progress);
    let note_on_class = class.and_then(|column| note_on_class(&classifier, column));
    for note in note_on_empty.iter().chain(&note_on_class) {
        output::note(arguments.quiet, note);
    }
    if !arguments.quiet {
        notes(&classifier, &table, &prediction);
        if let Some(evaluation) = &evaluation {
            eprint!("{}", evaluation_text(&classifier, evaluation));
        }
    }
    if arguments.json {
        let document = summary(&classifier, &prediction, evaluation.as_ref(), seconds);
        output::print(&to_text(&document)?)?;
    }
    Ok(())
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
fn note_on_class(classifier: &Classifier, column: &Column) -> Option<String> {
    (column.name() != classifier.class_name()).then(|| {
        let (asked, found) = (quoted(classifier.class_name()), quoted(column.name()));
        format!("the class {asked} is taken to be {found}")
    })
}

/// Says which cells were missing or unseen, and what became of them.
fn notes(classifier: &Classifier, table: &Table, prediction: &Prediction) {
    let fate = match classifier.network() {
        Some(_) => "summed out",
        None => "sent down the largest branch",
    };
    for note in prediction.notes.iter().take(MOST_NOTED) {
        let name = text::name(&note.name);
        if table.column(&note.name).is_none() {
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
    if prediction.notes.len() > MOST_NOTED {
        let rest = counted((prediction.notes.len() - MOST_NOTED) as u64, "more column");
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

fn summary(
    classifier: &Classifier,
    prediction: &Prediction,
    evaluation: Option<&Evaluation>,
    seconds: Seconds,
) -> Value {
    let counts = |count: fn(&bayesieve::classify::ColumnNote) -> u64| -> Map<String, Value> {
        let noted = prediction.notes.iter().filter(|note| count(note) > 0);
        noted
            .map(|note| (note.name.clone(), json!(count(note))))
            .collect()
    };
    // Losses are over rows of a class that the model knows.
    let known = evaluation.filter(|e| e.n_rows > e.n_unknown);
    json!({
        "schema": "bayesieve.prediction.v1",
        "rows": prediction.classes.len(),
        "class": classifier.class_name(),
        "classes": classifier.class_labels(),
        "accuracy": evaluation.map(Evaluation::accuracy),
        "log_loss": known.map(|e| e.log_loss),
        "brier": known.map(|e| e.brier),
        "confusion": evaluation.map(|e| &e.confusion),
        "unknown_class_rows": evaluation.map(|e| e.n_unknown),
        "missing": counts(|note| note.n_missing),
        "unseen": counts(|note| note.n_unseen),
        "seconds": seconds,
    })
}
