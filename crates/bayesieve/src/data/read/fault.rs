//! The errors that all readers share, so that they read the same for every format.

use super::encode::Problem;
use super::source::Source;
use crate::data::{Column, KindOrigin, Table, Values};
use crate::{Error, Result, quoted};

/// Most rows of a table: row numbers are `u32`, and the largest one stays free.
const MAX_ROWS: u64 = u32::MAX as u64 - 1;

/// The error for a cell, without its place.
pub(super) fn cell_error(problem: Problem, cell: &[u8]) -> Error {
    let text = quoted(&String::from_utf8_lossy(cell));
    match problem {
        Problem::NotUtf8 => Error::data("the bytes are not UTF-8").with_hint(
            "Convert the file, for example with iconv -f LATIN1 -t UTF-8, \
             or save it as CSV UTF-8.",
        ),
        Problem::Nul => Error::data("there is a NUL byte").with_hint("Is this a text file?"),
        Problem::NotANumber => Error::data(format!(
            "{text} is not a number, but the column is declared numeric"
        ))
        .with_hint("Correct the cell, or do not declare the column numeric."),
        Problem::Infinite => Error::data(format!("{text} is an infinite number")).with_hint(
            "Write a finite number, leave the cell empty, or declare the column nominal.",
        ),
        Problem::NotListed => Error::data(format!(
            "{text} is not among the labels that the file declares"
        ))
        .with_hint("Correct the cell, or add the label to the declaration."),
    }
}

/// The error for a row of another length than the others.
pub(super) fn ragged(n_cells: usize, n_columns: usize) -> Error {
    let cells = if n_cells == 1 { "cell" } else { "cells" };
    let columns = if n_columns == 1 { "column" } else { "columns" };
    Error::data(format!("{n_cells} {cells} for {n_columns} {columns}"))
        .with_hint("Every row needs a cell for every column; quote cells that hold delimiters.")
}

/// The error for a file that has names but no rows.
pub(super) fn no_rows() -> Error {
    Error::data("there are names, but no rows")
}

/// The error for a file in which there is nothing.
pub(super) fn empty_file() -> Error {
    Error::data("the file is empty")
}

/// Refuses a file in which there is nothing.
pub(super) fn check_not_empty(source: &Source) -> Result<()> {
    if source.sample.is_empty() {
        return Err(empty_file());
    }
    Ok(())
}

/// The error for text in two bytes a letter, by its first bytes.
pub(super) fn check_encoding(sample: &[u8]) -> Result<()> {
    if sample.starts_with(b"\xFF\xFE") || sample.starts_with(b"\xFE\xFF") {
        return Err(Error::data("the text is UTF-16, not UTF-8")
            .with_hint("Convert it with iconv -f UTF-16 -t UTF-8, or save it as CSV UTF-8."));
    }
    Ok(())
}

/// Refuses names that are empty or stand twice.
pub(super) fn check_names(names: &[String]) -> Result<()> {
    // The table knows the rules, and one without rows costs little.
    let columns = names.iter().map(|name| {
        Column::new(
            name.as_str(),
            Values::Numeric(Vec::new()),
            KindOrigin::Numbers,
        )
    });
    Table::new(columns.collect()).map(drop)
}

/// Refuses more rows than row numbers can tell apart.
pub(super) fn check_row_limit(n_rows: u64) -> Result<()> {
    if n_rows > MAX_ROWS {
        return Err(Error::data(format!("more than {MAX_ROWS} rows"))
            .with_hint("Take a sample of the rows."));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_row_limit_leaves_the_largest_row_number_free() {
        assert!(check_row_limit(4_294_967_294).is_ok());
        let error = check_row_limit(4_294_967_295).unwrap_err();
        assert_eq!(
            error.to_string(),
            "more than 4294967294 rows. Take a sample of the rows."
        );
    }
}
