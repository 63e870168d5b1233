//! Separation scores: how far blocks of features hold classes apart, and which blocks help.
//!
//! Paper: Pavlenko, Hall and von Rosen, 2004. Features fall into blocks that are independent
//! given the class. The score of a block is the distance of two classes in it, scaled by the
//! number of rows: estimated from data it is too large by the number of parameters it took.
//!
//! - [`separate`]: which blocks of a table's features to keep; [`fit_blocks`]: the same for
//!   numbers alone, with the normal distributions that a classifier needs.
//! - [`SeparationOptions`]: how blocks are made, scored and weighed.
//! - [`SampleScore`]: an estimated score with the number of its parameters.
//! - [`asymptotic_thresholds`]: what a block must score to be kept.
//! - [`Effect`], [`PlugIn`]: what a classifier over such blocks can tell.
//! - [`Symmetric`], [`Cholesky`]: the covariance of a block.

mod block_file;
mod clusters;
mod correlations;
mod distribution;
mod edges;
mod effect;
mod em;
mod fit;
mod matrix;
mod moments;
mod numbers;
mod options;
mod pair;
mod score;
mod separate;
mod tables;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod threshold;

pub use block_file::check_block_file;
pub use effect::{Effect, PlugIn, gain, risk};
pub(crate) use fit::pairs_of;
pub use fit::{BlockFit, fit_blocks};
pub use matrix::{Cholesky, Symmetric};
pub use moments::NormalBlock;
pub use options::{
    BlockSource, Correction, Covariance, METHOD_SETTINGS, MODEL_SETTINGS, PriorKind,
    SeparationOptions, ThresholdRule, Weighting,
};
pub(crate) use pair::kept;
pub use pair::{BlockScore, PairScores};
pub use score::SampleScore;
pub use separate::{Scored, Separation, separate};
#[cfg(test)]
pub(crate) use testing::limiting_distance;
pub use threshold::asymptotic_thresholds;
