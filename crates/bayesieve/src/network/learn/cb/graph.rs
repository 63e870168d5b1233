//! Graphs whose edges may point one way, both ways or neither.

use crate::network::learn::reach::Reach;

/// A graph of plain, directed and two-headed edges; the directed ones close no cycle.
#[derive(Debug, Clone)]
pub(super) struct MixedGraph {
    n_nodes: usize,
    is_adjacent: Vec<bool>,
    /// `[a][b]`: the edge of a and b has a head at b.
    has_head: Vec<bool>,
    /// Paths along directed edges; `None` when an edge has stopped being one.
    reach: Option<Reach>,
}

impl MixedGraph {
    /// All pairs adjacent, no edge directed.
    pub(super) fn complete(n_nodes: usize) -> Self {
        let pairs = (0..n_nodes).flat_map(|a| (0..n_nodes).map(move |b| a != b));
        MixedGraph {
            n_nodes,
            is_adjacent: pairs.collect(),
            has_head: vec![false; n_nodes * n_nodes],
            reach: Some(Reach::new(n_nodes)),
        }
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// Takes a plain edge away.
    pub(super) fn remove(&mut self, a: usize, b: usize) {
        for (a, b) in [(a, b), (b, a)] {
            self.is_adjacent[a * self.n_nodes + b] = false;
        }
    }

    pub(super) fn is_adjacent(&self, a: usize, b: usize) -> bool {
        self.is_adjacent[a * self.n_nodes + b]
    }

    fn has_head(&self, a: usize, b: usize) -> bool {
        self.has_head[a * self.n_nodes + b]
    }

    /// Whether the edge is `a → b`.
    pub(super) fn is_directed(&self, a: usize, b: usize) -> bool {
        self.has_head(a, b) && !self.has_head(b, a)
    }

    /// Whether the edge has no head.
    pub(super) fn is_plain(&self, a: usize, b: usize) -> bool {
        self.is_adjacent(a, b) && !self.has_head(a, b) && !self.has_head(b, a)
    }

    /// Adjacent pairs a < b in order.
    pub(super) fn edges(&self) -> Vec<(usize, usize)> {
        let n = self.n_nodes;
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| self.is_adjacent(a, b)).collect()
    }

    /// Nodes adjacent to either of two, without the two, rising.
    pub(super) fn neighbors_of_either(&self, a: usize, b: usize) -> Vec<usize> {
        (0..self.n_nodes)
            .filter(|&node| node != a && node != b)
            .filter(|&node| self.is_adjacent(a, node) || self.is_adjacent(b, node))
            .collect()
    }

    /// Directs a plain edge as `a → b`, unless that closes a cycle; whether it did.
    pub(super) fn direct(&mut self, a: usize, b: usize) -> bool {
        let reach = self.reach.take().unwrap_or_else(|| self.paths());
        let is_free = !reach.has_path(b, a);
        let reach = self.reach.insert(reach);
        if is_free {
            reach.add_arc(a, b);
            self.has_head[a * self.n_nodes + b] = true;
        }
        is_free
    }

    /// Adds a head at b to the edge of a and b: a plain edge is directed unless that closes
    /// a cycle, an edge `b → a` becomes two-headed.
    pub(super) fn add_head(&mut self, a: usize, b: usize) {
        if self.is_plain(a, b) {
            self.direct(a, b);
        } else if self.is_directed(b, a) {
            self.has_head[a * self.n_nodes + b] = true;
            self.reach = None;
        }
    }

    fn paths(&self) -> Reach {
        let n = self.n_nodes;
        let mut reach = Reach::new(n);
        for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
            if self.is_directed(a, b) {
                reach.add_arc(a, b);
            }
        }
        reach
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_make_edges_directed_then_two_headed() {
        let mut graph = MixedGraph::complete(3);
        graph.add_head(0, 1);
        assert!(graph.is_directed(0, 1) && !graph.is_plain(0, 1));
        graph.add_head(0, 1); // nothing new
        assert!(graph.is_directed(0, 1));
        graph.add_head(1, 0);
        assert!(!graph.is_directed(0, 1) && !graph.is_directed(1, 0) && !graph.is_plain(0, 1));
    }

    #[test]
    fn an_edge_that_would_close_a_cycle_stays_plain() {
        let mut graph = MixedGraph::complete(3);
        assert!(graph.direct(0, 1) && graph.direct(1, 2));
        assert!(!graph.direct(2, 0));
        assert!(graph.is_plain(0, 2));
        // With 0 - 1 two-headed there is no path from 0 to 2 any more.
        graph.add_head(1, 0);
        assert!(graph.direct(2, 0));
    }

    #[test]
    fn neighbors_are_those_of_either_node() {
        let mut graph = MixedGraph::complete(4);
        graph.remove(0, 2);
        graph.remove(1, 2);
        graph.remove(3, 0);
        assert_eq!(graph.neighbors_of_either(0, 1), [3]);
        assert_eq!(graph.edges(), [(0, 1), (1, 3), (2, 3)]);
    }
}
