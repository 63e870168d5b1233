//! Blankets in general: a loss is computed again when a member of its blanket has left.

use std::cmp::Reverse;

use super::nearest::{Cover, REMEMBERED, covers};
use super::{Losses, Remaining, rounded};
use crate::info::{Informations, PairInformation, conditional_entropy};
use crate::stats::has_power;
use crate::{Error, Observer, Result, check};

/// Which features make up a blanket.
pub(super) enum BlanketRule {
    /// None.
    Empty,
    /// The k that leave least to tell. Of all pairs, only each feature's best covers when
    /// they were counted are kept, the best first.
    Nearest { k: usize, covers: Vec<Vec<Cover>> },
    /// The k that tell most about the class; all features by falling information.
    Strongest { k: usize, order: Vec<usize> },
}

impl BlanketRule {
    pub(super) fn nearest(k: usize) -> Self {
        let covers = Vec::new();
        BlanketRule::Nearest { k, covers }
    }

    pub(super) fn strongest(k: usize, info: &Informations<'_>) -> Self {
        let mut order: Vec<usize> = (0..info.n_features()).collect();
        // Stable: equal ones stay in column order.
        order.sort_by_key(|&feature| Reverse(rounded(info.single(feature).mutual)));
        BlanketRule::Strongest { k, order }
    }
}

/// A feature's blanket and what is lost with the feature.
#[derive(Debug, Clone)]
struct Loss {
    blanket: Vec<usize>,
    bits: f64,
}

pub(super) struct Blankets<'t, 'a> {
    info: &'t Informations<'a>,
    observer: &'t dyn Observer,
    rule: BlanketRule,
    losses: Vec<Option<Loss>>,
    n_evaluations: u64,
}

impl<'t, 'a> Blankets<'t, 'a> {
    pub(super) fn new(
        info: &'t Informations<'a>,
        observer: &'t dyn Observer,
        rule: BlanketRule,
    ) -> Self {
        Blankets {
            info,
            observer,
            rule,
            losses: vec![None; info.n_features()],
            n_evaluations: 0,
        }
    }

    /// The blanket of a feature.
    fn choose(&mut self, feature: usize, remaining: &Remaining) -> Result<Vec<usize>> {
        match &mut self.rule {
            BlanketRule::Empty => Ok(Vec::new()),
            BlanketRule::Strongest { k, order } => {
                let others = order.iter().copied();
                let others = others.filter(|&f| f != feature && remaining.is_in[f]);
                Ok(others.take(*k).collect())
            }
            BlanketRule::Nearest { k, covers: known } => {
                let n_wanted = (*k).min(remaining.n_in - 1);
                let best = &mut known[feature];
                best.retain(|&(_, other, _)| remaining.is_in[other]);
                if best.len() < n_wanted {
                    let others: Vec<usize> =
                        remaining.iter().filter(|&other| other != feature).collect();
                    *best = covers(self.info, feature, &others, self.observer)?;
                    best.sort_unstable_by_key(|&(left, other, _)| (left, other));
                    best.truncate(REMEMBERED);
                }
                Ok(best.iter().take(n_wanted).map(|cover| cover.1).collect())
            }
        }
    }

    /// Counts all pairs once, if the rule looks at them.
    fn prepare(&mut self) -> Result<()> {
        let n = self.info.n_features();
        let BlanketRule::Nearest { covers, .. } = &mut self.rule else {
            return Ok(());
        };
        if covers.len() == n {
            return Ok(());
        }
        let mut best: Vec<Vec<Cover>> = vec![Vec::new(); n];
        let left = |pair: &PairInformation| (pair.class_from_a_given_b, pair.class_from_b_given_a);
        self.info.for_each_pair(
            &self.info.features(),
            self.observer,
            left,
            |a, b, (of_a, of_b)| {
                remember(&mut best[a], (rounded(of_a), b, of_a));
                remember(&mut best[b], (rounded(of_b), a, of_b));
            },
        )?;
        *covers = best;
        Ok(())
    }

