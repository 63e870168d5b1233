//! Fringed C-RPDAGs: the graphs that a Markov boundary is looked for in.
//!
//! A restricted acyclic partially directed graph around a class C: undirected edges only
//! between C and features, and arcs only as far as they matter to C. Always, with siblings
//! those linked to C by an edge:
//! 1. there is no directed cycle;
//! 2. if C has parents it has at least two of them, and no siblings;
//! 3. a feature with parents either is a child of C, and then it or C has a second parent,
//!    or all of its parents are children or siblings of C (a fringe node);
//! 4. a sibling has no parents.
//!
//! So every graph stands for one class of equivalent networks as seen from C, and the
//! boundary can be read off it. Directing all edges away from C gives one of the networks.
//!
//! Acid, S., de Campos, L. and Castellano, J. (2005). Learning Bayesian network classifiers:
//! searching in a space of partially directed acyclic graphs. Machine Learning 59, 213-235.
//! Acid, S., de Campos, L. and Fernández, M. (2011). Minimum redundancy maximum relevancy
//! versus score-based methods for learning Markov boundaries. ISDA, 619-623.

mod edits;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use super::found::{LocalGraph, MemberRoles};
use super::operator::Operator;
use crate::{Error, Result};

/// A fringed C-RPDAG; no call can make it anything else.
///
/// # Example
/// ```
/// use bayesieve::boundary::{FringedGraph, Operator, OperatorKind};
///
/// // Nodes 0 to 2, and the class 3.
/// let mut graph = FringedGraph::new(4, 3);
/// graph.apply(Operator { kind: OperatorKind::AddSibling, x: 0, other: 3 })?;
/// graph.apply(Operator { kind: OperatorKind::AddHeadToHeadOfChild, x: 1, other: 0 })?;
/// assert_eq!(graph.roles().members(), [0, 1]); // a child and the child's other parent
/// // A parent alone could as well be a child: only an edge would be right.
/// assert!(graph.apply(Operator { kind: OperatorKind::AddParent, x: 2, other: 3 }).is_err());
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FringedGraph {
    n_nodes: usize,
    class: usize,
    /// Of the nodes that have any, rising.
    parents: BTreeMap<usize, Vec<usize>>,
    /// The same arcs from above: of the nodes that have any, who has them as a parent.
    below: BTreeMap<usize, BTreeSet<usize>>,
    siblings: BTreeSet<usize>,
    children: BTreeSet<usize>,
}

/// What a node is to the class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// An arc to the class.
    Parent,
    /// An arc from the class.
    Child,
    /// An edge.
    Sibling,
    /// None of them.
    Unlinked,
}

/// A node whose family a move changes; edges count as arcs from the class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyChange {
    /// The node.
    pub node: usize,
    /// Its parents so far, rising.
    pub before: Vec<usize>,
    /// Its parents then, rising.
    pub after: Vec<usize>,
}

impl FringedGraph {
    /// The graph without any link.
    ///
    /// # Panics
    /// If the class is not one of the nodes.
    pub fn new(n_nodes: usize, class: usize) -> Self {
        assert!(class < n_nodes, "no node {class}");
        FringedGraph {
            n_nodes,
            class,
            parents: BTreeMap::new(),
            below: BTreeMap::new(),
            siblings: BTreeSet::new(),
            children: BTreeSet::new(),
        }
    }

    /// Number of nodes, the class included.
    pub fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// The class.
    pub fn class(&self) -> usize {
        self.class
    }

    /// The nodes with an arc to this one, rising.
    pub fn parents(&self, node: usize) -> &[usize] {
        self.parents.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The parents of a node when edges are arcs from the class: what its local score is of.
    pub fn family(&self, node: usize) -> &[usize] {
        if self.siblings.contains(&node) {
            std::slice::from_ref(&self.class)
        } else {
            self.parents(node)
        }
    }

    /// The children of the class, rising.
    pub fn children(&self) -> impl Iterator<Item = usize> {
        self.children.iter().copied()
    }

    /// The siblings of the class, rising.
    pub fn siblings(&self) -> impl Iterator<Item = usize> {
        self.siblings.iter().copied()
    }

    /// The nodes that have parents but not the class among them, rising. The class is none.
    pub fn fringe(&self) -> impl Iterator<Item = usize> {
        self.parents
            .keys()
            .copied()
            .filter(|node| *node != self.class && !self.children.contains(node))
    }

    /// What a node is to the class.
    pub fn link(&self, node: usize) -> Link {
        if self.children.contains(&node) {
            Link::Child
        } else if self.siblings.contains(&node) {
            Link::Sibling
        } else if self.parents(self.class).contains(&node) {
            Link::Parent
        } else {
            Link::Unlinked
        }
    }

    /// The nodes with a directed path to this one, itself included.
    pub fn ancestors(&self, node: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::from([node]);
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let new = self.parents(node).iter().filter(|&&p| found.insert(p));
            open.extend(new);
        }
        found
    }

