//! The figures that a paper prints.

use bayesieve::{Error, Result};
use serde::Deserialize;

/// A paper and its tables, as in `papers/NAME.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Published {
    /// How the command calls it.
    pub(super) name: String,
    pub(super) citation: String,
    /// What is computed, in a line.
    pub(super) summary: String,
    /// The files it needs.
    pub(super) needs: String,
    /// None for a paper that prints no figures.
    #[serde(default)]
    pub(super) tables: Vec<PublishedTable>,
}

/// A table: rows that go by some words, columns that go by one.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishedTable {
    /// Its number in the paper.
    pub(super) name: String,
    #[expect(dead_code, reason = "for readers of the file")]
    caption: String,
    pub(super) columns: Vec<String>,
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
pub(super) struct Figure {
    pub(super) value: f64,
    /// What stands behind ±.
    pub(super) sd: Option<f64>,
}

impl Published {
    /// Reads a paper's file.
    pub(super) fn read(text: &str) -> Result<Self> {
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

    /// The table of a number.
    pub(super) fn table(&self, name: &str) -> Result<&PublishedTable> {
        let table = self.tables.iter().find(|table| table.name == name);
        table.ok_or_else(|| Error::internal(format!("{} has no table {name}", self.name)))
    }
}

impl PublishedTable {
    /// The figure of a row and a column, if the paper has it.
    pub(super) fn figure(&self, row: &[&str], column: &str) -> Option<Figure> {
        let row = self.rows.iter().find(|known| known.row == row)?;
        let column = self.columns.iter().position(|known| known == column)?;
        let printed = |figures: &Vec<f64>| figures.get(column).copied().filter(|x| !x.is_nan());
        Some(Figure {
            value: printed(&row.values)?,
            sd: row.sd.as_ref().and_then(printed),
        })
    }

    /// As [`PublishedTable::figure`], without what stands behind ±.
    pub(super) fn value(&self, row: &[&str], column: &str) -> Option<f64> {
        self.figure(row, column).map(|figure| figure.value)
    }

    /// The distinct words that rows go by at a place, in the order of the table.
    pub(super) fn words(&self, place: usize) -> Vec<&str> {
        let mut words: Vec<&str> = Vec::new();
        for word in self.rows.iter().filter_map(|row| row.row.get(place)) {
            if !words.contains(&word.as_str()) {
                words.push(word);
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_paper_reads_and_has_a_name_of_its_own() {
        let papers = super::super::PAPERS.map(|figures| Published::read(figures).unwrap());
        let mut names: Vec<&str> = papers.iter().map(|paper| paper.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), papers.len());
    }

    #[test]
    fn a_row_of_another_length_is_refused() {
        let paper = |values: &str| {
            format!(
                "name = 'p'\ncitation = ''\nsummary = ''\nneeds = ''\n[[tables]]\nname = '1'\n\
                 caption = ''\ncolumns = ['a', 'b']\nrows = [{{ row = ['x'], values = {values} }}]"
            )
        };
        assert!(Published::read(&paper("[1.0]")).is_err());
        let read = Published::read(&paper("[1, 2.5]")).unwrap();
        let table = read.table("1").unwrap();
        assert_eq!(table.value(&["x"], "b"), Some(2.5));
        assert_eq!(table.value(&["y"], "b"), None);
        assert_eq!(table.value(&["x"], "c"), None);
        assert!(read.table("2").is_err());
        assert!(Published::read(&paper("[1, 2], sd = [0.5]")).is_err());
        let read = Published::read(&paper("[1, nan], sd = [nan, 0.5]")).unwrap();
        let table = read.table("1").unwrap();
        let first = Figure {
            value: 1.0,
            sd: None,
        };
        assert_eq!(table.figure(&["x"], "a"), Some(first));
        assert_eq!(table.figure(&["x"], "b"), None);
    }
}
