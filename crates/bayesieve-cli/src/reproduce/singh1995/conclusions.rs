//! What the paper says about its tables.

use std::collections::BTreeMap;

use bayesieve::wording::counted;

use super::super::statement::Statement;
use super::recipe::{DATA, INFORMED};

/// Accuracies by data set and method; marks by data set and two methods: -1 where the first is
/// significantly better, 1 where the second is.
#[derive(Debug, Default)]
pub(super) struct Figures {
    accuracies: BTreeMap<[String; 2], f64>,
    marks: BTreeMap<[String; 3], f64>,
}

impl Figures {
    pub(super) fn insert_accuracy(&mut self, data: &str, method: &str, accuracy: f64) {
        let key = [data, method].map(str::to_owned);
        self.accuracies.insert(key, accuracy);
    }

    pub(super) fn insert_mark(&mut self, key: [&str; 3], mark: f64) {
        self.marks.insert(key.map(str::to_owned), mark);
    }

    fn mark(&self, data: &str, method: &str, other: &str) -> Option<f64> {
        let key = [data, method, other].map(str::to_owned);
        self.marks.get(&key).copied()
    }

    /// By data set, where the two were compared.
    fn marks(&self, method: &str, other: &str) -> Vec<(&'static str, f64)> {
        let marks = DATA.iter();
        let marks = marks.filter_map(|d| Some((d.name, self.mark(d.name, method, other)?)));
        marks.collect()
    }

    /// Whether every data set of the paper has been compared on: counts over some say nothing.
    fn has_all_data(&self) -> bool {
        let is_compared = |name: &str| self.marks.keys().any(|key| key[0] == name);
        DATA.iter().all(|data| is_compared(data.name))
    }

    /// The mean accuracy of a method over the data sets.
    fn mean(&self, method: &str) -> Option<f64> {
        let found = self.accuracies.iter().filter(|(key, _)| key[1] == method);
        let found: Vec<f64> = found.map(|(_, &accuracy)| accuracy).collect();
        (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64)
    }
}

/// The paper's statements, put to some figures.
pub(super) fn statements(figures: &Figures) -> Vec<Statement> {
    let mut statements = vec![beats_naive(figures), poorer_on_splice(figures)];
    statements.extend(on_soybean(figures));
    let counts = [
        ("cgr-as", "k2-as", [5, 0]),
        ("cgr-as", "k2-as-le", [2, 0]),
        ("cdc-as", "k2-as", [3, 0]),
        ("cdc-as", "k2-as-le", [3, 1]),
        ("cig-as", "k2-as", [3, 2]),
        ("cig-as", "k2-as-le", [2, 1]),
        ("cgr-as", "cb", [3, 2]),
        ("cdc-as", "cb", [2, 2]),
        ("cig-as", "cb", [1, 3]),
    ];
    statements.extend(counts.map(|(method, other, wanted)| count(figures, method, other, wanted)));
    for method in ["cgr-as", "cdc-as"] {
        statements.push(Statement::of_numbers(
            format!("{method} predicts better than cig-as on average"),
            [figures.mean(method), figures.mean("cig-as")],
            |ratio, gain| ratio > gain,
        ));
    }
    statements
}

fn beats_naive(figures: &Figures) -> Statement {
    let mut cases = Vec::new();
    for data in ["Chess", "Voting", "Voting1", "Mushroom"] {
        let marks = INFORMED.iter().flat_map(|informed| {
            ["naive-all", "naive-as"].map(|other| figures.mark(data, informed.name, other))
        });
        let marks: Option<Vec<f64>> = marks.collect();
        if let Some(marks) = marks {
            cases.push((data, marks.iter().all(|&mark| mark < 0.0)));
        }
    }
    Statement::of_all(
        "all three by information beat naive-all and naive-as on Chess, Voting, Voting1, Mushroom",
        &cases,
    )
}

fn poorer_on_splice(figures: &Figures) -> Statement {
    let cases = INFORMED.iter().filter_map(|informed| {
        let mark = figures.mark("Splice", informed.name, "naive-all")?;
        Some((informed.name, mark > 0.0))
    });
    Statement::of_all(
        "all three by information are significantly poorer than naive-all on Splice",
        &cases.collect::<Vec<_>>(),
    )
}

fn on_soybean(figures: &Figures) -> [Statement; 2] {
    let of = |method, sign: f64, text: &str| {
        let cases = ["naive-all", "naive-as"].into_iter().filter_map(|other| {
            let mark = figures.mark("Soybean", method, other)?;
            Some((other, mark * sign > 0.0))
        });
        Statement::of_all(text, &cases.collect::<Vec<_>>())
    };
    [
        of(
            "cgr-as",
            -1.0,
            "cgr-as is significantly better than both naive ones on Soybean",
        ),
        of(
            "cig-as",
            1.0,
            "cig-as is significantly poorer than both naive ones on Soybean",
        ),
    ]
}

/// On how many data sets a method is significantly better and worse than another.
fn count(figures: &Figures, method: &str, other: &str, wanted: [usize; 2]) -> Statement {
    let marks = figures.marks(method, other);
    let named = |sign: f64| {
        let named = marks.iter().filter(|(_, mark)| mark * sign > 0.0);
        named.map(|&(data, _)| data).collect::<Vec<&str>>()
    };
    let found = [named(-1.0), named(1.0)];
    let listed = |names: &[&str]| {
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        }
    };
    let [better, worse] = wanted;
    Statement {
        text: format!(
            "{method} is significantly better than {other} on {} and worse on {worse}",
            counted(better as u64, "data set")
        ),
        holds: (!marks.is_empty() && figures.has_all_data())
            .then(|| found.each_ref().map(Vec::len) == wanted),
        detail: format!("better {}; worse {}", listed(&found[0]), listed(&found[1])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(figures: &Figures, start: &str) -> Option<bool> {
        let statements = statements(figures);
        let found = statements.iter().find(|one| one.text.starts_with(start));
        found.unwrap().holds
    }

    #[test]
    fn counts_are_of_both_sides() {
        let mut figures = Figures::default();
        for (data, mark) in [("Chess", -1.0), ("Voting", 0.0), ("Soybean", 1.0)] {
            figures.insert_mark([data, "cig-as", "cb"], mark);
        }
        // Some of the paper's data sets decide nothing.
        assert_eq!(count(&figures, "cig-as", "cb", [1, 1]).holds, None);
        for data in DATA {
            figures.insert_mark([data.name, "cgr-as", "cb"], 0.0);
        }
        let one = count(&figures, "cig-as", "cb", [1, 1]);
        assert_eq!(one.holds, Some(true));
        assert_eq!(one.detail, "better Chess; worse Soybean");
        assert_eq!(count(&figures, "cig-as", "cb", [2, 1]).holds, Some(false));
        assert_eq!(count(&figures, "cig-as", "k2-as", [0, 0]).holds, None);
    }

    #[test]
    fn marks_of_all_six_comparisons_decide_a_data_set() {
        let mut figures = Figures::default();
        for informed in &INFORMED {
            for other in ["naive-all", "naive-as"] {
                figures.insert_mark(["Chess", informed.name, other], -1.0);
            }
        }
        assert_eq!(holds(&figures, "all three by information beat"), Some(true));
        figures.insert_mark(["Chess", "cdc-as", "naive-as"], 0.0);
        assert_eq!(
            holds(&figures, "all three by information beat"),
            Some(false)
        );
        assert_eq!(holds(&figures, "cgr-as predicts better"), None);
    }
}
