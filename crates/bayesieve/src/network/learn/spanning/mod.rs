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

mod replacements;
#[cfg(test)]
mod testing;

use std::cmp::Ordering;

use crate::math::OrderFreeSum;
use crate::{Error, Result};

/// The maximum spanning tree of some nodes, undirected.
///
/// # Example
/// ```
/// use bayesieve::network::learn::SpanningTree;
///
/// // Nodes join one after the other, each with its weights to those that are there.
/// let two = SpanningTree::default().extend(0, &[])?.extend(1, &[0.5])?;
/// let tree = two.extend(2, &[0.1, 0.3])?;
/// assert_eq!(tree.edges().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
/// assert_eq!(tree.weight(), 0.8);
/// assert_eq!(tree.arcs_from(2)?, [(1, 0), (2, 1)]); // 2 → 1 → 0, by child
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct SpanningTree {
    /// In the order they joined.
    members: Vec<usize>,
    /// In Kruskal's order.
    links: Vec<Link>,
    /// The tree from its first member downwards.
    steps: Vec<Step>,
    weight: f64,
}

/// A place reached from its parent over a link.
#[derive(Debug, Clone, Copy)]
struct Step {
    node: usize,
    parent: usize,
    link: usize,
}

/// An edge of the tree.
#[derive(Debug, Clone, Copy)]
struct Link {
    /// Places in the list of members, that of the lower node first.
    ends: [usize; 2],
    weight: f64,
    /// The weight in units of 1e-10, for comparison.
    rounded: i64,
}

impl Link {
    fn new(ends: [usize; 2], weight: f64) -> Self {
        let units = weight * 1e10;
        Link {
            ends,
            weight,
            // Rounds like `round`, which is a call on many machines; far too large weights
            // are all one.
            rounded: (units + 0.5f64.copysign(units)) as i64,
        }
    }

    /// Kruskal's order: by falling weight, then by nodes.
    fn cmp(&self, other: &Link, node_of: impl Fn(usize) -> usize) -> Ordering {
        let nodes = |link: &Link| link.ends.map(&node_of);
        let by_weight = other.rounded.cmp(&self.rounded);
        by_weight.then_with(|| nodes(self).cmp(&nodes(other)))
    }
}

impl SpanningTree {
    /// The maximum tree when one more node joins; `weights` are its weights by node
    /// number.
    ///
    /// # Errors
    /// The node is a member already, or a member's weight is lacking or not a number.
    ///
    /// # Cost
    /// O(n), and sorting the pairs of the new node that enter: O(n log n) at worst.
    pub fn extend(&self, node: usize, weights: &[f64]) -> Result<Self> {
        let star = self.star(node, weights)?;
        let n_links = self.links.len();
        let mut is_taken = vec![false; n_links + star.len()];
        self.for_each_taken(node, &star, |id| is_taken[id] = true);
        let (of_tree, of_star) = is_taken.split_at(n_links);
        let taken = |links: &[Link], is_taken: &[bool]| -> Vec<Link> {
            let both = links.iter().zip(is_taken);
            both.filter(|(_, is_taken)| **is_taken)
                .map(|(link, _)| *link)
                .collect()
        };
        let mut members = self.members.clone();
        members.push(node);
        let mut new = taken(&star, of_star);
        new.sort_unstable_by(|x, y| x.cmp(y, |end| members[end]));
        let links = merged(&taken(&self.links, of_tree), &new, &members);
        Ok(SpanningTree::from_sorted(members, links))
    }

    /// Calls `each` with the ends (the lower first) and the weight of every edge of the
    /// maximum tree when one more node joins; `weight_of` gives the new node's weight with
    /// a member.
    ///
    /// # Errors
    /// The node is a member already, or a weight is not a number.
    ///
    /// # Cost
    /// O(n).
    pub fn for_each_edge_with(
        &self,
        node: usize,
        weight_of: impl Fn(usize) -> f64,
        mut each: impl FnMut(usize, usize, f64),
    ) -> Result<()> {
        let star = self.star_by(node, |member| Ok(weight_of(member)))?;
        let node_of = |end: usize| self.members.get(end).copied().unwrap_or(node);
        self.for_each_taken(node, &star, |id| {
            let link = self.link(&star, id);
            each(node_of(link.ends[0]), node_of(link.ends[1]), link.weight);
        });
        Ok(())
    }

    /// The links of a new node to all members, in their order.
    fn star(&self, node: usize, weights: &[f64]) -> Result<Vec<Link>> {
        self.star_by(node, |member| {
            weights.get(member).copied().ok_or_else(|| {
                Error::internal(format!("no weight for the nodes {node} and {member}"))
            })
        })
    }

    fn star_by(&self, node: usize, weight_of: impl Fn(usize) -> Result<f64>) -> Result<Vec<Link>> {
        let n = self.members.len();
        let mut star = Vec::with_capacity(n);
        for (place, &member) in self.members.iter().enumerate() {
            if member == node {
                return Err(Error::internal(format!("node {node} joins a tree twice")));
            }
            let weight = weight_of(member)?;
            check_weight(weight, node, member)?;
            let ends = if member < node {
                [place, n]
            } else {
                [n, place]
            };
            star.push(Link::new(ends, weight));
        }
        Ok(star)
    }

    /// The link of a number: those of the tree, and behind them those of a star.
    fn link<'l>(&'l self, star: &'l [Link], id: usize) -> &'l Link {
        let n_links = self.links.len();
        self.links.get(id).unwrap_or_else(|| &star[id - n_links])
    }

