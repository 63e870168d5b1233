//! Bayesian networks: graphs, tables, learning, inference, files.

mod cpt;
mod dag;
mod family;
pub mod learn;
mod model;

pub use cpt::{Cpt, Smoothing};
pub use dag::Dag;
pub use family::FamilyCounts;
pub use model::{Network, Variable};
