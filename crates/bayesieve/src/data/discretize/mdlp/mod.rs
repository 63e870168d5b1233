//! Cuts that pay for themselves in bits about the class.
//!
//! Paper: Fayyad and Irani, 1993, sections 3 and 4.
//! A part of n rows is cut where the two sides tell most about the class, if the gain is above
//! `(log2(n - 1) + Delta)/n`, the price of describing the cut; then each side is cut again.
//! Cost: one sort, then one pass over a part for every cut that is tried in it; a step of the
//! pass takes O(log of the number of classes).
//! Where the paper is silent: the smallest of equally good cuts wins; numbers are compared
//! after rounding to 1e-10, so that the last digit of a logarithm decides nothing.

use super::sorted::Observation;
use super::{Discretizer, DiscretizerDescription, ROWS_PER_LOOK};
use crate::math::NLogN;
use crate::{Observer, Result, check};

pub(super) static DESCRIPTION: DiscretizerDescription = DiscretizerDescription {
    name: "mdlp",
    summary: "cuts numbers where the cut tells more about the class than it costs to describe",
    formula: "gain > (log2(n - 1) + log2(3^k - 2) - k H + k1 H1 + k2 H2) / n",
    source: "Fayyad and Irani, 1993",
    settings: &[],
    with_bins: |_| Discretizer::Mdlp,
};

/// The accepted cuts of rows that are sorted by number: how many rows are left of each, in
/// rising order.
///
/// `runs` are those of [`find_runs`] or [`find_runs_of_counts`].
///
/// # Errors
/// The observer cancelled.
pub(super) fn cut_rows(
    runs: &[Run],
    n_classes: usize,
    table: &NLogN,
    observer: &dyn Observer,
) -> Result<Vec<u64>> {
    let mut cuts = Vec::new();
    // A stack and not recursion: parts can nest as deep as there are runs.
    let mut open = vec![Part {
        runs,
        first_row: 0,
        counts: class_counts(runs, n_classes),
    }];
    while let Some(part) = open.pop() {
        let Some(cut) = best_cut(part.runs, &part.counts, table, observer)? else {
            continue;
        };
        let (left, right) = part.divide(&cut);
        if Worth::of(&part.counts, &left.counts, &right.counts, table).is_accepted() {
            cuts.push(right.first_row);
            open.extend([left, right]);
        }
    }
    cuts.sort_unstable();
    Ok(cuts)
}

/// Rows of one class that no candidate cut separates.
///
/// A block is what lies between two neighboring boundary points: one number's rows, or
/// several numbers' rows of one class. It is one run for each class that it holds.
#[derive(Debug)]
pub(super) struct Run {
    count: u64,
    class: u32,
    ends_block: bool,
}

/// Sorted rows as runs. Candidate cuts are at the ends of blocks, and nowhere else.
pub(super) fn find_runs(observations: &[Observation], n_classes: usize, runs: &mut Vec<Run>) {
    runs.clear();
    let mut pure_before = None;
    let mut counts = vec![0_u64; n_classes];
    for group in observations.chunk_by(|a, b| a.is_equal(*b)) {
        let class = group[0].class;
        if !group.iter().all(|one| one.class == class) {
            push_mixed(group, &mut counts, runs);
            pure_before = None;
            continue;
        }
        push_pure(class, group.len() as u64, pure_before, runs);
        pure_before = Some(class);
    }
}

/// As [`find_runs`] for rows that are counted: the rows of every class with the first number,
/// then with the second, and so on.
pub(super) fn find_runs_of_counts(counts: &[u64], n_classes: usize, runs: &mut Vec<Run>) {
    runs.clear();
    let mut pure_before = None;
    for group in counts.chunks(n_classes.max(1)) {
        let mut present = (0..).zip(group).filter(|(_, count)| **count > 0);
        let Some((class, &count)) = present.next() else {
            continue;
        };
        if present.next().is_none() {
            push_pure(class, count, pure_before, runs);
            pure_before = Some(class);
            continue;
        }
        let present = (0..).zip(group).filter(|(_, count)| **count > 0);
        runs.extend(present.map(|(class, &count)| Run {
            class,
            count,
            ends_block: false,
        }));
        if let Some(last) = runs.last_mut() {
            last.ends_block = true;
        }
        pure_before = None;
    }
}

