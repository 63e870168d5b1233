//! Why a feature is out: data first, words second.

mod kinds;

pub use kinds::{REASON_KINDS, ReasonKind};

use crate::measure::Measure;
use crate::printable;
use crate::stats::IndependenceTest;
use crate::wording::{counted, grouped};

/// Why a feature was dropped. Features are named.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// It has one value in every row, or none.
    Constant,
    /// It says the same as a kept feature in every row.
    Duplicate {
        /// The kept one.
        of: String,
        /// Whether it says so under other values, one for one.
        recoding: bool,
    },
    /// No cut of its numbers says enough about the class to be made (redundant at level 0).
    Uncut,
    /// Alone, or with some kept features known, it tells less about the class than its table
    /// costs.
    Redundant(Redundancy),
    /// It comes after the number of features that was judged best.
    NotSelectedAtThisSize {
        /// That number.
        size: usize,
    },
    /// Others came first, and only so many were asked for.
    Outranked {
        /// The method's criterion for it at the end.
        value: f64,
        /// What the last one that came in had.
        needed: f64,
    },
    /// The method's criterion for it did not pass.
    BelowThreshold {
        /// The criterion.
        value: f64,
        /// What had to be passed.
        threshold: f64,
    },
    /// Putting it in would make the method's score worse, or no better.
    NoGain {
        /// By how much the score would be better: negative where worse.
        gain: f64,
        /// The score's unit.
        unit: &'static str,
    },
    /// The estimate that the method goes by is worse with it, or no better.
    WorseByEstimate {
        /// What is estimated.
        measure: &'static Measure,
        /// The estimate of the kept features and this one.
        with: f64,
        /// That of the kept features.
        without: f64,
        /// The standard error of the estimate with it; no number where there is none.
        standard_error: f64,
        /// What the counts say, where they say that it can go.
        redundancy: Option<Redundancy>,
    },
    /// The best feature still out was not significant by the method's test, which ended it.
    NotSignificant {
        /// The method's criterion for it at the end.
        value: f64,
        /// That of the feature tested: the best.
        best: f64,
        /// The probability of the best one's gain by chance.
        p: f64,
        /// The level.
        alpha: f64,
    },
    /// It is not in the Markov boundary of the class.
    NotInBoundary {
        /// What the method found of it.
        absence: Absence,
        /// The features held fixed in its test, or those it hangs on in the learned graph;
        /// in column order.
        given: Vec<String>,
    },
    /// The block of features that it is in does not hold the classes apart far enough.
    WeakBlock(Box<WeakBlock>),
    /// It has one value in the rows that the method could use.
    ConstantInUsedRows,
    /// The run ended before the method came to it: time was over, it was interrupted, or
    /// features that must stay took all the places.
    NotReached,
    /// It names the rows: set aside before the method saw it.
    Identifier {
        /// Distinct values.
        n_distinct: u64,
        /// Rows with a value.
        n_rows: u64,
    },
    /// It was never looked at, because the user said so.
    ExcludedByUser,
}

/// A block whose score is below its threshold.
#[derive(Debug, Clone, PartialEq)]
pub struct WeakBlock {
    /// The other features of the block, in column order.
    pub with: Vec<String>,
    /// The score, for the two classes where it comes nearest to its threshold.
    pub score: f64,
    /// What it would have had to reach.
    pub threshold: f64,
    /// What a block of this size that tells nothing scores on average.
    pub expected: f64,
    /// The two classes, where there are more.
    pub classes: Option<[String; 2]>,
}

/// With some kept features known, or none, a feature tells less than its table costs.
#[derive(Debug, Clone, PartialEq)]
pub struct Redundancy {
    /// The kept features; as many as the level.
    pub given: Vec<String>,
    /// What it still tells, in bits per row.
    pub gain_bits: f64,
    /// What its table costs, and naming it where that counts, in bits per row.
    pub price_bits: f64,
    /// The part of it that naming it and its cut points costs; 0 where names are free.
    pub naming_bits: f64,
}

