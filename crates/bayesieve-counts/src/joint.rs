//! Joint tables of many columns, over the combinations that occur.
//!
//! A table over ten columns has more cells than any machine has memory, but no more
//! combinations occur than there are rows. So the rows are partitioned: one part per
//! combination, refined as columns are added. Parts are numbered in the order of their
//! values, never in the order of the rows, so that sums over parts do not depend on it.

use crate::codes::{Code, Codes};
use crate::error::{Error, Result};
use crate::with_codes;

/// Key ranges up to this size, or a few per row, are ranked through a table.
const DENSE_KEYS: u64 = 65_536;

/// The part of a row with a missing cell: in no table.
const NOWHERE: u32 = u32::MAX;

/// Rows partitioned by the joint value of some columns.
///
/// # Example
/// ```
/// use bayesieve_counts::Partition;
/// use bayesieve_counts::Codes;
///
/// let a = Codes::new(2, [0, 1, 1, 1].map(Some));
/// let b = Codes::new(2, [0, 1, 0, 1].map(Some));
/// let class = Codes::new(2, [0, 1, 0, 0].map(Some));
/// let joint = Partition::whole(4).refine(&a, 2)?.refine(&b, 2)?;
/// assert_eq!(joint.n_parts(), 3); // 00, 10, 11; nobody has 01
/// let counts = joint.count(&class, 2)?;
/// assert_eq!(counts.part(2), [1, 1]); // the two rows with 11
/// # Ok::<(), bayesieve_counts::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    part_of_row: Vec<u32>,
    n_parts: usize,
}

impl Partition {
    /// All rows in one part.
    pub fn whole(n_rows: usize) -> Self {
        Partition {
            part_of_row: vec![0; n_rows],
            n_parts: usize::from(n_rows > 0),
        }
    }

    /// Number of combinations that occur.
    pub fn n_parts(&self) -> usize {
        self.n_parts
    }

    /// The part of every row in row order, `None` for a row that left the partition.
    pub fn iter(&self) -> impl Iterator<Item = Option<u32>> + '_ {
        let parts = self.part_of_row.iter();
        parts.map(|&part| (part != NOWHERE).then_some(part))
    }

    /// Number of rows in every part; with weights, of rows that stand for several each.
    pub fn sizes(&self, weights: Option<&[u64]>) -> Vec<u64> {
        let parts = self.part_of_row.iter().map(|&part| part as usize);
        tally(self.n_parts, parts, weights)
    }

    /// A row of every part: the first in row order.
    pub fn representatives(&self) -> Vec<u32> {
        let mut first = vec![NOWHERE; self.n_parts];
        for (&part, row) in self.part_of_row.iter().zip(0..) {
            if part != NOWHERE && first[part as usize] == NOWHERE {
                first[part as usize] = row;
            }
        }
        first
    }

    /// Splits every part by the values of one more column. A row whose cell is missing
    /// leaves the partition.
    ///
    /// # Errors
    /// The column has another length, or a code outside its domain.
    ///
    /// # Cost
    /// One or two passes over the rows; a sort where parts times values exceed four per row.
    pub fn refine(&self, column: &Codes, n_values: usize) -> Result<Self> {
        let n_keys = self.n_parts as u64 * n_values as u64;
        let (part_of_row, n_parts) = if n_keys <= DENSE_KEYS.max(4 * column.len() as u64) {
            self.check_length(column)?;
            let parts = &self.part_of_row;
            with_codes!(column, cells => rank_by_table(parts, cells, n_values, n_keys as usize))
                .ok_or_else(|| Error::internal(format!("a code is not below {n_values}")))?
        } else {
            rank_by_sorting(&self.keys(column, n_values)?)
        };
        Ok(Partition {
            part_of_row,
            n_parts,
        })
    }

    /// Counts the classes in every part.
    ///
    /// # Errors
    /// The class has another length, or a code outside its domain.
    pub fn count(&self, class: &Codes, n_classes: usize) -> Result<JointCounts> {
        self.count_weighted(class, n_classes, None)
    }

    /// As [`Partition::count`]; with weights, of rows that stand for several each.
    ///
    /// # Errors
    /// As [`Partition::count`].
    pub fn count_weighted(
        &self,
        class: &Codes,
        n_classes: usize,
        weights: Option<&[u64]>,
    ) -> Result<JointCounts> {
        let keys = self.keys(class, n_classes)?;
        let keys = keys.iter().map(|&key| key as usize);
        let cells = tally(self.n_parts * n_classes, keys, weights);
        Ok(JointCounts { n_classes, cells })
    }

    fn check_length(&self, column: &Codes) -> Result<()> {
        if column.len() == self.part_of_row.len() {
            return Ok(());
        }
        Err(Error::internal(format!(
            "a column of {} rows for a partition of {}",
            column.len(),
            self.part_of_row.len()
        )))
    }

    /// `part * n_values + code` of every row, the largest integer where a cell is missing.
    fn keys(&self, column: &Codes, n_values: usize) -> Result<Vec<u64>> {
        fn keys<C: Code>(parts: &[u32], cells: &[C], n_values: usize) -> Option<Vec<u64>> {
            parts
                .iter()
                .zip(cells)
                .map(|(&part, &cell)| {
                    if part == NOWHERE || cell == C::MISSING {
                        return Some(u64::MAX);
                    }
                    let key = u64::from(part) * n_values as u64 + cell.index() as u64;
                    (cell.index() < n_values).then_some(key)
                })
                .collect()
        }
        self.check_length(column)?;
        with_codes!(column, cells => keys(&self.part_of_row, cells, n_values))
            .ok_or_else(|| Error::internal(format!("a code is not below {n_values}")))
    }
}

