//! MIMIC: a chain of bits, each given the one before it.
//!
//! Paper: De Bonet, Isbell and Viola, 1997. The chain begins with the bit of lowest entropy
//! and goes on with the bit of lowest entropy given the last one, `H(X | last)`.
//! Cost: pair counts of n(n-1)/2 pairs, O(n² S / 64).
//! Where the paper is silent: ties, within 1e-10 bits, go to the lowest bit.
//!
//! De Bonet, J., Isbell, C. and Viola, P. (1997). MIMIC: finding optima by estimating
//! probability densities. Advances in Neural Information Processing Systems 9, 424-430.

use rand_chacha::ChaCha8Rng;

use super::by_network;
use super::columns::BitColumns;
use crate::network::Dag;
use crate::search::SearchDescription;
use crate::{Observer, Result};

/// A chain of features.
pub(in crate::search) static MIMIC: SearchDescription = by_network(
    "mimic",
    "a population of sets, drawn along a chain of features learned from its best half",
    structure,
);

/// The chain.
fn structure(columns: &BitColumns, _: &mut ChaCha8Rng, _: &dyn Observer) -> Result<Dag> {
    let mut parents = vec![Vec::new(); columns.n_bits];
    let mut last: Option<usize> = None;
    let mut unused: Vec<usize> = (0..columns.n_bits).collect();
    while let Some(place) = lowest(columns, &unused, last) {
        let bit = unused.remove(place);
        parents[bit].extend(last);
        last = Some(bit);
    }
    Dag::from_parents(parents)
}

/// The place of the unused bit of lowest entropy given the last one.
fn lowest(columns: &BitColumns, unused: &[usize], last: Option<usize>) -> Option<usize> {
    let entropy = |bit: usize| match last {
        // The last bit's own entropy is the same for all.
        Some(last) => columns.joint_entropy(last, bit),
        None => columns.entropy(bit),
    };
    // Entropies that are equal on paper may differ in their last digit.
    (0..unused.len()).min_by_key(|&place| (entropy(unused[place]) * 1e10).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{EXAMPLE, columns};
    use super::*;
    use crate::Silent;
    use crate::random::{Purpose, stream};

    #[test]
    fn the_chain_of_the_example_is_the_worked_one() {
        // H = 1, 1, 0.811278: x3 first. H(x1|x3) = H(x2|x3) = 1: x1, the lower. Then x2.
        let columns = columns(&EXAMPLE);
        assert!((columns.entropy(2) - 0.811278).abs() < 5e-7);
        assert!((columns.joint_entropy(2, 0) - 1.811278).abs() < 5e-7);
        let dag = structure(&columns, &mut stream(1, Purpose::Population, 0), &Silent).unwrap();
        assert_eq!(dag.arcs().collect::<Vec<_>>(), [(2, 0), (0, 1)]);
    }
}
