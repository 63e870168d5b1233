//! A weight for every pair of nodes.

use crate::{Error, Result};

/// A weight for every pair of nodes `0..n`.
///
/// # Example
/// ```
/// use bayesieve::network::learn::PairWeights;
///
/// // The pairs (0,1), (0,2), (1,2).
/// let weights = PairWeights::new(3, &[0.5, 0.1, 0.3])?;
/// assert_eq!(weights.get(2, 1), 0.3);
/// assert_eq!(weights.row(0), [0.0, 0.5, 0.1]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PairWeights {
    n_nodes: usize,
    /// The full symmetric matrix, so that a node's weights stand side by side.
    cells: Vec<f64>,
}

impl PairWeights {
    /// From the weights of all pairs in the order (0,1), (0,2), …, (1,2), ….
    ///
    /// # Errors
    /// Another number of weights than pairs, or a weight that is not a number.
    pub fn new(n_nodes: usize, weights: &[f64]) -> Result<Self> {
        let n_pairs = n_nodes.saturating_mul(n_nodes.saturating_sub(1)) / 2;
        if weights.len() != n_pairs {
            return Err(Error::internal(format!(
                "{} weights for the {n_pairs} pairs of {n_nodes} nodes",
                weights.len()
            )));
        }
        let mut cells = vec![0.0; n_nodes * n_nodes];
        let pairs = (0..n_nodes).flat_map(|a| (a + 1..n_nodes).map(move |b| (a, b)));
        for ((a, b), &weight) in pairs.zip(weights) {
            check_weight(weight, a, b)?;
            cells[a * n_nodes + b] = weight;
            cells[b * n_nodes + a] = weight;
        }
        Ok(PairWeights { n_nodes, cells })
    }

    /// Number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// The weight of a pair; 0 for a node and itself.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn get(&self, a: usize, b: usize) -> f64 {
        self.row(a)[b]
    }

    /// The weights of a node with every node, 0 with itself.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn row(&self, node: usize) -> &[f64] {
        &self.cells[node * self.n_nodes..(node + 1) * self.n_nodes]
    }
}

/// Refuses a weight that cannot be compared.
pub(super) fn check_weight(weight: f64, a: usize, b: usize) -> Result<()> {
    if weight.is_nan() {
        return Err(Error::internal(format!(
            "the weight of the nodes {a} and {b} is not a number"
        )));
    }
    Ok(())
}