/// How many rows have each key; those of no cell are left out.
fn tally(n_cells: usize, keys: impl Iterator<Item = usize>, weights: Option<&[u64]>) -> Vec<u64> {
    let mut cells = vec![0; n_cells];
    // A key that lies outside is that of a row which is in no cell.
    if let Some(weights) = weights {
        for (key, weight) in keys.zip(weights).filter(|&(key, _)| key < n_cells) {
            cells[key] += weight;
        }
    } else {
        for key in keys.filter(|&key| key < n_cells) {
            cells[key] += 1;
        }
    }
    cells
}

/// Numbers the keys `part * n_values + code` that occur, in rising order; `None` for a code
/// outside the domain. Keys are computed twice rather than kept: that is cheaper.
fn rank_by_table<C: Code>(
    parts: &[u32],
    cells: &[C],
    n_values: usize,
    n_keys: usize,
) -> Option<(Vec<u32>, usize)> {
    let mut rank = vec![NOWHERE; n_keys];
    for (&part, &cell) in parts.iter().zip(cells) {
        if part == NOWHERE || cell == C::MISSING {
            continue;
        }
        if cell.index() >= n_values {
            return None;
        }
        rank[part as usize * n_values + cell.index()] = 0;
    }
    let mut n_parts = 0;
    for rank in rank.iter_mut().filter(|rank| **rank == 0) {
        *rank = n_parts;
        n_parts += 1;
    }
    let ranked = parts.iter().zip(cells).map(|(&part, &cell)| {
        if part == NOWHERE || cell == C::MISSING {
            NOWHERE
        } else {
            rank[part as usize * n_values + cell.index()]
        }
    });
    Some((ranked.collect(), n_parts as usize))
}

fn rank_by_sorting(keys: &[u64]) -> (Vec<u32>, usize) {
    let mut order: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
    order.sort_unstable();
    let mut parts = vec![NOWHERE; keys.len()];
    let mut n_parts = 0;
    for run in order.chunk_by(|x, y| x.0 == y.0) {
        if run[0].0 == u64::MAX {
            break;
        }
        for &(_, row) in run {
            parts[row as usize] = n_parts;
        }
        n_parts += 1;
    }
    (parts, n_parts as usize)
}

/// The classes in every part of a [`Partition`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JointCounts {
    n_classes: usize,
    cells: Vec<u64>,
}

impl JointCounts {
    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// The class counts of one part.
    ///
    /// # Panics
    /// If there is no such part.
    pub fn part(&self, part: usize) -> &[u64] {
        &self.cells[part * self.n_classes..(part + 1) * self.n_classes]
    }

    /// The class counts of every part.
    pub fn parts(&self) -> impl Iterator<Item = &[u64]> {
        self.cells.chunks(self.n_classes.max(1))
    }

    /// Number of rows counted.
    pub fn n_rows(&self) -> u64 {
        self.cells.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn codes(cells: &[Option<u32>], n_values: usize) -> Codes {
        Codes::new(n_values, cells.iter().copied())
    }

    proptest! {
        #[test]
        fn parts_are_the_combinations_in_value_order(
            rows in prop::collection::vec(
                (prop::option::weighted(0.9, 0u32..3), 0u32..70_000, 0u32..2), 0..80),
        ) {
            let a = codes(&rows.iter().map(|r| r.0).collect::<Vec<_>>(), 3);
            // 70,000 values force the way by sorting.
            let b = codes(&rows.iter().map(|r| Some(r.1)).collect::<Vec<_>>(), 70_000);
            let class = codes(&rows.iter().map(|r| Some(r.2)).collect::<Vec<_>>(), 2);
            let joint = Partition::whole(rows.len())
                .refine(&a, 3).unwrap()
                .refine(&b, 70_000).unwrap();
            let mut expected = BTreeMap::new();
            for (a, b, class) in &rows {
                if let Some(a) = a {
                    expected.entry((a, b)).or_insert([0, 0])[*class as usize] += 1;
                }
            }
            let counts = joint.count(&class, 2).unwrap();
            let expected: Vec<[u64; 2]> = expected.into_values().collect();
            let sizes: Vec<u64> = expected.iter().map(|[x, y]| x + y).collect();
            prop_assert_eq!(joint.sizes(None), sizes);
            prop_assert_eq!(counts.parts().collect::<Vec<_>>(), expected);
        }

        #[test]
        fn sorting_and_the_table_rank_alike(
            rows in prop::collection::vec((prop::option::weighted(0.9, 0u32..5), 0u32..9), 0..60),
        ) {
            let parts: Vec<u32> = rows.iter().map(|r| r.0.unwrap_or(NOWHERE)).collect();
            // 8 stands for a missing cell.
            let cells: Vec<u8> = rows.iter().map(|r| if r.1 == 8 { u8::MAX } else { r.1 as u8 }).collect();
            let joint = Partition { part_of_row: parts.clone(), n_parts: 5 };
            let keys = joint.keys(&Codes::U8(cells.clone()), 8).unwrap();
            let ranked = rank_by_table(&parts, &cells, 8, 40).unwrap();
            prop_assert_eq!(ranked, rank_by_sorting(&keys));
        }
    }

    #[test]
    fn a_code_outside_the_domain_is_an_error() {
        let column = Codes::U8(vec![0, 7]);
        assert!(Partition::whole(2).refine(&column, 3).is_err());
    }
}
