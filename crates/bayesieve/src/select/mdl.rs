//! MDL-FS: keep the features whose class information pays for their tables. MDL beside it.
//!
//! Paper: Drugan and Wiering, 2010, sections 4 and 6.
//! Score of a feature set: half log N per parameter, minus the log-likelihood of the
//! classifier, plus (MDL-FS) that of a tree over the features alone.
//! Cost: pair counts of the kept features, O(n k N); the walk then works on counts alone.
//! Where the paper is silent: ties go to the lowest column index.

use super::method::{Method, Miss, Outcome, ScoreKind, Takes, Task};
use crate::error::Result;
use crate::observer::Silent;
use crate::score::{Auxiliary, DescriptionLength, FeatureSet, Score};
use crate::search::{Search, Walk};
use crate::setting::{Setting, SettingKind};

const TAKES: Takes = Takes {
    model: true,
    search: Some(Search::Forward),
    ..Takes::NOTHING
};

/// Description length for feature selection.
pub(super) static MDL_FS: Method = Method {
    name: "mdl-fs",
    summary: "keeps the features whose information about the class pays for their tables",
    formula: "log2(N)/2 * parameters - (LL(classifier) - LL(auxiliary network)), in bits; smaller is \
              better; features that are out count as isolated nodes",
    cost: "pair tables of the kept features with all others, O(n k N / 64); then O(n k) a step",
    source: "Drugan and Wiering, 2010",
    settings: &[Setting {
        name: "auxiliary",
        default: "tree",
        kind: SettingKind::Choice(&["tree", "own-tree", "empty", "complete"]),
        meaning: "the network over the features alone: the likeliest tree, the classifier's own \
                  tree, none, or all features tied together",
    }],
    takes: TAKES,
    run: |task| {
        let auxiliary: Auxiliary = task.settings.text("auxiliary")?.parse()?;
        let score = DescriptionLength::mdl_fs(task.told, task.structure, auxiliary)?;
        walk(task, &score)
    },
};

/// Plain description length.
pub(super) static MDL: Method = Method {
    name: "mdl",
    summary: "keeps the features that shorten the description of all columns by the classifier",
    formula: "log2(N)/2 * parameters - LL(classifier), in bits; smaller is better; features that are \
              out count as isolated nodes",
    cost: "pair tables of the kept features with all others, O(n k N / 64); then O(n k) a step",
    source: "Drugan and Wiering, 2010, section 3; Rissanen, 1978",
    settings: &[],
    takes: TAKES,
    run: |task| walk(task, &DescriptionLength::mdl(task.told, task.structure)?),
};

/// Walks by a score, and says what every feature that is out would change.
pub(super) fn walk(task: &Task<'_, '_>, score: &dyn Score) -> Result<Outcome> {
    let candidates: Vec<usize> = (0..task.told.n_features()).collect();
    let found = task.search.run(&Walk {
        score,
        candidates: &candidates,
        keep: task.keep,
        limits: task.limits,
        seed: task.seed,
        options: crate::search::SearchOptions::default(),
    })?;
    let set = FeatureSet::of(candidates.len(), found.kept.iter().copied())?;
    let outside: Vec<usize> = candidates
        .into_iter()
        .filter(|&f| !set.contains(f))
        .collect();
    // The walk may have ended early; what it found must still be explained, unless even the
    // score of its start took too long.
    let values = if outside.is_empty() || found.value.is_nan() {
        Vec::new()
    } else {
        score.extend(&set, &outside, &Silent)?
    };
    let misses = outside.into_iter().zip(values).map(|(feature, value)| {
        let miss = Miss::NoGain {
            gain: score.gain(value, found.value),
            unit: score.unit(),
        };
        (feature, miss)
    });
    Ok(Outcome {
        misses: misses.collect(),
        kept: found.kept,
        score: ScoreKind {
            name: score.name(),
            unit: score.unit(),
            better: score.better(),
        },
        start: found.start,
        value: found.value,
        steps: found.steps,
        stop: found.stop,
        n_evaluations: found.n_evaluations,
    })
}
