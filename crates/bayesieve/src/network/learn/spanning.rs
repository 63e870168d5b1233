//! Maximum spanning trees: the skeletons of Chow-Liu trees and TAN.
//!
//! Kruskal, 1956: take pairs by falling weight, skip those that close a cycle. Weights
//! are compared after rounding to 1e-10 and ties go to the lower pair of nodes, so no two
//! pairs are equal and there is exactly one maximum tree. Pairs of weight 0 are taken too:
//! the tree spans all nodes.
//!
//! Because the tree is the only one, it can be grown: when a node joins, the new tree lies
//! in the old one and the star of the new node's pairs, and the worst pair of every cycle
//! goes (Chin and Houck, 1978). That needs no sorting of old pairs, and gives the same tree
//! to the last bit of its weight.
//!
//! Kruskal, J. B. (1956). On the shortest spanning subtree of a graph. Proceedings of the
//! AMS 7, 48-50. Chin, F. and Houck, D. (1978). Algorithms for updating minimal spanning
//! trees. Journal of Computer and System Sciences 16, 333-344.

use std::cmp::Ordering;

use crate::error::{Error, Result};

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

fn check_weight(weight: f64, a: usize, b: usize) -> Result<()> {
    if weight.is_nan() {
        return Err(Error::internal(format!(
            "the weight of the nodes {a} and {b} is not a number"
        )));
    }
    Ok(())
}

/// The maximum spanning tree of some nodes, undirected.
///
/// # Example
/// ```
/// use bayesieve::network::learn::{PairWeights, SpanningTree};
///
/// let weights = PairWeights::new(3, &[0.5, 0.1, 0.3])?;
/// let tree = SpanningTree::maximum(&weights);
/// assert_eq!(tree.edges().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
/// assert_eq!(tree.weight(), 0.8);
/// assert_eq!(tree.arcs_from(2)?, [(1, 0), (2, 1)]); // 2 → 1 → 0, by child
///
/// // The same, grown: a selection that takes in one feature after the other.
/// let grown = SpanningTree::of_one(1).extend(2, weights.row(2))?.extend(0, weights.row(0))?;
/// assert_eq!(grown.weight(), 0.8);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct SpanningTree {
    /// In the order they joined.
    members: Vec<usize>,
    /// In Kruskal's order.
    links: Vec<Link>,
    weight: f64,
}

/// An edge of the tree.
#[derive(Debug, Clone, Copy)]
struct Link {
    /// Places in the list of members, that of the lower node first.
    ends: [usize; 2],
    weight: f64,
    /// The weight in units of 1e-10, for comparison.
    rounded: f64,
}

impl Link {
    fn new(members: &[usize], [i, j]: [usize; 2], weight: f64) -> Self {
        Link {
            ends: if members[i] < members[j] {
                [i, j]
            } else {
                [j, i]
            },
            weight,
            // Adding 0 makes one zero of the two.
            rounded: (weight * 1e10).round() + 0.0,
        }
    }

    /// Kruskal's order: by falling weight, then by nodes.
    fn cmp(&self, other: &Link, members: &[usize]) -> Ordering {
        let nodes = |link: &Link| link.ends.map(|end| members[end]);
        let by_weight = other.rounded.total_cmp(&self.rounded);
        by_weight.then_with(|| nodes(self).cmp(&nodes(other)))
    }
}

impl SpanningTree {
    /// The tree of one node.
    pub fn of_one(node: usize) -> Self {
        SpanningTree {
            members: vec![node],
            ..SpanningTree::default()
        }
    }

    /// The maximum tree over all nodes.
    ///
    /// # Cost
    /// O(n² log n): all pairs are sorted.
    pub fn maximum(weights: &PairWeights) -> Self {
        let n = weights.n_nodes();
        let members: Vec<usize> = (0..n).collect();
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        let mut links: Vec<Link> = pairs
            .map(|(a, b)| Link::new(&members, [a, b], weights.get(a, b)))
            .collect();
        links.sort_unstable_by(|x, y| x.cmp(y, &members));
        let mut parts = DisjointSets::new(n);
        links.retain(|link| parts.join(link.ends[0], link.ends[1]));
        SpanningTree::from_sorted(members, links)
    }

    /// The maximum tree over some of the nodes, joined in the order given.
    ///
    /// # Errors
    /// A node that does not exist or is given twice.
    ///
    /// # Cost
    /// O(k²) for k nodes, without sorting their pairs.
    pub fn over(weights: &PairWeights, nodes: &[usize]) -> Result<Self> {
        nodes
            .iter()
            .try_fold(SpanningTree::default(), |tree, &node| {
                if node >= weights.n_nodes() {
                    return Err(Error::internal(format!(
                        "node {node} of {}",
                        weights.n_nodes()
                    )));
                }
                tree.extend(node, weights.row(node))
            })
    }

