//! Accuracy against kept features, a point with error bars for every pipeline.

use bayesieve::evaluate::{ComparedData, Entry, Measure};
use bayesieve::printable;
use bayesieve::stats::MeanSd;

use crate::chart::FIELD;
use crate::draw::{Anchor, Plot, Scale, Svg, Text};
use crate::labels::placed;
use crate::page::percent;
use crate::series::{color, key, mark};

/// The chart of a data set.
pub(super) fn draw(place: usize, data: &ComparedData, entries: &[&Entry]) -> Svg {
    let name = printable(&data.name, 40);
    let title = format!("Accuracy and kept features on {name}");
    let id = format!("scatter-{place}");
    let mut svg = Svg::inline(&id, (420.0, 270.0), &title, &description(entries));
    let of = |entry: &Entry, measure| entry.mean_sd(measure);
    let points = entries.iter().filter_map(|entry| {
        let both = of(entry, Measure::Kept).zip(of(entry, Measure::Accuracy));
        both.map(|(kept, accuracy)| (entry.pipeline, kept, percents(accuracy)))
    });
    let points: Vec<(usize, MeanSd, MeanSd)> = points.collect();
    let ends = |of_runs: MeanSd| {
        let sd = of_runs.sd.unwrap_or(0.0);
        [of_runs.mean - sd, of_runs.mean + sd]
    };
    let most_kept = points.iter().flat_map(|point| ends(point.1));
    let plot = Plot {
        field: FIELD,
        x: Scale::from_zero(most_kept.fold(1.0, f64::max)),
        y: Scale::around(points.iter().flat_map(|point| ends(point.2))),
        title: "accuracy in %",
        x_title: "features kept (mean over splits)",
        y_title: "",
    };
    plot.axes(&mut svg);
    for (pipeline, kept, accuracy) in &points {
        let line = (color(*pipeline), 1.2);
        let [left, right] = ends(*kept);
        let [low, high] = ends(*accuracy);
        let left = f64::max(left, 0.0);
        svg.line(
            &[
                plot.place(left, accuracy.mean),
                plot.place(right, accuracy.mean),
            ],
            line,
            "",
        );
        svg.line(
            &[plot.place(kept.mean, low), plot.place(kept.mean, high)],
            line,
            "",
        );
    }
    let at: Vec<(f64, f64)> = points
        .iter()
        .map(|(_, kept, accuracy)| plot.place(kept.mean, accuracy.mean))
        .collect();
    let keys: Vec<String> = points.iter().map(|point| key(point.0)).collect();
    let sizes: Vec<(f64, f64)> = keys
        .iter()
        .map(|key| (9.5 * key.len() as f64 + 2.0, 14.0))
        .collect();
    for ((point, &(x, y)), (label, key)) in points
        .iter()
        .zip(&at)
        .zip(placed(&at, &sizes, FIELD).iter().zip(&keys))
    {
        let (dx, dy) = (label.0 - x, label.1 - y);
        if dx.hypot(dy) > 14.0 {
            svg.line(
                &[(x, y), (x + 0.7 * dx, y + 0.7 * dy)],
                (color(point.0), 0.8),
                "2 2",
            );
        }
        mark(&mut svg, point.0, (x, y));
        let text = Text::at(label.0, label.1 + 4.2).anchored(Anchor::Middle);
        svg.text(text.bold().with_halo(), key);
    }
    svg
}

fn percents(share: MeanSd) -> MeanSd {
    MeanSd {
        mean: share.mean * 100.0,
        sd: share.sd.map(|sd| sd * 100.0),
        ..share
    }
}

fn description(entries: &[&Entry]) -> String {
    let points = entries.iter().filter_map(|entry| {
        let kept = entry.mean_sd(Measure::Kept)?.mean;
        let accuracy = percent(entry.mean_sd(Measure::Accuracy)?.mean);
        Some(format!(
            "{}: {accuracy} with {kept:.1}",
            key(entry.pipeline)
        ))
    });
    let points: Vec<String> = points.collect();
    format!("A point for every pipeline: {}.", points.join("; "))
}
