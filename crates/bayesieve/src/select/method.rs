//! What a method is: its description, what it is given, what it comes back with.

use std::str::FromStr;

use super::checkpoint::Journal;
use super::methods::METHODS;
use super::options::SelectOptions;
use super::rank::{self, Ranker};
use super::reason::Reason;
use super::selection::InnerEstimate;
use crate::boundary::Boundary;
use crate::classify::ModelKind;
use crate::data::{CodedTable, Discretizer, unknown_name};
use crate::info::Informations;
use crate::search::{FeatureOrder, Limits, Search, Step, Stop};
use crate::separation::Separation;
use crate::setting::{Setting, Settings};
use crate::stats::Better;
use crate::{Error, Result};

/// A named way to choose features: one text for help, documents and reports.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    /// How it is written.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// What it computes, as plain text.
    pub formula: &'static str,
    /// What it costs, as plain text; n features, N rows, k kept.
    pub cost: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Its settings.
    pub settings: &'static [Setting],
    /// What else it takes.
    pub takes: Takes,
    /// Runs it.
    pub(super) run: MethodRun,
}

/// How a method comes to what it keeps.
#[derive(Debug, Clone, Copy)]
pub(super) enum MethodRun {
    /// Features come in one at a time, the best first.
    Ranker {
        /// The unit of its values.
        unit: &'static str,
        /// What knows the values.
        ranker: MakeRanker,
    },
    /// In a way of its own.
    Own(fn(&Task<'_, '_>) -> Result<Outcome>),
}

/// Makes a ranker from the informations of the features and the method's settings.
pub(super) type MakeRanker =
    for<'i, 'a> fn(&'i Informations<'a>, &Settings) -> Result<Box<dyn Ranker + 'i>>;

impl Method {
    pub(super) fn run(&self, task: &Task<'_, '_>) -> Result<Outcome> {
        match self.run {
            MethodRun::Ranker { unit, ranker } => {
                let score = rank::score(self.name, unit);
                rank::run(task, score, &mut *ranker(task.informations, task.settings)?)
            }
            MethodRun::Own(run) => run(task),
        }
    }

    /// The method of a name.
    ///
    /// # Errors
    /// There is none; the nearest is suggested.
    ///
    /// # Example
    /// ```
    /// use bayesieve::select::Method;
    ///
    /// assert_eq!(Method::named("mdl-fs")?.name, "mdl-fs");
    /// let text = Method::named("mdlfs").unwrap_err().to_string();
    /// assert!(text.contains("Did you mean \"mdl-fs\"?"));
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn named(name: &str) -> Result<&'static Method> {
        let found = METHODS.iter().find(|method| method.name == name);
        found
            .copied()
            .ok_or_else(|| unknown_name("method", name, METHODS.iter().map(|m| m.name)))
    }

    /// The names of all methods that take something, for messages.
    ///
    /// # Example
    /// ```
    /// use bayesieve::select::Method;
    ///
    /// let populations = Method::names_of_those(|takes| takes.only_populations);
    /// assert_eq!(populations, "fss-ebna");
    /// ```
    pub fn names_of_those(takes: impl Fn(&Takes) -> bool) -> String {
        let those = METHODS.iter().filter(|method| takes(&method.takes));
        let names: Vec<&str> = those.map(|method| method.name).collect();
        names.join(", ")
    }
}

impl FromStr for &'static Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Method::named(text)
    }
}

impl PartialEq for Method {
    fn eq(&self, other: &Method) -> bool {
        self.name == other.name
    }
}

/// What a method takes besides its settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Takes {
    /// `count`: how it orders the features, whatever the search, so that it can be asked for a
    /// number of them.
    pub order: Option<FeatureOrder>,
    /// `--model`: the classifiers whose score it has, the default one first; none where no
    /// classifier is scored.
    pub models: &'static [ModelKind],
    /// `--search`: the default one, where sets are walked.
    pub search: Option<Search>,
    /// The default search above 100 features, where that is another.
    pub search_of_many: Option<Search>,
    /// Of the searches only those that draw populations of sets.
    pub only_populations: bool,
    /// Its score is the accuracy of trained models, or another measure of them: their settings
    /// and how cells become codes count.
    pub accuracy: bool,
    /// The model to train on what it keeps, where that is another than the one that chose.
    pub classifier: Option<ModelKind>,
    /// The level of ID3's tests, where the method's paper had another than Quinlan.
    pub tree_level: Option<f64>,
    /// `--missing available`: it needs single and pair tables only.
    pub available: bool,
    /// Numbers as they are (`--discretize none`).
    pub numbers: bool,
    /// It works on counts: the rows may be somewhere else.
    pub counts: bool,
    /// By its own settings it needs no table of more than two features, so that a count file is
    /// enough.
    pub pairs: bool,
}

impl Takes {
    /// Nothing but settings, bins and whole rows.
    pub(super) const NOTHING: Takes = Takes {
        order: None,
        models: &[],
        search: None,
        search_of_many: None,
        only_populations: false,
        accuracy: false,
        classifier: None,
        tree_level: None,
        available: false,
        numbers: false,
        counts: true,
        pairs: false,
    };

