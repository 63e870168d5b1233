//! Tables: heads with their scope, and a place that scrolls where the page is too narrow.

use crate::html::Html;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Words that may break over lines.
    Words,
    /// A word or two on one line.
    Plain,
    /// Numbers, aligned to the right.
    Number,
    /// Bars.
    Bar,
}

/// A cell.
#[derive(Debug, Clone)]
pub(crate) enum Cell<'a> {
    /// A name from the data.
    Name(&'a str),
    /// Words or a number.
    Text(String),
    /// A bar for a share of 1, in a style.
    Bar(f64, &'static str),
    /// Words on a ground that says how good or bad, from -1 to 1.
    Shaded(String, f64),
    /// Nothing.
    Empty,
}

impl Cell<'_> {
    /// A number with so many digits behind the point, or nothing where there is none.
    pub(crate) fn number(number: Option<f64>, n_digits: usize) -> Self {
        match number.filter(|number| number.is_finite()) {
            Some(number) => Cell::Text(format!("{number:.n_digits$}")),
            None => Cell::Text("–".into()),
        }
    }
}

/// A table whose first column names the rows.
#[derive(Debug)]
pub(crate) struct Table<'a> {
    /// What it is, for those who hear the page.
    pub(crate) label: &'a str,
    /// The heads of the columns.
    pub(crate) head: &'a [(&'a str, Kind)],
    /// The rows, each with as many cells.
    pub(crate) rows: Vec<Vec<Cell<'a>>>,
}

impl Table<'_> {
    /// Writes it.
    pub(crate) fn write(&self, html: &mut Html) {
        scrolling(html, self.label, |html| {
            html.element("table", &[], |html| {
                html.element("thead", &[], |html| {
                    html.element("tr", &[], |html| {
                        for (title, kind) in self.head {
                            let class = kind.class();
                            let attributes = [("scope", "col"), ("class", class)];
                            html.element("th", &attributes, |html| html.text(title));
                        }
                    });
                });
                html.element("tbody", &[], |html| {
                    for row in &self.rows {
                        html.element("tr", &[], |html| self.row(html, row));
                    }
                });
            });
        });
    }

    fn row(&self, html: &mut Html, row: &[Cell<'_>]) {
        for (place, (cell, (_, kind))) in row.iter().zip(self.head).enumerate() {
            let class = ("class", kind.class());
            let inside = |html: &mut Html| match cell {
                Cell::Name(name) => html.name(name),
                Cell::Text(text) | Cell::Shaded(text, _) => html.text(text),
                Cell::Bar(share, style) => html.bar(*share, style),
                Cell::Empty => {}
            };
            match (place, cell) {
                (0, _) => html.element("th", &[("scope", "row"), class], inside),
                (_, Cell::Shaded(_, shade)) => {
                    let ground = shading(*shade);
                    html.element("td", &[class, ("style", &ground)], inside);
                }
                _ => html.element("td", &[class], inside),
            }
        }
    }
}

impl Kind {
    fn class(self) -> &'static str {
        match self {
            Kind::Words => "words",
            Kind::Plain => "plain",
            Kind::Number => "number",
            Kind::Bar => "bars",
        }
    }
}

/// The ground of a cell, so pale that its text stays legible: good above 0, bad below.
pub(crate) fn shading(shade: f64) -> String {
    let shade = if shade.is_finite() { shade } else { 0.0 };
    let color = if shade < 0.0 { "bad" } else { "good" };
    let percent = (shade.abs().min(1.0) * 34.0).round();
    format!("background:color-mix(in srgb,var(--{color}) {percent}%,transparent)")
}

/// What may be wider than the page, in a place that scrolls and can be reached by keys.
pub(crate) fn scrolling(html: &mut Html, label: &str, inside: impl FnOnce(&mut Html)) {
    let attributes = [
        ("class", "scroll"),
        ("tabindex", "0"),
        ("role", "region"),
        ("aria-label", label),
    ];
    html.element("div", &attributes, inside);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_say_what_they_are_heads_of() {
        let mut html = Html::default();
        let table = Table {
            label: "Sizes",
            head: &[("feature", Kind::Words), ("bits", Kind::Number)],
            rows: vec![vec![Cell::Name("<b>"), Cell::number(Some(0.5), 2)]],
        };
        table.write(&mut html);
        let out = html.finish();
        assert!(out.contains("<th scope=\"col\" class=\"words\">feature</th>"));
        assert!(out.contains("<th scope=\"row\" class=\"words\"><bdi class=\"name\">&lt;b&gt;"));
        assert!(out.contains("<td class=\"number\">0.50</td>"));
        assert!(out.contains("role=\"region\" aria-label=\"Sizes\""));
    }

    #[test]
    fn what_is_no_number_is_a_dash_and_shades_are_numbers() {
        assert!(matches!(Cell::number(Some(f64::NAN), 2), Cell::Text(text) if text == "–"));
        assert!(shading(f64::NAN).contains(" 0%"));
        assert!(shading(-9.0).contains("--bad) 34%"));
    }
}
