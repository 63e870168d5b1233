//! The merit of a set in correlation-based feature selection (CFS).
//!
//! Paper: Hall, 2000. With SU the symmetric uncertainty `2 I(X;Y) / (H(X) + H(Y))` and k
//! the size of the set, `merit = sum SU(A,C) / sqrt(k + 2 sum_{A<B} SU(A,B))`: features
//! that go with the class, divided by how much they go with one another. Larger is
//! better; the empty set has 0.
//! Cost: a pair table for every kept feature with every other; then a step of a forward
//! search is O(n k).
//!
//! Hall, M. (2000). Correlation-based feature selection for discrete and numeric class
//! machine learning. ICML, 359-366.

use rayon::prelude::*;

use super::{FeatureSet, Score};
use crate::info::{Informations, PairRows};
use crate::math::OrderFreeSum;
use crate::stats::Better;
use crate::{Observer, Result, check};

/// Correlation with the class against correlation with one another.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::Nominal;
/// use bayesieve::info::Informations;
/// use bayesieve::score::{FeatureSet, Merit, Score};
///
/// let a = Nominal::from_labels(["0", "0", "1", "1"].map(Some));
/// let info = Informations::new(&[&a, &a], &a)?;
/// let merit = Merit::new(&info);
/// let sets = [FeatureSet::empty(2), FeatureSet::of(2, [0])?, FeatureSet::full(2)];
/// // A copy adds nothing: 2 / sqrt(2 + 2).
/// assert_eq!(merit.evaluate(&sets, &Silent)?, [0.0, 1.0, 1.0]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug)]
pub struct Merit<'i, 'a> {
    info: &'i Informations<'a>,
    pairs: PairRows<'i, 'a, f64>,
}

/// The two sums of a merit.
#[derive(Debug, Clone, Copy, Default)]
struct MeritSums {
    n_features: usize,
    with_class: OrderFreeSum,
    among_features: OrderFreeSum,
}

impl MeritSums {
    fn merit(&self) -> f64 {
        if self.n_features == 0 {
            return 0.0;
        }
        let among = self.n_features as f64 + 2.0 * self.among_features.value();
        self.with_class.value() / among.sqrt()
    }
}

impl<'i, 'a> Merit<'i, 'a> {
    /// The merit of sets of these features.
    pub fn new(info: &'i Informations<'a>) -> Self {
        Merit {
            info,
            pairs: PairRows::new(info, |pair| pair.symmetric_uncertainty()),
        }
    }

    /// The symmetric uncertainty of a feature and the class.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn with_class(&self, feature: usize) -> f64 {
        self.info.single(feature).symmetric_uncertainty()
    }

    /// The symmetric uncertainty of a feature with every feature.
    ///
    /// # Errors
    /// There is no such feature, or the observer cancelled.
    pub fn with_features(&self, feature: usize, observer: &dyn Observer) -> Result<&[f64]> {
        self.pairs.row(feature, observer)
    }

    fn sums(&self, set: &FeatureSet, observer: &dyn Observer) -> Result<MeritSums> {
        let mut sums = MeritSums::default();
        let members: Vec<usize> = set.iter().collect();
        for (place, &member) in members.iter().enumerate() {
            let row = self.pairs.row(member, observer)?;
            sums.n_features += 1;
            sums.with_class.add(self.with_class(member));
            for &other in &members[..place] {
                sums.among_features.add(row[other]);
            }
        }
        Ok(sums)
    }
}

impl Score for Merit<'_, '_> {
    fn name(&self) -> &'static str {
        "cfs"
    }

    fn unit(&self) -> &'static str {
        ""
    }

    fn better(&self) -> Better {
        Better::Higher
    }

    fn n_features(&self) -> usize {
        self.info.n_features()
    }

    fn evaluate(&self, sets: &[FeatureSet], observer: &dyn Observer) -> Result<Vec<f64>> {
        let mut needed = FeatureSet::empty(self.n_features());
        for set in sets {
            set.iter().for_each(|feature| needed.insert(feature));
        }
        self.pairs
            .count_rows(&needed.iter().collect::<Vec<_>>(), observer)?;
        sets.par_iter()
            .map(|set| {
                check(observer)?;
                Ok(self.sums(set, observer)?.merit())
            })
            .collect()
    }

    fn change(
        &self,
        base: &FeatureSet,
        candidates: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        let members: Vec<usize> = base.iter().collect();
        self.pairs.count_rows(&members, observer)?;
        let sums = self.sums(base, observer)?;
        let rows = members
            .iter()
            .map(|&member| self.pairs.row(member, observer));
        let rows: Vec<&[f64]> = rows.collect::<Result<_>>()?;
        check(observer)?;
        let changed = candidates.par_iter().map(|&candidate| {
            let mut sums = sums;
            if base.contains(candidate) {
                let row = self.pairs.row(candidate, observer)?;
                sums.n_features -= 1;
                sums.with_class.subtract(self.with_class(candidate));
                let members = members.iter();
                members.for_each(|&member| sums.among_features.subtract(row[member]));
            } else {
                sums.n_features += 1;
                sums.with_class.add(self.with_class(candidate));
                let rows = rows.iter();
                rows.for_each(|row| sums.among_features.add(row[candidate]));
            }
            Ok(sums.merit())
        });
        changed.collect()
    }

    fn is_new_best(&self, value: f64, than: f64) -> bool {
        self.gain(value, than) > 1e-5
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{example1, features};
    use super::*;
    use crate::Silent;

    #[test]
    fn example_1_has_the_merits_of_its_worked_numbers() {
        let table = example1(32);
        let info = Informations::new(&features(&table), &table.class).unwrap();
        let merit = Merit::new(&info);
        let cases: [(&[usize], f64); 6] = [
            (&[2], 0.343711),
            (&[6], 0.433356),
            (&[2, 6], 0.506104),
            (&[2, 6, 8], 0.468832),
            (&[2, 3, 6], 0.426874),
            (&[1, 2, 3, 4, 5, 6, 7, 8], 0.313968),
        ];
        for (numbers, expected) in cases {
            let set = FeatureSet::of(8, numbers.iter().map(|n| n - 1)).unwrap();
            let value = merit.evaluate(std::slice::from_ref(&set), &Silent).unwrap()[0];
            assert!((value - expected).abs() < 5e-7, "{numbers:?}: {value}");
            let last = numbers[numbers.len() - 1] - 1;
            let grown = merit.change(&set.without(last), &[last], &Silent).unwrap();
            assert_eq!(grown, [value]);
            let rest = merit.evaluate(&[set.without(last)], &Silent).unwrap();
            assert_eq!(merit.change(&set, &[last], &Silent).unwrap(), rest);
        }
    }
}
