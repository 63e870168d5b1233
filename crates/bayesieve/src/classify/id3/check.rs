//! A tree from a file, checked before it is trusted.

use std::collections::HashSet;

use super::{Id3, Id3Node, Id3Split};
use crate::{Error, Result};

impl Id3 {
    /// Refuses a tree that was not grown from these columns and classes: prediction could
    /// get lost in it, or answer what no training said.
    ///
    /// Every node but the root is the child of one node before it, and the rows of a node
    /// are those of its children.
    pub(crate) fn check_whole(&self, kinds: &[Option<usize>], class_counts: &[u64]) -> Result<()> {
        if self.kinds != kinds || self.n_classes != class_counts.len() {
            return broken("columns or classes are not those of the model");
        }
        for node in &self.nodes {
            node.check_counts(self.n_classes)?;
        }
        self.check_root(class_counts)?;
        let mut is_child = vec![false; self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            let Some(split) = &node.split else { continue };
            split.check(kinds)?;
            let mut n_rows = 0;
            for child in split.children() {
                match is_child.get_mut(child) {
                    Some(is_child) if child > place && !*is_child => *is_child = true,
                    _ => return broken("branches lead nowhere, or two of them to one node"),
                }
                n_rows += self.nodes[child].n_rows();
            }
            if n_rows != node.n_rows() {
                return broken("branches have other rows than the node they leave");
            }
        }
        if is_child.iter().skip(1).any(|is_child| !is_child) {
            return broken("nodes are not all reached");
        }
        Ok(())
    }

    /// The root must hold the rows of training; the nodes' counts were checked.
    fn check_root(&self, class_counts: &[u64]) -> Result<()> {
        let Some(root) = self.nodes.first() else {
            return broken("nodes are missing");
        };
        let mut counts = vec![0; class_counts.len()];
        for &(class, n) in &root.class_counts {
            counts[class as usize] = u64::from(n);
        }
        if counts != class_counts {
            return broken("root has other class counts than the model");
        }
        Ok(())
    }
}

impl Id3Node {
    fn n_rows(&self) -> u64 {
        self.class_counts.iter().map(|&(_, n)| u64::from(n)).sum()
    }

    /// Known classes, each once and with rows, the most frequent first.
    fn check_counts(&self, n_classes: usize) -> Result<()> {
        let mut seen = HashSet::new();
        let is_right =
            |&(class, n): &(u32, u32)| (class as usize) < n_classes && n > 0 && seen.insert(class);
        if self.class_counts.is_empty() || !self.class_counts.iter().all(is_right) {
            return broken("class counts are of no rows or of unknown classes");
        }
        if !self.class_counts.is_sorted_by(|a, b| a.1 >= b.1) {
            return broken("class counts do not begin with the most frequent class");
        }
        Ok(())
    }
}

impl Id3Split {
    fn children(&self) -> Vec<usize> {
        match self {
            Id3Split::Nominal { branches, .. } => {
                branches.iter().map(|&(_, child)| child).collect()
            }
            Id3Split::Numeric { below, above, .. } => vec![*below, *above],
        }
    }

    /// A column of its kind, codes of its domain that rise, and a largest branch.
    fn check(&self, kinds: &[Option<usize>]) -> Result<()> {
        let (feature, largest) = match self {
            Id3Split::Nominal {
                feature, largest, ..
            }
            | Id3Split::Numeric {
                feature, largest, ..
            } => (*feature, *largest),
        };
        match (self, kinds.get(feature)) {
            (Id3Split::Nominal { branches, .. }, Some(&Some(n_values))) => {
                if branches.iter().any(|&(code, _)| code as usize >= n_values) {
                    return broken("branches are of values that the feature does not have");
                }
                if !branches.is_sorted_by(|a, b| a.0 < b.0) {
                    return broken("branches are not in the order of the values");
                }
            }
            (Id3Split::Numeric { cut, .. }, Some(None)) if cut.is_finite() => {}
            _ => return broken("questions ask for columns that are not there"),
        }
        if !self.children().contains(&largest) {
            return broken("largest branch is none of the branches");
        }
        Ok(())
    }
}

fn broken<T>(what: &str) -> Result<T> {
    Err(Error::data(format!("the tree's {what}")).with_hint("Train the model again."))
}
