//! Floating searches: after every step, as many steps the other way as make it better.
//!
//! Paper: Pudil, Novovicova and Kittler, 1994. There a step back must beat the best set of
//! its size and the walk ends at a size asked for; here no size is asked for, and every
//! step, either way, must beat all sets before it. So no set comes twice, and it ends.
//! Cost: as the forward search, and a round of removals after every addition.
//! Where the paper is silent: ties go to the lowest column index.
//!
//! Pudil, P., Novovicova, J. and Kittler, J. (1994). Floating search methods in feature
//! selection. Pattern Recognition Letters 15, 1119-1125.

use super::climb::Climb;
use super::{Action, SearchDescription, Strategy};

/// Forward, with steps back.
pub(super) static FLOATING: SearchDescription = SearchDescription {
    name: "floating",
    summary: "forward, and after every step features leave again while that is better",
    settings: &[],
    strategy: Strategy::Grows(|task| {
        let climb = Climb::from_kept(task, "searching, floating")?;
        climb.run(Action::Add, Some(Action::Remove))
    }),
};

/// Backward, with steps back.
pub(super) static BACKWARD_FLOATING: SearchDescription = SearchDescription {
    name: "backward-floating",
    summary: "backward, and after every step features come back while that is better",
    settings: &[],
    strategy: Strategy::Shrinks(|task| {
        let climb = Climb::from_all(task, "searching backward, floating")?;
        climb.run(Action::Remove, Some(Action::Add))
    }),
};
