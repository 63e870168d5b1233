//! Wrapper: any search over sets, each as good as a model trained on it predicts.
//!
//! Papers: Kohavi and John, 1997; Inza and others, 2000, for the repeats; Drugan and
//! Wiering, 2010, section 6, for wrapped naive Bayes and TAN. Breiman and others, 1984, for
//! the rule of one standard error.
//! Score of a set: the accuracy of the model on rows that it was not trained on, or another
//! measure of its predictions; cut points and all else that is learned are learned again for
//! every training part.
//! Cost: a model for every set and fold; each set is scored once, however often it comes up.
//! Where the papers are silent: ties go to the lowest column index; one standard error is
//! that of the best set's estimate, and the least missed feature leaves first.

use crate::classify::ModelKind;
use crate::score::{Accuracy, AccuracyOptions, Estimate, Estimated, FeatureSet, Runs, Score};
use crate::search::{Action, Climb, Round, Search, SearchResult, Stop, unless_early};
use crate::select::method::{Method, MethodRun, Outcome, Takes, Task};
use crate::select::reason::Reason;
use crate::select::selection::InnerEstimate;
use crate::select::walk::{BestScored, outcome, remembering, search, search_task, sides};
use crate::setting::{Setting, SettingKind};
use crate::stats::Better;
use crate::{Error, ErrorKind, Result, Silent};

/// The models that can be wrapped.
pub(in crate::select) const MODELS: &[ModelKind] = &ModelKind::ALL;

/// Any search with any model.
pub(in crate::select) static WRAPPER: Method = Method {
    name: "wrapper",
    summary: "keeps the features with which a model predicts best, by any search and any model",
    formula: "accuracy on held-out rows, the mean over folds; larger is better; or another \
              measure, in its own sense",
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
        search: Some(Search::FORWARD),
        accuracy: true,
        numbers: true,
        counts: false,
        ..Takes::NOTHING
    },
    run: MethodRun::Own(by_accuracy),
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

/// Walks by accuracy, or another measure, as the settings estimate it, and settles what was found where the rule
/// says so.
pub(in crate::select) fn by_accuracy(task: &Task<'_, '_>) -> Result<Outcome> {
    let mut accuracy = accuracy(task)?;
    if task.settings.get("empty") == Some("nothing") {
        accuracy = accuracy.without_guessing();
    }
    remembering(task, &accuracy, |score, best| {
        let mut found = search_or_best(task, score, best)?;
        if task.settings.get("rule") == Some("one-se") && task.count.is_none() {
            found = settled(task, score, found)?;
        }
        found.n_evaluations = score.n_distinct();
        found.n_repeated += score.n_repeated();
        explained(task, score, found)
    })
}

/// Walks; where a population is cut off in the middle of a generation, the best set that
/// was scored by then is found all the same.
fn search_or_best(
    task: &Task<'_, '_>,
    score: &dyn Score,
    best: &BestScored<'_>,
) -> Result<SearchResult> {
    let found = search(task, score);
    let is_cut_off = match &found {
        Ok(found) => found.stop.is_early(),
        Err(error) => error.kind() == ErrorKind::Interrupted,
    };
    if !is_cut_off || !task.search.draws() {
        return found;
    }
    let (start, _) = sides(task.informations.n_features(), task.keep)?;
    let best = best.get().filter(|(best, _)| *best != start);
    let Some((best, value)) = best else {
        return found;
    };
    // It was scored before any other: this only looks it up.
    let start = score.evaluate(&[start], &Silent)?;
    let start = start.first().copied().unwrap_or(f64::NAN);
    Ok(SearchResult {
        value,
        stop: task.limits.stop(),
        n_repeated: found.map_or(0, |found| found.n_repeated),
        ..SearchResult::of_start(best.iter().collect(), start)
    })
}

/// The accuracy of the method's model, or another measure of it, by its settings.
pub(in crate::select) fn accuracy<'a>(task: &Task<'a, '_>) -> Result<Accuracy<'a>> {
    let options = AccuracyOptions {
        training: task.options.training().clone(),
        coding: task.options.coding(),
        estimate: estimate(task)?,
        folds: task.options.folds().cloned(),
        seed: task.seed,
        measure: task.options.measure,
        stakes: task.options.stakes.clone(),
    };
    Accuracy::new(task.table, task.places, options)
}

