//! Searches: how sets of features are walked for a good one.
//!
//! Every search asks its [`Score`] for many values at a time, keeps the features it must
//! keep, stops in time with the best so far, and reports its steps.
//!
//! - [`Search`]: the searches by name: those that change one feature at a time, those that
//!   draw whole populations of sets, and the one that lists all sets.
//! - [`Walk`]: what a search is given; [`Found`]: what it comes back with.
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

pub use limits::Limits;
pub use options::{Advance, Crossover, SearchOptions};

use std::fmt;
use std::str::FromStr;

use crate::Observer;
use crate::data::unknown_name;
use crate::score::{FeatureSet, Score};
use crate::setting::Setting;
use crate::wording::counted;
use crate::{Error, ErrorKind, Result};

/// How sets are walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Search {
    /// From the empty set, the best feature of every round joins while that is better.
    #[default]
    Forward,
    /// From all features, the least needed one of every round leaves while that is better.
    Backward,
    /// Forward, and after every feature that joins, others leave while that is better.
    Floating,
    /// Backward, and after every feature that leaves, others join while that is better.
    BackwardFloating,
    /// The best set known is extended by every feature, until that has brought nothing
    /// better five times in a row.
    BestFirst,
    /// A population of sets that mate and mutate.
    Genetic,
    /// A population drawn from a Bayesian network over the features of its best sets.
    Ebna,
    /// A population drawn feature by feature, as frequent as in its best sets.
    Umda,
    /// Sets drawn with probabilities that move towards the best of every generation.
    Pbil,
    /// A population drawn along a chain of features, each given the one before it.
    Mimic,
    /// A population drawn along a tree of features, each given one other.
    TreeEda,
    /// A population drawn along trees of features that depend on each other by a test.
    Bmda,
    /// All sets, of few features.
    Exhaustive,
}

const SEARCHES: [(&str, Search); 13] = [
    ("forward", Search::Forward),
    ("backward", Search::Backward),
    ("floating", Search::Floating),
    ("backward-floating", Search::BackwardFloating),
    ("best-first", Search::BestFirst),
    ("genetic", Search::Genetic),
    ("ebna", Search::Ebna),
    ("umda", Search::Umda),
    ("pbil", Search::Pbil),
    ("mimic", Search::Mimic),
    ("tree-eda", Search::TreeEda),
    ("bmda", Search::Bmda),
    ("exhaustive", Search::Exhaustive),
];

impl Search {
    /// All searches, in the order they are shown.
    pub fn all() -> impl Iterator<Item = Search> {
        SEARCHES.iter().map(|&(_, search)| search)
    }

    /// Its name in options and documents.
    pub fn name(self) -> &'static str {
        let found = SEARCHES.iter().find(|(_, search)| *search == self);
        found.map_or("forward", |&(name, _)| name)
    }

    /// What it does, in one sentence.
    pub fn summary(self) -> &'static str {
        match self {
            Search::Forward => {
                "from the empty set, the best feature of every round joins while that is better"
            }
            Search::Backward => {
                "from all features, the least needed one leaves in every round while that is better"
            }
            Search::Floating => {
                "forward, and after every step features leave again while that is better"
            }
            Search::BackwardFloating => {
                "backward, and after every step features come back while that is better"
            }
            Search::BestFirst => {
                "goes on from the best set seen so far, until five in a row bring nothing better"
            }
            Search::Genetic => {
                "a population of sets that are crossed and changed by chance, the best stay"
            }
            Search::Ebna => {
                "a population of sets, drawn from a Bayesian network learned from its best half"
            }
            Search::Umda => {
                "a population of sets, every feature drawn as often as its best half has it"
            }
            Search::Pbil => {
                "sets drawn by one probability per feature, which follows the best of them"
            }
            Search::Mimic => {
                "a population of sets, drawn along a chain of features learned from its best half"
            }
            Search::TreeEda => {
                "a population of sets, drawn along a tree of features learned from its best half"
            }
            Search::Bmda => {
                "a population of sets, drawn along pairs of features that depend on each other in \
                 its best half"
            }
            Search::Exhaustive => "every set there is, of up to 25 features",
        }
    }

    /// The settings it takes, for [`SearchOptions::from_settings`]; none for a search that
    /// changes one feature at a time or lists all sets.
    ///
    /// # Example
    /// ```
    /// use bayesieve::search::Search;
    ///
    /// let names = |search: Search| search.settings().iter().map(|s| s.name).collect::<Vec<_>>();
    /// assert_eq!(names(Search::Pbil), ["population", "generations", "patience", "advance"]);
    /// assert!(names(Search::Genetic).contains(&"crossover"));
    /// assert!(names(Search::Forward).is_empty());
    /// ```
    pub fn settings(self) -> &'static [Setting] {
        match self {
            Search::Genetic => &options::OF_GENETIC,
            Search::Pbil => &options::OF_PBIL,
            _ if self.draws() => &options::OF_MODELS,
            _ => &[],
        }
    }

    /// Whether it draws whole sets by chance, so that the seed and the order of columns
    /// matter.
    pub fn draws(self) -> bool {
        match self {
            Search::Genetic
            | Search::Ebna
            | Search::Umda
            | Search::Pbil
            | Search::Mimic
            | Search::TreeEda
            | Search::Bmda => true,
            Search::Forward
            | Search::Backward
            | Search::Floating
            | Search::BackwardFloating
            | Search::BestFirst
            | Search::Exhaustive => false,
        }
    }

    /// Walks. When the time is over there is always a best so far: at the least the set it
    /// began with, whose score is no number if even that took too long.
    ///
    /// # Errors
    /// The score's own, a stop from outside before anything was found, more features than
    /// the search can walk, or settings of a population that do not go together.
    pub fn run(self, walk: &Walk<'_>) -> Result<Found> {
        match self {
            Search::Forward => forward::forward(walk),
            Search::Backward => backward::backward(walk),
            Search::Floating => floating::floating(walk),
            Search::BackwardFloating => floating::backward_floating(walk),
            Search::BestFirst => best_first::best_first(walk),
            Search::Exhaustive => exhaustive::exhaustive(walk),
            Search::Genetic
            | Search::Ebna
            | Search::Umda
            | Search::Pbil
            | Search::Mimic
            | Search::TreeEda
            | Search::Bmda => eda::evolve(self, walk),
        }
    }
}

impl FromStr for Search {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = SEARCHES.iter().find(|(name, _)| *name == text);
        found
            .map(|&(_, search)| search)
            .ok_or_else(|| unknown_name("search", text, SEARCHES.iter().map(|(name, _)| *name)))
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a search is given.
#[derive(Clone, Copy)]
pub struct Walk<'a> {
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

impl Walk<'_> {
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

/// One step of a walk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// What happened.
    pub action: Action,
    /// To which feature.
    pub feature: usize,
    /// The method's own quantity after it.
    pub score: f64,
}

/// Why a walk ended.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Stop {
    /// No further step was better.
    NoImprovement,
    /// Nothing was left to be tried.
    Exhausted,
    /// As many features as were asked for.
    Count,
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
    /// Its name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Stop::NoImprovement => "no-improvement",
            Stop::Exhausted => "exhausted",
            Stop::Count => "count",
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

/// What a walk came back with.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
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
