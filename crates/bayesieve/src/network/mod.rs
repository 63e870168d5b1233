//! Bayesian networks: graphs, tables, learning, inference, files.

mod cpt;
mod dag;
mod family;
mod infer;
pub mod io;
pub mod learn;
mod model;
mod sample;
#[cfg(test)]
pub(crate) mod testing;

pub(crate) use cpt::{ALPHA, MAX_ALPHA, SMOOTHING};
pub use cpt::{Cpt, SMOOTHINGS, Smoothing, SmoothingRule};
pub use dag::Dag;
pub use family::FamilyCounts;
pub(crate) use infer::PosteriorCache;
pub use infer::{PosteriorBuffer, PosteriorPlan};
pub use io::{
    check_network_path, parse_bif, parse_json, parse_net, parse_xmlbif, read_network, to_bif,
    to_dot, to_dot_with_blocks, to_json, to_net, to_xmlbif, write_network,
};
pub use model::{Network, Variable};
