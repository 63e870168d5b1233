//! The models, one file each: what it is, its settings, how its graph is learned.

pub(super) mod block;
pub(super) mod cb;
pub(super) mod id3;
pub(super) mod k2;
pub(super) mod naive_bayes;
pub(super) mod tan;
