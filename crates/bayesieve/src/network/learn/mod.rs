//! Learning the structure of networks from counts.
//!
//! - [`chow_liu_tree`], [`tan_tree`], [`tan_tree_from_counts`]: maximum spanning trees over informations.
//! - [`SpanningTree`]: such a tree by any weights, grown node by node.
//! - [`LocalScore`], [`FamilyScorer`]: BIC, BDeu and K2 of a node with its parents.
//! - [`k2`]: greedy parents along an order of the nodes.
//! - [`cb`]: an order from tests of independence, then K2.
//! - [`algorithm_b`]: greedy arcs.

mod algorithm_b;
mod bits;
mod cb;
mod chow_liu;
mod family_scorer;
mod groups;
mod k2;
mod local_score;
mod pairs;
mod reach;
mod spanning;
mod tan;

pub use algorithm_b::{AlgorithmBOptions, algorithm_b};
pub(crate) use cb::advance;
pub use cb::{CbNetwork, CbOptions, CbRound, CbStop, PowerRule, cb};
pub use chow_liu::{chow_liu_dag, chow_liu_tree};
pub use family_scorer::{FamilyScorer, PairScores};
pub use k2::{K2Options, k2};
pub use local_score::LocalScore;
pub use spanning::SpanningTree;
pub use tan::{tan_dag, tan_tree, tan_tree_from_counts};

/// A score counts as larger by more than this.
const TOLERANCE: f64 = 1e-9;

/// A score in units of 1e-9, for comparing candidates.
fn rounded(score: f64) -> f64 {
    (score / TOLERANCE).round()
}
