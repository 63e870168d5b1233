//! What a split is worth: gain, gain ratio, and whether it may be chance.

use super::tally::Cell;
use crate::Result;
use crate::math::NLogN;
use crate::stats::chi_square_tail;

/// Up to so many classes are counted without a list of their own.
const FEW_CLASSES: usize = 32;

/// What a feature tells about the class at a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Worth {
    /// Bits about the class.
    pub(super) gain: f64,
    /// Bits of the branches themselves; the ratio is by these.
    pub(super) split_information: f64,
}

impl Worth {
    /// Of counts by value, then by class.
    pub(super) fn of(cells: &[Cell], n_classes: usize, table: &NLogN) -> Self {
        let n_log_n = |n: u32| table.get(n as usize);
        // Nodes are many and small: a list on the heap would cost more than the sums.
        let mut few = [0; FEW_CLASSES];
        let mut many = Vec::new();
        let classes = match few.get_mut(..n_classes) {
            Some(classes) => classes,
            None => {
                many.resize(n_classes, 0);
                &mut many[..]
            }
        };
        let (mut n_rows, mut by_value, mut by_both) = (0, 0.0, 0.0);
        for value in cells.chunk_by(|a, b| a.value == b.value) {
            let mut n_of_value = 0;
            for cell in value {
                classes[cell.class as usize] += cell.n;
                n_of_value += cell.n;
                by_both += n_log_n(cell.n);
            }
            n_rows += n_of_value;
            by_value += n_log_n(n_of_value);
        }
        let by_class: f64 = classes.iter().map(|&n| n_log_n(n)).sum();
        Worth::from_sums(n_rows, n_log_n(n_rows) - by_value, by_both - by_class)
    }

    /// From `n` times the split information, and from `Σ n log n` over values and classes
    /// less that over classes.
    #[inline]
    pub(super) fn from_sums(n_rows: u32, split: f64, joint: f64) -> Self {
        let n = f64::from(n_rows.max(1));
        Worth {
            gain: (joint + split) / n,
            split_information: split / n,
        }
    }

    #[inline]
    pub(super) fn ratio(self) -> f64 {
        self.gain / self.split_information
    }
}

/// In steps of 1e-10, for comparisons.
#[inline]
pub(super) fn rounded(bits: f64) -> f64 {
    (bits * 1e10).round()
}

/// Sums over one side of a table of counts.
pub(super) struct Margins {
    pub(super) n_rows: u32,
    /// Values that occur, rising, each with its rows.
    pub(super) values: Vec<(u32, u32)>,
    /// Rows of every class.
    pub(super) classes: Vec<u32>,
}

impl Margins {
    /// Of counts by value, then by class.
    pub(super) fn of(cells: &[Cell], n_classes: usize) -> Self {
        let mut classes = vec![0; n_classes];
        for cell in cells {
            classes[cell.class as usize] += cell.n;
        }
        let groups = cells.chunk_by(|a, b| a.value == b.value);
        Margins {
            n_rows: classes.iter().sum(),
            values: groups
                .map(|group| (group[0].value, group.iter().map(|cell| cell.n).sum()))
                .collect(),
            classes,
        }
    }

    /// The place of the value with most rows, of equals the first.
    pub(super) fn largest(&self) -> usize {
        let mut largest = 0;
        for (place, (_, n)) in self.values.iter().enumerate() {
            if *n > self.values[largest].1 {
                largest = place;
            }
        }
        largest
    }
}

/// Pearson's test of the branches of a node against the class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ChanceTest {
    pub(super) statistic: f64,
    /// (branches - 1)(classes present - 1).
    pub(super) degrees_of_freedom: f64,
    pub(super) ln_p: f64,
}

impl ChanceTest {
    /// Of counts and their sums.
    pub(super) fn of(cells: &[Cell], margins: &Margins) -> Result<Self> {
        let n = f64::from(margins.n_rows);
        let groups = cells.chunk_by(|a, b| a.value == b.value);
        // An empty cell adds its expected count, and all expected counts sum to n.
        let mut statistic = 0.0;
        let mut expected_in_empty = n;
        for (group, &(_, in_branch)) in groups.zip(&margins.values) {
            for cell in group {
                let in_class = f64::from(margins.classes[cell.class as usize]);
                let expected = f64::from(in_branch) * in_class / n;
                let excess = f64::from(cell.n) - expected;
                statistic += excess * excess / expected;
                expected_in_empty -= expected;
            }
        }
        statistic += expected_in_empty.max(0.0);
        let n_classes = margins.classes.iter().filter(|&&n| n > 0).count();
        let beyond_first = |n: usize| n.saturating_sub(1) as f64;
        let degrees_of_freedom = beyond_first(margins.values.len()) * beyond_first(n_classes);
        Ok(ChanceTest {
            statistic,
            degrees_of_freedom,
            ln_p: chi_square_tail(statistic, degrees_of_freedom)?.ln_p,
        })
    }
}
