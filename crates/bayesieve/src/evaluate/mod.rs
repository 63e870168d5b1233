//! How good a choice is on rows it has not seen.
//!
//! - [`Honest`]: a selection and a model as one procedure, by five times two halves.

mod honest;

pub use honest::Honest;
