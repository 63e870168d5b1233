//! The cut of a numeric feature with the largest gain ratio.

use super::split::{Worth, rounded};
use crate::data::discretize::between;
use crate::math::NLogN;

/// The best cut of a feature at a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cut {
    /// The largest number that goes below.
    pub(super) at: f64,
    pub(super) worth: Worth,
}

/// Numbers present at a node, rising, each with its class.
pub(super) struct Sorted<'a> {
    pub(super) values: &'a [f64],
    /// Classes by row.
    pub(super) classes: &'a [u32],
    /// Rows in order of their numbers.
    pub(super) rows: &'a [u32],
}

impl Sorted<'_> {
    fn value(&self, place: usize) -> f64 {
        self.values[self.rows[place] as usize]
    }

    /// The cut of largest gain ratio, of equals the lowest; `None` where all numbers are
    /// equal.
    pub(super) fn best_cut(&self, n_classes: usize, table: &NLogN) -> Option<Cut> {
        let n_inner = self.rows.len().checked_sub(1)?;
        if self.value(0) == self.value(n_inner) {
            return None;
        }
        let mut sides = Sides::new(self, n_classes, table);
        let mut best: Option<Cut> = None;
        let mut best_ratio = f64::NEG_INFINITY;
        for place in 0..n_inner {
            sides.move_below(self.classes[self.rows[place] as usize]);
            let (left, right) = (self.value(place), self.value(place + 1));
            if left == right {
                continue;
            }
            let worth = sides.worth();
            let ratio = worth.ratio();
            // The first test is implied by the second and far cheaper.
            if ratio > best_ratio && rounded(ratio) > rounded(best_ratio) {
                best_ratio = ratio;
                best = Some(Cut {
                    at: between(left, right),
                    worth,
                });
            }
        }
        best
    }
}

/// The rows of a node below and above a cut that moves up.
struct Sides<'a> {
    table: &'a NLogN,
    n_rows: u32,
    n_below: u32,
    /// Rows of every class.
    below: Vec<u32>,
    above: Vec<u32>,
    /// `Σ n log2 n` over classes.
    by_class: f64,
    /// `Σ n log2 n` over classes and sides, and what rounding took from it. With it the sum
    /// depends on the counts alone, not on the way to them, far beyond the digits compared.
    by_both: f64,
    lost: f64,
}

impl<'a> Sides<'a> {
    /// All rows above.
    fn new(sorted: &Sorted<'_>, n_classes: usize, table: &'a NLogN) -> Self {
        let mut above = vec![0; n_classes];
        for &row in sorted.rows {
            above[sorted.classes[row as usize] as usize] += 1;
        }
        let by_class = above.iter().map(|&n| table.get(n as usize)).sum();
        Sides {
            table,
            n_rows: sorted.rows.len() as u32,
            n_below: 0,
            below: vec![0; n_classes],
            above,
            by_class,
            by_both: by_class,
            lost: 0.0,
        }
    }

    #[inline]
    fn move_below(&mut self, class: u32) {
        let class = class as usize;
        let (below, above) = (self.below[class] as usize, self.above[class] as usize);
        let gained = self.table.get(below + 1) - self.table.get(below);
        let change = gained - (self.table.get(above) - self.table.get(above - 1));
        self.below[class] += 1;
        self.above[class] -= 1;
        self.n_below += 1;
        // Knuth's sum of two numbers, with the error of the rounding.
        let sum = self.by_both + change;
        let added = sum - self.by_both;
        self.lost += (self.by_both - (sum - added)) + (change - added);
        self.by_both = sum;
    }

    #[inline]
    fn worth(&self) -> Worth {
        let n_log_n = |n: u32| self.table.get(n as usize);
        let by_side = n_log_n(self.n_below) + n_log_n(self.n_rows - self.n_below);
        let split = n_log_n(self.n_rows) - by_side;
        Worth::from_sums(self.n_rows, split, self.by_both - self.by_class + self.lost)
    }
}
