//! BIC and BDeu of a selective classifier.
//!
//! The sum of the scores of every node with its parents, in nats; larger is better. The
//! features that are out are isolated nodes, so that all sets are compared over the same
//! columns; [`NetworkScore::alone`] leaves them out. The tree of a TAN is that of largest
//! information given the class, as in training. Both scores give networks that say the
//! same independences the same value, so the tree's root does not matter.
//! Cost: a table of three for every edge of a tree that is new, kept once counted.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use super::{Auxiliary, DescriptionLength, FeatureSet, Score, Structure};
use crate::info::Informations;
use crate::math::OrderFreeSum;
use crate::network::FamilyCounts;
use crate::network::learn::LocalScore;
use crate::stats::Better;
use crate::{Error, Observer, Result, Silent};

/// BIC or BDeu of selective naive Bayes or TAN.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::Nominal;
/// use bayesieve::info::Informations;
/// use bayesieve::network::learn::LocalScore;
/// use bayesieve::score::{FeatureSet, NetworkScore, Score, Structure};
///
/// let a = Nominal::from_labels(["0", "0", "1", "1"].map(Some));
/// let info = Informations::new(&[&a], &a)?;
/// let score = NetworkScore::new(&info, Structure::NaiveBayes, LocalScore::Bic)?;
/// let values = score.evaluate(&[FeatureSet::full(1)], &Silent)?;
/// // Four rows of a fair class, a feature that follows from it, three parameters.
/// assert!((values[0] - (4.0 * 0.5f64.ln() - 3.0 * 4.0f64.ln() / 2.0)).abs() < 1e-12);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug)]
pub struct NetworkScore<'i, 'a> {
    info: &'i Informations<'a>,
    local: LocalScore,
    /// Finds the tree.
    lengths: DescriptionLength<'i, 'a>,
    class: f64,
    /// Every feature as an isolated node.
    isolated: Vec<f64>,
    /// Every feature with the class as its only parent.
    with_class: Vec<f64>,
    /// What an edge of the tree adds. Looked up only: its order reaches no result.
    edges: Mutex<HashMap<(usize, usize), f64>>,
}

impl<'i, 'a> NetworkScore<'i, 'a> {
    /// The score of sets of these features.
    ///
    /// # Errors
    /// A local score that gives networks of the same independences different values, or
    /// one with a prior that is not positive, or fewer than two rows.
    pub fn new(
        info: &'i Informations<'a>,
        structure: Structure,
        local: LocalScore,
    ) -> Result<Self> {
        if !local.is_equivalent() {
            return Err(Error::usage(format!(
                "{} depends on the direction of arcs, which a tree of features leaves open",
                local.name()
            ))
            .with_hint("Use bic or bdeu."));
        }
        let class = info.n_features();
        let alone = (0..=class).map(|node| vec![node]);
        let below = (0..class).map(|feature| vec![class, feature]);
        let families = families(info, &alone.chain(below).collect::<Vec<_>>(), &Silent)?;
        let scores = families.iter().map(|family| local.score(family));
        let mut isolated: Vec<f64> = scores.collect::<Result<_>>()?;
        let with_class = isolated.split_off(class + 1);
        let class = isolated.pop();
        Ok(NetworkScore {
            info,
            local,
            lengths: DescriptionLength::mdl_fs(info, structure, Auxiliary::Empty)?,
            class: class.ok_or_else(|| Error::internal("no family of the class"))?,
            isolated,
            with_class,
            edges: Mutex::default(),
        })
    }

    /// The score of the classifier over the class and the set alone.
    ///
    /// # Errors
    /// The observer cancelled.
    pub fn alone(&self, set: &FeatureSet, observer: &dyn Observer) -> Result<f64> {
        let mut sum = OrderFreeSum::default();
        sum.add(self.class);
        set.iter().for_each(|f| sum.add(self.with_class[f]));
        let edges = self.lengths.edges(set, observer)?.classifier;
        self.count_edges(&edges, observer)?;
        for edge in edges {
            sum.add(self.edge(edge)?);
        }
        Ok(sum.value())
    }

