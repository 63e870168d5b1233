//! Reasons from counts: why each feature that is out can go.
//!
//! In this order: it says the same as a kept feature; alone it tells less than its table
//! costs; with one kept feature known it does, then with two (the ones that leave least to
//! tell); else the number it missed. What the method decided is never questioned.
//! Cost: a pair table for every feature that is out with every kept one, O(n k N / 64);
//! tables of three only for those still unexplained.

use rayon::prelude::*;

use super::method::Miss;
use super::reason::Reason;
use crate::counts::Partition;
use crate::error::Result;
use crate::info::{Informations, PairInformation, conditional_entropy, is_redundant, price_bits};
use crate::observer::Observer;

/// Above this many rows visited, two kept features are looked for only around the one
/// that leaves least to tell, not among all pairs.
const MOST_ROWS_VISITED: u64 = 400_000_000;

/// Pairs looked at together; bounds the memory of a wide table.
const MOST_PAIRS: usize = 1 << 18;

/// What is to be explained, by the features' numbers in `told`.
pub(super) struct Explained<'t, 'a> {
    pub(super) told: &'t Informations<'a>,
    /// Names by number.
    pub(super) names: &'t [&'t str],
    /// Whether a feature has codes; of numbers without bins no count tells anything.
    pub(super) is_coded: Vec<bool>,
    pub(super) kept: &'t [usize],
    pub(super) misses: &'t [(usize, Miss)],
}

/// A known set of features and what another still tells.
struct Known {
    given: Vec<usize>,
    gain_bits: f64,
    price_bits: f64,
}

/// What tables of two tell about a feature that is out.
struct Seen {
    feature: usize,
    reason: Option<Reason>,
    /// The place among the kept of the one given which it tells least.
    nearest: Option<usize>,
}