/// What a boundary method found of a feature that is outside.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Absence {
    /// A test found it independent of the class.
    Independent {
        /// The test.
        test: IndependenceTest,
    },
    /// It depends on the class, but another candidate came first and could not join, which
    /// ended the method.
    Dependent {
        /// The test.
        test: IndependenceTest,
    },
    /// There are too few rows for a test of it.
    TooFewRows,
    /// Linking it to the class would make the score of the learned graph better by so many
    /// nats: negative where worse.
    Score {
        /// The gain.
        gain: f64,
    },
    /// The run ended before it was looked at.
    NotReached,
}

impl Reason {
    /// Whether it is no more than the number that the feature missed, or that it was not
    /// reached: the counts say nothing plainer.
    pub(super) fn is_missed_number(&self) -> bool {
        matches!(
            self,
            Reason::Outranked { .. }
                | Reason::BelowThreshold { .. }
                | Reason::NoGain { .. }
                | Reason::NotSignificant { .. }
                | Reason::NotReached
                | Reason::NotSelectedAtThisSize { .. }
        )
    }

    /// What it is made of besides its sentence, for documents.
    pub fn parts(&self) -> ReasonParts<'_> {
        let none = ReasonParts::default();
        match self {
            Reason::Constant
            | Reason::ConstantInUsedRows
            | Reason::NotReached
            | Reason::ExcludedByUser => none,
            Reason::Duplicate { of, recoding } => ReasonParts {
                given: std::slice::from_ref(of),
                recoding: *recoding,
                ..none
            },
            Reason::Uncut => redundant(0, 0.0, 0.0),
            Reason::Redundant(known) => known.parts(),
            Reason::NotSelectedAtThisSize { size } => numbered(&[("size", *size as f64)]),
            Reason::Outranked { value, needed } => {
                numbered(&[("value", *value), ("needed", *needed)])
            }
            Reason::BelowThreshold { value, threshold } => {
                numbered(&[("value", *value), ("needed", *threshold)])
            }
            Reason::Identifier { n_distinct, n_rows } => {
                numbered(&[("values", *n_distinct as f64), ("rows", *n_rows as f64)])
            }
            Reason::NoGain { gain, .. } => numbered(&[("value", *gain), ("needed", 0.0)]),
            Reason::NotSignificant { value, .. } => numbered(&[("value", *value)]),
            Reason::WeakBlock(block) => ReasonParts {
                block: Some(block),
                ..numbered(&[
                    ("value", block.score),
                    ("needed", block.threshold),
                    ("expected", block.expected),
                ])
            },
            Reason::WorseByEstimate {
                with,
                without,
                standard_error,
                redundancy,
                ..
            } => {
                let known = redundancy.as_ref().map_or(none, Redundancy::parts);
                let mut numbers = vec![
                    ("estimate_with", *with),
                    ("estimate_without", *without),
                    ("standard_error", *standard_error),
                ];
                numbers.extend(&known.numbers);
                ReasonParts { numbers, ..known }
            }
            Reason::NotInBoundary { absence, given } => ReasonParts {
                given,
                ..match absence {
                    Absence::Independent { test } | Absence::Dependent { test } => ReasonParts {
                        test: Some(test),
                        ..none
                    },
                    Absence::Score { gain } => numbered(&[("score_gain", *gain)]),
                    Absence::TooFewRows | Absence::NotReached => none,
                }
            },
        }
    }

    /// The reason in one plain sentence.
    ///
    /// # Example
    /// ```
    /// use bayesieve::select::{Reason, Redundancy};
    ///
    /// let reason = Reason::Redundant(Redundancy {
    ///     given: vec!["smoker".into()],
    ///     gain_bits: 0.0041,
    ///     price_bits: 0.0312,
    ///     naming_bits: 0.0,
    /// });
    /// assert_eq!(
    ///     reason.sentence(),
    ///     "with smoker known it tells 0.0041 bits about the class; its table costs 0.0312"
    /// );
    /// ```
    pub fn sentence(&self) -> String {
        match self {
            Reason::Constant => "it does not have two different values".into(),
            Reason::Duplicate { of, recoding: true } => {
                format!("it recodes {}, value for value", shown(of))
            }
            Reason::Duplicate { of, .. } => {
                format!("it says the same as {} in every row", shown(of))
            }
            Reason::Uncut => "no cut of its numbers tells enough about the class to pay".into(),
            Reason::Redundant(known) => known.sentence(),
            Reason::NotSelectedAtThisSize { size: 0 } => {
                "no feature predicts better than the shares of the classes".into()
            }
            Reason::NotSelectedAtThisSize { size } => format!(
                "it comes after the {} that predict about as well as any larger number",
                counted(*size as u64, "feature")
            ),
            Reason::Outranked { value, needed } => format!(
                "others came first: its value is {}, the last one kept had {}",
                digits(*value),
                digits(*needed)
            ),
            Reason::BelowThreshold { value, threshold } => format!(
                "the method's value for it, {}, does not pass {}",
                digits(*value),
                digits(*threshold)
            ),
            Reason::NoGain { gain, unit } => without_gain(*gain, unit),
            Reason::WorseByEstimate {
                measure,
                with,
                without,
                standard_error,
                redundancy,
            } => {
                let estimates = estimated(measure, [*with, *without, *standard_error]);
                match redundancy {
                    Some(known) => format!("{estimates}; {}", known.sentence()),
                    None => estimates,
                }
            }
            Reason::NotSignificant {
                value,
                best,
                p,
                alpha,
            } => {
                let chance = format!("could be chance: p = {}, level {alpha}", digits(*p));
                let (shown, most) = (digits(*value), digits(*best));
                if value < best {
                    format!("its value is {shown}; even the best one left, {most}, {chance}")
                } else {
                    format!("its value, {shown}, {chance}")
                }
            }
            Reason::NotInBoundary { absence, given } => not_in_boundary(absence, given),
            Reason::WeakBlock(block) => weak_block(block),
            Reason::ConstantInUsedRows => {
                "it does not have two different values in the rows that are used".into()
            }
            Reason::NotReached => NOT_REACHED.into(),
            Reason::Identifier { n_distinct, n_rows } => format!(
                "{} distinct values in {} rows: an identifier",
                grouped(*n_distinct),
                grouped(*n_rows)
            ),
            Reason::ExcludedByUser => "it was left out by the options".into(),
        }
    }
}

