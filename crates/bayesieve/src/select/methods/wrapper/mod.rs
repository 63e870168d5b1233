//! Wrapper: any search over sets, each as good as a model trained on it predicts.
//!
//! Papers: Kohavi and John, 1997; Inza and others, 2000, for the repeats; Drugan and
//! Wiering, 2010, section 6, for wrapped naive Bayes and TAN. Breiman and others, 1984, for
//! the rule of one standard error.
//! Score of a set: the accuracy of the model on rows that it was not trained on; cut points
//! and all else that is learned are learned again for every training part.
//! Cost: a model for every set and fold; each set is scored once, however often it comes up.
//! Where the papers are silent: ties go to the lowest column index; one standard error is
//! that of the best set's estimate, and the least missed feature leaves first.

use crate::classify::ModelKind;
use crate::score::{Accuracy, AccuracyOptions, Estimate, Estimated, FeatureSet, Runs, Score};
use crate::search::{Action, Found, Search, Step, Stop, unless_early};
use crate::select::method::{Method, Miss, Outcome, Takes, Task};
use crate::select::selection::InnerEstimate;
use crate::select::walk::{BestScored, outcome, remembering, search, sides};
use crate::setting::{Setting, SettingKind};
use crate::stats::Better;
use crate::{Error, ErrorKind, Result};
use crate::{Observer, Silent};

/// The models that can be wrapped.
pub(in crate::select) const MODELS: &[ModelKind] = &ModelKind::ALL;

/// Any search with any model.
pub(in crate::select) static WRAPPER: Method = Method {
    name: "wrapper",
    summary: "keeps the features with which a model predicts best, by any search and any model",
    formula: "accuracy on held-out rows, the mean over folds; larger is better",
    cost: "one model per set and fold: naive Bayes and TAN by sums over prepared folds, the others \
           trained anew",
    source: "Kohavi and John, 1997; Inza, Larrañaga, Etxeberria and Sierra, 2000",
    settings: &[
        Setting {
            name: "estimate",
            default: "cv",
            kind: SettingKind::Choice(&["cv", "holdout", "train"]),
            meaning: "where the accuracy comes from: folds, one half of the rows by a model of the \
                      other, or the training rows themselves (optimistic)",
        },
        CV,
        REPEAT,
        RULE,
        EMPTY,
    ],
    takes: Takes {
        models: MODELS,
        search: Some(Search::Forward),
        accuracy: true,
        numbers: true,
        counts: false,
        ..Takes::NOTHING
    },
    run: by_accuracy,
};

/// What becomes of the best set.
pub(in crate::select) const RULE: Setting = Setting {
    name: "rule",
    default: "best",
    kind: SettingKind::Choice(&["best", "one-se"]),
    meaning: "best: the best set found; one-se: from there features join that raise the estimate \
              by more than one standard error, then leave, the least missed first, as long as it \
              stays within one",
};

/// What the walk starts from.
const EMPTY: Setting = Setting {
    name: "empty",
    default: "majority",
    kind: SettingKind::Choice(&["majority", "nothing"]),
    meaning: "what is right without any feature: the most frequent class, or nothing, so that one \
              feature joins in any case",
};

/// Number of folds.
pub(in crate::select) const CV: Setting = Setting {
    name: "cv",
    default: "10",
    kind: SettingKind::Integer { min: 2, max: 1_000 },
    meaning: "number of folds; as many as rows where those are fewer",
};

/// Number of runs.
pub(in crate::select) const REPEAT: Setting = Setting {
    name: "repeat",
    default: "auto",
    kind: SettingKind::WordOrInteger {
        word: "auto",
        min: 1,
        max: 100,
    },
    meaning: "how often folds are drawn; auto: again while the standard error is above 1 %, at \
              most five times",
};

/// Walks by accuracy as the settings estimate it, and settles what was found where the rule
/// says so.
pub(in crate::select) fn by_accuracy(task: &Task<'_, '_>) -> Result<Outcome> {
    let accuracy = accuracy(task)?;
    let unguessed = Unguessed(&accuracy);
    let score: &dyn Score = match task.settings.text("empty") {
        Ok("nothing") => &unguessed,
        _ => &accuracy,
    };
    remembering(task, score, |score, best| {
        let mut found = search_or_best(task, score, best)?;
        if task
            .settings
            .text("rule")
            .is_ok_and(|rule| rule == "one-se")
        {
            found = settled(task, score, found)?;
        }
        found.n_evaluations = score.n_distinct();
        found.n_repeated += score.n_repeated();
        explained(task, score, found)
    })
}

