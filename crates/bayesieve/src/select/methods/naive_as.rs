//! naive-AS: the feature with which naive Bayes predicts the other half best joins, while
//! that is better.
//!
//! Paper: Singh and Provan, 1996, sections 2 and 5.1.
//! Score of a set: the accuracy of naive Bayes, trained on one half of the rows, on the
//! other.
//! Cost: one model per set, by sums over one prepared half.
//! Where the paper is silent or at odds: section 2 measures on all training rows, section
//! 5.1 on the halves; the halves are the default. It starts with what the larger class of
//! the learning half gets right; ties go to the lowest column index.
//!
//! Singh, M. and Provan, G. (1996). Efficient learning of selective Bayesian network
//! classifiers. Proceedings of the 13th International Conference on Machine Learning.

use super::wrapper::by_accuracy;
use crate::classify::ModelKind;
use crate::select::method::{Method, MethodRun, Takes};
use crate::setting::{Setting, SettingKind};

/// Forward selection by naive Bayes over halves.
pub(in crate::select) static NAIVE_AS: Method = Method {
    name: "naive-as",
    summary: "adds the feature with which naive Bayes predicts the other half of the rows best",
    formula: "accuracy of naive Bayes, trained on one half of the rows, on the other; larger is \
              better; or another measure, in its own sense",
    cost: "at most n rounds of n sets, each a sum over one half of the rows",
    source: "Singh and Provan, 1996",
    settings: &[Setting {
        name: "estimate",
        default: "holdout",
        kind: SettingKind::Choice(&["holdout", "train"]),
        meaning: "where the accuracy comes from: the other half of the rows, or all rows, trained \
                  on and tested (optimistic)",
    }],
    takes: Takes {
        models: &[ModelKind::NaiveBayes],
        accuracy: true,
        numbers: true,
        counts: false,
        ..Takes::NOTHING
    },
    run: MethodRun::Own(by_accuracy),
};
