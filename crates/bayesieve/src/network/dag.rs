//! Directed graphs without cycles, by construction.

use crate::{Error, Result};

/// A directed acyclic graph over nodes `0..n`.
///
/// An arc that would close a cycle is refused, so every value of this type is acyclic.
///
/// # Example
/// ```
/// use bayesieve::network::Dag;
///
/// let mut dag = Dag::new(4);
/// dag.add_arc(0, 2)?; // 0 → 2 ← 1, 2 → 3
/// dag.add_arc(1, 2)?;
/// dag.add_arc(2, 3)?;
/// assert!(dag.add_arc(3, 0).is_err()); // would close a cycle
/// assert_eq!(dag.boundary(0), [1, 2]); // its child and the child's other parent
/// assert_eq!(dag.topological_order(), [0, 1, 2, 3]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dag {
    /// Parents of every node, rising.
    parents: Vec<Vec<usize>>,
    /// Children of every node, rising.
    children: Vec<Vec<usize>>,
}

impl Dag {
    /// A graph without arcs.
    pub fn new(n_nodes: usize) -> Self {
        Dag {
            parents: vec![Vec::new(); n_nodes],
            children: vec![Vec::new(); n_nodes],
        }
    }

    /// From the parents of every node, in any order.
    ///
    /// # Errors
    /// A parent that does not exist (an internal error), or arcs that form a cycle.
    ///
    /// # Cost
    /// Linear in nodes and arcs, where adding arcs one by one searches the graph for each.
    ///
    /// # Example
    /// ```
    /// use bayesieve::network::Dag;
    ///
    /// let dag = Dag::from_parents(vec![vec![], vec![0], vec![1, 0]])?;
    /// assert_eq!(dag.children(0), [1, 2]);
    /// assert!(Dag::from_parents(vec![vec![1], vec![0]]).is_err());
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn from_parents(parents: Vec<Vec<usize>>) -> Result<Self> {
        let dag = Dag::or_cycle(parents)?;
        dag.map_err(|_| Error::data("the arcs form a cycle"))
    }

    /// As [`Dag::from_parents`]; where the arcs form cycles, the nodes of one, each a parent of the
    /// next and the last of the first.
    pub(super) fn or_cycle(
        mut parents: Vec<Vec<usize>>,
    ) -> Result<std::result::Result<Self, Vec<usize>>> {
        let n_nodes = parents.len();
        let mut children = vec![Vec::new(); n_nodes];
        for (node, parents) in parents.iter_mut().enumerate() {
            parents.sort_unstable();
            parents.dedup();
            for &parent in &*parents {
                let known = children.get_mut(parent);
                let known = known.ok_or_else(|| no_such_arc(parent, node, n_nodes))?;
                known.push(node);
            }
        }
        let dag = Dag { parents, children };
        let mut is_free = vec![false; n_nodes];
        for node in dag.topological_order() {
            is_free[node] = true;
        }
        let Some(mut node) = is_free.iter().position(|is_free| !is_free) else {
            return Ok(Ok(dag));
        };
        // Every node that is left has a parent that is left: upwards, one comes again.
        let (mut path, mut place) = (Vec::new(), vec![None; n_nodes]);
        while place[node].is_none() {
            place[node] = Some(path.len());
            path.push(node);
            let above = dag.parents[node].iter().find(|&&parent| !is_free[parent]);
            node = above.copied().unwrap_or(node);
        }
        path.drain(..place[node].unwrap_or(0));
        path.reverse();
        Ok(Err(path))
    }

