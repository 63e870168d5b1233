//! Graphs whose edges may point one way, both ways or neither.

use std::iter::successors;

use crate::network::learn::bits::BitRows;

/// A graph of plain, directed and two-headed edges; the directed ones close no cycle.
///
/// Sets of nodes are rows of bits, so that rules over all nodes look at 64 at once.
#[derive(Debug, Clone)]
pub(super) struct MixedGraph {
    pub(super) n_nodes: usize,
    pub(super) adjacent: BitRows,
    /// Those joined by an edge without a head.
    pub(super) plain: BitRows,
    /// Of every node: the nodes it points to.
    pub(super) children: BitRows,
    /// Of every node: the nodes that point to it.
    pub(super) parents: BitRows,
}

impl MixedGraph {
    /// All pairs adjacent, no edge directed.
    pub(super) fn complete(n_nodes: usize) -> Self {
        let mut adjacent = BitRows::new(n_nodes);
        for (a, b) in (0..n_nodes).flat_map(|a| (0..n_nodes).map(move |b| (a, b))) {
            adjacent.set(a, b, a != b);
        }
        MixedGraph {
            n_nodes,
            plain: adjacent.clone(),
            adjacent,
            children: BitRows::new(n_nodes),
            parents: BitRows::new(n_nodes),
        }
    }

    /// Takes a plain edge away.
    pub(super) fn remove(&mut self, a: usize, b: usize) {
        for (a, b) in [(a, b), (b, a)] {
            self.adjacent.set(a, b, false);
            self.plain.set(a, b, false);
        }
    }

    /// Adjacent pairs a < b in order.
    pub(super) fn edges(&self) -> Vec<(usize, usize)> {
        let pairs = (0..self.n_nodes).flat_map(|a| {
            let neighbors = nodes(self.adjacent.row(a).iter().copied());
            neighbors.map(move |b| (a, b))
        });
        pairs.filter(|(a, b)| a < b).collect()
    }

    /// Nodes adjacent to either of two, without the two, rising.
    pub(super) fn neighbors_of_either(&self, a: usize, b: usize) -> Vec<usize> {
        let words = self.adjacent.row(a).iter().zip(self.adjacent.row(b));
        nodes(words.map(|(of_a, of_b)| of_a | of_b))
            .filter(|&node| node != a && node != b)
            .collect()
    }

    /// Directs a plain edge as `a → b`, unless that closes a cycle; whether it did.
    pub(super) fn direct(&mut self, a: usize, b: usize) -> bool {
        let is_free = !self.has_path(b, a);
        if is_free {
            self.plain.set(a, b, false);
            self.plain.set(b, a, false);
            self.set_directed(a, b, true);
        }
        is_free
    }

    /// Adds a head at b to the edge of a and b: a plain edge is directed unless that closes
    /// a cycle, an edge `b → a` becomes two-headed.
    pub(super) fn add_head(&mut self, a: usize, b: usize) {
        if self.plain.has(a, b) {
            self.direct(a, b);
        } else if self.children.has(b, a) {
            self.set_directed(b, a, false);
        }
    }

    fn set_directed(&mut self, a: usize, b: usize, is_directed: bool) {
        self.children.set(a, b, is_directed);
        self.parents.set(b, a, is_directed);
    }

    /// Whether directed edges lead from one node to another.
    fn has_path(&self, from: usize, to: usize) -> bool {
        let mut reached = vec![0u64; self.children.row(from).len()];
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            if self.children.has(node, to) {
                return true;
            }
            let new = self.children.row(node).iter().zip(&reached);
            open.extend(nodes(new.map(|(children, reached)| children & !reached)));
            let words = reached.iter_mut().zip(self.children.row(node));
            words.for_each(|(reached, children)| *reached |= children);
        }
        false
    }
}

/// The nodes of a set, rising.
pub(super) fn nodes(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(at, word)| {
        // Each is the word without the lowest bit of the one before.
        let rest = successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
        rest.take_while(|&word| word != 0)
            .map(move |word| at * 64 + word.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_make_edges_directed_then_two_headed() {
        let mut graph = MixedGraph::complete(3);
        graph.add_head(0, 1);
        assert!(graph.children.has(0, 1) && !graph.plain.has(0, 1));
        graph.add_head(0, 1); // nothing new
        assert!(graph.children.has(0, 1));
        graph.add_head(1, 0);
        assert!(!graph.children.has(0, 1) && !graph.children.has(1, 0) && !graph.plain.has(0, 1));
    }

    #[test]
    fn an_edge_that_would_close_a_cycle_stays_plain() {
        let mut graph = MixedGraph::complete(3);
        assert!(graph.direct(0, 1) && graph.direct(1, 2));
        assert!(!graph.direct(2, 0));
        assert!(graph.plain.has(0, 2));
        // With 0 - 1 two-headed there is no path from 0 to 2 any more.
        graph.add_head(1, 0);
        assert!(graph.direct(2, 0));
    }

    #[test]
    fn sets_of_more_nodes_than_a_word_has_bits_come_out_rising() {
        let mut graph = MixedGraph::complete(130);
        for node in (1..130).filter(|node| ![63, 64, 129].contains(node)) {
            graph.remove(0, node);
        }
        assert_eq!(graph.neighbors_of_either(0, 0), [63, 64, 129]);
        assert!(graph.direct(0, 129) && graph.direct(129, 64));
        assert!(!graph.direct(64, 0));
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