/// What a reason is made of; what it does not have is missing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReasonParts<'r> {
    /// How many features are held fixed: 0 for an irrelevant one.
    pub level: Option<usize>,
    /// The kept features it leans on.
    pub given: &'r [String],
    /// Whether it is that feature under other values.
    pub recoding: bool,
    /// The block that it is in.
    pub block: Option<&'r WeakBlock>,
    /// Its numbers by their names in documents.
    pub numbers: Vec<(&'static str, f64)>,
    /// The test of its independence of the class.
    pub test: Option<&'r IndependenceTest>,
}

impl Redundancy {
    fn parts(&self) -> ReasonParts<'_> {
        let mut parts = redundant(self.given.len(), self.gain_bits, self.price_bits);
        if self.naming_bits > 0.0 {
            parts.numbers.push(("naming_bits", self.naming_bits));
        }
        ReasonParts {
            given: &self.given,
            ..parts
        }
    }

    /// What the feature tells when the others are known.
    fn sentence(&self) -> String {
        let known = known(&self.given);
        let (gain, price) = (digits(self.gain_bits), digits(self.price_bits));
        let costs = if self.naming_bits > 0.0 {
            "its table and its name cost"
        } else {
            "its table costs"
        };
        format!("{known}it tells {gain} bits about the class; {costs} {price}")
    }
}

fn redundant(level: usize, gain_bits: f64, price_bits: f64) -> ReasonParts<'static> {
    ReasonParts {
        level: Some(level),
        ..numbered(&[("gain_bits", gain_bits), ("price_bits", price_bits)])
    }
}

