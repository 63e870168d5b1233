//! Genetic search: sets mate and mutate, and the best of parents and children live on.
//!
//! Paper: Inza, Larrañaga and Sierra, 2001, section 4: strings of bits, parents drawn in
//! proportion to their fitness, crossover always (at one point, or uniform), mutation of
//! every bit with probability 1/n. Goldberg, 1989, for the method.
//! Where the papers are silent: fitness is how much better a set is than the worst of those
//! that may mate, which are all that live unless fewer are asked for.
//! Cost: one or two draws per bit of a child.
//!
//! Inza, I., Larrañaga, P. and Sierra, B. (2001). Feature subset selection by Bayesian
//! networks: a comparison with genetic and sequential algorithms. International Journal of
//! Approximate Reasoning 27, 143-164. Goldberg, D. (1989). Genetic algorithms in search,
//! optimization, and machine learning. Addison-Wesley.

use rand_chacha::ChaCha8Rng;

use super::{Individual, Model};
use crate::error::Result;
use crate::random::{below, unit};
use crate::score::{FeatureSet, Score};
use crate::search::Crossover;

/// So much fitness has even the worst, so that equal sets can mate.
const LEAST_FITNESS: f64 = 1e-9;

/// Sets that mate.
pub(super) struct Genetic<'a> {
    /// What makes a set fit.
    pub(super) score: &'a dyn Score,
    /// How two sets mate.
    pub(super) crossover: Crossover,
    /// Bits of a set.
    pub(super) n_bits: usize,
}

impl Model for Genetic<'_> {
    fn draw(
        &mut self,
        selected: &[Individual],
        n: usize,
        rng: &mut ChaCha8Rng,
    ) -> Result<Vec<FeatureSet>> {
        let wheel = self.wheel(selected);
        let mut children = Vec::with_capacity(n + 1);
        while children.len() < n {
            let couple = [(); 2].map(|()| &selected[spin(&wheel, rng)].bits);
            for mut child in self.crossed(couple, rng) {
                self.mutate(&mut child, rng);
                children.push(child);
            }
        }
        children.truncate(n);
        Ok(children)
    }
}

impl Genetic<'_> {
    /// The sums of fitness up to each parent.
    fn wheel(&self, parents: &[Individual]) -> Vec<f64> {
        let worst = parents.last().map_or(0.0, |parent| parent.value);
        let mut sum = 0.0;
        let sums = parents.iter().map(|parent| {
            sum += self.score.gain(parent.value, worst).max(0.0) + LEAST_FITNESS;
            sum
        });
        sums.collect()
    }

    /// Two children: a bit that one has from the mother, the other has from the father.
    fn crossed(&self, [mother, father]: [&FeatureSet; 2], rng: &mut ChaCha8Rng) -> [FeatureSet; 2] {
        let n_points = self.n_bits.saturating_sub(1) as u64;
        let point = match self.crossover {
            Crossover::OnePoint => 1 + below(rng, n_points) as usize,
            Crossover::Uniform => 0,
        };
        let (mut one, mut other) = (mother.clone(), father.clone());
        for bit in point..self.n_bits {
            let is_swapped = match self.crossover {
                Crossover::OnePoint => true,
                Crossover::Uniform => below(rng, 2) == 1,
            };
            if is_swapped && mother.contains(bit) != father.contains(bit) {
                flip(&mut one, bit);
                flip(&mut other, bit);
            }
        }
        [one, other]
    }

    fn mutate(&self, set: &mut FeatureSet, rng: &mut ChaCha8Rng) {
        let probability = 1.0 / self.n_bits as f64;
        for bit in 0..self.n_bits {
            if unit(rng) < probability {
                flip(set, bit);
            }
        }
    }
}

fn flip(set: &mut FeatureSet, bit: usize) {
    if set.contains(bit) {
        set.remove(bit);
    } else {
        set.insert(bit);
    }
}

/// A place on a wheel of sums, by the width of its field.
fn spin(wheel: &[f64], rng: &mut ChaCha8Rng) -> usize {
    let whole = wheel.last().copied().unwrap_or_default();
    let at = unit(rng) * whole;
    let place = wheel.partition_point(|&sum| sum <= at);
    place.min(wheel.len().saturating_sub(1))
}
