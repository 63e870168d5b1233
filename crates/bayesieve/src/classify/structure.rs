//! The graph of a network classifier: which learner, in which order of nodes.

use super::options::{ModelKind, TrainOptions};
use crate::counts::CountColumn;
use crate::error::Result;
use crate::network::Dag;

/// Learns the graph over the features in order and the class, the last node.
pub(super) fn learn(
    features: &[CountColumn<'_>],
    class: CountColumn<'_>,
    options: &TrainOptions,
) -> Result<Dag> {
    let class_node = features.len();
    let mut dag = Dag::new(features.len() + 1);
    match options.model {
        _ => {
            for feature in 0..features.len() {
                dag.add_arc(class_node, feature)?;
            }
        }
    }
    let _ = class;
    Ok(dag)
}
