//! Markov boundaries: the smallest set that makes the class independent of everything else.
//!
//! Nodes are columns by number; the class is one of them.
//!
//! - [`Boundary`]: what every method comes back with: members with their [`Roles`] and
//!   [`Evidence`], the [`LocalGraph`], and why each other node is [`Outside`].
//! - [`IndependenceTests`]: columns whose independence can be tested.
//! - [`iamb`]: grows by the strongest association, then shrinks.
//! - [`pc_boundary`]: from the nodes linked to the class ([`pc`]) and to those: MMMB, HITON-MB.

mod copies;
mod found;
mod iamb;
mod independence;
mod joint;
mod layering;
mod mb;
mod pair_tests;
mod pc;
mod round;
#[cfg(test)]
mod tests;

pub use copies::CopyRule;
pub use found::{Boundary, Evidence, LocalGraph, Member, Outside, Roles};
pub use iamb::{Association, IambOptions, Shrinking, iamb};
pub use independence::{IndependenceTests, TestOptions};
pub use mb::{pc, pc_boundary};
pub use pc::{PcKind, PcOptions};
