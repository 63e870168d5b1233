//! Searches: strategies to find a good subset of the features.
//!
//! Every search asks its [`Score`] for many values at a time, keeps the features it must
//! keep, stops in time with the best so far, and reports its steps.
//!
//! - [`Search`]: the searches by name: those that change one feature at a time, those that
//!   draw whole populations of sets, and the one that lists all sets.
//! - [`SearchTask`]: what a search is given; [`SearchResult`]: what it returns.
//! - [`SearchOptions`]: how populations are drawn, and for how long.
//! - [`Limits`]: when to stop early: from outside, or when the time is over.

mod backward;
mod best_first;
mod climb;
mod eda;
mod exhaustive;
mod floating;
mod forward;
mod limits;
mod options;
mod rank;
#[cfg(test)]
mod tests;

pub(crate) use climb::{Climb, Round};
pub use limits::Limits;
pub use options::{Advance, Crossover, SearchOptions};

use eda::Population;

use std::fmt;
use std::str::FromStr;

use crate::data::unknown_name;
use crate::score::{FeatureSet, Score};
use crate::setting::Setting;
use crate::wording::counted;
use crate::{Error, ErrorKind, Observer, Result};

/// A strategy to search subsets of features, described once: help, checks, documents and the
/// run itself come from its description.
///
/// # Example
/// ```
/// use bayesieve::search::Search;
///
/// let names = |name: &str| -> bayesieve::Result<Vec<&str>> {
///     Ok(Search::named(name)?.settings().iter().map(|setting| setting.name).collect())
/// };
/// assert_eq!(names("pbil")?, ["population", "generations", "patience", "advance"]);
/// assert!(names("genetic")?.contains(&"crossover"));
/// assert!(names("forward")?.is_empty());
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Search(&'static SearchDescription);

/// What a search is.
struct SearchDescription {
    name: &'static str,
    summary: &'static str,
    settings: &'static [Setting],
    strategy: Strategy,
}

type RunSearch = fn(&SearchTask<'_>) -> Result<SearchResult>;

/// How a search comes from one set to the next.
enum Strategy {
    /// Features join one after the other, some may leave again: what is kept is in order of
    /// entry.
    Grows(RunSearch),
    /// It begins with all features.
    Shrinks(RunSearch),
    /// It goes from any set to any other.
    Jumps(RunSearch),
    /// It draws whole sets by chance.
    Draws(Population),
}

/// The searches that draw no sets, in the order they are shown; those that do stand before the
/// exhaustive one, in `eda`.
static STEPPING: [Search; 5] = [
    Search::FORWARD,
    Search(&backward::BACKWARD),
    Search(&floating::FLOATING),
    Search(&floating::BACKWARD_FLOATING),
    Search::BEST_FIRST,
];

impl Search {
    pub(crate) const FORWARD: Search = Search(&forward::FORWARD);
    pub(crate) const BEST_FIRST: Search = Search(&best_first::BEST_FIRST);
    pub(crate) const EBNA: Search = Search(&eda::EBNA);
    pub(crate) const UMDA: Search = Search(&eda::UMDA);

    /// All searches, in the order they are shown.
    pub fn all() -> impl Iterator<Item = Search> {
        let drawing = eda::SEARCHES.iter().copied().map(Search);
        let exhaustive = Search(&exhaustive::EXHAUSTIVE);
        STEPPING.into_iter().chain(drawing).chain([exhaustive])
    }

    /// The search of a name.
    ///
    /// # Errors
    /// There is none; the nearest is suggested.
    pub fn named(name: &str) -> Result<Self> {
        let found = Search::all().find(|search| search.name() == name);
        found.ok_or_else(|| unknown_name("search", name, Search::all().map(Search::name)))
    }

    /// Its name in options and documents.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// What it does, in one sentence.
    pub fn summary(self) -> &'static str {
        self.0.summary
    }

    /// The settings it takes, for [`SearchOptions::from_settings`]; none for a search that
    /// changes one feature at a time or lists all sets.
    pub fn settings(self) -> &'static [Setting] {
        self.0.settings
    }

    /// Whether it draws whole sets by chance, so that the seed and the order of columns
    /// matter.
    pub fn draws(self) -> bool {
        matches!(self.0.strategy, Strategy::Draws(_))
    }

    /// Whether what it keeps is in order of entry, not in column order.
    pub(crate) fn keeps_order_of_entry(self) -> bool {
        matches!(self.0.strategy, Strategy::Grows(_))
    }

    /// How it orders the features, where it can be asked for a number of them.
    pub fn order(self) -> Option<FeatureOrder> {
        match self.0.strategy {
            Strategy::Grows(_) => Some(FeatureOrder::Added),
            Strategy::Shrinks(_) => Some(FeatureOrder::Removed),
            Strategy::Jumps(_) | Strategy::Draws(_) => None,
        }
    }

    /// Whether it scores large sets from the start.
    pub(crate) fn begins_large(self) -> bool {
        matches!(self.0.strategy, Strategy::Shrinks(_) | Strategy::Draws(_))
    }

    /// Searches. When the time is over there is always a best so far: at the least the set it
    /// began with, whose score is no number if even that took too long.
    ///
    /// # Errors
    /// The score's own, a stop from outside before anything was found, more features than
    /// the search can take, or settings of a population that do not go together.
    pub fn run(self, task: &SearchTask<'_>) -> Result<SearchResult> {
        let mut result = match &self.0.strategy {
            Strategy::Grows(run) | Strategy::Shrinks(run) | Strategy::Jumps(run) => run(task),
            Strategy::Draws(population) => eda::evolve(population, task),
        }?;
        if !self.keeps_order_of_entry() {
            result.kept.sort_unstable();
        }
        Ok(result)
    }
}

