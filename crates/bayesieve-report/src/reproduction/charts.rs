//! Published figures against ours, as points around the line where both are the same.

use bayesieve::printable;

use super::{ReproducedCell, ReproductionReport, cells};
use crate::chart::{SIZE, plot};
use crate::draw::{Scale, Svg};
use crate::html::Html;
use crate::page::{digits, section};
use crate::series::mark;

/// A scatter of ours against published for every measure.
pub(super) fn write(html: &mut Html, report: &ReproductionReport<'_>) {
    let mut measures: Vec<&str> = Vec::new();
    for cell in cells(report).filter(|cell| cell.difference().is_some()) {
        if !measures.contains(&cell.measure.as_str()) {
            measures.push(&cell.measure);
        }
    }
    if measures.is_empty() {
        return;
    }
    section(html, "Published against ours", |html| {
        html.note(
            "A point for every figure; on the line both are the same. Every table has its own mark.",
        );
        html.division("charts", |html| {
            for (place, measure) in measures.iter().enumerate() {
                let of = cells(report).filter(|cell| cell.measure == *measure);
                html.element("div", &[], |html| html.drawing(scatter(place, measure, of)));
            }
        });
    });
}

/// The table of a figure, what is published and what is ours.
type Point = (usize, f64, f64);

fn scatter<'a>(
    place: usize,
    measure: &str,
    cells: impl Iterator<Item = &'a ReproducedCell>,
) -> Svg {
    let points = points(cells);
    let away = points.iter().map(|(_, x, y)| (y - x).abs()).sum::<f64>();
    let description = format!(
        "{} points; ours differ from the published ones by {} on average.",
        points.len(),
        digits(away / f64::max(points.len() as f64, 1.0))
    );
    let shown = printable(measure, 40);
    let title = format!("Published and our figures of {shown}");
    let id = format!("figures-{place}");
    let mut svg = Svg::inline(&id, (SIZE.0, SIZE.0), &title, &description);
    let scale = Scale::around(points.iter().flat_map(|(_, x, y)| [*x, *y]));
    let title = format!("{shown}: ours");
    let mut plot = plot(scale, scale, &title, "published");
    plot.field.height = plot.field.width;
    plot.axes(&mut svg);
    let (least, most) = scale.ends();
    let same = [plot.place(least, least), plot.place(most, most)];
    svg.line(&same, ("var(--soft)", 1.4), "6 4");
    for (table, x, y) in points {
        mark(&mut svg, table, plot.place(x, y));
    }
    svg
}

/// The figures that have both, each with the number of its table.
fn points<'a>(cells: impl Iterator<Item = &'a ReproducedCell>) -> Vec<Point> {
    let mut tables: Vec<&str> = Vec::new();
    let points = cells.filter_map(|cell| {
        cell.difference()?;
        let known = tables.iter().position(|table| *table == cell.table);
        let table = known.unwrap_or(tables.len());
        if known.is_none() {
            tables.push(&cell.table);
        }
        Some((table, cell.published?, cell.ours?))
    });
    points.collect()
}
