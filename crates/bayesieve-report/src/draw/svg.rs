//! The elements of a drawing.

use std::fmt::Write;

use crate::escape::escaped;

/// The colors of what is in every drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Theme {
    /// Texts of labels.
    ink: &'static str,
    /// Texts that step back.
    pub(crate) soft_ink: &'static str,
    /// Lines that guide the eye.
    pub(crate) grid: &'static str,
    /// Behind all.
    paper: &'static str,
}

impl Theme {
    /// Of a drawing that stands alone: fixed, with a background of its own.
    const FILE: Theme = Theme {
        ink: "#20262e",
        soft_ink: "#5a6572",
        grid: "#e4e8ed",
        paper: "#ffffff",
    };

    /// Of a drawing on a page, which says what they are, light or dark.
    const PAGE: Theme = Theme {
        ink: "var(--ink)",
        soft_ink: "var(--soft)",
        grid: "var(--grid)",
        paper: "var(--paper)",
    };
}

/// A drawing that grows element by element.
#[derive(Debug, Clone)]
pub struct Svg {
    out: String,
    theme: Theme,
}

/// A rectangle, from its upper left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Box2 {
    /// Its left edge.
    pub x: f64,
    /// Its upper edge.
    pub y: f64,
    /// From left to right.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
}

impl Box2 {
    /// The rectangle of this width and height around a point.
    pub(crate) fn around((x, y): (f64, f64), (width, height): (f64, f64)) -> Self {
        Box2 {
            x: x - width / 2.0,
            y: y - height / 2.0,
            width,
            height,
        }
    }

    /// Returns its right edge.
    pub(crate) fn right(&self) -> f64 {
        self.x + self.width
    }

    /// Returns its lower edge.
    pub(crate) fn bottom(&self) -> f64 {
        self.y + self.height
    }

    /// Says whether it shares more than an edge with another one.
    pub(crate) fn overlaps(&self, other: &Box2) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }
}

/// Where a text stands to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// What something is painted with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paint<'a> {
    /// As labels.
    Ink,
    /// Stepping back.
    SoftInk,
    /// A color.
    Color(&'a str),
}

/// A line of text.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    at: (f64, f64),
    anchor: Anchor,
    size: f64,
    paint: Paint<'a>,
    is_bold: bool,
    is_upright: bool,
    has_halo: bool,
}

impl<'a> Text<'a> {
    /// A plain label.
    pub fn at(x: f64, y: f64) -> Self {
        Text {
            at: (x, y),
            anchor: Anchor::Start,
            size: 12.0,
            paint: Paint::Ink,
            is_bold: false,
            is_upright: false,
            has_halo: false,
        }
    }

    /// Its point is elsewhere than at its start.
    pub(crate) fn anchored(self, anchor: Anchor) -> Self {
        Text { anchor, ..self }
    }

    /// Larger or smaller than 12.
    pub fn sized(self, size: f64) -> Self {
        Text { size, ..self }
    }

    /// In a color.
    pub(crate) fn colored(self, color: &'a str) -> Self {
        let paint = Paint::Color(color);
        Text { paint, ..self }
    }

    /// Stepping back.
    pub fn soft(self) -> Self {
        let paint = Paint::SoftInk;
        Text { paint, ..self }
    }

    /// In bold letters.
    pub fn bold(self) -> Self {
        Text {
            is_bold: true,
            ..self
        }
    }

    /// Legible over lines: with a rim in the color of the paper.
    pub(crate) fn with_halo(self) -> Self {
        Text {
            has_halo: true,
            ..self
        }
    }

    /// Read from below to above.
    pub(crate) fn upright(self) -> Self {
        Text {
            is_upright: true,
            ..self
        }
    }
}

impl Svg {
    /// Begins a drawing of this size, as a file. The title and the description are for those
    /// who hear the drawing instead of seeing it; the `id` tells it apart from others on a page.
    pub fn new(id: &str, size: (f64, f64), title: &str, description: &str) -> Self {
        let [width, height] = [size.0, size.1].map(number);
        let style = format!(
            "width=\"{width}\" height=\"{height}\" font-family=\"Helvetica, Arial, sans-serif\""
        );
        let mut svg = Svg::begun(id, size, &style, title, description);
        svg.theme = Theme::FILE;
        let center = (size.0 / 2.0, size.1 / 2.0);
        svg.rectangle(Box2::around(center, size), svg.theme.paper);
        svg
    }

    /// Begins a drawing within a page: as wide as its place allows, up to its own width, in the
    /// colors of the page. No two drawings of a page have the same `id`.
    pub fn inline(id: &str, size: (f64, f64), title: &str, description: &str) -> Self {
        let style = format!("style=\"max-width:{}px\"", number(size.0 * 1.3));
        Svg::begun(id, size, &style, title, description)
    }

    /// As [`Svg::inline`], never much smaller than its own size: for drawings with labels, in a
    /// place that scrolls.
    pub(crate) fn inline_full(id: &str, size: (f64, f64), title: &str, description: &str) -> Self {
        let [most, least] = [size.0, size.0 * 0.8].map(number);
        let style = format!("style=\"max-width:{most}px;min-width:{least}px\"");
        Svg::begun(id, size, &style, title, description)
    }

