//! Dependency trees: every bit given one other, by the tree of most information.
//!
//! Papers: Baluja and Davies, 1997; Chow and Liu, 1968, for the tree. The paper lets pair
//! counts fade over generations; here the tree is that of the selected sets alone.
//! Cost: pair counts, O(n² S / 64).
//! Where the papers are silent: ties go to the lowest pair, the root is the lowest bit.
//!
//! Baluja, S. and Davies, S. (1997). Using optimal dependency-trees for combinatorial
//! optimization. ICML, 30-38. Chow, C. and Liu, C. (1968). Approximating discrete
//! probability distributions with dependence trees. IEEE Transactions on Information
//! Theory 14, 462-467.

use rand_chacha::ChaCha8Rng;

use super::by_network;
use super::columns::BitColumns;
use crate::network::Dag;
use crate::network::learn::{SpanningTree, chow_liu_dag};
use crate::search::SearchDescription;
use crate::{Observer, Result};

/// A tree of features.
pub(in crate::search) static TREE_EDA: SearchDescription = by_network(
    "tree-eda",
    "a population of sets, drawn along a tree of features learned from its best half",
    structure,
);

/// The tree.
fn structure(columns: &BitColumns, _: &mut ChaCha8Rng, _: &dyn Observer) -> Result<Dag> {
    let n = columns.n_bits;
    let alone: Vec<f64> = (0..n).map(|bit| columns.entropy(bit)).collect();
    let mut tree = SpanningTree::default();
    for bit in 0..n {
        // Bits join one by one, so that no list of all pairs is held.
        let information = |other| alone[bit] + alone[other] - columns.joint_entropy(other, bit);
        let informations: Vec<f64> = (0..bit).map(information).collect();
        tree = tree.extend(bit, &informations)?;
    }
    chow_liu_dag(&tree, n, None)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{EXAMPLE, columns};
    use super::*;
    use crate::Silent;
    use crate::random::{Purpose, stream};

    fn arcs(rows: &[&str]) -> Vec<(usize, usize)> {
        let dag = structure(
            &columns(rows),
            &mut stream(1, Purpose::Population, 0),
            &Silent,
        )
        .unwrap();
        dag.arcs().collect()
    }

    #[test]
    fn equal_bits_are_neighbors() {
        // I(x1;x2) = 1, the others 0: x1-x2, and of two empty pairs the lower, x1-x3.
        assert_eq!(arcs(&EXAMPLE), [(0, 1), (0, 2)]);
        // Now the last two are equal: x2-x3, and x1 hangs on x2.
        assert_eq!(arcs(&["000", "011", "100", "111"]), [(0, 1), (1, 2)]);
        assert_eq!(arcs(&["0", "1"]), []);
    }
}
