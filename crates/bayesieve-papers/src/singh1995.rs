//! Networks on features chosen by information, against naive Bayes, K2-AS and CB.
//!
//! Paper: Singh and Provan, 1995, tables 2 to 11. Thirty times, rows of fixed numbers are drawn
//! to learn from and to test on; two-sided paired t tests at 95 percent. Its learning curves
//! are figures without numbers, and C4.5 is not among our models: both are left out.

use std::sync::LazyLock;

use bayesieve::Result;
use bayesieve::stats::{Alternative, paired_t};

use crate::comparison::{self, Sheet};
use crate::published::{Figure, Published};
use crate::request::Paper;
use crate::tables::FigureCell;

static FIGURES: LazyLock<Published> =
    LazyLock::new(|| Published::known(include_str!("../papers/singh1995.toml")));

pub(crate) static PAPER: Paper = Paper {
    published: &FIGURES,
    plan: |request| comparison::plan(&FIGURES, request, fill),
};

/// The level of the paper's t tests.
const LEVEL: f64 = 0.05;

/// Trials of tables 10 and 11.
const N_BESIDE_C45: usize = 20;

/// The methods by information, and the tables that compare each with naive Bayes and with other
/// networks.
const INFORMED: [(&str, [&str; 2]); 3] = [
    ("cig-as", ["4", "7"]),
    ("cgr-as", ["5", "8"]),
    ("cdc-as", ["6", "9"]),
];

/// What they are compared with, by table.
const OTHERS: [&[&str]; 2] = [&["naive-all", "naive-as"], &["k2-as", "k2-as-le", "cb"]];

/// Fills tables 2 to 11.
fn fill(sheet: &mut Sheet<'_>) -> Result<()> {
    sheet.panel("tables 2 and 3: % of the test rows classified correctly", 2);
    for data in FIGURES.data_names() {
        for method in &FIGURES.methods {
            let values = accuracies(sheet, data, &method.name);
            let found = printed(["2", "3"], data, &method.name);
            let (table, published) = found.map_or(("3", None), |(t, f)| (t, Some(f)));
            let place = [("data", data)];
            let cell = FigureCell::new(table, &place, &method.name, "accuracy", published);
            sheet.mean(cell, values.as_deref())?;
        }
    }
    for (measure, title) in [
        (
            "difference",
            "accuracy of the other method minus that of this one",
        ),
        ("t", "t of the paired test"),
        (
            "mark",
            "-1 where this method is significantly better, 1 where the other is",
        ),
    ] {
        sheet.panel(format!("tables 4 to 9: {title}"), 2);
        for test in comparisons() {
            let figure = tested(sheet, &test, measure)?;
            let place = [("data", test.data), ("against", test.other)];
            let row = [test.data, published_name(test.other)];
            let published = FIGURES.figure(test.table, &row, measure);
            let cell = FigureCell::new(test.table, &place, test.method, measure, published);
            sheet.number(cell, figure);
        }
    }
    let title = "tables 10 and 11: % of the test rows classified correctly, the first 20 runs";
    sheet.panel(title, 2);
    for data in FIGURES.data_names() {
        for (method, _) in INFORMED {
            let values = accuracies(sheet, data, method);
            let values = values.filter(|values| values.len() >= N_BESIDE_C45);
            let Some((table, published)) = printed(["10", "11"], data, method) else {
                continue;
            };
            let values = values.as_deref().map(|values| &values[..N_BESIDE_C45]);
            let place = [("data", data)];
            let cell = FigureCell::new(table, &place, method, "accuracy_of_20", Some(published));
            sheet.mean(cell, values)?;
        }
    }
    Ok(())
}

/// A test of tables 4 to 9.
struct PairedMethods {
    data: &'static str,
    table: &'static str,
    method: &'static str,
    other: &'static str,
}

/// All tests of tables 4 to 9, by data set.
fn comparisons() -> Vec<PairedMethods> {
    let mut all = Vec::new();
    for data in FIGURES.data_names() {
        for (method, tables) in INFORMED {
            for (table, others) in tables.into_iter().zip(OTHERS) {
                all.extend(others.iter().map(|&other| PairedMethods {
                    data,
                    table,
                    method,
                    other,
                }));
            }
        }
    }
    all
}