    /// The maximum tree when one more node joins; `weights` are its weights by node
    /// number, as in a row of [`PairWeights`].
    ///
    /// # Errors
    /// The node is a member already, or a member's weight is lacking or not a number.
    ///
    /// # Cost
    /// O(n), and sorting the pairs of the new node that enter: O(n log n) at worst.
    pub fn extend(&self, node: usize, weights: &[f64]) -> Result<Self> {
        let mut members = self.members.clone();
        members.push(node);
        let star = self.star(&members, weights)?;
        let is_taken = self.take_best(&members, &star);
        let (of_tree, of_star) = is_taken.split_at(self.links.len());
        let taken = |links: &[Link], is_taken: &[bool]| -> Vec<Link> {
            let both = links
                .iter()
                .zip(is_taken)
                .filter(|(_, is_taken)| **is_taken);
            both.map(|(link, _)| *link).collect()
        };
        let mut new = taken(&star, of_star);
        new.sort_unstable_by(|x, y| x.cmp(y, &members));
        let links = merged(&taken(&self.links, of_tree), &new, &members);
        Ok(SpanningTree::from_sorted(members, links))
    }

    /// The links of the last member to all others, in the order of members.
    fn star(&self, members: &[usize], weights: &[f64]) -> Result<Vec<Link>> {
        let last = self.members.len();
        let node = members[last];
        let link = |(place, &member): (usize, &usize)| {
            if member == node {
                return Err(Error::internal(format!("node {node} joins a tree twice")));
            }
            let weight = *weights.get(member).ok_or_else(|| {
                Error::internal(format!("no weight for the nodes {node} and {member}"))
            })?;
            check_weight(weight, node, member)?;
            Ok(Link::new(members, [place, last], weight))
        };
        self.members.iter().enumerate().map(link).collect()
    }

    /// Which links of the tree, and behind them of the star, make up the new tree.
    ///
    /// From the leaves to the root: `best[v]` is the link that ties what hangs on `v` to
    /// the new node. It and the link from `v` upwards lie on one cycle through the new
    /// node; the better one stays, the worse one goes on as the way of `v`'s parent, if
    /// that has no better.
    fn take_best(&self, members: &[usize], star: &[Link]) -> Vec<bool> {
        let n_links = self.links.len();
        let link = |id: usize| self.links.get(id).unwrap_or_else(|| &star[id - n_links]);
        let is_before = |x: usize, y: usize| {
            // The tree's own links are in order already.
            x.max(y) < n_links && x < y
                || x.max(y) >= n_links && link(x).cmp(link(y), members).is_lt()
        };
        let mut is_taken = vec![false; n_links + star.len()];
        let mut best: Vec<usize> = (n_links..n_links + star.len()).collect();
        for step in self.walk(0).iter().rev() {
            let (mut stays, mut goes_on) = (best[step.node], step.link);
            if is_before(goes_on, stays) {
                std::mem::swap(&mut stays, &mut goes_on);
            }
            is_taken[stays] = true;
            if is_before(goes_on, best[step.parent]) {
                best[step.parent] = goes_on;
            }
        }
        if let Some(&root) = best.first() {
            is_taken[root] = true;
        }
        is_taken
    }

    /// All places but the root's, each behind its parent.
    fn walk(&self, root: usize) -> Vec<Step> {
        let n = self.members.len();
        // Neighbors of each place, one list behind the other.
        let mut starts = vec![0; n + 1];
        for link in &self.links {
            link.ends.iter().for_each(|&end| starts[end + 1] += 1);
        }
        for place in 0..n {
            starts[place + 1] += starts[place];
        }
        let mut next = starts.clone();
        let mut neighbors = vec![(0, 0); 2 * self.links.len()];
        for (id, link) in self.links.iter().enumerate() {
            let [a, b] = link.ends;
            for (from, to) in [(a, b), (b, a)] {
                neighbors[next[from]] = (to, id);
                next[from] += 1;
            }
        }
        let mut steps: Vec<Step> = Vec::with_capacity(self.links.len());
        let (mut place, mut above) = (root, root);
        let mut n_done = 0;
        while place < n {
            for &(node, link) in &neighbors[starts[place]..starts[place + 1]] {
                if node != above {
                    steps.push(Step {
                        node,
                        parent: place,
                        link,
                    });
                }
            }
            let Some(step) = steps.get(n_done) else {
                break;
            };
            (place, above) = (step.node, step.parent);
            n_done += 1;
        }
        steps
    }

    fn from_sorted(members: Vec<usize>, links: Vec<Link>) -> Self {
        // In Kruskal's order, so that a grown tree has the same last bit.
        let weight = links.iter().map(|link| link.weight).sum();
        SpanningTree {
            members,
            links,
            weight,
        }
    }

    /// The nodes, in the order they joined.
    pub fn members(&self) -> &[usize] {
        &self.members
    }

