//! Classifiers: trained from coded tables, kept in files, predicting other tables.
//!
//! - [`Classifier`]: a trained model of any kind, with what it needs to read other tables.
//! - [`MODELS`]: the models, each described once; [`TrainOptions`]: which one, and its settings.
//! - [`Prediction`]: classes and probabilities, and what was missing or never seen.
//! - [`PredictionBatches`]: the same for rows that come in blocks.
//! - [`Evaluation`]: every measure of predictions, and the confusion matrix.
//!
//! Naive Bayes, TAN, K2 and CB are Bayesian networks, compiled to log tables over the
//! boundary of the class; missing and unseen values are summed out exactly. So are those of
//! the block model, naive Bayes with numbers that are jointly normal in blocks.

mod batches;
mod block_gaussian;
mod classifier;
mod coding;
mod counted;
mod counts_entry;
mod evaluation;
mod export;
mod factors;
mod file;
mod gaussian;
mod id3;
mod model;
mod models;
mod network_model;
mod options;
mod prediction;
mod score;
mod tree;

pub use crate::network::io::NetworkFormat;
pub use batches::{PredictionBatches, PredictionSummary};
pub use block_gaussian::{BlockGaussian, PairWeights};
pub use classifier::Classifier;
pub(crate) use classifier::{has_values, tree_column};
pub use coding::{CodedFeature, Coding, EncodedCells, EncodedColumn};
pub use evaluation::Evaluation;
pub use gaussian::{Gaussian, VarianceDivisor};
pub(crate) use id3::Presorted;
pub use id3::{Id3, Id3Cuts, Id3Options};
pub use model::{MODELS, Model, ModelKind, NumberUse};
pub use network_model::NetworkModel;
pub use options::{CbOrder, CbStop, TrainOptions};
pub use prediction::{AbsentColumns, ColumnNote, Prediction};
pub(crate) use prediction::{TIE, by_size_and_row};
