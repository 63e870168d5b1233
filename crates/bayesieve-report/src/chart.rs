//! Charts: fields with axes, in the size of a phone, so that they are legible there.

use crate::draw::{Box2, Line, Mark, Plot, Scale, Stroke, Svg};

/// Points of a line that are marked.
const MOST_DOTS: usize = 60;

/// A line through one number per step.
pub(crate) struct StepChart<'a> {
    pub(crate) id: &'static str,
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    pub(crate) x_title: &'a str,
    /// The number at step 0, 1, …; what is no number is left out.
    pub(crate) values: &'a [f64],
}

impl StepChart<'_> {
    /// The drawing; nothing where there are not two numbers.
    pub(crate) fn draw(&self) -> Option<Svg> {
        let points = self.values.iter().enumerate();
        let points: Vec<(f64, f64)> = points
            .filter(|(_, value)| value.is_finite())
            .map(|(step, value)| (step as f64, *value))
            .collect();
        let (&first, &last) = (points.first()?, points.last()?);
        if first == last {
            return None;
        }
        let mut svg = Svg::inline(self.id, (420.0, 270.0), self.title, self.description);
        let plot = Plot {
            field: FIELD,
            x: Scale::whole(first.0, last.0),
            y: Scale::around(points.iter().map(|point| point.1)),
            title: self.title,
            x_title: self.x_title,
            y_title: "",
        };
        plot.axes(&mut svg);
        let stroke = Stroke {
            color: "var(--accent)",
            width: 2.2,
            dashes: "",
        };
        let mark = if points.len() <= MOST_DOTS {
            Mark::Dots
        } else {
            Mark::None
        };
        let points = &points;
        plot.line(
            &mut svg,
            &Line {
                points,
                stroke,
                mark,
            },
        );
        Some(svg)
    }
}

/// Where the numbers are in a chart 420 wide and 270 high.
pub(crate) const FIELD: Box2 = Box2 {
    x: 62.0,
    y: 30.0,
    width: 346.0,
    height: 190.0,
};

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(values: &[f64]) -> Option<String> {
        let chart = StepChart {
            id: "steps",
            title: "score",
            description: "a line",
            x_title: "step",
            values,
        };
        chart.draw().map(Svg::finish)
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
