//! Reasons from counts: why each feature that is out can go.
//!
//! In this order: it says the same as a kept feature; alone it tells less than its table
//! costs; with one kept feature known it does, then with two (the ones that leave least to
//! tell); else the number it missed. What the method decided is never questioned.
//! Cost: a pair table for every feature that is out with every kept one, O(n k N / 64);
//! tables of three only for those still unexplained, counted as pairs with joined columns.

use rayon::prelude::*;

use super::method::Miss;
use super::reason::Reason;
use crate::counts::{CountColumn, Partition, RowIndex};
use crate::data::Codes;
use crate::error::Result;
use crate::info::{Informations, PairInformation, conditional_entropy, is_redundant, price_bits};
use crate::observer::Observer;

/// Above this many rows visited, two kept features are looked for only around the one
/// that leaves least to tell, not among all pairs.
const MOST_ROWS_VISITED: u64 = 400_000_000;

/// Cells of columns joined in one go; bounds the memory.
const BATCH_CELLS: usize = 1 << 26;

/// Above this many values, two columns are joined over the combinations that occur.
const MOST_JOINED: usize = 1 << 16;

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
        let pairs: Vec<(usize, usize)> = dropped
            .iter()
            .flat_map(|&feature| kept.iter().map(move |&known| (feature, known)))
            .collect();
        let informations = self.told.pairs(&pairs, observer)?;
        let rows = informations.chunks(kept.len().max(1));
        let rows = rows.chain(std::iter::repeat(&[][..]));
        let looked_at: Vec<(usize, &[PairInformation])> =
            dropped.iter().copied().zip(rows).collect();
        let by_pairs: Vec<Option<Reason>> = looked_at
            .par_iter()
            .map(|&(feature, row)| {
                if !self.is_coded[feature] {
                    return Some(self.missed(feature));
                }
                self.by_pairs(feature, &kept, row)
            })
            .collect();
        let open = looked_at.iter().zip(&by_pairs);
        let open = open.filter(|(_, reason)| reason.is_none());
        let open = open.map(|(&(feature, row), _)| (feature, nearest(row)));
        let open: Vec<(usize, Option<usize>)> = open.collect();
        let mut by_triples = self.by_triples(&open, &kept, observer)?.into_iter();
        let reasons = looked_at.into_iter().zip(by_pairs);
        let reasons = reasons.map(|((feature, _), reason)| {
            let triple = || match by_triples.next().flatten() {
                Some(known) => self.redundant(known),
                None => self.missed(feature),
            };
            reason.unwrap_or_else(triple)
        });
        Ok(reasons.collect())
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

    /// For each open feature (with the place of its nearest kept one), the two kept
    /// features given which it tells least, where that is too little.
    fn by_triples(
        &self,
        open: &[(usize, Option<usize>)],
        kept: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<Option<Known>>> {
        let n_pairs = kept.len() * kept.len().saturating_sub(1) / 2;
        let n_triples = (open.len() * n_pairs) as u64;
        let among_all = n_triples.saturating_mul(self.told.n_rows() as u64) <= MOST_ROWS_VISITED;
        let mut best: Vec<Option<Known>> = Vec::new();
        best.resize_with(open.len(), || None);
        if open.is_empty() {
            return Ok(best);
        }
        let places = (0..kept.len()).flat_map(|i| (i + 1..kept.len()).map(move |j| (i, j)));
        let is_near = |i, j| {
            open.iter()
                .any(|&(_, near)| near == Some(i) || near == Some(j))
        };
        let places = places.filter(|&(i, j)| among_all || is_near(i, j));
        let places: Vec<(usize, usize)> = places.collect();
        for batch in places.chunks((BATCH_CELLS / self.told.n_rows().max(1)).max(1)) {
            let wanted = batch.iter().enumerate().flat_map(|(set, &(i, j))| {
                let is_wanted = move |near| among_all || near == Some(i) || near == Some(j);
                let open = open.iter().enumerate();
                open.filter_map(move |(place, &(_, near))| is_wanted(near).then_some((place, set)))
            });
            let wanted: Vec<(usize, usize)> = wanted.collect();
            let sets: Vec<[usize; 2]> = batch.iter().map(|&(i, j)| [kept[i], kept[j]]).collect();
            let features: Vec<usize> = open.iter().map(|&(feature, _)| feature).collect();
            let known = self.given_sets(&features, &sets, &wanted, observer)?;
            for ((place, _), known) in wanted.into_iter().zip(known) {
                let found = [best[place].take(), known];
                best[place] = least(found.into_iter().flatten());
            }
        }
        Ok(best)
    }

    /// What features (by place) tell when sets (by place) are known, where that is too
    /// little. Two columns are counted as one with the values of both: a table of three is
    /// then a table of two, for the fast kernels.
    fn given_sets(
        &self,
        features: &[usize],
        sets: &[[usize; 2]],
        wanted: &[(usize, usize)],
        observer: &dyn Observer,
    ) -> Result<Vec<Option<Known>>> {
        let joined: Vec<(Codes, usize)> = sets
            .par_iter()
            .map(|&set| self.joined(set))
            .collect::<Result<_>>()?;
        let mut columns: Vec<CountColumn<'_>> = features
            .iter()
            .map(|&feature| self.told.feature(feature).into())
            .collect();
        let joined = joined.iter();
        columns.extend(joined.map(|&(ref codes, n_values)| CountColumn { codes, n_values }));
        let index = RowIndex::new(&columns, self.told.class().into())?;
        let pairs = wanted.iter().map(|&(f, set)| (f, features.len() + set));
        let pairs: Vec<(usize, usize)> = pairs.collect();
        index.map_pairs(&pairs, observer, |place, table| {
            let (feature, set) = wanted[place];
            let pair = PairInformation::new(table);
            let n_values = self.told.n_values(features[feature]);
            let n_given = sets[set].iter().map(|&g| self.told.n_values(g)).product();
            let known = Known {
                given: sets[set].to_vec(),
                gain_bits: pair.class_from_a_given_b,
                price_bits: price_bits(pair.n_rows, n_values, self.told.n_classes(), n_given),
            };
            is_redundant(known.gain_bits, known.price_bits).then_some(known)
        })
    }

    /// Two columns as one.
    fn joined(&self, set: [usize; 2]) -> Result<(Codes, usize)> {
        let [a, b] = set.map(|feature| self.told.feature(feature));
        let n_values = a.n_values().saturating_mul(b.n_values());
        if n_values <= MOST_JOINED {
            let n_b = b.n_values() as u32;
            let cells = a.codes.iter().zip(b.codes.iter());
            let cells = cells.map(|(a, b)| Some(a? * n_b + b?));
            return Ok((Codes::new(n_values, cells), n_values));
        }
        let whole = Partition::whole(self.told.n_rows());
        let joint = whole.refine(&a.codes, a.n_values())?;
        let joint = joint.refine(&b.codes, b.n_values())?;
        Ok((Codes::new(joint.n_parts(), joint.iter()), joint.n_parts()))
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

/// Gains compare after rounding to 1e-10.
fn rounded(gain: f64) -> f64 {
    (gain * 1e10).round()
}
