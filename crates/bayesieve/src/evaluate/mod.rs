//! How good a choice is on rows it has not seen, and how near to the truth where it is known.
//!
//! - [`Pipeline`]: a selection and the model trained on what it keeps, by name.
//! - [`Protocol`]: how rows are divided, over and over.
//! - [`ComparisonStudy`], [`Comparison`]: pipelines on the same splits of the same data, with
//!   tests and ranks.
//! - [`Auto`]: the choice of a method and a model by the data.
//! - [`Honest`]: a selection and a model as one procedure, by five times two halves.
//! - [`stability()`]: how much kept sets agree.
//! - [`Recovery`]: precision, recall and F of a set that was found.
//! - [`Study`], [`conduct`]: many independent units of work, kept and resumed.
//! - [`BoundaryStudy`]: a study of Markov boundaries learned from samples of networks.
//! - [`SeparationStudy`]: a study of what choosing blocks by their separation scores brings.

mod auto;
mod boundaries;
mod comparison;
mod honest;
mod permutations;
mod pipeline;
mod protocol;
mod recovery;
mod separation_trials;
mod stability;
mod study;
mod trial;

pub use auto::{Auto, AutoChoice, AutoOptions};
pub use boundaries::{BoundaryCell, BoundaryLearner, BoundaryStudy};
pub use comparison::{
    ComparedData, ComparedPipeline, Comparison, ComparisonCell, ComparisonStudy, DataSet, Entry,
    PairTest, PairTestKind, Quantity, Rank, RankSummary, Run, Standing, Verdicts,
};
pub use honest::Honest;
pub use permutations::Permutations;
pub use pipeline::{Pipeline, pipeline_names, pipelines};
pub use protocol::{Protocol, ProtocolSplit};
pub use recovery::Recovery;
pub use separation_trials::{
    Average, Judged, JudgedMeans, ScoreSource, SeparationDesign, SeparationStudy, SeparationTrial,
    Span, TrialMeans, Verdict,
};
pub use stability::{frequencies, stability};
pub use study::{Conducted, Group, Study, conduct};
