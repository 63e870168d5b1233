//! K2: a network learned by a score along an order of the nodes.

use super::super::model::{GraphShape, Learner, Model, ModelKind, NetworkLearner, NumberUse};
use super::super::options::{MAX_PARENTS, TrainOptions};
use crate::counts::CountColumn;
use crate::network::learn::{FamilyScorer, K2Options, LocalScore, k2};
use crate::network::{ALPHA, SMOOTHING};
use crate::setting::{Setting, SettingKind};

pub(crate) static K2: Model = Model {
    kind: ModelKind::K2,
    name: "k2",
    summary: "a network learned by K2, the class first, then the features in column order",
    formula: "P(c | x) proportional to the product of P(x_i | parents), each node's parents chosen \
              greedily by the K2 score",
    source: "Cooper and Herskovits, 1992",
    explanation: "K2: a network learned by a score; only features around the class speak about it.",
    settings: &[SMOOTHING, ALPHA, PARENTS],
    numbers: NumberUse::Binned,
    learner: Learner::Network(NetworkLearner {
        by_rows: |features, class, options, observer| {
            // The class first, so that it may be a parent of every feature; then column order.
            let class_node = features.len();
            let order: Vec<usize> = std::iter::once(class_node).chain(0..class_node).collect();
            let scorer = FamilyScorer::new(&columns(features, class), LocalScore::K2)?;
            k2(&scorer, &order, k2_options(options), observer)
        },
        by_counts: None,
        shape: GraphShape::ClassFirst,
    }),
};

pub(super) const PARENTS: Setting = Setting {
    name: "parents",
    default: "5",
    kind: SettingKind::Integer {
        min: 0,
        max: MAX_PARENTS as u64,
    },
    meaning: "most parents of a node",
};

/// The features in order, then the class.
pub(super) fn columns<'a>(
    features: &[CountColumn<'a>],
    class: CountColumn<'a>,
) -> Vec<CountColumn<'a>> {
    [features, &[class]].concat()
}

pub(super) fn k2_options(options: &TrainOptions) -> K2Options {
    K2Options {
        max_parents: Some(options.max_parents),
    }
}
