//! FSS-EBNA with naive Bayes and ID3 against all features.
//!
//! Paper: Inza, Larrañaga, Etxeberria and Sierra, 2000, tables 2 to 6. Five times two halves;
//! numbers stay numbers: normal within a class for naive Bayes, cut in two by ID3.

use std::sync::LazyLock;

use bayesieve::Result;
use bayesieve::evaluate::Run;
use bayesieve::stats::{FiveByTwo, five_by_two_f, mean_sd};

use crate::comparison::{self, Sheet};
use crate::published::{Figure, Published};
use crate::request::Paper;
use crate::tables::FigureCell;

static FIGURES: LazyLock<Published> =
    LazyLock::new(|| Published::known(include_str!("../papers/inza2000.toml")));

pub(crate) static PAPER: Paper = Paper {
    published: &FIGURES,
    plan: |request| comparison::plan(&FIGURES, request, fill),
};

/// All features, and those of FSS-EBNA.
const SIDES: [&str; 2] = ["without", "with"];

/// Fills tables 2 to 6.
fn fill(sheet: &mut Sheet<'_>) -> Result<()> {
    let population = sheet
        .runs
        .map_or(0, |runs| runs.request.number("population"));
    for model in &FIGURES.models {
        // Of accuracies and of numbers of features.
        let [accuracy, features] = &model.tables[..] else {
            continue;
        };
        let title = |table: &str, what| format!("table {table}, {}: {what}", model.published);
        let place = |data| [("model", &*model.name), ("data", data)];
        let pipeline = |side| format!("{side}/{}", model.name);
        sheet.panel(title(accuracy, "% of the rows classified correctly"), 2);
        for (data, side) in rows() {
            let values = sheet.values(data, &pipeline(side), |run| Some(100.0 * run.accuracy));
            let seconds = sheet.values(data, &pipeline(side), |run| Some(run.seconds));
            let published = FIGURES.figure(accuracy, &[data], side);
            let cell = FigureCell::new(accuracy, &place(data), side, "accuracy", published);
            let cell = sheet.mean(cell, values.as_deref())?;
            if let (Some(cell), Some(seconds)) = (cell, seconds) {
                cell.others.push(("seconds", mean_sd(&seconds)?.mean));
            }
        }
        sheet.panel(title(features, "features that the model uses"), 2);
        for (data, side) in rows() {
            let values = sheet.values(data, &pipeline(side), |run| Some(run.n_used as f64));
            let published = FIGURES.figure(features, &[data], side);
            let cell = FigureCell::new(features, &place(data), side, "features", published);
            sheet.mean(cell, values.as_deref())?;
        }
        sheet.panel(title(accuracy, "p of the 5x2cv F test"), 2);
        for data in FIGURES.data_names() {
            let [without, with] = SIDES.map(|side| {
                let values = sheet.values(data, &pipeline(side), |run| Some(run.accuracy));
                by_replication(&values?)
            });
            let test = without.zip(with);
            let test = test.map(|(without, with)| five_by_two_f(&with, &without));
            let published = FIGURES.figure(accuracy, &[data], "p");
            let cell = FigureCell::new(accuracy, &place(data), "with", "p", published);
            sheet.number(cell, test.transpose()?.map(|test| test.p));
        }
        sheet.panel(
            title("6", "the generation in which searches stop, on average"),
            2,
        );
        for data in FIGURES.data_names() {
            let generation = |run: &Run| Some(generation(run.n_asked, u64::from(population)));
            let values = sheet.values(data, &pipeline("with"), generation);
            let printed = FIGURES.columns("6").into_iter();
            let row = [&model.published, data];
            let printed = printed.filter_map(|run| FIGURES.value("6", &row, run));
            let printed = mean_sd(&printed.collect::<Vec<f64>>())?;
            let published = Figure {
                value: printed.mean,
                sd: printed.sd,
            };
            let place = place(data);
            let cell = FigureCell::new("6", &place, "with", "generation", Some(published));
            sheet.mean(cell, values.as_deref())?;
        }
    }
    Ok(())
}

