//! How rows are divided into those to learn from and those to test on, over and over.

use std::fmt;
use std::str::FromStr;

use crate::data::Codes;
use crate::data::split::{Folds, Holdout, HoldoutSize, Rows, Split};
use crate::{Error, Result, parameter, quoted};

/// More splits than this are a slip.
const MAX_RUNS: u32 = 100_000;

const FORMS: &str = "holdout:50:2/3, cv:10, cv:10x3, 5x2cv or split:1000/2196x30";

/// How often and how the rows of a data set are divided.
///
/// Parts drawn at random are plain; folds and halves have every class by its share.
///
/// # Example
/// ```
/// use bayesieve::data::Nominal;
/// use bayesieve::evaluate::Protocol;
///
/// let protocol: Protocol = "holdout:5:2/3".parse()?;
/// let class = Nominal::from_labels(["a", "b", "a", "b", "a", "b"].map(Some));
/// let splits = protocol.splits(&class.codes, 1)?;
/// assert_eq!(splits.len(), 5);
/// assert_eq!((splits[4].run, splits[4].split.train.len()), (5, 4));
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Protocol {
    /// A training and a test part, drawn again for every run.
    Holdout {
        /// How often.
        n_runs: u32,
        /// How many rows go where.
        size: HoldoutSize,
    },
    /// Every row in one of some folds, each fold tested once a run.
    CrossValidation {
        /// Folds of a run.
        n_folds: usize,
        /// How often.
        n_runs: u32,
    },
    /// Five times two halves.
    FiveByTwo,
}

/// A division with its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtocolSplit {
    /// The run, from 1.
    pub run: u32,
    /// The fold of the run that is tested, from 1.
    pub fold: u32,
    /// The rows.
    pub split: Split,
}

impl Protocol {
    /// How many divisions there are.
    pub fn n_splits(self) -> usize {
        match self {
            Protocol::Holdout { n_runs, .. } => n_runs as usize,
            Protocol::CrossValidation { n_folds, n_runs } => n_folds * n_runs as usize,
            Protocol::FiveByTwo => 10,
        }
    }

    /// Folds of a run.
    pub(super) fn n_folds(self) -> usize {
        match self {
            Protocol::Holdout { .. } => 1,
            Protocol::CrossValidation { n_folds, .. } => n_folds,
            Protocol::FiveByTwo => 2,
        }
    }

    /// The same with another number of runs; five times two halves stay five.
    #[must_use]
    pub fn with_runs(self, n_runs: u32) -> Self {
        match self {
            Protocol::Holdout { size, .. } => Protocol::Holdout { n_runs, size },
            Protocol::CrossValidation { n_folds, .. } => {
                Protocol::CrossValidation { n_folds, n_runs }
            }
            Protocol::FiveByTwo => Protocol::FiveByTwo,
        }
    }

    /// Divides the rows of a class; the same rows and seed give the same divisions.
    ///
    /// # Errors
    /// Fewer rows than parts need.
    pub fn splits(self, class: &Codes, seed: u64) -> Result<Vec<ProtocolSplit>> {
        let numbers = 0..self.n_splits();
        numbers
            .map(|n| self.split(n, None, (class, seed)))
            .collect()
    }

    /// One division, counted from 0; with `n_train` its training part has so many rows only:
    /// the smaller ones are within the larger ones, and the test part stays.
    ///
    /// # Errors
    /// As [`Protocol::splits`]; a part of the training rows of a protocol whose parts are not
    /// drawn at random, or of more rows than there are.
    pub fn split(
        self,
        number: usize,
        n_train: Option<usize>,
        (class, seed): (&Codes, u64),
    ) -> Result<ProtocolSplit> {
        let n_folds = self.n_folds();
        let (run, fold) = (number / n_folds.max(1), number % n_folds.max(1));
        let repeat = run as u32;
        let split = match (self, n_train) {
            (Protocol::Holdout { size, .. }, n_train) => {
                let holdout = Holdout {
                    rows: Rows::Plain(class.len()),
                    size,
                    seed,
                    repeat,
                };
                match n_train {
                    None => holdout.split()?,
                    Some(n_train) => {
                        let curve = holdout.learning_curve(&[n_train])?;
                        let missing = || Error::internal("a learning curve without its point");
                        curve.into_iter().next().ok_or_else(missing)?
                    }
                }
            }
            (_, None) => {
                let folds = Folds::draw(Rows::Stratified(class), n_folds, seed, repeat)?;
                folds.split(fold)
            }
            (_, Some(_)) => {
                let message = format!("a learning curve does not go with {self}");
                return Err(Error::usage(message).with_hint(format!(
                    "Take holdout or split, as in {}.",
                    parameter("protocol").is("holdout:20:2/3")
                )));
            }
        };
        Ok(ProtocolSplit {
            run: repeat + 1,
            fold: fold as u32 + 1,
            split,
        })
    }

    /// Rows of the training part of a data set of so many rows, roughly where folds are not
    /// even.
    pub fn n_train(self, n_rows: usize) -> usize {
        match self {
            Protocol::Holdout { size, .. } => match size {
                HoldoutSize::Share {
                    numerator,
                    denominator,
                } => {
                    (n_rows as u64 * u64::from(numerator) / u64::from(denominator.max(1))) as usize
                }
                HoldoutSize::Fixed { train, .. } => train,
            },
            Protocol::CrossValidation { n_folds, .. } => n_rows - n_rows / n_folds.max(1),
            Protocol::FiveByTwo => n_rows / 2,
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Protocol::Holdout { n_runs, size } => match size {
                HoldoutSize::Share {
                    numerator,
                    denominator,
                } => write!(f, "holdout:{n_runs}:{numerator}/{denominator}"),
                HoldoutSize::Fixed { train, test } => write!(f, "split:{train}/{test}x{n_runs}"),
            },
            Protocol::CrossValidation { n_folds, n_runs: 1 } => write!(f, "cv:{n_folds}"),
            Protocol::CrossValidation { n_folds, n_runs } => write!(f, "cv:{n_folds}x{n_runs}"),
            Protocol::FiveByTwo => f.write_str("5x2cv"),
        }
    }
}

