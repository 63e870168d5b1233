//! Backward search: the least needed feature of every round leaves, while that is better.
//!
//! Paper: Drugan and Wiering, 2010, section 6.1; the mirror image of the forward search.
//! Cost: at most n rounds of at most n candidates, each round one call of the score.
//! Where the paper is silent: ties go to the lowest column index.

use super::climb::{Climb, Round};
use super::{Action, Found, Walk};
use crate::Result;

pub(super) fn backward(walk: &Walk<'_>) -> Result<Found> {
    let mut climb = Climb::from_all(walk, "searching backward")?;
    loop {
        match climb.round(Action::Remove)? {
            Round::Better => {}
            last => return Ok(climb.end_in_column_order(last)),
        }
    }
}
