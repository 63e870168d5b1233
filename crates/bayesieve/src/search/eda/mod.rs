//! Population searches: whole sets are drawn after the best sets so far, again and again.
//!
//! Paper: Inza, Larrañaga, Etxeberria and Sierra, 2000, sections 3 and 4, whose loop all of
//! them share. N sets live, at first with every feature in or out by the toss of a coin.
//! In every generation N - 1 sets are drawn after the best S by a [`SetModel`], which is all
//! that differs between the searches, and the best N of old and new live on.
//!
//! A search ends after some generations in a row without progress: at once where the score
//! is an estimate from held-out rows, since going on would only fit those rows. SearchProgress is
//! a better best set; where an estimate has few rows, one that is better by a one-sided
//! paired t test over the folds of the first run, p below 0.1. Then a best set that did not
//! pass the test is not what is found either.
//!
//! Where the paper is silent:
//! - The set of nothing but what must stay is one of the first N, so that the result is
//!   never worse.
//! - Ties go to fewer features, then to the features in order. Equal sets may live side by
//!   side.
//! - Only the best set of all is tested, against the best at the last progress.
//! - A population of equal sets, or so many generations in all, end the search too.
//! - A search that is stopped in the middle of a generation takes in what was scored.
//!
//! Cost: one call of the score per 256 sets not scored before; drawing costs a few
//! milliseconds a generation.
//!
//! Inza, I., Larrañaga, P., Etxeberria, R. and Sierra, B. (2000). Feature subset selection
//! by Bayesian network-based optimization. Artificial Intelligence 123, 157-184.

mod bit_network;
mod bmda;
mod columns;
mod ebna;
mod genetic;
mod mimic;
mod pbil;
mod plan;
mod progress;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod tree;
mod umda;

use std::collections::{HashMap, HashSet};

use rand_chacha::ChaCha8Rng;

use self::bit_network::{BitStructure, Networked};
pub(super) use self::ebna::EBNA;
use self::plan::{ProgressRule, Sizes};
use self::progress::SearchProgress;
pub(super) use self::umda::UMDA;
use super::options::{ADVANCE, GENERATIONS, PATIENCE, POPULATION, SELECTED};
use super::rank::SetOrder;
use super::{SearchDescription, SearchResult, SearchTask, Stop, Strategy, unless_early};
use crate::Result;
use crate::random::{Purpose, below, stream};
use crate::score::FeatureSet;
use crate::wording::counted;

/// Sets that are scored in one call, so that a stop loses no more than these.
const BATCH: usize = 256;

/// The searches that draw sets, in the order they are shown.
pub(super) static SEARCHES: [&SearchDescription; 7] = [
    &genetic::GENETIC,
    &EBNA,
    &UMDA,
    &pbil::PBIL,
    &mimic::MIMIC,
    &tree::TREE_EDA,
    &bmda::BMDA,
];

/// What makes one population search differ from another.
pub(super) struct Population {
    drawing: Drawing,
    /// Sets that live at a time, whatever the number of features; `None` for as many as suit
    /// it.
    n_living: Option<usize>,
    /// The share of the living sets that the next are drawn after: one of so many.
    selects_one_of: usize,
    /// Generations without progress that end it; `None` for one where the score is an
    /// estimate.
    patience: Option<usize>,
}

/// How new sets are drawn.
enum Drawing {
    /// From a network over the bits with this structure.
    Network(BitStructure),
    /// By a model of its own, of so many bits.
    Own(for<'a> fn(&SearchTask<'a>, usize) -> Box<dyn SetModel + 'a>),
}

impl Population {
    /// The best half of the living, and sizes by the number of features.
    const fn of(drawing: Drawing) -> Self {
        Population {
            drawing,
            n_living: None,
            selects_one_of: 2,
            patience: None,
        }
    }

    fn model<'a>(&self, task: &SearchTask<'a>, n_bits: usize) -> Box<dyn SetModel + 'a> {
        match self.drawing {
            Drawing::Network(structure) => Box::new(Networked {
                structure,
                n_bits,
                observer: task.limits,
            }),
            Drawing::Own(model) => model(task, n_bits),
        }
    }
}