impl Explained<'_, '_> {
    /// A reason for each of these features.
    pub(super) fn reasons(
        &self,
        dropped: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<Reason>> {
        let coded = self.kept.iter().filter(|&&feature| self.is_coded[feature]);
        let mut kept: Vec<usize> = coded.copied().collect();
        kept.sort_unstable();
        let looked_at = self.look_at_pairs(dropped, &kept, observer)?;
        let is_open = |seen: &&Seen| self.is_coded[seen.feature] && seen.reason.is_none();
        let n_open = looked_at.iter().filter(is_open).count();
        let n_triples = n_open as u64 * (kept.len() * kept.len().saturating_sub(1) / 2) as u64;
        let among_all = n_triples.saturating_mul(self.told.n_rows() as u64) <= MOST_ROWS_VISITED;
        let reasons = looked_at.into_par_iter().map(|seen| {
            let feature = seen.feature;
            if !self.is_coded[feature] {
                return Ok(self.missed(feature));
            }
            if let Some(reason) = seen.reason {
                return Ok(reason);
            }
            let partner = seen.nearest;
            let sets = (0..kept.len()).flat_map(|i| (i + 1..kept.len()).map(move |j| (i, j)));
            let sets = sets.filter(|&(i, j)| among_all || Some(i) == partner || Some(j) == partner);
            let sets: Vec<[usize; 2]> = sets.map(|(i, j)| [kept[i], kept[j]]).collect();
            match self.by_triples(feature, &sets)? {
                Some(known) => Ok(self.redundant(known)),
                None => Ok(self.missed(feature)),
            }
        });
        reasons.collect()
    }

    /// What tables of two give, some features at a time: their pairs are not kept.
    fn look_at_pairs(
        &self,
        dropped: &[usize],
        kept: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<Seen>> {
        let mut looked_at = Vec::with_capacity(dropped.len());
        for batch in dropped.chunks((MOST_PAIRS / kept.len().max(1)).max(1)) {
            let pairs: Vec<(usize, usize)> = batch
                .iter()
                .flat_map(|&feature| kept.iter().map(move |&known| (feature, known)))
                .collect();
            let informations = self.told.pairs(&pairs, observer)?;
            let rows = informations.chunks(kept.len().max(1));
            let rows = rows.chain(std::iter::repeat(&[][..]));
            looked_at.extend(batch.iter().zip(rows).map(|(&feature, row)| Seen {
                feature,
                reason: self.by_pairs(feature, kept, row),
                nearest: nearest(row),
            }));
        }
        Ok(looked_at)
    }

    /// A reason that tables of two give.
    fn by_pairs(&self, feature: usize, kept: &[usize], row: &[PairInformation]) -> Option<Reason> {
        let is_copy = |pair: &&PairInformation| {
            let same = |entropy: f64| (pair.mutual - entropy).abs() < 0.5e-10;
            same(pair.entropy_a) && same(pair.entropy_b)
        };
        if let Some(place) = row.iter().position(|pair| is_copy(&pair)) {
            return Some(Reason::Duplicate {
                of: self.names[kept[place]].to_owned(),
            });
        }
        let single = self.told.single(feature);
        let (n_values, n_classes) = (self.told.n_values(feature), self.told.n_classes());
        let price = price_bits(single.n_rows, n_values, n_classes, 1);
        if is_redundant(single.mutual, price) {
            return Some(Reason::Irrelevant {
                gain_bits: single.mutual,
                price_bits: price,
            });
        }
        let known = row.iter().zip(kept).map(|(pair, &given)| Known {
            given: vec![given],
            gain_bits: pair.class_from_a_given_b,
            price_bits: price_bits(pair.n_rows, n_values, n_classes, self.told.n_values(given)),
        });
        let best = least(known.filter(|k| is_redundant(k.gain_bits, k.price_bits)))?;
        Some(self.redundant(best))
    }

    /// The two kept features given which it tells least, where that is too little.
    fn by_triples(&self, feature: usize, sets: &[[usize; 2]]) -> Result<Option<Known>> {
        let known = sets.iter().map(|&given| {
            let (gain_bits, n_rows) = self.gain_given(feature, &given)?;
            let n_given = given.iter().map(|&g| self.told.n_values(g)).product();
            let n_values = self.told.n_values(feature);
            Ok(Known {
                given: given.to_vec(),
                gain_bits,
                price_bits: price_bits(n_rows, n_values, self.told.n_classes(), n_given),
            })
        });
        let known: Vec<Known> = known.collect::<Result<_>>()?;
        Ok(least(
            known
                .into_iter()
                .filter(|k| is_redundant(k.gain_bits, k.price_bits)),
        ))
    }

    /// `I(feature; C | given)` and the rows that were counted.
    fn gain_given(&self, feature: usize, given: &[usize]) -> Result<(f64, u64)> {
        let class = self.told.class();
        let with = |joint: Partition, feature: usize| {
            let column = self.told.feature(feature);
            joint.refine(&column.codes, column.n_values())
        };
        // First the feature, so that rows where it is missing are out on both sides.
        let whole = with(Partition::whole(self.told.n_rows()), feature)?;
        let all = given.iter().try_fold(whole, |joint, &g| with(joint, g))?;
        let complete = all.all_in_one();
        let fewer = given
            .iter()
            .try_fold(complete, |joint, &g| with(joint, g))?;
        let count = |joint: &Partition| joint.count(&class.codes, class.n_values());
        let (fewer, all) = (count(&fewer)?, count(&all)?);
        let gain = conditional_entropy(&fewer) - conditional_entropy(&all);
        Ok((gain.max(0.0), all.n_rows()))
    }

    fn redundant(&self, known: Known) -> Reason {
        let names = known.given.iter().map(|&g| self.names[g].to_owned());
        Reason::Redundant {
            given: names.collect(),
            gain_bits: known.gain_bits,
            price_bits: known.price_bits,
        }
    }

    fn missed(&self, feature: usize) -> Reason {
        let found = self.misses.iter().find(|(missed, _)| *missed == feature);
        match found.map(|&(_, miss)| miss) {
            Some(Miss::Outranked { value, needed }) => Reason::Outranked { value, needed },
            Some(Miss::BelowThreshold { value, threshold }) => {
                Reason::BelowThreshold { value, threshold }
            }
            // A method that names no number has kept what it could tell apart.
            None => Reason::BelowThreshold {
                value: 0.0,
                threshold: 0.0,
            },
        }
    }

    /// What each kept feature tells about the class when all the others are known.
    ///
    /// # Cost
    /// O(N k log k): every half of the features refines the rows for the other half once.
    pub(super) fn given_rest(&self, observer: &dyn Observer) -> Result<Vec<f64>> {
        let mut gains = vec![0.0; self.kept.len()];
        let places: Vec<usize> = (0..self.kept.len()).collect();
        let whole = Partition::whole(self.told.n_rows());
        self.leave_out_each(&places, whole, &mut gains, observer)?;
        Ok(gains)
    }

    fn leave_out_each(
        &self,
        places: &[usize],
        others: Partition,
        gains: &mut [f64],
        observer: &dyn Observer,
    ) -> Result<()> {
        if observer.is_cancelled() {
            return Err(crate::error::Error::interrupted());
        }
        let refined = |joint: Partition, places: &[usize]| {
            places.iter().try_fold(joint, |joint, &place| {
                // Every row alone: nothing can be told apart any further.
                if joint.n_parts() == self.told.n_rows() {
                    return Ok(joint);
                }
                let column = self.told.feature(self.kept[place]);
                joint.refine(&column.codes, column.n_values())
            })
        };
        match places {
            [] => Ok(()),
            &[place] => {
                let class = self.told.class();
                let all = refined(others.clone(), &[place])?;
                let bits = |joint: &Partition| {
                    let counts = joint.count(&class.codes, class.n_values())?;
                    Ok(conditional_entropy(&counts))
                };
                let gain: Result<f64> = Ok(bits(&others)? - bits(&all)?);
                gains[place] = gain?.max(0.0);
                Ok(())
            }
            _ => {
                let (left, right) = places.split_at(places.len() / 2);
                self.leave_out_each(left, refined(others.clone(), right)?, gains, observer)?;
                self.leave_out_each(right, refined(others, left)?, gains, observer)
            }
        }
    }
}

/// The place of the kept feature given which another tells least.
fn nearest(row: &[PairInformation]) -> Option<usize> {
    let gain = |place: &usize| rounded(row[*place].class_from_a_given_b);
    (0..row.len()).min_by(|a, b| gain(a).total_cmp(&gain(b)))
}

/// The one that leaves least to tell; the first of equal ones.
fn least(known: impl Iterator<Item = Known>) -> Option<Known> {
    known.min_by(|a, b| rounded(a.gain_bits).total_cmp(&rounded(b.gain_bits)))
}

/// Gains and criteria compare after rounding to 1e-10.
pub(super) fn rounded(gain: f64) -> f64 {
    // Adding 0 makes -0 a plain 0, which orders differently.
    (gain * 1e10).round() + 0.0
}
