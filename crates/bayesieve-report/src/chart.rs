//! Charts: fields with axes, in the size of a phone, so that they are legible there.

use crate::draw::{Box2, Plot, Scale, Stroke, Svg};

/// Points of a line that are marked.
const MAX_DOTS: usize = 60;

/// The size of a chart.
pub(crate) const SIZE: (f64, f64) = (420.0, 270.0);
/// Where the numbers are in a chart of this size.
pub(crate) const FIELD: Box2 = Box2 {
    x: 62.0,
    y: 30.0,
    width: 346.0,
    height: 190.0,
};

/// A field of the common size, with these scales and titles.
pub(crate) fn plot<'a>(x: Scale, y: Scale, title: &'a str, x_title: &'a str) -> Plot<'a> {
    Plot {
        field: FIELD,
        x,
        y,
        title,
        x_title,
        y_title: "",
    }
}

/// Draws a line through the numbers of step 0, 1, …, without what is no number; nothing where
/// there are not two.
pub(crate) fn draw_steps(title: &str, description: &str, values: &[f64]) -> Option<Svg> {
    let points: Vec<(f64, f64)> = (0..)
        .map(f64::from)
        .zip(values.iter().copied())
        .filter(|(_, value)| value.is_finite())
        .collect();
    let line = ChartLine {
        id: "score",
        title,
        description,
        x_title: "step",
    };
    line.draw(&points)
}

/// A line with its titles.
pub(crate) struct ChartLine<'a> {
    pub(crate) id: &'a str,
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    pub(crate) x_title: &'a str,
}

impl ChartLine<'_> {
    /// Draws it through points of finite numbers from left to right; nothing where there are not
    /// two.
    pub(crate) fn draw(&self, points: &[(f64, f64)]) -> Option<Svg> {
        let (&first, &last) = (points.first()?, points.last()?);
        if first == last {
            return None;
        }
        let mut svg = Svg::inline(self.id, SIZE, self.title, self.description);
        let y = Scale::around(points.iter().map(|point| point.1));
        let plot = plot(Scale::whole(first.0, last.0), y, self.title, self.x_title);
        plot.axes(&mut svg);
        let stroke = Stroke {
            color: "var(--accent)",
            width: 2.2,
            dashes: "",
        };
        plot.line(&mut svg, points, stroke);
        if points.len() <= MAX_DOTS {
            plot.dots(&mut svg, points, stroke);
        }
        Some(svg)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(values: &[f64]) -> Option<String> {
        draw_steps("score", "a line", values).map(Svg::finish)
    }

    #[test]
    fn what_is_no_number_is_left_out() {
        let out = drawn(&[f64::NAN, 1.0, f64::INFINITY, 3.0, 2.0]).unwrap();
        assert!(!out.contains("NaN") && !out.contains("inf"));
        assert_eq!(out.matches("<circle").count(), 3);
        assert!(roxmltree::Document::parse(&out).is_ok());
    }

    #[test]
    fn there_is_no_line_through_one_number() {
        assert!(drawn(&[]).is_none());
        assert!(drawn(&[1.0, f64::NAN]).is_none());
    }
}
