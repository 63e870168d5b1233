//! Networks as drawings: a box per feature, the class marked, arrows between them.

mod graph;
mod layout;
mod picture;

pub(crate) use graph::{Graph, MOST_NODES};
pub(crate) use picture::draw;
