//! Exhaustive search: every set of a few features.
//!
//! Cost: 2^n sets, scored in batches; refused above 25 features that may come and go.
//! Ties go to fewer features, then to the set that comes first by its features in order.

use super::rank::Rank;
use super::{Found, Stop, Walk, unless_early};
use crate::score::FeatureSet;
use crate::{Error, Result, parameter};

/// 2^25 sets take minutes; each feature more doubles that.
const MOST_FEATURES: usize = 25;

/// Sets scored in one call.
const BATCH: u64 = 1 << 13;

pub(super) fn exhaustive(walk: &Walk<'_>) -> Result<Found> {
    let free = walk.free()?;
    if free.len() > MOST_FEATURES {
        return Err(Error::usage(format!(
            "an exhaustive search over {} features would never end; {MOST_FEATURES} is the most",
            free.len()
        ))
        .with_hint(format!(
            "Use {search} or genetic, or fewer features ({features}).",
            search = parameter("search").is("floating"),
            features = parameter("features")
        )));
    }
    let (score, limits) = (walk.score, walk.limits);
    let start_set = walk.kept()?;
    let start = walk.score_start(&start_set)?;
    let rank = Rank::new(score, start);
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
        walk.report("searching all sets", value, (n_done, n_sets));
    }
    Ok(Found {
        kept: best.iter().collect(),
        start,
        value,
        steps: Vec::new(),
        stop,
        n_evaluations: n_done,
        n_repeated: 0,
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
