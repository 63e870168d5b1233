//! Best-first search: always extends the best set not extended yet.
//!
//! Paper: Hall, 2000, with the settings of the widely used implementation in WEKA: an
//! extension by every single feature that brings no new best set is stale, and five stale
//! ones in a row end the search. The list of sets is unbounded here and no set is scored
//! twice. Order among equals: fewer features, then the features in order.
//! Cost: one call of the score per extension, O(n) sets kept from each.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::rc::Rc;

use super::rank::Rank;
use super::{Action, Found, Step, Stop, Walk, unless_early};
use crate::Result;
use crate::score::FeatureSet;

/// So many extensions without a new best set end the search.
const STALE: usize = 5;

/// The features of a set in order: far smaller than bits over all features.
type Members = Rc<[u32]>;

/// A set on the list, the better the smaller: value, size, features; and its number.
type Open = Reverse<(i64, usize, Members, usize)>;

/// How a set came about: from which other one, by which feature.
#[derive(Debug, Clone, Copy)]
struct Origin {
    from: usize,
    feature: usize,
    value: f64,
}

pub(super) fn best_first(walk: &Walk<'_>) -> Result<Found> {
    let start = walk.score_start(&walk.kept()?)?;
    let mut frontier = Frontier::new(walk, start);
    let (mut best, mut value, mut n_stale) = (0, start, 0);
    let mut stop = Stop::Exhausted;
    while let Some((members, number)) = frontier.next() {
        let extended = frontier.extend(&members, number);
        let new = match unless_early(extended, walk.limits, best != 0)? {
            Ok(new) => new,
            Err(early) => {
                stop = early;
                break;
            }
        };
        n_stale += 1;
        for number in new {
            let origin = frontier.origins[number];
            if walk.score.is_new_best(origin.value, value) {
                (best, value, n_stale) = (number, origin.value, 0);
            }
        }
        let n_extended = frontier.n_extended;
        walk.report("searching best first", value, (n_extended, 0));
        if n_stale == STALE {
            stop = Stop::Stale {
                n: STALE,
                of: "expansions",
            };
            break;
        }
    }
    let steps = frontier.steps_to(best);
    let mut kept: Vec<usize> = walk.keep.to_vec();
    kept.extend(steps.iter().map(|step| step.feature));
    kept.sort_unstable();
    Ok(Found {
        kept,
        start,
        value,
        steps,
        stop,
        n_evaluations: frontier.origins.len() as u64,
        n_repeated: 0,
    })
}

/// The sets scored so far, and those not extended yet.
struct Frontier<'w, 'a> {
    walk: &'w Walk<'a>,
    rank: Rank,
    open: BinaryHeap<Open>,
    /// Looked up only, never listed: its order cannot reach a result.
    seen: HashSet<Members>,
    origins: Vec<Origin>,
    n_extended: u64,
}

impl<'w, 'a> Frontier<'w, 'a> {
    fn new(walk: &'w Walk<'a>, start: f64) -> Self {
        let mut members: Vec<u32> = walk.keep.iter().map(|&f| f as u32).collect();
        members.sort_unstable();
        let members: Members = members.into();
        let rank = Rank::new(walk.score, start);
        Frontier {
            walk,
            rank,
            open: BinaryHeap::from([Reverse((rank.of(start), members.len(), members.clone(), 0))]),
            seen: HashSet::from([members]),
            origins: vec![Origin {
                from: 0,
                feature: 0,
                value: start,
            }],
            n_extended: 0,
        }
    }

    /// The best set not extended yet.
    fn next(&mut self) -> Option<(Members, usize)> {
        let Reverse((_, _, members, number)) = self.open.pop()?;
        Some((members, number))
    }

    /// Scores the set with every feature more that was not scored yet.
    fn extend(&mut self, members: &Members, from: usize) -> Result<std::ops::Range<usize>> {
        let n_features = self.walk.score.n_features();
        let base = FeatureSet::of(n_features, members.iter().map(|&f| f as usize))?;
        let mut candidates = Vec::new();
        let mut extended: Vec<Members> = Vec::new();
        for feature in self.walk.outside(&base) {
            let set = with(members, feature as u32);
            if !self.seen.contains(&set) {
                candidates.push(feature);
                extended.push(set);
            }
        }
        let values = self
            .walk
            .score
            .extend(&base, &candidates, self.walk.limits)?;
        let first = self.origins.len();
        for ((feature, set), value) in candidates.into_iter().zip(extended).zip(values) {
            let place = (
                self.rank.of(value),
                set.len(),
                set.clone(),
                self.origins.len(),
            );
            self.open.push(Reverse(place));
            self.seen.insert(set);
            self.origins.push(Origin {
                from,
                feature,
                value,
            });
        }
        self.n_extended += 1;
        Ok(first..self.origins.len())
    }

    /// The additions that led from the start to a set.
    fn steps_to(&self, mut number: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        while number != 0 {
            let origin = self.origins[number];
            steps.push(Step {
                action: Action::Add,
                feature: origin.feature,
                score: origin.value,
            });
            number = origin.from;
        }
        steps.reverse();
        steps
    }
}

/// The members and one more, in order.
fn with(members: &[u32], feature: u32) -> Members {
    let place = members.partition_point(|&member| member < feature);
    let (before, behind) = members.split_at(place);
    let all = before.iter().chain([&feature]).chain(behind);
    all.copied().collect()
}
