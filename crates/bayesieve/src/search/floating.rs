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

use super::climb::{Climb, Round};
use super::{Action, Found, Walk};
use crate::Result;

pub(super) fn floating(walk: &Walk<'_>) -> Result<Found> {
    let mut climb = Climb::from_kept(walk, "searching, floating")?;
    let last = float(&mut climb, Action::Add, Action::Remove)?;
    Ok(climb.end(last))
}

pub(super) fn backward_floating(walk: &Walk<'_>) -> Result<Found> {
    let mut climb = Climb::from_all(walk, "searching backward, floating")?;
    let last = float(&mut climb, Action::Remove, Action::Add)?;
    Ok(climb.end_in_column_order(last))
}

/// Steps one way, each followed by steps back; gives the round that ended it.
fn float(climb: &mut Climb<'_, '_>, onward: Action, back: Action) -> Result<Round> {
    loop {
        match climb.round(onward)? {
            Round::Better => {}
            last => return Ok(last),
        }
        loop {
            match climb.round(back)? {
                Round::Better => {}
                Round::NoBetter | Round::NoCandidate => break,
                early @ Round::Early(_) => return Ok(early),
            }
        }
    }
}
