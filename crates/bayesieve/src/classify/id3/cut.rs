//! The cut of a numeric feature with the largest gain ratio, or the largest gain.

use super::Id3Cuts;
use super::grow::rows_with_class;
use super::split::{Worth, rounded};
use crate::data::discretize::between;
use crate::data::{Column, Nominal};
use crate::math::NLogN;
use crate::{Error, Result};

/// The best cut of a feature at a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cut {
    /// The largest number that goes below.
    pub(super) at: f64,
    pub(super) worth: Worth,
}

/// A row in order of its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ranked {
    pub(super) row: u32,
    /// Which of the distinct numbers of the column it has; [`Ranked::MISSING`] where none.
    /// It saves the way to the number itself, which lies anywhere in memory.
    pub(super) rank: u32,
}

impl Ranked {
    pub(super) const MISSING: u32 = u32::MAX;

    /// The rows in order of their numbers, those without one last.
    pub(super) fn sort(rows: &[u32], numbers: &[f64]) -> Vec<Self> {
        // + 0.0 makes -0 and 0 one number.
        let number = |row: u32| numbers[row as usize] + 0.0;
        let (mut sorted, missing): (Vec<u32>, Vec<u32>) =
            rows.iter().partition(|&&row| !number(row).is_nan());
        sorted.sort_by(|&a, &b| number(a).total_cmp(&number(b)));
        let groups = sorted.chunk_by(|&a, &b| number(a) == number(b));
        let mut ranked = Vec::with_capacity(rows.len());
        for (rank, group) in (0..).zip(groups) {
            ranked.extend(group.iter().map(|&row| Ranked { row, rank }));
        }
        let rank = Ranked::MISSING;
        ranked.extend(missing.into_iter().map(|row| Ranked { row, rank }));
        ranked
    }
}

/// The rows of a column that have a class, in order of their numbers; none where it has labels.
#[derive(Debug)]
pub(crate) struct Presorted(pub(super) Vec<Ranked>);

impl Presorted {
    /// Sorts a column.
    ///
    /// # Errors
    /// A column of another length than the class.
    pub(crate) fn new(column: &Column, class: &Nominal) -> Result<Self> {
        let Some(numbers) = column.as_numeric() else {
            return Ok(Presorted(Vec::new()));
        };
        let rows = rows_with_class(class)?;
        if numbers.len() != class.codes.len() {
            return Err(Error::internal("a column of another length than the class"));
        }
        Ok(Presorted(Ranked::sort(&rows, numbers)))
    }
}

/// The rows of a node that have a number, in order of it.
pub(super) struct Sorted<'a> {
    pub(super) numbers: &'a [f64],
    /// Classes by row.
    pub(super) classes: &'a [u32],
    pub(super) rows: &'a [Ranked],
}

impl Sorted<'_> {
    /// The cut of largest gain ratio, or gain, of equals the lowest; `None` where all numbers
    /// are equal.
    pub(super) fn best_cut(&self, n_classes: usize, cuts: Id3Cuts, table: &NLogN) -> Option<Cut> {
        if self.rows.first()?.rank == self.rows.last()?.rank {
            return None;
        }
        let mut sides = Sides::new(self, n_classes, table);
        let mut best = None;
        let mut best_value = f64::NEG_INFINITY;
        let value = |worth: Worth| match cuts {
            Id3Cuts::Ratio => worth.ratio(),
            Id3Cuts::Gain => worth.gain,
        };
        let n_rows = f64::from(sides.n_rows);
        for (place, pair) in self.rows.windows(2).enumerate() {
            sides.move_below(self.classes[pair[0].row as usize]);
            if pair[0].rank == pair[1].rank {
                continue;
            }
            let (split, joint) = sides.sums();
            // Implied by the test below and far cheaper.
            let scale = match cuts {
                Id3Cuts::Ratio => split,
                Id3Cuts::Gain => n_rows,
            };
            if split + joint > best_value * scale {
                let worth = Worth::from_sums(sides.n_rows, split, joint);
                if rounded(value(worth)) > rounded(best_value) {
                    best_value = value(worth);
                    best = Some((place, worth));
                }
            }
        }
        best.map(|(place, worth)| {
            let number = |place: usize| self.numbers[self.rows[place].row as usize];
            Cut {
                at: between(number(place), number(place + 1)),
                worth,
            }
        })
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
        for ranked in sorted.rows {
            above[sorted.classes[ranked.row as usize] as usize] += 1;
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

    /// What [`Worth::from_sums`] needs.
    #[inline]
    fn sums(&self) -> (f64, f64) {
        let n_log_n = |n: u32| self.table.get(n as usize);
        let by_side = n_log_n(self.n_below) + n_log_n(self.n_rows - self.n_below);
        let joint = self.by_both - self.by_class + self.lost;
        (n_log_n(self.n_rows) - by_side, joint)
    }
}
