//! The order in which nodes are summed out.
//!
//! Summing out a node multiplies all tables that hold it into one over its neighbors, so the
//! neighbors become neighbors of each other. Next is always the node that adds fewest such
//! links (min-fill), of equals the lowest. The number of missing links between the neighbors
//! of every node is kept up to date link by link, so that a node with thousands of neighbors
//! is not looked at anew in every step.

use std::collections::BTreeSet;

/// Which nodes share a table, over nodes numbered from 0.
pub(super) struct Neighbors {
    /// Of every node, rising.
    neighbors: Vec<Vec<usize>>,
    /// Pairs of neighbors of every node that are not linked.
    n_missing: Vec<usize>,
}

impl Neighbors {
    pub(super) fn new(n_nodes: usize) -> Self {
        Neighbors {
            neighbors: vec![Vec::new(); n_nodes],
            n_missing: vec![0; n_nodes],
        }
    }

    /// Links every two nodes of a set.
    pub(super) fn link_all(&mut self, nodes: &[usize]) {
        for (i, &a) in nodes.iter().enumerate() {
            for &b in &nodes[i + 1..] {
                self.link(a, b);
            }
        }
    }

    fn link(&mut self, a: usize, b: usize) {
        let Err(place) = self.neighbors[a].binary_search(&b) else {
            return;
        };
        let common = self.common(a, b);
        for &node in &common {
            self.n_missing[node] -= 1;
        }
        // Of a's neighbors, only the common ones are linked to the new one.
        self.n_missing[a] += self.neighbors[a].len() - common.len();
        self.n_missing[b] += self.neighbors[b].len() - common.len();
        self.neighbors[a].insert(place, b);
        let place = self.neighbors[b].partition_point(|&node| node < a);
        self.neighbors[b].insert(place, a);
    }

    fn common(&self, a: usize, b: usize) -> Vec<usize> {
        let (few, many) = if self.neighbors[a].len() < self.neighbors[b].len() {
            (&self.neighbors[a], &self.neighbors[b])
        } else {
            (&self.neighbors[b], &self.neighbors[a])
        };
        let is_common = |node: &&usize| many.binary_search(node).is_ok();
        few.iter().filter(is_common).copied().collect()
    }

    /// Takes out a node whose neighbors are all linked, and gives them.
    fn remove(&mut self, node: usize) -> Vec<usize> {
        let clique = std::mem::take(&mut self.neighbors[node]);
        for &other in &clique {
            let neighbors = &mut self.neighbors[other];
            // The node was not linked to the neighbors of the other one outside the clique.
            self.n_missing[other] -= neighbors.len() - clique.len();
            neighbors.retain(|&neighbor| neighbor != node);
        }
        clique
    }

    /// Every node but `kept` in the order of summing out, each with the neighbors it has
    /// when its turn comes.
    ///
    /// # Errors
    /// The first node, with its neighbors, whose table has more than `max_cells` cells.
    pub(super) fn into_order(
        mut self,
        kept: usize,
        n_states: &[usize],
        max_cells: usize,
    ) -> Result<Vec<(usize, Vec<usize>)>, Vec<usize>> {
        let nodes = (0..self.neighbors.len()).filter(|&node| node != kept);
        let mut waiting: BTreeSet<(usize, usize)> =
            nodes.map(|node| (self.n_missing[node], node)).collect();
        let mut order = Vec::with_capacity(waiting.len());
        while let Some((_, node)) = waiting.pop_first() {
            let neighbors = self.neighbors[node].clone();
            let scope = || neighbors.iter().chain([&node]).copied();
            // Checked before linking: a clique that is too large would take forever.
            if n_cells(scope().map(|node| n_states[node]), max_cells).is_none() {
                return Err(scope().collect());
            }
            let touched = self.touched_by(node);
            for &other in &touched {
                waiting.remove(&(self.n_missing[other], other));
            }
            self.link_all(&neighbors);
            order.push((node, self.remove(node)));
            for &other in touched.iter().filter(|&&other| other != kept) {
                waiting.insert((self.n_missing[other], other));
            }
        }
        Ok(order)
    }

    /// The nodes whose missing links may change when a node is taken out: its neighbors, and
    /// where links are added the neighbors of two of them.
    fn touched_by(&self, node: usize) -> Vec<usize> {
        let neighbors = &self.neighbors[node];
        let mut touched = neighbors.clone();
        if self.n_missing[node] > 0 {
            touched.extend(neighbors.iter().flat_map(|&other| &self.neighbors[other]));
            touched.sort_unstable();
            touched.dedup();
            touched.retain(|&other| other != node);
        }
        touched
    }
}

/// The product of the numbers of states, `None` above `max_cells`.
pub(super) fn n_cells(mut states: impl Iterator<Item = usize>, max_cells: usize) -> Option<usize> {
    states.try_fold(1usize, |product, n| {
        product.checked_mul(n).filter(|&cells| cells <= max_cells)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, below, stream};

    fn linked(n_nodes: usize, links: &[(usize, usize)]) -> Neighbors {
        let mut graph = Neighbors::new(n_nodes);
        for &(a, b) in links {
            graph.link(a, b);
        }
        graph
    }

    #[test]
    fn the_node_that_adds_fewest_links_goes_first() {
        // A square 0-1-2-3 with a tail 3-4; 0 stays. The tail adds nothing; then every
        // corner adds one link, so the lowest goes, and what is left is a triangle.
        let graph = linked(5, &[(0, 1), (1, 2), (2, 3), (0, 3), (3, 4)]);
        let order = graph.into_order(0, &[2; 5], 1000).unwrap();
        let expected = [(4, vec![3]), (1, vec![0, 2]), (2, vec![0, 3]), (3, vec![0])];
        assert_eq!(order, expected);
    }

    #[test]
    fn missing_links_are_counted_right_after_every_step() {
        let mut rng = stream(1, Purpose::Split, 0);
        for _ in 0..50 {
            let n = 3 + below(&mut rng, 12) as usize;
            let mut graph = Neighbors::new(n);
            for a in 0..n {
                for b in 0..a {
                    if below(&mut rng, 3) == 0 {
                        graph.link(b, a);
                    }
                }
            }
            for node in 0..n {
                let neighbors = graph.neighbors[node].clone();
                graph.link_all(&neighbors);
                graph.remove(node);
                let recounted: Vec<usize> = (0..n).map(|node| recount(&graph, node)).collect();
                assert_eq!(graph.n_missing[node + 1..], recounted[node + 1..]);
            }
        }
    }

    fn recount(graph: &Neighbors, node: usize) -> usize {
        let near = &graph.neighbors[node];
        let pairs = near
            .iter()
            .flat_map(|&a| near.iter().map(move |&b| (a, b)))
            .filter(|(a, b)| a < b);
        pairs
            .filter(|(a, b)| !graph.neighbors[*a].contains(b))
            .count()
    }

    #[test]
    fn a_table_above_the_limit_is_named() {
        // Summing out node 1 first would need a table of all three.
        let graph = linked(3, &[(0, 1), (1, 2), (0, 2)]);
        let states = [10, 20, 5];
        assert_eq!(graph.into_order(0, &states, 999), Err(vec![0, 2, 1]));
        let graph = linked(3, &[(0, 1), (1, 2), (0, 2)]);
        assert!(graph.into_order(0, &states, 1000).is_ok());
    }
}
