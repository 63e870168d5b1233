//! What a paper says about its tables, put to the figures: published and ours.

use std::collections::BTreeMap;

use bayesieve::{Error, Result};
use bayesieve_report::ReproducedConclusion;
use serde::Deserialize;

/// The figures of tables by data set and by words: `nb/mdl-fs/accuracy`.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    /// The data sets in the paper's order.
    data: Vec<&'static str>,
    values: BTreeMap<[String; 2], f64>,
}

/// A sentence of a paper.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Sentence {
    text: String,
    /// The data sets that it is about; all where none is named.
    #[serde(default)]
    on: Vec<String>,
    /// The names that it gives.
    #[serde(default)]
    named: Vec<String>,
    /// Whether it says nothing where one of its cases cannot be decided.
    #[serde(default)]
    whole: bool,
    #[serde(flatten)]
    claim: Claim,
}

/// What a sentence claims.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Claim {
    /// It holds on all data sets.
    All(Condition),
    /// It holds on no data set.
    None(Condition),
    /// It holds on the named data sets alone.
    Exactly(Condition),
    /// It holds.
    Numbers(Condition),
    /// It holds in all cases.
    Cases(Vec<(String, Condition)>),
    /// A figure is negative on so many data sets and positive on so many, where all data sets
    /// have such figures.
    Signs(String, [usize; 2]),
    /// The first of some figures is among the so many smallest.
    Place(Vec<String>, usize),
    /// The first figure exceeds the second most on the named data set.
    Largest([String; 2]),
}

/// Comparisons that hold together: `nb/p < 0.05 and nb/with > nb/without`.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
struct Condition(Vec<Relation>);

/// Two terms compared: `A > B + 0.5`, `A = B ± 1`.
#[derive(Debug, Clone)]
struct Relation {
    /// Numbers, or figures as [`Figures::term`] reads them.
    terms: [String; 2],
    sign: String,
    /// What is added to the second term, or how far the two may be apart.
    margin: f64,
}

/// A sentence put to some figures.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Statement {
    /// Nothing where the figures it is about are not there.
    pub(crate) holds: Option<bool>,
    /// What the figures say.
    pub(crate) detail: String,
}

impl Figures {
    /// Returns no figures, for data sets in this order.
    pub(crate) fn new(data: Vec<&'static str>) -> Self {
        Figures {
            data,
            values: BTreeMap::new(),
        }
    }

    pub(crate) fn insert(&mut self, data: &str, words: &str, figure: f64) {
        self.values.insert([data, words].map(str::to_owned), figure);
    }

    pub(crate) fn get(&self, data: &str, words: &str) -> Option<f64> {
        self.values.get(&[data, words].map(str::to_owned)).copied()
    }

    /// Returns a figure of every data set that has it.
    fn by_data(&self, words: &str) -> Vec<(&'static str, f64)> {
        let data = self.data.iter();
        data.filter_map(|&data| Some((data, self.get(data, words)?)))
            .collect()
    }

    /// Returns the mean of a figure over the data sets that have it.
    pub(crate) fn mean(&self, words: &str) -> Option<f64> {
        let figures = self.by_data(words);
        let sum: f64 = figures.iter().map(|(_, figure)| figure).sum();
        (!figures.is_empty()).then(|| sum / figures.len() as f64)
    }

    /// Returns a number as it is, `mean WORDS` over the data sets that have the figure,
    /// `DATA:WORDS`, or `WORDS` of the data set at hand.
    fn term(&self, term: &str, data: &str) -> Option<f64> {
        if let Some(words) = term.strip_prefix("mean ") {
            return self.mean(words);
        }
        let figure = || {
            let (data, words) = term.split_once(':').unwrap_or((data, term));
            self.get(data, words)
        };
        term.parse().ok().or_else(figure)
    }

    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str, f64)> {
        let figures = self.values.iter();
        figures.map(|([data, words], &figure)| (&**data, &**words, figure))
    }
}

impl TryFrom<String> for Condition {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        let relations = text.split(" and ").map(Relation::parse);
        Ok(Condition(relations.collect::<Result<_>>()?))
    }
}

