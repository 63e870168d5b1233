//! What takes the place of a node's edges when it leaves a maximum spanning tree.
//!
//! The edges that do not touch the node stay: each is the best across some cut, with or
//! without the node. The pieces are rejoined by the best pairs between them. Trying every
//! node by itself would look at up to n² pairs for each. But seen from a root, a pair of
//! nodes lies on both sides of exactly one meeting node (their lowest common ancestor),
//! and what leads out of a subtree follows from its nodes' best pairs beyond each
//! ancestor. So one look at every pair serves all nodes at once.

use std::cmp::Reverse;

use super::{DisjointSets, Link, SpanningTree, check_weight};
use crate::Result;

/// A pair between two pieces: what Kruskal's order looks at, the lower node first.
type Cross = (Reverse<i64>, [usize; 2]);

/// Behind every pair.
const NONE: Cross = (Reverse(i64::MIN), [usize::MAX; 2]);

impl SpanningTree {
    /// The edges that take the place of each node's own when it leaves, by the order of
    /// [`SpanningTree::members`]; `weight_of` gives the weight of two nodes.
    ///
    /// # Errors
    /// A weight is not a number.
    ///
    /// # Cost
    /// O(n²) for all nodes together.
    ///
    /// # Example
    /// ```
    /// use bayesieve::network::learn::SpanningTree;
    ///
    /// let two = SpanningTree::default().extend(0, &[])?.extend(1, &[0.5])?;
    /// let tree = two.extend(2, &[0.1, 0.3])?; // 0 - 1 - 2
    /// let instead = tree.replacements(|a, b| [0.5, 0.1, 0.3][a + b - 1])?;
    /// assert_eq!(instead, [vec![], vec![(0, 2)], vec![]]);
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn replacements(
        &self,
        weight_of: impl Fn(usize, usize) -> f64,
    ) -> Result<Vec<Vec<(usize, usize)>>> {
        let mut pieces = Pieces::new(self);
        for place in 0..self.members.len() {
            pieces.look_from(place, |other| {
                let [a, b] = [place, other].map(|place| self.members[place]);
                let weight = weight_of(a, b);
                check_weight(weight, a, b)?;
                let rounded = Link::new([place, other], weight).rounded;
                Ok((Reverse(rounded), [a.min(b), a.max(b)]))
            })?;
        }
        Ok((0..self.members.len())
            .map(|place| pieces.rejoined(place))
            .collect())
    }
}

/// The rooted tree, and the best pairs between the pieces that each place leaves behind:
/// its children's subtrees and the rest above it.
struct Pieces<'t> {
    tree: &'t SpanningTree,
    parent: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    /// Which of its parent's children a place is.
    slot: Vec<usize>,
    /// The best pair between two children's subtrees, a square of slots per place.
    between: Vec<Vec<Cross>>,
    /// The best pair from a place's subtree to what is not below its parent.
    beyond: Vec<Cross>,
}

impl<'t> Pieces<'t> {
    fn new(tree: &'t SpanningTree) -> Self {
        let n = tree.members.len();
        let mut pieces = Pieces {
            tree,
            parent: vec![None; n],
            children: vec![Vec::new(); n],
            slot: vec![0; n],
            between: Vec::new(),
            beyond: vec![NONE; n],
        };
        for step in &tree.steps {
            pieces.parent[step.node] = Some(step.parent);
            pieces.slot[step.node] = pieces.children[step.parent].len();
            pieces.children[step.parent].push(step.node);
        }
        let square = |children: &Vec<usize>| vec![NONE; children.len() * children.len()];
        pieces.between = pieces.children.iter().map(square).collect();
        pieces
    }

    /// Looks at the pairs of a place with all that is not below it.
    fn look_from(&mut self, from: usize, cross: impl Fn(usize) -> Result<Cross>) -> Result<()> {
        let n = self.parent.len();
        let mut chain = vec![from];
        while let Some(above) = self.parent[chain[chain.len() - 1]] {
            chain.push(above);
        }
        // How far above `from` a place stands; the next one down the chain is towards it.
        let mut height = vec![None; n];
        for (up, &place) in chain.iter().enumerate() {
            height[place] = Some(up);
        }
        // By height of the meeting place: the best pair that meets there.
        let mut meeting = vec![NONE; chain.len()];
        if from != 0 {
            let top = chain.len() - 1;
            meeting[top] = cross(0)?;
        }
        // Where the way from a place meets the chain, and through which child.
        let mut meets = vec![(0, 0); n];
        for step in &self.tree.steps {
            let place = step.node;
            if let Some(up) = height[place] {
                if up > 0 {
                    meeting[up] = meeting[up].min(cross(place)?);
                }
                continue;
            }
            meets[place] = match height[step.parent] {
                Some(up) => (up, place),
                None => meets[step.parent],
            };
            let (up, branch) = meets[place];
            if up == 0 {
                continue;
            }
            let pair = cross(place)?;
            meeting[up] = meeting[up].min(pair);
            let (this, other) = (self.slot[chain[up - 1]], self.slot[branch]);
            let n_children = self.children[chain[up]].len();
            let best = &mut self.between[chain[up]][this * n_children + other];
            *best = pair.min(*best);
        }
        let mut above = NONE;
        for up in (1..chain.len()).rev() {
            let below = &mut self.beyond[chain[up - 1]];
            *below = above.min(*below);
            above = above.min(meeting[up]);
        }
        Ok(())
    }

    /// The best pairs that rejoin what a place leaves behind.
    fn rejoined(&self, place: usize) -> Vec<(usize, usize)> {
        let children = &self.children[place];
        let n = children.len();
        let mut pairs: Vec<(Cross, [usize; 2])> = Vec::new();
        for (i, &child) in children.iter().enumerate() {
            // Every pair was seen from both of its ends.
            pairs.extend((i + 1..n).map(|j| (self.between[place][i * n + j], [i, j])));
            if self.parent[place].is_some() {
                pairs.push((self.beyond[child], [i, n]));
            }
        }
        pairs.sort_unstable();
        let mut parts = DisjointSets::new(n + 1);
        pairs.retain(|&(_, [i, j])| parts.join(i, j));
        let edges = pairs.into_iter().map(|((_, [a, b]), _)| (a, b));
        edges.collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::PairWeights;
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        /// Weights from a handful of values tie often; noise below 1e-10 must not matter.
        #[test]
        fn a_tree_that_a_node_left_is_kruskals_of_the_rest(
            n in 1usize..14,
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
            let tree = weights.tree_over(&order);
            let instead = tree.replacements(|a, b| weights.get(a, b)).unwrap();
            for (place, &gone) in order.iter().enumerate() {
                let stays = tree.edges().filter(|&(a, b)| a != gone && b != gone);
                let mut edges: Vec<(usize, usize)> = stays.chain(instead[place].clone()).collect();
                edges.sort_unstable();
                let rest: Vec<usize> = (0..n).filter(|&node| node != gone).collect();
                let expected = weights.tree_over(&rest);
                let mut expected: Vec<(usize, usize)> = expected.edges().collect();
                expected.sort_unstable();
                prop_assert_eq!(edges, expected);
            }
        }
    }

    #[test]
    fn what_is_no_number_replaces_nothing() {
        let weights = PairWeights::new(3, &[0.5, 0.1, 0.3]);
        let tree = weights.kruskal();
        assert!(tree.replacements(|_, _| f64::NAN).is_err());
        assert!(
            SpanningTree::default()
                .replacements(|_, _| 0.0)
                .unwrap()
                .is_empty()
        );
    }
}