/// Accuracy, with nothing right where there is no feature.
struct Unguessed<'s, 'a>(&'s Accuracy<'a>);

impl Score for Unguessed<'_, '_> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn unit(&self) -> &'static str {
        self.0.unit()
    }

    fn better(&self) -> Better {
        self.0.better()
    }

    fn n_features(&self) -> usize {
        self.0.n_features()
    }

    fn evaluate(&self, sets: &[FeatureSet], observer: &dyn Observer) -> Result<Vec<f64>> {
        let mut values = self.0.evaluate(sets, observer)?;
        let of_sets = values.iter_mut().zip(sets);
        of_sets
            .filter(|(_, set)| set.is_empty())
            .for_each(|(value, _)| *value = 0.0);
        Ok(values)
    }

    fn extend(
        &self,
        base: &FeatureSet,
        candidates: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        self.0.extend(base, candidates, observer)
    }

    fn reduce(
        &self,
        base: &FeatureSet,
        candidates: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        let mut values = self.0.reduce(base, candidates, observer)?;
        if base.len() == 1 {
            values.fill(0.0);
        }
        Ok(values)
    }

    fn estimate(&self, set: &FeatureSet, observer: &dyn Observer) -> Result<Option<Estimated>> {
        self.0.estimate(set, observer)
    }
}

/// Walks; where a population is cut off in the middle of a generation, the best set that
/// was scored by then is found all the same.
fn search_or_best(task: &Task<'_, '_>, score: &dyn Score, best: &BestScored<'_>) -> Result<Found> {
    let found = search(task, score);
    let is_cut_off = match &found {
        Ok(found) => is_early(found.stop),
        Err(error) => error.kind() == ErrorKind::Interrupted,
    };
    if !is_cut_off || !task.search.draws() {
        return found;
    }
    let (start, _) = sides(task.told.n_features(), task.keep)?;
    let best = best.get().filter(|(best, _)| *best != start);
    let Some((best, value)) = best else {
        return found;
    };
    // It was scored before any other: this only looks it up.
    let start = score.evaluate(&[start], &Silent)?;
    Ok(Found {
        kept: best.iter().collect(),
        start: start.first().copied().unwrap_or(f64::NAN),
        value,
        steps: Vec::new(),
        stop: task.limits.stop(),
        n_evaluations: 0,
        n_repeated: found.map_or(0, |found| found.n_repeated),
    })
}

/// The accuracy of the method's model, by its settings.
pub(in crate::select) fn accuracy<'a>(task: &Task<'a, '_>) -> Result<Accuracy<'a>> {
    let options = AccuracyOptions {
        training: task.options.training().clone(),
        coding: task.options.coding(),
        estimate: estimate(task)?,
        folds: task.options.folds().cloned(),
        seed: task.seed,
    };
    Accuracy::new(task.table, task.places, options)
}

fn estimate(task: &Task<'_, '_>) -> Result<Estimate> {
    let settings = task.settings;
    match settings.text("estimate") {
        Ok("train") => Ok(Estimate::Training),
        Ok("holdout") => Ok(Estimate::Holdout),
        Err(_) if !settings.has("cv") => Ok(Estimate::Holdout),
        _ => Ok(Estimate::CrossValidation {
            n_folds: settings.integer("cv")?,
            runs: match settings.text("repeat")? {
                "auto" => Runs::Auto,
                _ => Runs::Fixed(settings.integer("repeat")?),
            },
        }),
    }
}

/// The best set without what is noise: first features join that raise the estimate by more
/// than one standard error, then others leave, the least missed first, as long as it stays
/// within one.
fn settled(task: &Task<'_, '_>, score: &dyn Score, found: Found) -> Result<Found> {
    if is_early(found.stop) || found.value.is_nan() {
        return Ok(found);
    }
    let (set, _) = sides(task.told.n_features(), &found.kept)?;
    let mut settling = Settling {
        task,
        score,
        set,
        found,
    };
    settling.take_in()?;
    settling.give_away()?;
    // What left may have made room for others.
    loop {
        let (n_steps, value) = (settling.found.steps.len(), settling.found.value);
        settling.take_in()?;
        if settling.found.steps.len() == n_steps {
            break;
        }
        settling.give_away()?;
        if !score.is_better(settling.found.value, value) {
            break;
        }
    }
    Ok(settling.found)
}

/// A set found by a search that changes by one feature at a time.
struct Settling<'s, 't, 'a> {
    task: &'s Task<'t, 'a>,
    score: &'s dyn Score,
    set: FeatureSet,
    found: Found,
}

