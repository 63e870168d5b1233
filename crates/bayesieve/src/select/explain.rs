//! Reasons from counts: why each feature that is out can go.
//!
//! In this order: it says the same as a kept feature; alone it tells less than its table
//! costs; with one kept feature known it does, then with two (the ones that leave least to
//! tell); else the number it missed. Where a method goes by estimates, those come first, and
//! the counts with at most one kept feature known beside them. What the method decided is never questioned.
//! Cost: a pair table for every feature that is out with every kept one, O(n k N / 64);
//! tables of three only for those still unexplained, counted as pairs with joined columns.

use std::collections::BTreeMap;

use super::reason::{Reason, Redundancy};
use crate::counts::{Partition, TableRows, Triple};
use crate::info::{Informations, PairInformation, conditional_entropy, is_redundant, price_bits};
use crate::{Observer, Result};

/// Two kept features are looked for among all, or, above this cost, only among those that
/// leave least to tell by themselves. A unit is a row of a table of two, some 0.1 ns.
const MAX_COST: u64 = 2_000_000_000;

/// What joining two columns costs, in tables of two.
const COST_OF_JOINING: u64 = 20;

/// A table costs as much as one of this many rows at least.
const LEAST_ROWS: u64 = 2_048;

/// Pairs looked at in one go; bounds the memory of a wide table.
const BATCH: usize = 1 << 19;

/// What is to be explained, by the features' numbers in `info`.
pub(super) struct Explained<'t, 'a> {
    pub(super) info: &'t Informations<'a>,
    /// Names by number.
    pub(super) names: &'t [&'t str],
    /// Whether a feature has codes; of numbers without bins no count tells anything.
    pub(super) is_coded: Vec<bool>,
    pub(super) kept: &'t [usize],
    pub(super) misses: &'t [(usize, Reason)],
    /// What naming each feature as one more costs in all, in bits; nothing where names are free.
    pub(super) naming_bits: &'t [f64],
}

/// A feature that no table of two explains.
struct Unexplained {
    feature: usize,
    /// The places of the kept features to look at, in rising order.
    near: Vec<usize>,
}

