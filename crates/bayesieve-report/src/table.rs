//! Tables: heads with their scope, and a place that scrolls where the page is too narrow.

use crate::html::Html;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnStyle {
    /// Words that may break over lines.
    Words,
    /// A word or two on one line.
    Plain,
    /// Numbers, aligned to the right.
    Number,
    /// Bars.
    Bar,
}

/// A cell of a table on a page.
#[derive(Debug, Clone)]
pub(crate) enum PageCell<'a> {
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

impl PageCell<'_> {
    /// A number with so many digits behind the point, or a dash where there is none.
    pub(crate) fn number(number: Option<f64>, n_digits: usize) -> Self {
        PageCell::Text(match number.filter(|number| number.is_finite()) {
            Some(number) => format!("{number:.n_digits$}"),
            None => "–".into(),
        })
    }

    /// As [`PageCell::number`], with how far it may be off where that is known.
    pub(crate) fn with_error(number: Option<f64>, error: Option<f64>, n_digits: usize) -> Self {
        match (number, error.filter(|error| error.is_finite())) {
            (Some(number), Some(error)) if number.is_finite() => {
                PageCell::Text(format!("{number:.n_digits$} ± {error:.n_digits$}"))
            }
            _ => PageCell::number(number, n_digits),
        }
    }
}

impl From<String> for PageCell<'_> {
    fn from(text: String) -> Self {
        PageCell::Text(text)
    }
}

impl From<&'static str> for PageCell<'_> {
    fn from(text: &'static str) -> Self {
        PageCell::Text(text.into())
    }
}

/// A table of items, a row each, that grows column by column; the first one names the rows.
#[derive(Debug)]
pub(crate) struct PageTable<'a, T> {
    /// What it is, for those who hear the page.
    label: &'a str,
    items: Vec<T>,
    columns: Vec<PageColumn<'a>>,
}

/// A column: its head, and a cell for every item.
#[derive(Debug)]
struct PageColumn<'a> {
    title: String,
    style: ColumnStyle,
    cells: Vec<PageCell<'a>>,
}

impl<'a, T: Copy> PageTable<'a, T> {
    /// A table that has no columns yet.
    pub(crate) fn new(label: &'a str, items: impl IntoIterator<Item = T>) -> Self {
        PageTable {
            label,
            items: items.into_iter().collect(),
            columns: Vec::new(),
        }
    }

    /// Returns what the rows are of.
    pub(crate) fn items(&self) -> impl Iterator<Item = T> {
        self.items.iter().copied()
    }

    /// Adds a column with a cell for every item.
    pub(crate) fn column<C: Into<PageCell<'a>>>(
        &mut self,
        title: &str,
        style: ColumnStyle,
        mut cell: impl FnMut(T) -> C,
    ) {
        self.columns.push(PageColumn {
            title: title.into(),
            style,
            cells: self.items.iter().map(|&item| cell(item).into()).collect(),
        });
    }

    /// Adds a column of words.
    pub(crate) fn words<C: Into<PageCell<'a>>>(&mut self, title: &str, cell: impl FnMut(T) -> C) {
        self.column(title, ColumnStyle::Words, cell);
    }

    /// Adds a column of numbers.
    pub(crate) fn number<C: Into<PageCell<'a>>>(&mut self, title: &str, cell: impl FnMut(T) -> C) {
        self.column(title, ColumnStyle::Number, cell);
    }

    /// Adds a column of numbers with so many digits behind the point.
    pub(crate) fn value(
        &mut self,
        title: &str,
        n_digits: usize,
        mut value: impl FnMut(T) -> Option<f64>,
    ) {
        self.number(title, |item| PageCell::number(value(item), n_digits));
    }

    /// Writes it.
    pub(crate) fn write(&self, html: &mut Html) {
        scrolling(html, self.label, |html| {
            html.element("table", &[], |html| {
                html.element("thead", &[], |html| {
                    html.element("tr", &[], |html| {
                        for column in &self.columns {
                            let attributes = [("scope", "col"), ("class", column.style.class())];
                            html.element("th", &attributes, |html| html.text(&column.title));
                        }
                    });
                });
                html.element("tbody", &[], |html| {
                    for row in 0..self.items.len() {
                        html.element("tr", &[], |html| self.write_row(html, row));
                    }
                });
            });
        });
    }

    fn write_row(&self, html: &mut Html, row: usize) {
        for (place, column) in self.columns.iter().enumerate() {
            let class = ("class", column.style.class());
            let cell = &column.cells[row];
            let inside = |html: &mut Html| match cell {
                PageCell::Name(name) => html.name(name),
                PageCell::Text(text) | PageCell::Shaded(text, _) => html.text(text),
                PageCell::Bar(share, style) => html.bar(*share, style),
                PageCell::Empty => {}
            };
            match (place, cell) {
                (0, _) => html.element("th", &[("scope", "row"), class], inside),
                (_, PageCell::Shaded(_, shade)) => {
                    html.element("td", &[class, ("style", &shading(*shade))], inside);
                }
                _ => html.element("td", &[class], inside),
            }
        }
    }
}

impl ColumnStyle {
    fn class(self) -> &'static str {
        match self {
            ColumnStyle::Words => "words",
            ColumnStyle::Plain => "plain",
            ColumnStyle::Number => "number",
            ColumnStyle::Bar => "bars",
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

/// Writes what may be wider than the page, in a place that scrolls and can be reached by keys.
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
        let mut table = PageTable::new("Sizes", [("<b>", 0.5)]);
        table.words("feature", |(name, _)| PageCell::Name(name));
        table.number("bits", |(_, bits)| PageCell::number(Some(bits), 2));
        table.write(&mut html);
        let out = html.finish();
        assert!(out.contains("<th scope=\"col\" class=\"words\">feature</th>"));
        assert!(out.contains("<th scope=\"row\" class=\"words\"><bdi class=\"name\">&lt;b&gt;"));
        assert!(out.contains("<td class=\"number\">0.50</td>"));
        assert!(out.contains("role=\"region\" aria-label=\"Sizes\""));
    }

    #[test]
    fn what_is_no_number_is_a_dash_and_shades_are_numbers() {
        assert!(matches!(PageCell::number(Some(f64::NAN), 2), PageCell::Text(text) if text == "–"));
        assert!(shading(f64::NAN).contains(" 0%"));
        assert!(shading(-9.0).contains("--bad) 34%"));
    }
}
