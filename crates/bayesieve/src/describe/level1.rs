//! Redundancy at level 1: features that tell too little once one other is known.

use crate::Observer;
use crate::Result;
use crate::info::{Informations, is_redundant, price_bits};

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
pub(super) fn find(info: &Informations<'_>, observer: &dyn Observer) -> Result<Vec<Option<Given>>> {
    // A constant column tells nothing and adds nothing when known: level 0 says it all.
    let mut telling = info.features();
    telling.retain(|&feature| info.n_values(feature) > 1);
    let mut best = vec![None; info.n_features()];
    info.for_each_pair(
        &telling,
        observer,
        |pair| {
            (
                pair.n_rows,
                [pair.class_from_a_given_b, pair.class_from_b_given_a],
            )
        },
        |a, b, (n_rows, gains)| {
            for ((feature, given), gain_bits) in [(a, b), (b, a)].into_iter().zip(gains) {
                let (k, l) = (info.n_values(feature), info.n_values(given));
                let price_bits = price_bits(n_rows, k, info.n_classes(), l);
                if is_redundant(gain_bits, price_bits) {
                    let candidate = Given {
                        feature: given,
                        gain_bits,
                        price_bits,
                    };
                    improve(&mut best[feature], candidate);
                }
            }
        },
    )?;
    Ok(best)
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
