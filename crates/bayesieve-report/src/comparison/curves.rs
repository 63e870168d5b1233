//! Learning curves: accuracy against training rows.

use bayesieve::evaluate::{Comparison, Measure};
use bayesieve::printable;
use bayesieve::wording::grouped;

use crate::chart::FIELD;
use crate::draw::{Box2, Plot, Scale, Svg, Text};
use crate::html::Html;
use crate::labels::spread;
use crate::series::{color, dashes, key, mark};
use crate::table::{Cell, Kind, Table as Grid};

/// A pipeline and its points: training rows and accuracy in percent.
type Curve = (usize, Vec<(f64, f64)>);

fn curves(found: &Comparison, data: usize) -> Vec<Curve> {
    let pipelines = 0..found.pipelines.len();
    let curves = pipelines.map(|pipeline| {
        let points = found.curve(data, pipeline).into_iter();
        let points = points.filter_map(|(n_train, entry)| {
            let accuracy = entry.mean_sd(Measure::Accuracy)?;
            Some((n_train as f64, accuracy.mean * 100.0))
        });
        (pipeline, points.collect::<Vec<_>>())
    });
    curves.filter(|(_, points)| !points.is_empty()).collect()
}

/// The chart of a data set; nothing without curves.
pub(super) fn draw(found: &Comparison, data: usize) -> Option<Svg> {
    let curves = curves(found, data);
    let sizes = || {
        curves
            .iter()
            .flat_map(|(_, points)| points.iter().map(|point| point.0))
    };
    let (first, last) = (
        sizes().fold(f64::INFINITY, f64::min),
        sizes().fold(0.0, f64::max),
    );
    if first >= last {
        return None;
    }
    let title = format!(
        "Learning curves on {}",
        printable(&found.data[data].name, 40)
    );
    let mut svg = Svg::inline(
        &format!("curves-{data}"),
        (420.0, 270.0),
        &title,
        &description(&curves),
    );
    let field = Box2 {
        width: FIELD.width - 26.0,
        ..FIELD
    };
    let accuracies = curves
        .iter()
        .flat_map(|(_, points)| points.iter().map(|point| point.1));
    let plot = Plot {
        field,
        x: Scale::logarithmic(first / 1.1, last * 1.1),
        y: Scale::around(accuracies),
        title: "accuracy in %",
        x_title: "training rows (logarithmic)",
        y_title: "",
    };
    plot.axes(&mut svg);
    lines(&mut svg, &plot, &curves);
    Some(svg)
}

/// A line with marks for every curve, and its letter at the end.
fn lines(svg: &mut Svg, plot: &Plot<'_>, curves: &[Curve]) {
    for (pipeline, points) in curves {
        let points: Vec<(f64, f64)> = points.iter().map(|&(x, y)| plot.place(x, y)).collect();
        svg.line(&points, (color(*pipeline), 1.8), dashes(*pipeline));
        points.iter().for_each(|&point| mark(svg, *pipeline, point));
    }
    // The letters stand apart from each other.
    let field = plot.field;
    let ends = curves.iter().filter_map(|(_, points)| points.last());
    let ends: Vec<f64> = ends.map(|&(x, y)| plot.place(x, y).1 - field.y).collect();
    for ((pipeline, _), y) in curves.iter().zip(spread(&ends, 15.0, field.height)) {
        let text = Text::at(field.x + field.width + 6.0, field.y + y + 4.2);
        svg.text(
            text.bold().sized(12.0).colored(color(*pipeline)),
            &key(*pipeline),
        );
    }
}

fn description(curves: &[Curve]) -> String {
    let lines = curves.iter().filter_map(|(pipeline, points)| {
        let (first, last) = (points.first()?, points.last()?);
        Some(format!(
            "{} goes from {:.1} % with {} rows to {:.1} % with {}",
            key(*pipeline),
            first.1,
            first.0,
            last.1,
            last.0
        ))
    });
    let lines: Vec<String> = lines.collect();
    format!("A line for every pipeline: {}.", lines.join("; "))
}

/// The same numbers as a table: a row for every pipeline.
pub(super) fn table(html: &mut Html, found: &Comparison, data: usize) {
    let curves = curves(found, data);
    let mut sizes: Vec<usize> = curves
        .iter()
        .flat_map(|(_, points)| points.iter().map(|point| point.0 as usize))
        .collect();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.is_empty() {
        return;
    }
    html.words("h3", "Accuracy in % by training rows");
    let heads: Vec<String> = sizes.iter().map(|&size| grouped(size as u64)).collect();
    let mut head = vec![("pipeline", Kind::Words)];
    head.extend(heads.iter().map(|size| (size.as_str(), Kind::Number)));
    let rows = curves.iter().map(|(pipeline, points)| {
        let name = printable(&found.pipelines[*pipeline].name, 48);
        let mut row = vec![Cell::Text(format!("{} {name}", key(*pipeline)))];
        row.extend(sizes.iter().map(|&size| {
            let point = points.iter().find(|point| point.0 as usize == size);
            Cell::number(point.map(|point| point.1), 2)
        }));
        row
    });
    let grid = Grid {
        label: "Accuracy by training rows",
        head: &head,
        rows: rows.collect(),
    };
    grid.write(html);
}