impl Relation {
    fn parse(text: &str) -> Result<Self> {
        let wrong = || Error::internal(format!("{text}: not a comparison of two terms"));
        let mut words = text.split(' ');
        let mut term = || match words.next()? {
            "mean" => Some((format!("mean {}", words.next()?), words.next())),
            word => Some((word.to_owned(), words.next())),
        };
        let (first, sign) = term().ok_or_else(wrong)?;
        let (second, margin_sign) = term().ok_or_else(wrong)?;
        let sign = sign.filter(|sign| ["<", "<=", ">", ">=", "="].contains(sign));
        let margin = match margin_sign {
            Some("+" | "±") => words.next().and_then(|number| number.parse().ok()),
            Some(_) => None,
            None => Some(0.0),
        };
        Ok(Relation {
            terms: [first, second],
            sign: sign.ok_or_else(wrong)?.to_owned(),
            margin: margin.ok_or_else(wrong)?,
        })
    }

    fn numbers(&self, figures: &Figures, data: &str) -> [Option<f64>; 2] {
        self.terms.each_ref().map(|term| figures.term(term, data))
    }

    fn holds(&self, [first, second]: [Option<f64>; 2]) -> Option<bool> {
        let (first, second) = (first?, second?);
        let limit = second + self.margin;
        Some(match self.sign.as_str() {
            "<" => first < limit,
            "<=" => first <= limit,
            ">" => first > limit,
            ">=" => first >= limit,
            _ => (first - second).abs() <= self.margin,
        })
    }
}

impl Condition {
    /// Says whether it holds on a data set; nothing where a figure is missing.
    fn holds(&self, figures: &Figures, data: &str) -> Option<bool> {
        let relations = self.0.iter();
        let holds = relations.map(|one| one.holds(one.numbers(figures, data)));
        let holds = holds.collect::<Option<Vec<bool>>>()?;
        Some(holds.into_iter().all(|holds| holds))
    }
}

impl Sentence {
    /// Puts it to some figures.
    pub(crate) fn put_to(&self, figures: &Figures) -> Statement {
        match &self.claim {
            Claim::All(condition) => of_all(&self.cases(condition, figures)),
            Claim::None(condition) => {
                let cases = self.cases(condition, figures).into_iter();
                of_all(&cases.map(|(name, is)| (name, !is)).collect::<Vec<_>>())
            }
            Claim::Exactly(condition) => self.of_exactly(&self.cases(condition, figures)),
            Claim::Numbers(condition) => of_numbers(condition, figures),
            Claim::Cases(cases) => self.of_cases(cases, figures),
            Claim::Signs(words, wanted) => of_signs(words, *wanted, figures),
            Claim::Place(words, max_place) => of_place(words, *max_place, figures),
            Claim::Largest(words) => self.of_largest(words, figures),
        }
    }

    /// Whether a condition holds on the data sets that the sentence is about.
    fn cases(&self, condition: &Condition, figures: &Figures) -> Vec<(&'static str, bool)> {
        let is_about = |data: &&&str| self.on.is_empty() || self.on.iter().any(|on| on == **data);
        let data = figures.data.iter().filter(is_about);
        data.filter_map(|&data| Some((data, condition.holds(figures, data)?)))
            .collect()
    }

    fn is_named(&self, name: &str) -> bool {
        self.named.iter().any(|named| named == name)
    }

    /// Holds where the cases are exactly those named.
    fn of_exactly(&self, cases: &[(&str, bool)]) -> Statement {
        let fits = |&(name, is): &(&str, bool)| is == self.is_named(name);
        Statement {
            holds: (!cases.is_empty()).then(|| cases.iter().all(fits)),
            detail: listed(&named(cases, true)),
        }
    }

    fn of_cases(&self, cases: &[(String, Condition)], figures: &Figures) -> Statement {
        let decided = cases
            .iter()
            .filter_map(|(name, condition)| Some((name.as_str(), condition.holds(figures, "")?)));
        let mut decided: Vec<(&str, bool)> = decided.collect();
        if self.whole && decided.len() < cases.len() {
            decided.clear();
        }
        of_all(&decided)
    }

    fn of_largest(&self, [first, second]: &[String; 2], figures: &Figures) -> Statement {
        let first = figures.by_data(first).into_iter();
        let mut pairs: Vec<(&str, [f64; 2])> = first
            .filter_map(|(data, x)| Some((data, [x, figures.get(data, second)?])))
            .collect();
        let is_there = pairs.iter().any(|(data, _)| self.is_named(data));
        pairs.sort_by(|(_, [a, b]), (_, [c, d])| (c - d).total_cmp(&(a - b)));
        let largest = pairs.first().filter(|_| is_there);
        Statement {
            holds: largest.map(|(data, _)| self.is_named(data)),
            detail: largest.map_or("–".into(), |(data, [first, second])| {
                format!("{data}, {first:.1} to {second:.1}")
            }),
        }
    }
}