impl PartialEq for Search {
    fn eq(&self, other: &Search) -> bool {
        self.name() == other.name()
    }
}

impl FromStr for Search {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Search::named(text)
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How features come to be kept one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeatureOrder {
    /// The best come in first.
    Added,
    /// The least needed leave first.
    Removed,
}

/// What a search is given.
#[derive(Clone, Copy)]
pub struct SearchTask<'a> {
    /// What makes a set good.
    pub score: &'a dyn Score,
    /// The features it may put in, in column order; those of `keep` among them or not.
    pub candidates: &'a [usize],
    /// The features that are in every set.
    pub keep: &'a [usize],
    /// When to stop early.
    pub limits: &'a Limits<'a>,
    /// The seed of searches that draw.
    pub seed: u64,
    /// The settings of searches that draw.
    pub options: SearchOptions,
}

impl SearchTask<'_> {
    /// The set of the features that must stay in.
    fn kept(&self) -> Result<FeatureSet> {
        FeatureSet::of(self.score.n_features(), self.keep.iter().copied())
    }

    /// The candidates that may come and go, in column order.
    fn free(&self) -> Result<Vec<usize>> {
        Ok(self.outside(&self.kept()?))
    }

    /// The score of the set to begin with; no number where the time was over before it was
    /// known. The empty set costs next to nothing and is always scored.
    fn score_start(&self, start: &FeatureSet) -> Result<f64> {
        let start = std::slice::from_ref(start);
        let values = if start[0].is_empty() {
            self.score.evaluate(start, &self.limits.without_budget())?
        } else {
            let values = self.score.evaluate(start, self.limits);
            match unless_early(values, self.limits, false)? {
                Ok(values) => values,
                Err(_) => vec![f64::NAN],
            }
        };
        let first = values.first().copied();
        first.ok_or_else(|| Error::internal("a score has no value"))
    }

    /// Reports how far a search is, and the best score so far.
    fn report(&self, stage: &str, value: f64, (done, total): (u64, u64)) {
        let stage = format!("{stage}, {} {value:.4}", self.score.name());
        self.limits.progress(&stage, done, total);
    }

    /// The candidates outside a set.
    fn outside(&self, set: &FeatureSet) -> Vec<usize> {
        let outside = self.candidates.iter().filter(|&&f| !set.contains(f));
        outside.copied().collect()
    }
}

/// Whether a feature joined or left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// It joined.
    Add,
    /// It left.
    Remove,
}

impl Action {
    /// Its name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Action::Add => "add",
            Action::Remove => "remove",
        }
    }
}

/// One step of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// What happened.
    pub action: Action,
    /// To which feature.
    pub feature: usize,
    /// The method's own quantity after it.
    pub score: f64,
}

impl Step {
    /// A feature comes in.
    pub(crate) fn add(feature: usize, score: f64) -> Self {
        let action = Action::Add;
        Step {
            action,
            feature,
            score,
        }
    }

