//! Blocks of nominal features, scored by information. This goes beyond the paper.
//!
//! The score of a block is `G = 2 N I(block; class)` in nats over the rows of two classes: for
//! classes that are near each other it is what `nh J` is for numbers. What a block that tells
//! nothing scores is known exactly: its mean over all ways to deal the classes to the rows. With
//! many rows that is the number of combinations of values, less one; with few it is less, or
//! more. Features join a block where they depend on each other given the class,
//! the strongest first, as long as every cell of the block's table by class can have five rows.
//! Cost: all pair tables given the class, then one joint table per block.

use std::collections::HashMap;
use std::f64::consts::LN_2;

use rayon::prelude::*;

use super::clusters::Clusters;
use super::edges::{Best, EdgeSource, Pass, merge};
use super::fit::least_statistic;
use super::options::SeparationOptions;
use super::score::SampleScore;
use crate::data::{Codes, Nominal};
use crate::info::Informations;
use crate::math::n_log_n;
use crate::{Observer, Result};

/// Rows that a cell of a block's table should have.
const ROWS_A_CELL: usize = 5;

/// No two columns tell more about each other than this, in bits.
const MAX_BITS: f64 = 32.0;

/// Combinations of values up to which joint codes are numbered without looking for those that
/// occur.
const MAX_CELLS: usize = 1 << 16;

/// The least degrees of freedom that the distribution of scores takes.
const MIN_PARAMETERS: f64 = 0.5;

/// Probabilities below this part of the largest are not summed.
const NEGLIGIBLE: f64 = 1e-18;

/// Nominal features and the class.
pub(super) struct Tables<'a> {
    features: Vec<&'a Nominal>,
    class: &'a Nominal,
}

/// How often each combination of a block's values occurs in each class.
pub(super) struct BlockTable {
    /// `[cell][class]`, of cells that occur.
    counts: Vec<Vec<u64>>,
}

impl<'a> Tables<'a> {
    pub(super) fn new(features: Vec<&'a Nominal>, class: &'a Nominal) -> Self {
        Tables { features, class }
    }

    /// Features that depend on each other, in blocks of bounded size.
    pub(super) fn find_blocks(
        &self,
        options: &SeparationOptions,
        max_edges: usize,
        observer: &dyn Observer,
    ) -> Result<Vec<Vec<usize>>> {
        let n_values: Vec<usize> = self.features.iter().map(|f| f.n_values()).collect();
        let n_classes = self.class.counts().iter().filter(|&&n| n > 0).count();
        let n_rows = self.class.codes.len();
        let max_cells = n_rows as f64 / (ROWS_A_CELL * n_classes.max(1)) as f64;
        let mut clusters = Clusters::of_values(&n_values, options.block_size, max_cells);
        let source = Dependences {
            informations: Informations::new(&self.features, self.class)?,
            least: least_statistics(&n_values, n_classes, options.level)?,
            n_values,
        };
        merge(&source, &mut clusters, max_edges, observer)?;
        Ok(clusters.members())
    }

    /// The joint table of a block.
    pub(super) fn table(&self, block: &[usize]) -> BlockTable {
        let mut joint = (
            Codes::new(1, (0..self.class.codes.len()).map(|_| Some(0))),
            1,
        );
        for &feature in block {
            let next = self.features[feature];
            joint = joined(joint, (&next.codes, next.n_values()));
        }
        let (codes, n_cells) = joint;
        let mut counts = vec![vec![0u64; self.class.n_values()]; n_cells];
        for (cell, class) in codes.iter().zip(self.class.codes.iter()) {
            if let (Some(cell), Some(class)) = (cell, class) {
                counts[cell as usize][class as usize] += 1;
            }
        }
        counts.retain(|cell| cell.iter().any(|&n| n > 0));
        BlockTable { counts }
    }
}

/// Two columns as one; combinations that do not occur go where there are too many.
fn joined((a, n_a): (Codes, usize), (b, n_b): (&Codes, usize)) -> (Codes, usize) {
    let n_cells = n_a.saturating_mul(n_b);
    if n_cells <= MAX_CELLS {
        return (Codes::joined((&a, n_a), (b, n_b)), n_cells);
    }
    let both = || a.iter().zip(b.iter()).map(|(a, b)| Some((a?, b?)));
    let mut known: Vec<(u32, u32)> = both().flatten().collect();
    known.par_sort_unstable();
    known.dedup();
    let number = |pair: Option<(u32, u32)>| {
        let place = known.binary_search(&pair?).ok()?;
        Some(place as u32)
    };
    (Codes::new(known.len(), both().map(number)), known.len())
}