    /// Calls `take` for every link of the tree and the star that makes up the new tree.
    ///
    /// From the leaves to the root: `best[v]` is the link that ties what hangs on `v` to
    /// the new node. It and the link from `v` upwards lie on one cycle through the new
    /// node; the better one stays, the worse one goes on as the way of `v`'s parent, if
    /// that has no better.
    fn for_each_taken(&self, node: usize, star: &[Link], mut take: impl FnMut(usize)) {
        let n_links = self.links.len();
        let node_of = |end: usize| self.members.get(end).copied().unwrap_or(node);
        let is_before = |x: usize, y: usize| {
            if x.max(y) < n_links {
                return x < y; // the tree's own links are in order
            }
            self.link(star, x).cmp(self.link(star, y), node_of).is_lt()
        };
        let mut best: Vec<usize> = (n_links..n_links + star.len()).collect();
        for step in self.steps.iter().rev() {
            let (mut stays, mut goes_on) = (best[step.node], step.link);
            if is_before(goes_on, stays) {
                std::mem::swap(&mut stays, &mut goes_on);
            }
            take(stays);
            if is_before(goes_on, best[step.parent]) {
                best[step.parent] = goes_on;
            }
        }
        if let Some(&root) = best.first() {
            take(root);
        }
    }

    fn from_sorted(members: Vec<usize>, links: Vec<Link>) -> Self {
        let mut weight = OrderFreeSum::default();
        links.iter().for_each(|link| weight.add(link.weight));
        SpanningTree {
            steps: walk(members.len(), &links, 0),
            members,
            links,
            weight: weight.value(),
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
        let steps = walk(self.members.len(), &self.links, root);
        let arc = |step: &Step| (self.members[step.parent], self.members[step.node]);
        let mut arcs: Vec<(usize, usize)> = steps.iter().map(arc).collect();
        arcs.sort_unstable_by_key(|&(_, child)| child);
        arcs
    }
}

/// All places of a tree but the root, each behind its parent.
fn walk(n: usize, links: &[Link], root: usize) -> Vec<Step> {
    // Neighbors of each place, one list behind the other.
    let mut starts = vec![0; n + 1];
    for link in links {
        link.ends.iter().for_each(|&end| starts[end + 1] += 1);
    }
    for place in 0..n {
        starts[place + 1] += starts[place];
    }
    let mut next = starts.clone();
    let mut neighbors = vec![(0, 0); 2 * links.len()];
    for (id, link) in links.iter().enumerate() {
        let [a, b] = link.ends;
        for (from, to) in [(a, b), (b, a)] {
            neighbors[next[from]] = (to, id);
            next[from] += 1;
        }
    }
    let mut steps: Vec<Step> = Vec::with_capacity(links.len());
    let (mut place, mut above, mut n_done) = (root, root, 0);
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

/// Two lists in Kruskal's order as one.
fn merged(old: &[Link], new: &[Link], members: &[usize]) -> Vec<Link> {
    let mut links = Vec::with_capacity(old.len() + new.len());
    let mut old = old.iter().peekable();
    for link in new {
        while let Some(before) = old.next_if(|old| old.cmp(link, |end| members[end]).is_lt()) {
            links.push(*before);
        }
        links.push(*link);
    }
    links.extend(old);
    links
}

/// Refuses a weight that cannot be compared.
fn check_weight(weight: f64, a: usize, b: usize) -> Result<()> {
    if weight.is_nan() {
        return Err(Error::internal(format!(
            "the weight of the nodes {a} and {b} is not a number"
        )));
    }
    Ok(())
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

    use super::testing::PairWeights;
    use super::*;

    #[test]
    fn ties_go_to_the_lower_pair_and_zeros_are_taken() {
        // (0,1) and (1,2) tie at 0.5 after rounding, (0,2) differs by less than 1e-10:
        // the two lowest pairs win. Node 3 hangs on 0 by a weight of 0.
        let third = 0.5 + 1e-12;
        let weights = PairWeights::new(4, &[0.5, third, 0.0, 0.5, 0.0, 0.0]);
        let tree = weights.kruskal();
        assert_eq!(tree.edges().collect::<Vec<_>>(), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(tree.arcs(), [(0, 1), (0, 2), (0, 3)]);
    }

    #[test]
    fn no_node_and_one_node_have_no_edge() {
        let none = PairWeights::new(0, &[]).kruskal();
        let one = PairWeights::new(1, &[]).kruskal();
        for tree in [none, one] {
            assert_eq!((tree.edges().count(), tree.weight()), (0, 0.0));
            assert!(tree.arcs().is_empty());
        }
    }

    #[test]
    fn what_makes_no_tree_is_an_error() {
        let tree = SpanningTree::default().extend(4, &[]).unwrap();
        assert!(tree.extend(4, &[0.0; 5]).is_err()); // a member already
        assert!(tree.extend(1, &[0.0; 4]).is_err()); // no weight for node 4
        assert!(tree.extend(1, &[f64::NAN; 5]).is_err());
        assert!(tree.arcs_from(1).is_err());
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
            let weights = PairWeights::new(n, &list);
            let mut order: Vec<usize> = (0..n).collect();
            order.sort_by_key(|&node| keys[node]);
            let before = weights.tree_over(&order[..n - 1]);
            let grown = before.extend(order[n - 1], weights.row(order[n - 1])).unwrap();
            let (last, mut edges) = (order[n - 1], Vec::new());
            before
                .for_each_edge_with(last, |member| weights.get(last, member), |a, b, weight| {
                    assert_eq!(weight, weights.get(a, b));
                    edges.push((a, b));
                })
                .unwrap();
            let mut expected: Vec<(usize, usize)> = grown.edges().collect();
            edges.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(edges, expected);
            prop_assert_eq!(seen(&grown), seen(&weights.kruskal()));
        }
    }
}
