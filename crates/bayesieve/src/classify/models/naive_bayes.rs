//! Naive Bayes: features independent given the class.

use super::super::model::{GraphShape, Learner, Model, ModelKind, NetworkLearner, NumberUse};
use crate::Result;
use crate::network::{ALPHA, Dag, SMOOTHING};
use crate::setting::{Setting, SettingKind};

pub(crate) static NAIVE_BAYES: Model = Model {
    kind: ModelKind::NaiveBayes,
    name: "nb",
    summary: "naive Bayes: features independent given the class; numbers in bins or normal",
    formula: "P(c | x) proportional to P(c) times the product of P(x_i | c)",
    source: "Duda and Hart, 1973",
    explanation: "Naive Bayes: every feature speaks about the class on its own.",
    settings: &[SMOOTHING, ALPHA, DIVISOR],
    numbers: NumberUse::Either,
    learner: Learner::Network(NetworkLearner {
        by_rows: |features, _, _, _| naive_graph(features.len()),
        by_counts: Some(|features, _| naive_graph(features.n_features())),
        shape: GraphShape::Augmented { max_others: 0 },
    }),
};

const DIVISOR: Setting = Setting {
    name: "divisor",
    default: "n-1",
    kind: SettingKind::Choice(&["n-1", "n"]),
    meaning: "what variances are divided by, n-1 or n",
};

/// The class as the only parent of every feature.
pub(super) fn naive_graph(n_features: usize) -> Result<Dag> {
    let mut parents = vec![vec![n_features]; n_features];
    parents.push(Vec::new());
    Dag::from_parents(parents)
}
