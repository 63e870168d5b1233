//! Finds the smallest set of features a Bayesian-network classifier needs, and says in
//! words and numbers why every other feature can go.

pub mod counts;
pub mod data;
pub mod describe;
mod error;
pub mod info;
pub mod math;
mod observer;
pub mod random;
pub mod wording;

pub use error::{Error, ErrorKind, Result, quoted};
pub use observer::{Observer, Silent};
