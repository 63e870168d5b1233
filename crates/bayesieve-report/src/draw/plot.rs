//! A field with axes.

use super::scale::Scale;
use super::svg::{Anchor, Box2, GRID, SOFT_INK, Svg, Text};

/// A field with axes, lines and bars in it.
pub(crate) struct Plot<'a> {
    pub(crate) field: Box2,
    pub(crate) x: Scale,
    pub(crate) y: Scale,
    /// Written above the field.
    pub(crate) title: &'a str,
    /// Written below the horizontal axis.
    pub(crate) x_title: &'a str,
    /// Written along the vertical axis.
    pub(crate) y_title: &'a str,
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stroke<'a> {
    pub(crate) color: &'a str,
    pub(crate) width: f64,
    /// As in `stroke-dasharray`; none for a whole line.
    pub(crate) dashes: &'a str,
}

/// Whether the points of a line are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Dots,
    None,
}

/// A line through numbers.
pub(crate) struct Line<'a> {
    pub(crate) points: &'a [(f64, f64)],
    pub(crate) stroke: Stroke<'a>,
    pub(crate) mark: Mark,
}

/// Bars of one height each over parts of the horizontal axis.
pub(crate) struct Bars<'a> {
    /// Where a bar begins and ends, and how high it is.
    pub(crate) bars: &'a [(f64, f64, f64)],
    pub(crate) color: &'a str,
}

impl Plot<'_> {
    /// The grid, the numbers and the titles: to be drawn first.
    pub(crate) fn axes(&self, svg: &mut Svg) {
        let field = self.field;
        let (left, right) = (field.x, field.x + field.width);
        let (top, bottom) = (field.y, field.y + field.height);
        for tick in self.y.ticks() {
            let (_, y) = self.place(0.0, tick.value);
            svg.line(&[(left, y), (right, y)], (GRID, 1.0), "");
            let label = Text::at(left - 8.0, y + 4.0).anchored(Anchor::End);
            svg.text(label.sized(11.0).colored(SOFT_INK), &tick.label);
        }
        for tick in self.x.ticks() {
            let x = field.x + field.width * self.x.place(tick.value);
            svg.line(&[(x, bottom), (x, bottom + 5.0)], (SOFT_INK, 1.0), "");
            let label = Text::at(x, bottom + 18.0).anchored(Anchor::Middle);
            svg.text(label.sized(11.0).colored(SOFT_INK), &tick.label);
        }
        svg.line(&[(left, bottom), (right, bottom)], (SOFT_INK, 1.0), "");
        svg.text(Text::at(left, top - 10.0).bold().sized(13.0), self.title);
        let middle = Text::at(left + field.width / 2.0, bottom + 35.0);
        svg.text(middle.anchored(Anchor::Middle), self.x_title);
        let beside = Text::at(left - 46.0, top + field.height / 2.0);
        svg.text(beside.anchored(Anchor::Middle).upright(), self.y_title);
    }

    /// A line over the axes.
    pub(crate) fn line(&self, svg: &mut Svg, line: &Line<'_>) {
        let points = line.points.iter().map(|&(x, y)| self.place(x, y));
        let points: Vec<(f64, f64)> = points.collect();
        let stroke = line.stroke;
        svg.line(&points, (stroke.color, stroke.width), stroke.dashes);
        if line.mark == Mark::Dots {
            for point in points {
                svg.dot(point, stroke.width * 1.4, stroke.color);
            }
        }
    }

    /// Bars over the axes; those of height 0 are left out.
    pub(crate) fn bars(&self, svg: &mut Svg, bars: &Bars<'_>) {
        for &(from, to, height) in bars.bars.iter().filter(|bar| bar.2 > 0.0) {
            let ((left, top), (right, bottom)) = (self.place(from, height), self.place(to, 0.0));
            let place = Box2 {
                x: left,
                y: top,
                width: right - left,
                height: bottom - top,
            };
            svg.rectangle(place, bars.color);
        }
    }

    fn place(&self, x: f64, y: f64) -> (f64, f64) {
        let field = self.field;
        (
            field.x + field.width * self.x.place(x),
            field.y + field.height * (1.0 - self.y.place(y)),
        )
    }
}