/// Every data set without and with FSS-EBNA.
fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    let data = FIGURES.data_names().into_iter();
    data.flat_map(|data| SIDES.map(|side| (data, side)))
}

/// The generation in which a search stopped that asked for so many sets: a whole population
/// first, then all but one in every generation.
fn generation(n_asked: u64, population: u64) -> f64 {
    n_asked.saturating_sub(population) as f64 / (population - 1).max(1) as f64
}

/// Ten values as five times two; nothing where there are others.
fn by_replication(values: &[f64]) -> Option<FiveByTwo> {
    let (pairs, rest) = values.as_chunks::<2>();
    let pairs = rest.is_empty().then_some(pairs)?;
    pairs.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::published_figures;
    use crate::statement::{Figures, holds, wrong};

    #[test]
    fn ten_values_are_five_times_two() {
        let values: Vec<f64> = (0..10).map(f64::from).collect();
        assert_eq!(by_replication(&values).unwrap()[1], [2.0, 3.0]);
        assert_eq!(by_replication(&values[..4]), None);
        assert_eq!(by_replication(&values[..9]), None);
    }

    #[test]
    fn generations_count_from_the_first_population() {
        assert_eq!(generation(1000, 1000), 0.0);
        assert_eq!(generation(1999, 1000), 1.0);
        assert_eq!(generation(4996, 1000), 4.0);
    }

    #[test]
    fn averages_are_those_of_the_columns_but_for_two_slips() {
        let mut strange = Vec::new();
        for table in ["2", "3"] {
            for side in SIDES {
                let rows = FIGURES.data_names().into_iter();
                let rows = rows.map(|data| FIGURES.value(table, &[data], side));
                let sum: f64 = rows.map(Option::unwrap).sum();
                let printed = FIGURES.value(table, &["Average"], side).unwrap();
                if (sum / 8.0 - printed).abs() > 0.015 {
                    strange.push((table, side, (sum / 8.0 * 100.0).round()));
                }
            }
        }
        // 89.06 and 83.48 are printed.
        assert_eq!(strange, [("2", "with", 8926.0), ("3", "without", 8260.0)]);
    }

    #[test]
    fn the_published_statements_hold() {
        let figures = published_figures(&FIGURES, fill);
        assert_eq!(wrong(&FIGURES.sentences, &figures), []);
    }

    fn figures(of: &[(&str, f64)]) -> Figures {
        let mut figures = Figures::new(FIGURES.data_names());
        for &(words, x) in of {
            figures.insert("Redundant21", &format!("nb/{words}"), x);
        }
        figures
    }

    fn of_naive_bayes(figures: &Figures, start: &str) -> Option<bool> {
        holds(&FIGURES.sentences, figures, [start, "naive Bayes"])
    }

    #[test]
    fn a_significant_loss_is_no_gain() {
        let lost = figures(&[
            ("without/accuracy", 90.0),
            ("with/accuracy", 80.0),
            ("with/p", 0.01),
        ]);
        assert_eq!(
            of_naive_bayes(&lost, "FSS-EBNA predicts significantly"),
            Some(false)
        );
        assert_eq!(
            of_naive_bayes(&lost, "FSS-EBNA predicts nowhere"),
            Some(false)
        );
        assert_eq!(of_naive_bayes(&lost, "FSS-EBNA raises"), Some(false));
        // Without numbers of features nothing is said about them.
        assert_eq!(of_naive_bayes(&lost, "models use no more"), None);
    }

    #[test]
    fn without_a_test_nothing_is_significant_or_not() {
        let gained = figures(&[("without/accuracy", 80.0), ("with/accuracy", 90.0)]);
        assert_eq!(
            of_naive_bayes(&gained, "FSS-EBNA predicts significantly"),
            None
        );
        assert_eq!(of_naive_bayes(&gained, "FSS-EBNA raises"), Some(true));
        let exact = figures(&[("with/features", 9.0), ("without/features", 21.0)]);
        assert_eq!(of_naive_bayes(&exact, "FSS-EBNA takes one"), Some(true));
        assert_eq!(of_naive_bayes(&exact, "models use no more"), Some(true));
    }
}
