//! The tables of a paper: published, ours, and how far they are apart.

use bayesieve::printable;

use super::ReproducedCell;
use crate::html::Html;
use crate::page::{column_digits, more};
use crate::table::{ColumnStyle, PageCell, PageTable};

/// Rows of a table that are shown.
const MAX_ROWS: usize = 400;

/// Writes a table with the columns that its cells need.
pub(super) fn write(html: &mut Html, cells: &[ReproducedCell]) {
    let n_digits = n_digits(cells);
    let has_published = cells.iter().any(|cell| cell.published.is_some());
    let shown = cells.iter().take(MAX_ROWS);
    let mut table = PageTable::new("Published and our figures", shown);
    table.words("row", |cell| printable(&cell.row, 80));
    table.column("column", ColumnStyle::Plain, |cell| {
        printable(&cell.column, 40)
    });
    if cells.iter().any(|cell| cell.measure != cells[0].measure) {
        table.column("measure", ColumnStyle::Plain, |cell| {
            printable(&cell.measure, 40)
        });
    }
    if has_published {
        table.number("published", |cell| {
            PageCell::with_error(cell.published, cell.published_sd, n_digits)
        });
    }
    table.number("ours", |cell| {
        PageCell::with_error(cell.ours, cell.ours_sd, n_digits)
    });
    if has_published {
        let differences = cells.iter().filter_map(ReproducedCell::difference);
        let largest = differences.map(f64::abs).fold(0.0, f64::max);
        table.number("difference", |cell| difference(cell, largest, n_digits));
    }
    if cells.iter().any(|cell| cell.in_sd().is_some()) {
        table.number("in published sd", |cell| {
            cell.in_sd().map_or("–".into(), |sds| format!("{sds:+.1}"))
        });
    }
    table.write(html);
    if has_published {
        html.note(
            "± is a standard deviation. Differences are ours less published: green near, red far.",
        );
    }
    let rest = "; the JSON document (-o FILE) has them all.";
    more(html, cells.len(), MAX_ROWS, rest);
}

/// Digits behind the point: shares and F values differ in later ones than percentages do.
fn n_digits(cells: &[ReproducedCell]) -> usize {
    let numbers = cells.iter().flat_map(|cell| [cell.ours, cell.published]);
    let n_digits = column_digits(numbers.flatten());
    let is_share = |cell: &ReproducedCell| cell.ours.is_none_or(|ours| ours.abs() <= 1.0);
    if cells.iter().all(is_share) {
        n_digits
    } else {
        n_digits.min(2)
    }
}

/// Green where near, red where far: by published standard deviations, else by the largest
/// difference of the table.
fn difference<'a>(cell: &ReproducedCell, largest: f64, n_digits: usize) -> PageCell<'a> {
    let Some(difference) = cell.difference() else {
        return "–".into();
    };
    let shade = match cell.in_sd() {
        Some(sds) => 1.0 - sds.abs(),
        None if largest > 0.0 => 1.0 - 2.0 * difference.abs() / largest,
        None => 1.0,
    };
    PageCell::Shaded(format!("{difference:+.n_digits$}"), shade.clamp(-1.0, 1.0))
}
