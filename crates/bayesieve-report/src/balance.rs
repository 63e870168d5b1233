//! How many rows every class has.

use bayesieve::wording::grouped;

use crate::html::Html;
use crate::page::{more, percent};
use crate::table::{ColumnStyle, PageCell, PageTable};

/// Classes that are listed.
const MAX_CLASSES: usize = 40;

/// Writes labels and rows of every class.
pub(crate) fn write(html: &mut Html, class: &str, counts: &[(&str, u64)]) {
    let n_rows = counts.iter().map(|(_, n)| n).sum::<u64>().max(1) as f64;
    let share = |n: u64| n as f64 / n_rows;
    let shown = counts.iter().copied().take(MAX_CLASSES);
    let mut table = PageTable::new("Rows of every class", shown);
    table.words(class, |(label, _)| PageCell::Name(label));
    table.number("rows", |(_, n)| grouped(n));
    table.column("", ColumnStyle::Bar, |(_, n)| PageCell::Bar(share(n), ""));
    table.number("share", |(_, n)| percent(share(n)));
    table.write(html);
    more(html, counts.len(), MAX_CLASSES, " class values");
}

/// Finds the most frequent class, the first of equals, and its share of the rows.
pub(crate) fn most_frequent<'a>(counts: &[(&'a str, u64)]) -> Option<(&'a str, f64)> {
    let n = counts.iter().map(|(_, n)| n).sum::<u64>();
    let &(label, most) = counts.iter().rev().max_by_key(|(_, n)| *n)?;
    (n > 0).then_some((label, most as f64 / n as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equally_frequent_classes_is_guessed() {
        assert_eq!(
            most_frequent(&[("a", 1), ("b", 2), ("c", 2)]),
            Some(("b", 0.4))
        );
        assert_eq!(most_frequent(&[("a", 0)]), None);
        assert_eq!(most_frequent(&[]), None);
    }

    #[test]
    fn many_classes_are_cut() {
        let labels: Vec<String> = (0..99).map(|i| format!("<{i}>")).collect();
        let counts: Vec<(&str, u64)> = labels.iter().map(|label| (label.as_str(), 1)).collect();
        let mut html = Html::default();
        write(&mut html, "class", &counts);
        let out = html.finish();
        assert_eq!(out.matches("scope=\"row\"").count(), MAX_CLASSES);
        assert!(out.contains("59 more class values"));
    }
}
