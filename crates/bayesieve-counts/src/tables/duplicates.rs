//! Features that say the same as another in every row.

use std::collections::BTreeMap;

use super::{PairKind, TableNodes};
use crate::codes::Code;
use crate::error::{Error, Result};
use crate::index::CountColumn;
use crate::observer::{Observer, Silent};
use crate::table::CountTable;
use crate::with_codes;

/// Most columns differ within so many rows.
const FIRST_ROWS: usize = 128;

impl TableNodes<'_> {
    /// For every node the first one that says the same in every row, under whatever codes;
    /// `None` where that is the node itself. The class is nobody's duplicate.
    ///
    /// # Errors
    /// Those of [`TableNodes::map_pairs`]; where the rows are not in memory another class than
    /// the last node.
    ///
    /// # Cost
    /// A pass over the rows in memory, else the tables of pairs that may be equal. There no
    /// node may have missing cells.
    pub fn duplicates(&self, class: usize) -> Result<Vec<Option<usize>>> {
        if self.is_in_memory() {
            return Ok(duplicate_columns(&self.row_columns()?, class));
        }
        if class != self.n_features() {
            return Err(Error::internal("duplicates beside another class"));
        }
        // Duplicates have the same counts by class, value for value.
        let mut alike: BTreeMap<Vec<Vec<u64>>, Vec<usize>> = BTreeMap::new();
        for feature in 0..class {
            let counts = counts_of_values(self.single(feature));
            alike.entry(counts).or_default().push(feature);
        }
        let groups = alike.into_values().collect();
        let mut first_of = vec![None; class + 1];
        for group in self.equal_groups(groups, &Silent, |_, table| is_one_to_one(table))? {
            for &node in &group[1..] {
                first_of[node] = Some(group[0]);
            }
        }
        Ok(first_of)
    }

    /// Splits groups of features, each rising, into groups of two or more that are equal by
    /// the tables of their pairs; sorted.
    ///
    /// # Errors
    /// Those of [`TableNodes::map_pairs`].
    pub fn equal_groups(
        &self,
        groups: Vec<Vec<usize>>,
        observer: &dyn Observer,
        is_equal: impl Fn((usize, usize), &CountTable) -> bool + Sync,
    ) -> Result<Vec<Vec<usize>>> {
        let mut found = Vec::new();
        let mut open = groups;
        open.retain(|group| group.len() > 1);
        // One look at the rows tells whom the first of every group equals; the others are groups
        // of their own.
        while !open.is_empty() {
            let with_first = |group: &Vec<usize>| {
                let first = group[0];
                group[1..]
                    .iter()
                    .map(move |&other| (first, other))
                    .collect::<Vec<_>>()
            };
            let pairs: Vec<(usize, usize)> = open.iter().flat_map(with_first).collect();
            let are_equal =
                self.map_pairs(&pairs, PairKind::GivenClass, observer, |i, table| {
                    is_equal(pairs[i], table)
                })?;
            let mut are_equal = are_equal.into_iter();
            let mut rest = Vec::new();
            for group in open {
                let (first, others) = group.split_at(1);
                let (same, other): (Vec<usize>, Vec<usize>) =
                    others.iter().partition(|_| are_equal.next() == Some(true));
                if !same.is_empty() {
                    found.push([first, &same].concat());
                }
                if other.len() > 1 {
                    rest.push(other);
                }
            }
            open = rest;
        }
        found.sort();
        Ok(found)
    }
}