fn numbered(numbers: &[(&'static str, f64)]) -> ReasonParts<'static> {
    ReasonParts {
        numbers: numbers.to_vec(),
        ..ReasonParts::default()
    }
}

/// What is said of a feature that a run did not come to.
const NOT_REACHED: &str = "the run ended before its turn came";

/// Other features of a block that are named.
const MAX_NAMED: usize = 3;

/// Why a block is out.
fn weak_block(block: &WeakBlock) -> String {
    let mut others = block.with.clone();
    if others.len() > MAX_NAMED + 1 {
        others.truncate(MAX_NAMED);
        others.push(format!("{} others", block.with.len() - MAX_NAMED));
    }
    let subject = match listed(&others).as_str() {
        "" => "it".to_owned(),
        names => format!("its block with {names}"),
    };
    let classes = match &block.classes {
        Some([a, b]) => format!(
            " for {} against {}, where it comes nearest",
            shown(a),
            shown(b)
        ),
        None => String::new(),
    };
    format!(
        "{subject} scores {:.2}{classes}; {:.2} is needed, telling nothing would score {:.2}",
        block.score, block.threshold, block.expected
    )
}

/// Why a feature is not in the boundary.
fn not_in_boundary(absence: &Absence, given: &[String]) -> String {
    let known = known(given);
    match absence {
        Absence::Independent { test } => format!(
            "{known}it is independent of the class (p = {})",
            digits(test.p)
        ),
        Absence::Dependent { test } => format!(
            "{known}it depends on the class (p = {}), but the method ended before it could join",
            digits(test.p)
        ),
        Absence::TooFewRows => match known.trim_end() {
            "" => "there are too few rows to test it".into(),
            known => format!("there are too few rows to test it {known}"),
        },
        Absence::Score { gain } => {
            let through = match listed(given).as_str() {
                "" => String::new(),
                names => format!("it hangs on {names}; "),
            };
            let size = digits(gain.abs());
            match size.as_str() {
                "0" => format!("{through}linking it to the class would not make the score better"),
                _ if *gain < 0.0 => format!(
                    "{through}linking it to the class would make the score worse by {size} nats"
                ),
                _ => format!(
                    "{through}linking it to the class would make the score better by {size} nats; \
                     the search asks for more, or had ruled the link out"
                ),
            }
        }
        Absence::NotReached => NOT_REACHED.into(),
    }
}

/// What a score says to a feature that is out.
fn without_gain(gain: f64, unit: &str) -> String {
    let size = digits(gain.abs());
    let size = format!("{size} {unit}");
    match size.trim_end() {
        _ if digits(gain) == "0" => "putting it in would not make the score better".into(),
        size if gain < 0.0 => format!("putting it in would make the score worse by {size}"),
        size => {
            format!("the search ended without it; with it the score would be better by {size}")
        }
    }
}

/// "with a, b and c known ", or nothing.
fn known(given: &[String]) -> String {
    match listed(given).as_str() {
        "" => String::new(),
        names => format!("with {names} known "),
    }
}

/// Names as "a, b and c".
fn listed(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| shown(name)).collect();
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// What estimates say to a feature that is out.
fn estimated(measure: &Measure, [with, without, standard_error]: [f64; 3]) -> String {
    let is_share = *measure == *Measure::ACCURACY;
    let number = |value: f64| {
        if is_share {
            format!("{:.2}", value * 100.0)
        } else {
            digits(value)
        }
    };
    let percent = if is_share { " %" } else { "" };
    let about = if standard_error.is_finite() {
        format!(" (± {})", number(standard_error))
    } else {
        String::new()
    };
    let shown = format!("{}{percent}", number(with));
    let shown_without = format!("{}{percent}", number(without));
    // Shares of rows differ by more than this, or are equal.
    match measure.loss(without) - measure.loss(with) {
        gain if gain.abs() < 1e-9 => format!("{measure} no better with it: {shown}{about}"),
        gain if gain < 0.0 => {
            format!("{measure} {shown} with it, {shown_without} without{about}")
        }
        gain if gain <= standard_error => format!(
            "{measure} {shown} with it, {shown_without} without, which may be chance{about}"
        ),
        _ => format!(
            "the search ended without it, although {measure} is {shown} with it, {shown_without} \
             without{about}"
        ),
    }
}

/// A name within a sentence: on one line, and not too long.
fn shown(name: &str) -> String {
    printable(name, 60)
}

/// Four digits behind the point, or as many as show that it is not nothing.
fn digits(x: f64) -> String {
    let text = format!("{x:.4}");
    if x != 0.0 && text.trim_start_matches('-') == "0.0000" {
        return format!("{x:.1e}");
    }
    if text == "0.0000" || text == "-0.0000" {
        return "0".into();
    }
    text
}

#[cfg(test)]
mod tests;
