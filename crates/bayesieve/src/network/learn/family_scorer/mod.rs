//! Scores of families over a table, each computed once.
//!
//! A family's score is a function of the data alone, to the last bit, so it does not
//! matter who computed it, from which counts, or whether it was forgotten in between:
//! threads share the cache, and a full one is emptied.

mod batch;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::LocalScore;
use super::local_score::{FamilyShape, Scoring};
use super::pairs::for_each_column;
use crate::counts::{CountColumn, CountTable, Partition, RowIndex, TableNodes, TableRows};
use crate::data::Codes;
use crate::network::{Cpt, Dag, FamilyCounts, Smoothing};
use crate::{Error, Result};
use crate::{Observer, Silent};

/// Memory for scores unless told otherwise, in bytes.
const CACHE_BYTES: usize = 128 << 20;

/// What an entry of the cache takes beside its key.
const ENTRY_BYTES: usize = 64;

/// Scores nodes with their parents, and remembers.
///
/// Nodes are the columns, in their order; a class is a node like any other. Rows with a
/// missing cell in a family are left out of it.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::counts::CountColumn;
/// use bayesieve::data::Codes;
/// use bayesieve::network::learn::{FamilyScorer, LocalScore};
///
/// let a = Codes::new(2, [0, 0, 1, 1].map(Some));
/// let b = Codes::new(2, [0, 1, 0, 1].map(Some));
/// let columns = [&a, &a, &b].map(|codes| CountColumn { codes, n_values: 2 });
/// let scorer = FamilyScorer::new(&columns, LocalScore::K2)?;
/// let alone = scorer.score(1, &[])?;
/// let scores = scorer.score_with_each(1, &[], &[0, 2], &Silent)?;
/// assert!(scores[0] > alone); // its copy makes a good parent
/// assert!(scores[1] < alone); // b tells nothing about it
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug)]
pub struct FamilyScorer<'a> {
    nodes: TableNodes<'a>,
    n_values: Vec<usize>,
    n_rows: usize,
    score: LocalScore,
    cache: Mutex<Cache>,
}

/// Scores by node and rising parents.
#[derive(Debug)]
struct Cache {
    scores: HashMap<Box<[usize]>, f64>,
    n_bytes: usize,
    max_bytes: usize,
}

impl<'a> FamilyScorer<'a> {
    /// Takes the columns, one per node.
    ///
    /// # Errors
    /// Columns of different lengths, or a score whose constant is no good.
    pub fn new(columns: &[CountColumn<'a>], score: LocalScore) -> Result<Self> {
        let nodes = TableNodes::of_columns(columns)?;
        let n_values = columns.iter().map(|column| column.n_values).collect();
        FamilyScorer::with_nodes(nodes, n_values, score)
    }

    /// Takes counts of rows, wherever they are: the features as nodes, the class last.
    ///
    /// # Errors
    /// A score whose constant is no good, or more rows than this machine can number.
    pub fn of(nodes: TableNodes<'a>, score: LocalScore) -> Result<Self> {
        let n_values = nodes.n_values().to_vec();
        FamilyScorer::with_nodes(nodes, n_values, score)
    }

    fn with_nodes(nodes: TableNodes<'a>, n_values: Vec<usize>, score: LocalScore) -> Result<Self> {
        score.check()?;
        let n_rows = usize::try_from(nodes.n_rows());
        Ok(FamilyScorer {
            n_rows: n_rows.map_err(|_| Error::data("there are too many rows"))?,
            nodes,
            n_values,
            score,
            cache: Mutex::new(Cache::new()),
        })
    }

    /// The score it computes.
    pub fn local_score(&self) -> LocalScore {
        self.score
    }

    /// Where the counts come from.
    pub fn nodes(&self) -> &TableNodes<'a> {
        &self.nodes
    }

    /// Number of values of every node.
    pub fn n_values(&self) -> &[usize] {
        &self.n_values
    }

    /// Whether a node has missing cells.
    pub fn has_gaps(&self) -> bool {
        (0..self.n_nodes()).any(|node| self.nodes.has_gaps(node))
    }

    /// Number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.n_values.len()
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The score of a node with its parents, given in any order.
    ///
    /// # Errors
    /// A node that does not exist, a node among its own parents, or columns that cannot
    /// be counted.
    ///
    /// # Cost
    /// One or two passes over the rows per parent, the first time.
    pub fn score(&self, node: usize, parents: &[usize]) -> Result<f64> {
        let key = self.key(node, parents)?;
        if let Some(score) = self.cache().get(&key) {
            return Ok(score);
        }
        let score = self.score_key(&key)?;
        self.cache().insert(key, score);
        Ok(score)
    }

