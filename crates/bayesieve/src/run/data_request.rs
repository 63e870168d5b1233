//! Which data a run works on: where they are, which column is which, and how cells become codes.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::text::as_optional_text;
use crate::data::{
    CodingOptions, ColumnChoice, DatesPolicy, Discretizer, MissingPolicy, ReadOptions, RoleOptions,
    check_class_bins,
};
use crate::{Error, Result, parameter};

/// What a run is told about its data.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `file` | | the file of rows, `-` for CSV on standard input |
/// | `counts` | | a count file in place of rows |
/// | `memory` | | bytes that a run may take: the rows stay in their file |
/// | `class` | the column `class`, else the last | the class |
/// | `bins` | none | bins of equally many rows that a class of numbers is cut into |
/// | `features` | all but the class | the features to use |
/// | `ignore` | none | columns never to use |
/// | `weight` | every row counts once | the column that says how often every row counts |
/// | `nominal`, `numeric` | none | columns whose kind is declared |
/// | `na` | `?`, `NA`, `null` | cells that mean a missing value, besides empty ones and NaN |
/// | `dates` | `seconds` | what columns of dates become: `seconds` since 1970, or `label` |
/// | `no_header` | no | whether a CSV file has no line of names: columns are `column1` and so on |
/// | `delimiter` | found | what stands between the cells of a CSV file |
/// | `missing` | `value` | what a missing value means |
/// | `discretize` | `mdlp` | how numbers become bins |
///
/// # Example
/// ```
/// use bayesieve::run::DataRequest;
///
/// let request: DataRequest = serde_json::from_str(r#"{"class": "y", "missing": "drop"}"#)?;
/// assert_eq!(request.class.as_deref(), Some("y"));
/// assert!(request.check().is_err()); // there is nothing to read
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DataRequest {
    /// The file of rows.
    pub file: Option<PathBuf>,
    /// A count file in place of rows.
    pub counts: Option<PathBuf>,
    /// Bytes of memory for the whole run; with it the rows stay in their file.
    pub memory: Option<u64>,
    /// The class.
    pub class: Option<String>,
    /// Bins of equally many rows that a class of numbers is cut into.
    pub bins: Option<usize>,
    /// The features to use; all columns but the class without.
    pub features: Option<Vec<String>>,
    /// Columns never to use.
    pub ignore: Vec<String>,
    /// The column that says how often every row counts: whole numbers, 0 to leave a row out.
    pub weight: Option<String>,
    /// Columns to take as labels.
    pub nominal: ColumnChoice,
    /// Columns to take as numbers.
    pub numeric: ColumnChoice,
    /// Cells that mean a missing value, besides empty ones and NaN.
    pub na: Option<Vec<String>>,
    /// What columns of dates become.
    #[serde(with = "as_optional_text")]
    pub dates: Option<DatesPolicy>,
    /// Whether a CSV file has no line of names.
    pub no_header: bool,
    /// What stands between the cells of a CSV file.
    #[serde(with = "as_optional_text")]
    pub delimiter: Option<Delimiter>,
    /// What a missing value means.
    #[serde(with = "as_optional_text")]
    pub missing: Option<MissingPolicy>,
    /// How numbers become bins.
    #[serde(with = "as_optional_text")]
    pub discretize: Option<Discretizer>,
}

/// Where the rows are, which decides what can be asked of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataKind {
    /// In memory.
    Memory,
    /// In a file that is read in passes.
    OutOfCore,
    /// Counted: single and pair tables are all that is left of them.
    CountFile,
    /// In partitions of an engine that counts what is asked for.
    Partitions,
}

impl DataKind {
    /// Refuses parameters that need rows in memory; each with whether it is given.
    pub(super) fn refuse(self, parameters: &[(&str, bool)]) -> Result<()> {
        let given = given(parameters.iter().copied());
        let Some(name) = given.filter(|_| self != DataKind::Memory) else {
            return Ok(());
        };
        let name = parameter(name);
        let (message, hint) = match self {
            DataKind::CountFile => (
                format!("{name} needs the rows, and a count file has none"),
                format!(
                    "Leave {name} out, or give the rows in place of {}.",
                    parameter("counts")
                ),
            ),
            _ => (
                format!("{name} needs the rows in memory"),
                format!("Leave {name} out, or let the rows be read into memory."),
            ),
        };
        Err(Error::usage(message).with_hint(hint))
    }
}

/// The first parameter that is given, of some with whether they are.
pub(super) fn given<'n>(parameters: impl IntoIterator<Item = (&'n str, bool)>) -> Option<&'n str> {
    let mut parameters = parameters.into_iter();
    let (name, _) = parameters.find(|(_, is_given)| *is_given)?;
    Some(name)
}

impl DataRequest {
    /// The rows of a file, with all defaults.
    pub fn file(path: impl AsRef<Path>) -> Self {
        DataRequest {
            file: Some(path.as_ref().to_owned()),
            ..DataRequest::default()
        }
    }

    /// Where the rows are.
    pub fn kind(&self) -> DataKind {
        match (&self.counts, self.memory) {
            (Some(_), _) => DataKind::CountFile,
            (None, Some(_)) => DataKind::OutOfCore,
            (None, None) => DataKind::Memory,
        }
    }

    /// The file of rows, or that of counts.
    pub fn path(&self) -> Option<&Path> {
        self.file.as_deref().or(self.counts.as_deref())
    }

