//! MDL and MDL-FS: what a selective classifier costs to describe, in bits.
//!
//! Paper: Drugan and Wiering, 2010, sections 3 to 5. With N rows, B the classifier over
//! all features (those not selected are isolated nodes) and S a network over the features
//! alone, the auxiliary one:
//!
//! - `LL = -N sum_v H(v | parents of v)`, `|B| = sum_v (r_v - 1) prod r_parents`;
//! - `MDL = log2(N)/2 |B| - LL(B)`;
//! - `MDL-FS = log2(N)/2 |B| - (LL(B) - LL(S))`; the auxiliary network is not penalized.
//!
//! Smaller is better. Both likelihoods follow from informations: with W_c the weight of
//! the classifier's tree under I(.;.|C) and W that of the auxiliary tree under I(.;.),
//! `(LL(B) - LL(S))/N = sum_A I(A;C) + W_c - W - H(C)`.
//! With names counted, `log2 C(n, k) + log2(n + 1)` bits join either score: how many of the n
//! candidates are kept, and which; and `log2(N - 1)` for every cut point that was chosen by the
//! class. Without them, some of many columns pass by chance.
//! And `|B|` of a TAN does not depend on the tree's root: over kept features v and tree
//! edges uv it is `r_C - 1 + r_C [sum_v (r_v - 1) + sum_uv (r_u - 1)(r_v - 1)]`.
//! Cost: a pair table for every kept feature with every other; then a step of a forward
//! search is O(n k), since a tree that one feature joins lies in the old tree and a star.
//!
//! Drugan, M. and Wiering, M. (2010). Feature selection for Bayesian network classifiers
//! using the MDL-FS score. International Journal of Approximate Reasoning 51, 695-717.

mod leaving;
mod naming;

use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use serde::Deserialize;

use naming::Naming;

use super::{FeatureSet, Score, Structure};
use crate::info::{Informations, PairInformation, PairRows};
use crate::math::{OrderFreeSum, n_log_n};
use crate::network::learn::SpanningTree;
use crate::stats::Better;
use crate::{Error, Observer, Result, check};

/// The network over the features alone that MDL-FS measures the classifier against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Auxiliary {
    /// The tree of largest likelihood over the kept features.
    #[default]
    Tree,
    /// The classifier's own tree; naive Bayes has none.
    OwnTree,
    /// No arc: MDL-FS then orders sets as MDL does.
    Empty,
    /// Every feature tied to every other: the joint entropy of the kept features.
    Complete,
}

/// What two features tell about each other, without and with the class known.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PairEdge {
    pub(super) mutual: f64,
    pub(super) given_class: f64,
}

impl From<&PairInformation> for PairEdge {
    fn from(pair: &PairInformation) -> Self {
        PairEdge {
            mutual: pair.mutual,
            given_class: pair.given_class,
        }
    }
}

/// MDL, or with an auxiliary network MDL-FS, of selective naive Bayes or TAN.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::Nominal;
/// use bayesieve::info::Informations;
/// use bayesieve::score::{Auxiliary, DescriptionLength, FeatureSet, Score, Structure};
///
/// let a = Nominal::from_labels(["0", "0", "1", "1"].map(Some));
/// let class = a.clone();
/// let info = Informations::new(&[&a], &class)?;
/// let score = DescriptionLength::mdl_fs(&info, Structure::NaiveBayes, Auxiliary::Tree)?;
/// let sets = [FeatureSet::empty(1), FeatureSet::full(1)];
/// // log2(4)/2 = 1 bit per parameter: 2 of them and 4 bits for the class without the
/// // feature; 3 parameters and nothing else with it.
/// assert_eq!(score.evaluate(&sets, &Silent)?, [6.0, 3.0]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug)]
pub struct DescriptionLength<'i, 'a> {
    info: &'i Informations<'a>,
    structure: Structure,
    auxiliary: Option<Auxiliary>,
    pairs: PairRows<'i, 'a, PairEdge>,
    /// Parameters of the class and all features as isolated nodes.
    isolated_parameters: f64,
    /// Bits per row of the empty set, but for the penalty.
    empty: OrderFreeSum,
    /// The trees of the set extended last: a walk's next one has a feature more.
    last: Mutex<(FeatureSet, Arc<Trees>)>,
    /// What naming the kept features costs, where it counts.
    naming: Option<Naming>,
}

