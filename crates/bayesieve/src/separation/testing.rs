//! What tests of blocks share.

use crate::data::Nominal;

/// The first half of class a, the second of class b.
pub(super) fn class_of_halves(n_rows: usize) -> Nominal {
    Nominal::from_labels((0..n_rows).map(|row| Some(if row < n_rows / 2 { "a" } else { "b" })))
}
