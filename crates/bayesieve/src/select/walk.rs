//! From a score and a search to what a method comes back with.

use super::method::{Miss, Outcome, ScoreKind, Task};
use crate::error::Result;
use crate::observer::Silent;
use crate::score::{FeatureSet, Remembered, Score};
use crate::search::{Found, Walk};

/// Walks by a score, and says what every feature that is out would change.
pub(super) fn walk(task: &Task<'_, '_>, score: &dyn Score) -> Result<Outcome> {
    // A score that remembers costs memory: only where someone wants to know.
    match task.journal {
        None => walk_by(task, score),
        Some(_) => remembering(task, score, |remembered| walk_by(task, remembered)),
    }
}

/// Runs something with a score that remembers all sets, also those of the checkpoint.
pub(super) fn remembering<T>(
    task: &Task<'_, '_>,
    score: &dyn Score,
    run: impl FnOnce(&Remembered<'_>) -> Result<T>,
) -> Result<T> {
    let remembered = Remembered::new(score);
    let Some(journal) = task.journal else {
        return run(&remembered);
    };
    let listener = |scored: &[(FeatureSet, f64)]| journal.append(scored);
    let known = journal.known().iter().cloned();
    run(&remembered.with_values(known).with_listener(&listener))
}

/// Walks by a score alone.
pub(super) fn search(task: &Task<'_, '_>, score: &dyn Score) -> Result<Found> {
    let candidates: Vec<usize> = (0..task.told.n_features()).collect();
    task.search.run(&Walk {
        score,
        candidates: &candidates,
        keep: task.keep,
        limits: task.limits,
        seed: task.seed,
        options: task.options.search_options()?,
    })
}

/// The set of what was found, and the features outside of it.
pub(super) fn sides(n_features: usize, kept: &[usize]) -> Result<(FeatureSet, Vec<usize>)> {
    let set = FeatureSet::of(n_features, kept.iter().copied())?;
    let outside = (0..n_features).filter(|&f| !set.contains(f)).collect();
    Ok((set, outside))
}

/// What was found by a score, without what the others missed.
pub(super) fn outcome(score: &dyn Score, found: Found) -> Outcome {
    Outcome {
        misses: Vec::new(),
        kept: found.kept,
        score: ScoreKind {
            name: score.name(),
            unit: score.unit(),
            better: score.better(),
        },
        start: found.start,
        value: found.value,
        steps: found.steps,
        stop: found.stop,
        n_evaluations: found.n_evaluations,
        n_repeated: found.n_repeated,
        estimate: None,
        warnings: Vec::new(),
    }
}

fn walk_by(task: &Task<'_, '_>, score: &dyn Score) -> Result<Outcome> {
    let found = search(task, score)?;
    let (set, outside) = sides(task.told.n_features(), &found.kept)?;
    // The walk may have ended early; what it found must still be explained, unless even the
    // score of its start took too long.
    let values = if outside.is_empty() || found.value.is_nan() {
        Vec::new()
    } else {
        score.extend(&set, &outside, &Silent)?
    };
    let misses = outside.into_iter().zip(values).map(|(feature, value)| {
        let miss = Miss::NoGain {
            gain: score.gain(value, found.value),
            unit: score.unit(),
        };
        (feature, miss)
    });
    Ok(Outcome {
        misses: misses.collect(),
        ..outcome(score, found)
    })
}