/// Whether something comes in or goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    In,
    Out,
}

impl Sign {
    fn of(self, x: f64) -> f64 {
        match self {
            Sign::In => x,
            Sign::Out => -x,
        }
    }
}

/// What a set adds to the score of the empty one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Added {
    /// Features in the set.
    pub(super) n_kept: usize,
    /// Their cut points, where they are to be named.
    pub(super) n_cuts: usize,
    /// Parameters beyond those of isolated nodes.
    pub(super) n_parameters: f64,
    /// `sum I(A;C) + W_c`.
    pub(super) information: OrderFreeSum,
    /// `W`.
    pub(super) auxiliary: OrderFreeSum,
}

impl<'i, 'a> DescriptionLength<'i, 'a> {
    /// The plain description length.
    ///
    /// # Errors
    /// Fewer than two rows.
    pub fn mdl(info: &'i Informations<'a>, structure: Structure) -> Result<Self> {
        Self::new(info, structure, None)
    }

    /// The description length for feature selection.
    ///
    /// # Errors
    /// Fewer than two rows.
    pub fn mdl_fs(
        info: &'i Informations<'a>,
        structure: Structure,
        auxiliary: Auxiliary,
    ) -> Result<Self> {
        Self::new(info, structure, Some(auxiliary))
    }

    fn new(
        info: &'i Informations<'a>,
        structure: Structure,
        auxiliary: Option<Auxiliary>,
    ) -> Result<Self> {
        if info.n_rows() < 2 {
            return Err(Error::data("a description length needs at least two rows"));
        }
        let free = |n: usize| n.saturating_sub(1) as f64;
        let features = (0..info.n_features()).map(|f| free(info.n_values(f)));
        let mut empty = OrderFreeSum::default();
        empty.add(info.class_entropy());
        if auxiliary.is_none() {
            let singles = info.singles().iter();
            singles.for_each(|single| empty.add(single.feature_entropy));
        }
        Ok(DescriptionLength {
            info,
            structure,
            auxiliary,
            pairs: PairRows::new(info, |pair| PairEdge::from(pair)),
            isolated_parameters: free(info.n_classes()) + features.sum::<f64>(),
            empty,
            last: Mutex::new((FeatureSet::empty(info.n_features()), Arc::default())),
            naming: None,
        })
    }

    /// With the bits that name the kept ones among so many candidates (all columns that were
    /// looked at, also those that had no part in the end), and the cut points of each feature.
    pub fn with_naming(mut self, n_candidates: usize, n_cuts: Vec<usize>) -> Self {
        let n_candidates = n_candidates.max(self.info.n_features());
        self.naming = Some(Naming::new(n_candidates, self.info.n_rows(), n_cuts));
        self
    }

    /// The bits that name a feature and its cut points, for one more than so many; none where
    /// names are free.
    pub fn naming_bits(&self, feature: usize, n_kept: usize) -> f64 {
        let naming = self.naming.as_ref();
        naming.map_or(0.0, |naming| naming.bits_of_next(n_kept, feature))
    }

    /// Whether the score reads pairs at all.
    fn reads_pairs(&self) -> bool {
        self.structure == Structure::Tan || self.auxiliary == Some(Auxiliary::Tree)
    }

    fn auxiliary_tree_is(&self, auxiliary: Auxiliary) -> bool {
        self.auxiliary == Some(auxiliary)
    }

    /// The weights of a feature with all others, where trees need them.
    fn stars(&self, feature: usize, observer: &dyn Observer) -> Result<Stars> {
        let row = self.pairs.row(feature, observer)?;
        Ok(Stars {
            mutual: row.iter().map(|edge| edge.mutual).collect(),
            given_class: row.iter().map(|edge| edge.given_class).collect(),
        })
    }