    /// What is lost with each of some features, given its blanket: with one look at the rows for
    /// all pairs and one for all tables of three.
    fn bits(&self, open: &[(usize, Vec<usize>)]) -> Result<Vec<f64>> {
        check(self.observer)?;
        let (mut pairs, mut triples) = (Vec::new(), Vec::new());
        for (feature, blanket) in open {
            match blanket[..] {
                [] => {}
                [first, second] if self.is_dense(&[*feature, first, second]) => {
                    triples.push((*feature, [first, second]));
                }
                [first, ..] => pairs.push((*feature, first)),
            }
        }
        let of_pairs = self.info.pairs(&pairs, self.observer)?;
        let mut of_pairs = of_pairs.iter().map(|pair| pair.class_from_a_given_b);
        let mut of_triples = self.bits_given_two(&triples)?.into_iter();
        let bits = open.iter().map(|(feature, blanket)| match blanket[..] {
            [] => Some(self.info.single(*feature).mutual),
            [first, second] if self.is_dense(&[*feature, first, second]) => of_triples.next(),
            _ => of_pairs.next(),
        });
        let bits: Option<Vec<f64>> = bits.collect();
        bits.ok_or_else(|| Error::internal("a loss was not counted"))
    }

    /// Whether a table of these features and the class has five rows per cell.
    fn is_dense(&self, features: &[usize]) -> bool {
        let sizes = features.iter().map(|&f| self.info.n_values(f) as u64);
        let n_cells = sizes.fold(self.info.n_classes() as u64, u64::saturating_mul);
        has_power(self.info.n_rows() as u64, n_cells)
    }

    fn bits_given_two(&self, triples: &[(usize, [usize; 2])]) -> Result<Vec<f64>> {
        let class = self.info.n_features();
        let mut sets = Vec::new();
        for &(feature, [first, second]) in triples {
            // Rows that lack the feature still tell what its blanket leaves open.
            if self.info.has_gaps(feature) {
                sets.push(vec![first, second, class]);
            }
            sets.push(vec![first, second, class, feature]);
        }
        let nodes = self.info.nodes();
        let entropies = nodes.map_rows(&sets, self.observer, |_, rows| {
            let given_both = rows.parts(0..2)?;
            let before = conditional_entropy(&rows.count(&given_both, 2)?);
            if rows.n_nodes() < 4 {
                return Ok((before, before));
            }
            let after = rows.refine(&given_both, 3)?;
            Ok((before, conditional_entropy(&rows.count(&after, 2)?)))
        })?;
        let mut entropies = entropies.into_iter();
        let mut next = || {
            entropies
                .next()
                .ok_or_else(|| Error::internal("rows of no set"))
        };
        let loss = |&(feature, _): &(usize, [usize; 2])| {
            let (before, mut after) = next()?;
            if self.info.has_gaps(feature) {
                (_, after) = next()?;
            }
            Ok((before - after).max(0.0))
        };
        triples.iter().map(loss).collect()
    }
}

/// Puts a cover in its place among the best, if it belongs there.
fn remember(best: &mut Vec<Cover>, cover: Cover) {
    let key = |cover: &Cover| (cover.0, cover.1);
    if best.len() == REMEMBERED {
        if best.last().is_some_and(|last| key(last) < key(&cover)) {
            return;
        }
        best.pop();
    }
    let place = best.partition_point(|other| key(other) < key(&cover));
    best.insert(place, cover);
}

impl Losses for Blankets<'_, '_> {
    fn least(&mut self, remaining: &Remaining) -> Result<Option<(usize, f64)>> {
        self.prepare()?;
        let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
        for feature in remaining.iter().filter(|&f| remaining.may_leave(f)) {
            let is_known = self.losses[feature].as_ref().is_some_and(|loss| {
                let mut blanket = loss.blanket.iter();
                blanket.all(|&member| remaining.is_in[member])
            });
            if !is_known {
                open.push((feature, self.choose(feature, remaining)?));
            }
        }
        let bits = self.bits(&open)?;
        self.n_evaluations += bits.len() as u64;
        for ((feature, blanket), bits) in open.into_iter().zip(bits) {
            self.losses[feature] = Some(Loss { blanket, bits });
        }
        let known = remaining.iter().filter(|&f| remaining.may_leave(f));
        let known = known.filter_map(|f| Some((f, self.losses[f].as_ref()?.bits)));
        Ok(known.min_by_key(|&(feature, bits)| (rounded(bits), feature)))
    }

    fn n_evaluations(&self) -> u64 {
        self.n_evaluations
    }
}