/// Rows of one number and one class, which are one run with those before of the same class.
fn push_pure(class: u32, count: u64, pure_before: Option<u32>, runs: &mut Vec<Run>) {
    match runs.last_mut() {
        Some(last) if pure_before == Some(class) => last.count += count,
        _ => runs.push(Run {
            class,
            count,
            ends_block: true,
        }),
    }
}

/// Rows of one number and several classes. `counts` are zeros, before and after.
fn push_mixed(group: &[Observation], counts: &mut [u64], runs: &mut Vec<Run>) {
    for one in group {
        counts[one.class as usize] += 1;
    }
    for one in group {
        let count = std::mem::take(&mut counts[one.class as usize]);
        if count > 0 {
            runs.push(Run {
                class: one.class,
                count,
                ends_block: false,
            });
        }
    }
    if let Some(last) = runs.last_mut() {
        last.ends_block = true;
    }
}

/// A stretch of the sorted rows that is still to be cut, and its rows of every class.
struct Part<'a> {
    runs: &'a [Run],
    first_row: u64,
    counts: Vec<u64>,
}

impl<'a> Part<'a> {
    fn divide(&self, cut: &Cut) -> (Part<'a>, Part<'a>) {
        let (left, right) = self.runs.split_at(cut.runs_left);
        let left_counts = class_counts(left, self.counts.len());
        let pairs = self.counts.iter().zip(&left_counts);
        let right_counts = pairs.map(|(all, left)| all - left).collect();
        let left = Part {
            runs: left,
            first_row: self.first_row,
            counts: left_counts,
        };
        let right = Part {
            runs: right,
            first_row: self.first_row + cut.rows_left,
            counts: right_counts,
        };
        (left, right)
    }
}

/// Rows of every class.
fn class_counts(runs: &[Run], n_classes: usize) -> Vec<u64> {
    let mut counts = vec![0; n_classes];
    for run in runs {
        counts[run.class as usize] += run.count;
    }
    counts
}

/// A candidate cut of a part.
#[derive(Debug, PartialEq)]
struct Cut {
    runs_left: usize,
    rows_left: u64,
}

/// The cut that leaves fewest bits about the class, `None` where no cut is possible.
fn best_cut(
    runs: &[Run],
    total: &[u64],
    table: &NLogN,
    observer: &dyn Observer,
) -> Result<Option<Cut>> {
    let mut sides = Sides::new(total, table);
    let n = sides.n_rows as f64;
    let mut best = None;
    let mut least_bits = f64::INFINITY;
    // Past the last run there is nothing left to cut off.
    let inner = runs.split_last().map_or(runs, |(_, inner)| inner);
    for (i, run) in inner.iter().enumerate() {
        if i.is_multiple_of(ROWS_PER_LOOK) {
            check(observer)?;
        }
        sides.move_left(run);
        if !run.ends_block {
            continue;
        }
        let bits = sides.bits();
        // The first test is implied by the second and far cheaper.
        if bits < least_bits && rounded(bits / n) < rounded(least_bits / n) {
            least_bits = bits;
            best = Some(Cut {
                runs_left: i + 1,
                rows_left: sides.rows_left,
            });
        }
    }
    Ok(best)
}

/// A part in two sides, and the bits that its classes need when the side is known.
struct Sides<'a> {
    table: &'a NLogN,
    total: &'a [u64],
    n_rows: u64,
    left: Vec<u64>,
    rows_left: u64,
    /// For every class, `l log2 l + r log2 r` of its rows left and right: the second half
    /// of a heap whose nodes hold the sums of their children, so `sums[1]` is the sum of
    /// all. It depends on the counts alone, not on the way to them: nothing drifts.
    sums: Vec<f64>,
}

