//! What tests of models share.

use super::Individual;
use super::columns::BitColumns;
use crate::score::FeatureSet;

/// Eight selected sets: the first two bits are equal, the third is independent of them.
pub(super) const EXAMPLE: [&str; 8] = ["000", "000", "110", "110", "111", "001", "110", "000"];

/// Sets written as bits, all of the same value.
pub(super) fn individuals(rows: &[&str]) -> Vec<Individual> {
    rows.iter()
        .map(|row| {
            let ones = row.bytes().enumerate().filter(|&(_, bit)| bit == b'1');
            Individual {
                bits: FeatureSet::of(row.len(), ones.map(|(place, _)| place)).unwrap(),
                value: 0.0,
            }
        })
        .collect()
}

/// Their columns.
pub(super) fn columns(rows: &[&str]) -> BitColumns {
    BitColumns::new(&individuals(rows), rows[0].len())
}