    /// Number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.parents.len()
    }

    /// Number of arcs.
    pub fn n_arcs(&self) -> usize {
        self.parents.iter().map(Vec::len).sum()
    }

    /// Adds the arc `from → to`; an arc that is there already stays.
    ///
    /// # Errors
    /// A node that does not exist, or an arc that would close a cycle.
    pub fn add_arc(&mut self, from: usize, to: usize) -> Result<()> {
        if from.max(to) >= self.n_nodes() {
            return Err(no_such_arc(from, to, self.n_nodes()));
        }
        if self.is_reachable(to, from) {
            return Err(Error::data("an arc closes a cycle"));
        }
        if let Err(place) = self.parents[to].binary_search(&from) {
            self.parents[to].insert(place, from);
        }
        if let Err(place) = self.children[from].binary_search(&to) {
            self.children[from].insert(place, to);
        }
        Ok(())
    }

    /// Whether there is an arc `from → to`.
    pub fn has_arc(&self, from: usize, to: usize) -> bool {
        self.parents
            .get(to)
            .is_some_and(|parents| parents.binary_search(&from).is_ok())
    }

    /// Whether a directed path leads from one node to another; every node reaches itself.
    pub fn is_reachable(&self, from: usize, to: usize) -> bool {
        let mut is_seen = vec![false; self.n_nodes()];
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            if node == to {
                return true;
            }
            if !std::mem::replace(&mut is_seen[node], true) {
                open.extend(&self.children[node]);
            }
        }
        false
    }

    /// The parents of a node, rising.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn parents(&self, node: usize) -> &[usize] {
        &self.parents[node]
    }

    /// The children of a node, rising.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn children(&self, node: usize) -> &[usize] {
        &self.children[node]
    }

    /// The other parents of a node's children that are neither its parents nor its
    /// children, rising.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn spouses(&self, node: usize) -> Vec<usize> {
        let mut spouses: Vec<usize> = self.children[node]
            .iter()
            .flat_map(|&child| &self.parents[child])
            .copied()
            .filter(|&other| other != node)
            .filter(|other| !self.parents[node].contains(other))
            .filter(|other| !self.children[node].contains(other))
            .collect();
        spouses.sort_unstable();
        spouses.dedup();
        spouses
    }

    /// The Markov boundary of a node: parents, children and spouses, rising.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn boundary(&self, node: usize) -> Vec<usize> {
        let mut boundary = self.spouses(node);
        boundary.extend(&self.parents[node]);
        boundary.extend(&self.children[node]);
        boundary.sort_unstable();
        boundary
    }

    /// All nodes, parents before children; among those that are free the lowest first.
    pub fn topological_order(&self) -> Vec<usize> {
        use std::cmp::Reverse;
        use std::collections::BinaryHeap;
        let mut n_waiting: Vec<usize> = self.parents.iter().map(Vec::len).collect();
        let mut free: BinaryHeap<Reverse<usize>> = (0..self.n_nodes())
            .filter(|&node| n_waiting[node] == 0)
            .map(Reverse)
            .collect();
        let mut order = Vec::with_capacity(self.n_nodes());
        while let Some(Reverse(node)) = free.pop() {
            order.push(node);
            for &child in &self.children[node] {
                n_waiting[child] -= 1;
                if n_waiting[child] == 0 {
                    free.push(Reverse(child));
                }
            }
        }
        order
    }

    /// All arcs as (from, to), by child, then by parent.
    pub fn arcs(&self) -> impl Iterator<Item = (usize, usize)> {
        let by_child = self.parents.iter().enumerate();
        by_child.flat_map(|(to, parents)| parents.iter().map(move |&from| (from, to)))
    }
}

fn no_such_arc(from: usize, to: usize, n_nodes: usize) -> Error {
    Error::internal(format!("arc {from} → {to} in a graph of {n_nodes} nodes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dag(n_nodes: usize, arcs: &[(usize, usize)]) -> Dag {
        let mut dag = Dag::new(n_nodes);
        for &(from, to) in arcs {
            dag.add_arc(from, to).unwrap();
        }
        dag
    }

    #[test]
    fn a_cycle_of_any_length_is_refused() {
        let mut dag = dag(3, &[(0, 1), (1, 2)]);
        assert!(dag.add_arc(0, 0).is_err());
        assert!(dag.add_arc(2, 0).is_err());
        assert!(dag.add_arc(1, 0).is_err());
        assert_eq!(dag.n_arcs(), 2);
    }

    #[test]
    fn the_parents_of_all_nodes_give_the_graph_that_their_arcs_give() {
        let parents = vec![vec![2, 1], vec![], vec![1, 1]];
        let by_arcs = dag(3, &[(2, 0), (1, 0), (1, 2)]);
        assert_eq!(Dag::from_parents(parents).unwrap(), by_arcs);
        for wrong in [vec![vec![0]], vec![vec![1]]] {
            assert!(Dag::from_parents(wrong.clone()).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn an_arc_is_counted_once() {
        let dag = dag(2, &[(0, 1), (0, 1)]);
        assert_eq!(
            (dag.n_arcs(), dag.parents(1), dag.children(0)),
            (1, &[0][..], &[1][..])
        );
    }

    #[test]
    fn a_spouse_that_is_also_a_parent_is_a_parent() {
        // 0 → 1 → 2 and 0 → 2: 0 is parent of 1 and of its child.
        let dag = dag(3, &[(0, 1), (1, 2), (0, 2)]);
        assert_eq!(dag.spouses(1), Vec::<usize>::new());
        assert_eq!(dag.boundary(1), [0, 2]);
    }

    #[test]
    fn free_nodes_come_in_order_of_their_numbers() {
        let dag = dag(4, &[(3, 0), (2, 1)]);
        assert_eq!(dag.topological_order(), [2, 1, 3, 0]);
    }
}
