//! What a paper's file holds: the figures it prints, its data sets and its methods.

use bayesieve::stats::Better;
use bayesieve::{Error, Result};
use serde::Deserialize;

use crate::data::PaperData;
use crate::statement::Sentence;

/// A paper and its tables, as in `papers/NAME.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// How it is asked for.
    pub name: String,
    /// As it is cited.
    pub citation: String,
    /// What is computed, in a line.
    pub summary: String,
    /// The files it needs.
    pub needs: String,
    /// What is computed, as a title.
    pub about: String,
    /// The same in a few sentences.
    pub details: String,
    /// What the command says below its options: the files it reads, and examples.
    pub help: String,
    /// Whether it reads files of a folder; such runs are long and keep checkpoints.
    #[serde(default)]
    pub has_data: bool,
    /// Whether it can draw figures.
    #[serde(default)]
    pub has_drawings: bool,
    /// What it can be asked for.
    pub options: Vec<PaperOption>,
    /// What a paper that compares pipelines has.
    pub(crate) comparison: Option<ComparisonFacts>,
    #[serde(default)]
    pub(crate) models: Vec<PaperModel>,
    /// In the paper's order; none for a paper that compares no pipelines.
    #[serde(default)]
    pub(crate) data: Vec<PaperData>,
    /// The same.
    #[serde(default)]
    pub(crate) methods: Vec<PaperMethod>,
    /// What its tables are about, where that is not in its code.
    #[serde(default)]
    pub(crate) measures: Vec<StudyMeasure>,
    /// What it says about its tables.
    #[serde(default)]
    pub(crate) sentences: Vec<Sentence>,
    /// None for a paper that prints no figures.
    #[serde(default)]
    tables: Vec<PublishedTable>,
}

/// An option of a paper.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperOption {
    /// How it is written.
    pub name: String,
    /// What it does, in a sentence.
    pub help: String,
    /// What it takes.
    pub kind: PaperOptionKind,
}

/// What an option takes.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PaperOptionKind {
    /// Names, written in help as this.
    Names(String),
    /// A whole number.
    Number {
        /// Without one the paper's own number, or that of `quick`, which it excludes.
        default: Option<String>,
        /// The smallest.
        min: u32,
        /// The largest.
        max: u32,
    },
    /// Nothing.
    Flag,
}

/// How a paper compares pipelines.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ComparisonFacts {
    /// The table that says how many rows and features data sets have.
    pub(crate) sizes: String,
    pub(crate) discretizer: String,
    /// How rows are divided, and for a first look; TRAIN and TEST are of the table of sizes.
    pub(crate) protocols: [String; 2],
    /// Cells that a pipeline on a data set fills.
    pub(crate) cells: usize,
    /// What documents name of the run, before methods and data.
    pub(crate) settings: Vec<String>,
    /// The data set and the method that the paper does not bring together.
    pub(crate) left_out: Option<[String; 2]>,
}

/// A model that methods select for.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaperModel {
    pub(crate) name: String,
    /// What the paper calls it, where it calls it otherwise.
    #[serde(default)]
    pub(crate) published: String,
    /// The tables of its figures, where it has its own.
    #[serde(default)]
    pub(crate) tables: Vec<String>,
    /// What pipelines with it end with.
    #[serde(default)]
    pub(crate) settings: String,
}

/// A way to select features and to classify.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaperMethod {
    pub(crate) name: String,
    /// What the paper calls it; nothing for what it does not have.
    pub(crate) published: Option<String>,
    /// The library's pipeline; words in capitals stand for what is asked for.
    pub(crate) pipeline: String,
}

/// What is measured.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StudyMeasure {
    pub(crate) name: String,
    pub(crate) title: String,
    /// Decimals that the paper prints, for most data sets.
    pub(crate) n_printed: i32,
    is_lower_better: bool,
    /// What the paper sums up of it: mean, wins, losses, rank.
    pub(crate) summaries: [String; 4],
}

impl StudyMeasure {
    pub(crate) fn better(&self) -> Better {
        if self.is_lower_better {
            Better::Lower
        } else {
            Better::Higher
        }
    }
}

/// A table: rows that go by some words, columns that go by one.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedTable {
    /// Its number in the paper.
    name: String,
    #[expect(dead_code, reason = "for readers of the file")]
    caption: String,
    columns: Vec<String>,
    rows: Vec<PublishedRow>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedRow {
    row: Vec<String>,
    /// NaN where the paper has none.
    values: Vec<f64>,
    /// What stands behind ±, one for each value; NaN where nothing does.
    #[serde(default)]
    sd: Option<Vec<f64>>,
}

