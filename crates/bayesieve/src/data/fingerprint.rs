//! What tells columns apart.

use super::{Column, Nominal, Values};
use crate::fingerprint::Fingerprint;

/// Takes in a column: its name, its labels, its cells.
pub(crate) fn add_column(hash: &mut Fingerprint, column: &Column) {
    hash.text(column.name());
    match column.values() {
        Values::Nominal(nominal) => add_nominal(hash, nominal),
        Values::Numeric(numbers) => numbers.iter().for_each(|&x| hash.number(x)),
    }
}

/// Takes in labels and cells.
pub(crate) fn add_nominal(hash: &mut Fingerprint, nominal: &Nominal) {
    let labels = nominal.domain.labels();
    hash.whole(labels.len() as u64);
    labels.iter().for_each(|label| hash.text(label));
    let cells = nominal.codes.iter().map(|code| code.unwrap_or(u32::MAX));
    cells.for_each(|code| hash.bytes(&code.to_le_bytes()));
}
