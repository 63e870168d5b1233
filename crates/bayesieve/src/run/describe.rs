//! What the columns hold and what they say about the class.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::dataset::{Preparation, PreparedRows};
use super::text::as_text;
use super::{DataKind, DataRequest, Dataset};
use crate::data::CodedTable;
use crate::describe::{
    Description, Levels, PairDescription, describe, describe_counted, describe_counted_pairs,
    describe_pairs,
};
use crate::document::{self, Seconds};
use crate::{Observer, Result};

/// What to find out about every column.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::Generator;
/// use bayesieve::run::{DataRequest, Dataset, DescribeRequest};
///
/// let table = Generator::Example1.generate(320, 1)?;
/// let data = Dataset::of_table(table, DataRequest::default())?;
/// let outcome = DescribeRequest::default().run(&data, &Silent)?;
/// assert_eq!(outcome.description.features.len(), 8);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DescribeRequest {
    /// How deep to look for redundancy.
    #[serde(with = "as_text")]
    pub levels: Levels,
    /// Whether to describe every pair of features, too.
    pub with_pairs: bool,
}

/// What was found out, with all that is shown of it.
#[derive(Debug)]
pub struct DescribeOutcome {
    /// The columns, with or without their rows.
    pub coded: CodedTable,
    /// What they hold.
    pub description: Description,
    /// What every pair of features has in common, where that was asked for.
    pub pairs: Option<Vec<PairDescription>>,
    /// What the reader should know.
    pub notes: Vec<String>,
    /// How long it took.
    pub seconds: Seconds,
}

impl DescribeOutcome {
    /// The document of the description, schema `bayesieve.description.v1`.
    pub fn document(&self) -> Value {
        document::description(&self.coded, &self.description, &self.notes, self.seconds)
    }
}

impl DescribeRequest {
    /// Refuses what cannot be done, before anything is read.
    ///
    /// # Errors
    /// Those of [`DataRequest::check`].
    pub fn check(&self, data: &DataRequest) -> Result<()> {
        data.check()
    }

    /// Describes every column.
    ///
    /// # Errors
    /// Those of coding or counting the rows, and of [`describe`](crate::describe::describe()).
    pub fn run(&self, data: &Dataset, observer: &dyn Observer) -> Result<DescribeOutcome> {
        let how = Preparation {
            roles: Some(data.roles_with_identifiers()),
            needs_pairs: (self.levels != Levels::Zero || self.with_pairs).into(),
            ..Preparation::default()
        };
        let rows = data.prepare(how, observer)?;
        observer.stage("describing");
        let (description, pairs) = match &rows.rows {
            PreparedRows::Coded(coded) => (
                describe(coded, self.levels, observer),
                self.with_pairs.then(|| describe_pairs(coded, observer)),
            ),
            PreparedRows::Counted(counted) => (
                describe_counted(counted, self.levels, observer),
                self.with_pairs
                    .then(|| describe_counted_pairs(counted, observer)),
            ),
        };
        let description = description.map_err(|error| data.blame(error))?;
        let pairs = pairs.transpose().map_err(|error| data.blame(error))?;
        let mut notes = rows.notes.clone();
        notes.extend(left_out(data));
        if !description.has_level1 && self.levels == Levels::Auto {
            notes.push(
                "redundancy at level 1 is left out above 1,000 features, unless it is asked for"
                    .into(),
            );
        }
        Ok(DescribeOutcome {
            description,
            pairs,
            notes,
            seconds: rows.seconds(),
            coded: rows.into_outline(),
        })
    }
}

/// What only rows in memory would show. Whoever hands over counts knows; whoever names a file may
/// not.
fn left_out(data: &Dataset) -> Option<String> {
    let why = match data.kind() {
        DataKind::OutOfCore => "rows that are not in memory are not compared with one another",
        DataKind::CountFile if data.is_file() => "counts do not tell which rows are equal",
        _ => return None,
    };
    Some(format!(
        "{why}; columns of numbers are compared by their bins"
    ))
}
