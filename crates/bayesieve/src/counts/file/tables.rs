//! A count file as the answer to what methods ask about the rows.

use super::CountFile;
use crate::counts::table::{Cell, CountTable};
use crate::counts::tables::{JointTable, Tables};
use crate::error::{Error, Result};
use crate::observer::Observer;

/// Joint tables up to this many cells are held whole.
const DENSE_CELLS: u64 = 1 << 20;

impl Tables for CountFile {
    fn n_rows(&self) -> u64 {
        self.counts.n_rows
    }

    fn class_counts(&self) -> &[u64] {
        &self.counts.class_counts
    }

    fn n_values(&self) -> &[usize] {
        &self.n_values
    }

    fn singles(&self) -> &[CountTable] {
        &self.counts.singles
    }

    fn pairs(&self, pairs: &[(usize, usize)], _: &dyn Observer) -> Result<Vec<CountTable>> {
        let pair = |&(a, b): &(usize, usize)| self.pair(a, b).cloned();
        pairs.iter().map(pair).collect()
    }

    fn joint(&self, sets: &[Vec<usize>], _: &dyn Observer) -> Result<Vec<JointTable>> {
        sets.iter().map(|set| self.joint_of(set)).collect()
    }

    fn most_features(&self) -> Option<usize> {
        Some(2)
    }
}

impl CountFile {
    fn pair(&self, a: usize, b: usize) -> Result<&CountTable> {
        let n = self.n_values.len();
        if a >= b || b >= n {
            return Err(Error::internal(format!(
                "the pair ({a}, {b}) of {n} features"
            )));
        }
        Ok(&self.counts.pairs[a * n - a * (a + 1) / 2 + (b - a - 1)])
    }

    /// The table of some nodes, by adding up cells of the smallest table that has them all.
    fn joint_of(&self, set: &[usize]) -> Result<JointTable> {
        let class = self.n_values.len();
        let mut features: Vec<usize> = set.iter().copied().filter(|&node| node < class).collect();
        features.sort_unstable();
        let is_twice = features.windows(2).any(|pair| pair[0] == pair[1]);
        let n_class = set.iter().filter(|&&node| node == class).count();
        if is_twice || n_class > 1 || features.len() + n_class != set.len() || set.is_empty() {
            return Err(Error::internal(format!(
                "a table of the nodes {set:?} of {}",
                class + 1
            )));
        }
        let mut joint = JointCells::new(set, |node| match self.n_values.get(node) {
            Some(&n_values) => n_values,
            None => self.counts.class_counts.len(),
        });
        match features[..] {
            [] => {
                let classes = self.counts.class_counts.iter().enumerate();
                classes.for_each(|(code, &n)| joint.add(|_| code, n));
            }
            [a] => self.counts.singles[a].for_each(|cell, n| {
                let Cell { class: code, a, .. } = cell;
                joint.add(|node| if node == class { code } else { a }, n);
            }),
            [first, second] => self.pair(first, second)?.for_each(|cell, n| {
                let value = |node| match node {
                    _ if node == class => cell.class,
                    _ if node == first => cell.a,
                    _ => cell.b,
                };
                joint.add(value, n);
            }),
            _ => return Err(too_large()),
        }
        joint.finish()
    }
}

/// More than a count file can tell. Whoever asks knows what does with less, and says so.
fn too_large() -> Error {
    Error::usage("tables of three or more features are needed, and count files hold pairs only")
}

/// Cells of a joint table as they come.
struct JointCells<'a> {
    set: &'a [usize],
    n_values: Vec<usize>,
    cells: Vec<(u64, u64)>,
    dense: Option<Vec<u64>>,
}

impl<'a> JointCells<'a> {
    fn new(set: &'a [usize], n_values: impl Fn(usize) -> usize) -> Self {
        let n_values: Vec<usize> = set.iter().map(|&node| n_values(node)).collect();
        let mut sizes = n_values.iter();
        let n_cells = sizes.try_fold(1u64, |product, &n| product.checked_mul(n as u64));
        let n_cells = n_cells.filter(|&n_cells| n_cells <= DENSE_CELLS);
        JointCells {
            set,
            n_values,
            cells: Vec::new(),
            dense: n_cells.map(|n_cells| vec![0; n_cells as usize]),
        }
    }

    fn add(&mut self, value: impl Fn(usize) -> usize, n: u64) {
        let digits = self.set.iter().zip(&self.n_values);
        let key = digits.fold(0, |key, (&node, &n_values)| {
            key * n_values as u64 + value(node) as u64
        });
        match &mut self.dense {
            Some(cells) => cells[key as usize] += n,
            None => self.cells.push((key, n)),
        }
    }

    fn finish(self) -> Result<JointTable> {
        match self.dense {
            Some(cells) => JointTable::from_dense(&self.n_values, cells),
            None => JointTable::from_cells(&self.n_values, self.cells),
        }
    }
}
