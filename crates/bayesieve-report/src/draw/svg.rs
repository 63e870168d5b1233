//! The elements of a drawing.

use std::fmt::Write;

/// Texts of labels.
pub(crate) const INK: &str = "#20262e";
/// Texts that step back.
pub(crate) const SOFT_INK: &str = "#5a6572";
/// Lines that guide the eye.
pub(crate) const GRID: &str = "#e4e8ed";
/// Behind all.
const PAPER: &str = "#ffffff";

/// A drawing that grows element by element.
pub(crate) struct Svg {
    out: String,
}

/// A rectangle, from its upper left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Box2 {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// Where a text stands to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text<'a> {
    pub(crate) at: (f64, f64),
    pub(crate) anchor: Anchor,
    pub(crate) size: f64,
    pub(crate) color: &'a str,
    pub(crate) is_bold: bool,
    /// Read from below to above.
    pub(crate) is_upright: bool,
}

impl<'a> Text<'a> {
    /// A plain label.
    pub(crate) fn at(x: f64, y: f64) -> Self {
        Text {
            at: (x, y),
            anchor: Anchor::Start,
            size: 12.0,
            color: INK,
            is_bold: false,
            is_upright: false,
        }
    }

    pub(crate) fn anchored(self, anchor: Anchor) -> Self {
        Text { anchor, ..self }
    }

    pub(crate) fn sized(self, size: f64) -> Self {
        Text { size, ..self }
    }

    pub(crate) fn colored(self, color: &'a str) -> Self {
        Text { color, ..self }
    }

    pub(crate) fn bold(self) -> Self {
        Text {
            is_bold: true,
            ..self
        }
    }

    pub(crate) fn upright(self) -> Self {
        Text {
            is_upright: true,
            ..self
        }
    }
}

impl Svg {
    /// An empty drawing of this size. The title and the description are for those who hear
    /// the page instead of seeing it.
    pub(crate) fn new((width, height): (f64, f64), title: &str, description: &str) -> Self {
        let mut out = String::new();
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"title desc\" \
             font-family=\"Helvetica, Arial, sans-serif\">"
        );
        let _ = writeln!(out, "<title id=\"title\">{}</title>", escaped(title));
        let _ = writeln!(out, "<desc id=\"desc\">{}</desc>", escaped(description));
        let mut svg = Svg { out };
        let whole = Box2 {
            x: 0.0,
            y: 0.0,
            width,
            height,
        };
        svg.rectangle(whole, PAPER);
        svg
    }

    /// A filled rectangle.
    pub(crate) fn rectangle(&mut self, place: Box2, fill: &str) {
        let _ = writeln!(
            self.out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>",
            number(place.x),
            number(place.y),
            number(place.width),
            number(place.height),
            escaped(fill)
        );
    }

    /// A line through points; `dashes` as in `stroke-dasharray`, none for a whole line.
    pub(crate) fn line(
        &mut self,
        points: &[(f64, f64)],
        (color, width): (&str, f64),
        dashes: &str,
    ) {
        let points: Vec<String> = points
            .iter()
            .map(|(x, y)| format!("{},{}", number(*x), number(*y)))
            .collect();
        let dashes = match dashes {
            "" => String::new(),
            dashes => format!(" stroke-dasharray=\"{}\"", escaped(dashes)),
        };
        let _ = writeln!(
            self.out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" \
             stroke-linejoin=\"round\"{dashes}/>",
            points.join(" "),
            escaped(color),
            number(width)
        );
    }

    /// A dot.
    pub(crate) fn dot(&mut self, (x, y): (f64, f64), radius: f64, fill: &str) {
        let _ = writeln!(
            self.out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>",
            number(x),
            number(y),
            number(radius),
            escaped(fill)
        );
    }

    /// A line of text.
    pub(crate) fn text(&mut self, text: Text<'_>, words: &str) {
        let anchor = match text.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y) = (number(text.at.0), number(text.at.1));
        let turn = match text.is_upright {
            true => format!(" transform=\"rotate(-90 {x} {y})\""),
            false => String::new(),
        };
        let weight = if text.is_bold {
            " font-weight=\"bold\""
        } else {
            ""
        };
        let _ = writeln!(
            self.out,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" text-anchor=\"{anchor}\" \
             fill=\"{}\"{weight}{turn}>{}</text>",
            number(text.size),
            escaped(text.color),
            escaped(words)
        );
    }

    /// The whole file.
    pub(crate) fn finish(mut self) -> String {
        self.out += "</svg>\n";
        self.out
    }
}

/// A place to a hundredth; nothing that is no number.
fn number(x: f64) -> String {
    let x = if x.is_finite() { x } else { 0.0 };
    let text = format!("{x:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".into()
    } else {
        text.into()
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for ch in text.chars() {
        match ch {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            // No XML holds other control characters.
            ch if ch.is_control() => out.push(' '),
            ch => out.push(ch),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_leave_their_place() {
        let mut svg = Svg::new((10.0, 10.0), "a < b & \"c\"", "\u{0}");
        svg.text(Text::at(1.0, 2.0).colored("\"/>"), "</text><script>");
        let out = svg.finish();
        assert!(out.contains("a &lt; b &amp; &quot;c&quot;"));
        assert!(!out.contains("<script>"));
        assert!(out.contains("fill=\"&quot;/&gt;\""));
        assert!(!out.contains('\u{0}'));
    }

    #[test]
    fn places_are_short_and_always_numbers() {
        assert_eq!(number(1.0), "1");
        assert_eq!(number(0.126), "0.13");
        assert_eq!(number(-0.001), "0");
        assert_eq!(number(f64::NAN), "0");
    }
}
