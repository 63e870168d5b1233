//! The document of a training: schema `bayesieve.training.v1`.

use serde_json::{Map, Value, json};

use super::{Seconds, whole};
use crate::classify::Classifier;

/// What was trained, on so many rows.
pub fn training(classifier: &Classifier, n_rows: u64, seconds: Seconds) -> Value {
    let features = classifier.features().iter();
    let features: Vec<&str> = features.map(|feature| feature.name.as_str()).collect();
    let required = classifier.required_features();
    let required: Vec<&str> = required.iter().map(|&place| features[place]).collect();
    let parents = classifier.network().map(|network| {
        let name = |node: usize| network.variables()[node].name.as_str();
        let listed = |node: usize| {
            let parents = network.dag().parents(node).iter();
            let parents: Vec<&str> = parents.map(|&parent| name(parent)).collect();
            (name(node).to_owned(), json!(parents))
        };
        let nodes = 0..network.dag().n_nodes();
        nodes.map(listed).collect::<Map<String, Value>>()
    });
    let mut document = json!({
        "schema": "bayesieve.training.v1",
        "model": classifier.options().model.name(),
        "rows": n_rows,
        "class": classifier.class_name(),
        "classes": classifier.class_labels(),
        "features": features,
        "required_features": required,
        "parents": parents,
        "parameters": whole(classifier.n_parameters()),
        "warnings": classifier.notes(),
        "seconds": seconds,
    });
    if let Some(blocks) = classifier.block_names() {
        document["blocks"] = json!(blocks);
    }
    document
}