impl BlockTable {
    /// `G` over the rows of two classes, and what it is on average where the block tells
    /// nothing.
    pub(super) fn score(&self, [a, b]: [usize; 2]) -> SampleScore {
        let cells = || self.counts.iter().map(|cell| [cell[a], cell[b]]);
        let sums = cells().fold([0, 0], |sums, cell| [sums[0] + cell[0], sums[1] + cell[1]]);
        let dealt = Dealt {
            n_rows: sums[0] + sums[1],
            n_first: sums[0],
        };
        let all = n_log_n(dealt.n_rows) - n_log_n(sums[0]) - n_log_n(sums[1]);
        let mut totals: Vec<u64> = cells().map(|cell| cell[0] + cell[1]).collect();
        let total: f64 = totals.iter().map(|&n| n_log_n(n)).sum();
        let within: f64 = cells()
            .map(|cell| n_log_n(cell[0]) + n_log_n(cell[1]))
            .sum();
        totals.sort_unstable();
        let expected = totals.chunk_by(|n, next| n == next);
        let expected = expected.map(|equal| equal.len() as f64 * dealt.expected(equal[0]));
        let score = |within: f64| 2.0 * LN_2 * (within - total + all);
        SampleScore {
            score: score(within).max(0.0),
            // A chi-square with less has no use.
            parameters: score(expected.sum()).max(MIN_PARAMETERS),
        }
    }
}

/// Rows of two classes that are dealt to cells at random.
struct Dealt {
    n_rows: u64,
    /// Of the first class.
    n_first: u64,
}

impl Dealt {
    /// The mean of `k log2 k + (n - k) log2 (n - k)` for a cell of n rows, of which k, by chance,
    /// are of the first class: a hypergeometric distribution, summed both ways from its mode.
    fn expected(&self, n: u64) -> f64 {
        let (n_rows, n_first) = (self.n_rows as f64, self.n_first as f64);
        let n_second = n_rows - n_first;
        let fewest = n.saturating_sub(self.n_rows - self.n_first);
        let most = n.min(self.n_first);
        let mode = ((n + 1) as f64 * (n_first + 1.0) / (n_rows + 2.0)).floor() as u64;
        let mode = mode.clamp(fewest, most);
        let value = |k: u64| n_log_n(k) + n_log_n(n - k);
        // p(k + 1) / p(k).
        let ratio = |k: u64| {
            let (k, n) = (k as f64, n as f64);
            (n_first - k) * (n - k) / ((k + 1.0) * (n_second - n + k + 1.0))
        };
        let (mut sum, mut mean) = (1.0, value(mode));
        let mut p = 1.0;
        for k in mode..most {
            p *= ratio(k);
            sum += p;
            mean += p * value(k + 1);
            if p < NEGLIGIBLE {
                break;
            }
        }
        p = 1.0;
        for k in (fewest..mode).rev() {
            p /= ratio(k);
            sum += p;
            mean += p * value(k);
            if p < NEGLIGIBLE {
                break;
            }
        }
        mean / sum
    }
}

/// Pairs of features by what they tell about each other given the class.
struct Dependences<'a> {
    informations: Informations<'a>,
    n_values: Vec<usize>,
    /// What `G` must exceed, by the degrees of freedom in one class.
    least: HashMap<usize, f64>,
}

impl EdgeSource for Dependences<'_> {
    fn offer(&self, _: &[usize], clusters: &Clusters, best: &Best, pass: &Pass<'_>) -> Result<()> {
        let mut found = Vec::new();
        self.informations.for_each_pair(
            &self.informations.features(),
            pass.observer,
            |pair| (pair.given_class, pair.n_rows),
            |a, b, (bits, n_rows)| {
                let edge = best.edge(bits / MAX_BITS, a, b);
                let edge = edge.filter(|_| clusters.can_join(a, b));
                found.extend(edge.filter(|_| self.is_dependent((a, b), bits, n_rows)));
                if found.len() >= 1 << 14 {
                    best.take(&mut found);
                }
            },
        )?;
        best.take(&mut found);
        Ok(())
    }
}

impl Dependences<'_> {
    fn is_dependent(&self, (a, b): (usize, usize), bits: f64, n_rows: u64) -> bool {
        let statistic = 2.0 * LN_2 * n_rows as f64 * bits;
        let least = self.least.get(&freedom(self.n_values[a], self.n_values[b]));
        least.is_some_and(|&least| statistic > least)
    }
}

/// Degrees of freedom of two columns in one class.
fn freedom(n_a: usize, n_b: usize) -> usize {
    n_a.saturating_sub(1) * n_b.saturating_sub(1)
}