/// Holds where all of some cases do, and for at least one.
fn of_all(cases: &[(&str, bool)]) -> Statement {
    let but = named(cases, false);
    let n_true = cases.len() - but.len();
    let but = if but.is_empty() {
        String::new()
    } else {
        format!(", not {}", but.join(", "))
    };
    Statement {
        holds: (!cases.is_empty()).then_some(n_true == cases.len()),
        detail: format!("{n_true} of {}{but}", cases.len()),
    }
}

/// Holds where numbers are as they should be; nothing where one is missing.
fn of_numbers(condition: &Condition, figures: &Figures) -> Statement {
    let numbers = condition.0.iter().flat_map(|one| one.numbers(figures, ""));
    let shown = |x: Option<f64>| x.map_or("–".into(), |x| format!("{x:.2}"));
    Statement {
        holds: condition.holds(figures, ""),
        detail: numbers.map(shown).collect::<Vec<String>>().join(" and "),
    }
}

fn of_signs(words: &str, wanted: [usize; 2], figures: &Figures) -> Statement {
    let cases = figures.by_data(words);
    let with_sign = |sign: f64| {
        let cases = cases.iter().filter(|(_, figure)| figure * sign > 0.0);
        cases.map(|(data, _)| *data).collect::<Vec<&str>>()
    };
    let found = [with_sign(-1.0), with_sign(1.0)];
    // Counts over some of the paper's data sets say nothing.
    let measure = words.rsplit('/').next().unwrap_or_default();
    let has_any = |data: &&str| {
        let mut known = figures.values.keys();
        known.any(|[of, words]| of == data && words.rsplit('/').next() == Some(measure))
    };
    let is_whole = !cases.is_empty() && figures.data.iter().all(has_any);
    Statement {
        holds: is_whole.then(|| found.each_ref().map(Vec::len) == wanted),
        detail: format!("better {}; worse {}", listed(&found[0]), listed(&found[1])),
    }
}

fn of_place(words: &[String], max_place: usize, figures: &Figures) -> Statement {
    let found = words.iter().filter_map(|words| {
        let name = words.split('/').nth(1)?;
        Some((name, figures.get("", words)?))
    });
    let mut found: Vec<(&str, f64)> = found.collect();
    let own = found.first().copied();
    let n_before = own.map(|own| found.iter().filter(|other| other.1 < own.1 - 1e-9).count());
    found.sort_by(|a, b| a.1.total_cmp(&b.1));
    let shown = found.iter().map(|(name, x)| format!("{name} {x:.2}"));
    let shown: Vec<String> = shown.collect();
    Statement {
        holds: n_before.map(|n_before| n_before < max_place),
        detail: own.map_or("–".into(), |_| shown.join(", ")),
    }
}

/// The names of the cases that are so.
fn named<'a>(cases: &[(&'a str, bool)], so: bool) -> Vec<&'a str> {
    let cases = cases.iter().filter(|&&(_, is)| is == so);
    cases.map(|&(name, _)| name).collect()
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() {
        "none".into()
    } else {
        names.join(", ")
    }
}

/// Puts sentences to the published figures and to ours.
pub(crate) fn conclusions(
    sentences: &[Sentence],
    published: &Figures,
    ours: &Figures,
) -> Vec<ReproducedConclusion> {
    let conclusions = sentences.iter().map(|sentence| {
        let [published, ours] = [published, ours].map(|figures| sentence.put_to(figures));
        ReproducedConclusion {
            text: sentence.text.clone(),
            published: published.holds,
            published_detail: published.detail,
            ours: ours.holds,
            ours_detail: ours.detail,
        }
    });
    conclusions.collect()
}

/// The texts and details of the sentences that do not hold.
#[cfg(test)]
pub(crate) fn wrong(sentences: &[Sentence], figures: &Figures) -> Vec<(String, String)> {
    let put = sentences.iter().map(|one| (one, one.put_to(figures)));
    let wrong = put.filter(|(_, statement)| statement.holds != Some(true));
    wrong
        .map(|(sentence, statement)| (sentence.text.clone(), statement.detail))
        .collect()
}

