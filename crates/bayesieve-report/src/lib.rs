//! Pages for people about what Bayesieve found.
pub mod draw;
mod escape;
