//! Accuracy against kept features, a point with error bars for everyone who is compared.

use crate::chart::{FIELD, SIZE, plot};
use crate::draw::{Anchor, Scale, Svg, Text};
use crate::labels::placed;
use crate::page::percent;
use crate::series::{color, key, mark};

/// A mean and how far it may be off, to both sides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spread {
    pub(crate) mean: f64,
    pub(crate) off: f64,
}

/// Someone who is compared, as a point of the chart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScatterPoint {
    /// What its letter goes by.
    pub(crate) place: usize,
    pub(crate) kept: Spread,
    /// A share of 1.
    pub(crate) accuracy: Spread,
}

impl Spread {
    fn ends(self) -> [f64; 2] {
        let off = if self.off.is_finite() { self.off } else { 0.0 };
        [self.mean - off, self.mean + off]
    }
}

/// Draws the chart; points that are no numbers are left out.
pub(crate) fn draw(id: &str, title: &str, compared: &[ScatterPoint]) -> Svg {
    let is_number =
        |one: &&ScatterPoint| one.kept.mean.is_finite() && one.accuracy.mean.is_finite();
    let compared: Vec<ScatterPoint> = compared.iter().filter(is_number).copied().collect();
    let mut svg = Svg::inline(id, SIZE, title, &description(&compared));
    let percents = |share: Spread| Spread {
        mean: share.mean * 100.0,
        off: share.off * 100.0,
    };
    let most_kept = compared.iter().flat_map(|one| one.kept.ends());
    let x = Scale::from_zero(most_kept.fold(1.0, f64::max));
    let accuracies = compared.iter().map(|one| percents(one.accuracy));
    let y = Scale::around(accuracies.flat_map(Spread::ends));
    let plot = plot(x, y, "accuracy in %", "features kept on average");
    plot.axes(&mut svg);
    let mut points = Vec::new();
    for one in &compared {
        let (x, y) = (one.kept.mean, percents(one.accuracy).mean);
        let line = (color(one.place), 1.2);
        let [left, right] = one.kept.ends();
        let [low, high] = percents(one.accuracy).ends();
        let left = f64::max(left, 0.0);
        svg.line(&[plot.place(left, y), plot.place(right, y)], line, "");
        svg.line(&[plot.place(x, low), plot.place(x, high)], line, "");
        points.push(plot.place(x, y));
    }
    letters(&mut svg, &compared, &points);
    svg
}

/// Draws marks, and letters beside them that do not cover each other.
fn letters(svg: &mut Svg, compared: &[ScatterPoint], points: &[(f64, f64)]) {
    let keys: Vec<String> = compared.iter().map(|one| key(one.place)).collect();
    let sizes = keys.iter().map(|key| (9.5 * key.len() as f64 + 2.0, 14.0));
    let labels = placed(points, &sizes.collect::<Vec<_>>(), FIELD);
    for (one, (&(x, y), label)) in compared.iter().zip(points.iter().zip(&labels)) {
        let (dx, dy) = (label.0 - x, label.1 - y);
        if dx.hypot(dy) > 14.0 {
            let end = (x + 0.7 * dx, y + 0.7 * dy);
            svg.line(&[(x, y), end], (color(one.place), 0.8), "2 2");
        }
    }
    for (one, &point) in compared.iter().zip(points) {
        mark(svg, one.place, point);
    }
    for (label, key) in labels.iter().zip(&keys) {
        let text = Text::at(label.0, label.1 + 4.2).anchored(Anchor::Middle);
        svg.text(text.bold().with_halo(), key);
    }
}

fn description(compared: &[ScatterPoint]) -> String {
    let point = |one: &ScatterPoint| {
        let accuracy = percent(one.accuracy.mean);
        format!("{}: {accuracy} with {:.1}", key(one.place), one.kept.mean)
    };
    let points: Vec<String> = compared.iter().map(point).collect();
    format!("A point for everyone: {}.", points.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_left_out() {
        let about = |mean: f64| Spread {
            mean,
            off: f64::NAN,
        };
        let one = |place: usize, kept: f64, accuracy: f64| ScatterPoint {
            place,
            kept: about(kept),
            accuracy: about(accuracy),
        };
        let out = draw("s", "t", &[one(0, 3.0, 0.5), one(1, f64::NAN, 0.5)]).finish();
        assert!(!out.contains("NaN") && !out.contains("inf"));
        assert!(out.contains(">A</text>") && !out.contains(">B</text>"));
        assert!(draw("s", "t", &[]).finish().contains("</svg>"));
    }
}
