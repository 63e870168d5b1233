//! ARFF: the format of WEKA, whose head declares the kind of every column.

mod header;
mod row;

use std::path::Path;

use self::header::{Header, Kind};
use self::row::{Cell, Row, RowProblem};
use super::encode::{Encoder, Finished, Wanted, trim};
use super::fault::{cell_error, check_encoding, check_row_limit, no_rows, ragged};
use super::lines::Lines;
use super::options::{ColumnKind, Missing, ReadOptions};
use super::source::Source;
use crate::Observer;
use crate::data::{KindOrigin, Table};
use crate::{Error, Result};

/// Cells between two looks at the observer.
const CELLS_PER_REPORT: u64 = 100_000;

/// Reads an ARFF file, packed by gzip or not; `-` is standard input.
///
/// The kinds are those that the file declares, unless the options overrule them: `numeric`,
/// `real` and `integer` are numeric however few values there are; `{a, b}`, `string` and
/// `date` are nominal. Labels that are declared but do not occur are not in the domain.
/// Besides `?`, the options' texts for "no value" are missing, unless they are declared as
/// labels.
///
/// # Errors
/// As [`read_csv`](super::read_csv), and: a label that is not declared, a relational
/// column, a row with a weight, a sparse row that leaves out a text column.
///
/// # Cost
/// One pass over the file; memory of the coded table and a buffer.
///
/// # Example
/// ```
/// use bayesieve::data::{ReadOptions, read_arff};
/// use bayesieve::Silent;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("people.arff");
/// std::fs::write(
///     &path,
///     "@relation people\n@attribute age real\n@attribute smoker {yes, no}\n@data\n31,no\n",
/// )?;
/// let table = read_arff(&path, &ReadOptions::default(), &Silent)?;
/// assert_eq!(table.column("age").and_then(|age| age.as_numeric()), Some(&[31.0][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_arff(path: &Path, options: &ReadOptions, observer: &dyn Observer) -> Result<Table> {
    let source = Source::open(path, observer)?;
    read(&source, options, observer)
}

/// Reads an opened source.
pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    observer: &dyn Observer,
) -> Result<Table> {
    let mut lines = Lines::new(source)?;
    read_lines(&mut lines, source, options, observer).map_err(|error| source.blame(error))
}

fn read_lines(
    lines: &mut Lines<'_>,
    source: &Source,
    options: &ReadOptions,
    observer: &dyn Observer,
) -> Result<Table> {
    check_encoding(source.sample())?;
    let header = Header::read(lines)?;
    let missing = Missing::new(&options.missing);
    let declared = options.declared_kinds(&header.names)?;
    let encoders = header.kinds.iter().zip(declared);
    let encoders = encoders.map(|(kind, declared)| encoder(&missing, kind, declared));
    let mut rows = Rows {
        encoders: encoders.collect(),
        header,
        n_rows: 0,
    };
    let rows_per_report = (CELLS_PER_REPORT / rows.header.names.len() as u64).max(1);
    let mut line = Vec::new();
    let mut row = Row::default();
    while lines.next(&mut line)? {
        if matches!(trim(&line), [] | [b'%', ..]) {
            continue;
        }
        let taken = row
            .split(&line, rows.header.names.len())
            .map_err(row_error)
            .and_then(|()| rows.push(&row, lines.number()));
        taken.map_err(|error| error.at_line(lines.number()))?;
        if rows.n_rows.is_multiple_of(rows_per_report) {
            source.report(observer)?;
            check_row_limit(rows.n_rows)?;
        }
    }
    source.report(observer)?;
    rows.finish()
}

/// An encoder for what the user wants, else for what the file declares.
fn encoder<'a>(missing: &'a Missing, kind: &Kind, declared: Option<ColumnKind>) -> Encoder<'a> {
    match (kind, declared) {
        (Kind::Nominal(labels), None | Some(ColumnKind::Nominal)) => {
            Encoder::with_labels(missing, labels)
        }
        (Kind::Numeric, None) => Encoder::new(missing, Wanted::Numeric),
        (_, declared) => {
            let text = Wanted::Nominal(KindOrigin::Declared);
            Encoder::new(missing, Wanted::declared_or(declared, text))
        }
    }
}

