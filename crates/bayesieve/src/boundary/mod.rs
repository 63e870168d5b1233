//! Markov boundaries: the smallest set that makes the class independent of everything else.
//!
//! Nodes are columns by number; the class is one of them.
//!
//! - [`Boundary`]: what every method comes back with: members with their [`Roles`] and
//!   [`Evidence`], the [`LocalGraph`], and why each other node is [`Outside`].
//! - [`rpdmb`]: by the score of graphs; [`Pruning`]: what it does not look at again.
//! - [`FringedGraph`], [`Operator`]: the graphs that RPDMB searches, and its moves.

mod evidence;
mod found;
mod fringed;
mod gains;
mod operator;
mod pruning;
mod rpdmb;
mod sweep;

pub use found::{Boundary, Evidence, LocalGraph, Member, Outside, Roles};
pub use fringed::{FamilyChange, FringedGraph, Link};
pub use operator::{Operator, OperatorKind};
pub use pruning::Pruning;
pub use rpdmb::{Rpdmb, RpdmbOptions, RpdmbStep, rpdmb};
