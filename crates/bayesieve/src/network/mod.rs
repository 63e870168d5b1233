//! Bayesian networks: graphs, tables, learning, inference, files.

mod cpt;
mod dag;
mod family;
mod infer;
mod model;
mod sample;
#[cfg(test)]
mod testing;

pub use cpt::{Cpt, Smoothing};
pub use dag::Dag;
pub use family::FamilyCounts;
pub use infer::{PosteriorBuffer, PosteriorPlan};
pub use model::{Network, Variable};
