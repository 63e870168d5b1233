//! How good a choice is on rows it has not seen.
//!
//! - [`Trial`]: a table, a set of features and a model, trained and tested by folds.

mod trial;

pub use trial::{Accuracy, Trial};
