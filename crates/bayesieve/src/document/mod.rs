//! Results as JSON documents, the same ones whoever writes them.
//!
//! - [`selection()`], [`description()`], [`training()`], [`prediction()`], [`ScoreOutcome`],
//!   [`CompareOutcome`]: what was found, as a value of JSON.
//! - [`catalog()`]: what there is: methods, searches, models and so on, as they describe themselves.
//! - [`to_text`]: a document as the text of a file.
//! - [`SelectionFile`]: a selection that was written, read again to train by it.
//!
//! Every document names its `schema` and has the [`Seconds`] that it took. Names of entries are
//! a promise: a schema may get more of them, another meaning gets another schema. A number that
//! does not exist is `null`.

mod catalog;
mod comparison;
mod description;
mod prediction;
mod score;
mod selection;
mod selection_file;
mod training;

pub use catalog::{CatalogEntry, catalog, catalog_entries};
pub use comparison::{CompareOutcome, Early};
pub use description::description;
pub use prediction::prediction;
pub use score::{ScoreOutcome, ScoredSet, SetAccuracy};
pub use selection::selection;
pub use selection_file::SelectionFile;
pub use training::training;

use std::time::Duration;

use serde::Serialize;

use crate::{Error, Result};

/// How long a run took, by part.
///
/// # Example
/// ```
/// use std::time::Duration;
///
/// use bayesieve::document::Seconds;
///
/// let seconds = Seconds::new(Duration::from_nanos(1_234_567), Duration::from_millis(20));
/// assert_eq!((seconds.read, seconds.run), (0.001235, 0.02));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Seconds {
    /// Reading the data.
    pub read: f64,
    /// Everything after that.
    pub run: f64,
}

impl Seconds {
    /// The times of both parts, to the microsecond.
    pub fn new(read: Duration, run: Duration) -> Self {
        // Microseconds are as exact as it gets.
        let seconds = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e6;
        Seconds {
            read: seconds(read),
            run: seconds(run),
        }
    }
}

/// The document as text: indented, with a line end.
///
/// # Errors
/// Only what is no JSON, such as a map whose keys are no text; all documents of this module are.
///
/// # Example
/// ```
/// use bayesieve::document::to_text;
///
/// let text = to_text(&serde_json::json!({"kept": ["A2"]}))?;
/// assert_eq!(text, "{\n  \"kept\": [\n    \"A2\"\n  ]\n}\n");
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn to_text(document: &impl Serialize) -> Result<String> {
    serde_json::to_string_pretty(document)
        .map(|text| text + "\n")
        .map_err(|error| Error::internal(format!("a result is no JSON: {error}")))
}

/// A count that was added up as a float: an integer as far as integers reach.
pub fn whole(number: f64) -> serde_json::Value {
    // Beyond 2^53 a float has no units any more.
    if number < 9_007_199_254_740_992.0 {
        (number as u64).into()
    } else {
        number.into()
    }
}

/// A number that JSON can hold, or nothing.
fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests;