/// Whether the first sentence with this start and this end holds.
#[cfg(test)]
pub(crate) fn holds(
    sentences: &[Sentence],
    figures: &Figures,
    [start, end]: [&str; 2],
) -> Option<bool> {
    let mut sentences = sentences.iter();
    let found = sentences.find(|one| one.text.starts_with(start) && one.text.ends_with(end));
    found.unwrap().put_to(figures).holds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(claim: &str, figures: &Figures) -> Statement {
        let sentence: Sentence = toml::from_str(&format!("text = ''\n{claim}")).unwrap();
        sentence.put_to(figures)
    }

    fn figures() -> Figures {
        let mut figures = Figures::new(vec!["x", "y", "z"]);
        for (data, a, b) in [("x", 2.0, 1.0), ("y", 1.0, 3.0), ("z", 1.5, -1.0)] {
            figures.insert(data, "m/a", a);
            figures.insert(data, "n/b", b);
        }
        figures
    }

    #[test]
    fn a_sentence_about_all_names_the_exceptions() {
        let one = put("all = 'm/a > 1'", &figures());
        assert_eq!((one.holds, &*one.detail), (Some(false), "2 of 3, not y"));
        let one = put("all = 'm/a > 1'\non = ['x', 'z']", &figures());
        assert_eq!((one.holds, &*one.detail), (Some(true), "2 of 2"));
        let one = put("none = 'm/a > 1 and n/b > 1'", &figures());
        assert_eq!(one.holds, Some(true));
        assert_eq!(put("all = 'm/c > 1'", &figures()).holds, None);
    }

    #[test]
    fn a_sentence_about_some_holds_for_these_alone() {
        let of = |named: &str| {
            put(
                &format!("exactly = 'm/a >= 2'\nnamed = [{named}]"),
                &figures(),
            )
        };
        assert_eq!(of("'x'").holds, Some(true));
        assert_eq!(of("'y'").holds, Some(false));
        // Only what is there can speak: w is not.
        assert_eq!(of("'x', 'w'").holds, Some(true));
        assert_eq!(of("'x', 'w'").detail, "x");
    }

    #[test]
    fn a_number_that_is_missing_decides_nothing() {
        let one = put("numbers = 'mean m/a > x:n/b + 0.4'", &figures());
        assert_eq!((one.holds, &*one.detail), (Some(true), "1.50 and 1.00"));
        let one = put("numbers = 'mean m/a = 1 ± 0.4'", &figures());
        assert_eq!(one.holds, Some(false));
        let one = put("numbers = 'x:m/a > x:m/c'", &figures());
        assert_eq!((one.holds, &*one.detail), (None, "2.00 and –"));
    }

    #[test]
    fn cases_that_cannot_be_decided_are_left_out_or_decide_all() {
        let cases = "[['one', 'x:m/a > 1'], ['two', 'w:m/a > 1']]";
        let one = put(&format!("cases = {cases}"), &figures());
        assert_eq!((one.holds, &*one.detail), (Some(true), "1 of 1"));
        let one = put(&format!("whole = true\ncases = {cases}"), &figures());
        assert_eq!((one.holds, &*one.detail), (None, "0 of 0"));
    }

    #[test]
    fn signs_are_counted_where_all_data_sets_speak() {
        let mut figures = figures();
        let one = put("signs = ['n/b', [1, 2]]", &figures);
        assert_eq!(
            (one.holds, &*one.detail),
            (Some(true), "better z; worse x, y")
        );
        figures.data.push("w");
        assert_eq!(put("signs = ['n/b', [1, 2]]", &figures).holds, None);
    }

    #[test]
    fn places_go_by_the_smallest_and_the_largest_is_a_difference() {
        let mut figures = figures();
        for (words, rank) in [("m/a/rank", 2.0), ("m/b/rank", 1.5)] {
            figures.insert("", words, rank);
        }
        let place = |most| {
            put(
                &format!("place = [['m/a/rank', 'm/b/rank'], {most}]"),
                &figures,
            )
        };
        assert_eq!((place(1).holds, place(2).holds), (Some(false), Some(true)));
        assert_eq!(place(1).detail, "b 1.50, a 2.00");
        // 1, -2 and 2.5.
        let one = put("largest = ['m/a', 'n/b']\nnamed = ['x']", &figures);
        assert_eq!((one.holds, &*one.detail), (Some(false), "z, 1.5 to -1.0"));
        let one = put("largest = ['m/a', 'n/b']\nnamed = ['w']", &figures);
        assert_eq!((one.holds, &*one.detail), (None, "–"));
    }

    #[test]
    fn what_is_no_comparison_is_refused() {
        for text in ["", "a", "a >", "a ! b", "a > b c", "a > b + c", "mean > b"] {
            assert!(Condition::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