    fn begun(id: &str, size: (f64, f64), style: &str, title: &str, description: &str) -> Self {
        let [width, height] = [size.0, size.1].map(number);
        let [title, description] = [title, description].map(escaped);
        let out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" {style} \
             role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">\n\
             <title id=\"{id}-title\">{title}</title>\n\
             <desc id=\"{id}-desc\">{description}</desc>\n"
        );
        let theme = Theme::PAGE;
        Svg { out, theme }
    }

    /// Returns the colors of what is in every drawing.
    pub(crate) fn theme(&self) -> Theme {
        self.theme
    }

    /// Draws any element without content.
    pub(crate) fn element(&mut self, name: &'static str, attributes: &[(&'static str, &str)]) {
        let _ = write!(self.out, "<{name}");
        for (key, value) in attributes {
            let _ = write!(self.out, " {key}=\"{}\"", escaped(value));
        }
        self.out += "/>\n";
    }

    /// Draws what `inside` does, with a text that shows when it is pointed at.
    pub(crate) fn titled(&mut self, title: &str, inside: impl FnOnce(&mut Svg)) {
        let _ = writeln!(self.out, "<g><title>{}</title>", escaped(title));
        inside(self);
        self.out += "</g>\n";
    }

    /// Draws a rectangle with these attributes.
    pub(crate) fn boxed(&mut self, place: Box2, attributes: &[(&'static str, &str)]) {
        let Box2 {
            x,
            y,
            width,
            height,
        } = place;
        let [x, y, width, height] = [x, y, width.max(0.0), height.max(0.0)].map(number);
        let place: [(_, &str); 4] = [("x", &x), ("y", &y), ("width", &width), ("height", &height)];
        self.element("rect", &[&place, attributes].concat());
    }

    /// Draws a filled rectangle.
    pub fn rectangle(&mut self, place: Box2, fill: &str) {
        self.boxed(place, &[("fill", fill)]);
    }

    /// Draws a line through points; `dashes` as in `stroke-dasharray`, none for a whole line.
    pub fn line(&mut self, points: &[(f64, f64)], (color, width): (&str, f64), dashes: &str) {
        let (points, width) = (listed(points), number(width));
        let mut attributes: Vec<(&str, &str)> = vec![
            ("points", &points),
            ("fill", "none"),
            ("stroke", color),
            ("stroke-width", &width),
            ("stroke-linejoin", "round"),
        ];
        if !dashes.is_empty() {
            attributes.push(("stroke-dasharray", dashes));
        }
        self.element("polyline", &attributes);
    }

    /// Draws a filled polygon.
    pub(crate) fn polygon(&mut self, corners: &[(f64, f64)], fill: &str) {
        self.element("polygon", &[("points", &listed(corners)), ("fill", fill)]);
    }

    /// Draws a dot.
    pub fn dot(&mut self, (x, y): (f64, f64), radius: f64, fill: &str) {
        let [x, y, radius] = [x, y, radius].map(number);
        self.element(
            "circle",
            &[("cx", &x), ("cy", &y), ("r", &radius), ("fill", fill)],
        );
    }

    /// Writes a line of text.
    pub fn text(&mut self, text: Text<'_>, words: &str) {
        let anchor = match text.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let fill = match text.paint {
            Paint::Ink => self.theme.ink,
            Paint::SoftInk => self.theme.soft_ink,
            Paint::Color(color) => color,
        };
        let (x, y) = (number(text.at.0), number(text.at.1));
        let turn = if text.is_upright {
            format!(" transform=\"rotate(-90 {x} {y})\"")
        } else {
            String::new()
        };
        let weight = if text.is_bold {
            " font-weight=\"bold\""
        } else {
            ""
        };
        let halo = if text.has_halo {
            let paper = self.theme.paper;
            format!(" stroke=\"{paper}\" stroke-width=\"3.5\" paint-order=\"stroke\"")
        } else {
            String::new()
        };
        let _ = writeln!(
            self.out,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" text-anchor=\"{anchor}\" \
             fill=\"{}\"{weight}{halo}{turn}>{}</text>",
            number(text.size),
            escaped(fill),
            escaped(words)
        );
    }

    /// Returns the whole drawing.
    pub fn finish(mut self) -> String {
        self.out += "</svg>\n";
        self.out
    }
}

/// Writes points as SVG wants them.
fn listed(points: &[(f64, f64)]) -> String {
    let point = |&(x, y): &(f64, f64)| format!("{},{}", number(x), number(y));
    points.iter().map(point).collect::<Vec<_>>().join(" ")
}

/// Writes a place to a hundredth; nothing that is no number.
pub(crate) fn number(x: f64) -> String {
    let x = if x.is_finite() { x } else { 0.0 };
    let text = format!("{x:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_leave_their_place() {
        let mut svg = Svg::new("d", (10.0, 10.0), "a < b & \"c\"", "\u{0}");
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
