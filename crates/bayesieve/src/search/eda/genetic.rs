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

use super::{Drawing, Individual, Population, SetModel};
use crate::Result;
use crate::random::{below, unit};
use crate::score::{FeatureSet, Score};
use crate::search::options::{ADVANCE, CROSSOVER, GENERATIONS, PATIENCE, POPULATION, SELECTED};
use crate::search::{Crossover, SearchDescription, Strategy};

/// So much fitness has even the worst, so that equal sets can mate.
const MIN_FITNESS: f64 = 1e-9;

/// Sets that mate and mutate.
pub(in crate::search) static GENETIC: SearchDescription = SearchDescription {
    name: "genetic",
    summary: "a population of sets that are crossed and changed by chance, the best stay",
    settings: &[
        POPULATION,
        SELECTED,
        GENERATIONS,
        PATIENCE,
        ADVANCE,
        CROSSOVER,
    ],
    strategy: Strategy::Draws(Population {
        selects_one_of: 1,
        ..Population::of(Drawing::Own(|task, n_bits| {
            Box::new(Genetic {
                score: task.score,
                crossover: task.options.crossover,
                n_bits,
            })
        }))
    }),
};

/// Sets that mate.
struct Genetic<'a> {
    /// What makes a set fit.
    score: &'a dyn Score,
    crossover: Crossover,
    n_bits: usize,
}

impl SetModel for Genetic<'_> {
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
            sum += self.score.gain(parent.value, worst).max(0.0) + MIN_FITNESS;
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
    let drawn = unit(rng) * whole;
    let place = wheel.partition_point(|&sum| sum <= drawn);
    place.min(wheel.len().saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::super::testing::individuals;
    use super::*;
    use crate::data::Nominal;
    use crate::info::Informations;
    use crate::random::{Purpose, stream};
    use crate::score::Merit;

    /// Calls `check` with sets of so many bits.
    fn with_model(n_bits: usize, crossover: Crossover, check: impl Fn(&mut Genetic<'_>)) {
        let class = Nominal::from_labels(["0", "1"].map(Some));
        let informations = Informations::new(&[], &class).unwrap();
        check(&mut Genetic {
            score: &Merit::new(&informations),
            crossover,
            n_bits,
        });
    }

    /// All first children of 1111 and 0000 that come in a hundred crossings, sorted.
    fn children(crossover: Crossover) -> Vec<String> {
        let parents = individuals(&["1111", "0000"]);
        let children = std::cell::RefCell::new(Vec::new());
        with_model(4, crossover, |model| {
            let mut rng = stream(1, Purpose::Population, 0);
            for _ in 0..100 {
                let couple = [&parents[0].bits, &parents[1].bits];
                let [one, other] = model.crossed(couple, &mut rng);
                // A bit is one in one child exactly.
                assert!((0..4).all(|bit| one.contains(bit) != other.contains(bit)));
                let digit = |bit| if one.contains(bit) { '1' } else { '0' };
                children.borrow_mut().push((0..4).map(digit).collect());
            }
        });
        let mut children = children.into_inner();
        children.sort();
        children.dedup();
        children
    }

    #[test]
    fn one_point_leaves_both_parts_whole() {
        assert_eq!(children(Crossover::OnePoint), ["1000", "1100", "1110"]);
    }

    #[test]
    fn uniform_mixes_all_bits() {
        assert_eq!(children(Crossover::Uniform).len(), 16);
    }

    #[test]
    fn parents_come_in_proportion_to_what_they_are_better_by() {
        let mut parents = individuals(&["11", "10", "00"]);
        for (parent, value) in parents.iter_mut().zip([0.5, 0.3, 0.2]) {
            parent.value = value;
        }
        with_model(2, Crossover::OnePoint, |model| {
            // Better than the worst by 0.3, 0.1 and 0.
            let wheel = model.wheel(&parents);
            for (sum, expected) in wheel.iter().zip([0.3, 0.4, 0.4]) {
                assert!((sum - expected).abs() < 1e-8, "{wheel:?}");
            }
            let mut rng = stream(1, Purpose::Population, 0);
            let mut n = [0usize; 3];
            (0..4_000).for_each(|_| n[spin(&wheel, &mut rng)] += 1);
            // 3,000 and 1,000 expected; four standard deviations are 110.
            assert!(n[0].abs_diff(3_000) < 110 && n[2] == 0, "{n:?}");
        });
    }

    #[test]
    fn one_bit_of_a_child_changes_on_average() {
        with_model(50, Crossover::OnePoint, |model| {
            let mut rng = stream(1, Purpose::Population, 0);
            let n_flipped: usize = (0..1_000)
                .map(|_| {
                    let mut child = FeatureSet::empty(50);
                    model.mutate(&mut child, &mut rng);
                    child.len()
                })
                .sum();
            // 1,000 expected; four standard deviations are 125.
            assert!(n_flipped.abs_diff(1_000) < 125, "{n_flipped}");
        });
    }

    #[test]
    fn an_odd_number_of_children_is_drawn_too() {
        with_model(3, Crossover::Uniform, |model| {
            let parents = individuals(&["111", "000"]);
            let mut rng = stream(1, Purpose::Population, 0);
            for n in 0..4 {
                assert_eq!(model.draw(&parents, n, &mut rng).unwrap().len(), n);
            }
        });
    }
}
