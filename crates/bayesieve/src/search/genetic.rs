//! Genetic search: sets mate and mutate, and the best of parents and children live on.
//!
//! Paper: Inza, Larranaga and Sierra, 2001, section 4: strings of bits, 1,000 sets, parents
//! drawn in proportion to their fitness, one-point crossover always, mutation of every bit
//! with probability 1/n. Goldberg, 1989, for the method.
//! Where the papers are silent: fitness is how much better a set is than the worst; equal
//! sets live once; fewer than 20 features need 100 sets only; 20 generations that bring
//! nothing better end it; the set with nothing but what must stay is in the first
//! generation, so that the result is never worse.
//! Cost: one call of the score per generation, with the sets not scored before.
//!
//! Inza, I., Larranaga, P. and Sierra, B. (2001). Feature subset selection by Bayesian
//! networks: a comparison with genetic and sequential algorithms. International Journal of
//! Approximate Reasoning 27, 143-164.

use std::collections::HashMap;

use rand_chacha::ChaCha8Rng;

use super::rank::Rank;
use super::{Found, Stop, Walk, unless_early};
use crate::error::Result;
use crate::random::{Purpose, below, stream, unit};
use crate::score::FeatureSet;

/// So many generations without anything better end the search.
const STALE: usize = 20;

/// A set and its score.
type Individual = (FeatureSet, f64);

pub(super) fn genetic(walk: &Walk<'_>) -> Result<Found> {
    let start = walk.kept()?;
    let value = walk.score_start(&start)?;
    let mut breeder = Breeder {
        walk,
        free: walk.free()?,
        rank: Rank::new(walk.score, value),
        rng: stream(walk.seed, Purpose::Population, 0),
        known: HashMap::from([(start.clone(), value)]),
    };
    let mut population = vec![(start, value)];
    let mut n_stale = 0;
    let mut stop = Stop::Exhausted;
    let mut n_generations = 0;
    while !breeder.free.is_empty() {
        let best = population[0].1;
        let young = match n_generations {
            0 => breeder.first_generation(&population[0].0),
            _ => breeder.children(&population),
        };
        match unless_early(breeder.score(young), walk.limits, best != value)? {
            Ok(young) => population.extend(young),
            Err(early) => {
                stop = early;
                break;
            }
        }
        breeder.select(&mut population);
        n_generations += 1;
        walk.report(
            "searching by generations",
            population[0].1,
            (n_generations, 0),
        );
        let is_better = walk.score.is_better(population[0].1, best);
        n_stale = if is_better { 0 } else { n_stale + 1 };
        if n_stale == STALE {
            stop = Stop::Stale {
                n: STALE,
                of: "generations",
            };
            break;
        }
    }
    Ok(Found {
        kept: population[0].0.iter().collect(),
        start: value,
        value: population[0].1,
        steps: Vec::new(),
        stop,
        n_evaluations: breeder.known.len() as u64,
        n_repeated: 0,
    })
}

/// Draws, scores and selects sets.
struct Breeder<'w, 'a> {
    walk: &'w Walk<'a>,
    /// The features that come and go, in column order.
    free: Vec<usize>,
    rank: Rank,
    rng: ChaCha8Rng,
    /// Looked up only, never listed: its order cannot reach a result.
    known: HashMap<FeatureSet, f64>,
}

impl Breeder<'_, '_> {
    /// Number of sets that live at a time.
    fn n_living(&self) -> usize {
        if self.free.len() < 20 { 100 } else { 1_000 }
    }

    /// The start and sets that hold every free feature with probability one half.
    fn first_generation(&mut self, start: &FeatureSet) -> Vec<FeatureSet> {
        (1..self.n_living())
            .map(|_| {
                let mut set = start.clone();
                for &feature in &self.free {
                    if below(&mut self.rng, 2) == 1 {
                        set.insert(feature);
                    }
                }
                set
            })
            .collect()
    }

    /// As many children as live at a time.
    fn children(&mut self, parents: &[Individual]) -> Vec<FeatureSet> {
        let wheel = self.wheel(parents);
        let mut children = Vec::with_capacity(self.n_living());
        while children.len() < self.n_living() {
            let couple = [(); 2].map(|()| &parents[spin(&wheel, &mut self.rng)].0);
            for mut child in self.crossed(couple) {
                self.mutate(&mut child);
                children.push(child);
            }
        }
        children
    }

    /// The sums of fitness up to each parent.
    fn wheel(&self, parents: &[Individual]) -> Vec<f64> {
        let worst = parents.last().map_or(0.0, |parent| parent.1);
        let fitness = parents
            .iter()
            .map(|parent| self.walk.score.gain(parent.1, worst).max(0.0) + 1e-9);
        let sums = fitness.scan(0.0, |sum, fitness| {
            *sum += fitness;
            Some(*sum)
        });
        sums.collect()
    }

    /// Two children: each has one parent's features up to a point, the other's behind it.
    fn crossed(&mut self, [mother, father]: [&FeatureSet; 2]) -> [FeatureSet; 2] {
        let n_points = self.free.len().saturating_sub(1) as u64;
        let point = 1 + below(&mut self.rng, n_points) as usize;
        let (mut one, mut other) = (mother.clone(), father.clone());
        for &feature in self.free.iter().skip(point) {
            if mother.contains(feature) != father.contains(feature) {
                flip(&mut one, feature);
                flip(&mut other, feature);
            }
        }
        [one, other]
    }

    fn mutate(&mut self, set: &mut FeatureSet) {
        let probability = 1.0 / self.free.len() as f64;
        for &feature in &self.free {
            if unit(&mut self.rng) < probability {
                flip(set, feature);
            }
        }
    }

    /// Scores the sets that have not been; each comes back once.
    fn score(&mut self, sets: Vec<FeatureSet>) -> Result<Vec<Individual>> {
        let mut new: Vec<FeatureSet> = sets;
        new.retain(|set| !self.known.contains_key(set));
        new.sort_unstable();
        new.dedup();
        let values = self.walk.score.evaluate(&new, self.walk.limits)?;
        let scored: Vec<Individual> = new.into_iter().zip(values).collect();
        self.known.extend(scored.iter().cloned());
        Ok(scored)
    }

    /// Sorts by preference and lets the best live.
    ///
    /// A child that was scored before has lived before: it is still here, or was worse
    /// than all that are.
    fn select(&self, population: &mut Vec<Individual>) {
        population.sort_by(|x, y| self.rank.cmp((&x.0, x.1), (&y.0, y.1)));
        population.truncate(self.n_living());
    }
}

fn flip(set: &mut FeatureSet, feature: usize) {
    if set.contains(feature) {
        set.remove(feature);
    } else {
        set.insert(feature);
    }
}

/// A place on a wheel of sums, by the width of its field.
fn spin(wheel: &[f64], rng: &mut ChaCha8Rng) -> usize {
    let whole = wheel.last().copied().unwrap_or_default();
    let at = unit(rng) * whole;
    let place = wheel.partition_point(|&sum| sum <= at);
    place.min(wheel.len().saturating_sub(1))
}