    /// What a method takes that ranks by pair tables.
    pub(super) const RANKER: Takes = Takes {
        order: Some(FeatureOrder::Added),
        available: true,
        pairs: true,
        ..Takes::NOTHING
    };

    /// Whether it orders the features, by itself or by its default search.
    pub fn has_order(&self) -> bool {
        self.order.or(self.search.and_then(Search::order)).is_some()
    }

    /// Whether it walks sets by this search.
    pub fn takes_search(&self, search: Search) -> bool {
        self.search.is_some() && (!self.only_populations || search.draws())
    }
}

/// What a method is given. Features are numbered as in `informations`; constant ones are gone.
pub(super) struct Task<'t, 'a> {
    /// The table, with all of its features.
    pub(super) table: &'t CodedTable,
    /// The place in the table of every feature of `informations`.
    pub(super) places: &'t [usize],
    /// Columns that were looked at: the features, and numbers that no cut point divides.
    pub(super) n_offered: usize,
    /// What the features tell.
    pub(super) informations: &'t Informations<'a>,
    /// Features that must stay in, in the order they were named.
    pub(super) keep: &'t [usize],
    /// How many to keep, for those that rank.
    pub(super) count: Option<usize>,
    /// How sets are walked.
    pub(super) search: Search,
    /// All that was asked for.
    pub(super) options: &'t SelectOptions,
    /// The settings of the method and its search.
    pub(super) settings: &'t Settings,
    /// The seed of methods that draw.
    pub(super) seed: u64,
    /// What is known of an earlier run, and where new scores go.
    pub(super) journal: Option<&'t Journal>,
    /// When to stop early; also watches.
    pub(super) limits: &'t Limits<'t>,
}

impl Task<'_, '_> {
    /// The cut points of every feature that were chosen by the class.
    pub(super) fn n_cuts(&self) -> Vec<usize> {
        let is_supervised = self.options.coding().discretizer == Discretizer::Mdlp;
        let n_cuts = |&place: &usize| {
            let cuts = self.table.features[place].cuts.as_ref();
            cuts.filter(|_| is_supervised)
                .map_or(0, |cuts| cuts.as_slice().len())
        };
        self.places.iter().map(n_cuts).collect()
    }
}

/// What a method came back with.
#[derive(Debug, Clone)]
pub(super) struct Outcome {
    /// What was kept: in order of entry or rank, or in column order.
    pub(super) kept: Vec<usize>,
    /// What was optimized.
    pub(super) score: ScoreKind,
    /// Its value before the first step.
    pub(super) start: f64,
    /// Its value at the end.
    pub(super) value: f64,
    /// The steps, as the method's own quantity has it.
    pub(super) steps: Vec<Step>,
    /// Why it ended.
    pub(super) stop: Stop,
    /// How many sets or features were evaluated.
    pub(super) n_evaluations: u64,
    /// How often a set was asked for again.
    pub(super) n_repeated: u64,
    /// How sure the value is, where it is an estimate.
    pub(super) estimate: Option<InnerEstimate>,
    /// By what each feature that is out missed, where the counts give no plainer reason;
    /// those the method did not come to are not among them.
    pub(super) misses: Vec<(usize, Reason)>,
    /// What it would cost to name each feature as one more, in bits, where names count.
    pub(super) naming_bits: Vec<f64>,
    /// What it found besides.
    pub(super) findings: Findings,
    /// What the reader should know.
    pub(super) warnings: Vec<String>,
}

impl Outcome {
    /// Nothing kept, of a score that is 0.
    pub(super) fn of(score: ScoreKind) -> Self {
        Outcome {
            kept: Vec::new(),
            score,
            start: 0.0,
            value: 0.0,
            steps: Vec::new(),
            stop: Stop::Exhausted,
            n_evaluations: 0,
            n_repeated: 0,
            estimate: None,
            misses: Vec::new(),
            naming_bits: Vec::new(),
            findings: Findings::Nothing,
            warnings: Vec::new(),
        }
    }
}

/// What a method found besides what to keep.
#[derive(Debug, Clone)]
pub(super) enum Findings {
    /// Nothing that the counts do not tell.
    Nothing,
    /// A boundary; nodes are the features by number, then the class.
    Boundary(Box<Boundary>),
    /// Blocks of features.
    Blocks(Blocks),
}

/// Blocks of features by number.
#[derive(Debug, Clone)]
pub(super) struct Blocks {
    /// Nothing where the time was over before.
    pub(super) found: Option<Separation>,
    /// For every feature the first one that says the same in every row, if that is another.
    pub(super) copy_of: Vec<Option<usize>>,
}

impl Findings {
    /// The boundary, for methods that find one.
    pub(super) fn boundary(&self) -> Option<&Boundary> {
        match self {
            Findings::Boundary(boundary) => Some(boundary),
            _ => None,
        }
    }
}

/// What was optimized.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreKind {
    /// Its name in documents.
    pub name: &'static str,
    /// `bits`, `nats`, or nothing.
    pub unit: &'static str,
    /// Which values are good.
    pub better: Better,
}
