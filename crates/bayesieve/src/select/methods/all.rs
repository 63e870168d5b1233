//! Keep everything: the baseline that every method is measured against.

use crate::select::method::{Method, MethodRun, Outcome, Takes};
use crate::select::rank;

/// The baseline.
pub(in crate::select) static ALL: Method = Method {
    name: "all",
    summary: "keeps every feature that is not constant: the baseline",
    formula: "none",
    cost: "nothing",
    source: "",
    settings: &[],
    takes: Takes {
        available: true,
        pairs: true,
        numbers: true,
        ..Takes::NOTHING
    },
    run: MethodRun::Own(|task| {
        let n = task.places.len();
        Ok(Outcome {
            kept: (0..n).collect(),
            value: n as f64,
            ..Outcome::of(rank::score("features", ""))
        })
    }),
};
