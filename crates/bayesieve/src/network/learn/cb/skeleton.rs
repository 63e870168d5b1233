//! Step a: edges go where a test finds two nodes independent given few of their neighbors.

use super::graph::MixedGraph;
use super::independence::Independence;
use crate::{Observer, Result, check};

/// The undirected graph, thinned out round by round.
#[derive(Debug, Clone)]
pub(super) struct Skeleton {
    graph: MixedGraph,
    /// `[a][b]` for a < b: what separated the two.
    separators: Vec<Vec<usize>>,
}

impl Skeleton {
    /// The complete graph.
    pub(super) fn new(n_nodes: usize) -> Self {
        Skeleton {
            graph: MixedGraph::complete(n_nodes),
            separators: vec![Vec::new(); n_nodes * n_nodes],
        }
    }

    pub(super) fn graph(&self) -> &MixedGraph {
        &self.graph
    }

    /// What separated two nodes that are not adjacent, a < b.
    pub(super) fn separator(&self, a: usize, b: usize) -> &[usize] {
        &self.separators[a * self.graph.n_nodes + b]
    }

    fn separate(&mut self, a: usize, b: usize, separator: Vec<usize>) {
        self.graph.remove(a, b);
        self.separators[a * self.graph.n_nodes + b] = separator;
    }

    /// Tests every adjacent pair given sets of this size; an edge that goes is gone for the
    /// pairs behind it in the same round. Gives whether some pair had enough neighbors: where none
    /// had, no later round will do anything either.
    pub(super) fn thin(
        &mut self,
        tests: &Independence<'_, '_>,
        order: usize,
        observer: &dyn Observer,
    ) -> Result<bool> {
        let edges = self.graph.edges();
        if order == 0 {
            // Every test stands for itself, so all pairs are counted at once.
            for (a, b) in tests.independent_pairs(observer)? {
                self.separate(a, b, Vec::new());
            }
            return Ok(!edges.is_empty());
        }
        let mut has_tested = false;
        let n_edges = edges.len() as u64;
        for ((a, b), done) in edges.into_iter().zip(1..) {
            check(observer)?;
            let neighbors = self.graph.neighbors_of_either(a, b);
            if neighbors.len() >= order {
                has_tested = true;
                if let Some(separator) = tests.separator((a, b), &neighbors, order, observer)? {
                    self.separate(a, b, separator);
                }
            }
            observer.progress("testing independence", done, n_edges);
        }
        Ok(has_tested)
    }
}
