//! PBIL: a probability per bit that moves towards the best set of every generation.
//!
//! Paper: Baluja, 1994. All probabilities begin at 1/2. After every generation
//! `p <- 0.9 p + 0.1 b`, b the bit of its best set; then, with probability 0.02 per bit,
//! `p <- 0.95 p + 0.05 r`, r a random bit. No set lives on but the best of all.
//! Cost: one draw per bit of a new set.
//!
//! Baluja, S. (1994). Population-based incremental learning: a method for integrating
//! genetic search based function optimization and competitive learning. Technical report
//! CMU-CS-94-163, Carnegie Mellon University.

use rand_chacha::ChaCha8Rng;

use super::{Drawing, Individual, OldSets, Population, SetModel};
use crate::Result;
use crate::random::{below, unit};
use crate::score::FeatureSet;
use crate::search::options::{ADVANCE, GENERATIONS, PATIENCE, POPULATION};
use crate::search::{SearchDescription, Strategy};

/// How far a probability moves towards the best set.
const LEARNING: f64 = 0.1;
/// How likely it is shifted by chance.
const MUTATION: f64 = 0.02;
/// How far it is shifted then.
const SHIFT: f64 = 0.05;

/// One probability per feature.
pub(in crate::search) static PBIL: SearchDescription = SearchDescription {
    name: "pbil",
    summary: "sets drawn by one probability per feature, which follows the best of them",
    settings: &[POPULATION, GENERATIONS, PATIENCE, ADVANCE],
    strategy: Strategy::Draws(Population {
        n_living: Some(100),
        // It learns a tenth of what a generation shows: one says little.
        patience: Some(20),
        ..Population::of(Drawing::Own(|_, n_bits| Box::new(Pbil::new(n_bits))))
    }),
};

/// The probability of every bit.
struct Pbil {
    ones: Vec<f64>,
}

impl Pbil {
    /// Every bit is one half.
    fn new(n_bits: usize) -> Self {
        Pbil {
            ones: vec![0.5; n_bits],
        }
    }

    fn learn(&mut self, best: &FeatureSet) {
        for (bit, p) in self.ones.iter_mut().enumerate() {
            let target = f64::from(u8::from(best.contains(bit)));
            *p = (1.0 - LEARNING) * *p + LEARNING * target;
        }
    }

    fn mutate(&mut self, rng: &mut ChaCha8Rng) {
        for p in &mut self.ones {
            if unit(rng) < MUTATION {
                *p = (1.0 - SHIFT) * *p + SHIFT * below(rng, 2) as f64;
            }
        }
    }

    fn sample(&self, rng: &mut ChaCha8Rng) -> FeatureSet {
        let mut set = FeatureSet::empty(self.ones.len());
        for (bit, &p) in self.ones.iter().enumerate() {
            if unit(rng) < p {
                set.insert(bit);
            }
        }
        set
    }
}

impl SetModel for Pbil {
    fn draw(
        &mut self,
        selected: &[Individual],
        n: usize,
        rng: &mut ChaCha8Rng,
    ) -> Result<Vec<FeatureSet>> {
        if let Some(best) = selected.first() {
            self.learn(&best.bits);
        }
        self.mutate(rng);
        Ok((0..n).map(|_| self.sample(rng)).collect())
    }

    fn old_sets(&self) -> OldSets {
        OldSets::Go
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::individuals;
    use super::*;
    use crate::random::{Purpose, stream};

    #[test]
    fn probabilities_move_a_tenth_of_the_way() {
        let mut model = Pbil::new(2);
        let best = &individuals(&["10"])[0].bits;
        model.learn(best); // 0.9 * 0.5 + 0.1, 0.9 * 0.5
        assert_eq!(model.ones, [0.55, 0.45]);
        model.learn(best); // 0.9 * 0.55 + 0.1, 0.9 * 0.45
        assert!((model.ones[0] - 0.595).abs() < 1e-15);
        assert!((model.ones[1] - 0.405).abs() < 1e-15);
    }

    #[test]
    fn two_bits_of_a_hundred_are_shifted_by_a_twentieth() {
        let mut model = Pbil::new(10_000);
        model.mutate(&mut stream(1, Purpose::Population, 0));
        // 0.95 * 0.5, and 0.05 more where the random bit is one.
        let count = |p: f64| {
            model
                .ones
                .iter()
                .filter(|&&one| (one - p).abs() < 1e-15)
                .count()
        };
        let (down, still, up) = (count(0.475), count(0.5), count(0.525));
        assert_eq!(down + still + up, 10_000);
        // 100 each expected; four standard deviations are 40.
        assert!(
            down.abs_diff(100) < 40 && up.abs_diff(100) < 40,
            "{down} {up}"
        );
    }

    #[test]
    fn only_the_best_set_is_learned_from() {
        let mut rng = stream(1, Purpose::Population, 0);
        let mut model = Pbil::new(3);
        for _ in 0..60 {
            model
                .draw(&individuals(&["101", "010"]), 5, &mut rng)
                .unwrap();
        }
        assert!(model.ones[0] > 0.9 && model.ones[1] < 0.1 && model.ones[2] > 0.9);
        assert_eq!(model.old_sets(), OldSets::Go);
    }
}
