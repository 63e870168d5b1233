//! Blankets of one feature, the one that leaves least to tell.
//!
//! What is lost with a feature can only grow as others leave. So an old loss is a lower
//! bound, and only the feature in front of the queue needs to be looked at again: a loss
//! is counted when it could be the smallest, and pairs are never kept.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Losses, Remaining, rounded};
use crate::info::{Informations, PairRows};
use crate::{Observer, Result};

/// Others remembered per feature: when the first has left, the next one takes its place.
pub(super) const REMEMBERED: usize = 16;

/// Features up to which all pairs are kept where the rows are not in memory.
const MAX_KEPT: usize = 4_096;

/// Pairs counted in one call.
const BATCH: usize = 1_024;

/// What a feature tells when another is known: in units of rounding, the other, in bits.
pub(super) type Cover = (i64, usize, f64);

pub(super) struct Nearest<'t, 'a> {
    info: &'t Informations<'a>,
    observer: &'t dyn Observer,
    /// All pairs, where each look at the rows is long and they are few enough to be kept.
    known: Option<PairRows<'t, 'a, f64>>,
    /// Lower bounds of the losses; features that left drop out when they come up.
    queue: BinaryHeap<Reverse<(i64, usize)>>,
    /// The best covers of each feature when they were counted, the best last.
    covers: Vec<Vec<Cover>>,
    n_evaluations: u64,
}

impl<'t, 'a> Nearest<'t, 'a> {
    pub(super) fn new(info: &'t Informations<'a>, observer: &'t dyn Observer) -> Self {
        let n = info.n_features();
        let is_kept = !info.nodes().is_in_memory() && n <= MAX_KEPT;
        Nearest {
            info,
            observer,
            known: is_kept.then(|| PairRows::new(info, |pair| pair.class_from_a_given_b)),
            queue: (0..n).map(|feature| Reverse((0, feature))).collect(),
            covers: vec![Vec::new(); n],
            n_evaluations: 0,
        }
    }

    /// Counts a feature with all that remain; ends where nothing is left to tell, for
    /// less than that is not possible.
    fn count(&mut self, feature: usize, remaining: &Remaining) -> Result<()> {
        if let Some(known) = &self.known {
            known.fill(self.observer)?;
        }
        let others: Vec<usize> = remaining.iter().filter(|&other| other != feature).collect();
        let mut best: Vec<Cover> = Vec::new();
        for batch in others.chunks(BATCH) {
            let found = match &self.known {
                Some(known) => {
                    let row = known.row(feature, self.observer)?;
                    let cover = |&other: &usize| (rounded(row[other]), other, row[other]);
                    batch.iter().map(cover).collect()
                }
                None => covers(self.info, feature, batch, self.observer)?,
            };
            self.n_evaluations += found.len() as u64;
            best.extend(found);
            best.sort_unstable_by_key(|&(lost, other, _)| (lost, other));
            best.truncate(REMEMBERED);
            if best.first().is_some_and(|&(lost, ..)| lost <= 0) {
                best.retain(|&(lost, ..)| lost <= 0);
                break;
            }
        }
        best.reverse();
        self.covers[feature] = best;
        Ok(())
    }
}

/// What a feature tells when each of some others is known.
pub(super) fn covers(
    info: &Informations<'_>,
    feature: usize,
    others: &[usize],
    observer: &dyn Observer,
) -> Result<Vec<Cover>> {
    let pairs: Vec<(usize, usize)> = others.iter().map(|&other| (feature, other)).collect();
    let left = info.map_pairs(&pairs, observer, |pair| pair.class_from_a_given_b)?;
    let covers = others.iter().zip(left);
    Ok(covers
        .map(|(&other, left)| (rounded(left), other, left))
        .collect())
}

impl Losses for Nearest<'_, '_> {
    fn least(&mut self, remaining: &Remaining) -> Result<Option<(usize, f64)>> {
        while let Some(&Reverse((bound, feature))) = self.queue.peek() {
            if !remaining.may_leave(feature) {
                self.queue.pop();
                continue;
            }
            let covers = &mut self.covers[feature];
            while covers
                .last()
                .is_some_and(|&(_, other, _)| !remaining.is_in[other])
            {
                covers.pop();
            }
            match covers.last() {
                Some(&(lost, _, bits)) if lost == bound => return Ok(Some((feature, bits))),
                Some(&(lost, ..)) => {
                    self.queue.pop();
                    self.queue.push(Reverse((lost, feature)));
                }
                None => self.count(feature, remaining)?,
            }
        }
        Ok(None)
    }

    fn n_evaluations(&self) -> u64 {
        self.n_evaluations
    }
}
