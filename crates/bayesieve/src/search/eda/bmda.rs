//! BMDA: trees of bits that depend on each other by a chi-square test.
//!
//! Paper: Pelikan and Mühlenbein, 1999. Two bits may be joined where Pearson's X² is at
//! least 3.84, the 5 % point at one degree of freedom. Trees grow by the strongest such
//! pair of a bit that is in and one that is not; where there is none, a new tree begins at
//! a bit drawn from the rest.
//! Cost: pair counts, O(n² S / 64).
//! Where the paper is silent: ties go to the lowest new bit, then to the bit that has been
//! in for longer.
//!
//! Pelikan, M. and Mühlenbein, H. (1999). The bivariate marginal distribution algorithm.
//! Advances in Soft Computing: Engineering Design and Manufacturing, 521-535.

use rand_chacha::ChaCha8Rng;

use super::by_network;
use super::columns::BitColumns;
use crate::network::Dag;
use crate::random::below;
use crate::search::SearchDescription;
use crate::{Observer, Result};

/// Pearson's X² from which on two bits depend on each other.
const DEPENDENT: f64 = 3.84;

/// A bit that is not in yet, and the strongest bond it has.
struct OutsideBit {
    bit: usize,
    bond: Option<(usize, f64)>,
}

/// Trees of features that depend on each other.
pub(in crate::search) static BMDA: SearchDescription = by_network(
    "bmda",
    "a population of sets, drawn along pairs of features that depend on each other in \
     its best half",
    structure,
);

/// The trees.
fn structure(columns: &BitColumns, rng: &mut ChaCha8Rng, _: &dyn Observer) -> Result<Dag> {
    let mut parents = vec![Vec::new(); columns.n_bits];
    let mut outside: Vec<OutsideBit> = (0..columns.n_bits)
        .map(|bit| OutsideBit { bit, bond: None })
        .collect();
    while !outside.is_empty() {
        let place =
            strongest(&outside).unwrap_or_else(|| below(rng, outside.len() as u64) as usize);
        let OutsideBit { bit, bond } = outside.remove(place);
        parents[bit].extend(bond.map(|(parent, _)| parent));
        for other in &mut outside {
            let strength = chi_square(columns.count_pair(bit, other.bit));
            let is_stronger = other.bond.is_none_or(|(_, before)| strength > before);
            if strength >= DEPENDENT && is_stronger {
                other.bond = Some((bit, strength));
            }
        }
    }
    Dag::from_parents(parents)
}

/// The place of the bit with the strongest bond, the first of equal ones.
fn strongest(outside: &[OutsideBit]) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (place, other) in outside.iter().enumerate() {
        if let Some((_, strength)) = other.bond
            && best.is_none_or(|(_, before)| strength > before)
        {
            best = Some((place, strength));
        }
    }
    best.map(|(place, _)| place)
}

/// Pearson's X² of two bits, `n (ad - bc)² / (product of margins)`; 0 where one of them
/// never changes.
fn chi_square(cells: [u64; 4]) -> f64 {
    // Whole numbers keep ties exact: a million sets need 100 bits.
    let [neither, second, first, both] = cells.map(i128::from);
    let margins = (neither + second) * (first + both) * (neither + first) * (second + both);
    if margins == 0 {
        return 0.0;
    }
    let excess = neither * both - first * second;
    let n = neither + second + first + both;
    (n * excess * excess) as f64 / margins as f64
}

#[cfg(test)]
mod tests {
    use super::super::testing::{EXAMPLE, columns};
    use super::*;
    use crate::Silent;
    use crate::random::{Purpose, stream};

    #[test]
    fn the_example_has_one_bond() {
        let columns = columns(&EXAMPLE);
        // 8 (4 * 4 - 0)² / 4^4 = 8; x3 is as frequent with x1 as without: 0.
        assert_eq!(chi_square(columns.count_pair(0, 1)), 8.0);
        assert_eq!(chi_square(columns.count_pair(0, 2)), 0.0);
        assert_eq!(chi_square(columns.count_pair(2, 1)), 0.0);
        for seed in 0..10 {
            let dag =
                structure(&columns, &mut stream(seed, Purpose::Population, 0), &Silent).unwrap();
            let arcs: Vec<(usize, usize)> = dag.arcs().collect();
            assert!(arcs == [(0, 1)] || arcs == [(1, 0)], "{arcs:?}");
        }
    }

    #[test]
    fn a_bond_needs_the_five_percent_point() {
        // 20 sets, 10 with each bit, b with both: X² = 20 (2b - 10)² 100 / 10^4 = 0.8 (b - 5)²,
        // 3.2 for 7 and 7.2 for 8.
        for (both, expected, n_arcs) in [(7u64, 3.2, 0), (8, 7.2, 1)] {
            let cells = [
                (both, "11"),
                (10 - both, "10"),
                (10 - both, "01"),
                (both, "00"),
            ];
            let rows: Vec<&str> = cells
                .iter()
                .flat_map(|&(n, row)| (0..n).map(move |_| row))
                .collect();
            let columns = columns(&rows);
            assert!((chi_square(columns.count_pair(0, 1)) - expected).abs() < 1e-12);
            let dag = structure(&columns, &mut stream(1, Purpose::Population, 0), &Silent).unwrap();
            assert_eq!(dag.n_arcs(), n_arcs);
        }
    }

    #[test]
    fn a_bit_that_never_changes_has_no_bond() {
        assert_eq!(chi_square([0, 0, 3, 5]), 0.0);
        assert_eq!(chi_square([0; 4]), 0.0);
    }
}