    /// The edges in Kruskal's order, the lower node first.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        let node = |end: usize| self.members[end];
        self.links
            .iter()
            .map(move |link| (node(link.ends[0]), node(link.ends[1])))
    }

    /// The sum of the edges' weights.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// The edges directed away from the lowest node, as (parent, child) by rising child.
    pub fn arcs(&self) -> Vec<(usize, usize)> {
        let lowest = (0..self.members.len()).min_by_key(|&place| self.members[place]);
        lowest.map_or_else(Vec::new, |place| self.directed(place))
    }

    /// The edges directed away from a root, as (parent, child) by rising child.
    ///
    /// # Errors
    /// The root is no node of the tree.
    pub fn arcs_from(&self, root: usize) -> Result<Vec<(usize, usize)>> {
        let place = self.members.iter().position(|&member| member == root);
        let place = place.ok_or_else(|| {
            Error::usage(format!(
                "node {root} cannot be the root of a tree without it"
            ))
        })?;
        Ok(self.directed(place))
    }

    fn directed(&self, root: usize) -> Vec<(usize, usize)> {
        let steps = self.walk(root);
        let arc = |step: &Step| (self.members[step.parent], self.members[step.node]);
        let mut arcs: Vec<(usize, usize)> = steps.iter().map(arc).collect();
        arcs.sort_unstable_by_key(|&(_, child)| child);
        arcs
    }
}

/// A place reached from its parent over a link.
#[derive(Debug, Clone, Copy)]
struct Step {
    node: usize,
    parent: usize,
    link: usize,
}

/// Two lists in Kruskal's order as one.
fn merged(old: &[Link], new: &[Link], members: &[usize]) -> Vec<Link> {
    let mut links = Vec::with_capacity(old.len() + new.len());
    let mut old = old.iter().peekable();
    for link in new {
        while let Some(before) = old.next_if(|old| old.cmp(link, members).is_lt()) {
            links.push(*before);
        }
        links.push(*link);
    }
    links.extend(old);
    links
}

/// Sets that are joined two at a time (union-find).
struct DisjointSets(Vec<usize>);

impl DisjointSets {
    fn new(n: usize) -> Self {
        DisjointSets((0..n).collect())
    }

    fn find(&mut self, mut node: usize) -> usize {
        while self.0[node] != node {
            // Halve the path on the way up.
            self.0[node] = self.0[self.0[node]];
            node = self.0[node];
        }
        node
    }

    /// Joins the sets of two nodes; false if they are one already.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a] = b;
        a != b
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ties_go_to_the_lower_pair_and_zeros_are_taken() {
        // (0,1) and (1,2) tie at 0.5 after rounding, (0,2) differs by less than 1e-10:
        // the two lowest pairs win. Node 3 hangs on 0 by a weight of 0.
        let third = 0.5 + 1e-12;
        let weights = PairWeights::new(4, &[0.5, third, 0.0, 0.5, 0.0, 0.0]).unwrap();
        let tree = SpanningTree::maximum(&weights);
        assert_eq!(tree.edges().collect::<Vec<_>>(), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(tree.arcs(), [(0, 1), (0, 2), (0, 3)]);
    }

    #[test]
    fn no_node_and_one_node_have_no_edge() {
        let none = SpanningTree::maximum(&PairWeights::new(0, &[]).unwrap());
        let one = SpanningTree::maximum(&PairWeights::new(1, &[]).unwrap());
        for tree in [none, one] {
            assert_eq!((tree.edges().count(), tree.weight()), (0, 0.0));
            assert!(tree.arcs().is_empty());
        }
    }

    #[test]
    fn what_makes_no_tree_is_an_error() {
        assert!(PairWeights::new(3, &[1.0]).is_err());
        assert!(PairWeights::new(2, &[f64::NAN]).is_err());
        let tree = SpanningTree::of_one(4);
        assert!(tree.extend(4, &[0.0; 5]).is_err()); // a member already
        assert!(tree.extend(1, &[0.0; 4]).is_err()); // no weight for node 4
        assert!(tree.extend(1, &[f64::NAN; 5]).is_err());
        assert!(tree.arcs_from(1).is_err());
        let weights = PairWeights::new(2, &[1.0]).unwrap();
        assert!(SpanningTree::over(&weights, &[0, 2]).is_err());
    }

    /// All that can be seen of a tree, weight to the last bit.
    fn seen(tree: &SpanningTree) -> (Vec<(usize, usize)>, u64) {
        (tree.edges().collect(), tree.weight().to_bits())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        /// Weights from a handful of values tie often; noise below 1e-10 must not matter.
        #[test]
        fn a_grown_tree_is_kruskals(
            n in 2usize..14,
            levels in prop::collection::vec((0u8..5, 0u8..3), 91),
            keys in prop::collection::vec(any::<u32>(), 14),
        ) {
            let weight = |&(level, noise): &(u8, u8)| {
                f64::from(level) / 7.0 + f64::from(noise) * 1e-13
            };
            let list: Vec<f64> = levels[..n * (n - 1) / 2].iter().map(weight).collect();
            let weights = PairWeights::new(n, &list).unwrap();
            let mut order: Vec<usize> = (0..n).collect();
            order.sort_by_key(|&node| keys[node]);
            let grown = SpanningTree::over(&weights, &order).unwrap();
            prop_assert_eq!(seen(&grown), seen(&SpanningTree::maximum(&weights)));
        }
    }
}