/// The statistics that the test asks for, for all pairs of numbers of values.
fn least_statistics(
    n_values: &[usize],
    n_classes: usize,
    level: f64,
) -> Result<HashMap<usize, f64>> {
    let mut distinct = n_values.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let mut least = HashMap::new();
    for (place, &a) in distinct.iter().enumerate() {
        for &b in &distinct[..=place] {
            let freedom = freedom(a, b);
            let all = (freedom * n_classes).max(1) as f64;
            least.insert(freedom, least_statistic(level, all)?);
        }
    }
    Ok(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    fn nominal(text: &str) -> Nominal {
        Nominal::from_labels(text.split(' ').map(Some))
    }

    #[test]
    fn the_score_is_twice_the_rows_times_the_information() {
        // Class p: x x x y; class q: x y y y: I = 1 - H(1/4) bits, G = 2 * 8 * ln 2 * that.
        let feature = nominal("x x x y x y y y");
        let class = nominal("p p p p q q q q");
        let tables = Tables::new(vec![&feature], &class);
        let scored = tables.table(&[0]).score([0, 1]);
        let expected = 16.0 * LN_2 * (1.0 - 0.811_278_124_459_132_9);
        assert!((scored.score - expected).abs() < 1e-12, "{}", scored.score);
    }

    #[test]
    fn telling_nothing_scores_the_mean_over_all_ways_to_deal_the_classes() {
        // Five rows in cells of 3 and 2, two of them of class p: one of ten ways has both in
        // the small cell, six have one in each, three have both in the large one.
        let g = |cells: &[[u64; 2]]| {
            let counts = cells.iter().map(|cell| cell.to_vec()).collect();
            BlockTable { counts }.score([0, 1])
        };
        let ways = [
            (1.0, [[0, 3], [2, 0]]),
            (6.0, [[1, 2], [1, 1]]),
            (3.0, [[2, 1], [0, 2]]),
        ];
        let mean: f64 = ways
            .iter()
            .map(|(n, cells)| n / 10.0 * g(cells).score)
            .sum();
        for (_, cells) in &ways {
            assert!((g(cells).parameters - mean).abs() < 1e-12);
        }
        // Many rows: cells less one.
        let many = g(&[[400, 600], [300, 100], [700, 900]]);
        assert!((many.parameters - 2.0).abs() < 0.01, "{}", many.parameters);
        // Two rows of a class cannot fill twenty cells.
        let sparse: Vec<[u64; 2]> = (0..20).map(|i| [50, u64::from(i < 2)]).collect();
        let sparse = g(&sparse);
        assert!(sparse.parameters < 14.0, "{}", sparse.parameters);
    }

    #[test]
    fn joint_tables_hold_the_combinations_that_occur() {
        // An exclusive or: each alone tells nothing, both tell all: G = 2 * 8 * ln 2.
        let (a, b) = (nominal("0 0 1 1 0 0 1 1"), nominal("0 1 0 1 0 1 0 1"));
        let class = nominal("n y y n n y y n");
        let tables = Tables::new(vec![&a, &b], &class);
        assert_eq!(tables.table(&[0]).score([0, 1]).score, 0.0);
        let both = tables.table(&[0, 1]).score([0, 1]);
        assert!((both.score - 16.0 * LN_2).abs() < 1e-12);
        // Many values: only those that occur are numbered.
        let many: Vec<String> = (0..300).map(|i| i.to_string()).collect();
        let many = Nominal::from_labels(many.iter().map(|label| Some(label.as_str())));
        let pair = (many.codes.clone(), many.n_values());
        let (codes, n) = joined(pair, (&many.codes, many.n_values()));
        assert_eq!((n, codes.get(299)), (300, Some(299)));
    }

    #[test]
    fn dependent_features_make_a_block_that_its_rows_can_fill() {
        // b is a with one cell of eight turned, c is independent of both; 160 rows allow
        // 160 / (5 * 2) = 16 cells.
        let rows = 0..160u32;
        let text = |value: &dyn Fn(u32) -> u32| -> Nominal {
            let cells: Vec<String> = rows.clone().map(|row| value(row).to_string()).collect();
            nominal(&cells.join(" "))
        };
        let a = text(&|row| row / 2 % 2);
        let b = text(&|row| if row % 16 == 3 { 0 } else { row / 2 % 2 });
        let c = text(&|row| row / 4 % 2);
        let class = text(&|row| row % 2);
        let tables = Tables::new(vec![&a, &c, &b], &class);
        let options = SeparationOptions::default();
        let blocks = tables.find_blocks(&options, 1 << 10, &Silent).unwrap();
        assert_eq!(blocks, [vec![0, 2], vec![1]]);
    }
}
