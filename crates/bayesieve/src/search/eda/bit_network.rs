//! Networks over bits: a structure learned from the selected sets, smoothed frequencies,
//! and new sets drawn bit by bit along the arcs.
//!
//! Papers: Cooper and Herskovits, 1992, for the estimate
//! `theta_ijk = (N_ijk + 1) / (N_ij + 2)`, 1/2 where a combination of parents does not
//! occur; Henrion, 1988, for drawing parents before children (probabilistic logic sampling).
//! Cost: one pass over the selected sets per node and one draw per bit of a new set.
//!
//! Cooper, G. and Herskovits, E. (1992). A Bayesian method for the induction of
//! probabilistic networks from data. Machine Learning 9, 309-347. Henrion, M. (1988).
//! Propagating uncertainty in Bayesian networks by probabilistic logic sampling.
//! Uncertainty in Artificial Intelligence 2, 149-163.

use rand_chacha::ChaCha8Rng;

use super::columns::BitColumns;
use super::{Individual, SetModel};
use crate::network::Dag;
use crate::random::unit;
use crate::score::FeatureSet;
use crate::{Observer, Result};

/// Learns which bits depend on which.
pub(super) type BitStructure = fn(&BitColumns, &mut ChaCha8Rng, &dyn Observer) -> Result<Dag>;

/// The model of searches that learn a network in every generation.
pub(super) struct Networked<'a> {
    /// What makes them differ.
    pub(super) structure: BitStructure,
    pub(super) n_bits: usize,
    /// Who may stop the learning.
    pub(super) observer: &'a dyn Observer,
}

impl SetModel for Networked<'_> {
    fn draw(
        &mut self,
        selected: &[Individual],
        n: usize,
        rng: &mut ChaCha8Rng,
    ) -> Result<Vec<FeatureSet>> {
        let columns = BitColumns::new(selected, self.n_bits);
        let dag = (self.structure)(&columns, rng, self.observer)?;
        let network = BitNetwork::new(&columns, &dag);
        Ok((0..n).map(|_| network.draw(rng)).collect())
    }
}

/// A structure with its probabilities.
pub(super) struct BitNetwork {
    n_bits: usize,
    /// Parents before children.
    nodes: Vec<BitNode>,
}

struct BitNode {
    bit: usize,
    parents: Vec<usize>,
    /// The probability of a one by combination of parents, the first parent's bit lowest.
    ones: Vec<f64>,
}

impl BitNetwork {
    /// Estimates the probabilities of a structure.
    pub(super) fn new(columns: &BitColumns, dag: &Dag) -> Self {
        let node = |bit: usize| {
            let parents = dag.parents(bit).to_vec();
            let mut counts = vec![[0u64; 2]; 1 << parents.len()];
            for set in 0..columns.n_sets {
                let combination = place(&parents, |parent| columns.holds(set, parent));
                counts[combination][usize::from(columns.holds(set, bit))] += 1;
            }
            let theta = |[zeros, ones]: [u64; 2]| (ones + 1) as f64 / (zeros + ones + 2) as f64;
            BitNode {
                bit,
                parents,
                ones: counts.into_iter().map(theta).collect(),
            }
        };
        BitNetwork {
            n_bits: columns.n_bits,
            nodes: dag.topological_order().into_iter().map(node).collect(),
        }
    }

    /// Draws a set.
    pub(super) fn draw(&self, rng: &mut ChaCha8Rng) -> FeatureSet {
        let mut set = FeatureSet::empty(self.n_bits);
        for node in &self.nodes {
            let combination = place(&node.parents, |parent| set.contains(parent));
            if unit(rng) < node.ones[combination] {
                set.insert(node.bit);
            }
        }
        set
    }

    /// The probability of a set.
    #[cfg(test)]
    pub(super) fn probability(&self, set: &FeatureSet) -> f64 {
        let of_node = |node: &BitNode| {
            let one = node.ones[place(&node.parents, |parent| set.contains(parent))];
            if set.contains(node.bit) {
                one
            } else {
                1.0 - one
            }
        };
        self.nodes.iter().map(of_node).product()
    }
}

/// The number of a combination of parents.
fn place(parents: &[usize], holds: impl Fn(usize) -> bool) -> usize {
    let bits = parents.iter().enumerate();
    bits.fold(0, |number, (bit, &parent)| {
        number | usize::from(holds(parent)) << bit
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{EXAMPLE, columns};
    use super::*;
    use crate::random::{Purpose, stream};

    #[test]
    fn the_worked_example_has_the_worked_probabilities() {
        let dag = Dag::from_parents(vec![vec![], vec![0], vec![]]).unwrap();
        let network = BitNetwork::new(&columns(&EXAMPLE), &dag);
        // P(x1) = 5/10; P(x2 | x1) = 5/6, P(x2 | not x1) = 1/6; P(x3) = 3/10.
        let p =
            |bits: &[usize]| network.probability(&FeatureSet::of(3, bits.iter().copied()).unwrap());
        assert!((p(&[0, 1]) - 0.5 * 5.0 / 6.0 * 0.7).abs() < 1e-15); // 0.291667
        assert!((p(&[1, 2]) - 0.5 / 6.0 * 0.3).abs() < 1e-15);
        let all: f64 = (0..8usize)
            .map(|set| p(&(0..3).filter(|bit| set >> bit & 1 == 1).collect::<Vec<_>>()))
            .sum();
        assert!((all - 1.0).abs() < 1e-15);
    }

    #[test]
    fn parents_that_never_occur_leave_a_bit_to_chance() {
        // x3 given x1 and x2, of which 01 and 10 do not occur.
        let dag = Dag::from_parents(vec![vec![], vec![], vec![0, 1]]).unwrap();
        let network = BitNetwork::new(&columns(&EXAMPLE), &dag);
        // One of four 00 has x3, one of four 11 has: 2/6 each.
        assert_eq!(network.nodes[2].ones, [2.0 / 6.0, 0.5, 0.5, 2.0 / 6.0]);
    }

    #[test]
    fn sets_come_as_often_as_their_probability_says() {
        let dag = Dag::from_parents(vec![vec![], vec![0], vec![]]).unwrap();
        let network = BitNetwork::new(&columns(&EXAMPLE), &dag);
        let mut rng = stream(1, Purpose::Population, 0);
        let of_110 = FeatureSet::of(3, [0, 1]).unwrap();
        let n = (0..10_000)
            .filter(|_| network.draw(&mut rng) == of_110)
            .count();
        // 2,917 expected; four standard deviations are 182.
        assert!(n.abs_diff(2_917) < 182, "{n}");
    }
}