    /// Counts the edges that are not known yet.
    fn count_edges(&self, edges: &[(usize, usize)], observer: &dyn Observer) -> Result<()> {
        let new: Vec<(usize, usize)> = {
            let known = self.known()?;
            let is_new = |edge: &&(usize, usize)| !known.contains_key(edge);
            edges.iter().filter(is_new).copied().collect()
        };
        let class = self.n_features();
        let sets: Vec<Vec<usize>> = new.iter().map(|&(a, b)| vec![a, class, b]).collect();
        let families = families(self.info, &sets, observer)?;
        for ((a, b), family) in new.into_iter().zip(families) {
            let gain = self.local.score(&family)? - self.with_class[b];
            self.known()?.insert((a, b), gain);
        }
        Ok(())
    }

    fn edge(&self, edge: (usize, usize)) -> Result<f64> {
        let known = self.known()?.get(&edge).copied();
        known.ok_or_else(|| Error::internal("an edge that was not counted"))
    }

    fn known(&self) -> Result<MutexGuard<'_, HashMap<(usize, usize), f64>>> {
        let locked = self.edges.lock();
        locked.map_err(|_| Error::internal("a thread stopped while it kept a score"))
    }
}

/// The counts of families, each named by its parents and then its node; the class is the node
/// behind the features.
fn families(
    info: &Informations<'_>,
    sets: &[Vec<usize>],
    observer: &dyn Observer,
) -> Result<Vec<FamilyCounts>> {
    info.nodes()
        .map_rows(sets, observer, |_, rows| FamilyCounts::of_rows(rows))
}

impl Score for NetworkScore<'_, '_> {
    fn name(&self) -> &'static str {
        self.local.name()
    }

    fn unit(&self) -> &'static str {
        "nats"
    }

    fn better(&self) -> Better {
        Better::Higher
    }

    fn n_features(&self) -> usize {
        self.info.n_features()
    }

    fn evaluate(&self, sets: &[FeatureSet], observer: &dyn Observer) -> Result<Vec<f64>> {
        let value = |set: &FeatureSet| {
            let mut sum = OrderFreeSum::default();
            sum.add(self.alone(set, observer)?);
            let out = (0..self.n_features()).filter(|&f| !set.contains(f));
            out.for_each(|feature| sum.add(self.isolated[feature]));
            Ok(sum.value())
        };
        sets.iter().map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::LN_2;

    use super::super::testing::{example1, features};
    use super::*;
    use crate::Silent;

    #[test]
    fn bic_is_mdl_in_other_units() {
        let table = example1(320);
        let info = Informations::new(&features(&table), &table.class).unwrap();
        let sets = [
            FeatureSet::empty(8),
            FeatureSet::of(8, [1, 5]).unwrap(),
            FeatureSet::full(8),
        ];
        for structure in [Structure::NaiveBayes, Structure::Tan] {
            let bic = NetworkScore::new(&info, structure, LocalScore::Bic).unwrap();
            let mdl = DescriptionLength::mdl(&info, structure).unwrap();
            let (bic, mdl) = (
                bic.evaluate(&sets, &Silent).unwrap(),
                mdl.evaluate(&sets, &Silent).unwrap(),
            );
            for (bic, mdl) in bic.iter().zip(&mdl) {
                assert!((bic + mdl * LN_2).abs() < 1e-9 * mdl, "{bic} {mdl}");
            }
        }
    }

    #[test]
    fn bdeu_of_two_rows_is_computed_by_hand() {
        // Class 0, 1 and a copy of it, prior worth one row. Class: (1/2)(1/2)/(1*2) = 1/8.
        // Copy given the class, per class one row: (1/4)/(1/2) = 1/2 each.
        let class = crate::data::Nominal::from_labels(["0", "1"].map(Some));
        let info = Informations::new(&[&class], &class).unwrap();
        let local = LocalScore::Bdeu {
            equivalent_sample_size: 1.0,
        };
        let score = NetworkScore::new(&info, Structure::Tan, local).unwrap();
        let value = score.alone(&FeatureSet::full(1), &Silent).unwrap();
        assert!((value - (1.0f64 / 32.0).ln()).abs() < 1e-12, "{value}");
        let out = score.evaluate(&[FeatureSet::empty(1)], &Silent).unwrap();
        assert!((out[0] - (1.0f64 / 64.0).ln()).abs() < 1e-12);
    }

    #[test]
    fn k2_is_refused() {
        let table = example1(32);
        let info = Informations::new(&features(&table), &table.class).unwrap();
        assert!(NetworkScore::new(&info, Structure::Tan, LocalScore::K2).is_err());
    }
}