impl Settling<'_, '_, '_> {
    fn standard_error(&self) -> Result<f64> {
        let error = estimate_of(self.score, &self.set)?.standard_error;
        Ok(Some(error)
            .filter(|error| error.is_finite())
            .unwrap_or_default())
    }

    /// Features join while each raises the estimate by more than one standard error.
    fn take_in(&mut self) -> Result<()> {
        let score = self.score;
        loop {
            let needed = self.found.value + self.standard_error()?;
            if !self.change(Action::Add, |value| score.is_better(value, needed))? {
                return Ok(());
            }
        }
    }

    /// Features leave while the estimate stays within one standard error.
    fn give_away(&mut self) -> Result<()> {
        let score = self.score;
        let least = self.found.value - self.standard_error()?;
        while self.change(Action::Remove, |value| !score.is_better(least, value))? {}
        Ok(())
    }

    /// Makes the best change of a kind, if its value is enough; `false` where it is not.
    fn change(&mut self, action: Action, is_enough: impl Fn(f64) -> bool) -> Result<bool> {
        let limits = self.task.limits;
        if is_early(self.found.stop) {
            return Ok(false);
        }
        let all = 0..self.task.told.n_features();
        let candidates: Vec<usize> = match action {
            Action::Add => all.filter(|&f| !self.set.contains(f)).collect(),
            Action::Remove => {
                let may_leave = |member: &usize| !self.task.keep.contains(member);
                self.set.iter().filter(may_leave).collect()
            }
        };
        let values = match action {
            Action::Add => self.score.extend(&self.set, &candidates, limits),
            Action::Remove => self.score.reduce(&self.set, &candidates, limits),
        };
        let values = match unless_early(values, limits, true)? {
            Ok(values) => values,
            Err(stop) => {
                self.found.stop = stop;
                return Ok(false);
            }
        };
        let best = self.score.best(&values);
        let Some(place) = best.filter(|&place| is_enough(values[place])) else {
            return Ok(false);
        };
        let feature = candidates[place];
        match action {
            Action::Add => {
                self.set.insert(feature);
                self.found.kept.push(feature);
            }
            Action::Remove => {
                self.set.remove(feature);
                self.found.kept.retain(|&kept| kept != feature);
            }
        }
        if self.task.search.draws() {
            self.found.kept.sort_unstable();
        }
        self.found.value = values[place];
        self.found.steps.push(Step {
            action,
            feature,
            score: values[place],
        });
        Ok(true)
    }
}

/// The outcome with how sure it is, and with the estimates of the features that are out.
fn explained(task: &Task<'_, '_>, score: &dyn Score, found: Found) -> Result<Outcome> {
    let (set, outside) = sides(task.told.n_features(), &found.kept)?;
    let mut outcome = outcome(score, found);
    if outcome.value.is_nan() {
        return Ok(outcome);
    }
    let estimated = estimate_of(score, &set)?;
    outcome.estimate = Some(InnerEstimate {
        mean: estimated.mean,
        standard_error: estimated.standard_error,
        n_folds: estimated.first_run.len(),
        n_runs: estimated.n_runs,
    });
    // Models take their time: where there is none left, the counts alone must explain.
    if is_early(outcome.stop) {
        return Ok(outcome);
    }
    match unless_early(misses(task, score, (&set, &outside)), task.limits, true)? {
        Ok(misses) => outcome.misses = misses,
        Err(Stop::Interrupted) => outcome.stop = Stop::Interrupted,
        Err(_) => {}
    }
    Ok(outcome)
}

/// The estimates with every feature that is out.
fn misses(
    task: &Task<'_, '_>,
    score: &dyn Score,
    (set, outside): (&FeatureSet, &[usize]),
) -> Result<Vec<(usize, Miss)>> {
    let without = estimate_of(score, set)?.mean;
    // All at once first: then they are known one by one.
    score.extend(set, outside, task.limits)?;
    let miss = |&feature: &usize| {
        let with = score.estimate(&set.with(feature), task.limits)?;
        let with = with.ok_or_else(not_estimated)?;
        let miss = Miss::Estimate {
            with: with.mean,
            without,
            standard_error: with.standard_error,
        };
        Ok((feature, miss))
    };
    outside.iter().map(miss).collect()
}

fn estimate_of(score: &dyn Score, set: &FeatureSet) -> Result<Estimated> {
    score.estimate(set, &Silent)?.ok_or_else(not_estimated)
}

fn not_estimated() -> Error {
    Error::internal("an accuracy that is not estimated")
}

fn is_early(stop: Stop) -> bool {
    matches!(stop, Stop::Budget | Stop::Interrupted)
}

#[cfg(test)]
mod tests;
