//! What is read, which column is which, and how it becomes codes.

use std::path::{Path, PathBuf};

use bayesieve::Result;
use bayesieve::data::{ColumnChoice, DatesPolicy, Discretizer, MissingPolicy};
use bayesieve::run::{DataRequest, Delimiter};
use clap::Args;

use super::{list, memory, names};

/// What to read, which column is which, and how it becomes codes.
#[derive(Args)]
pub(crate) struct DataOptions {
    /// CSV (any delimiter, also gzipped), ARFF, Parquet or Arrow IPC; `-` is CSV on
    /// standard input
    data: Option<PathBuf>,

    /// Work on this file of counts (`bayesieve count`, `merge`) in place of DATA
    #[arg(long, value_name = "FILE")]
    counts: Option<PathBuf>,

    /// Leave the rows of DATA in their file and count them in passes, within so much memory,
    /// 68MB (64MiB) at least: 500MB, 2GB
    #[arg(long, value_name = "SIZE", value_parser = memory, conflicts_with = "counts")]
    memory: Option<u64>,

    #[command(flatten)]
    how: HowToRead,

    #[command(flatten)]
    columns: ColumnOptions,
}

/// How cells become columns.
#[derive(Args, Debug)]
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

    /// The CSV file has no line of names: columns are `column1`, `column2` and so on
    #[arg(long)]
    no_header: bool,

    /// Columns of dates: `seconds` since 1970 as numbers, or each date a `label`
    /// [default: seconds]
    #[arg(long, value_name = "HOW")]
    dates: Option<DatesPolicy>,

    /// Delimiter of a CSV file: auto, tab, or a mark such as , ; or | [default: auto]
    #[arg(long, value_name = "CHAR")]
    delimiter: Option<Delimiter>,
}

/// Which column is which, and how columns become codes.
#[derive(Args, Debug)]
pub(crate) struct ColumnOptions {
    /// The class column [default: the column named `class`, else the last]
    #[arg(
        long,
        visible_alias = "target",
        value_name = "NAME",
        allow_hyphen_values = true
    )]
    class: Option<String>,

    /// Cut a class of numbers into so many bins of about equally many rows
    #[arg(long, value_name = "K")]
    bins: Option<usize>,

    /// Use only these features; a name with a comma goes in double quotes
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    features: Option<String>,

    /// Never use these columns
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    ignore: Option<String>,

    /// Count every row as often as this column says: whole numbers, 0 leaves a row out
    /// [default: every row once]
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    weight: Option<String>,

    /// Empty cells: `value`, a value of their own; `drop` their rows; `available`, count
    /// the complete rows of every table; `refuse` [default: value]
    #[arg(long, value_name = "POLICY")]
    missing: Option<MissingPolicy>,

    /// How numbers become bins: mdlp (where it pays for the class), width:K, frequency:K,
    /// or none [default: mdlp]
    #[arg(long, value_name = "HOW")]
    discretize: Option<Discretizer>,
}

impl DataOptions {
    /// The file of rows, or that of counts.
    pub(crate) fn file(&self) -> &Path {
        let file = self.data.as_deref().or(self.counts.as_deref());
        // None at all is refused before it is used.
        file.unwrap_or(Path::new(""))
    }

    /// The data as requests name them.
    pub(crate) fn request(&self) -> Result<DataRequest> {
        Ok(DataRequest {
            file: self.data.clone(),
            counts: self.counts.clone(),
            memory: self.memory,
            ..self.columns.request(&self.how)?
        })
    }
}

impl HowToRead {
    /// What a request says of it.
    pub(crate) fn request(&self) -> Result<DataRequest> {
        let choice = |option, text: &Option<String>| {
            Ok(match text.as_deref() {
                None => ColumnChoice::None,
                Some("all") => ColumnChoice::All,
                Some(text) => ColumnChoice::Names(names(option, text)?),
            })
        };
        Ok(DataRequest {
            dates: self.dates,
            no_header: self.no_header,
            delimiter: self.delimiter,
            nominal: choice("--nominal", &self.nominal)?,
            numeric: choice("--numeric", &self.numeric)?,
            na: match &self.na {
                Some(text) if text.trim().is_empty() => Some(Vec::new()),
                na => list("--na", na)?,
            },
            ..DataRequest::default()
        })
    }
}

impl ColumnOptions {
    /// The column that says how often every row counts.
    pub(crate) fn weight(&self) -> Option<&str> {
        self.weight.as_deref()
    }

    /// What a request says of it, and of how cells become columns.
    pub(crate) fn request(&self, how: &HowToRead) -> Result<DataRequest> {
        Ok(DataRequest {
            class: self.class.clone(),
            bins: self.bins,
            features: list("--features", &self.features)?,
            ignore: list("--ignore", &self.ignore)?.unwrap_or_default(),
            weight: self.weight.clone(),
            missing: self.missing,
            discretize: self.discretize,
            ..how.request()?
        })
    }
}
