//! Learning curves: accuracy against training rows.

use std::collections::BTreeSet;

use bayesieve::evaluate::{Comparison, Quantity};
use bayesieve::printable;
use bayesieve::wording::grouped;

use super::label;
use crate::chart::{SIZE, plot};
use crate::draw::{Plot, Scale, Svg, Text};
use crate::html::Html;
use crate::labels::spread;
use crate::series::{color, dashes, key, mark};
use crate::table::PageTable;

/// The learning curve of a pipeline.
struct LearningCurve {
    pipeline: usize,
    /// Training rows and accuracy in percent.
    points: Vec<(f64, f64)>,
}

fn curves(found: &Comparison, data: usize) -> Vec<LearningCurve> {
    let curves = (0..found.pipelines.len()).map(|pipeline| {
        let points = found.curve(data, pipeline).into_iter();
        let points = points.filter_map(|(n_train, entry)| {
            let accuracy = entry.mean_sd(Quantity::ACCURACY)?;
            Some((n_train as f64, accuracy.mean * 100.0))
        });
        let points = points.collect();
        LearningCurve { pipeline, points }
    });
    curves.filter(|curve| !curve.points.is_empty()).collect()
}

/// Draws the chart of a data set; nothing without curves.
pub(super) fn draw(found: &Comparison, data: usize) -> Option<Svg> {
    let curves = curves(found, data);
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let sizes = || points().map(|point| point.0);
    let first = sizes().fold(f64::INFINITY, f64::min);
    let last = sizes().fold(0.0, f64::max);
    if first >= last {
        return None;
    }
    let name = printable(&found.data[data].name, 40);
    let title = format!("Learning curves on {name}");
    let id = format!("curves-{data}");
    let mut svg = Svg::inline(&id, SIZE, &title, &description(&curves));
    let x = Scale::logarithmic(first / 1.1, last * 1.1);
    let y = Scale::around(points().map(|point| point.1));
    let mut plot = plot(x, y, "accuracy in %", "training rows (logarithmic)");
    plot.field.width -= 26.0;
    plot.axes(&mut svg);
    lines(&mut svg, &plot, &curves);
    Some(svg)
}

/// A line with marks for every curve, and its letter at the end.
fn lines(svg: &mut Svg, plot: &Plot<'_>, curves: &[LearningCurve]) {
    for &LearningCurve {
        pipeline,
        ref points,
    } in curves
    {
        let points: Vec<(f64, f64)> = points.iter().map(|&(x, y)| plot.place(x, y)).collect();
        svg.line(&points, (color(pipeline), 1.8), dashes(pipeline));
        points.iter().for_each(|&point| mark(svg, pipeline, point));
    }
    // The letters stand apart from each other.
    let field = plot.field;
    let ends = curves.iter().filter_map(|curve| curve.points.last());
    let ends: Vec<f64> = ends.map(|&(x, y)| plot.place(x, y).1 - field.y).collect();
    for (curve, y) in curves.iter().zip(spread(&ends, 15.0, field.height)) {
        let text = Text::at(field.right() + 6.0, field.y + y + 4.2);
        let text = text.bold().colored(color(curve.pipeline));
        svg.text(text, &key(curve.pipeline));
    }
}

fn description(curves: &[LearningCurve]) -> String {
    let lines = curves.iter().filter_map(|curve| {
        let (first, last) = (curve.points.first()?, curve.points.last()?);
        Some(format!(
            "{} goes from {:.1} % with {} rows to {:.1} % with {}",
            key(curve.pipeline),
            first.1,
            first.0,
            last.1,
            last.0
        ))
    });
    let lines: Vec<String> = lines.collect();
    format!("A line for every pipeline: {}.", lines.join("; "))
}

/// Writes the same numbers as a table: a row for every pipeline.
pub(super) fn table(html: &mut Html, found: &Comparison, data: usize) {
    let curves = curves(found, data);
    let points = curves.iter().flat_map(|curve| &curve.points);
    let sizes: BTreeSet<usize> = points.map(|point| point.0 as usize).collect();
    if sizes.is_empty() {
        return;
    }
    html.words("h3", "Accuracy in % by training rows");
    let mut table = PageTable::new("Accuracy by training rows", &curves);
    table.words("pipeline", |curve| label(found, curve.pipeline));
    for size in sizes {
        table.value(&grouped(size as u64), 2, |curve| {
            let mut points = curve.points.iter();
            let point = points.find(|point| point.0 as usize == size)?;
            Some(point.1)
        });
    }
    table.write(html);
}