    /// Refuses two sources and none, before anything is read.
    ///
    /// # Errors
    /// That, or a parameter that the counts have settled.
    pub fn check(&self) -> Result<()> {
        if let Some(n_bins) = self.bins {
            check_class_bins(n_bins)?;
        }
        let [memory, counts] = ["memory", "counts"].map(parameter);
        match (&self.file, &self.counts) {
            (None, None) if self.memory.is_some() => {
                Err(Error::usage(format!("{memory} needs the file of the rows"))
                    .with_hint("Name it."))
            }
            (None, None) => Err(Error::usage("there is nothing to read")
                .with_hint(format!("Name a file of rows, or a count file ({counts})."))),
            (Some(_), Some(_)) => Err(Error::usage(format!("both rows and {counts} are given"))
                .with_hint("Leave one out: counts take the place of the rows.")),
            (None, Some(_)) => self.refuse_what_is_settled(),
            (Some(_), None) => Ok(()),
        }
    }

    /// Refuses to say how rows are read where there are none.
    fn refuse_what_is_settled(&self) -> Result<()> {
        let delimiter = ("delimiter", self.delimiter.is_some());
        let memory = ("memory", self.memory.is_some());
        let weight = ("weight", self.weight.is_some());
        let no_header = ("no-header", self.no_header);
        let reading = [delimiter, no_header, memory, weight];
        match given(self.coding_given().into_iter().chain(reading)) {
            Some(name) => Err(Error::usage(format!(
                "{} was settled when the rows were counted",
                parameter(name)
            ))
            .with_hint("Leave it out, or count again with it.")),
            None => Ok(()),
        }
    }

    /// Refuses parameters that rows read in passes cannot follow.
    ///
    /// # Errors
    /// Dates or bins of the class are asked for.
    pub fn check_passes(&self) -> Result<()> {
        DataKind::OutOfCore.refuse(&[
            ("dates", self.dates.is_some()),
            ("bins", self.bins.is_some()),
        ])
    }

    /// The first parameter that domains settle, such as the class and the missing values, and
    /// that is given all the same.
    pub fn settled_by_domains(&self) -> Option<&'static str> {
        let chosen = [
            ("features", self.features.is_some()),
            ("ignore", !self.ignore.is_empty()),
        ];
        given(self.coding_given().into_iter().chain(chosen))
    }

    /// The parameters that say how cells become codes, each with whether it is given.
    fn coding_given(&self) -> [(&'static str, bool); 8] {
        [
            ("class", self.class.is_some()),
            ("missing", self.missing.is_some()),
            ("discretize", self.discretize.is_some()),
            ("nominal", self.nominal != ColumnChoice::None),
            ("numeric", self.numeric != ColumnChoice::None),
            ("na", self.na.is_some()),
            ("dates", self.dates.is_some()),
            ("bins", self.bins.is_some()),
        ]
    }

    /// How cells become columns.
    pub fn read_options(&self) -> ReadOptions {
        let mut options = ReadOptions {
            class: self.class.clone(),
            delimiter: self.delimiter.and_then(|delimiter| delimiter.0),
            has_header: !self.no_header,
            nominal: self.nominal.clone(),
            numeric: self.numeric.clone(),
            weight: self.weight.clone(),
            ..ReadOptions::default()
        };
        if let Some(na) = &self.na {
            options.missing = vec![String::new(), "NaN".into()];
            options.missing.extend(na.iter().cloned());
        }
        options
    }

    /// Which column is which.
    pub fn role_options(&self) -> RoleOptions {
        RoleOptions {
            class: self.class.clone(),
            features: self.features.clone(),
            ignore: self.ignore.clone(),
            weight: self.weight.clone(),
        }
    }

    /// How columns become codes.
    pub fn coding(&self) -> CodingOptions {
        CodingOptions {
            missing: self.missing.unwrap_or_default(),
            discretizer: self.discretize.unwrap_or_default(),
        }
    }

    /// The parameter that leaves columns out.
    pub(super) fn excluding_parameter(&self) -> &'static str {
        if self.ignore.is_empty() {
            "features"
        } else {
            "ignore"
        }
    }
}

/// The mark between the cells of a CSV file: found by itself, or given.
///
/// # Example
/// ```
/// use bayesieve::run::Delimiter;
///
/// for text in ["auto", "tab", ";"] {
///     assert_eq!(text.parse::<Delimiter>()?.to_string(), text);
/// }
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delimiter(Option<u8>);

impl FromStr for Delimiter {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let is_mark = |byte: u8| {
            byte.is_ascii() && !b"\"\n\r".contains(&byte) && !byte.is_ascii_alphanumeric()
        };
        match (text, text.as_bytes()) {
            ("auto", _) => Ok(Delimiter(None)),
            ("tab" | "\\t", _) => Ok(Delimiter(Some(b'\t'))),
            (_, &[byte]) if is_mark(byte) => Ok(Delimiter(Some(byte))),
            _ => Err(Error::usage(
                "use auto, tab, or one character such as , ; or |",
            )),
        }
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => out.write_str("auto"),
            Some(b'\t') => out.write_str("tab"),
            Some(byte) => write!(out, "{}", char::from(byte)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delimiter_is_one_mark() {
        let delimiter = |text: &str| text.parse::<Delimiter>();
        assert_eq!(delimiter("tab").unwrap().0, Some(b'\t'));
        assert_eq!(delimiter(";").unwrap().0, Some(b';'));
        for bad in ["", "ab", "x", "\"", "ü"] {
            assert!(delimiter(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_count_file_has_settled_how_rows_are_read() {
        let mut request = DataRequest {
            counts: Some("a.counts".into()),
            ignore: vec!["id".into()],
            ..DataRequest::default()
        };
        assert!(request.check().is_ok());
        request.delimiter = Some("auto".parse().unwrap());
        let error = request.check().unwrap_err().to_string();
        assert!(error.contains("delimiter was settled"), "{error}");
        request.file = Some("a.csv".into());
        assert!(request.check().unwrap_err().to_string().contains("both"));
    }
}
