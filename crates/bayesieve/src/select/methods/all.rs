//! Keep everything: the baseline that every method is measured against.

use crate::search::Stop;
use crate::select::method::{Findings, Method, Outcome, ScoreKind, Takes};
use crate::stats::Better;

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
    run: |task| {
        let n = task.places.len();
        Ok(Outcome {
            findings: Findings::Nothing,
            kept: (0..n).collect(),
            score: ScoreKind {
                name: "features",
                unit: "",
                better: Better::Higher,
            },
            start: 0.0,
            value: n as f64,
            steps: Vec::new(),
            stop: Stop::Exhausted,
            n_evaluations: 0,
            n_repeated: 0,
            estimate: None,
            warnings: Vec::new(),
            misses: Vec::new(),
        })
    },
};