fn estimate(task: &Task<'_, '_>) -> Result<Estimate> {
    let settings = task.settings;
    match settings.get("estimate") {
        Some("train") => Ok(Estimate::Training),
        Some("holdout") => Ok(Estimate::Holdout),
        None if !settings.has("cv") => Ok(Estimate::Holdout),
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
fn settled(task: &Task<'_, '_>, score: &dyn Score, found: SearchResult) -> Result<SearchResult> {
    if found.stop.is_early() || found.value.is_nan() {
        return Ok(found);
    }
    let candidates: Vec<usize> = (0..task.informations.n_features()).collect();
    let search_task = search_task(task, score, &candidates)?;
    let mut climb = Climb::from_result(&search_task, "settling", found)?;
    take_in(&mut climb, score)?;
    give_away(&mut climb, score)?;
    // What left may have made room for others.
    loop {
        let (n_steps, value) = (climb.result.steps.len(), climb.result.value);
        take_in(&mut climb, score)?;
        if climb.result.steps.len() == n_steps {
            break;
        }
        give_away(&mut climb, score)?;
        if !score.is_better(climb.result.value, value) {
            break;
        }
    }
    let mut settled = climb.result;
    if task.search.draws() {
        settled.kept.sort_unstable();
    }
    Ok(settled)
}

/// Features join while each raises the estimate by more than one standard error.
fn take_in(climb: &mut Climb<'_, '_>, score: &dyn Score) -> Result<()> {
    loop {
        let needed = better_by(score, climb.result.value, standard_error(climb, score)?);
        if climb.round(Action::Add, |value| score.is_better(value, needed))? != Round::Changed {
            return Ok(());
        }
    }
}

/// Features leave while the estimate stays within one standard error.
fn give_away(climb: &mut Climb<'_, '_>, score: &dyn Score) -> Result<()> {
    let least = better_by(score, climb.result.value, -standard_error(climb, score)?);
    let is_within = |value| !score.is_better(least, value);
    while climb.round(Action::Remove, is_within)? == Round::Changed {}
    Ok(())
}

/// A value that is better by so much.
fn better_by(score: &dyn Score, value: f64, gain: f64) -> f64 {
    match score.better() {
        Better::Higher => value + gain,
        Better::Lower => value - gain,
    }
}

/// That of the set of a climb; 0 where there is none.
fn standard_error(climb: &Climb<'_, '_>, score: &dyn Score) -> Result<f64> {
    let error = estimate_of(score, &climb.set)?.standard_error;
    Ok(if error.is_finite() { error } else { 0.0 })
}

/// The outcome with how sure it is, and with the estimates of the features that are out.
fn explained(task: &Task<'_, '_>, score: &dyn Score, found: SearchResult) -> Result<Outcome> {
    let (set, outside) = sides(task.informations.n_features(), &found.kept)?;
    let mut outcome = outcome(score, found);
    if outcome.value.is_nan() {
        return Ok(outcome);
    }
    let estimated = estimate_of(score, &set)?;
    outcome.estimate = Some(InnerEstimate {
        measure: task.options.measure,
        mean: estimated.mean,
        standard_error: estimated.standard_error,
        n_folds: estimated.first_run.len(),
        n_runs: estimated.n_runs,
    });
    // Models take their time: where there is none left, the counts alone must explain.
    if outcome.stop.is_early() {
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
) -> Result<Vec<(usize, Reason)>> {
    let without = estimate_of(score, set)?.mean;
    // All at once first: then they are known one by one.
    score.change(set, outside, task.limits)?;
    let miss = |&feature: &usize| {
        let with = score.estimate(&set.with(feature), task.limits)?;
        let with = with.ok_or_else(not_estimated)?;
        let miss = Reason::WorseByEstimate {
            measure: task.options.measure,
            with: with.mean,
            without,
            standard_error: with.standard_error,
            redundancy: None,
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

#[cfg(test)]
mod tests;
