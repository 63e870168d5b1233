//! Which file is read, and how cells become columns.

use std::path::PathBuf;

use bayesieve::Result;
use bayesieve::data::{ColumnChoice, ReadOptions, Table, read_table};
use bayesieve::run::{DataRequest, Delimiter};
use clap::Args;

use super::{list, names};
use crate::progress::Progress;

/// What to read, and how.
#[derive(Args)]
pub(crate) struct ReadingOptions {
    /// CSV (any delimiter, also gzipped), ARFF, Parquet or Arrow IPC; `-` is CSV on
    /// standard input
    pub(crate) data: PathBuf,

    #[command(flatten)]
    pub(crate) how: HowToRead,
}

/// How cells become columns.
#[derive(Args, Clone, Debug)]
pub(crate) struct HowToRead {
    /// Columns to take as labels, or `all` [default: text, and whole numbers with at most
    /// 20 distinct values]
    #[arg(long, value_name = "A,B|all", allow_hyphen_values = true)]
    nominal: Option<String>,

    /// Columns to take as numbers, or `all` but the class
    #[arg(long, value_name = "A,B|all", allow_hyphen_values = true)]
    numeric: Option<String>,

    /// Cells that count as empty, besides really empty ones and NaN; '' for no others
    /// [default: ?,NA,null; for predict as in training]
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    na: Option<String>,

    /// Delimiter of a CSV file: auto, tab, or a mark such as , ; or | [default: auto]
    #[arg(long, value_name = "CHAR")]
    pub(super) delimiter: Option<Delimiter>,
}

impl ReadingOptions {
    /// How to read the table, as far as the options say.
    pub(crate) fn options(&self) -> Result<ReadOptions> {
        Ok(self.how.request()?.read_options())
    }

    /// Whether the user said which cells count as empty.
    pub(crate) fn names_empty_cells(&self) -> bool {
        self.how.na.is_some()
    }

    /// Reads the table. Nothing is written before, so a signal may end the run at once.
    pub(crate) fn read(&self, options: &ReadOptions, progress: &Progress) -> Result<Table> {
        progress.while_waiting(|| read_table(&self.data, options, progress))
    }
}

impl HowToRead {
    /// What requests are told of it.
    pub(crate) fn request(&self) -> Result<DataRequest> {
        let na = self.na.as_deref();
        Ok(DataRequest {
            delimiter: self.delimiter,
            nominal: choice("--nominal", self.nominal.as_deref())?,
            numeric: choice("--numeric", self.numeric.as_deref())?,
            na: match na {
                Some(text) if text.trim().is_empty() => Some(Vec::new()),
                na => list("--na", na)?,
            },
            ..DataRequest::default()
        })
    }

    /// The options that say what cells are, each with whether it is given.
    pub(crate) fn kinds_given(&self) -> [(&'static str, bool); 3] {
        [
            ("--nominal", self.nominal.is_some()),
            ("--numeric", self.numeric.is_some()),
            ("--na", self.na.is_some()),
        ]
    }
}

fn choice(option: &str, text: Option<&str>) -> Result<ColumnChoice> {
    Ok(match text {
        None => ColumnChoice::None,
        Some("all") => ColumnChoice::All,
        Some(text) => ColumnChoice::Names(names(option, text)?),
    })
}
