//! Rows, classified by a model.

use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::text::as_text;
use super::{DataKind, DataRequest, MeasureRequest};
use crate::classify::{
    AbsentColumns, Classifier, Prediction, PredictionBatches, PredictionSummary,
};
use crate::data::{
    BlockRequest, Codes, Column, Domain, KindOrigin, Nominal, ReadOptions, RowBlocks, Table,
    Values, read_table,
};
use crate::document::{self, Seconds};
use crate::{Error, Observer, Result, check, parameter, quoted};

/// What a block takes, rows and predictions together, is about this part of the memory.
const BLOCKS: u64 = 12;

/// How rows are classified.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `absent` | `refuse` | columns that the model needs and the data do not have: `refuse`, or `sum-out` |
/// | `measures` | log loss | what predictions are judged by ([`MeasureRequest`]) |
/// | `without_probabilities` | no | whether to leave the probabilities out |
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PredictRequest {
    /// What a column means that the data do not have.
    #[serde(with = "as_text")]
    pub absent: AbsentColumns,
    /// Whether to leave the probabilities out.
    pub without_probabilities: bool,
    /// What predictions are judged by, where the class is known.
    #[serde(flatten)]
    pub measures: MeasureRequest,
}

/// What was predicted, apart from the predictions.
#[derive(Debug)]
pub struct PredictOutcome {
    /// What all rows held, and how good the predictions were.
    pub rows: PredictionSummary,
    /// The columns that were read.
    pub columns: Vec<String>,
    /// What the reader should know.
    pub notes: Vec<String>,
    /// How long it took.
    pub seconds: Seconds,
}

impl PredictOutcome {
    /// The document of the prediction, schema `bayesieve.prediction.v1`.
    pub fn document(&self, classifier: &Classifier) -> Value {
        document::prediction(classifier, &self.rows, self.seconds)
    }
}

/// Takes tables of predictions, one after the other: a column `predicted` and a column `p(LABEL)`
/// for every class.
pub type WritePredictions<'a> =
    dyn FnMut(&mut dyn Iterator<Item = Result<Table>>) -> Result<()> + 'a;

impl PredictRequest {
    /// Reads the rows of a file, predicts them and hands the predictions over; block by block
    /// where the memory is limited.
    ///
    /// # Errors
    /// Those of reading, of [`PredictionBatches::predict`], and of `write`.
    pub fn run(
        &self,
        classifier: &Classifier,
        data: &DataRequest,
        write: &mut WritePredictions<'_>,
        observer: &dyn Observer,
    ) -> Result<PredictOutcome> {
        data.check()?;
        if data.weight.is_some() {
            let weight = parameter("weight");
            return Err(
                Error::usage(format!("{weight} does not go with predictions"))
                    .with_hint("Leave it out: rows are predicted one by one."),
            );
        }
        self.measures.check()?;
        let stakes = self
            .measures
            .stakes(classifier.class_labels(), classifier.class_counts())?;
        let (options, note) = read_options(data, classifier);
        let file = FileToPredict {
            path: data.path().unwrap_or(Path::new("")),
            options: &options,
            batches: classifier.batches(self.absent).with_stakes(stakes),
            classifier,
            request: self,
        };
        let mut outcome = match (data.kind(), data.memory) {
            (DataKind::OutOfCore, Some(memory)) => file.in_blocks(memory, write, observer),
            _ => file.at_once(write, observer),
        }?;
        outcome.notes.splice(0..0, note);
        Ok(outcome)
    }
}

struct FileToPredict<'a> {
    path: &'a Path,
    options: &'a ReadOptions,
    batches: PredictionBatches<'a>,
    classifier: &'a Classifier,
    request: &'a PredictRequest,
}