    /// The trees over a set.
    fn trees(&self, set: &FeatureSet, observer: &dyn Observer) -> Result<Trees> {
        self.grown(Trees::default(), set.iter(), observer)
    }

    /// The trees over a set, grown from those of the set asked about last where that lies
    /// within; there is only one maximum tree, whichever way it grew.
    fn trees_by_walk(&self, set: &FeatureSet, observer: &dyn Observer) -> Result<Arc<Trees>> {
        let (before, trees) = {
            let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            last.clone()
        };
        let trees = if before.iter().all(|feature| set.contains(feature)) {
            let new = set.iter().filter(|&feature| !before.contains(feature));
            Arc::new(self.grown(Trees::clone(&trees), new, observer)?)
        } else {
            Arc::new(self.trees(set, observer)?)
        };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = (set.clone(), Arc::clone(&trees));
        Ok(trees)
    }

    /// Trees with more features.
    fn grown(
        &self,
        mut trees: Trees,
        features: impl Iterator<Item = usize>,
        observer: &dyn Observer,
    ) -> Result<Trees> {
        if !self.reads_pairs() {
            return Ok(trees);
        }
        let features: Vec<usize> = features.collect();
        self.pairs.count_rows(&features, observer)?;
        for feature in features {
            let stars = self.stars(feature, observer)?;
            if self.structure == Structure::Tan {
                trees.classifier = trees.classifier.extend(feature, &stars.given_class)?;
            }
            if self.auxiliary_tree_is(Auxiliary::Tree) {
                trees.auxiliary = trees.auxiliary.extend(feature, &stars.mutual)?;
            }
        }
        Ok(trees)
    }

    /// The trees of the score over a set: of the classifier, and the auxiliary one.
    ///
    /// # Errors
    /// The observer cancelled.
    pub(super) fn edges(&self, set: &FeatureSet, observer: &dyn Observer) -> Result<EdgeLists> {
        let trees = self.trees(set, observer)?;
        let classifier: Vec<(usize, usize)> = trees.classifier.edges().collect();
        Ok(EdgeLists {
            auxiliary: match self.auxiliary {
                Some(Auxiliary::Tree) => trees.auxiliary.edges().collect(),
                Some(Auxiliary::OwnTree) => classifier.clone(),
                _ => Vec::new(),
            },
            classifier,
        })
    }

    /// What a feature adds by itself.
    fn add_feature(&self, added: &mut Added, feature: usize, sign: Sign) {
        let free = |n: usize| n.saturating_sub(1) as f64;
        let n_cuts = self.naming.as_ref().map_or(0, |one| one.n_cuts(feature));
        match sign {
            Sign::In => {
                added.n_kept += 1;
                added.n_cuts += n_cuts;
            }
            Sign::Out => {
                added.n_kept = added.n_kept.saturating_sub(1);
                added.n_cuts = added.n_cuts.saturating_sub(n_cuts);
            }
        }
        let n_classes = self.info.n_classes();
        added.n_parameters += sign.of(free(n_classes) * free(self.info.n_values(feature)));
        added
            .information
            .add(sign.of(self.info.single(feature).mutual));
    }

    /// What an edge of the classifier's tree adds.
    fn add_edge(&self, added: &mut Added, (a, b): (usize, usize), sign: Sign) {
        let free = |feature: usize| self.info.n_values(feature).saturating_sub(1) as f64;
        let edge = self.edge(a, b);
        added.n_parameters += sign.of(self.info.n_classes() as f64 * free(a) * free(b));
        added.information.add(sign.of(edge.given_class));
        if self.auxiliary_tree_is(Auxiliary::OwnTree) {
            added.auxiliary.add(sign.of(edge.mutual));
        }
    }