/// A printed figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Figure {
    pub(crate) value: f64,
    /// What stands behind ±.
    pub(crate) sd: Option<f64>,
}

impl Published {
    /// Reads a paper's file, which is part of the program.
    pub(crate) fn known(text: &str) -> Self {
        Published::read(text).expect("a test reads every paper's file")
    }

    fn read(text: &str) -> Result<Self> {
        let paper: Published = toml::from_str(text)
            .map_err(|error| Error::internal(format!("published figures: {error}")))?;
        for table in &paper.tables {
            let n_columns = table.columns.len();
            let is_whole = |row: &&PublishedRow| {
                let n_sd = row.sd.as_ref().map_or(n_columns, Vec::len);
                row.values.len() == n_columns && n_sd == n_columns
            };
            if let Some(row) = table.rows.iter().find(|row| !is_whole(row)) {
                return Err(Error::internal(format!(
                    "{}, table {}: row {:?} has not {n_columns} values",
                    paper.name, table.name, row.row,
                )));
            }
        }
        Ok(paper)
    }

    /// Returns the names of the data sets.
    pub(crate) fn data_names(&self) -> Vec<&str> {
        self.data.iter().map(|data| &*data.name).collect()
    }

    fn table(&self, name: &str) -> Option<&PublishedTable> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// Returns the figure of a table, a row and a column, if the paper has it.
    pub(crate) fn figure(&self, table: &str, row: &[&str], column: &str) -> Option<Figure> {
        let table = self.table(table)?;
        let row = table.rows.iter().find(|known| known.row == row)?;
        let column = table.columns.iter().position(|known| known == column)?;
        let printed = |figures: &Vec<f64>| figures.get(column).copied().filter(|x| !x.is_nan());
        Some(Figure {
            value: printed(&row.values)?,
            sd: row.sd.as_ref().and_then(printed),
        })
    }

    /// As [`Published::figure`], without what stands behind ±.
    pub(crate) fn value(&self, table: &str, row: &[&str], column: &str) -> Option<f64> {
        self.figure(table, row, column).map(|figure| figure.value)
    }

    /// Returns the words that the columns of a table go by.
    pub(crate) fn columns(&self, table: &str) -> Vec<&str> {
        let table = self.table(table).into_iter();
        table
            .flat_map(|table| &table.columns)
            .map(String::as_str)
            .collect()
    }

    /// Returns the words that rows of a table start with; rows of one word stand together.
    pub(crate) fn first_words(&self, table: &str) -> Vec<&str> {
        let table = self.table(table).into_iter();
        let rows = table.flat_map(|table| &table.rows);
        let mut words: Vec<&str> = rows.filter_map(|row| Some(&**row.row.first()?)).collect();
        words.dedup();
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_paper_reads_and_numbers_are_in_their_range() {
        for paper in crate::papers() {
            for option in &paper.published().options {
                if let PaperOptionKind::Number { default, min, max } = &option.kind {
                    let default = default.as_ref().map(|default| default.parse().unwrap());
                    assert!(default.is_none_or(|default: u32| (*min..=*max).contains(&default)));
                }
            }
        }
    }

    #[test]
    fn a_row_of_another_length_is_refused() {
        let paper = |values: &str| {
            format!(
                "name = 'p'\ncitation = ''\nsummary = ''\nneeds = ''\nabout = ''\n\
                 details = ''\nhelp = ''\noptions = []\n[[tables]]\nname = '1'\n\
                 caption = ''\ncolumns = ['a', 'b']\nrows = [{{ row = ['x'], values = {values} }}]"
            )
        };
        assert!(Published::read(&paper("[1.0]")).is_err());
        let read = Published::read(&paper("[1, 2.5]")).unwrap();
        assert_eq!(read.value("1", &["x"], "b"), Some(2.5));
        assert_eq!(read.value("1", &["y"], "b"), None);
        assert_eq!(read.value("1", &["x"], "c"), None);
        assert_eq!(read.value("2", &["x"], "b"), None);
        assert!(Published::read(&paper("[1, 2], sd = [0.5]")).is_err());
        let read = Published::read(&paper("[1, nan], sd = [nan, 0.5]")).unwrap();
        let first = Figure {
            value: 1.0,
            sd: None,
        };
        assert_eq!(read.figure("1", &["x"], "a"), Some(first));
        assert_eq!(read.figure("1", &["x"], "b"), None);
    }
}
