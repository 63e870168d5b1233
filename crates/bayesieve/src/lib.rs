//! Finds the smallest set of features a Bayesian-network classifier needs, and says in
//! words and numbers why every other feature can go.

pub mod data;
mod error;
pub mod math;
mod observer;
pub mod random;
pub mod stats;

pub use error::{Error, ErrorKind, Result, quoted};
pub use observer::{Observer, Silent};