    /// A pair of which at least one row has been counted.
    fn edge(&self, a: usize, b: usize) -> PairEdge {
        let edge = self.pairs.known(a, b).or_else(|| self.pairs.known(b, a));
        edge.unwrap_or_default()
    }

    /// Counts the pairs of these features with all others, where trees need them.
    fn count_pairs_of(
        &self,
        features: impl Iterator<Item = usize>,
        observer: &dyn Observer,
    ) -> Result<()> {
        if !self.reads_pairs() {
            return Ok(());
        }
        self.pairs
            .count_rows(&features.collect::<Vec<_>>(), observer)
    }

    /// What a set adds but for its trees, which the next feature changes.
    fn added_by_features(&self, set: &FeatureSet) -> Added {
        let mut added = Added::default();
        set.iter()
            .for_each(|f| self.add_feature(&mut added, f, Sign::In));
        added
    }

    /// What a set adds with its trees, but for a complete network.
    fn added_by_trees(&self, set: &FeatureSet, observer: &dyn Observer) -> Result<Added> {
        let trees = self.trees(set, observer)?;
        let mut added = self.added_by_features(set);
        for (a, b) in trees.classifier.edges() {
            self.add_edge(&mut added, (a, b), Sign::In);
        }
        for (a, b) in trees.auxiliary.edges() {
            added.auxiliary.add(self.edge(a, b).mutual);
        }
        Ok(added)
    }

    /// What a set adds, trees and all.
    pub(super) fn added(&self, set: &FeatureSet, observer: &dyn Observer) -> Result<Added> {
        let mut added = self.added_by_trees(set, observer)?;
        if self.auxiliary_tree_is(Auxiliary::Complete) {
            let ties = self.ties(std::slice::from_ref(set), observer)?;
            ties.iter().for_each(|&ties| added.auxiliary.add(ties));
        }
        Ok(added)
    }

    /// The score with one more feature; `ties` are those of the complete network.
    fn extended(&self, base: &Base, feature: usize, ties: f64) -> Result<f64> {
        let mut added = base.added;
        self.add_feature(&mut added, feature, Sign::In);
        if self.structure == Structure::Tan {
            base.trees.classifier.for_each_edge_with(
                feature,
                |member| self.edge(member, feature).given_class,
                |a, b, _| self.add_edge(&mut added, (a, b), Sign::In),
            )?;
        }
        match self.auxiliary {
            Some(Auxiliary::Tree) => base.trees.auxiliary.for_each_edge_with(
                feature,
                |member| self.edge(member, feature).mutual,
                |_, _, weight| added.auxiliary.add(weight),
            )?,
            Some(Auxiliary::Complete) => added.auxiliary.add(ties),
            _ => {}
        }
        Ok(self.value(&added))
    }

    /// What the complete network over each of some sets saves over the empty one.
    fn ties(&self, sets: &[FeatureSet], observer: &dyn Observer) -> Result<Vec<f64>> {
        let members = sets.iter().map(|set| set.iter().collect());
        let members: Vec<Vec<usize>> = members.filter(|m: &Vec<usize>| !m.is_empty()).collect();
        let ties = self
            .info
            .nodes()
            .map_rows(&members, observer, |place, rows| {
                let sizes = rows.sizes(&rows.parts(0..rows.n_nodes())?);
                Ok(self.ties_of(&members[place], &sizes))
            })?;
        let mut ties = ties.into_iter();
        // Nothing is tied to nothing.
        let of_set = |set: &FeatureSet| if set.is_empty() { None } else { ties.next() };
        Ok(sets
            .iter()
            .map(of_set)
            .map(Option::unwrap_or_default)
            .collect())
    }

    /// The same of a set with each of some candidates.
    fn ties_with_each(
        &self,
        set: &FeatureSet,
        candidates: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        if !self.auxiliary_tree_is(Auxiliary::Complete) {
            return Ok(vec![0.0; candidates.len()]);
        }
        let members: Vec<usize> = set.iter().collect();
        let nodes = self.info.nodes();
        nodes.map_sizes(&members, candidates, observer, |place, sizes| {
            self.ties_of(&[&members[..], &[candidates[place]]].concat(), sizes)
        })
    }

