//! Papers on feature selection, computed again: their tables, ours beside the published figures.
//!
//! - [`papers`]: those there are; a [`Paper`] describes itself and the options it takes.
//! - [`PaperRequest`]: what a caller wants of one.
//! - [`Paper::plan`], [`PaperPlan::run`]: the checks, then the work.
//! - [`PaperOutcome`]: all that a surface shows, as a document, a page and text.
//!
//! A paper is a file (`papers/NAME.toml`: options, data sets, methods, published figures, and what
//! it says about them) and a module here that says which cells its tables have. What is
//! the same for all papers that compare pipelines is in `comparison`.
//!
//! # Which papers are there?
//! ```
//! let names = bayesieve_papers::papers().map(|paper| &*paper.published().name);
//! assert_eq!(names, ["acid2011", "drugan2010", "inza2000", "pavlenko2004", "singh1995"]);
//! ```

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod acid2011;
mod comparison;
mod data;
mod drugan2010;
mod inza2000;
mod outcome;
mod pavlenko2004;
mod published;
mod request;
mod singh1995;
mod statement;
mod tables;
mod text;

pub use outcome::{PaperOutcome, PaperRun, TextPart};
pub use published::{PaperOption, PaperOptionKind, Published};
pub use request::{Paper, PaperPlan, PaperRequest};

/// All papers, by name.
pub fn papers() -> [&'static Paper; 5] {
    [
        &acid2011::PAPER,
        &drugan2010::PAPER,
        &inza2000::PAPER,
        &pavlenko2004::PAPER,
        &singh1995::PAPER,
    ]
}
