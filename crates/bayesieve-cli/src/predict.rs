//! `bayesieve predict`: classify rows.

use std::path::PathBuf;

use bayesieve::classify::{AbsentColumns, Classifier, Evaluation};
use bayesieve::data::{check_table_path, write_blocks};
use bayesieve::document::to_text;
use bayesieve::measure::Measure;
use bayesieve::run::{DataRequest, PredictOutcome, PredictRequest};
use bayesieve::wording::{counted, grouped};
use bayesieve::{Error, Result};
use clap::Args;

use crate::options::{HowToRead, MeasureOptions, check_paths, memory, start};
use crate::output;
use crate::text::{self, TextTable};

/// Columns named in the note about missing and unseen values.
const MAX_NOTED: usize = 10;

/// Classes above which no confusion matrix is printed.
const MAX_CLASSES: usize = 20;

/// Classify rows with a model that `train` wrote
#[derive(Args)]
#[command(after_help = "\
The result has a column `predicted` and a column `p(LABEL)` for every class. Where the data
have the class column, all measures and the confusion matrix go to standard error.

Examples:
  bayesieve predict model.json new.csv > predicted.csv
  bayesieve predict model.json test.csv -o predicted.parquet --json
  bayesieve predict model.json large.parquet -o predicted.parquet --memory 500MB")]
pub(crate) struct Arguments {
    /// The model file
    model: PathBuf,

    /// CSV (any delimiter, also gzipped), ARFF, Parquet or Arrow IPC; `-` is CSV on
    /// standard input
    data: PathBuf,

    #[command(flatten)]
    how: HowToRead,

    /// Columns that the model needs and the data have not: `refuse`, or `sum-out` as if
    /// they were empty
    #[arg(long, default_value = "refuse", value_name = "HOW")]
    absent: AbsentColumns,

    #[command(flatten)]
    measures: MeasureOptions,

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

/// Without an equals sign the option takes what stands behind it, which may be a file.
fn yes_or_no(text: &str) -> std::result::Result<bool, String> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("write --proba=true or --proba=false".into()),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut inputs = vec![arguments.model.as_path(), arguments.data.as_path()];
    inputs.extend(arguments.measures.file());
    check_paths(&inputs, &[("-o", arguments.output.as_ref())])?;
    if let Some(file) = &arguments.output {
        check_table_path(file)?;
    }
    let data = DataRequest {
        file: Some(arguments.data.clone()),
        memory: arguments.memory,
        ..arguments.how.request()?
    };
    let request = PredictRequest {
        absent: arguments.absent,
        without_probabilities: !arguments.proba,
        measures: arguments.measures.request(),
    };
    let progress = start(arguments.threads, arguments.quiet)?;
    let classifier = read_model(arguments)?;
    let outcome = request.run(
        &classifier,
        &data,
        &mut |blocks| match &arguments.output {
            Some(file) => write_blocks(file, blocks, &progress),
            None => output::print_blocks(blocks, &progress),
        },
        &progress,
    )?;
    drop(progress);
    if !arguments.quiet {
        output::notes(false, &outcome.notes);
        output::notes(false, &cell_notes(&classifier, &outcome));
        if let Some(evaluation) = &outcome.rows.evaluation {
            let asked = request.measures.measure;
            eprint!("{}", evaluation_text(&classifier, evaluation, asked));
        }
    }
    if arguments.json {
        output::print(&to_text(&outcome.document(&classifier))?)?;
    }
    Ok(())
}

/// Reads the model; whoever gave it behind the data is told so.
fn read_model(arguments: &Arguments) -> Result<Classifier> {
    let (model, data) = (&arguments.model, &arguments.data);
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

/// Which cells were missing or unseen, and what became of them.
fn cell_notes(classifier: &Classifier, outcome: &PredictOutcome) -> Vec<String> {
    let fate = match classifier.network() {
        Some(_) => "summed out",
        None => "sent down the largest branch",
    };
    let columns = &outcome.rows.notes;
    let noted = columns.iter().take(MAX_NOTED).map(|note| {
        let name = text::name(&note.name);
        if !outcome.columns.contains(&note.name) {
            return format!("{name}: not in the data, {fate} in every row");
        }
        let missing = (note.n_missing > 0).then(|| counted(note.n_missing, "missing cell"));
        let unseen = (note.n_unseen > 0).then(|| {
            let values = counted(note.n_unseen, "value");
            format!("{values} never seen in training")
        });
        let parts: Vec<String> = missing.into_iter().chain(unseen).collect();
        format!("{name}: {} {fate}", parts.join(" and "))
    });
    let mut notes: Vec<String> = noted.collect();
    if columns.len() > MAX_NOTED {
        let rest = counted((columns.len() - MAX_NOTED) as u64, "more column");
        notes.push(format!("{rest} with missing or unseen values, {fate}"));
    }
    notes
}

fn evaluation_text(
    classifier: &Classifier,
    evaluation: &Evaluation,
    asked: Option<&'static Measure>,
) -> String {
    let value = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.4}"));
    let mut out = asked.map_or(String::new(), |measure| {
        format!("{measure} {}\n", value(evaluation.measures.get(measure)))
    });
    out += &format!(
        "accuracy {:.4} over {}, log loss {} nats, Brier score {}\n",
        evaluation.accuracy(),
        counted(evaluation.n_rows, "row"),
        value(evaluation.log_loss()),
        value(evaluation.brier())
    );
    let shown = ["accuracy", "log_loss", "brier"];
    let others = evaluation
        .measures
        .iter()
        .filter(|(measure, _)| !shown.contains(&measure.key) && asked != Some(*measure));
    let others: Vec<String> = others
        .map(|(measure, value)| format!("{} {value:.4}", measure.name.replace('-', " ")))
        .collect();
    if !others.is_empty() {
        let positive = classifier.class_labels().get(evaluation.positive);
        let positive = positive.map_or(String::new(), |label| {
            format!(" (positive class {})", text::name(label))
        });
        out += &format!("{}{positive}\n", others.join(", "));
    }
    if evaluation.n_unknown > 0 {
        let rows = counted(evaluation.n_unknown, "row");
        out += &format!("{rows} of a class that the model does not know count as wrong\n");
    }
    let labels = classifier.class_labels();
    if labels.len() > MAX_CLASSES {
        return out;
    }
    let mut table = TextTable::new(labels.iter().zip(&evaluation.confusion));
    table.words("true \\ predicted", |(label, _)| text::name(label));
    for (predicted, label) in labels.iter().enumerate() {
        table.number(&text::name(label), |(_, counts)| grouped(counts[predicted]));
    }
    out + &table.print()
}
