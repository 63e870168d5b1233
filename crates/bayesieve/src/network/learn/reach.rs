//! Which node leads to which, kept up to date while arcs are added.

use super::bits::BitRows;

/// The reachability of a directed graph without cycles: of every node the nodes it reaches, itself
/// among them.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    n_nodes: usize,
    reached: BitRows,
}

impl Reach {
    /// Of a graph without arcs: every node reaches itself.
    pub(super) fn new(n_nodes: usize) -> Self {
        let mut reached = BitRows::new(n_nodes);
        (0..n_nodes).for_each(|node| reached.set(node, node, true));
        Reach { n_nodes, reached }
    }

    /// Whether a directed path leads from one node to another.
    pub(super) fn has_path(&self, from: usize, to: usize) -> bool {
        self.reached.has(from, to)
    }

    /// Takes in the arc `from → to`, which must close no cycle.
    pub(super) fn add_arc(&mut self, from: usize, to: usize) {
        if self.has_path(from, to) {
            return;
        }
        let new = self.reached.row(to).to_vec();
        for node in 0..self.n_nodes {
            if self.has_path(node, from) {
                self.reached.add(node, &new);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::network::Dag;

    proptest! {
        #[test]
        fn paths_are_those_of_the_graph(
            n in 1usize..70,
            pairs in prop::collection::vec((0usize..70, 0usize..70), 0..120),
        ) {
            let (mut dag, mut reach) = (Dag::new(n), Reach::new(n));
            for (from, to) in pairs {
                let (from, to) = (from % n, to % n);
                prop_assert_eq!(reach.has_path(to, from), dag.add_arc(from, to).is_err());
                if dag.has_arc(from, to) {
                    reach.add_arc(from, to);
                }
            }
            for from in 0..n {
                for to in 0..n {
                    prop_assert_eq!(reach.has_path(from, to), dag.is_reachable(from, to));
                }
            }
        }
    }
}