impl FromStr for Protocol {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let parsed = match text.split_once(':') {
            _ if text == "5x2cv" => Some(Protocol::FiveByTwo),
            Some(("cv", rest)) => folds(rest),
            Some(("holdout", rest)) => share(rest),
            Some(("split", rest)) => sizes(rest),
            _ => None,
        };
        parsed.ok_or_else(|| {
            Error::usage(format!("there is no protocol {}", quoted(text)))
                .with_hint(format!("Write one like {FORMS}."))
        })
    }
}

/// K or KxR.
fn folds(text: &str) -> Option<Protocol> {
    let (folds, n_runs) = with_runs(text)?;
    let n_folds: usize = folds.parse().ok().filter(|&n| n >= 2)?;
    Some(Protocol::CrossValidation { n_folds, n_runs })
}

/// N or N:A/B.
fn share(text: &str) -> Option<Protocol> {
    let (runs_text, share) = text.split_once(':').unwrap_or((text, "2/3"));
    let (numerator, denominator) = share.split_once('/')?;
    let (numerator, denominator) = (numerator.parse().ok()?, denominator.parse().ok()?);
    let size = HoldoutSize::Share {
        numerator,
        denominator,
    };
    (0 < numerator && numerator < denominator)
        .then_some(runs(runs_text)?)
        .map(|n_runs| Protocol::Holdout { n_runs, size })
}

/// TRAIN/TEST or TRAIN/TESTxR.
fn sizes(text: &str) -> Option<Protocol> {
    let (parts, n_runs) = with_runs(text)?;
    let (train, test) = parts.split_once('/')?;
    let (train, test): (usize, usize) = (train.parse().ok()?, test.parse().ok()?);
    let size = HoldoutSize::Fixed { train, test };
    (train > 0 && test > 0).then_some(Protocol::Holdout { n_runs, size })
}

fn with_runs(text: &str) -> Option<(&str, u32)> {
    match text.split_once('x') {
        Some((parts, n_runs)) => Some((parts, runs(n_runs)?)),
        None => Some((text, 1)),
    }
}

fn runs(text: &str) -> Option<u32> {
    text.parse().ok().filter(|n| (1..=MAX_RUNS).contains(n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn protocols_read_as_they_print() {
        for text in [
            "holdout:50:2/3",
            "cv:10",
            "cv:10x3",
            "5x2cv",
            "split:1000/2196x30",
        ] {
            let protocol: Protocol = text.parse().unwrap();
            assert_eq!(protocol.to_string(), text);
        }
        let short: Protocol = "holdout:20".parse().unwrap();
        assert_eq!(short.to_string(), "holdout:20:2/3");
    }

    #[test]
    fn slips_are_refused_with_the_forms_there_are() {
        for text in [
            "",
            "cv",
            "cv:1",
            "cv:x3",
            "cv:10x0",
            "holdout:0:2/3",
            "holdout:5:3/3",
            "holdout:5:0/3",
            "holdout:5:a/b",
            "split:10",
            "split:0/5x2",
            "5x3cv",
            "loo",
        ] {
            let error = text.parse::<Protocol>().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage, "{text}");
            assert!(error.to_string().contains("cv:10x3"), "{error}");
        }
    }

    #[test]
    fn splits_are_numbered_by_run_and_fold() {
        let class = Codes::new(2, (0..12).map(|row| Some(row % 2)));
        let numbers = |text: &str| {
            let protocol: Protocol = text.parse().unwrap();
            let splits = protocol.splits(&class, 1).unwrap();
            assert_eq!(splits.len(), protocol.n_splits());
            let numbers = splits.iter().map(|split| (split.run, split.fold));
            numbers.collect::<Vec<_>>()
        };
        assert_eq!(
            numbers("cv:3x2"),
            [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]
        );
        assert_eq!(numbers("split:3/4x2"), [(1, 1), (2, 1)]);
        assert_eq!(numbers("5x2cv").len(), 10);
    }

    #[test]
    fn the_parts_of_a_curve_are_within_each_other_and_tested_on_the_same_rows() {
        let class = Codes::new(2, (0..30).map(|row| Some(row % 2)));
        let protocol: Protocol = "holdout:2:2/3".parse().unwrap();
        let whole = protocol.splits(&class, 1).unwrap();
        let part = |n_train, run| protocol.split(run, Some(n_train), (&class, 1)).unwrap();
        let [small, large] = [5, 12].map(|n_train| [part(n_train, 0), part(n_train, 1)]);
        for run in 0..2 {
            assert_eq!(small[run].split.test, whole[run].split.test);
            let is_in = |outer: &Split, row: &u32| outer.train.contains(row);
            assert!(
                small[run]
                    .split
                    .train
                    .iter()
                    .all(|r| is_in(&large[run].split, r))
            );
            assert!(
                large[run]
                    .split
                    .train
                    .iter()
                    .all(|r| is_in(&whole[run].split, r))
            );
        }
        let folds: Protocol = "cv:3".parse().unwrap();
        assert!(folds.split(0, Some(5), (&class, 1)).is_err());
    }
}
