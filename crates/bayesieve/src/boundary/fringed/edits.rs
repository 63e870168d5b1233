//! What each of the fourteen moves changes, and when it is possible.
//!
//! The class is C; what a move needs keeps the four conditions of a fringed C-RPDAG.

use super::{FringedGraph, Link};
use crate::boundary::operator::{Operator, OperatorKind};

/// What a move makes of a graph.
#[derive(Default)]
pub(super) struct Edit {
    /// New parents of some nodes, rising.
    pub(super) parents: Vec<(usize, Vec<usize>)>,
    pub(super) no_longer_siblings: Vec<usize>,
    pub(super) new_siblings: Vec<usize>,
}

impl FringedGraph {
    /// What a move changes; `None` where it is not possible.
    pub(super) fn edit(&self, operator: Operator) -> Option<Edit> {
        let Operator { kind, x, other } = operator;
        let (class, n_nodes) = (self.class, self.n_nodes);
        if x == class || x >= n_nodes || other >= n_nodes || x == other {
            return None;
        }
        match kind {
            OperatorKind::AddHeadToHead => self.add_head_to_head(x, other),
            OperatorKind::AddHeadToHeadOfChild | OperatorKind::AddParentOfChild => {
                self.add_parent_of_child(kind, x, other)
            }
            OperatorKind::AddChildOfChild => self.add_child_of_child(x, other),
            OperatorKind::DropParentOfChild | OperatorKind::DropHeadToHeadOfChild => {
                self.drop_parent_of_child(kind, x, other)
            }
            OperatorKind::DropChildOfChild => self.drop_child_of_child(x, other),
            _ if other != class => None,
            OperatorKind::AddSibling => self.add_sibling(x),
            OperatorKind::AddParent => self.add_parent(x),
            OperatorKind::AddChild => self.add_child(x),
            OperatorKind::DropSibling => self.drop_sibling(x),
            OperatorKind::DropChild => self.drop_child(x),
            OperatorKind::DropHeadToHead => self.drop_head_to_head(x),
            OperatorKind::DropParent => self.drop_parent(x),
        }
    }

    /// Whether a node has no link to the class and no parents.
    fn is_free(&self, node: usize) -> bool {
        self.link(node) == Link::Unlinked && self.parents(node).is_empty()
    }

    fn class_has_parents(&self) -> bool {
        self.parents.contains_key(&self.class)
    }

    fn is_near(&self, node: usize) -> bool {
        matches!(self.link(node), Link::Child | Link::Sibling)
    }

    fn add_sibling(&self, x: usize) -> Option<Edit> {
        let is_possible = self.is_free(x) && !self.class_has_parents();
        is_possible.then(|| Edit {
            new_siblings: vec![x],
            ..Edit::default()
        })
    }

    fn add_head_to_head(&self, x: usize, z: usize) -> Option<Edit> {
        if !self.is_free(x) || !self.siblings.contains(&z) || self.has_fringe(z) {
            return None;
        }
        let others = self.siblings().filter(|&sibling| sibling != z);
        let mut parents: Vec<_> = others.map(|other| (other, vec![self.class])).collect();
        parents.push((self.class, vec![x.min(z), x.max(z)]));
        Some(Edit {
            parents,
            no_longer_siblings: self.siblings().collect(),
            ..Edit::default()
        })
    }

    fn add_parent(&self, x: usize) -> Option<Edit> {
        let is_possible = self.is_free(x) && self.class_has_parents();
        is_possible.then(|| self.with_parent(self.class, x))
    }

    fn add_child(&self, x: usize) -> Option<Edit> {
        let is_unlinked = self.link(x) == Link::Unlinked;
        let is_directed = self.class_has_parents() || !self.parents(x).is_empty();
        (is_unlinked && is_directed).then(|| self.with_parent(x, self.class))
    }