    /// The nodes with a directed path from this one, itself included.
    pub fn descendants(&self, node: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::from([node]);
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let new = self.below(node).filter(|&child| found.insert(child));
            open.extend(new);
        }
        found
    }

    /// The nodes with an arc from this one, rising.
    fn below(&self, node: usize) -> impl Iterator<Item = usize> {
        self.below.get(&node).into_iter().flatten().copied()
    }

    /// The fringe nodes that hang on a node, rising.
    fn fringe_of(&self, node: usize) -> impl Iterator<Item = usize> {
        self.below(node)
            .filter(|below| *below != self.class && !self.children.contains(below))
    }

    /// Whether fringe nodes hang on a node.
    pub fn has_fringe(&self, node: usize) -> bool {
        self.fringe_of(node).next().is_some()
    }

    fn reaches(&self, from: usize, to: usize) -> bool {
        self.ancestors(to).contains(&from)
    }

    /// Makes a move.
    ///
    /// # Errors
    /// The graph would not be a fringed C-RPDAG any longer, or the move does not make sense
    /// in it. The graph is then as it was.
    pub fn apply(&mut self, operator: Operator) -> Result<()> {
        let Some(edit) = self.edit(operator) else {
            return Err(Error::internal(format!(
                "{} of {} and {} is not possible in this graph",
                operator.kind, operator.x, operator.other
            )));
        };
        for node in edit.no_longer_siblings {
            self.siblings.remove(&node);
        }
        self.siblings.extend(edit.new_siblings);
        for (node, parents) in edit.parents {
            if parents.contains(&self.class) {
                self.children.insert(node)
            } else {
                self.children.remove(&node)
            };
            self.set_parents(node, parents);
        }
        Ok(())
    }

    fn set_parents(&mut self, node: usize, parents: Vec<usize>) {
        for parent in self.parents.remove(&node).unwrap_or_default() {
            if let Some(below) = self.below.get_mut(&parent) {
                below.remove(&node);
                if below.is_empty() {
                    self.below.remove(&parent);
                }
            }
        }
        for &parent in &parents {
            self.below.entry(parent).or_default().insert(node);
        }
        if !parents.is_empty() {
            self.parents.insert(node, parents);
        }
    }

    /// The families that a move changes; `None` where it is not possible.
    pub fn changes(&self, operator: Operator) -> Option<Vec<FamilyChange>> {
        let edit = self.edit(operator)?;
        let parents = edit.parents.iter();
        let mut after: BTreeMap<usize, Vec<usize>> = parents.cloned().collect();
        for &node in &edit.no_longer_siblings {
            after.entry(node).or_default();
        }
        for &node in &edit.new_siblings {
            after.insert(node, vec![self.class]);
        }
        let changes = after.into_iter().map(|(node, after)| FamilyChange {
            node,
            before: self.family(node).to_vec(),
            after,
        });
        Some(changes.filter(|c| c.before != c.after).collect())
    }

    /// The Markov boundary of the class, by roles.
    pub fn roles(&self) -> MemberRoles {
        let of_children = self.children().flat_map(|child| self.parents(child));
        let spouses: BTreeSet<usize> = of_children.copied().collect();
        let is_spouse =
            |node: &usize| *node != self.class && matches!(self.link(*node), Link::Unlinked);
        MemberRoles {
            parents: self.parents(self.class).to_vec(),
            children: self.children().collect(),
            siblings: self.siblings().collect(),
            spouses: spouses.into_iter().filter(is_spouse).collect(),
            open: Vec::new(),
        }
    }

    /// All arcs and edges.
    pub fn local_graph(&self) -> LocalGraph {
        let mut arcs: Vec<(usize, usize)> = self
            .parents
            .iter()
            .flat_map(|(&node, parents)| parents.iter().map(move |&parent| (parent, node)))
            .collect();
        arcs.sort_unstable();
        let edge = |sibling: usize| (sibling.min(self.class), sibling.max(self.class));
        let mut edges: Vec<(usize, usize)> = self.siblings().map(edge).collect();
        edges.sort_unstable();
        LocalGraph { arcs, edges }
    }
}