impl FileToPredict<'_> {
    /// Reads all rows, then predicts them.
    fn at_once(
        mut self,
        write: &mut WritePredictions<'_>,
        observer: &dyn Observer,
    ) -> Result<PredictOutcome> {
        let start = Instant::now();
        observer.stage("reading");
        observer.waits(true);
        let table = read_table(self.path, self.options, observer);
        observer.waits(false);
        let table = table?;
        let read = start.elapsed();
        let start = Instant::now();
        observer.stage("predicting");
        let predicted = self.predict(&table, observer)?;
        let seconds = Seconds::new(read, start.elapsed());
        check(observer)?;
        // Whoever reads the predictions may sit at the same terminal.
        observer.stage("");
        write(&mut std::iter::once(Ok(predicted)))?;
        let class = self.classifier.class_column(&table);
        let note = class.and_then(|class| note_on_class(self.classifier, class.name()));
        Ok(PredictOutcome {
            rows: self.batches.finish(),
            columns: table.names().map(str::to_owned).collect(),
            notes: note.into_iter().collect(),
            seconds,
        })
    }

    /// Reads, predicts and writes block by block.
    fn in_blocks(
        mut self,
        memory: u64,
        write: &mut WritePredictions<'_>,
        observer: &dyn Observer,
    ) -> Result<PredictOutcome> {
        let start = Instant::now();
        observer.stage("predicting");
        let (path, classifier) = (self.path, self.classifier);
        // What is kept of all rows takes as much as a block, for numbers of eight bytes.
        let max_cells = usize::try_from(memory / BLOCKS / 8).unwrap_or(usize::MAX);
        self.batches = self.batches.with_max_cells(max_cells);
        let file = RowBlocks::open(path, self.options, memory / BLOCKS, observer)?;
        if !file.is_in_parts() {
            return Err(Error::usage("ARFF is read whole, not in parts")
                .in_file(path)
                .with_hint(format!(
                    "Leave {} out, or write the rows as CSV or Parquet.",
                    parameter("memory")
                )));
        }
        let columns = classifier.columns_to_read(file.names());
        let (places, kinds): (Vec<usize>, Vec<_>) = columns.into_iter().unzip();
        let request = BlockRequest {
            columns: &places,
            kinds: &kinds,
            n_skipped: 0,
        };
        file.pull(request, observer, |blocks| {
            write(&mut blocks.map(|block| {
                let block = block?;
                match block.unclear.first() {
                    Some(column) => Err(text_among_numbers(column).in_file(path)),
                    None => self.predict(&block.table, observer),
                }
            }))
        })?;
        let names = places.iter().map(|&place| file.names()[place].clone());
        let names: Vec<String> = names.collect();
        let rows = self.batches.finish();
        let evaluation = rows.evaluation.as_ref();
        let too_many = evaluation.filter(|evaluation| !evaluation.has_all_measures);
        let too_many = too_many.map(|_| {
            format!(
                "too many rows to keep in the memory ({}) for the measures of all rows together; \
                 means over rows are known",
                parameter("memory")
            )
        });
        let mut notes = names.iter().filter_map(|name| {
            let is_class = !classifier.features().iter().any(|f| f.name == *name);
            is_class.then(|| note_on_class(classifier, name))?
        });
        Ok(PredictOutcome {
            rows,
            notes: notes.next_back().into_iter().chain(too_many).collect(),
            columns: names,
            seconds: Seconds::new(Duration::ZERO, start.elapsed()),
        })
    }

    fn predict(&mut self, rows: &Table, observer: &dyn Observer) -> Result<Table> {
        let predicted = self.batches.predict(rows, observer);
        let predicted = predicted.map_err(|error| error.in_file(self.path))?;
        self.request.table(self.classifier, &predicted)
    }
}

impl PredictRequest {
    /// The predicted class and the probability of every class.
    fn table(&self, classifier: &Classifier, prediction: &Prediction) -> Result<Table> {
        let labels = classifier.class_labels();
        let classes = prediction.classes.iter().map(|&class| Some(class));
        let predicted = Nominal {
            codes: Codes::new(labels.len(), classes),
            domain: Domain::ordered(labels.to_vec()),
        };
        let column = |name: String, values| Column::new(name, values, KindOrigin::Derived);
        let mut columns = vec![column("predicted".into(), Values::Nominal(predicted))];
        if !self.without_probabilities {
            columns.extend(labels.iter().enumerate().map(|(class, label)| {
                let cells = prediction.probabilities.iter().skip(class);
                let cells = cells.step_by(labels.len()).copied().collect();
                column(format!("p({label})"), Values::Numeric(cells))
            }));
        }
        Table::new(columns)
    }
}

fn text_among_numbers(column: &str) -> Error {
    Error::data("there is text among the numbers, but the model was trained on numbers")
        .in_column(column)
        .with_hint("Correct the cells, or leave them empty.")
}

/// How to read the data: empty cells as in training, unless the request names them; and a note
/// where that is not what they always are.
fn read_options(data: &DataRequest, classifier: &Classifier) -> (ReadOptions, Option<String>) {
    let mut options = data.read_options();
    options.class = Some(classifier.class_name().to_owned());
    let trained = classifier.missing_cells();
    let Some(trained) = trained.filter(|_| data.na.is_none()) else {
        return (options, None);
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
        format!("cells that count as empty, as in training: {marks}")
    });
    (options, note)
}

/// Says so where the class was found under a name in another letter case.
fn note_on_class(classifier: &Classifier, found: &str) -> Option<String> {
    (found != classifier.class_name()).then(|| {
        let (asked, found) = (quoted(classifier.class_name()), quoted(found));
        format!("the class {asked} is taken to be {found}")
    })
}
