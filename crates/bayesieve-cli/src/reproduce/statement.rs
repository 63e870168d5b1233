//! What a paper says about its tables, put to the figures: published and ours.

use serde_json::{Value, json};

/// A sentence about some figures, put to them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Statement {
    pub(super) text: String,
    /// Nothing where the figures it is about are not there.
    pub(super) holds: Option<bool>,
    /// What the figures say.
    pub(super) detail: String,
}

/// A statement put to the published figures and to ours.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Conclusion {
    pub(super) text: String,
    pub(super) published: Option<bool>,
    pub(super) published_detail: String,
    pub(super) ours: Option<bool>,
    pub(super) detail: String,
}

impl Statement {
    /// One that holds where all of some cases do, and for at least one.
    pub(super) fn of_all(text: impl Into<String>, cases: &[(&str, bool)]) -> Self {
        let n_true = cases.iter().filter(|(_, is)| *is).count();
        let but: Vec<&str> = cases
            .iter()
            .filter(|(_, is)| !is)
            .map(|&(name, _)| name)
            .collect();
        let but = if but.is_empty() {
            String::new()
        } else {
            format!(", not {}", but.join(", "))
        };
        Statement {
            text: text.into(),
            holds: (!cases.is_empty()).then_some(n_true == cases.len()),
            detail: format!("{n_true} of {}{but}", cases.len()),
        }
    }

    /// One that holds where the cases are exactly those named.
    pub(super) fn of_exactly(
        text: impl Into<String>,
        cases: &[(&str, bool)],
        named: &[&str],
    ) -> Self {
        let are: Vec<&str> = cases
            .iter()
            .filter(|(_, is)| *is)
            .map(|&(name, _)| name)
            .collect();
        let fits = |&(name, is): &(&str, bool)| is == named.contains(&name);
        Statement {
            text: text.into(),
            holds: (!cases.is_empty()).then(|| cases.iter().all(fits)),
            detail: if are.is_empty() {
                "none".into()
            } else {
                are.join(", ")
            },
        }
    }

    /// One about two numbers; nothing where one is missing.
    pub(super) fn of_numbers(
        text: impl Into<String>,
        numbers: [Option<f64>; 2],
        holds: fn(f64, f64) -> bool,
    ) -> Self {
        let shown = |x: Option<f64>| x.map_or("–".into(), |x| format!("{x:.2}"));
        Statement {
            text: text.into(),
            holds: match numbers {
                [Some(a), Some(b)] => Some(holds(a, b)),
                _ => None,
            },
            detail: format!("{} and {}", shown(numbers[0]), shown(numbers[1])),
        }
    }
}

impl Conclusion {
    /// The same statements put to the published figures and to ours.
    pub(super) fn pair(published: Vec<Statement>, ours: Vec<Statement>) -> Vec<Self> {
        let pairs = published.into_iter().zip(ours);
        let pairs = pairs.map(|(published, ours)| Conclusion {
            text: ours.text,
            published: published.holds,
            published_detail: published.detail,
            ours: ours.holds,
            detail: ours.detail,
        });
        pairs.collect()
    }

    pub(super) fn document(&self) -> Value {
        json!({
            "text": self.text,
            "published": self.published,
            "published_detail": self.published_detail,
            "ours": self.ours,
            "detail": self.detail,
        })
    }
}

/// Yes, no, or nothing to tell by.
pub(super) fn word(holds: Option<bool>) -> &'static str {
    match holds {
        Some(true) => "yes",
        Some(false) => "no",
        None => "–",
    }
}

/// Asserts that every statement holds, naming those that do not.
#[cfg(test)]
pub(super) fn assert_hold(statements: &[Statement]) {
    let wrong = statements.iter().filter(|one| one.holds != Some(true));
    let wrong: Vec<&str> = wrong.map(|one| one.text.as_str()).collect();
    assert_eq!(wrong, [] as [&str; 0]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_about_all_names_the_exceptions() {
        let one = Statement::of_all("a", &[("x", true), ("y", false), ("z", false)]);
        assert_eq!(one.holds, Some(false));
        assert_eq!(one.detail, "1 of 3, not y, z");
        assert_eq!(Statement::of_all("a", &[("x", true)]).holds, Some(true));
        assert_eq!(Statement::of_all("a", &[]).holds, None);
    }

    #[test]
    fn a_statement_about_some_holds_for_these_alone() {
        let cases = [("x", true), ("y", false)];
        assert_eq!(Statement::of_exactly("a", &cases, &["x"]).holds, Some(true));
        assert_eq!(
            Statement::of_exactly("a", &cases, &["y"]).holds,
            Some(false)
        );
        // Only what is there can speak: z is not.
        let one = Statement::of_exactly("a", &cases, &["x", "z"]);
        assert_eq!((one.holds, one.detail.as_str()), (Some(true), "x"));
    }

    #[test]
    fn a_number_that_is_missing_decides_nothing() {
        let above = |numbers| Statement::of_numbers("a", numbers, |a, b| a > b);
        assert_eq!(above([Some(2.0), Some(1.0)]).holds, Some(true));
        let one = above([Some(2.0), None]);
        assert_eq!((one.holds, one.detail.as_str()), (None, "2.00 and –"));
    }
}