    /// `sum H(A) - H(all)`: what the complete network saves over the empty one.
    fn ties_of(&self, members: &[usize], sizes_of_parts: &[u64]) -> f64 {
        let mut sum = OrderFreeSum::default();
        let singles = members.iter().map(|&feature| self.info.single(feature));
        singles.for_each(|single| sum.add(single.feature_entropy));
        // The order of the parts is that in which the features joined: it must not matter.
        let mut sizes = OrderFreeSum::default();
        sizes_of_parts.iter().for_each(|&n| sizes.add(n_log_n(n)));
        let n = self.info.n_rows() as u64;
        sum.add((sizes.value() - n_log_n(n)) / n as f64);
        sum.value()
    }

    /// The score, from what the set adds to the empty one.
    pub(super) fn value(&self, added: &Added) -> f64 {
        let n = self.info.n_rows() as f64;
        let n_parameters = self.isolated_parameters + added.n_parameters;
        let mut bits = self.empty;
        bits.subtract(added.information.value());
        if self.auxiliary.is_some() {
            bits.add(added.auxiliary.value());
        }
        let length = n.log2() / 2.0 * n_parameters + n * bits.value();
        match &self.naming {
            Some(naming) => length + naming.bits(added.n_kept, added.n_cuts),
            None => length,
        }
    }
}

/// The edges of both trees, the lower feature first.
#[derive(Debug, Clone, Default)]
pub(super) struct EdgeLists {
    pub(super) classifier: Vec<(usize, usize)>,
    pub(super) auxiliary: Vec<(usize, usize)>,
}

/// The weights of one feature with all others.
struct Stars {
    mutual: Vec<f64>,
    given_class: Vec<f64>,
}

#[derive(Debug, Clone, Default)]
struct Trees {
    classifier: SpanningTree,
    auxiliary: SpanningTree,
}

/// A set that candidates join.
struct Base {
    trees: Arc<Trees>,
    added: Added,
}

impl Score for DescriptionLength<'_, '_> {
    fn name(&self) -> &'static str {
        match self.auxiliary {
            None => "mdl",
            Some(_) => "mdl-fs",
        }
    }

    fn unit(&self) -> &'static str {
        "bits"
    }

    fn better(&self) -> Better {
        Better::Lower
    }

    fn n_features(&self) -> usize {
        self.info.n_features()
    }

    fn evaluate(&self, sets: &[FeatureSet], observer: &dyn Observer) -> Result<Vec<f64>> {
        let mut needed = FeatureSet::empty(self.n_features());
        for set in sets {
            set.iter().for_each(|feature| needed.insert(feature));
        }
        self.count_pairs_of(needed.iter(), observer)?;
        let ties = if self.auxiliary_tree_is(Auxiliary::Complete) {
            self.ties(sets, observer)?
        } else {
            vec![0.0; sets.len()]
        };
        sets.par_iter()
            .zip(ties)
            .map(|(set, ties)| {
                check(observer)?;
                let mut added = self.added_by_trees(set, observer)?;
                added.auxiliary.add(ties);
                Ok(self.value(&added))
            })
            .collect()
    }

    fn change(
        &self,
        base: &FeatureSet,
        candidates: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        if candidates.iter().any(|&candidate| base.contains(candidate)) {
            return if self.auxiliary_tree_is(Auxiliary::Complete) {
                self.evaluate(&base.changed(candidates), observer)
            } else {
                self.without_each(base, candidates, observer)
            };
        }
        let ties = self.ties_with_each(base, candidates, observer)?;
        let base = Base {
            trees: self.trees_by_walk(base, observer)?,
            added: self.added_by_features(base),
        };
        candidates
            .par_iter()
            .zip(ties)
            .map(|(&candidate, ties)| {
                check(observer)?;
                self.extended(&base, candidate, ties)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
