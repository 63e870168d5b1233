//! What tests of blocks share.

use rand::Rng;

use crate::data::Nominal;
use crate::random::unit;

/// A standard normal number (Box and Muller).
pub(super) fn normal(rng: &mut impl Rng) -> f64 {
    let radius = (-2.0 * (1.0 - unit(rng)).ln()).sqrt();
    radius * (std::f64::consts::TAU * unit(rng)).cos()
}

/// The first half of class a, the second of class b.
pub(super) fn class_of_halves(n_rows: usize) -> Nominal {
    Nominal::from_labels((0..n_rows).map(|row| Some(if row < n_rows / 2 { "a" } else { "b" })))
}
