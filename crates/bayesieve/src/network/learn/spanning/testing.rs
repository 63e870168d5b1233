//! Weights of all pairs, and the trees that Kruskal makes of them.

use super::{DisjointSets, Link, SpanningTree};

/// A weight for every pair of nodes `0..n`.
pub(super) struct PairWeights {
    n_nodes: usize,
    /// The full symmetric matrix, so that a node's weights stand side by side.
    cells: Vec<f64>,
}

impl PairWeights {
    /// From the weights of all pairs in the order (0,1), (0,2), …, (1,2), ….
    pub(super) fn new(n_nodes: usize, weights: &[f64]) -> Self {
        let mut cells = vec![0.0; n_nodes * n_nodes];
        for ((a, b), &weight) in pairs(n_nodes).zip(weights) {
            cells[a * n_nodes + b] = weight;
            cells[b * n_nodes + a] = weight;
        }
        PairWeights { n_nodes, cells }
    }

    pub(super) fn get(&self, a: usize, b: usize) -> f64 {
        self.row(a)[b]
    }

    /// The weights of a node with every node, 0 with itself.
    pub(super) fn row(&self, node: usize) -> &[f64] {
        &self.cells[node * self.n_nodes..(node + 1) * self.n_nodes]
    }

    /// The maximum tree over all nodes, of all pairs sorted.
    pub(super) fn kruskal(&self) -> SpanningTree {
        let mut links: Vec<Link> = pairs(self.n_nodes)
            .map(|(a, b)| Link::new([a, b], self.get(a, b)))
            .collect();
        links.sort_unstable_by(|x, y| x.cmp(y, |end| end));
        let mut parts = DisjointSets::new(self.n_nodes);
        links.retain(|link| parts.join(link.ends[0], link.ends[1]));
        SpanningTree::from_sorted((0..self.n_nodes).collect(), links)
    }

    /// The tree of some nodes that joined in this order.
    pub(super) fn tree_over(&self, nodes: &[usize]) -> SpanningTree {
        let start = SpanningTree::default();
        nodes.iter().fold(start, |tree, &node| {
            tree.extend(node, self.row(node)).unwrap()
        })
    }
}

fn pairs(n_nodes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n_nodes).flat_map(move |a| (a + 1..n_nodes).map(move |b| (a, b)))
}