/// A search that learns a network in every generation.
const fn by_network(
    name: &'static str,
    summary: &'static str,
    structure: BitStructure,
) -> SearchDescription {
    SearchDescription {
        name,
        summary,
        settings: &[POPULATION, SELECTED, GENERATIONS, PATIENCE, ADVANCE],
        strategy: Strategy::Draws(Population::of(Drawing::Network(structure))),
    }
}

/// Draws new sets after the best ones.
trait SetModel {
    /// Draws `n` sets; the selected ones come best first, at least one.
    fn draw(
        &mut self,
        selected: &[Individual],
        n: usize,
        rng: &mut ChaCha8Rng,
    ) -> Result<Vec<FeatureSet>>;

    /// What becomes of the sets that lived before.
    fn old_sets(&self) -> OldSets {
        OldSets::Compete
    }
}

/// What becomes of the sets that lived before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OldSets {
    /// The best of them and of the new ones live on.
    Compete,
    /// They make way for the new ones.
    Go,
}

/// A set and its score.
#[derive(Debug, Clone, PartialEq)]
struct Individual {
    /// The set, of the places of features that come and go.
    bits: FeatureSet,
    value: f64,
}

/// Searches by the model of a population.
pub(super) fn evolve(population: &Population, task: &SearchTask<'_>) -> Result<SearchResult> {
    let mut evolution = Evolution::new(population, task)?;
    let start = evolution.best.value;
    let (found, stop) = if evolution.free.is_empty() {
        (evolution.best.clone(), Stop::Exhausted)
    } else {
        evolution.run(population)?
    };
    let kept = evolution.whole(&found.bits).iter().collect();
    Ok(SearchResult {
        value: found.value,
        stop,
        n_evaluations: evolution.known.len() as u64,
        n_repeated: evolution.n_repeated,
        ..SearchResult::of_start(kept, start)
    })
}

/// The sets that live, and what is known.
struct Evolution<'w, 'a> {
    task: &'w SearchTask<'a>,
    /// The features of every set.
    kept: FeatureSet,
    /// The features that come and go, in column order: one bit each.
    free: Vec<usize>,
    sizes: Sizes,
    rank: SetOrder,
    rng: ChaCha8Rng,
    /// Looked up only, never listed: its order cannot reach a result.
    known: HashMap<FeatureSet, f64>,
    n_repeated: u64,
    /// The best first.
    population: Vec<Individual>,
    /// The best of all so far.
    best: Individual,
}

impl<'w, 'a> Evolution<'w, 'a> {
    /// The start alone.
    fn new(population: &Population, task: &'w SearchTask<'a>) -> Result<Self> {
        // Bits follow the columns, in whatever order the candidates come.
        let mut free = task.free()?;
        free.sort_unstable();
        free.dedup();
        let sizes = Sizes::new(population, &task.options, free.len())?;
        let kept = task.kept()?;
        let start = Individual {
            bits: FeatureSet::empty(free.len()),
            value: task.score_start(&kept)?,
        };
        Ok(Evolution {
            task,
            kept,
            free,
            sizes,
            rank: SetOrder::new(task.score, start.value),
            rng: stream(task.seed, Purpose::Population, 0),
            known: HashMap::from([(start.bits.clone(), start.value)]),
            n_repeated: 0,
            population: vec![start.clone()],
            best: start,
        })
    }

    /// Generation after generation; what was found and why it ended.
    fn run(&mut self, population: &Population) -> Result<(Individual, Stop)> {
        let (task, options) = (self.task, self.task.options);
        let estimate = task.score.estimate(&self.kept, task.limits);
        let estimate = match unless_early(estimate, task.limits, false)? {
            Ok(estimate) => estimate,
            Err(stop) => return Ok((self.best.clone(), stop)),
        };
        let rule = ProgressRule::new(options.advance, estimate.as_ref())?;
        let patience = population.patience(&options, estimate.as_ref());
        let mut model = population.model(task, self.free.len());
        let first = self.first_sets();
        if let Some(stop) = self.take(first, OldSets::Compete)? {
            return Ok((self.best.clone(), stop));
        }
        self.report(0);
        let mut progress = SearchProgress::new(rule, patience, self.best.clone());
        let stop = self.generations(&mut *model, &mut progress)?;
        Ok((progress.found(&self.best).clone(), stop))
    }

