//! Rows in order of a probability: what AUC and average precision have in common.

use super::{PredictedRows, Stakes};

/// Rows of one probability, counted by whether they are of the class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TiedRows {
    pub(super) n_positive: u64,
    pub(super) n_negative: u64,
}

/// The rows in groups of equal probability of a class, the largest first; nothing where no row
/// is of the class.
pub(super) fn ranked(rows: &PredictedRows<'_>, class: usize) -> Option<Vec<TiedRows>> {
    let mut scored: Vec<(f64, bool)> = rows
        .iter()
        .map(|row| (row.probabilities[class], row.truth as usize == class))
        .collect();
    scored.iter().any(|&(_, is_it)| is_it).then_some(())?;
    scored.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let ties = scored.chunk_by(|a, b| a.0 == b.0).map(|tied| {
        let n_positive = tied.iter().filter(|&&(_, is_it)| is_it).count() as u64;
        TiedRows {
            n_positive,
            n_negative: tied.len() as u64 - n_positive,
        }
    });
    Some(ties.collect())
}

/// A measure of one class against the rest: of the positive one where there are two, else the
/// mean over the classes on which it is defined.
pub(super) fn against_rest(
    rows: &PredictedRows<'_>,
    stakes: &Stakes,
    of_class: impl Fn(&[TiedRows]) -> Option<f64>,
) -> Option<f64> {
    let of_class = |class: usize| of_class(&ranked(rows, class)?);
    match rows.n_classes {
        2 => of_class(stakes.positive()),
        n => super::mean((0..n).filter_map(of_class)),
    }
}
