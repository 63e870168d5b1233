//! The strongest edges of many, a bounded number at a time.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::clusters::{Clusters, Edge};
use crate::{Observer, Result};

/// Strengths are shares of the largest that there can be, in these steps, so that what
/// differs by rounding only is a tie.
const STEPS: f64 = u32::MAX as f64;

/// Where edges come from.
pub(super) trait EdgeSource {
    /// Offers every edge between the open features whose clusters may be joined, in any order.
    fn offer(
        &self,
        open: &[usize],
        clusters: &Clusters,
        best: &Best,
        pass: &Pass<'_>,
    ) -> Result<()>;
}

/// Who hears how far a pass over all pairs is.
pub(super) struct Pass<'o> {
    pub(super) observer: &'o dyn Observer,
    pub(super) stage: &'static str,
}

/// Joins features in order of their edges; at most `max_edges` of them are in memory twice.
/// What did not fit is asked for again, as far as it may still be joined.
pub(super) fn merge(
    source: &impl EdgeSource,
    clusters: &mut Clusters,
    max_edges: usize,
    observer: &dyn Observer,
) -> Result<()> {
    let mut pass = Pass {
        observer,
        stage: "finding blocks",
    };
    let mut after = None;
    loop {
        let open = clusters.open();
        if open.len() < 2 {
            return Ok(());
        }
        let best = Best::new(max_edges, after);
        source.offer(&open, clusters, &best, &pass)?;
        let (edges, is_all) = best.into_sorted();
        edges.iter().for_each(|&edge| clusters.join(edge));
        if is_all {
            return Ok(());
        }
        after = edges.last().copied();
        pass.stage = "finding blocks, once more";
    }
}

/// The strongest edges among those offered, behind some edge.
pub(super) struct Best {
    most: usize,
    /// Only edges behind this one.
    after: Option<Edge>,
    /// As soon as there are too many: the strength of the last that is kept.
    floor: AtomicU32,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    edges: Vec<Edge>,
    is_cut: bool,
}

impl Best {
    fn new(most: usize, after: Option<Edge>) -> Self {
        Best {
            most,
            after,
            floor: AtomicU32::new(0),
            kept: Mutex::default(),
        }
    }

    /// The share below which nothing is wanted.
    pub(super) fn floor(&self) -> f64 {
        // One step less, so that rounding never hides an edge.
        f64::from(self.floor.load(Ordering::Relaxed).saturating_sub(1)) / STEPS
    }

    /// An edge of this share of the largest strength, if it is still wanted.
    pub(super) fn edge(&self, share: f64, a: usize, b: usize) -> Option<Edge> {
        let edge = Edge {
            strength: Reverse((share.min(1.0) * STEPS).round() as u32),
            a: a as u32,
            b: b as u32,
        };
        self.wants(edge).then_some(edge)
    }

    fn wants(&self, edge: Edge) -> bool {
        let is_behind = self.after.is_none_or(|after| edge > after);
        is_behind && edge.strength.0 >= self.floor.load(Ordering::Relaxed)
    }

    /// Takes edges over; of too many the weakest go.
    pub(super) fn take(&self, found: &mut Vec<Edge>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.edges.append(found);
        if kept.edges.len() >= 2 * self.most {
            kept.cut(self.most);
            let last = kept.edges.iter().map(|edge| edge.strength.0).min();
            self.floor.store(last.unwrap_or(0), Ordering::Relaxed);
        }
    }

    /// The edges, strongest first, and whether these are all.
    fn into_sorted(self) -> (Vec<Edge>, bool) {
        let kept = self.kept.into_inner();
        let mut kept = kept.unwrap_or_else(PoisonError::into_inner);
        kept.cut(self.most);
        kept.edges.par_sort_unstable();
        (kept.edges, !kept.is_cut)
    }
}

impl Kept {
    fn cut(&mut self, most: usize) {
        if self.edges.len() > most {
            self.edges.select_nth_unstable(most - 1);
            self.edges.truncate(most);
            self.is_cut = true;
        }
    }
}