    fn generations(
        &mut self,
        model: &mut dyn SetModel,
        progress: &mut SearchProgress,
    ) -> Result<Stop> {
        let limits = self.task.limits;
        let max_generations = self.task.options.generations;
        let n_new = match model.old_sets() {
            OldSets::Compete => self.sizes.n_living - 1,
            OldSets::Go => self.sizes.n_living,
        };
        for generation in 1..=max_generations {
            let n_selected = self.sizes.n_selected.min(self.population.len());
            let selected = &self.population[..n_selected];
            let drawn = model.draw(selected, n_new, &mut self.rng);
            let drawn = match unless_early(drawn, limits, true)? {
                Ok(drawn) => drawn,
                Err(stop) => return Ok(stop),
            };
            if let Some(stop) = self.take(drawn, model.old_sets())? {
                return Ok(stop);
            }
            self.report(generation);
            let verdict = progress.judge(&self.best, self.task, |bits| self.whole(bits));
            match unless_early(verdict, limits, true)? {
                Ok(None) => {}
                Ok(Some(stop)) | Err(stop) => return Ok(stop),
            }
            if self
                .population
                .iter()
                .all(|x| x.bits == self.population[0].bits)
            {
                return Ok(Stop::Converged);
            }
        }
        Ok(Stop::Generations { n: max_generations })
    }

    /// Sets that hold every feature that may come and go with probability one half; with the
    /// start, as many as live.
    fn first_sets(&mut self) -> Vec<FeatureSet> {
        let n_bits = self.free.len();
        (1..self.sizes.n_living)
            .map(|_| {
                let mut set = FeatureSet::empty(n_bits);
                for bit in 0..n_bits {
                    if below(&mut self.rng, 2) == 1 {
                        set.insert(bit);
                    }
                }
                set
            })
            .collect()
    }

    /// Scores new sets and lets the best live. A stop that comes early says why; the sets
    /// that were reached are taken in.
    fn take(&mut self, drawn: Vec<FeatureSet>, old: OldSets) -> Result<Option<Stop>> {
        let n_before = self.known.len();
        let early = self.score(&drawn)?;
        let individual = |bits: FeatureSet| {
            let value = self.known.get(&bits).copied();
            value.map(|value| Individual { bits, value })
        };
        let young: Vec<Individual> = drawn.into_iter().filter_map(individual).collect();
        self.n_repeated += (young.len() + n_before - self.known.len()) as u64;
        if old == OldSets::Go {
            self.population.clear();
        }
        self.population.extend(young);
        let cmp =
            |x: &Individual, y: &Individual| self.rank.cmp((&x.bits, x.value), (&y.bits, y.value));
        self.population.sort_unstable_by(cmp);
        self.population.truncate(self.sizes.n_living);
        if let Some(first) = self.population.first()
            && cmp(first, &self.best).is_lt()
        {
            self.best = first.clone();
        }
        Ok(early)
    }

    /// Scores the sets that have not been, each once, as far as it gets.
    fn score(&mut self, sets: &[FeatureSet]) -> Result<Option<Stop>> {
        let (score, limits) = (self.task.score, self.task.limits);
        let mut seen = HashSet::new();
        let mut new: Vec<&FeatureSet> = sets.iter().collect();
        new.retain(|&set| !self.known.contains_key(set) && seen.insert(set));
        for batch in new.chunks(BATCH) {
            let whole: Vec<FeatureSet> = batch.iter().map(|bits| self.whole(bits)).collect();
            let values = score.evaluate(&whole, limits);
            match unless_early(values, limits, self.known.len() > 1)? {
                Ok(values) => {
                    let bits = batch.iter().map(|&bits| bits.clone());
                    self.known.extend(bits.zip(values));
                }
                Err(stop) => return Ok(Some(stop)),
            }
        }
        Ok(None)
    }

    /// The features of a set of bits, and those of every set.
    fn whole(&self, bits: &FeatureSet) -> FeatureSet {
        let mut set = self.kept.clone();
        bits.iter().for_each(|bit| set.insert(self.free[bit]));
        set
    }

    fn report(&self, generation: usize) {
        let n_sets = counted(self.known.len() as u64, "set");
        let stage = format!("searching: generation {generation}, {n_sets}");
        let value = self.best.value;
        self.task.report(&stage, value, (generation as u64, 0));
    }
}
