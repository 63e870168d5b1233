//! Searches that change one feature at a time: the best change of a round, while better.

use super::{Action, SearchResult, SearchTask, Step, Stop, unless_early};
use crate::Result;
use crate::score::FeatureSet;

/// A search that changes one set, feature by feature.
pub(crate) struct Climb<'s, 'a> {
    task: &'s SearchTask<'a>,
    stage: &'static str,
    pub(crate) set: FeatureSet,
    pub(crate) result: SearchResult,
    /// Whether what there is would be a result, were the search stopped from outside.
    has_result: bool,
}

/// What became of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Round {
    /// The best change was made.
    Changed,
    /// No change is good enough.
    NoneGood,
    /// There is nothing to change.
    NoCandidate,
    /// The search had to stop here; its result says why.
    CutShort,
}

impl<'s, 'a> Climb<'s, 'a> {
    /// From the features that must stay in.
    pub(super) fn from_kept(task: &'s SearchTask<'a>, stage: &'static str) -> Result<Self> {
        Climb::from_start(task, stage, task.keep.to_vec())
    }

    /// From all features.
    pub(super) fn from_all(task: &'s SearchTask<'a>, stage: &'static str) -> Result<Self> {
        let mut all = task.free()?;
        all.extend_from_slice(task.keep);
        Climb::from_start(task, stage, all)
    }

    fn from_start(
        task: &'s SearchTask<'a>,
        stage: &'static str,
        start: Vec<usize>,
    ) -> Result<Self> {
        let set = FeatureSet::of(task.score.n_features(), start.iter().copied())?;
        let result = SearchResult::of_start(start, task.score_start(&set)?);
        Ok(Climb {
            has_result: false,
            ..Climb::from_result(task, stage, result)?
        })
    }

    /// From what another search came to.
    pub(crate) fn from_result(
        task: &'s SearchTask<'a>,
        stage: &'static str,
        result: SearchResult,
    ) -> Result<Self> {
        let kept = result.kept.iter().copied();
        Ok(Climb {
            set: FeatureSet::of(task.score.n_features(), kept)?,
            task,
            stage,
            result,
            has_result: true,
        })
    }

    /// Changes one way while that is better, after every change also the other way, if asked
    /// for; where a number of features is asked for, until there are so many.
    pub(super) fn run(mut self, onward: Action, back: Option<Action>) -> Result<SearchResult> {
        if let Some(count) = self.task.options.count {
            return self.run_to(count, onward, back);
        }
        let last = loop {
            match self.improve(onward)? {
                Round::Changed => {}
                last => break last,
            }
            if let Some(back) = back {
                while self.improve(back)? == Round::Changed {}
            }
        };
        match last {
            Round::NoneGood => self.result.stop = Stop::NoImprovement,
            Round::Changed | Round::NoCandidate | Round::CutShort => {}
        }
        Ok(self.result)
    }

    /// Makes the best change whatever it is worth; a step back must beat the best set of its
    /// size, so that it ends.
    fn run_to(
        mut self,
        count: usize,
        onward: Action,
        back: Option<Action>,
    ) -> Result<SearchResult> {
        let score = self.task.score;
        let mut best_of_size = vec![None; score.n_features() + 1];
        let is_there = |n: usize| match onward {
            Action::Add => n >= count,
            Action::Remove => n <= count,
        };
        while !is_there(self.set.len()) {
            if self.round(onward, |_| true)? != Round::Changed {
                return Ok(self.result);
            }
            self.note(&mut best_of_size);
            while let Some(back) = back {
                let n_after = match back {
                    Action::Add => self.set.len() + 1,
                    Action::Remove => self.set.len() - 1,
                };
                let best: Option<f64> = best_of_size.get(n_after).copied().flatten();
                let is_good = |value| best.is_some_and(|best| score.is_better(value, best));
                if self.round(back, is_good)? != Round::Changed {
                    break;
                }
                self.note(&mut best_of_size);
            }
        }
        if !self.result.stop.is_early() {
            self.result.stop = Stop::Count;
        }
        Ok(self.result)
    }

    /// Notes the value of the set where it is the best of its size.
    fn note(&self, best_of_size: &mut [Option<f64>]) {
        let best = &mut best_of_size[self.set.len()];
        let value = self.result.value;
        if best.is_none_or(|best| self.task.score.is_better(value, best)) {
            *best = Some(value);
        }
    }

    fn improve(&mut self, action: Action) -> Result<Round> {
        let (score, before) = (self.task.score, self.result.value);
        self.round(action, |value| score.is_better(value, before))
    }

    /// Makes the best change of a kind, if its value is good enough. Ties go to the lowest
    /// feature.
    pub(crate) fn round(&mut self, action: Action, is_good: impl Fn(f64) -> bool) -> Result<Round> {
        if self.result.stop.is_early() {
            return Ok(Round::CutShort);
        }
        let (score, limits) = (self.task.score, self.task.limits);
        let candidates: Vec<usize> = match action {
            Action::Add => self.task.outside(&self.set),
            Action::Remove => {
                let may_leave = |f: &usize| !self.task.keep.contains(f);
                self.set.iter().filter(may_leave).collect()
            }
        };
        if candidates.is_empty() {
            return Ok(Round::NoCandidate);
        }
        let values = score.change(&self.set, &candidates, limits);
        let values = match unless_early(values, limits, self.has_result)? {
            Ok(values) => values,
            Err(stop) => {
                self.result.stop = stop;
                return Ok(Round::CutShort);
            }
        };
        self.result.n_evaluations += values.len() as u64;
        let Some(best) = score.best(&values).filter(|&best| is_good(values[best])) else {
            return Ok(Round::NoneGood);
        };
        self.change(Step {
            action,
            feature: candidates[best],
            score: values[best],
        });
        Ok(Round::Changed)
    }

    fn change(&mut self, step: Step) {
        match step.action {
            Action::Add => self.set.insert(step.feature),
            Action::Remove => self.set.remove(step.feature),
        }
        self.result.step(step);
        self.has_result = true;
        let n_steps = self.result.steps.len() as u64;
        self.task.report(self.stage, step.score, (n_steps, 0));
    }
}