    /// A feature goes.
    pub(crate) fn remove(feature: usize, score: f64) -> Self {
        let action = Action::Remove;
        Step {
            action,
            feature,
            score,
        }
    }
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Stop {
    /// No further step was better.
    NoImprovement,
    /// Nothing was left to be tried.
    Exhausted,
    /// As many features as were asked for.
    Count,
    /// As many features as cross-validation found enough.
    Size,
    /// The criterion reached a threshold.
    Threshold {
        /// The value on the other side of it.
        value: f64,
        /// The threshold.
        threshold: f64,
    },
    /// All that there is was compared with its threshold.
    Judged,
    /// A test did not reject that the next gain, of a feature or of a generation, is chance.
    NotSignificant {
        /// The probability of a gain this large by chance.
        p: f64,
        /// The level.
        alpha: f64,
    },
    /// So many expansions or generations in a row brought nothing better.
    Stale {
        /// How many.
        n: usize,
        /// Of what: `expansions`, `generations`.
        of: &'static str,
    },
    /// As many generations as were asked for at most.
    Generations {
        /// How many.
        n: usize,
    },
    /// All sets of a population have become the same.
    Converged,
    /// No test that was left to be made had rows enough.
    TooFewRows,
    /// The time was over.
    Budget,
    /// It was stopped from outside.
    Interrupted,
}

impl Stop {
    /// Whether the run was cut short: time was over, or it was stopped from outside.
    pub(crate) fn is_early(self) -> bool {
        matches!(self, Stop::Budget | Stop::Interrupted)
    }

    /// Its name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Stop::NoImprovement => "no-improvement",
            Stop::Exhausted => "exhausted",
            Stop::Count => "count",
            Stop::Size => "size",
            Stop::Threshold { .. } | Stop::Judged => "threshold",
            Stop::NotSignificant { .. } => "not-significant",
            Stop::Stale { .. } => "stale",
            Stop::Generations { .. } => "generations",
            Stop::Converged => "converged",
            Stop::TooFewRows => "too-few-rows",
            Stop::Budget => "budget",
            Stop::Interrupted => "interrupted",
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::NoImprovement => f.write_str("no further step is better"),
            Stop::Exhausted => f.write_str("nothing is left to be tried"),
            Stop::Count => f.write_str("as many features as were asked for"),
            Stop::Size => f.write_str(
                "as many features as predict about as well as the best number, by cross-validation",
            ),
            Stop::Judged => f.write_str("every block was compared with its threshold"),
            Stop::Threshold { value, threshold } => {
                write!(f, "the next value is {value:.4}, the threshold {threshold}")
            }
            Stop::NotSignificant { p, alpha } => write!(
                f,
                "the next gain could be chance: p = {}, level {alpha}",
                // Against a tiny level a tiny p must not read as 0.
                if *p < 0.001 {
                    format!("{p:.1e}")
                } else {
                    format!("{p:.3}")
                }
            ),
            Stop::Stale { n: 1, of } => {
                let of = of.trim_end_matches('s');
                write!(f, "the last {of} brought nothing better")
            }
            Stop::Stale { n, of } => write!(f, "{n} {of} in a row brought nothing better"),
            Stop::Generations { n } => {
                let generations = counted(*n as u64, "generation");
                write!(f, "the limit of {generations} was reached")
            }
            Stop::Converged => f.write_str("all sets of the population are the same"),
            Stop::TooFewRows => f.write_str("too few rows to test any other feature"),
            Stop::Budget => f.write_str("the time given was over; this is the best so far"),
            Stop::Interrupted => f.write_str("interrupted; this is the best so far"),
        }
    }
}

/// What a search came to.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResult {
    /// The best set: in order of entry after forward and floating searches, else in column
    /// order.
    pub kept: Vec<usize>,
    /// The score of the set it began with; no number if the time was over before.
    pub start: f64,
    /// The score of the best set; no number if the time was over before any was known.
    pub value: f64,
    /// The steps that led to it; none where whole sets are drawn or listed.
    pub steps: Vec<Step>,
    /// Why it ended.
    pub stop: Stop,
    /// How many sets were scored.
    pub n_evaluations: u64,
    /// How often a set came up again whose score was known.
    pub n_repeated: u64,
}

impl SearchResult {
    /// The set to begin with and its score.
    pub(crate) fn of_start(kept: Vec<usize>, value: f64) -> Self {
        SearchResult {
            kept,
            start: value,
            value,
            steps: Vec::new(),
            stop: Stop::Exhausted,
            n_evaluations: 1,
            n_repeated: 0,
        }
    }

    /// Takes note of a step that was made.
    pub(crate) fn step(&mut self, step: Step) {
        match step.action {
            Action::Add => self.kept.push(step.feature),
            Action::Remove => self.kept.retain(|&kept| kept != step.feature),
        }
        self.value = step.score;
        self.steps.push(step);
    }
}

/// What an early end leaves: the best so far, unless there is nothing yet or the error is
/// a real one.
pub(crate) fn unless_early<T>(
    result: Result<T>,
    limits: &Limits<'_>,
    has_found: bool,
) -> Result<std::result::Result<T, Stop>> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(error) if error.kind() == ErrorKind::Interrupted => match limits.stop() {
            // Time over: even the start is a result.
            Stop::Budget => Ok(Err(Stop::Budget)),
            stop if has_found => Ok(Err(stop)),
            _ => Err(error),
        },
        Err(error) => Err(error),
    }
}
