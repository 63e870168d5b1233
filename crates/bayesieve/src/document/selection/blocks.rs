//! Blocks of features: the entries `blocks` and `separation`.

use serde_json::{Map, Value, json};

use super::super::finite;
use crate::select::{NamedBlock, NamedBlocks, NamedPair};

/// Every block for every two classes, then what all of them come to.
pub(super) fn entries(blocks: &NamedBlocks) -> Map<String, Value> {
    let list: Vec<Value> = blocks.blocks.iter().map(block).collect();
    let pairs: Vec<Value> = blocks.pairs.iter().map(pair).collect();
    let both = [("blocks", list), ("separation", pairs)];
    let both = both.into_iter();
    both.map(|(name, list)| (name.to_owned(), list.into()))
        .collect()
}

fn block(block: &NamedBlock) -> Value {
    let mut entry = json!({
        "features": *block.features,
        "j": finite(block.distance),
        "score": finite(block.score),
        "threshold": finite(block.threshold),
        "expected": block.expected,
        "weight": finite(block.weight),
        "kept": block.is_kept,
    });
    if let Some(classes) = &block.classes {
        entry["classes"] = json!(**classes);
    }
    entry
}

fn pair(pair: &NamedPair) -> Value {
    json!({
        "classes": pair.classes,
        "kept_blocks": pair.n_kept,
        "j": finite(pair.j),
        "j_selected": finite(pair.j_selected),
        "d": finite(pair.d),
        "d_selected": finite(pair.d_selected),
        "risk": finite(pair.risk),
        "risk_selected": finite(pair.risk_selected),
        "gain": finite(pair.gain()),
    })
}
