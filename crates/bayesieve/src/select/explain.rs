//! Reasons from counts: why each feature that is out can go.
//!
//! In this order: it says the same as a kept feature; alone it tells less than its table
//! costs; with one kept feature known it does, then with two (the ones that leave least to
//! tell); else the number it missed. What the method decided is never questioned.
//! Cost: a pair table for every feature that is out with every kept one, O(n k N / 64);
//! tables of three only for those still unexplained.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::method::Miss;
use super::reason::Reason;
use crate::counts::Partition;
use crate::error::Result;
use crate::info::{Informations, PairInformation, conditional_entropy, is_redundant, price_bits};
use crate::math::{n_log_n, sum_n_log_n};
use crate::observer::Observer;

/// Above this many rows visited, two kept features are looked for only among those that
/// leave least to tell by themselves, not among all.
const MOST_ROWS_VISITED: u64 = 200_000_000;

/// Pairs looked at in one go; bounds the memory of a wide table.
const BATCH: usize = 1 << 19;

/// Tables of three features up to this many cells are held whole.
const MOST_CELLS: usize = 1 << 20;

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

/// A feature that no table of two explains.
struct Open {
    feature: usize,
    /// The places of the kept features to look at, in rising order.
    near: Vec<usize>,
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
        let n_near = self.n_near(dropped.len(), kept.len());
        let mut reasons = Vec::new();
        for batch in dropped.chunks((BATCH / kept.len().max(1)).max(1)) {
            reasons.extend(self.reasons_of_batch(batch, &kept, n_near, observer)?);
        }
        Ok(reasons)
    }

    /// Among how many kept features two are looked for: all, unless that would take long.
    fn n_near(&self, n_dropped: usize, n_kept: usize) -> usize {
        let rows = (n_dropped * self.told.n_rows()).max(1) as u64;
        let is_cheap = |n: &usize| (n * (n - 1) / 2) as u64 * rows <= MOST_ROWS_VISITED;
        (2..=n_kept).rev().find(is_cheap).unwrap_or(2).max(2)
    }

    fn reasons_of_batch(
        &self,
        dropped: &[usize],
        kept: &[usize],
        n_near: usize,
        observer: &dyn Observer,
    ) -> Result<Vec<Reason>> {
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
            .iter()
            .map(|&(feature, row)| match self.is_coded[feature] {
                true => self.by_pairs(feature, kept, row),
                false => Some(self.missed(feature)),
            })
            .collect();
        let open: Vec<Open> = looked_at
            .iter()
            .zip(&by_pairs)
            .filter(|(_, reason)| reason.is_none())
            .map(|(&(feature, row), _)| Open {
                feature,
                near: nearest(row, n_near),
            })
            .collect();
        let mut by_triples = self.by_triples(&open, kept)?.into_iter();
        let reasons = by_pairs.into_iter().zip(dropped).map(|(reason, &feature)| {
            reason.unwrap_or_else(|| match by_triples.next().flatten() {
                Some(known) => self.redundant(known),
                None => self.missed(feature),
            })
        });
        Ok(reasons.collect())
    }

    /// A reason that tables of two give.
    fn by_pairs(&self, feature: usize, kept: &[usize], row: &[PairInformation]) -> Option<Reason> {
        let single = self.told.single(feature);
        let is_copy = |(pair, &of): (&PairInformation, &usize)| {
            let same = |entropy: f64| (pair.mutual - entropy).abs() < 0.5e-10;
            // With gaps left open, the rows they share may be few: copies share all.
            let shares_rows = |n_rows: u64| n_rows == pair.n_rows;
            // Numbers that no cut divides have one code; that makes them no copies.
            pair.entropy_a > 0.0
                && same(pair.entropy_a)
                && same(pair.entropy_b)
                && shares_rows(single.n_rows)
                && shares_rows(self.told.single(of).n_rows)
        };
        if let Some(place) = row.iter().zip(kept).position(is_copy) {
            return Some(Reason::Duplicate {
                of: self.names[kept[place]].to_owned(),
            });
        }
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

    /// For every feature the two of its nearest kept features given which it tells least,
    /// where that is too little.
    fn by_triples(&self, open: &[Open], kept: &[usize]) -> Result<Vec<Option<Known>>> {
        // By pair of kept features, so that their joint values are found once.
        let mut of_pair: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        for (place, open) in open.iter().enumerate() {
            for (at, &i) in open.near.iter().enumerate() {
                for &j in &open.near[at + 1..] {
                    of_pair.entry((i, j)).or_default().push(place);
                }
            }
        }
        let of_pairs = of_pair.par_iter().map(|(&(i, j), places)| {
            let given = [kept[i], kept[j]];
            let joint = self.joint(&given)?;
            let known = places.iter().map(|&place| {
                let feature = open[place].feature;
                let (gain_bits, n_rows) = self.gain_given(feature, &joint)?;
                Ok((place, self.known(feature, &given, gain_bits, n_rows)))
            });
            known.collect::<Result<Vec<(usize, Known)>>>()
        });
        let of_pairs: Vec<Vec<(usize, Known)>> = of_pairs.collect::<Result<_>>()?;
        let mut best: Vec<Option<Known>> = Vec::new();
        best.resize_with(open.len(), || None);
        for (place, known) in of_pairs.into_iter().flatten() {
            if is_redundant(known.gain_bits, known.price_bits) {
                best[place] = least(best[place].take().into_iter().chain([known]));
            }
        }
        Ok(best)
    }

    fn known(&self, feature: usize, given: &[usize], gain_bits: f64, n_rows: u64) -> Known {
        let n_given = given.iter().map(|&g| self.told.n_values(g)).product();
        let n_values = self.told.n_values(feature);
        Known {
            given: given.to_vec(),
            gain_bits,
            price_bits: price_bits(n_rows, n_values, self.told.n_classes(), n_given),
        }
    }

    /// The rows by the joint value of some features.
    fn joint(&self, given: &[usize]) -> Result<Partition> {
        let whole = Partition::whole(self.told.n_rows());
        given.iter().try_fold(whole, |joint, &g| {
            let column = self.told.feature(g);
            joint.refine(&column.codes, column.n_values())
        })
    }

    /// `I(feature; C | given)` and the rows that were counted: complete in all of them.
    fn gain_given(&self, feature: usize, joint: &Partition) -> Result<(f64, u64)> {
        let (class, column) = (self.told.class(), self.told.feature(feature));
        let (n_classes, n_values) = (class.n_values(), column.n_values());
        let n_cells = joint.n_parts().saturating_mul(n_values * n_classes);
        if n_cells > MOST_CELLS {
            // So many values that hardly two rows agree: only what occurs is counted.
            let all = joint.refine(&column.codes, n_values)?;
            let count = |joint: &Partition| joint.count(&class.codes, n_classes);
            let (fewer, all) = (count(&joint.within(&all))?, count(&all)?);
            let gain = conditional_entropy(&fewer) - conditional_entropy(&all);
            return Ok((gain.max(0.0), all.n_rows()));
        }
        let cells = joint.count_with((&column.codes, n_values), (&class.codes, n_classes))?;
        let mut sum = 0.0;
        let mut n_rows = 0;
        let mut margin = vec![0; n_classes];
        for part in cells.chunks(n_values * n_classes) {
            margin.fill(0);
            for value in part.chunks(n_classes) {
                margin.iter_mut().zip(value).for_each(|(sum, n)| *sum += n);
                sum -= n_log_n(value.iter().sum()) - sum_n_log_n(value);
            }
            let n: u64 = margin.iter().sum();
            sum += n_log_n(n) - sum_n_log_n(&margin);
            n_rows += n;
        }
        Ok(((sum / n_rows.max(1) as f64).max(0.0), n_rows))
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
            Some(Miss::NoGain { gain, unit }) => Reason::NoGain { gain, unit },
            Some(Miss::NotSignificant {
                value,
                best,
                p,
                alpha,
            }) => Reason::NotSignificant {
                value,
                best,
                p,
                alpha,
            },
            None => Reason::NotReached,
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
        // Every row alone with the others known: none of these can add anything.
        if others.n_parts() == self.told.n_rows() {
            return Ok(());
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

/// The places of the kept features given which another tells least, in rising order.
fn nearest(row: &[PairInformation], n: usize) -> Vec<usize> {
    let gain = |place: &usize| rounded(row[*place].class_from_a_given_b);
    let mut places: Vec<usize> = (0..row.len()).collect();
    if n < places.len() {
        // Stable: of equal ones the first.
        places.sort_by(|a, b| gain(a).total_cmp(&gain(b)));
        places.truncate(n);
        places.sort_unstable();
    }
    places
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
