//! ARFF: the format of WEKA, whose head declares the kind of every column.

mod header;
mod row;

use self::header::{Header, Kind};
use self::row::{Cell, Row, RowProblem};
use super::blocks::{ReadJob, RowBlock, Visit};
use super::encode::{Encoder, Finished, Wanted, trim};
use super::fault::{cell_error, check_encoding, check_row_limit, no_rows, ragged};
use super::lines::Lines;
use super::options::{ColumnKind, Missing, ReadOptions};
use super::source::Source;
use super::{Format, TableFile};
use crate::Observer;
use crate::data::{KindOrigin, Table};
use crate::{Error, Result};

/// Cells between two looks at the observer.
const CELLS_PER_REPORT: u64 = 100_000;

pub(super) static FORMAT: Format = Format {
    extensions: &["arff"],
    is_start,
    open: |source, options, observer| {
        let table = read(source, options, observer)?;
        let names = table.names().map(str::to_owned).collect();
        Ok(Box::new(ArffFile { table, names }))
    },
};

/// Whether the first line that is no comment declares a relation.
fn is_start(sample: &[u8]) -> bool {
    let lines = sample.split(|&byte| byte == b'\n' || byte == b'\r');
    let mut lines = lines.map(trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"%"));
    first.is_some_and(|line| {
        line.get(..9)
            .is_some_and(|word| word.eq_ignore_ascii_case(b"@relation"))
    })
}

/// An ARFF file, which is read whole when it is opened.
#[derive(Debug)]
struct ArffFile {
    table: Table,
    names: Vec<String>,
}

impl TableFile for ArffFile {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn n_rows(&self) -> Option<u64> {
        Some(self.table.n_rows() as u64)
    }

    fn is_in_parts(&self) -> bool {
        false
    }

    fn read_whole(&self, _: &ReadJob<'_>) -> Result<Table> {
        Ok(self.table.clone())
    }

    fn read_blocks(&self, job: &ReadJob<'_>, visit: &mut Visit<'_>) -> Result<()> {
        let columns = job.columns.iter();
        let columns = columns.map(|&place| (*self.table.columns()[place]).clone());
        let table = Table::new(columns.collect())?;
        let rows: Vec<u32> = (0..table.n_rows() as u32).collect();
        let blocks = rows.chunks(job.n_rows_of_block);
        for rows in blocks.skip(job.n_skipped) {
            visit(RowBlock {
                table: table.take_rows(rows).with_labels_present(),
                unclear: Vec::new(),
            })?;
        }
        Ok(())
    }
}

fn read(source: &Source, options: &ReadOptions, observer: &dyn Observer) -> Result<Table> {
    check_encoding(&source.sample)?;
    let mut lines = Lines::new(source)?;
    let header = Header::read(&mut lines)?;
    let missing = Missing::new(&options.missing);
    let declared = options.declared_kinds(&header.names)?;
    let encoders = header.kinds.iter().zip(declared);
    let encoders = encoders.map(|(kind, declared)| encoder(&missing, kind, declared));
    let mut rows = ArffRows {
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
struct ArffRows<'a> {
    header: Header,
    encoders: Vec<Encoder<'a>>,
    n_rows: u64,
}

impl ArffRows<'_> {
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
