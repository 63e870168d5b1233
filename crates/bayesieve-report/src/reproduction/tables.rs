//! The tables of a paper: published, ours, and how far they are apart.

use bayesieve::printable;

use super::ReproducedCell;
use crate::html::Html;
use crate::page::{column_digits, more};
use crate::table::{Cell, Kind, Table};

/// Rows of a table that are shown.
const MOST_ROWS: usize = 400;

/// Which columns a table has, and how its numbers are shown.
struct Shape {
    has_measures: bool,
    has_published: bool,
    has_sd: bool,
    n_digits: usize,
    /// The largest difference.
    largest: f64,
}

impl Shape {
    fn of(cells: &[ReproducedCell]) -> Self {
        let differences = cells.iter().filter_map(ReproducedCell::difference);
        let is_share = |cell: &ReproducedCell| cell.ours.is_none_or(|ours| ours.abs() <= 1.0);
        let numbers = cells.iter().flat_map(|cell| [cell.ours, cell.published]);
        let n_digits = column_digits(numbers.flatten());
        Shape {
            has_measures: cells.iter().any(|cell| cell.measure != cells[0].measure),
            has_published: cells.iter().any(|cell| cell.published.is_some()),
            has_sd: cells.iter().any(|cell| cell.in_sd().is_some()),
            // Shares and F values differ in later digits than percentages do.
            n_digits: if cells.iter().all(is_share) {
                n_digits
            } else {
                n_digits.min(2)
            },
            largest: differences.fold(0.0, |most, d| f64::max(most, d.abs())),
        }
    }

    /// Which of all columns there are.
    fn columns(&self) -> [bool; 7] {
        let published = self.has_published;
        [
            true,
            true,
            self.has_measures,
            published,
            true,
            published,
            self.has_sd,
        ]
    }
}

/// All columns that a table may have.
const HEAD: [(&str, Kind); 7] = [
    ("row", Kind::Words),
    ("column", Kind::Plain),
    ("measure", Kind::Plain),
    ("published", Kind::Number),
    ("ours", Kind::Number),
    ("difference", Kind::Number),
    ("in published sd", Kind::Number),
];

pub(super) fn write(html: &mut Html, cells: &[ReproducedCell]) {
    let shape = Shape::of(cells);
    let columns = shape.columns();
    let head = HEAD.into_iter().zip(columns);
    let head: Vec<_> = head.filter(|(_, is)| *is).map(|(head, _)| head).collect();
    let rows = cells.iter().take(MOST_ROWS).map(|cell| {
        let row = row(cell, &shape).into_iter().zip(columns);
        row.filter(|(_, is)| *is).map(|(cell, _)| cell).collect()
    });
    let table = Table {
        label: "Published and our figures",
        head: &head,
        rows: rows.collect(),
    };
    table.write(html);
    if shape.has_published {
        let text = "± is a standard deviation. Differences are ours less published: green near, \
                    red far.";
        html.styled("p", "note", text);
    }
    let where_they_are = "; the JSON document (-o FILE) has them all.";
    more(html, (cells.len(), MOST_ROWS), where_they_are);
}

/// A cell for every column that a table may have.
fn row<'a>(cell: &ReproducedCell, shape: &Shape) -> [Cell<'a>; 7] {
    let n_digits = shape.n_digits;
    let in_sd = cell.in_sd().map(|sds| format!("{sds:+.1}"));
    [
        Cell::Text(printable(&cell.row, 80)),
        Cell::Text(printable(&cell.column, 40)),
        Cell::Text(printable(&cell.measure, 40)),
        with_sd(cell.published, cell.published_sd, n_digits),
        with_sd(cell.ours, cell.ours_sd, n_digits),
        difference(cell, shape.largest, n_digits),
        Cell::Text(in_sd.unwrap_or("–".into())),
    ]
}

fn with_sd<'a>(number: Option<f64>, sd: Option<f64>, n_digits: usize) -> Cell<'a> {
    match (number, sd.filter(|sd| sd.is_finite())) {
        (Some(number), Some(sd)) if number.is_finite() => {
            Cell::Text(format!("{number:.n_digits$} ± {sd:.n_digits$}"))
        }
        _ => Cell::number(number, n_digits),
    }
}

/// Green where near, red where far: by published standard deviations, else by the largest
/// difference of the table.
fn difference<'a>(cell: &ReproducedCell, largest: f64, n_digits: usize) -> Cell<'a> {
    let Some(difference) = cell.difference() else {
        return Cell::Text("–".into());
    };
    let shade = match cell.in_sd() {
        Some(sds) => 1.0 - sds.abs(),
        None if largest > 0.0 => 1.0 - 2.0 * difference.abs() / largest,
        None => 1.0,
    };
    Cell::Shaded(format!("{difference:+.n_digits$}"), shade.clamp(-1.0, 1.0))
}
