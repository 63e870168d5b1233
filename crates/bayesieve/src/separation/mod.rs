//! Separation scores: how far blocks of features hold classes apart, and which blocks help.
//!
//! Paper: Pavlenko, Hall and von Rosen, 2004. Features fall into blocks that are independent
//! given the class. The score of a block is the distance of two classes in it, scaled by the
//! number of rows: estimated from data it is too large by the number of parameters it took.
//!
//! - [`SeparationOptions`]: how blocks are made, scored and weighed.
//! - [`SampleScore`]: an estimated score with the number of its parameters.
//! - [`Symmetric`], [`Cholesky`]: the covariance of a block.

mod matrix;
mod options;
mod score;

pub use matrix::{Cholesky, Symmetric};
pub use options::{
    BlockSource, Correction, Covariance, METHOD_SETTINGS, MODEL_SETTINGS, PriorKind,
    SeparationOptions, ThresholdRule, Weighting,
};
pub use score::SampleScore;
