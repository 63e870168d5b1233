//! How good a choice is on rows it has not seen, and how near to the truth where it is known.
//!
//! - [`Honest`]: a selection and a model as one procedure, by five times two halves.
//! - [`Recovery`]: precision, recall and F of a set that was found.
//! - [`Study`], [`conduct`]: many independent units of work, kept and resumed.
//! - [`BoundaryStudy`]: a study of Markov boundaries learned from samples of networks.
//! - [`SeparationStudy`]: a study of what choosing blocks by their separation scores brings.

mod boundaries;
mod honest;
mod recovery;
mod separation_trials;
mod study;

pub use boundaries::{BoundaryCell, BoundaryLearner, BoundaryStudy};
pub use honest::Honest;
pub use recovery::Recovery;
pub use separation_trials::{
    Average, Judged, JudgedMeans, ScoreSource, SeparationDesign, SeparationStudy, SeparationTrial,
    Span, TrialMeans, Verdict,
};
pub use study::{Conducted, Group, Study, conduct};
