//! A document that grows element by element: text gets in escaped, or not at all.
//!
//! Names of elements and attributes are known when the program is compiled; everything else is
//! escaped here, in one place.

use bayesieve::printable;

use crate::draw::{Svg, number};
use crate::escape::{escaped, escaped_whole};

/// Names longer than this are cut; the whole one shows when it is pointed at.
const NAME_LENGTH: usize = 48;

/// An attribute and its value.
pub(crate) type Attribute<'a> = (&'static str, &'a str);

/// A part of a document.
#[derive(Debug, Default)]
pub(crate) struct Html {
    out: String,
}

impl Html {
    /// Writes text.
    pub(crate) fn text(&mut self, text: &str) {
        self.out += &escaped(text);
    }

    /// Writes text that is never cut.
    pub(crate) fn whole_text(&mut self, text: &str) {
        self.out += &escaped_whole(text);
    }

    /// Writes an element and what is inside.
    pub(crate) fn element(
        &mut self,
        tag: &'static str,
        attributes: &[Attribute<'_>],
        inside: impl FnOnce(&mut Html),
    ) {
        self.begin(tag, attributes);
        inside(self);
        self.out += &format!("</{tag}>");
        if is_block(tag) {
            self.out.push('\n');
        }
    }

    /// Writes the beginning of an element, which is all of one that has no inside.
    pub(crate) fn begin(&mut self, tag: &'static str, attributes: &[Attribute<'_>]) {
        self.out.push('<');
        self.out += tag;
        for (name, value) in attributes {
            self.out += &format!(" {name}=\"{}\"", escaped(value));
        }
        self.out.push('>');
    }

    /// Writes an element with nothing but text.
    pub(crate) fn words(&mut self, tag: &'static str, text: &str) {
        self.element(tag, &[], |html| html.text(text));
    }

    /// Writes a paragraph.
    pub(crate) fn paragraph(&mut self, text: &str) {
        self.words("p", text);
    }

    /// Writes a paragraph in small letters.
    pub(crate) fn note(&mut self, text: &str) {
        self.styled("p", "note", text);
    }

    /// Writes a paragraph with a name from the data in its middle.
    pub(crate) fn sentence(&mut self, before: &str, name: &str, after: &str) {
        self.element("p", &[], |html| {
            html.text(before);
            html.name(name);
            html.text(after);
        });
    }

    /// Writes what belongs together, in a class that the style knows.
    pub(crate) fn division(&mut self, class: &'static str, inside: impl FnOnce(&mut Html)) {
        self.element("div", &[("class", class)], inside);
    }

    /// As [`Html::words`], of a class that the style knows.
    pub(crate) fn styled(&mut self, tag: &'static str, class: &'static str, text: &str) {
        self.element(tag, &[("class", class)], |html| html.text(text));
    }

    /// Writes a name from the data: apart from the text around it, and never too long.
    pub(crate) fn name(&mut self, name: &str) {
        let is_long = name.chars().nth(NAME_LENGTH).is_some();
        let attributes = [("class", "name"), ("title", name)];
        self.element("bdi", &attributes[..1 + usize::from(is_long)], |html| {
            html.text(&printable(name, NAME_LENGTH));
        });
    }

    /// Writes names with commas between them and `and` before the last; so many at most.
    pub(crate) fn names(&mut self, names: &[&str], max_names: usize) {
        let rest = names.len().saturating_sub(max_names);
        for (place, name) in names.iter().take(max_names).enumerate() {
            match place {
                0 => {}
                place if place + 1 == names.len() => self.text(" and "),
                _ => self.text(", "),
            }
            self.name(name);
        }
        if rest > 0 {
            self.text(&format!(" and {rest} more"));
        }
    }

    /// Writes a drawing.
    pub(crate) fn drawing(&mut self, drawing: Svg) {
        self.out += &drawing.finish();
    }

    /// Draws a bar for a share of 1, with the number beside it in the text: nothing for those who
    /// hear the page.
    pub(crate) fn bar(&mut self, share: f64, class: &'static str) {
        let share = if share.is_finite() { share } else { 0.0 };
        let width = number(share.clamp(0.0, 1.0) * 100.0);
        self.out += &format!(
            "<svg class=\"bar {class}\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" \
             aria-hidden=\"true\"><rect class=\"track\" width=\"100\" height=\"10\"/>\
             <rect class=\"fill\" width=\"{width}\" height=\"10\"/></svg>"
        );
    }

    /// Writes a style sheet, which is part of this program and no data.
    pub(crate) fn style(&mut self, sheet: &'static str) {
        self.out += &format!("<style>\n{sheet}</style>\n");
    }

    /// Returns what the document has so far.
    pub(crate) fn finish(self) -> String {
        self.out
    }
}

/// Whether a line ends behind the element, where that does not show on the page.
fn is_block(tag: &str) -> bool {
    !matches!(
        tag,
        "a" | "b" | "bdi" | "code" | "em" | "span" | "strong" | "abbr" | "td" | "th"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_the_data_stay_text() {
        let mut html = Html::default();
        let name = "</bdi><script>alert('x')</script>\"";
        html.name(name);
        html.element("p", &[("title", name)], |html| html.text(name));
        let out = html.finish();
        assert!(!out.contains("<script"));
        assert_eq!(out.matches("&lt;script&gt;").count(), 3);
        // Two elements open and close: no mark of the name does.
        assert_eq!(out.matches('<').count(), 4);
    }

    #[test]
    fn a_long_name_is_cut_and_whole_in_its_title() {
        let mut html = Html::default();
        let name = "x".repeat(60);
        html.name(&name);
        let shown = format!("{}…", "x".repeat(NAME_LENGTH));
        let expected = format!("<bdi class=\"name\" title=\"{name}\">{shown}</bdi>");
        assert_eq!(html.finish(), expected);
    }

    #[test]
    fn names_are_listed_as_in_a_sentence() {
        let listed = |names: &[&str], most: usize| {
            let mut html = Html::default();
            html.names(names, most);
            let out = html.finish();
            let out = out.replace("<bdi class=\"name\">", "");
            out.replace("</bdi>", "")
        };
        assert_eq!(listed(&["a"], 3), "a");
        assert_eq!(listed(&["a", "b", "c"], 3), "a, b and c");
        assert_eq!(listed(&["a", "b", "c", "d", "e"], 3), "a, b, c and 2 more");
    }

    #[test]
    fn bars_are_always_numbers() {
        for share in [f64::NAN, f64::INFINITY, -1.0, 0.5, 7.0] {
            let mut html = Html::default();
            html.bar(share, "");
            assert!(!html.finish().contains("NaN"));
        }
    }
}