/// A figure of a test; nothing where there are no runs, or one, which has no spread.
fn tested(sheet: &Sheet<'_>, test: &PairedMethods, measure: &str) -> Result<Option<f64>> {
    let values = |method| accuracies(sheet, test.data, method);
    let (Some(own), Some(others)) = (values(test.method), values(test.other)) else {
        return Ok(None);
    };
    if own.len() < 2 {
        return Ok(None);
    }
    let found = paired_t(&others, &own, Alternative::TwoSided)?;
    let figure = match measure {
        "difference" => found.mean,
        "t" => found.t,
        _ if found.p <= LEVEL => found.mean.signum(),
        _ => 0.0,
    };
    // Equal differences have no t: their spread is 0.
    Ok(Some(figure).filter(|figure| figure.is_finite()))
}

/// The accuracies of all runs, in percent.
fn accuracies(sheet: &Sheet<'_>, data: &str, method: &str) -> Option<Vec<f64>> {
    sheet.values(data, method, |run| Some(100.0 * run.accuracy))
}

/// As the paper writes a method.
fn published_name(method: &str) -> &'static str {
    let known = FIGURES.methods.iter().find(|known| known.name == method);
    known
        .and_then(|known| known.published.as_deref())
        .unwrap_or("")
}

/// The figure of a data set and a method, in whichever of two tables it is.
fn printed(tables: [&'static str; 2], data: &str, method: &str) -> Option<(&'static str, Figure)> {
    let row = [published_name(method)];
    let mut found = tables
        .into_iter()
        .filter_map(|t| Some((t, FIGURES.figure(t, &row, data)?)));
    found.next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::published_figures;
    use crate::statement::{Figures, holds, wrong};

    #[test]
    fn differences_are_those_of_the_accuracies_and_marks_those_of_t_but_for_slips() {
        let accuracy = |data, method| {
            let found = printed(["2", "3"], data, method);
            found.map(|(_, figure)| figure.value)
        };
        let (mut strange, mut unmarked, mut n) = (Vec::new(), Vec::new(), 0);
        for test in comparisons() {
            let (data, table, other) = (test.data, test.table, test.other);
            let value = |column| FIGURES.value(table, &[data, published_name(other)], column);
            let Some(difference) = value("difference") else {
                assert_eq!((data, other), ("Splice", "k2-as-le"));
                continue;
            };
            n += 1;
            let expected = accuracy(data, other).unwrap() - accuracy(data, test.method).unwrap();
            if (difference - expected).abs() > 0.0151 {
                strange.push((table, data, other));
            }
            // 29 degrees of freedom.
            let t = value("t").unwrap();
            let mark = if t.abs() > 2.0452 { t.signum() } else { 0.0 };
            if value("mark") != Some(mark) {
                unmarked.push((table, data, other));
            }
        }
        assert_eq!(n, 90 - 3);
        assert_eq!(
            strange,
            [("4", "Splice", "naive-as"), ("6", "Splice", "naive-all")]
        );
        assert_eq!(unmarked, [("8", "Voting", "k2-as")]);
    }

    #[test]
    fn the_published_statements_hold() {
        let figures = published_figures(&FIGURES, fill);
        assert_eq!(wrong(&FIGURES.sentences, &figures), []);
    }

    #[test]
    fn marks_of_all_six_comparisons_decide_a_data_set() {
        let mut figures = Figures::new(FIGURES.data_names());
        let of = |figures: &Figures, start| holds(&FIGURES.sentences, figures, [start, ""]);
        for (method, _) in INFORMED {
            for other in ["naive-all", "naive-as"] {
                figures.insert("Chess", &format!("{other}/{method}/mark"), -1.0);
            }
        }
        assert_eq!(of(&figures, "all three by information beat"), Some(true));
        figures.insert("Chess", "naive-as/cdc-as/mark", 0.0);
        assert_eq!(of(&figures, "all three by information beat"), Some(false));
        assert_eq!(of(&figures, "cgr-as predicts better"), None);
    }
}
