//! Two nodes tested given many sets, one after the other.
//!
//! Sets come in lexicographic order, so most share all but their last node with the one
//! before: the rows are grouped by the pair and the shared nodes once, and the last node is
//! a single table by group.

use super::independence::IndependenceTests;
use super::layering::Layering;
use crate::counts::{CountColumn, RowIndex};
use crate::error::Result;
use crate::stats::{IndependenceTest, Layers, Statistic};

/// Groups above which a test is better made by itself.
const MOST_GROUPS: usize = 65_536;

/// Rows grouped by the pair and some nodes, with the columns that may come last.
struct Level<'a> {
    layering: Layering,
    index: RowIndex<'a>,
}

/// Two nodes, and the nodes that may be given.
pub(super) struct PairTests<'t, 'a> {
    tests: &'t IndependenceTests<'a>,
    /// The lower node first.
    pair: (usize, usize),
    others: &'t [usize],
    /// Level k holds the pair and the first k nodes of the last set.
    levels: Vec<Level<'a>>,
}

impl<'t, 'a> PairTests<'t, 'a> {
    pub(super) fn new(
        tests: &'t IndependenceTests<'a>,
        (a, b): (usize, usize),
        others: &'t [usize],
    ) -> Self {
        PairTests {
            tests,
            pair: (a.min(b), a.max(b)),
            others,
            levels: Vec::new(),
        }
    }

    /// As [`IndependenceTests::test`]; the nodes given are some of the others.
    pub(super) fn test(&mut self, given: &[usize]) -> Result<Option<IndependenceTest>> {
        if !self.tests.is_testable(self.pair, given) {
            return Ok(None);
        }
        let Some((&last, shared)) = given.split_last() else {
            return self.tests.test(self.pair, given);
        };
        // Where the rows are not in memory a test has its own table.
        if !self.is_grouped(shared) || self.tests.tables().is_some() {
            return self.tests.test(self.pair, given);
        }
        self.group_by(shared)?;
        let place = self.others.iter().position(|&other| other == last);
        let place = place.unwrap_or(self.others.len()); // no column, an error below
        let level = &self.levels[shared.len()];
        let Some(cells) = level.index.single_cells(place)? else {
            return self.tests.test(self.pair, given);
        };
        let (n_a, n_b) = (
            self.tests.n_values(self.pair.0),
            self.tests.n_values(self.pair.1),
        );
        let cells = behind(&cells, n_a * n_b);
        let cells = self.in_order_of_nodes(cells, given, n_a * n_b);
        let layers = Layers::new(n_a, n_b, &cells)?;
        let freedom = self.tests.options().freedom;
        Ok(Some(layers.test(Statistic::G, freedom)))
    }

    /// The layers with the lowest node changing slowest, as a test by itself has them: sums in
    /// another order differ in their last digits.
    fn in_order_of_nodes(&self, cells: Vec<u64>, given: &[usize], n_of_layer: usize) -> Vec<u64> {
        if given.windows(2).all(|pair| pair[0] < pair[1]) {
            return cells;
        }
        let mut stride = 1;
        let mut digits: Vec<(usize, usize, usize)> = Vec::with_capacity(given.len());
        for &node in given.iter().rev() {
            let n_values = self.tests.n_values(node);
            digits.push((node, n_values, stride));
            stride *= n_values;
        }
        digits.sort_unstable();
        // The place in `cells` of every layer, node by node.
        let mut places = vec![0];
        for (_, n_values, stride) in digits {
            let values = |place: usize| (0..n_values).map(move |value| place + value * stride);
            places = places.into_iter().flat_map(values).collect();
        }
        let mut out = Vec::with_capacity(cells.len());
        for place in places {
            out.extend_from_slice(&cells[place * n_of_layer..][..n_of_layer]);
        }
        out
    }

    /// Whether all combinations of the pair and some nodes can be groups.
    fn is_grouped(&self, shared: &[usize]) -> bool {
        let nodes = [self.pair.0, self.pair.1];
        let n_groups = nodes
            .iter()
            .chain(shared)
            .try_fold(1usize, |n, &node| n.checked_mul(self.tests.n_values(node)));
        n_groups.is_some_and(|n| (1..=MOST_GROUPS).contains(&n))
    }

    /// Goes back to what this set shares with the last one, and on from there.
    fn group_by(&mut self, shared: &[usize]) -> Result<()> {
        let is_shared = |level: &Level<'_>| shared.starts_with(&level.layering.nodes[2..]);
        let n_shared = self.levels.iter().take_while(|level| is_shared(level));
        self.levels.truncate(n_shared.count().min(shared.len() + 1));
        while self.levels.len() <= shared.len() {
            let layering = match self.levels.last() {
                None => Layering::of(self.tests, &[self.pair.0, self.pair.1])?,
                Some(level) => {
                    let next = shared[self.levels.len() - 1];
                    level.layering.split(self.tests, next)?
                }
            };
            let columns = self.others.iter().map(|&node| self.tests.column(node));
            let columns: Vec<CountColumn<'a>> = columns.collect::<Result<_>>()?;
            let groups = CountColumn {
                codes: &layering.codes,
                n_values: layering.n_layers,
            };
            let index = RowIndex::new(&columns, groups)?;
            self.levels.push(Level { layering, index });
        }
        Ok(())
    }
}

/// Cells with the first `n_first` places changing fastest instead of slowest.
fn behind(cells: &[u64], n_first: usize) -> Vec<u64> {
    let n_rest = cells.len() / n_first.max(1);
    let mut out = Vec::with_capacity(cells.len());
    for rest in 0..n_rest {
        out.extend((0..n_first).map(|first| cells[first * n_rest + rest]));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::TestOptions;
    use super::*;
    use crate::data::Codes;

    #[test]
    fn a_test_is_the_same_to_the_last_digit_in_any_order_of_the_others() {
        let cell = |row: u32, step: u32, n: u32| row.wrapping_mul(row ^ step) / 5 % n;
        let columns = [(2, 7), (3, 11), (3, 5), (2, 3), (4, 13)].map(|(n, step)| {
            Codes::new(n as usize, (0..8_000).map(|row| Some(cell(row, step, n))))
        });
        let columns = columns
            .each_ref()
            .map(|codes| CountColumn { codes, n_values: 4 });
        let tests = IndependenceTests::new(&columns, TestOptions::default()).unwrap();
        let others = [4, 2, 3];
        let mut pair = PairTests::new(&tests, (1, 0), &others);
        for given in [&[4][..], &[4, 2], &[4, 2, 3], &[4, 3], &[2, 3]] {
            let alone = tests.test((0, 1), given).unwrap().unwrap();
            let among = pair.test(given).unwrap().unwrap();
            assert_eq!(
                among.statistic.to_bits(),
                alone.statistic.to_bits(),
                "{given:?}"
            );
            assert!(alone.statistic > 0.0);
        }
    }
}
