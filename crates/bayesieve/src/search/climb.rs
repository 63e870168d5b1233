//! Searches that change one feature at a time: the best change of a round, while better.

use super::{Action, Found, Step, Stop, Walk, unless_early};
use crate::Result;
use crate::score::FeatureSet;

/// A walk that only ever goes up.
pub(super) struct Climb<'w, 'a> {
    walk: &'w Walk<'a>,
    stage: &'static str,
    set: FeatureSet,
    found: Found,
}

/// What became of a round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Round {
    /// The best change was made.
    Better,
    /// No change is better.
    NoBetter,
    /// There is nothing to change.
    NoCandidate,
    /// The walk has to stop here.
    Early(Stop),
}

impl<'w, 'a> Climb<'w, 'a> {
    /// From the features that must stay in.
    pub(super) fn from_kept(walk: &'w Walk<'a>, stage: &'static str) -> Result<Self> {
        Climb::new(walk, stage, walk.keep.to_vec())
    }

    /// From all features.
    pub(super) fn from_all(walk: &'w Walk<'a>, stage: &'static str) -> Result<Self> {
        let mut all = walk.free()?;
        all.extend_from_slice(walk.keep);
        Climb::new(walk, stage, all)
    }

    fn new(walk: &'w Walk<'a>, stage: &'static str, start: Vec<usize>) -> Result<Self> {
        let set = FeatureSet::of(walk.score.n_features(), start.iter().copied())?;
        let value = walk.score_start(&set)?;
        Ok(Climb {
            walk,
            stage,
            set,
            found: Found {
                kept: start,
                start: value,
                value,
                steps: Vec::new(),
                stop: Stop::Exhausted,
                n_evaluations: 1,
                n_repeated: 0,
            },
        })
    }

    /// Makes the best change of a kind, if that is better. Ties go to the lowest feature.
    pub(super) fn round(&mut self, action: Action) -> Result<Round> {
        let (score, limits) = (self.walk.score, self.walk.limits);
        let candidates = match action {
            Action::Add => self.walk.outside(&self.set),
            Action::Remove => {
                let members = self.set.iter();
                members.filter(|f| !self.walk.keep.contains(f)).collect()
            }
        };
        if candidates.is_empty() {
            return Ok(Round::NoCandidate);
        }
        let values = match action {
            Action::Add => score.extend(&self.set, &candidates, limits),
            Action::Remove => score.reduce(&self.set, &candidates, limits),
        };
        let values = match unless_early(values, limits, !self.found.steps.is_empty())? {
            Ok(values) => values,
            Err(stop) => return Ok(Round::Early(stop)),
        };
        self.found.n_evaluations += values.len() as u64;
        let best = score.best(&values);
        let Some(best) = best.filter(|&best| score.is_better(values[best], self.found.value))
        else {
            return Ok(Round::NoBetter);
        };
        self.make(Step {
            action,
            feature: candidates[best],
            score: values[best],
        });
        Ok(Round::Better)
    }

    fn make(&mut self, step: Step) {
        let kept = &mut self.found.kept;
        match step.action {
            Action::Add => {
                self.set.insert(step.feature);
                kept.push(step.feature);
            }
            Action::Remove => {
                self.set.remove(step.feature);
                kept.retain(|&feature| feature != step.feature);
            }
        }
        self.found.value = step.score;
        self.found.steps.push(step);
        let n_steps = self.found.steps.len() as u64;
        self.walk.report(self.stage, step.score, (n_steps, 0));
    }

    /// What was found, in order of entry, when a round was the last.
    pub(super) fn end(mut self, round: Round) -> Found {
        self.found.stop = match round {
            Round::Better | Round::NoCandidate => Stop::Exhausted,
            Round::NoBetter => Stop::NoImprovement,
            Round::Early(stop) => stop,
        };
        self.found
    }

    /// The same in column order.
    pub(super) fn end_in_column_order(self, round: Round) -> Found {
        let mut found = self.end(round);
        found.kept.sort_unstable();
        found
    }
}
