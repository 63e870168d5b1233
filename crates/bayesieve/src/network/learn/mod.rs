//! Learning the structure of networks from counts.
//!
//! - [`chow_liu_tree`], [`tan_tree`]: maximum spanning trees over informations.
//! - [`SpanningTree`]: such a tree by any weights, whole or grown node by node.

mod chow_liu;
mod pairs;
mod spanning;
mod tan;

pub use chow_liu::{chow_liu_dag, chow_liu_tree};
pub use spanning::{PairWeights, SpanningTree};
pub use tan::{tan_dag, tan_tree};
