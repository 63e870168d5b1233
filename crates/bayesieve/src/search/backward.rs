//! Backward search: the least needed feature of every round leaves, while that is better.
//!
//! Paper: Drugan and Wiering, 2010, section 6.1; the mirror image of the forward search.
//! Cost: at most n rounds of at most n candidates, each round one call of the score.
//! Where the paper is silent: ties go to the lowest column index.

use super::climb::Climb;
use super::{Action, SearchDescription, Strategy};

/// The least needed feature of every round leaves.
pub(super) static BACKWARD: SearchDescription = SearchDescription {
    name: "backward",
    summary: "from all features, the least needed one leaves in every round while that is better",
    settings: &[],
    strategy: Strategy::Shrinks(|task| {
        Climb::from_all(task, "searching backward")?.run(Action::Remove, None)
    }),
};