    fn add_parent_of_child(&self, kind: OperatorKind, x: usize, y: usize) -> Option<Edit> {
        let is_right = match kind {
            OperatorKind::AddParentOfChild => self.children.contains(&y),
            _ => self.siblings.contains(&y),
        };
        if !is_right || self.parents(y).contains(&x) || self.reaches(y, x) {
            return None;
        }
        if kind == OperatorKind::AddParentOfChild {
            return Some(self.with_parent(y, x));
        }
        Some(Edit {
            parents: vec![(y, vec![x.min(self.class), x.max(self.class)])],
            no_longer_siblings: vec![y],
            ..Edit::default()
        })
    }

    fn add_child_of_child(&self, x: usize, y: usize) -> Option<Edit> {
        let is_possible = y != self.class
            && self.is_near(x)
            && self.link(y) == Link::Unlinked
            && !self.parents(y).contains(&x)
            && !self.reaches(y, x);
        is_possible.then(|| self.with_parent(y, x))
    }

    fn drop_sibling(&self, x: usize) -> Option<Edit> {
        self.siblings.contains(&x).then(|| Edit {
            parents: self.without_fringe_of(x),
            no_longer_siblings: vec![x],
            ..Edit::default()
        })
    }

    fn drop_head_to_head(&self, x: usize) -> Option<Edit> {
        let parents = self.parents(self.class);
        if parents.len() != 2 || !parents.contains(&x) {
            return None;
        }
        let lonely = |child: &usize| self.parents(*child) == [self.class];
        let lonely: Vec<usize> = self.children().filter(lonely).collect();
        let mut edit = Edit {
            parents: vec![(self.class, Vec::new())],
            ..Edit::default()
        };
        edit.parents.extend(lonely.iter().map(|&s| (s, Vec::new())));
        edit.new_siblings = lonely;
        edit.new_siblings
            .extend(parents.iter().filter(|&&parent| parent != x));
        Some(edit)
    }

    fn drop_parent(&self, x: usize) -> Option<Edit> {
        let parents = self.parents(self.class);
        let is_possible = parents.len() >= 3 && parents.contains(&x);
        is_possible.then(|| self.without_parent(self.class, x))
    }

    fn drop_child(&self, x: usize) -> Option<Edit> {
        if !self.children.contains(&x) {
            return None;
        }
        let left = self.parents(x).iter().filter(|&&p| self.is_near(p));
        let mut edit = Edit {
            parents: vec![(x, left.copied().collect())],
            ..Edit::default()
        };
        edit.parents.extend(self.without_fringe_of(x));
        Some(edit)
    }

    fn drop_parent_of_child(&self, kind: OperatorKind, x: usize, y: usize) -> Option<Edit> {
        let parents = self.parents(y);
        if !self.children.contains(&y) || !parents.contains(&x) {
            return None;
        }
        let stays = parents.len() >= 3 || self.class_has_parents();
        match (kind, stays) {
            (OperatorKind::DropParentOfChild, true) => Some(self.without_parent(y, x)),
            (OperatorKind::DropHeadToHeadOfChild, false) => Some(Edit {
                parents: vec![(y, Vec::new())],
                new_siblings: vec![y],
                ..Edit::default()
            }),
            _ => None,
        }
    }

    fn drop_child_of_child(&self, x: usize, y: usize) -> Option<Edit> {
        let is_possible =
            y != self.class && self.link(y) == Link::Unlinked && self.parents(y).contains(&x);
        is_possible.then(|| self.without_parent(y, x))
    }

    fn with_parent(&self, node: usize, parent: usize) -> Edit {
        let mut parents = self.parents(node).to_vec();
        parents.insert(parents.partition_point(|&p| p < parent), parent);
        Edit {
            parents: vec![(node, parents)],
            ..Edit::default()
        }
    }

    fn without_parent(&self, node: usize, parent: usize) -> Edit {
        Edit {
            parents: vec![(node, self.parents_without(node, parent))],
            ..Edit::default()
        }
    }

    fn parents_without(&self, node: usize, parent: usize) -> Vec<usize> {
        let others = self.parents(node).iter().copied();
        others.filter(|&other| other != parent).collect()
    }

    /// The fringe nodes that hang on a node, and what parents they have without it.
    fn without_fringe_of(&self, x: usize) -> Vec<(usize, Vec<usize>)> {
        self.fringe_of(x)
            .map(|w| (w, self.parents_without(w, x)))
            .collect()
    }
}
