//! The block model: naive Bayes over labels, numbers jointly normal in blocks.

use super::super::model::{GraphShape, Learner, Model, ModelKind, NetworkLearner, NumberUse};
use super::naive_bayes::naive_graph;
use crate::network::{ALPHA, SMOOTHING};
use crate::separation::MODEL_SETTINGS;
use crate::setting::Setting;

pub(crate) static BLOCK: Model = Model {
    kind: ModelKind::Block,
    name: "block",
    summary: "naive Bayes over labels, with numbers that are jointly normal in blocks",
    formula: "P(c | x) proportional to P(c) times the product of P(x_i | c) over labels and of the \
              normal densities of the blocks",
    source: "Pavlenko, Hall and von Rosen, 2004",
    explanation: "Block model: features that depend on each other speak about the class together.",
    settings: &SETTINGS,
    numbers: NumberUse::Plain,
    learner: Learner::Network(NetworkLearner {
        by_rows: |features, _, _, _| naive_graph(features.len()),
        by_counts: None,
        shape: GraphShape::Augmented { max_others: 0 },
    }),
};

/// The settings of its tables, then of its blocks.
const SETTINGS: [Setting; 2 + MODEL_SETTINGS.len()] = {
    let mut settings = [SMOOTHING; 2 + MODEL_SETTINGS.len()];
    settings[1] = ALPHA;
    let (_, of_blocks) = settings.split_at_mut(2);
    of_blocks.copy_from_slice(MODEL_SETTINGS);
    settings
};
