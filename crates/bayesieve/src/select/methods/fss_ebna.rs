//! FSS-EBNA: populations of sets drawn from a Bayesian network over the features of the
//! best, by the accuracy of any model.
//!
//! Paper: Inza, Larrañaga, Etxeberria and Sierra, 2000.
//! Score of a set: the accuracy of the model by ten folds, drawn again while the standard
//! error is above 1 %. The search stops as the paper has it: when no new set is better, or,
//! with at most 1,000 rows, significantly better.
//! Cost: one population of sets per generation, each set scored once.
//! Beyond the paper: the best set takes in what raises its estimate by more than one standard
//! error, and loses what is not needed within one. A search that stops at the first generation
//! without progress leaves both behind. With naive Bayes on the paper's data sets this halves
//! the sets or more, and accuracy by 5x2cv changes by -1.0 to +0.7 points. `rule=best` is the
//! paper's own.
//! Where the paper is silent: the level of the chi-square test in ID3. Its trees use all
//! features of LED24 and get 58 % right; at Quinlan's 0.01 they would get 70 %, at 0.5 they
//! get 59 %, so the test was mild: 0.5. Above 100 features it advises simpler models of the
//! population; that is UMDA here, unless another search is asked for.
//!
//! Inza, I., Larrañaga, P., Etxeberria, R. and Sierra, B. (2000). Feature subset selection
//! by Bayesian network-based optimization. Artificial Intelligence 123, 157-184.

use super::wrapper::{CV, MODELS, REPEAT, RULE, by_accuracy};
use crate::search::Search;
use crate::select::method::{Method, MethodRun, Takes};
use crate::setting::Setting;

/// The EBNA wrapper.
pub(in crate::select) static FSS_EBNA: Method = Method {
    name: "fss-ebna",
    summary: "keeps the features with which a model predicts best, among populations of sets drawn \
              from a Bayesian network that is learned from the best ones",
    formula: "accuracy by cross-validation, the mean over folds; larger is better; or another \
              measure, in its own sense",
    cost: "some generations of 1,000 sets, one model per set and fold",
    source: "Inza, Larrañaga, Etxeberria and Sierra, 2000",
    settings: &[
        CV,
        REPEAT,
        Setting {
            default: "one-se",
            ..RULE
        },
    ],
    takes: Takes {
        models: MODELS,
        search: Some(Search::EBNA),
        search_of_many: Some(Search::UMDA),
        only_populations: true,
        accuracy: true,
        tree_level: Some(0.5),
        numbers: true,
        counts: false,
        ..Takes::NOTHING
    },
    run: MethodRun::Own(by_accuracy),
};
