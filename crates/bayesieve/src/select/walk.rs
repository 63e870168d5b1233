//! From a score and a search to what a method comes back with.

use std::sync::{Mutex, PoisonError};

use super::method::{Outcome, ScoreKind, Task};
use super::reason::Reason;
use crate::classify::ModelKind;
use crate::score::{FeatureSet, Remembered, Score};
use crate::search::{SearchOptions, SearchResult, SearchTask};
use crate::{Result, Silent};

/// Walks by a score, and says what every feature that is out would change.
pub(super) fn walk(task: &Task<'_, '_>, score: &dyn Score) -> Result<Outcome> {
    // A score that remembers costs memory: only where someone wants to know.
    match task.journal {
        None => walk_by(task, score),
        Some(_) => remembering(task, score, |remembered, _| walk_by(task, remembered)),
    }
}

/// Runs something with a score that remembers all sets, also those of the checkpoint, and
/// with the best of them.
pub(super) fn remembering<T>(
    task: &Task<'_, '_>,
    score: &dyn Score,
    run: impl FnOnce(&Remembered<'_>, &BestScored<'_>) -> Result<T>,
) -> Result<T> {
    let best = BestScored::new(score);
    let listener = |scored: &[(FeatureSet, f64)]| {
        best.note(scored);
        task.journal
            .map_or(Ok(()), |journal| journal.append(scored))
    };
    let known = task.journal.map_or(&[][..], |journal| &journal.known);
    best.note(known);
    let remembered = Remembered::new(score).with_values(known.iter().cloned());
    // Scores that come fast come faster when nobody listens.
    let is_slow = |model| model != ModelKind::NaiveBayes;
    let is_heard = task.journal.is_some() || task.options.model().is_some_and(is_slow);
    if is_heard {
        run(&remembered.with_listener(&listener), &best)
    } else {
        run(&remembered, &best)
    }
}

/// The best set that was scored, the first of equal ones: also of a generation that was cut
/// off.
pub(super) struct BestScored<'s> {
    score: &'s dyn Score,
    best: Mutex<Option<(FeatureSet, f64)>>,
}

impl<'s> BestScored<'s> {
    fn new(score: &'s dyn Score) -> Self {
        BestScored {
            score,
            best: Mutex::default(),
        }
    }

    fn note(&self, scored: &[(FeatureSet, f64)]) {
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        for (set, value) in scored {
            let is_better = |(_, best): &(_, f64)| self.score.is_better(*value, *best);
            if best.as_ref().is_none_or(is_better) {
                *best = Some((set.clone(), *value));
            }
        }
    }

    pub(super) fn get(&self) -> Option<(FeatureSet, f64)> {
        let best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        best.clone()
    }
}

/// Searches by a score alone.
pub(super) fn search(task: &Task<'_, '_>, score: &dyn Score) -> Result<SearchResult> {
    let candidates: Vec<usize> = (0..task.informations.n_features()).collect();
    task.search.run(&search_task(task, score, &candidates)?)
}

/// What a search by a score is given.
pub(super) fn search_task<'a>(
    task: &'a Task<'_, '_>,
    score: &'a dyn Score,
    candidates: &'a [usize],
) -> Result<SearchTask<'a>> {
    Ok(SearchTask {
        score,
        candidates,
        keep: task.keep,
        limits: task.limits,
        seed: task.seed,
        options: SearchOptions {
            count: task.count,
            ..task.options.search_options()?
        },
    })
}

/// The set of what was found, and the features outside of it.
pub(super) fn sides(n_features: usize, kept: &[usize]) -> Result<(FeatureSet, Vec<usize>)> {
    let set = FeatureSet::of(n_features, kept.iter().copied())?;
    let outside = (0..n_features).filter(|&f| !set.contains(f)).collect();
    Ok((set, outside))
}

/// What was found by a score, without what the others missed.
pub(super) fn outcome(score: &dyn Score, found: SearchResult) -> Outcome {
    let score = ScoreKind {
        name: score.name(),
        unit: score.unit(),
        better: score.better(),
    };
    Outcome {
        kept: found.kept,
        start: found.start,
        value: found.value,
        steps: found.steps,
        stop: found.stop,
        n_evaluations: found.n_evaluations,
        n_repeated: found.n_repeated,
        ..Outcome::of(score)
    }
}

fn walk_by(task: &Task<'_, '_>, score: &dyn Score) -> Result<Outcome> {
    let found = search(task, score)?;
    let (set, outside) = sides(task.informations.n_features(), &found.kept)?;
    // The walk may have ended early; what it found must still be explained, unless even the
    // score of its start took too long.
    let values = if outside.is_empty() || found.value.is_nan() {
        Vec::new()
    } else {
        score.change(&set, &outside, &Silent)?
    };
    let misses = outside.into_iter().zip(values).map(|(feature, value)| {
        let miss = Reason::NoGain {
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
