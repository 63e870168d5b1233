//! Counts by key: all of them, or those that are not zero.

use std::borrow::Cow;

/// The counts of a table's cells by their index.
#[derive(Debug, Clone)]
pub(crate) enum CellCounts {
    /// Every cell.
    Dense(Vec<u64>),
    /// The cells that are not zero with their indices, rising.
    Sparse(Vec<(u64, u64)>),
}

impl CellCounts {
    /// From the indices of all rows' cells, in any order.
    pub(crate) fn of_keys(mut keys: Vec<u64>) -> Self {
        keys.sort_unstable();
        let runs = keys.chunk_by(|a, b| a == b);
        CellCounts::Sparse(runs.map(|run| (run[0], run.len() as u64)).collect())
    }

    /// From cells in any order; equal ones are added up, empty ones left out.
    pub(crate) fn of_cells(mut cells: Vec<(u64, u64)>) -> Self {
        cells.sort_unstable();
        cells.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 += next.1;
            }
            is_same
        });
        cells.retain(|&(_, n)| n > 0);
        CellCounts::Sparse(cells)
    }

    /// The cells that are not zero with their indices, rising.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let (dense, sparse): (&[u64], &[(u64, u64)]) = match self {
            CellCounts::Dense(cells) => (cells, &[]),
            CellCounts::Sparse(cells) => (&[], cells),
        };
        let dense = (0..).zip(dense.iter().copied()).filter(|&(_, n)| n > 0);
        dense.chain(sparse.iter().copied())
    }

    /// All cells, of which there are so many.
    pub(crate) fn dense(&self, n_cells: usize) -> Cow<'_, [u64]> {
        match self {
            CellCounts::Dense(cells) => Cow::Borrowed(cells),
            CellCounts::Sparse(cells) => {
                let mut dense = vec![0; n_cells];
                cells.iter().for_each(|&(at, n)| dense[at as usize] = n);
                Cow::Owned(dense)
            }
        }
    }

    /// Number of rows counted.
    pub(crate) fn n_rows(&self) -> u64 {
        match self {
            CellCounts::Dense(cells) => cells.iter().sum(),
            CellCounts::Sparse(cells) => cells.iter().map(|&(_, n)| n).sum(),
        }
    }

    /// Memory in units of eight bytes.
    pub(crate) fn weight(&self) -> usize {
        match self {
            CellCounts::Dense(cells) => cells.len(),
            CellCounts::Sparse(cells) => 2 * cells.len(),
        }
    }

    /// Adds the cells of a table of the same size.
    pub(crate) fn add(&mut self, other: &CellCounts) {
        match (self, other) {
            (CellCounts::Dense(mine), CellCounts::Dense(other)) => {
                mine.iter_mut().zip(other).for_each(|(n, more)| *n += more);
            }
            (CellCounts::Dense(mine), other) => {
                other.iter().for_each(|(at, n)| mine[at as usize] += n);
            }
            (CellCounts::Sparse(mine), other) => *mine = merged(std::mem::take(mine), other),
        }
    }
}

/// Two lists by rising index as one.
fn merged(mine: Vec<(u64, u64)>, other: &CellCounts) -> Vec<(u64, u64)> {
    let mut sum = Vec::new();
    let mut other = other.iter().peekable();
    for (key, n) in mine {
        while let Some(before) = other.next_if(|&(other, _)| other < key) {
            sum.push(before);
        }
        let more = other.next_if(|&(other, _)| other == key);
        sum.push((key, n + more.map_or(0, |(_, n)| n)));
    }
    sum.extend(other);
    sum.shrink_to_fit();
    sum
}
