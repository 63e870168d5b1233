//! Classifiers.

mod id3;

pub use id3::{Id3, Id3Node, Id3Options, Id3Split};
