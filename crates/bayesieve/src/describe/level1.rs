//! Redundancy at level 1: features that tell too little once one other is known.

use crate::Result;
use crate::info::{Informations, PairInformation, is_redundant, price_bits};
use crate::{Observer, Part};

/// Pairs counted between two reports; bounds the memory of a wide table.
const BATCH: usize = 1 << 20;

/// The feature given which another is redundant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Given {
    /// Position of the known feature.
    pub feature: usize,
    /// What the other still tells about the class, in bits per row.
    pub gain_bits: f64,
    /// What its table costs, in bits per row.
    pub price_bits: f64,
}

/// For every column the one given which it tells least, where that is too little.
pub(super) fn find(told: &Informations<'_>, observer: &dyn Observer) -> Result<Vec<Option<Given>>> {
    // A constant column tells nothing and adds nothing when known: level 0 says it all.
    let telling: Vec<usize> = (0..told.n_features())
        .filter(|&i| told.n_values(i) > 1)
        .collect();
    let n_pairs = telling.len() * telling.len().saturating_sub(1) / 2;
    let mut pairs = telling
        .iter()
        .enumerate()
        .flat_map(|(place, &a)| telling[place + 1..].iter().map(move |&b| (a, b)));
    let mut best = vec![None; told.n_features()];
    let mut done = 0;
    loop {
        let batch: Vec<(usize, usize)> = pairs.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            return Ok(best);
        }
        let watcher = Part {
            whole: observer,
            n_before: done,
            n_all: n_pairs as u64,
        };
        let gains = |pair: &PairInformation| {
            (
                pair.n_rows,
                pair.class_from_a_given_b,
                pair.class_from_b_given_a,
            )
        };
        let informations = told.map_pairs(&batch, &watcher, gains)?;
        for (&(a, b), (n_rows, a_given_b, b_given_a)) in batch.iter().zip(informations) {
            for (feature, given, gain_bits) in [(a, b, a_given_b), (b, a, b_given_a)] {
                let (k, l) = (told.n_values(feature), told.n_values(given));
                let price_bits = price_bits(n_rows, k, told.n_classes(), l);
                if is_redundant(gain_bits, price_bits) {
                    improve(
                        &mut best[feature],
                        Given {
                            feature: given,
                            gain_bits,
                            price_bits,
                        },
                    );
                }
            }
        }
        done += batch.len() as u64;
    }
}

/// Takes the candidate that leaves less to tell; equal ones in column order.
fn improve(best: &mut Option<Given>, candidate: Given) {
    let rounded = |gain: f64| (gain * 1e10).round();
    let is_better = best.is_none_or(|best| {
        let by_gain = rounded(candidate.gain_bits).total_cmp(&rounded(best.gain_bits));
        by_gain.then(candidate.feature.cmp(&best.feature)).is_lt()
    });
    if is_better {
        *best = Some(candidate);
    }
}