/// For every column the first one that says the same in every row, under whatever codes;
/// `None` where that is the column itself. The class is nobody's duplicate.
pub fn duplicate_columns(columns: &[CountColumn<'_>], class: usize) -> Vec<Option<usize>> {
    let mut first_of = vec![None; columns.len()];
    let nodes = (0..columns.len()).filter(|&node| node != class).collect();
    for alike in groups(nodes, |node| fingerprint(columns[node], FIRST_ROWS)) {
        // The whole column only where its beginning occurs twice.
        let whole = |node| fingerprint(columns[node], usize::MAX);
        let is_same = |first, node| are_duplicates(columns[first], columns[node]);
        for group in equal_groups(alike, whole, is_same) {
            for &node in &group[1..] {
                first_of[node] = Some(group[0]);
            }
        }
    }
    first_of
}

/// Groups of two or more equal entries, each rising, sorted. Equal fingerprints only promise
/// that entries are equal.
pub fn equal_groups(
    entries: Vec<usize>,
    fingerprint: impl Fn(usize) -> u64,
    are_equal: impl Fn(usize, usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut equal = Vec::new();
    for mut rest in groups(entries, fingerprint) {
        while let Some(&first) = rest.first() {
            let (same, others): (Vec<usize>, Vec<usize>) = rest
                .iter()
                .partition(|&&entry| entry == first || are_equal(first, entry));
            if same.len() > 1 {
                equal.push(same);
            }
            rest = others;
        }
    }
    equal.sort();
    equal
}

/// The counts by class of the values that occur, in an order that codes do not matter for.
fn counts_of_values(table: &CountTable) -> Vec<Vec<u64>> {
    let shape = table.shape();
    let mut counts = vec![vec![0; shape.n_classes]; shape.n_a];
    table.for_each(|cell, n| counts[cell.a][cell.class] += n);
    counts.retain(|counts| counts.iter().any(|&n| n > 0));
    counts.sort_unstable();
    counts
}

/// Whether every value of one column goes with one value of the other.
fn is_one_to_one(table: &CountTable) -> bool {
    let (mut to_b, mut to_a) = (vec![None; table.shape().n_a], vec![None; table.shape().n_b]);
    let mut is_one_to_one = true;
    table.for_each(|cell, _| {
        is_one_to_one &= *to_b[cell.a].get_or_insert(cell.b) == cell.b;
        is_one_to_one &= *to_a[cell.b].get_or_insert(cell.a) == cell.a;
    });
    is_one_to_one
}

/// Entries of equal keys, where there are two or more; rising within a group.
fn groups(entries: Vec<usize>, key: impl Fn(usize) -> u64) -> Vec<Vec<usize>> {
    let mut keyed: Vec<(u64, usize)> = entries.iter().map(|&entry| (key(entry), entry)).collect();
    keyed.sort_unstable();
    let runs = keyed
        .chunk_by(|x, y| x.0 == y.0)
        .filter(|run| run.len() > 1);
    runs.map(|run| run.iter().map(|&(_, entry)| entry).collect())
        .collect()
}

/// A hash of the first rows, with codes numbered as they come.
fn fingerprint(column: CountColumn<'_>, n_rows: usize) -> u64 {
    fn hash<C: Code>(cells: &[C], n_values: usize) -> u64 {
        const NEW: u32 = u32::MAX;
        let mut number = vec![NEW; n_values];
        let mut n_seen = 0;
        let mut hash = 0u64;
        for cell in cells {
            let seen = number.get_mut(cell.index()).map_or(NEW, |number| {
                if *number == NEW {
                    *number = n_seen;
                    n_seen += 1;
                }
                *number
            });
            // A multiply and a rotation: every cell reaches every later bit.
            hash = (hash.rotate_left(5) ^ u64::from(seen)).wrapping_mul(0x517C_C1B7_2722_0A95);
        }
        hash
    }
    let n_rows = n_rows.min(column.codes.len());
    with_codes!(column.codes, cells => hash(&cells[..n_rows], column.n_values))
}

/// Whether two columns tell the same rows apart.
fn are_duplicates(a: CountColumn<'_>, b: CountColumn<'_>) -> bool {
    let place = |code: Option<u32>, n: usize| code.map_or(n, |code| code as usize);
    let (mut to_b, mut to_a) = (vec![None; a.n_values + 1], vec![None; b.n_values + 1]);
    a.codes.iter().zip(b.codes.iter()).all(|(x, y)| {
        let (x, y) = (place(x, a.n_values), place(y, b.n_values));
        *to_b[x].get_or_insert(y) == y && *to_a[y].get_or_insert(x) == x
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::Codes;

    #[test]
    fn duplicates_are_found_under_any_codes() {
        let columns = [
            vec![0, 1, 1, 2],
            vec![0, 1, 1, 1],
            vec![2, 0, 0, 1], // the first one, under other codes
            vec![1, 0, 0, 0], // the second one
            vec![0, 1, 1, 2], // the class: the first one, but nobody's duplicate
            vec![0, 1, 1, 2],
            vec![0, 1, 2, 2],
        ];
        let codes = columns.map(Codes::U8);
        let columns = codes
            .each_ref()
            .map(|codes| CountColumn { codes, n_values: 3 });
        let expected = [None, None, Some(0), Some(1), None, Some(0), None];
        assert_eq!(duplicate_columns(&columns, 4), expected);
    }

    #[test]
    fn columns_that_differ_late_are_no_duplicates() {
        let long = |last: u8| {
            let mut cells = vec![0; 1000];
            cells[0] = 1;
            cells[999] = last;
            Codes::U8(cells)
        };
        let codes = [long(0), long(1), long(0)];
        let columns = codes
            .each_ref()
            .map(|codes| CountColumn { codes, n_values: 2 });
        assert_eq!(
            duplicate_columns(&columns, usize::MAX),
            [None, None, Some(0)]
        );
    }
}
