//! How good a choice is on rows it has not seen.
//!
//! - [`Trial`]: a table, a set of features and a model, trained and tested by folds.
//! - [`Honest`]: a selection and a model as one procedure, by five times two halves.

mod honest;
mod trial;

pub use honest::Honest;
pub use trial::{Accuracy, Trial};
