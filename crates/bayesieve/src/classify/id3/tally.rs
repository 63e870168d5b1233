//! Counts of pairs of a value and a class, without the pairs that do not occur.

/// Tables up to this many cells are always counted in place.
const SMALL_CELLS: u64 = 256;

/// Rows with one value and one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) value: u32,
    pub(super) class: u32,
    pub(super) n: u32,
}

/// The numbers of values, classes and rows that will be counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub(super) n_values: usize,
    pub(super) n_classes: usize,
    pub(super) n_rows: usize,
}

/// Counts one table after the other in the same memory.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// All zeros between two tables.
    table: Vec<u32>,
    keys: Vec<u64>,
    /// What was counted last.
    pub(super) cells: Vec<Cell>,
}

impl Tally {
    /// The pairs that occur, by value, then by class.
    ///
    /// # Cost
    /// O(rows) where the table is not much larger than the rows are many, else a sort: a
    /// node of ten rows must not pay for a feature of a million values.
    pub(super) fn count(&mut self, pairs: impl Iterator<Item = (u32, u32)>, size: Size) -> &[Cell] {
        self.cells.clear();
        let n_classes = size.n_classes as u64;
        let n_keys = size.n_values as u64 * n_classes;
        let keys = pairs.map(|(value, class)| u64::from(value) * n_classes + u64::from(class));
        let cell = |key: u64, n: u32| Cell {
            value: (key / n_classes) as u32,
            class: (key % n_classes) as u32,
            n,
        };
        if n_keys <= SMALL_CELLS.max(4 * size.n_rows as u64) {
            if self.table.len() < n_keys as usize {
                self.table.resize(n_keys as usize, 0);
            }
            let table = &mut self.table[..n_keys as usize];
            keys.for_each(|key| table[key as usize] += 1);
            for (key, n) in table.iter_mut().enumerate().filter(|(_, n)| **n > 0) {
                self.cells.push(cell(key as u64, std::mem::take(n)));
            }
        } else {
            self.keys.clear();
            self.keys.extend(keys);
            self.keys.sort_unstable();
            let runs = self.keys.chunk_by(|a, b| a == b);
            self.cells
                .extend(runs.map(|run| cell(run[0], run.len() as u32)));
        }
        &self.cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_tables_count_alike() {
        let pairs = [(7, 1), (2, 0), (7, 1), (2, 2), (7, 0)];
        let expected = [(2, 0, 1), (2, 2, 1), (7, 0, 1), (7, 1, 2)];
        let expected = expected.map(|(value, class, n)| Cell { value, class, n });
        let mut tally = Tally::default();
        for n_values in [8, 1_000_000, 8, usize::MAX >> 8] {
            let size = Size {
                n_values,
                n_classes: 3,
                n_rows: pairs.len(),
            };
            let cells = tally.count(pairs.into_iter(), size);
            assert_eq!(cells, expected, "{n_values} values");
        }
    }
}
