//! Exhaustive search: every set of a few features.
//!
//! Cost: 2^n sets, scored in batches; refused above 25 features that may come and go.
//! Ties go to fewer features, then to the set that comes first by its features in order.

use super::rank::SetOrder;
use super::{SearchDescription, SearchResult, SearchTask, Stop, Strategy, unless_early};
use crate::score::FeatureSet;
use crate::{Error, Result, parameter};

/// 2^25 sets take minutes; each feature more doubles that.
const MAX_FEATURES: usize = 25;

/// Sets scored in one call.
const BATCH: u64 = 1 << 13;

/// Every set.
pub(super) static EXHAUSTIVE: SearchDescription = SearchDescription {
    name: "exhaustive",
    summary: "every set there is, of up to 25 features",
    settings: &[],
    strategy: Strategy::Jumps(exhaustive),
};

fn exhaustive(task: &SearchTask<'_>) -> Result<SearchResult> {
    let free = task.free()?;
    if free.len() > MAX_FEATURES {
        return Err(Error::usage(format!(
            "an exhaustive search over {} features would never end; {MAX_FEATURES} is the most",
            free.len()
        ))
        .with_hint(format!(
            "Use {search} or genetic, or fewer features ({features}).",
            search = parameter("search").is("floating"),
            features = parameter("features")
        )));
    }
    let (score, limits) = (task.score, task.limits);
    let start_set = task.kept()?;
    let start = task.score_start(&start_set)?;
    let rank = SetOrder::new(score, start);
    let (mut best, mut value) = (start_set.clone(), start);
    let (n_sets, mut n_done, mut stop) = (1u64 << free.len(), 1u64, Stop::Exhausted);
    while n_done < n_sets {
        let batch = n_done..n_sets.min(n_done + BATCH);
        let sets: Vec<FeatureSet> = batch.map(|bits| with(&start_set, &free, bits)).collect();
        let values = score.evaluate(&sets, limits);
        let values = match unless_early(values, limits, best != start_set)? {
            Ok(values) => values,
            Err(early) => {
                stop = early;
                break;
            }
        };
        n_done += sets.len() as u64;
        for (set, new) in sets.into_iter().zip(values) {
            if rank.cmp((&set, new), (&best, value)).is_lt() {
                (best, value) = (set, new);
            }
        }
        task.report("searching all sets", value, (n_done, n_sets));
    }
    Ok(SearchResult {
        value,
        stop,
        n_evaluations: n_done,
        ..SearchResult::of_start(best.iter().collect(), start)
    })
}

/// The start with the free features whose bits are set.
fn with(start: &FeatureSet, free: &[usize], bits: u64) -> FeatureSet {
    let mut set = start.clone();
    let chosen = free.iter().enumerate();
    chosen
        .filter(|(bit, _)| bits >> bit & 1 == 1)
        .for_each(|(_, &feature)| set.insert(feature));
    set
}
