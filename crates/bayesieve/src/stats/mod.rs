//! Statistical tests and the distributions behind them.
//!
//!
//! Probabilities are exact to 1e-12 relative, and each comes with its logarithm, which
//! stays exact where the probability itself is too small for a number.

mod beta;
mod contingency;
mod gamma;
mod quadrature;
mod special;
mod tail;

pub use contingency::{DegreesOfFreedom, IndependenceTest, Layers, Statistic, has_power};
pub use tail::{Tail, chi_square_tail, f_tail, normal_tail, t_tail};
