//! What a method keeps, without a word why: reasons cost more than many methods.

use super::candidates::Candidates;
use super::method::{Outcome, Task};
use super::source::SelectionSource;
use super::{InnerEstimate, SelectOptions, run};
use crate::Result;
use crate::data::CodedTable;
use crate::search::Limits;
use crate::stats::Better;

/// The features that a method keeps.
pub(crate) struct Chosen {
    /// Places in the table, rising.
    pub(crate) kept: Vec<usize>,
    /// How sure the value is, where it is an estimate.
    pub(crate) estimate: Option<InnerEstimate>,
    /// Sets or features that were evaluated, those asked for again among them.
    pub(crate) n_asked: u64,
    /// How good the set is: larger is better, and it compares to other rows of the same columns.
    pub(crate) merit: f64,
}

/// As [`select`](super::select()), for the features alone.
///
/// # Errors
/// As [`select`](super::select()).
pub(crate) fn choose(
    table: &CodedTable,
    options: &SelectOptions,
    limits: &Limits<'_>,
) -> Result<Chosen> {
    let source = SelectionSource::Rows(table);
    run(source, options, limits, |task, candidates, (outcome, _)| {
        let kept = outcome.kept.iter();
        let mut kept: Vec<usize> = kept.map(|&feature| candidates.places[feature]).collect();
        kept.sort_unstable();
        Ok(Chosen {
            kept,
            estimate: outcome.estimate,
            n_asked: outcome.n_evaluations + outcome.n_repeated,
            merit: merit(task, candidates, &outcome),
        })
    })
}

/// What the set is better by than the start of the search, where sets have a score; else what
/// its features tell about the class one by one, in bits.
///
/// The value of a ranker is that of its last feature, which says nothing about the set.
fn merit(task: &Task<'_, '_>, candidates: &Candidates<'_>, outcome: &Outcome) -> f64 {
    let takes = task.options.method().takes;
    let mut kept = outcome.kept.iter();
    let is_coded = kept.all(|&feature| candidates.coded[feature].is_some());
    if takes.search.is_some() || takes.accuracy || !is_coded {
        return match outcome.score.better {
            Better::Higher => outcome.value - outcome.start,
            Better::Lower => outcome.start - outcome.value,
        };
    }
    let mut bits: Vec<f64> = outcome
        .kept
        .iter()
        .map(|&feature| task.informations.single(feature).mutual)
        .collect();
    // The order in which they came must not matter.
    bits.sort_by(f64::total_cmp);
    bits.iter().sum()
}
