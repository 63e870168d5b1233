//! The score when one feature leaves: what its edges were worth, and what replaces them.

use rayon::prelude::*;

use super::{Added, DescriptionLength, Sign};
use crate::network::learn::SpanningTree;
use crate::score::{Auxiliary, FeatureSet, Structure};
use crate::{Error, Observer, Result, check};

/// What a tree loses and gains with each member, by the member's place in the tree.
#[derive(Default)]
struct Changes {
    lost: Vec<Vec<(usize, usize)>>,
    gained: Vec<Vec<(usize, usize)>>,
}

impl Changes {
    fn new(tree: &SpanningTree, weight_of: impl Fn(usize, usize) -> f64) -> Result<Self> {
        let members = tree.members();
        let mut lost = vec![Vec::new(); members.len()];
        let place = |node: usize| {
            let place = members.binary_search(&node);
            place.map_err(|_| Error::internal("an edge without its node"))
        };
        for (a, b) in tree.edges() {
            lost[place(a)?].push((a, b));
            lost[place(b)?].push((a, b));
        }
        Ok(Changes {
            lost,
            gained: tree.replacements(weight_of)?,
        })
    }

    /// Calls `change` for every edge that goes or comes when a member leaves.
    fn for_each(&self, place: usize, mut change: impl FnMut((usize, usize), Sign)) {
        let edges = |list: &[Vec<(usize, usize)>]| list.get(place).cloned().unwrap_or_default();
        edges(&self.lost)
            .into_iter()
            .for_each(|edge| change(edge, Sign::Out));
        edges(&self.gained)
            .into_iter()
            .for_each(|edge| change(edge, Sign::In));
    }
}

impl DescriptionLength<'_, '_> {
    /// The score of a set without each candidate; not for the complete auxiliary network.
    ///
    /// # Cost
    /// O(k²) for all candidates together.
    pub(super) fn without_each(
        &self,
        base: &FeatureSet,
        candidates: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        self.count_pairs_of(base.iter(), observer)?;
        let trees = self.trees(base, observer)?;
        let mut added = self.added_by_features(base);
        for (a, b) in trees.classifier.edges() {
            self.add_edge(&mut added, (a, b), Sign::In);
        }
        for (a, b) in trees.auxiliary.edges() {
            added.auxiliary.add(self.edge(a, b).mutual);
        }
        let mut classifier = Changes::default();
        if self.structure == Structure::Tan {
            let weight_of = |a, b| self.edge(a, b).given_class;
            classifier = Changes::new(&trees.classifier, weight_of)?;
        }
        let mut auxiliary = Changes::default();
        if self.auxiliary_tree_is(Auxiliary::Tree) {
            let weight_of = |a, b| self.edge(a, b).mutual;
            auxiliary = Changes::new(&trees.auxiliary, weight_of)?;
        }
        let members: Vec<usize> = base.iter().collect();
        candidates
            .par_iter()
            .map(|&candidate| {
                check(observer)?;
                let place = members.binary_search(&candidate);
                let place = place.map_err(|_| Error::internal("no such feature to leave"))?;
                let mut added: Added = added;
                self.add_feature(&mut added, candidate, Sign::Out);
                classifier.for_each(place, |edge, sign| self.add_edge(&mut added, edge, sign));
                auxiliary.for_each(place, |(a, b), sign| {
                    added.auxiliary.add(sign.of(self.edge(a, b).mutual));
                });
                Ok(self.value(&added))
            })
            .collect()
    }
}
