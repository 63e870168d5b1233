//! What the paper says about its tables.

use std::collections::BTreeMap;

use super::super::statement::Statement;
use super::recipe::DATA;

/// The level at which the paper calls a difference significant.
const LEVEL: f64 = 0.05;

/// Figures by model, data set, side and measure.
#[derive(Debug, Default)]
pub(super) struct Figures(BTreeMap<[String; 4], f64>);

impl Figures {
    pub(super) fn insert(
        &mut self,
        (model, data, side, measure): (&str, &str, &str, &str),
        x: f64,
    ) {
        let key = [model, data, side, measure].map(str::to_owned);
        self.0.insert(key, x);
    }

    fn get(&self, key: [&str; 4]) -> Option<f64> {
        self.0.get(&key.map(str::to_owned)).copied()
    }

    /// By data set: without and with FSS-EBNA.
    fn pairs(&self, model: &str, measure: &str) -> Vec<(&'static str, [f64; 2])> {
        let pairs = DATA.iter().filter_map(|data| {
            let of = |side| self.get([model, data.name, side, measure]);
            Some((data.name, [of("without")?, of("with")?]))
        });
        pairs.collect()
    }

    /// By data set: whether the accuracy is significantly above, and below.
    fn significant(&self, model: &str) -> Vec<(&'static str, [bool; 2])> {
        let pairs = self.pairs(model, "accuracy").into_iter();
        let tested = pairs.filter_map(|(data, [without, with])| {
            let p = self.get([model, data, "with", "p"])?;
            let is = p < LEVEL;
            Some((data, [is && with > without, is && with < without]))
        });
        tested.collect()
    }

    fn mean(&self, model: &str, place: usize) -> Option<f64> {
        let pairs = self.pairs(model, "accuracy");
        let n = pairs.len() as f64;
        (!pairs.is_empty()).then(|| pairs.iter().map(|(_, pair)| pair[place]).sum::<f64>() / n)
    }
}

/// The paper's statements, put to some figures.
pub(super) fn statements(figures: &Figures) -> Vec<Statement> {
    let mut statements = vec![
        better(
            figures,
            ("id3", "Horse-colic and LED24 alone, ID3"),
            &["Horse-colic", "LED24"],
        ),
        better(
            figures,
            ("nb", "all but Anneal and LED24, naive Bayes"),
            &[
                "Ionosphere",
                "Horse-colic",
                "Image",
                "Redundant21",
                "Sick-euthyroid",
                "Chess",
            ],
        ),
    ];
    for (model, name) in [("id3", "ID3"), ("nb", "naive Bayes")] {
        let worse = figures.significant(model).into_iter();
        let worse: Vec<_> = worse.map(|(data, [_, is])| (data, !is)).collect();
        statements.push(Statement::of_all(
            format!("FSS-EBNA predicts nowhere significantly worse, {name}"),
            &worse,
        ));
        let fewer = figures.pairs(model, "features").into_iter();
        let fewer: Vec<_> = fewer
            .map(|(data, [without, with])| (data, with <= without))
            .collect();
        statements.push(Statement::of_all(
            format!("models use no more features after FSS-EBNA, {name}"),
            &fewer,
        ));
        statements.push(Statement::of_numbers(
            format!("FSS-EBNA raises the mean accuracy, {name}"),
            [figures.mean(model, 0), figures.mean(model, 1)],
            |without, with| with > without,
        ));
    }
    let features = |model, data| figures.get([model, data, "with", "features"]);
    statements.push(Statement::of_numbers(
        "FSS-EBNA finds the seven relevant features of LED24, to one, ID3",
        [features("id3", "LED24"), Some(7.0)],
        |found, true_number| (found - true_number).abs() <= 1.0,
    ));
    statements.push(Statement::of_numbers(
        "FSS-EBNA takes one of each repeated feature of Redundant21, nine in all, naive Bayes",
        [features("nb", "Redundant21"), Some(9.0)],
        |found, true_number| (found - true_number).abs() < 0.05,
    ));
    statements
}

fn better(figures: &Figures, (model, text): (&str, &str), named: &[&str]) -> Statement {
    let cases = figures.significant(model).into_iter();
    let cases: Vec<_> = cases.map(|(data, [is, _])| (data, is)).collect();
    Statement::of_exactly(
        format!("FSS-EBNA predicts significantly better on {text}"),
        &cases,
        named,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(of: &[(&str, &str, f64)]) -> Figures {
        let mut figures = Figures::default();
        for &(side, measure, x) in of {
            figures.insert(("nb", "Redundant21", side, measure), x);
        }
        figures
    }

    fn holds(figures: &Figures, start: &str) -> Option<bool> {
        let statements = statements(figures);
        let found = statements
            .iter()
            .find(|one| one.text.starts_with(start) && one.text.ends_with("naive Bayes"));
        found.unwrap().holds
    }

    #[test]
    fn a_significant_loss_is_no_gain() {
        let lost = figures(&[
            ("without", "accuracy", 90.0),
            ("with", "accuracy", 80.0),
            ("with", "p", 0.01),
        ]);
        assert_eq!(holds(&lost, "FSS-EBNA predicts significantly"), Some(false));
        assert_eq!(holds(&lost, "FSS-EBNA predicts nowhere"), Some(false));
        assert_eq!(holds(&lost, "FSS-EBNA raises"), Some(false));
        // Without numbers of features nothing is said about them.
        assert_eq!(holds(&lost, "models use no more"), None);
    }

    #[test]
    fn without_a_test_nothing_is_significant_or_not() {
        let gained = figures(&[("without", "accuracy", 80.0), ("with", "accuracy", 90.0)]);
        assert_eq!(holds(&gained, "FSS-EBNA predicts significantly"), None);
        assert_eq!(holds(&gained, "FSS-EBNA raises"), Some(true));
        let exact = figures(&[("with", "features", 9.0), ("without", "features", 21.0)]);
        assert_eq!(holds(&exact, "FSS-EBNA takes one"), Some(true));
        assert_eq!(holds(&exact, "models use no more"), Some(true));
    }
}
