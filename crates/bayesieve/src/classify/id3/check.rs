//! A tree from a file, checked before it is trusted.

use super::{Id3, Id3Split};
use crate::error::{Error, Result};

impl Id3 {
    /// Refuses a tree that prediction could get lost in: children must stand behind their
    /// parents, and features and classes must exist.
    pub(in crate::classify) fn check_whole(
        &self,
        kinds: &[Option<usize>],
        n_classes: usize,
    ) -> Result<()> {
        let broken = |what: &str| {
            Err(Error::data(format!("the tree's {what}")).with_hint("Train the model again."))
        };
        if self.kinds != kinds || self.n_classes != n_classes {
            return broken("columns or classes are not those of the model");
        }
        if self.nodes.is_empty() {
            return broken("nodes are missing");
        }
        for (place, node) in self.nodes.iter().enumerate() {
            if node
                .class_counts
                .iter()
                .any(|&(class, _)| class as usize >= n_classes)
            {
                return broken("classes are unknown");
            }
            let (feature, children, is_nominal) = match &node.split {
                None => continue,
                Some(Id3Split::Nominal {
                    feature,
                    branches,
                    largest,
                }) => {
                    let children = branches.iter().map(|&(_, child)| child);
                    (
                        *feature,
                        children.chain([*largest]).collect::<Vec<_>>(),
                        true,
                    )
                }
                Some(Id3Split::Numeric {
                    feature,
                    below,
                    above,
                    largest,
                    ..
                }) => (*feature, vec![*below, *above, *largest], false),
            };
            let is_known = kinds
                .get(feature)
                .is_some_and(|kind| kind.is_some() == is_nominal);
            if !is_known {
                return broken("questions ask for columns that are not there");
            }
            if children
                .iter()
                .any(|&child| child <= place || child >= self.nodes.len())
            {
                return broken("branches lead nowhere");
            }
        }
        Ok(())
    }
}
