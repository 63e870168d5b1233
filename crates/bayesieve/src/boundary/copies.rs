//! Columns that say the same as another: tests given one of them cannot see the other.

use std::collections::BTreeMap;

use crate::Silent;
use crate::counts::{CountColumn, CountTable, TableNodes};
use crate::data::Code;
use crate::network::learn::FamilyScorer;
use crate::with_codes;
use crate::{Error, Result};

/// Most columns differ within so many rows.
const FIRST_ROWS: usize = 128;

/// What becomes of columns that say the same as another in every row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CopyRule {
    /// Only the first of them is looked at.
    #[default]
    Drop,
    /// All are looked at.
    Keep,
}

/// For every column the first one that says the same in every row, under whatever codes;
/// `None` where that is the column itself. The class is nobody's copy.
pub(crate) fn copies(columns: &[CountColumn<'_>], class: usize) -> Vec<Option<usize>> {
    let mut copy_of = vec![None; columns.len()];
    let nodes: Vec<usize> = (0..columns.len()).filter(|&node| node != class).collect();
    let begins = |node: &usize| fingerprint(columns[*node], FIRST_ROWS);
    for alike in groups(nodes, begins) {
        // The whole column only where its beginning occurs twice.
        for same in groups(alike, |&node| fingerprint(columns[node], usize::MAX)) {
            let mut first_of_kind: Vec<usize> = Vec::new();
            for node in same {
                // Equal fingerprints only promise equal columns: look.
                let is_same = |&&first: &&usize| are_copies(columns[first], columns[node]);
                match first_of_kind.iter().find(is_same) {
                    Some(&first) => copy_of[node] = Some(first),
                    None => first_of_kind.push(node),
                }
            }
        }
    }
    copy_of
}

/// The same of the nodes of a scorer.
pub(super) fn copies_of(scorer: &FamilyScorer<'_>, class: usize) -> Result<Vec<Option<usize>>> {
    match scorer.tables() {
        Some(nodes) => counted_copies(nodes, class),
        None => Ok(copies(scorer.columns()?, class)),
    }
}

/// The same from tables; no node may have a gap, and the class is the last node.
pub(super) fn counted_copies(nodes: &TableNodes<'_>, class: usize) -> Result<Vec<Option<usize>>> {
    if class != nodes.n_features() {
        return Err(Error::internal("copies beside another class"));
    }
    let mut copy_of = vec![None; class + 1];
    // Copies have the same counts by class, value for value.
    let mut alike: BTreeMap<Vec<Vec<u64>>, Vec<usize>> = BTreeMap::new();
    for feature in 0..class {
        let counts = counts_of_values(nodes.single(feature));
        alike.entry(counts).or_default().push(feature);
    }
    let mut open: Vec<Vec<usize>> = alike.into_values().filter(|g| g.len() > 1).collect();
    // One look at the rows tells whom the first of every group has as copies; the others are
    // groups of their own.
    while !open.is_empty() {
        let with_first = |group: &Vec<usize>| {
            let first = group[0];
            let others = group[1..].iter();
            others.map(|&node| (first, node)).collect::<Vec<_>>()
        };
        let pairs: Vec<(usize, usize)> = open.iter().flat_map(with_first).collect();
        nodes.pairs(&pairs, &Silent, |start, tables| {
            for (&(first, node), table) in pairs[start..].iter().zip(tables) {
                if is_one_to_one(&table) {
                    copy_of[node] = Some(first);
                }
            }
            Ok(())
        })?;
        let rest = open.into_iter().map(|group| {
            let others = group[1..].iter().copied();
            others.filter(|&node| copy_of[node].is_none()).collect()
        });
        open = rest.filter(|group: &Vec<usize>| group.len() > 1).collect();
    }
    Ok(copy_of)
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

/// Nodes of equal keys, where there are two or more; rising within a group.
fn groups(nodes: Vec<usize>, key: impl Fn(&usize) -> u64) -> Vec<Vec<usize>> {
    let mut keyed: Vec<(u64, usize)> = nodes.iter().map(|node| (key(node), *node)).collect();
    keyed.sort_unstable();
    let runs = keyed
        .chunk_by(|x, y| x.0 == y.0)
        .filter(|run| run.len() > 1);
    runs.map(|run| run.iter().map(|&(_, node)| node).collect())
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
fn are_copies(a: CountColumn<'_>, b: CountColumn<'_>) -> bool {
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
    use crate::data::Codes;

    #[test]
    fn copies_are_found_under_any_codes() {
        let columns = [
            vec![0, 1, 1, 2],
            vec![0, 1, 1, 1],
            vec![2, 0, 0, 1], // the first one, under other codes
            vec![1, 0, 0, 0], // the second one
            vec![0, 1, 1, 2], // the class: the first one, but nobody's copy
            vec![0, 1, 1, 2],
            vec![0, 1, 2, 2],
        ];
        let codes = columns.map(Codes::U8);
        let columns = codes
            .each_ref()
            .map(|codes| CountColumn { codes, n_values: 3 });
        let expected = [None, None, Some(0), Some(1), None, Some(0), None];
        assert_eq!(copies(&columns, 4), expected);
    }

    #[test]
    fn columns_that_differ_late_are_no_copies() {
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
        assert_eq!(copies(&columns, usize::MAX), [None, None, Some(0)]);
    }
}
