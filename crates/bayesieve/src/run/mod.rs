//! The one way from a question to an answer: data, requests, outcomes.
//!
//! - [`Dataset`]: rows in memory, in a file larger than memory, counted, or in partitions of an
//!   engine; [`DataRequest`] says which, and how cells become codes.
//! - [`DescribeRequest`], [`SelectRequest`], [`ScoreRequest`], [`TrainRequest`], [`PredictRequest`],
//!   [`CompareRequest`]: one plain request per task, which can be written and read as JSON. `check` refuses what cannot be done before
//!   anything is read, `run` does it.
//! - [`SelectOutcome`] and its like: all that any surface shows of the result.
//!
//! A surface, such as the command or the Python package, turns its own words into a request and
//! the outcome into its own: it decides nothing.

mod compare;
mod data_request;
mod dataset;
mod describe;
mod measures;
mod names;
mod predict;
mod score;
mod select;
mod text;
mod train;

pub use crate::document::{CompareOutcome, ScoreOutcome};
pub use compare::{CompareRequest, NamedDataset};
pub use data_request::{DataKind, DataRequest, Delimiter};
pub use dataset::{Dataset, NeedsPairs};
pub use describe::{DescribeOutcome, DescribeRequest};
pub use measures::MeasureRequest;
pub use names::split_names;
pub use predict::{PredictOutcome, PredictRequest, WritePredictions};
pub use score::ScoreRequest;
pub use select::{MethodChoice, SelectOutcome, SelectRequest, SizeRule};
pub use train::{TrainOutcome, TrainRequest};

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::data::Folds;
use crate::journal::Checkpoint;
use crate::{Error, Result};

/// Where folds come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FoldSource {
    /// A file of one number per row.
    File(PathBuf),
    /// One number per row.
    Numbers(Vec<i64>),
}

impl FoldSource {
    /// The folds of so many rows.
    fn read(&self, n_rows: usize) -> Result<Folds> {
        match self {
            FoldSource::File(file) => Folds::read(file, n_rows),
            FoldSource::Numbers(numbers) => Folds::from_numbers(numbers),
        }
    }

    /// Names the file in an error.
    fn blame(&self, error: Error) -> Error {
        match self {
            FoldSource::File(file) => error.in_file(file),
            FoldSource::Numbers(_) => error,
        }
    }
}

/// Where a long run keeps what is finished.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointFile {
    /// The file.
    pub file: PathBuf,
    /// Whether to go on from what is there; without, there must be no such file.
    #[serde(default)]
    pub resume: bool,
}

impl CheckpointFile {
    /// Opens it.
    ///
    /// # Errors
    /// There is such a file, and the run is not to go on from it.
    pub fn open(&self) -> Result<Checkpoint> {
        if self.resume {
            Ok(Checkpoint::resume(&self.file))
        } else {
            Checkpoint::create(&self.file)
        }
    }
}

/// Reads a request from JSON.
///
/// # Errors
/// It is no JSON, a value has another type, or names something that does not exist.
///
/// # Example
/// ```
/// use bayesieve::run::{SelectRequest, request_from_json};
///
/// let request: SelectRequest = request_from_json(r#"{"method": "mrmr", "count": 5}"#)?;
/// assert_eq!(request.count, Some(5));
/// let error = request_from_json::<SelectRequest>(r#"{"model": "tam"}"#).unwrap_err();
/// assert_eq!(error.to_string(), "there is no model \"tam\". Did you mean \"tan\"?");
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn request_from_json<T: DeserializeOwned>(text: &str) -> Result<T> {
    // By way of a value: its errors say what is wrong, without a place in the text.
    let read = serde_json::from_str(text).and_then(serde_json::from_value);
    read.map_err(|error: serde_json::Error| {
        let message = error.to_string();
        let is_of_type = ["invalid ", "missing ", "unknown ", "data did not "];
        if error.is_data() && !is_of_type.iter().any(|start| message.starts_with(start)) {
            return Error::usage(message);
        }
        Error::usage(format!(
            "a parameter has a value of another type: {message}"
        ))
        .with_hint("The documentation says which it takes.")
    })
}

/// Files of blocks that settings name: they are inputs.
pub fn block_files(settings: &[String]) -> impl Iterator<Item = &Path> {
    let values = settings
        .iter()
        .filter_map(|text| text.strip_prefix("blocks="));
    values
        .filter(|&value| value != "found" && !value.starts_with('['))
        .map(Path::new)
}
