//! TAN: naive Bayes with a tree over the features.

use super::super::model::{GraphShape, Learner, Model, ModelKind, NetworkLearner, NumberUse};
use crate::counts::RowIndex;
use crate::network::learn::{tan_dag, tan_tree, tan_tree_from_counts};
use crate::network::{ALPHA, SMOOTHING};

pub(crate) static TAN: Model = Model {
    kind: ModelKind::Tan,
    name: "tan",
    summary: "naive Bayes with a tree over the features: each has at most one other as parent",
    formula: "P(c | x) proportional to P(c) times the product of P(x_i | x_parent, c), the tree of \
              largest I(X_i; X_j | C)",
    source: "Friedman, Geiger and Goldszmidt, 1997",
    explanation: "TAN, a tree-augmented naive Bayes: every feature speaks about the class, knowing \
                  one other feature.",
    settings: &[SMOOTHING, ALPHA],
    numbers: NumberUse::Binned,
    learner: Learner::Network(NetworkLearner {
        by_rows: |features, class, _, observer| {
            let tree = tan_tree(&RowIndex::new(features, class)?, observer)?;
            tan_dag(&tree, features.len(), None)
        },
        by_counts: Some(|features, observer| {
            let tree = tan_tree_from_counts(features, observer)?;
            tan_dag(&tree, features.n_features(), None)
        }),
        shape: GraphShape::Augmented { max_others: 1 },
    }),
};
