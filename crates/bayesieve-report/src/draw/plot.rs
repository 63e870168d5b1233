//! A field with axes.

use super::scale::Scale;
use super::svg::{Anchor, Box2, Svg, Text};

/// A field with axes, lines and bars in it.
#[derive(Debug, Clone, Copy)]
pub struct Plot<'a> {
    /// Where it is, without its labels.
    pub field: Box2,
    /// From left to right.
    pub x: Scale,
    /// From below to above.
    pub y: Scale,
    /// Written above the field.
    pub title: &'a str,
    /// Written below the horizontal axis.
    pub x_title: &'a str,
    /// Written along the vertical axis, where there is room.
    pub y_title: &'a str,
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke<'a> {
    /// Its color.
    pub color: &'a str,
    /// How wide it is.
    pub width: f64,
    /// As in `stroke-dasharray`; none for a whole line.
    pub dashes: &'a str,
}

impl Plot<'_> {
    /// Draws the grid, the numbers and the titles: to be drawn first.
    pub fn axes(&self, svg: &mut Svg) {
        let (field, theme) = (self.field, svg.theme());
        let (left, right) = (field.x, field.right());
        let (top, bottom) = (field.y, field.bottom());
        for tick in self.y.ticks() {
            let (_, y) = self.place(0.0, tick.value);
            svg.line(&[(left, y), (right, y)], (theme.grid, 1.0), "");
            let label = Text::at(left - 8.0, y + 4.0).anchored(Anchor::End);
            svg.text(label.sized(11.0).soft(), &tick.label);
        }
        for tick in self.x.ticks() {
            let x = field.x + field.width * self.x.place(tick.value);
            svg.line(&[(x, bottom), (x, bottom + 5.0)], (theme.soft_ink, 1.0), "");
            let label = Text::at(x, bottom + 18.0).anchored(Anchor::Middle);
            svg.text(label.sized(11.0).soft(), &tick.label);
        }
        let axis = [(left, bottom), (right, bottom)];
        svg.line(&axis, (theme.soft_ink, 1.0), "");
        svg.text(Text::at(left, top - 10.0).bold().sized(13.0), self.title);
        let middle = Text::at(left + field.width / 2.0, bottom + 35.0);
        svg.text(middle.anchored(Anchor::Middle), self.x_title);
        if !self.y_title.is_empty() {
            let beside = Text::at(left - 46.0, top + field.height / 2.0);
            svg.text(beside.anchored(Anchor::Middle).upright(), self.y_title);
        }
    }

    /// Draws a line through numbers, from left to right.
    pub fn line(&self, svg: &mut Svg, points: &[(f64, f64)], stroke: Stroke<'_>) {
        let places: Vec<(f64, f64)> = points.iter().map(|&(x, y)| self.place(x, y)).collect();
        svg.line(&places, (stroke.color, stroke.width), stroke.dashes);
    }

    /// Marks the numbers of such a line.
    pub fn dots(&self, svg: &mut Svg, points: &[(f64, f64)], stroke: Stroke<'_>) {
        for &(x, y) in points {
            svg.dot(self.place(x, y), stroke.width * 1.4, stroke.color);
        }
    }

    /// Draws bars: where one begins and ends, and how high it is.
    pub fn bars(&self, svg: &mut Svg, bars: &[(f64, f64, f64)], color: &str) {
        for &(from, to, height) in bars.iter().filter(|bar| bar.2 > 0.0) {
            let ((left, top), (right, bottom)) = (self.place(from, height), self.place(to, 0.0));
            let place = Box2 {
                x: left,
                y: top,
                width: right - left,
                height: bottom - top,
            };
            svg.rectangle(place, color);
        }
    }

    /// Says where a pair of numbers is.
    pub fn place(&self, x: f64, y: f64) -> (f64, f64) {
        let field = self.field;
        (
            field.x + field.width * self.x.place(x),
            field.y + field.height * (1.0 - self.y.place(y)),
        )
    }
}
