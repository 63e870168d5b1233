//! Two nodes tested given many sets, one after the other.
//!
//! Sets come in lexicographic order, so most share all but their last node with the one
//! before: the rows are grouped by the pair and the shared nodes once, and the last node is
//! a single table by group.

use super::independence::IndependenceTests;
use super::layering::Layering;
use crate::Result;
use crate::counts::RowIndex;
use crate::stats::{IndependenceTest, Layers, Statistic};

/// Groups above which a test is better made by itself.
const MAX_GROUPS: usize = 65_536;

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
    levels: Vec<Level<'t>>,
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
        if !self.is_grouped(shared) || !self.tests.nodes().is_in_memory() {
            return self.tests.test(self.pair, given);
        }
        self.group_by(shared)?;
        let place = self.others.iter().position(|&other| other == last);
        let place = place.unwrap_or(self.others.len()); // no column, an error below
        let level = &self.levels[shared.len()];
        let Some(cells) = level.index.single_cells(place)? else {
            return self.tests.test(self.pair, given);
        };
        let [n_a, n_b] = [self.pair.0, self.pair.1].map(|node| self.tests.n_values(node));
        let axes: Vec<(usize, usize)> = given
            .iter()
            .map(|&node| (node, self.tests.n_values(node)))
            .collect();
        let cells = behind(&cells, n_a * n_b, &axes);
        let layers = Layers::new(n_a, n_b, &cells)?;
        let freedom = self.tests.options().freedom;
        Ok(Some(layers.test(Statistic::G, freedom)))
    }

    /// Whether all combinations of the pair and some nodes can be groups.
    fn is_grouped(&self, shared: &[usize]) -> bool {
        let nodes = [self.pair.0, self.pair.1];
        let n_groups = nodes
            .iter()
            .chain(shared)
            .try_fold(1usize, |n, &node| n.checked_mul(self.tests.n_values(node)));
        n_groups.is_some_and(|n| (1..=MAX_GROUPS).contains(&n))
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
            let (groups, n_groups) = (&layering.codes, layering.n_layers);
            let index = Layering::index_of(self.tests, groups, n_groups, self.others)?;
            self.levels.push(Level { layering, index });
        }
        Ok(())
    }
}

/// Cells with the first `n_first` places changing fastest instead of slowest, and behind them
/// the nodes given, each with its number of values, in rising order: a sum over layers then has
/// one order, whatever the order in which the nodes were given.
fn behind(cells: &[u64], n_first: usize, given: &[(usize, usize)]) -> Vec<u64> {
    let n_rest = cells.len() / n_first.max(1);
    let mut strides = Vec::with_capacity(given.len());
    let mut stride = 1;
    for &(node, n_values) in given.iter().rev() {
        strides.push((node, n_values, stride));
        stride *= n_values;
    }
    strides.sort_unstable();
    let places = strides
        .iter()
        .fold(vec![0], |places, &(_, n_values, stride)| {
            let split = |place| (0..n_values).map(move |value| place + value * stride);
            places.into_iter().flat_map(split).collect()
        });
    let mut out = Vec::with_capacity(cells.len());
    for rest in places {
        out.extend((0..n_first).map(|first| cells[first * n_rest + rest]));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pair_changes_fastest_and_the_lowest_node_given_slowest() {
        // The pair has 2 combinations; nodes 7 and 4 have 2 and 3 values: cell 100 p + 10 s + f
        // is of combination p, value s of node 7 and f of node 4.
        let cells = [0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112];
        let expected = [0, 100, 10, 110, 1, 101, 11, 111, 2, 102, 12, 112];
        assert_eq!(behind(&cells, 2, &[(7, 2), (4, 3)]), expected);
        // In rising order already.
        let expected = [0, 100, 1, 101, 2, 102, 10, 110, 11, 111, 12, 112];
        assert_eq!(behind(&cells, 2, &[(4, 2), (7, 3)]), expected);
    }
}
