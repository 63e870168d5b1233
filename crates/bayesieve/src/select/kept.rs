//! What the kept features tell.

use super::candidates::Candidates;
use super::explain::Explained;
use super::method::{Findings, Outcome, Task};
use super::selection::{DroppedFeature, KeptFeature};
use super::{explained, is_too_late};
use crate::data::MissingPolicy;
use crate::wording::counted;
use crate::{ErrorKind, Result, Silent, printable};

/// Rows times kept features, once for the table of all but each of them, that are still gone
/// through where the rows are not in memory: a few seconds.
const MAX_STEPS: u64 = 1_000_000_000;

/// The kept features with what each tells, and what could not be had.
pub(super) fn features(
    task: &Task<'_, '_>,
    candidates: &Candidates<'_>,
    outcome: &Outcome,
) -> Result<(Vec<KeptFeature>, Option<String>)> {
    let is_coded = outcome
        .kept
        .iter()
        .all(|&feature| candidates.coded[feature].is_some());
    // Blocks are of many features: what each tells given all others is not their question.
    let has_blocks = matches!(outcome.findings, Findings::Blocks(_));
    let can_count = max_features(task).is_none_or(|max| outcome.kept.len() <= max);
    let is_asked = has_whole_rows(task) && is_coded && !has_blocks && can_count;
    let (given_rest, warning) = if is_asked && !is_too_late(task, outcome) {
        given_rest(
            task,
            &explained(task, candidates, outcome),
            outcome.kept.len(),
        )?
    } else {
        (None, None)
    };
    let kept = outcome.kept.iter().enumerate();
    let kept = kept
        .map(|(place, &feature)| KeptFeature {
            feature: candidates.names[feature].to_owned(),
            alone_bits: alone(task, candidates, feature, has_blocks),
            given_rest_bits: given_rest.as_ref().map(|gains| gains[place]),
            kept_in_folds: None,
        })
        .collect();
    Ok((kept, warning))
}

/// What each kept feature tells given all others; where the rows are not in memory and their
/// table cannot be had, a warning instead.
fn given_rest(
    task: &Task<'_, '_>,
    explained: &Explained<'_, '_>,
    n_kept: usize,
) -> Result<(Option<Vec<f64>>, Option<String>)> {
    let left_out = |why: &dyn std::fmt::Display| {
        let what = "what each kept feature tells when all others are known";
        (None, Some(format!("{what} is left out: {why}")))
    };
    let is_elsewhere = !task.informations.nodes().is_in_memory();
    let n_kept = n_kept as u64;
    let n_steps = n_kept
        .pow(2)
        .saturating_mul(task.informations.n_rows() as u64);
    if is_elsewhere && n_steps > MAX_STEPS {
        let tables = format!("{n_kept} tables of {n_kept} features");
        let why = format!("{tables} of so many rows take longer than all the rest");
        return Ok(left_out(&why));
    }
    // What was found must be explained, even if time is over.
    match explained.given_rest(&Silent) {
        Ok(gains) => Ok((Some(gains), None)),
        Err(error) if error.kind() != ErrorKind::Internal => Ok(left_out(&error)),
        Err(error) => Err(error),
    }
}

/// Whether all tables are of the same rows.
fn has_whole_rows(task: &Task<'_, '_>) -> bool {
    task.options.coding().missing != MissingPolicy::Available
}

/// The most features that are counted together, where the counts set a limit.
fn max_features(task: &Task<'_, '_>) -> Option<usize> {
    task.informations.nodes().max_features()
}

/// What counts of few features at a time do not tell, as a warning.
pub(super) fn left_out(
    task: &Task<'_, '_>,
    outcome: &Outcome,
    dropped: &[DroppedFeature],
) -> Option<String> {
    let most = max_features(task)?;
    let n_kept = outcome.kept.len();
    let has_no_given_rest = has_whole_rows(task) && n_kept > most;
    let is_open = |dropped: &DroppedFeature| dropped.reason.is_missed_number();
    let has_no_triples = most < 3 && n_kept > 1 && dropped.iter().any(is_open);
    let parts = [
        (
            has_no_given_rest,
            "what each kept feature tells when all others are known",
        ),
        (
            has_no_triples,
            "whether two kept features together make another one redundant",
        ),
    ];
    let parts = parts.iter().filter(|(is_left_out, _)| *is_left_out);
    let parts: Vec<&str> = parts.map(|&(_, what)| what).collect();
    (!parts.is_empty()).then(|| {
        format!(
            "the counts are of at most {} at a time and do not tell {}",
            counted(most as u64, "feature"),
            parts.join(", nor ")
        )
    })
}

/// What a feature tells alone. Where numbers were taken as numbers, what their bins would tell is
/// not the question.
fn alone(
    task: &Task<'_, '_>,
    candidates: &Candidates<'_>,
    feature: usize,
    has_blocks: bool,
) -> Option<f64> {
    let place = candidates.places[feature];
    let is_number = task.table.features[place].column.as_numeric().is_some();
    let coded = candidates.coded[feature].filter(|_| !(has_blocks && is_number));
    coded.map(|_| task.informations.single(feature).mutual)
}

/// A feature with this share of the information about the class predicts it almost perfectly.
const SHARE_OF_LEAK: f64 = 0.99;

/// In fewer rows a feature may do so by chance; and with more distinct values than a tenth of them.
const MIN_ROWS_OF_LEAK: usize = 20;
const ROWS_PER_VALUE: usize = 10;

/// Features that say the class by themselves, as warnings: often they are known only after it.
pub(super) fn leaks(task: &Task<'_, '_>, candidates: &Candidates<'_>) -> Vec<String> {
    let info = task.informations;
    let n_rows = info.n_rows();
    let entropy = info.class_entropy();
    if n_rows < MIN_ROWS_OF_LEAK || entropy <= 0.0 {
        return Vec::new();
    }
    let is_leak = |&feature: &usize| {
        candidates.coded[feature].is_some()
            && info.n_values(feature) * ROWS_PER_VALUE <= n_rows
            && info.single(feature).mutual >= SHARE_OF_LEAK * entropy
    };
    let leaks: Vec<usize> = (0..candidates.places.len()).filter(is_leak).collect();
    let shown = leaks.iter().take(MAX_LEAKS).map(|&feature| {
        format!(
            "{} predicts the class almost perfectly by itself: is it known before the class?",
            printable(candidates.names[feature], 60)
        )
    });
    let more = leaks.len().saturating_sub(MAX_LEAKS);
    let more = (more > 0).then(|| format!("{} do so as well", counted(more as u64, "feature")));
    shown.chain(more).collect()
}

/// Leaks that are named.
const MAX_LEAKS: usize = 5;
