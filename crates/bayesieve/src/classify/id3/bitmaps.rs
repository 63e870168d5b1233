//! Counts of nodes with many rows from bitmaps: one bit per row for every value and class.
//!
//! A table costs one AND and popcount over all rows per value and class, 64 rows and more at
//! a time; below some number of rows in the node, going through these is cheaper.

use super::tally::Cell;
use crate::counts::InstructionSet;
use crate::counts::MapRun;
use crate::data::Codes;

/// Fewer rows are not worth any bitmap.
const MIN_ROWS: usize = 64;

/// The bitmaps of a column's values, one behind the other.
#[derive(Debug, Default)]
pub(super) struct Bitmaps {
    words: Vec<u64>,
    n_values: usize,
}

/// The rows of a node by class.
#[derive(Debug)]
pub(super) struct NodeMaps {
    words: Vec<u64>,
    n_words: usize,
    n_classes: usize,
    /// Rows of the node.
    n_here: usize,
    set: InstructionSet,
}

/// Whether bitmaps of `n_maps` pairs of a value and a class are cheaper than so many rows.
fn are_cheaper(n_maps: usize, n_words: usize, n_here: usize, set: InstructionSet) -> bool {
    let cost = n_maps.saturating_mul(64 * n_words);
    n_here >= MIN_ROWS && cost <= set.passes_per_histogram().saturating_mul(n_here)
}

impl Bitmaps {
    /// None at all where even a node of all rows would not use them.
    pub(super) fn new(codes: &Codes, n_values: usize, n_classes: usize) -> Self {
        let set = InstructionSet::detect();
        let (n_rows, n_words) = (codes.len(), codes.len().div_ceil(64));
        let Codes::U8(cells) = codes else {
            return Bitmaps::default();
        };
        if !are_cheaper(n_values.saturating_mul(n_classes), n_words, n_rows, set) {
            return Bitmaps::default();
        }
        let mut words = vec![0; n_values * n_words];
        for (value, map) in (0..).zip(words.chunks_exact_mut(n_words)) {
            set.equal_masks(cells, value, map);
        }
        Bitmaps { words, n_values }
    }

    /// Rows by value and class, where this is the cheaper way.
    pub(super) fn count(&self, node: &NodeMaps, cells: &mut Vec<Cell>) -> bool {
        let n_maps = self.n_values * node.n_classes;
        if self.words.is_empty() || !are_cheaper(n_maps, node.n_words, node.n_here, node.set) {
            return false;
        }
        let run = |words, n_maps| MapRun {
            words,
            stride: node.n_words,
            n_maps,
            start: 0,
            end: node.n_words,
        };
        let mut counts = vec![0; n_maps];
        node.set.count_pair(
            run(&self.words, self.n_values),
            run(&node.words, node.n_classes),
            &mut counts,
            node.n_classes,
        );
        cells.clear();
        let occurring = counts.iter().enumerate().filter(|(_, n)| **n > 0);
        cells.extend(occurring.map(|(place, &n)| Cell {
            value: (place / node.n_classes) as u32,
            class: (place % node.n_classes) as u32,
            n: n as u32,
        }));
        true
    }
}

impl NodeMaps {
    /// The rows of a node with their classes, each by row; `None` where no feature would use
    /// them.
    pub(super) fn new(rows: &[u32], classes: &[u32], n_classes: usize) -> Option<Self> {
        let set = InstructionSet::detect();
        let n_words = classes.len().div_ceil(64);
        if !are_cheaper(2 * n_classes, n_words, rows.len(), set) {
            return None;
        }
        let mut words = vec![0; n_classes * n_words];
        for &row in rows {
            let class = classes[row as usize] as usize;
            words[class * n_words + row as usize / 64] |= 1 << (row % 64);
        }
        Some(NodeMaps {
            words,
            n_words,
            n_classes,
            n_here: rows.len(),
            set,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tally::{Size, Tally};
    use super::*;
    use crate::random::{Purpose, below, stream};

    #[test]
    fn bitmaps_count_as_rows_do() {
        let mut rng = stream(1, Purpose::Generate, 0);
        for n_rows in [64, 100, 1_000, 5_000] {
            let mut draw = |n: u64| below(&mut rng, n) as u32;
            let codes = (0..n_rows).map(|_| Some(draw(4)).filter(|&value| value < 3));
            let codes = Codes::new(3, codes.collect::<Vec<_>>());
            let classes: Vec<u32> = (0..n_rows).map(|_| draw(2)).collect();
            // Two of three rows are in the node.
            let rows: Vec<u32> = (0..n_rows as u32).filter(|row| row % 3 > 0).collect();
            let Some(node) = NodeMaps::new(&rows, &classes, 2) else {
                assert!(n_rows == 64, "{n_rows} rows");
                continue;
            };
            let mut cells = Vec::new();
            assert!(Bitmaps::new(&codes, 3, 2).count(&node, &mut cells));
            let pairs = rows.iter().filter_map(|&row| {
                let value = codes.get(row as usize)?;
                Some((value, classes[row as usize]))
            });
            let size = Size {
                n_values: 3,
                n_classes: 2,
                n_rows: rows.len(),
            };
            assert_eq!(cells, Tally::default().count(pairs, size));
        }
    }
}
