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

use super::rank::SetOrder;
use super::{SearchDescription, SearchResult, SearchTask, Step, Stop, Strategy, unless_early};
use crate::Result;
use crate::score::FeatureSet;

/// So many extensions without a new best set end the search.
const STALE: usize = 5;

/// The features of a set in order: far smaller than bits over all features.
type Members = Rc<[u32]>;

/// A set on the list, the better the smaller: value, size, features; and its number.
type OpenSet = Reverse<(i64, usize, Members, usize)>;

/// How a set came about: from which other one, by which feature.
#[derive(Debug, Clone, Copy)]
struct SetOrigin {
    from: usize,
    feature: usize,
    value: f64,
}

/// Always extends the best set not extended yet.
pub(super) static BEST_FIRST: SearchDescription = SearchDescription {
    name: "best-first",
    summary: "goes on from the best set seen so far, until five in a row bring nothing better",
    settings: &[],
    strategy: Strategy::Jumps(best_first),
};

fn best_first(task: &SearchTask<'_>) -> Result<SearchResult> {
    let start = task.score_start(&task.kept()?)?;
    let mut frontier = Frontier::new(task, start);
    let (mut best, mut value, mut n_stale) = (0, start, 0);
    let mut stop = Stop::Exhausted;
    while let Some((members, number)) = frontier.next() {
        let extended = frontier.extend(&members, number);
        let new = match unless_early(extended, task.limits, best != 0)? {
            Ok(new) => new,
            Err(early) => {
                stop = early;
                break;
            }
        };
        n_stale += 1;
        for number in new {
            let origin = frontier.origins[number];
            if task.score.is_new_best(origin.value, value) {
                (best, value, n_stale) = (number, origin.value, 0);
            }
        }
        let n_extended = frontier.n_extended;
        task.report("searching best first", value, (n_extended, 0));
        if n_stale == STALE {
            stop = Stop::Stale {
                n: STALE,
                of: "expansions",
            };
            break;
        }
    }
    let steps = frontier.steps_to(best);
    let mut kept: Vec<usize> = task.keep.to_vec();
    kept.extend(steps.iter().map(|step| step.feature));
    Ok(SearchResult {
        value,
        steps,
        stop,
        n_evaluations: frontier.origins.len() as u64,
        ..SearchResult::of_start(kept, start)
    })
}

/// The sets scored so far, and those not extended yet.
struct Frontier<'w, 'a> {
    task: &'w SearchTask<'a>,
    rank: SetOrder,
    open: BinaryHeap<OpenSet>,
    /// Looked up only, never listed: its order cannot reach a result.
    seen: HashSet<Members>,
    origins: Vec<SetOrigin>,
    n_extended: u64,
}

impl<'w, 'a> Frontier<'w, 'a> {
    fn new(task: &'w SearchTask<'a>, start: f64) -> Self {
        let mut members: Vec<u32> = task.keep.iter().map(|&f| f as u32).collect();
        members.sort_unstable();
        let members: Members = members.into();
        let rank = SetOrder::new(task.score, start);
        Frontier {
            task,
            rank,
            open: BinaryHeap::from([Reverse((rank.of(start), members.len(), members.clone(), 0))]),
            seen: HashSet::from([members]),
            origins: vec![SetOrigin {
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
        let n_features = self.task.score.n_features();
        let base = FeatureSet::of(n_features, members.iter().map(|&f| f as usize))?;
        let mut candidates = Vec::new();
        let mut extended: Vec<Members> = Vec::new();
        for feature in self.task.outside(&base) {
            let set = with(members, feature as u32);
            if !self.seen.contains(&set) {
                candidates.push(feature);
                extended.push(set);
            }
        }
        let values = self
            .task
            .score
            .change(&base, &candidates, self.task.limits)?;
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
            self.origins.push(SetOrigin {
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
            steps.push(Step::add(origin.feature, origin.value));
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