    /// The scores of every node with every other as its only parent.
    ///
    /// # Errors
    /// Columns that cannot be counted, or the observer cancelled.
    ///
    /// # Cost
    /// All pair tables, each counted once for both directions.
    pub fn score_pairs(&self, observer: &dyn Observer) -> Result<PairScores> {
        let one_class = Codes::U8(vec![0; self.n_rows]);
        let class = CountColumn {
            codes: &one_class,
            n_values: 1,
        };
        let index = RowIndex::new(&self.nodes.row_columns()?, class)?;
        let n_nodes = self.n_nodes();
        let mut cells = vec![0.0; n_nodes * n_nodes];
        for_each_column(
            &index,
            observer,
            |table| self.both_ways(table),
            |b, scores| {
                for (a, [of_a, of_b]) in scores.into_iter().enumerate() {
                    cells[a * n_nodes + b] = of_a;
                    cells[b * n_nodes + a] = of_b;
                }
                Ok(())
            },
        )?;
        Ok(PairScores { n_nodes, cells })
    }

    /// The counts of a node with its parents, given in any order.
    ///
    /// # Errors
    /// As [`FamilyScorer::score`].
    pub fn count(&self, node: usize, parents: &[usize]) -> Result<FamilyCounts> {
        let key = self.key(node, parents)?;
        let nodes = &self.nodes;
        nodes.with_rows(family_set(&key), &Silent, FamilyCounts::of_rows)
    }

    /// The score of a whole network: the sum over its families.
    ///
    /// # Errors
    /// Another number of nodes, or columns that cannot be counted.
    pub fn score_dag(&self, dag: &Dag) -> Result<f64> {
        self.check_size(dag)?;
        (0..dag.n_nodes())
            .map(|node| self.score(node, dag.parents(node)))
            .sum()
    }

    /// The tables of a whole network, estimated from the same columns.
    ///
    /// # Errors
    /// Another number of nodes, columns that cannot be counted, or a smoothing constant
    /// that is no good.
    pub fn estimate(&self, dag: &Dag, smoothing: Smoothing) -> Result<Vec<Cpt>> {
        self.check_size(dag)?;
        (0..dag.n_nodes())
            .map(|node| Cpt::estimate(&self.count(node, dag.parents(node))?, smoothing))
            .collect()
    }