/// The columns in the making.
struct Rows<'a> {
    header: Header,
    encoders: Vec<Encoder<'a>>,
    n_rows: u64,
}

impl Rows<'_> {
    /// Takes a row; errors name the column, not the line.
    fn push(&mut self, row: &Row, line: u64) -> Result<()> {
        match row.indices() {
            Some(indices) => self.push_sparse(row, indices, line)?,
            None if row.len() != self.encoders.len() => {
                return Err(ragged(row.len(), self.encoders.len()));
            }
            None => {
                let columns = self.encoders.iter_mut().zip(&self.header.names);
                for ((encoder, name), cell) in columns.zip(row.cells()) {
                    push_cell(encoder, cell, line).map_err(|error| error.in_column(name))?;
                }
            }
        }
        self.n_rows += 1;
        Ok(())
    }

    fn push_sparse(&mut self, row: &Row, indices: &[usize], line: u64) -> Result<()> {
        let n_columns = self.encoders.len();
        let mut given = vec![None; n_columns];
        for (&index, cell) in indices.iter().zip(row.cells()) {
            let slot = given.get_mut(index).ok_or_else(|| {
                Error::data(format!(
                    "there is no column {index}: {n_columns} columns, counted from 0"
                ))
            })?;
            if slot.replace(cell).is_some() {
                return Err(Error::data("the sparse row names the column twice")
                    .in_column(&self.header.names[index]));
            }
        }
        for (column, encoder) in self.encoders.iter_mut().enumerate() {
            let absent = || self.header.kinds[column].absent().map(Cell::quoted);
            let pushed = match given[column].or_else(absent) {
                Some(cell) => push_cell(encoder, cell, line),
                None => Err(Error::data("the sparse row leaves out a column of text")),
            };
            pushed.map_err(|error| error.in_column(&self.header.names[column]))?;
        }
        Ok(())
    }

    fn finish(self) -> Result<Table> {
        if self.n_rows == 0 {
            return Err(no_rows());
        }
        check_row_limit(self.n_rows)?;
        let mut columns = Vec::with_capacity(self.encoders.len());
        for (encoder, name) in self.encoders.into_iter().zip(&self.header.names) {
            match encoder.finish(name) {
                Finished::Column(column) => columns.push(column),
                other => {
                    return Err(Error::internal(format!(
                        "a declared column ends as {other:?}"
                    )));
                }
            }
        }
        Table::new(columns)
    }
}

fn push_cell(encoder: &mut Encoder<'_>, cell: Cell<'_>, line: u64) -> Result<()> {
    if !cell.is_quoted && trim(cell.bytes) == b"?" {
        encoder.push_missing();
        return Ok(());
    }
    let pushed = encoder.push(cell.bytes, line);
    pushed.map_err(|problem| cell_error(problem, cell.bytes))
}

/// The error for a line that cannot be cut into cells.
fn row_error(problem: RowProblem) -> Error {
    match problem {
        RowProblem::OpenQuote => Error::data("a quote is opened and never closed")
            .with_hint("Close it, or write a backslash before a quote that is meant."),
        RowProblem::OpenBrace => Error::data("a brace is opened and never closed"),
        RowProblem::TextAfterEnd => Error::data("there is text after a closing quote or brace")
            .with_hint("Separate the cells by commas, or quote the whole cell."),
        RowProblem::Weight => Error::data("the row has a weight, and weights are not supported")
            .with_hint("Remove the braces at the end of the rows."),
        RowProblem::NoIndex => Error::data("a sparse cell needs a column number and a value")
            .with_hint("Write {0 value, 3 value}."),
    }
}

#[cfg(test)]
mod tests;
