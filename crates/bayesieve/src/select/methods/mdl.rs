//! MDL-FS: keep the features whose class information pays for their tables. MDL beside it.
//!
//! Paper: Drugan and Wiering, 2010, sections 4 and 6.
//! Score of a feature set: half log N per parameter, minus the log-likelihood of the
//! classifier, plus (MDL-FS) that of a tree over the features alone.
//! Cost: pair counts of the kept features, O(n k N); the walk then works on counts alone.
//! The setting `naming` adds what it costs to say which features are kept: with thousands of
//! columns some pass the paper's score by chance.
//! Where the paper is silent: ties go to the lowest column index.

use crate::Result;
use crate::classify::ModelKind;
use crate::score::{Auxiliary, DescriptionLength, Structure};
use crate::search::Search;
use crate::select::method::{Method, MethodRun, Outcome, Takes, Task};
use crate::select::walk::walk;
use crate::setting::{Setting, SettingKind, choice};

const TAKES: Takes = Takes {
    models: &[ModelKind::Tan, ModelKind::NaiveBayes],
    search: Some(Search::FORWARD),
    pairs: true,
    ..Takes::NOTHING
};

/// Description length for feature selection.
pub(in crate::select) static MDL_FS: Method = Method {
    name: "mdl-fs",
    summary: "keeps the features whose information about the class pays for their tables",
    formula: "log2(N)/2 * parameters - (LL(classifier) - LL(auxiliary network)), in bits; smaller is \
              better; features that are out count as isolated nodes",
    cost: "pair tables of the kept features with all others, O(n k N / 64); then O(n k) a step",
    source: "Drugan and Wiering, 2010",
    settings: &[
        Setting {
            name: "auxiliary",
            default: "tree",
            kind: SettingKind::Choice(&["tree", "own-tree", "empty", "complete"]),
            meaning: "the network over the features alone: the likeliest tree, the classifier's own \
                      tree, none, or all features tied together",
        },
        NAMING,
    ],
    takes: TAKES,
    run: MethodRun::Own(|task| {
        let auxiliary: Auxiliary = choice(task.settings.text("auxiliary")?)?;
        let score = DescriptionLength::mdl_fs(task.informations, structure(task), auxiliary)?;
        shortest(task, score)
    }),
};

/// Plain description length.
pub(in crate::select) static MDL: Method = Method {
    name: "mdl",
    summary: "keeps the features that shorten the description of all columns by the classifier",
    formula: "log2(N)/2 * parameters - LL(classifier), in bits; smaller is better; features that are \
              out count as isolated nodes",
    cost: "pair tables of the kept features with all others, O(n k N / 64); then O(n k) a step",
    source: "Drugan and Wiering, 2010, section 3; Rissanen, 1978",
    settings: &[NAMING],
    takes: TAKES,
    run: MethodRun::Own(|task| {
        let score = DescriptionLength::mdl(task.informations, structure(task))?;
        shortest(task, score)
    }),
};

/// Whether the description says which features are kept.
const NAMING: Setting = Setting {
    name: "naming",
    default: "off",
    kind: SettingKind::Choice(&["off", "on"]),
    meaning: "on: add what it costs to say which k of n candidates are kept, log2 C(n, k) + \
              log2(n + 1) bits, and log2(N - 1) for every cut point of mdlp, so that few of many \
              columns pass by chance",
};

/// Searches the set with the shortest description.
fn shortest(task: &Task<'_, '_>, score: DescriptionLength<'_, '_>) -> Result<Outcome> {
    if task.settings.text("naming")? == "off" {
        return walk(task, &score);
    }
    let score = score.with_naming(task.n_offered, task.n_cuts());
    let outcome = walk(task, &score)?;
    let n_kept = outcome.kept.len();
    let features = 0..task.places.len();
    Ok(Outcome {
        naming_bits: features
            .map(|feature| score.naming_bits(feature, n_kept).max(0.0))
            .collect(),
        ..outcome
    })
}

/// The classifier whose description counts.
fn structure(task: &Task<'_, '_>) -> Structure {
    match task.options.model() {
        Some(ModelKind::NaiveBayes) => Structure::NaiveBayes,
        _ => Structure::Tan,
    }
}
