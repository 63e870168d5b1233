//! Chi-square tests of two nodes given others.

use std::sync::OnceLock;

use super::PowerRule;
use crate::counts::{CountColumn, CountTable, Partition, RowIndex};
use crate::data::Codes;
use crate::network::learn::groups::RowGroups;
use crate::network::learn::pairs::for_each_column;
use crate::stats::{DegreesOfFreedom, Layers, Statistic, has_power};
use crate::{Error, Hushed, Observer, Result, check};

/// Cells of one test's table that still fit in memory without care.
const MAX_CELLS: usize = 1 << 24;

/// Tables up to this many cells, or four per row, are counted in batches.
const DENSE_CELLS: usize = 65_536;

/// Sets tested at once: few at first, since one of the first often separates.
const BATCHES: std::ops::RangeInclusive<usize> = 32..=4_096;

/// Tests over the columns of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Independence<'s, 'a> {
    pub(super) columns: &'s [CountColumn<'a>],
    pub(super) n_rows: usize,
    pub(super) alpha: f64,
    pub(super) power: PowerRule,
}

impl<'a> Independence<'_, 'a> {
    /// All pairs a < b that are independent given nothing.
    pub(super) fn independent_pairs(&self, observer: &dyn Observer) -> Result<Vec<(usize, usize)>> {
        let one_class = Codes::U8(vec![0; self.n_rows]);
        let class = CountColumn {
            codes: &one_class,
            n_values: 1,
        };
        let index = RowIndex::new(self.columns, class)?;
        let is_independent = |table: &CountTable| {
            let (n_a, n_b) = (table.shape().n_a, table.shape().n_b);
            if !self.has_power(&[n_a, n_b]) {
                return Ok(false);
            }
            match table.as_dense() {
                Some(cells) => self.is_independent([n_a, n_b], cells),
                None => {
                    let mut cells = vec![0; checked_cells(&[n_a, n_b])?];
                    table.for_each(|cell, n| cells[cell.a * n_b + cell.b] = n);
                    self.is_independent([n_a, n_b], &cells)
                }
            }
        };
        let mut found = Vec::new();
        for_each_column(&index, observer, is_independent, |b, results| {
            for (a, is_independent) in results.into_iter().enumerate() {
                if is_independent? {
                    found.push((a, b));
                }
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// The first set of `size` nodes, in lexicographic order, given which two nodes are
    /// independent.
    pub(super) fn separator(
        &self,
        pair: (usize, usize),
        others: &[usize],
        size: usize,
        observer: &dyn Observer,
    ) -> Result<Option<Vec<usize>>> {
        // Sets that share all but their last two nodes are tested together.
        let mut places: Vec<usize> = (0..size.saturating_sub(2)).collect();
        loop {
            let shared: Vec<usize> = places.iter().map(|&place| others[place]).collect();
            let behind = &others[places.last().map_or(0, |&last| last + 1)..];
            let batches = Batches {
                tests: self,
                pair,
                shared: &shared,
                observer: Hushed(observer),
                index: OnceLock::new(),
            };
            let found = match size {
                1 => batches.first_separating(behind.iter().map(|&x| Last::One(x))),
                _ => batches.first_separating(pairs_of(behind)),
            };
            if let Some(last) = found? {
                return Ok(Some([&shared, last.nodes()].concat()));
            }
            if !advance(&mut places, others.len()) {
                return Ok(None);
            }
        }
    }

    /// One test over the combinations that occur.
    pub(super) fn test_sparse(&self, (a, b): (usize, usize), given: &[usize]) -> Result<bool> {
        let (a, b) = (self.columns[a], self.columns[b]);
        let mut partition = Partition::whole(self.n_rows);
        for &node in given {
            let column = self.columns[node];
            partition = partition.refine(column.codes, column.n_values)?;
        }
        checked_cells(&[partition.n_parts(), a.n_values, b.n_values])?;
        let groups = RowGroups::new(&partition).split(a)?.split(b)?;
        self.is_independent([a.n_values, b.n_values], &groups.sizes())
    }

    /// Whether rows and columns are independent within layers that stand one behind the
    /// other.
    fn is_independent(&self, [n_a, n_b]: [usize; 2], cells: &[u64]) -> Result<bool> {
        if cells.is_empty() || n_a * n_b == 0 {
            return Ok(true); // no degree of freedom
        }
        let layers = Layers::new(n_a, n_b, cells)?;
        let test = layers.test(Statistic::Pearson, DegreesOfFreedom::Adjusted);
        Ok(test.is_independent(self.alpha))
    }

    /// Whether a test over columns of so many values may remove an edge.
    fn has_power(&self, states: &[usize]) -> bool {
        let n_cells = states
            .iter()
            .fold(1u64, |product, &n| product.saturating_mul(n as u64));
        match self.power {
            PowerRule::FiveRowsPerCell => has_power(self.n_rows as u64, n_cells),
            PowerRule::Off => true,
        }
    }
}

/// The last one or two nodes of a set that a test is given.
#[derive(Debug, Clone, Copy)]
enum Last {
    One(usize),
    Two([usize; 2]),
}

impl Last {
    fn nodes(&self) -> &[usize] {
        match self {
            Last::One(node) => std::slice::from_ref(node),
            Last::Two(nodes) => nodes,
        }
    }
}

/// All pairs of a list, in lexicographic order.
fn pairs_of(nodes: &[usize]) -> impl Iterator<Item = Last> {
    let places = nodes.iter().enumerate();
    places.flat_map(|(at, &x)| nodes[at + 1..].iter().map(move |&y| Last::Two([x, y])))
}

/// Tests of one pair given sets that share all but their last nodes.
///
/// The pair and the shared nodes group the rows; what the last nodes add are then single or
/// pair tables by group, which bitmaps count.
struct Batches<'t, 's, 'a> {
    tests: &'t Independence<'s, 'a>,
    pair: (usize, usize),
    shared: &'t [usize],
    observer: Hushed<'t>,
    /// All columns by group, made when first needed.
    index: OnceLock<RowIndex<'a>>,
}

impl<'a> Batches<'_, '_, 'a> {
    /// The first of the sets that separates the pair, among those whose test has power.
    fn first_separating(&self, sets: impl Iterator<Item = Last>) -> Result<Option<Last>> {
        let has_power = |last: &Last| self.tests.has_power(&self.states(last.nodes()));
        let mut sets = sets.filter(has_power);
        let mut n_batch = *BATCHES.start();
        loop {
            check(&self.observer)?;
            let batch: Vec<Last> = sets.by_ref().take(n_batch).collect();
            if batch.is_empty() {
                return Ok(None);
            }
            let results = self.test(&batch)?;
            if let Some(place) = results.iter().position(|&is_independent| is_independent) {
                return Ok(Some(batch[place]));
            }
            n_batch = (2 * n_batch).min(*BATCHES.end());
        }
    }

    /// Values of the pair, the shared nodes and the last ones.
    fn states(&self, last: &[usize]) -> Vec<usize> {
        let pair = [self.pair.0, self.pair.1];
        let nodes = pair.iter().chain(self.shared).chain(last);
        nodes
            .map(|&node| self.tests.columns[node].n_values)
            .collect()
    }

    fn test(&self, batch: &[Last]) -> Result<Vec<bool>> {
        let max_cells = DENSE_CELLS.max(4 * self.tests.n_rows);
        let is_dense =
            |last: &Last| checked_cells(&self.states(last.nodes())).is_ok_and(|n| n <= max_cells);
        if !batch.iter().all(is_dense) {
            let given = |last: &Last| [self.shared, last.nodes()].concat();
            return batch
                .iter()
                .map(|last| {
                    check(&self.observer)?;
                    self.tests.test_sparse(self.pair, &given(last))
                })
                .collect();
        }
        let index = self.index()?;
        let mut pairs = Vec::new();
        let mut results = Vec::new();
        for last in batch {
            match *last {
                Last::One(node) => {
                    check(&self.observer)?;
                    results.push(self.test_table(&index.count_single(node)?));
                }
                Last::Two([x, y]) => pairs.push((x, y)),
            }
        }
        results.extend(index.map_pairs(&pairs, &self.observer, |_, table| self.test_table(table))?);
        results.into_iter().collect()
    }

    fn index(&self) -> Result<&RowIndex<'a>> {
        if let Some(index) = self.index.get() {
            return Ok(index);
        }
        let columns = self.tests.columns;
        let mut groups = RowGroups::whole(self.tests.n_rows);
        for &node in self.shared.iter().chain([&self.pair.0, &self.pair.1]) {
            groups = groups.split(columns[node])?;
        }
        let index = groups.index(columns)?;
        Ok(self.index.get_or_init(|| index))
    }

    /// From counts `[shared][pair][last]` to layers `[shared][last][pair]`.
    fn test_table(&self, table: &CountTable) -> Result<bool> {
        let n_values = |node: usize| self.tests.columns[node].n_values;
        let n_pair = [n_values(self.pair.0), n_values(self.pair.1)];
        let n_cells = n_pair[0] * n_pair[1];
        let n_shared: usize = self.shared.iter().map(|&node| n_values(node)).product();
        let (n_x, n_y) = (table.shape().n_a, table.shape().n_b);
        let mut cells = vec![0; n_shared * n_x * n_y * n_cells];
        table.for_each(|cell, n| {
            // Rows with a gap stand behind the groups.
            if cell.class < n_shared * n_cells {
                let (shared, pair) = (cell.class / n_cells, cell.class % n_cells);
                let layer = (shared * n_x + cell.a) * n_y + cell.b;
                cells[layer * n_cells + pair] = n;
            }
        });
        self.tests.is_independent(n_pair, &cells)
    }
}

/// The next rising list of places below `n` in lexicographic order; false at the end.
pub(crate) fn advance(places: &mut [usize], n: usize) -> bool {
    let len = places.len();
    for at in (0..len).rev() {
        if places[at] + (len - at) < n {
            let next = places[at] + 1;
            for (place, value) in places[at..].iter_mut().zip(next..) {
                *place = value;
            }
            return true;
        }
    }
    false
}

/// The product, if a table of so many cells may be made.
fn checked_cells(states: &[usize]) -> Result<usize> {
    let product = states
        .iter()
        .try_fold(1usize, |product, &n| product.checked_mul(n));
    product
        .filter(|&n| n <= MAX_CELLS)
        .ok_or_else(too_many_cells)
}

fn too_many_cells() -> Error {
    Error::data(format!(
        "a test of independence needs more than {MAX_CELLS} cells"
    ))
    .with_hint("Bin columns of many values, or leave the power rule on.")
}
