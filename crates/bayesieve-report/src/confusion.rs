//! Which class was taken for which: a table with shades.

use bayesieve::wording::grouped;

use crate::html::Html;
use crate::page::percent;
use crate::table::{PageCell, PageTable, scrolling, shading};

/// Above this many classes the table would be no help.
const MAX_CLASSES: usize = 40;
/// Above this many the columns are numbered.
const MAX_NAMED: usize = 8;
/// Mistakes that are listed.
const MAX_MISTAKES: usize = 10;

/// Counts of rows by true and by predicted class.
pub(crate) struct Confusion<'a> {
    pub(crate) classes: &'a [String],
    /// `[true class][predicted class]`.
    pub(crate) counts: &'a [Vec<u64>],
}

impl Confusion<'_> {
    /// Says whether there is a count for every two classes.
    pub(crate) fn is_whole(&self) -> bool {
        let n = self.classes.len();
        n > 0 && self.counts.len() == n && self.counts.iter().all(|row| row.len() == n)
    }

    /// Writes the table, where the classes are not too many, and the most frequent mistakes, where
    /// they are not few.
    pub(crate) fn write(&self, html: &mut Html) {
        let n = self.classes.len();
        if n <= MAX_CLASSES {
            html.note(
                "A row for every true class, a column for every predicted one. What is right \
                 stands in the outlined cells; the darker another cell, the larger the part of \
                 its row.",
            );
            self.matrix(html);
        }
        if n > MAX_NAMED {
            self.mistakes(html);
        }
    }

    fn matrix(&self, html: &mut Html) {
        let is_numbered = self.classes.len() > MAX_NAMED;
        let many = if is_numbered {
            "confusion many"
        } else {
            "confusion"
        };
        html.division(many, |html| {
            scrolling(html, "Predicted class by true class", |html| {
                html.element("table", &[], |html| {
                    html.element("thead", &[], |html| {
                        html.element("tr", &[], |html| self.head(html, is_numbered));
                    });
                    html.element("tbody", &[], |html| {
                        for true_class in 0..self.classes.len() {
                            html.element("tr", &[], |html| {
                                self.row(html, true_class, is_numbered);
                            });
                        }
                    });
                });
            });
        });
    }

    fn head(&self, html: &mut Html, is_numbered: bool) {
        let column = ("scope", "col");
        html.element("th", &[column], |html| html.text("true ↓ predicted →"));
        for (place, label) in self.classes.iter().enumerate() {
            html.element("th", &[column, ("title", label)], |html| {
                if is_numbered {
                    html.text(&(place + 1).to_string())
                } else {
                    html.name(label)
                }
            });
        }
        html.element("th", &[column], |html| html.text("right"));
    }

    fn row(&self, html: &mut Html, true_class: usize, is_numbered: bool) {
        html.element("th", &[("scope", "row")], |html| {
            if is_numbered {
                html.text(&format!("{} ", true_class + 1));
            }
            html.name(&self.classes[true_class]);
        });
        let row = &self.counts[true_class];
        let total = row.iter().sum::<u64>();
        let share = |n: u64| n as f64 / total.max(1) as f64;
        for (predicted, &n) in row.iter().enumerate() {
            if predicted == true_class {
                html.styled("td", "right", &grouped(n));
            } else if n == 0 {
                // Where nothing is, a dot is easier to read past.
                html.words("td", "·");
            } else {
                // The root lets small parts show.
                let ground = shading(-share(n).sqrt());
                html.element("td", &[("style", &ground)], |html| html.text(&grouped(n)));
            }
        }
        let right = match total {
            0 => "–".into(),
            _ => percent(share(row[true_class])),
        };
        html.words("td", &right);
    }

    fn mistakes(&self, html: &mut Html) {
        let n = self.classes.len();
        let mut pairs: Vec<(usize, usize)> = (0..n)
            .flat_map(|a| (0..n).map(move |b| (a, b)))
            .filter(|&(a, b)| a != b && self.counts[a][b] > 0)
            .collect();
        if pairs.is_empty() {
            return;
        }
        // Stable: ties stay in the order of the classes.
        pairs.sort_by_key(|&(a, b)| std::cmp::Reverse(self.counts[a][b]));
        pairs.truncate(MAX_MISTAKES);
        html.words("h3", "Most frequent mistakes");
        let mut table = PageTable::new("Most frequent mistakes", pairs);
        table.words("true class", |(a, _)| PageCell::Name(&self.classes[a]));
        table.words("taken for", |(_, b)| PageCell::Name(&self.classes[b]));
        table.number("rows", |(a, b)| grouped(self.counts[a][b]));
        table.write(html);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(n: usize) -> String {
        let classes: Vec<String> = (0..n).map(|class| format!("c{class}")).collect();
        // Nine of ten right, the tenth taken for the next class.
        let counts = (0..n).map(|class| {
            let mut row = vec![0; n];
            row[class] += 9;
            row[(class + 1) % n] += 1;
            row
        });
        let counts: Vec<Vec<u64>> = counts.collect();
        let confusion = Confusion {
            classes: &classes,
            counts: &counts,
        };
        assert!(confusion.is_whole());
        let mut html = Html::default();
        confusion.write(&mut html);
        html.finish()
    }

    #[test]
    fn few_classes_are_a_table_with_names() {
        let out = written(2);
        assert!(out.contains("<td class=\"right\">9</td>"));
        assert!(out.contains("90.0 %"));
        assert!(!out.contains("mistakes"));
    }

    #[test]
    fn many_classes_are_numbered_and_very_many_are_mistakes_only() {
        let out = written(40);
        assert_eq!(out.matches("class=\"right\"").count(), 40);
        assert!(out.contains("Most frequent mistakes"));
        let out = written(41);
        assert!(!out.contains("class=\"right\""));
        assert!(out.contains("Most frequent mistakes"));
    }
}
