//! What holds of tables that count the same rows: no file is trusted to have it.

use super::envelope::contradiction;
use crate::counts::{Cell, CountTable};
use crate::counts::{CountPlan, Counts};
use crate::{Error, Result};

/// Checks that the tables of a plan could be of one set of rows, as far as sums tell.
pub(super) fn counts(plan: &CountPlan, counts: &Counts) -> Result<()> {
    let mut classes = counts.class_counts.iter();
    let n_rows = classes.try_fold(0u64, |sum, &n| sum.checked_add(n));
    if n_rows != Some(counts.n_rows) {
        return Err(wrong("the classes do not add up to the rows"));
    }
    let are_singles_right = counts
        .singles
        .iter()
        .all(|single| is_within(single, &counts.class_counts));
    let mut pairs = plan.pairs().zip(&counts.pairs);
    let are_pairs_right = pairs.all(|((a, b), pair)| {
        is_within(pair, &counts.class_counts)
            && is_below(pair, &counts.singles[a], |cell| Cell { b: 0, ..cell })
            && is_below(pair, &counts.singles[b], |cell| Cell {
                a: cell.b,
                b: 0,
                ..cell
            })
    });
    if are_singles_right && are_pairs_right {
        Ok(())
    } else {
        Err(wrong("a table counts more rows than there are"))
    }
}

fn wrong(what: &str) -> Error {
    contradiction(Error::data(what))
}

/// Whether no class has more rows in a table than it has.
fn is_within(table: &CountTable, class_counts: &[u64]) -> bool {
    let mut sums = vec![Some(0u64); class_counts.len()];
    table.for_each(|cell, n| {
        let sum = &mut sums[cell.class];
        *sum = sum.and_then(|sum| sum.checked_add(n));
    });
    let mut sums = sums.iter().zip(class_counts);
    sums.all(|(sum, n)| sum.is_some_and(|sum| sum <= *n))
}

/// Whether every cell of a pair is at most that of one of its features.
fn is_below(pair: &CountTable, single: &CountTable, place: impl Fn(Cell) -> Cell) -> bool {
    let mut is_below = true;
    pair.for_each(|cell, n| is_below &= n <= single.get(place(cell)));
    is_below
}
