//! Numbers, names and bars for people.

use std::path::Path;

use bayesieve::printable;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

/// Names longer than this are cut in tables.
const NAME_WIDTH: usize = 32;

/// A name on one line, without control characters, cut to a readable length.
pub(crate) fn name(text: &str) -> String {
    printable(text, NAME_WIDTH)
}

/// The name of a file for people.
pub(crate) fn file(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".into();
    }
    printable(&path.display().to_string(), 400)
}

/// A bar of up to `width` characters for a share of 1, in eighths of a character.
pub(crate) fn bar(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * (width * 8) as f64).round() as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// A table without lines; the columns named in `right` are aligned to the right.
pub(crate) fn table(header: &[&str], right: &[usize], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.set_header(header.to_vec());
    printed(table, right, rows)
}

/// As [`table`], without a header.
pub(crate) fn rows(right: &[usize], rows: Vec<Vec<String>>) -> String {
    printed(Table::new(), right, rows)
}

/// A table of some things that grows by columns: a title, and what each of them has there.
pub(crate) struct TextTable<T> {
    things: Vec<T>,
    titles: Vec<String>,
    right: Vec<usize>,
    rows: Vec<Vec<String>>,
}

impl<T: Copy> TextTable<T> {
    pub(crate) fn new(things: impl IntoIterator<Item = T>) -> Self {
        let things: Vec<T> = things.into_iter().collect();
        TextTable {
            rows: vec![Vec::new(); things.len()],
            things,
            titles: Vec::new(),
            right: Vec::new(),
        }
    }

    /// Adds a column of words.
    pub(crate) fn words(&mut self, title: &str, mut cell: impl FnMut(T) -> String) {
        self.titles.push(title.to_owned());
        for (row, &thing) in self.rows.iter_mut().zip(&self.things) {
            row.push(cell(thing));
        }
    }

    /// Adds a column of numbers, aligned to the right.
    pub(crate) fn number(&mut self, title: &str, cell: impl FnMut(T) -> String) {
        self.right.push(self.titles.len());
        self.words(title, cell);
    }

    pub(crate) fn print(self) -> String {
        let titles: Vec<&str> = self.titles.iter().map(String::as_str).collect();
        table(&titles, &self.right, self.rows)
    }
}

fn printed(mut table: Table, right: &[usize], rows: Vec<Vec<String>>) -> String {
    table.load_style(NOTHING);
    for row in rows {
        table.add_row(row);
    }
    for &column in right {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    // Bars and numbers must not be broken over lines, whatever the terminal's width.
    let lines: Vec<String> = table
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_in_eighths() {
        assert_eq!(bar(0.0, 4), "");
        assert_eq!(bar(1.0, 4), "████");
        assert_eq!(bar(0.5, 4), "██");
        assert_eq!(bar(1.0 / 32.0, 4), "▏");
        assert_eq!(bar(7.0, 4), "████");
    }

    #[test]
    fn names_cannot_move_the_cursor() {
        assert_eq!(name("a\x1b[31m\n"), "a\\u{1b}[31m\\n");
        assert_eq!(name(&"x".repeat(99)).chars().count(), NAME_WIDTH + 1);
    }
}