impl<'a> Sides<'a> {
    /// All rows on the right.
    fn new(total: &'a [u64], table: &'a NLogN) -> Self {
        let width = total.len().next_power_of_two();
        let mut sums = vec![0.0; 2 * width];
        for (leaf, &count) in sums[width..].iter_mut().zip(total) {
            *leaf = table.get(count as usize);
        }
        for node in (1..width).rev() {
            sums[node] = sums[2 * node] + sums[2 * node + 1];
        }
        Sides {
            table,
            total,
            n_rows: total.iter().sum(),
            left: vec![0; total.len()],
            rows_left: 0,
            sums,
        }
    }

    #[inline]
    fn move_left(&mut self, run: &Run) {
        let class = run.class as usize;
        let left = self.left[class] + run.count;
        let right = self.total[class] - left;
        self.left[class] = left;
        self.rows_left += run.count;
        let mut node = self.sums.len() / 2 + class;
        self.sums[node] = self.table.get(left as usize) + self.table.get(right as usize);
        while node > 1 {
            node /= 2;
            self.sums[node] = self.sums[2 * node] + self.sums[2 * node + 1];
        }
    }

    /// `n E(T) = n1 H(S1) + n2 H(S2)`.
    #[inline]
    fn bits(&self) -> f64 {
        let rows_right = self.n_rows - self.rows_left;
        self.table.get(self.rows_left as usize) + self.table.get(rows_right as usize) - self.sums[1]
    }
}

/// What a cut gains and what it must gain, in bits a row.
#[derive(Debug)]
struct Worth {
    gain: f64,
    threshold: f64,
}

impl Worth {
    /// Of a cut between `left` and `right`, given as rows of every class.
    fn of(whole: &[u64], left: &[u64], right: &[u64], table: &NLogN) -> Self {
        let [whole, left, right] = [whole, left, right].map(|counts| Side::of(counts, table));
        let gain = whole.entropy - (left.bits() + right.bits()) / whole.n_rows;
        let spread = whole.class_bits() - left.class_bits() - right.class_bits();
        let delta = log2_of_power_of_three_less_two(whole.n_classes) - spread;
        Worth {
            gain,
            threshold: ((whole.n_rows - 1.0).log2() + delta) / whole.n_rows,
        }
    }

    fn is_accepted(&self) -> bool {
        rounded(self.gain) > rounded(self.threshold)
    }
}

/// One side of a cut, or the whole: n, k and H.
struct Side {
    n_rows: f64,
    n_classes: u32,
    entropy: f64,
}

impl Side {
    fn of(counts: &[u64], table: &NLogN) -> Self {
        let n_rows: u64 = counts.iter().sum();
        let terms: f64 = counts.iter().map(|&c| table.get(c as usize)).sum();
        Side {
            n_rows: n_rows as f64,
            n_classes: counts.iter().map(|&c| u32::from(c > 0)).sum(),
            entropy: (table.get(n_rows as usize) - terms) / n_rows as f64,
        }
    }

    fn bits(&self) -> f64 {
        self.n_rows * self.entropy
    }

    fn class_bits(&self) -> f64 {
        f64::from(self.n_classes) * self.entropy
    }
}

/// `log2(3^k - 2)` for k of at least 1.
fn log2_of_power_of_three_less_two(k: u32) -> f64 {
    // 3^33 is the last power that a float holds exactly; above it, the 2 is lost in rounding.
    if k <= 33 {
        (3.0_f64.powi(k as i32) - 2.0).log2()
    } else {
        f64::from(k) * 3.0_f64.log2()
    }
}

/// In steps of 1e-10, for comparisons.
fn rounded(bits: f64) -> f64 {
    (bits * 1e10).round()
}

#[cfg(test)]
mod tests;
