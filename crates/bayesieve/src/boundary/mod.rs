//! Markov boundaries: the smallest set that makes the class independent of everything else.
//!
//! Nodes are columns by number; the class is one of them.
//!
//! - [`Boundary`]: what every method comes back with: members with their [`MemberRoles`] and
//!   [`Evidence`], the [`LocalGraph`], and why each other node is [`Outside`].
//! - [`rpdmb`]: by the score of graphs; [`Pruning`]: what it does not look at again.
//! - [`FringedGraph`], [`Operator`]: the graphs that RPDMB searches, and its moves.
//! - [`IndependenceTests`]: columns whose independence can be tested.
//! - [`iamb`]: grows by the strongest association, then shrinks.
//! - [`pc_boundary`]: from the nodes linked to the class and to those: MMMB, HITON-MB.

mod evidence;
mod found;
mod fringed;
mod gains;
mod iamb;
mod independence;
mod joint;
mod layering;
mod mb;
mod operator;
mod pair_tests;
mod pc;
mod pruning;
mod round;
mod rpdmb;
mod sweep;
#[cfg(test)]
mod tests;

pub use found::{Boundary, CopyRule, Evidence, LocalGraph, Member, MemberRoles, Outside};
pub use fringed::{FamilyChange, FringedGraph, Link};
pub use iamb::{Association, IambOptions, Shrinking, iamb};
pub use independence::{IndependenceTests, TestOptions};
pub use mb::pc_boundary;
pub use operator::{Operator, OperatorKind};
pub use pc::{PcKind, PcOptions};
pub use pruning::Pruning;
pub use rpdmb::{ChildRule, Rpdmb, RpdmbOptions, RpdmbStep, rpdmb};