/// A known set of features and what another still tells.
struct KnownPair {
    given: Vec<usize>,
    gain_bits: f64,
    price_bits: f64,
    naming_bits: f64,
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
        let n_near = self.n_near(dropped.len(), &kept);
        let mut reasons = Vec::new();
        for batch in dropped.chunks((BATCH / kept.len().max(1)).max(1)) {
            reasons.extend(self.reasons_of_batch(batch, &kept, n_near, observer)?);
        }
        Ok(reasons)
    }

    /// Among how many kept features two are looked for: all, unless that would take long.
    fn n_near(&self, n_dropped: usize, kept: &[usize]) -> usize {
        let rows = (self.info.n_rows() as u64).max(LEAST_ROWS);
        let n_tables = COST_OF_JOINING + n_dropped as u64;
        let cost_of_pair = rows
            .saturating_mul(n_tables)
            .saturating_mul(self.cost_of_row(kept));
        let n_pairs = |n: usize| (n * n.saturating_sub(1) / 2) as u64;
        let is_cheap = |n: &usize| n_pairs(*n).saturating_mul(cost_of_pair) <= MAX_COST;
        (2..=kept.len()).rev().find(is_cheap).unwrap_or(2)
    }

    /// What a row of a table of three costs on average: bitmaps of few values are counted 64
    /// rows at a time, many values one by one.
    fn cost_of_row(&self, kept: &[usize]) -> u64 {
        let mean = |sum: usize, n: usize| (sum / n.max(1)).max(2);
        let given = mean(
            kept.iter().map(|&f| self.info.n_values(f)).sum(),
            kept.len(),
        );
        let all = 0..self.info.n_features();
        let feature = mean(
            all.map(|f| self.info.n_values(f)).sum(),
            self.info.n_features(),
        );
        let n_passes = (given.saturating_mul(given) - 1).saturating_mul(feature - 1);
        (n_passes as u64 / 8).clamp(1, 20)
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
        let informations = self.info.pairs(&pairs, observer)?;
        let rows = informations.chunks(kept.len().max(1));
        let rows = rows.chain(std::iter::repeat(&[][..]));
        let looked_at: Vec<(usize, &[PairInformation])> =
            dropped.iter().copied().zip(rows).collect();
        let by_pairs: Vec<Option<Reason>> = looked_at
            .iter()
            .map(|&(feature, row)| {
                let reason = if self.is_coded[feature] {
                    self.by_pairs(feature, kept, row)
                } else {
                    Some(self.missed(feature))
                };
                self.with_estimate(feature, reason)
            })
            .collect();
        let open: Vec<Unexplained> = looked_at
            .iter()
            .zip(&by_pairs)
            .filter(|(_, reason)| reason.is_none())
            .map(|(&(feature, row), _)| Unexplained {
                feature,
                near: nearest(row, n_near),
            })
            .collect();
        let mut by_triples = self.by_triples(&open, kept, observer)?.into_iter();
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
        let single = self.info.single(feature);
        let is_copy = |(pair, &of): (&PairInformation, &usize)| {
            let same = |entropy: f64| (pair.mutual - entropy).abs() < 0.5e-10;
            // With gaps left open, the rows they share may be few: copies share all.
            let shares_rows = |n_rows: u64| n_rows == pair.n_rows;
            // Numbers that no cut divides have one code; that makes them no copies.
            pair.entropy_a > 0.0
                && same(pair.entropy_a)
                && same(pair.entropy_b)
                && shares_rows(single.n_rows)
                && shares_rows(self.info.single(of).n_rows)
        };
        if let Some(place) = row.iter().zip(kept).position(is_copy) {
            return Some(Reason::Duplicate {
                of: self.names[kept[place]].to_owned(),
                recoding: false,
            });
        }
        let (n_values, n_classes) = (self.info.n_values(feature), self.info.n_classes());
        let naming = self.naming_bits(feature, single.n_rows);
        let price = price_bits(single.n_rows, n_values, n_classes, 1) + naming;
        if is_redundant(single.mutual, price) {
            return Some(Reason::Redundant(Redundancy {
                given: Vec::new(),
                gain_bits: single.mutual,
                price_bits: price,
                naming_bits: naming,
            }));
        }
        let known = row.iter().zip(kept).map(|(pair, &given)| {
            let naming = self.naming_bits(feature, pair.n_rows);
            let n_given = self.info.n_values(given);
            KnownPair {
                given: vec![given],
                gain_bits: pair.class_from_a_given_b,
                price_bits: price_bits(pair.n_rows, n_values, n_classes, n_given) + naming,
                naming_bits: naming,
            }
        });
        let best = least(known.filter(|k| is_redundant(k.gain_bits, k.price_bits)))?;
        Some(self.redundant(best))
    }

    /// Where the method went by estimates, these are the reason; what the counts say comes
    /// beside it. Copies stay copies.
    fn with_estimate(&self, feature: usize, by_pairs: Option<Reason>) -> Option<Reason> {
        if !matches!(
            self.misses.first(),
            Some((_, Reason::WorseByEstimate { .. }))
        ) {
            return by_pairs;
        }
        let Reason::WorseByEstimate {
            measure,
            with,
            without,
            standard_error,
            ..
        } = self.missed(feature)
        else {
            return by_pairs;
        };
        let redundancy = match by_pairs {
            Some(Reason::Redundant(known)) => Some(known),
            Some(copy @ Reason::Duplicate { .. }) => return Some(copy),
            _ => None,
        };
        Some(Reason::WorseByEstimate {
            measure,
            with,
            without,
            standard_error,
            redundancy,
        })
    }

    /// For every feature the two of its nearest kept features given which it tells least,
    /// where that is too little.
    fn by_triples(
        &self,
        open: &[Unexplained],
        kept: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<Option<KnownPair>>> {
        // By pair of kept features, so that their columns are joined once.
        let mut of_pair: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
        for (place, open) in open.iter().enumerate() {
            for (at, &i) in open.near.iter().enumerate() {
                for &j in &open.near[at + 1..] {
                    let given = [kept[i], kept[j]];
                    of_pair.entry(given).or_default().push(place);
                }
            }
        }
        let mut best: Vec<Option<KnownPair>> = Vec::new();
        best.resize_with(open.len(), || None);
        let nodes = self.info.nodes();
        if nodes.max_features().is_some_and(|max| max < 3) {
            // Counts of pairs give no table of three.
            return Ok(best);
        }
        let (mut triples, mut places) = (Vec::new(), Vec::new());
        for (given, of_pair) in of_pair {
            let triple = |&place: &usize| Triple {
                given,
                feature: open[place].feature,
            };
            triples.extend(of_pair.iter().map(triple));
            places.extend(of_pair);
        }
        let known = nodes.map_triples(&triples, observer, |number, table| {
            let known = self.known(triples[number], &PairInformation::new(table));
            is_redundant(known.gain_bits, known.price_bits).then_some(known)
        })?;
        for (place, known) in places.into_iter().zip(known) {
            best[place] = least(best[place].take().into_iter().chain(known));
        }
        Ok(best)
    }

    fn known(&self, triple: Triple, pair: &PairInformation) -> KnownPair {
        let n_given = triple.given.iter().map(|&g| self.info.n_values(g));
        let n_given = n_given.fold(1, usize::saturating_mul);
        let n_values = self.info.n_values(triple.feature);
        let naming = self.naming_bits(triple.feature, pair.n_rows);
        KnownPair {
            given: triple.given.to_vec(),
            gain_bits: pair.class_from_a_given_b,
            price_bits: price_bits(pair.n_rows, n_values, self.info.n_classes(), n_given) + naming,
            naming_bits: naming,
        }
    }

    fn redundant(&self, known: KnownPair) -> Reason {
        let names = known.given.iter().map(|&g| self.names[g].to_owned());
        Reason::Redundant(Redundancy {
            given: names.collect(),
            gain_bits: known.gain_bits,
            price_bits: known.price_bits,
            naming_bits: known.naming_bits,
        })
    }

    /// What naming a feature costs per row.
    fn naming_bits(&self, feature: usize, n_rows: u64) -> f64 {
        let bits = self.naming_bits.get(feature).copied();
        bits.unwrap_or_default() / n_rows.max(1) as f64
    }

    fn missed(&self, feature: usize) -> Reason {
        let found = self.misses.iter().find(|(missed, _)| *missed == feature);
        found.map_or(Reason::NotReached, |(_, reason)| reason.clone())
    }

    /// What each kept feature tells about the class when all the others are known.
    ///
    /// # Cost
    /// O(N k log k): every half of the features refines the rows for the other half once.
    pub(super) fn given_rest(&self, observer: &dyn Observer) -> Result<Vec<f64>> {
        let kept = self.kept.iter().copied();
        let set = kept.chain([self.info.n_features()]).collect();
        self.info.nodes().with_rows(set, observer, |rows| {
            let mut gains = vec![0.0; self.kept.len()];
            let places: Vec<usize> = (0..gains.len()).collect();
            self.leave_out_each(&places, rows, rows.parts([])?, &mut gains)?;
            Ok(gains)
        })
    }

    fn leave_out_each(
        &self,
        places: &[usize],
        rows: &TableRows<'_>,
        others: Partition,
        gains: &mut [f64],
    ) -> Result<()> {
        // Every row alone with the others known: none of these can add anything.
        if others.n_parts() == self.info.n_rows() {
            return Ok(());
        }
        let refined = |joint: Partition, places: &[usize]| {
            places.iter().try_fold(joint, |joint, &place| {
                // Every row alone: nothing can be told apart any further.
                if joint.n_parts() == self.info.n_rows() {
                    return Ok(joint);
                }
                rows.refine(&joint, place)
            })
        };
        match places {
            [] => Ok(()),
            &[place] => {
                let all = refined(others.clone(), &[place])?;
                let class = rows.n_nodes() - 1;
                let before = conditional_entropy(&rows.count(&others, class)?);
                let after = conditional_entropy(&rows.count(&all, class)?);
                gains[place] = (before - after).max(0.0);
                Ok(())
            }
            _ => {
                let (left, right) = places.split_at(places.len() / 2);
                self.leave_out_each(left, rows, refined(others.clone(), right)?, gains)?;
                self.leave_out_each(right, rows, refined(others, left)?, gains)
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
fn least(known: impl Iterator<Item = KnownPair>) -> Option<KnownPair> {
    known.min_by(|a, b| rounded(a.gain_bits).total_cmp(&rounded(b.gain_bits)))
}

/// Gains and criteria compare after rounding to 1e-10.
pub(super) fn rounded(gain: f64) -> f64 {
    // Adding 0 makes -0 a plain 0, which orders differently.
    (gain * 1e10).round() + 0.0
}