    fn check_size(&self, dag: &Dag) -> Result<()> {
        if dag.n_nodes() == self.n_nodes() {
            return Ok(());
        }
        Err(Error::internal(format!(
            "a graph of {} nodes for {} columns",
            dag.n_nodes(),
            self.n_nodes()
        )))
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        // Nothing panics while it holds the lock, and the cache is whole at any time.
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The node and its parents, rising and each once.
    fn key(&self, node: usize, parents: &[usize]) -> Result<Box<[usize]>> {
        let n_nodes = self.n_nodes();
        if node >= n_nodes || parents.iter().any(|&p| p >= n_nodes || p == node) {
            return Err(Error::internal(format!(
                "node {node} with the parents {parents:?} of {n_nodes} nodes"
            )));
        }
        let mut key = Vec::with_capacity(parents.len() + 1);
        key.push(node);
        key.extend_from_slice(parents);
        key[1..].sort_unstable();
        key.dedup();
        Ok(key.into_boxed_slice())
    }

    /// Rows by the values of some nodes.
    pub(super) fn partition(&self, nodes: &[usize]) -> Result<Partition> {
        let whole = Partition::whole(self.n_rows);
        let refine = |partition: Partition, &node: &usize| self.refine(&partition, node);
        nodes.iter().try_fold(whole, refine)
    }

    /// Rows by the values of one more node.
    pub(super) fn refine(&self, partition: &Partition, node: usize) -> Result<Partition> {
        let CountColumn { codes, n_values } = self.nodes.row_column(node)?;
        partition.refine(codes, n_values)
    }

    fn score_key(&self, key: &[usize]) -> Result<f64> {
        let shape = self.shape(key[0], &key[1..]);
        let nodes = &self.nodes;
        nodes.with_rows(family_set(key), &Silent, |rows| {
            self.score_rows(rows, key.len() - 1, shape)
        })
    }

    /// The score of the node at a place among some nodes, the others being its parents.
    fn score_rows(&self, rows: &TableRows<'_>, place: usize, shape: FamilyShape) -> Result<f64> {
        let parents = rows.parts((0..rows.n_nodes()).filter(|&other| other != place))?;
        let family = rows.refine(&parents, place)?;
        Ok(match rows.weights() {
            None => self.score_parted(&parents, &family, shape, |_| 1),
            Some(weights) => self.score_parted(&parents, &family, shape, |row| weights[row]),
        })
    }

    /// The score of a node whose parents' values part the rows like this.
    pub(super) fn score_in(
        &self,
        node: usize,
        parents: &[usize],
        partition: &Partition,
    ) -> Result<f64> {
        let shape = self.shape(node, parents);
        let family = self.refine(partition, node)?;
        Ok(self.score_parted(partition, &family, shape, |_| 1))
    }

    /// The score from rows parted by the parents, and by the node besides: time and memory by
    /// the rows, however many values the node has.
    fn score_parted(
        &self,
        parents: &Partition,
        family: &Partition,
        shape: FamilyShape,
        weight: impl Fn(usize) -> u64,
    ) -> f64 {
        let mut cells = vec![0; family.n_parts()];
        let mut totals = vec![0; parents.n_parts()];
        for (row, (cell, total)) in family.iter().zip(parents.iter()).enumerate() {
            // A row without the node's value is in neither.
            if let (Some(cell), Some(total)) = (cell, total) {
                cells[cell as usize] += weight(row);
                totals[total as usize] += weight(row);
            }
        }
        let mut scoring = Scoring::new(self.score, shape);
        cells.into_iter().for_each(|n| scoring.add_cell(n));
        totals.into_iter().for_each(|n| scoring.add_total(n));
        scoring.finish()
    }

    /// The domains of a family.
    fn shape(&self, node: usize, parents: &[usize]) -> FamilyShape {
        let states: Vec<usize> = parents.iter().map(|&p| self.n_values[p]).collect();
        FamilyShape::new(self.n_values[node], &states)
    }

    /// From the counts of two nodes: the first given the second, and the second given the
    /// first.
    fn both_ways(&self, table: &CountTable) -> [f64; 2] {
        let (n_a, n_b) = (table.shape().n_a, table.shape().n_b);
        let mut of_a = Scoring::new(self.score, FamilyShape::new(n_a, &[n_b]));
        let mut of_b = Scoring::new(self.score, FamilyShape::new(n_b, &[n_a]));
        let (mut margin_a, mut margin_b) = (vec![0; n_a], vec![0; n_b]);
        table.for_each(|cell, n| {
            of_a.add_cell(n);
            of_b.add_cell(n);
            margin_a[cell.a] += n;
            margin_b[cell.b] += n;
        });
        margin_b.iter().for_each(|&n| of_a.add_total(n));
        margin_a.iter().for_each(|&n| of_b.add_total(n));
        [of_a.finish(), of_b.finish()]
    }
}

/// The nodes of a family's table: the parents, then the node.
fn family_set(key: &[usize]) -> Vec<usize> {
    key[1..].iter().chain(&key[..1]).copied().collect()
}

impl Cache {
    fn new() -> Self {
        Cache {
            scores: HashMap::new(),
            n_bytes: 0,
            max_bytes: CACHE_BYTES,
        }
    }

    fn get(&self, key: &[usize]) -> Option<f64> {
        self.scores.get(key).copied()
    }

    fn insert(&mut self, key: Box<[usize]>, score: f64) {
        let n_bytes = size_of_val(&key[..]) + ENTRY_BYTES;
        if self.n_bytes + n_bytes > self.max_bytes {
            self.scores = HashMap::new();
            self.n_bytes = 0;
        }
        if n_bytes <= self.max_bytes && self.scores.insert(key, score).is_none() {
            self.n_bytes += n_bytes;
        }
    }
}

/// The score of every node with every other as its only parent.
#[derive(Debug, Clone, PartialEq)]
pub struct PairScores {
    n_nodes: usize,
    /// `[node][parent]`, 0 where they are one.
    cells: Vec<f64>,
}

impl PairScores {
    /// The score of a node with one parent.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn get(&self, node: usize, parent: usize) -> f64 {
        assert!(parent < self.n_nodes, "no node {parent}");
        self.cells[node * self.n_nodes + parent]
    }
}
