//! Scores of many families at a time: rows are grouped once for all of them.

use rayon::prelude::*;

use super::FamilyScorer;
use crate::network::learn::groups::RowGroups;
use crate::network::learn::local_score::{FamilyShape, Scoring};
use crate::{Error, Result};
use crate::{Observer, check};

/// Tables up to this many cells, or four per row, are counted whole.
const DENSE_CELLS: usize = 65_536;

/// Rows counted by one job: less is not worth a thread.
const ROWS_PER_JOB: usize = 1 << 18;

/// A node and its parents, the way they are remembered.
type FamilyKey = Box<[usize]>;

impl FamilyScorer<'_> {
    /// The scores of a node with its parents and each of the candidates as one more.
    ///
    /// # Errors
    /// As [`FamilyScorer::score`], or the observer cancelled.
    ///
    /// # Cost
    /// One or two passes over the rows per parent, then at most one per candidate that is
    /// not remembered; candidates are shared among threads.
    pub fn score_with_each(
        &self,
        node: usize,
        parents: &[usize],
        candidates: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        let family = self.key(node, parents)?;
        let wider = candidates.iter().map(|&candidate| {
            let wider: Vec<usize> = family[1..].iter().copied().chain([candidate]).collect();
            self.key(node, &wider)
        });
        self.remembered(wider.collect::<Result<_>>()?, |new, keys| {
            let candidates: Vec<usize> = new.iter().map(|&place| candidates[place]).collect();
            let (node, parents) = (Some(family[0]), &family[1..]);
            self.count_batch(parents, node, &candidates, keys, observer)
        })
    }

    /// The scores of each of the nodes with the same parents.
    ///
    /// # Errors
    /// As [`FamilyScorer::score`], or the observer cancelled.
    ///
    /// # Cost
    /// One or two passes over the rows per parent, then at most one per node that is not
    /// remembered; nodes are shared among threads.
    pub fn score_each(
        &self,
        nodes: &[usize],
        parents: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        let keys = nodes.iter().map(|&node| self.key(node, parents));
        self.remembered(keys.collect::<Result<_>>()?, |_, keys| {
            let nodes: Vec<usize> = keys.iter().map(|key| key[0]).collect();
            let parents = keys.first().map_or(&[][..], |key| &key[1..]);
            self.count_batch(parents, None, &nodes, keys, observer)
        })
    }

    /// Looks up what is remembered, and remembers what is computed. `compute` gets the
    /// places of the keys that are new, and these keys.
    fn remembered(
        &self,
        mut keys: Vec<FamilyKey>,
        compute: impl FnOnce(&[usize], &[FamilyKey]) -> Result<Vec<f64>>,
    ) -> Result<Vec<f64>> {
        let known: Vec<Option<f64>> = {
            let cache = self.cache();
            keys.iter().map(|key| cache.get(key)).collect()
        };
        let new: Vec<usize> = (0..keys.len()).filter(|&i| known[i].is_none()).collect();
        let mut scores: Vec<f64> = known.iter().map(|s| s.unwrap_or_default()).collect();
        if new.is_empty() {
            return Ok(scores);
        }
        let new_keys: Vec<FamilyKey> = new.iter().map(|&i| std::mem::take(&mut keys[i])).collect();
        let found = compute(&new, &new_keys)?;
        let mut cache = self.cache();
        for ((place, key), score) in new.into_iter().zip(new_keys).zip(found) {
            scores[place] = score;
            cache.insert(key, score);
        }
        Ok(scores)
    }

    /// The scores of families that share parents and differ in one node, all of them counted: in
    /// a parent of a node, if one is named, else in the node itself.
    ///
    /// Rows in memory are grouped once by the parents' combinations that occur and the node's
    /// value; what one more node adds is then the counts of one column by group.
    fn count_batch(
        &self,
        parents: &[usize],
        node: Option<usize>,
        others: &[usize],
        keys: &[FamilyKey],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        let mut scores = vec![0.0; keys.len()];
        let mut rest: Vec<usize> = (0..keys.len()).collect();
        if self.nodes.is_in_memory() {
            let partition = self.partition(parents)?;
            let n_parts = partition.n_parts();
            let n_node = node.map_or(1, |node| self.n_values[node]);
            let n_groups = (n_parts + 1).saturating_mul(n_node);
            let is_dense = |&place: &usize| self.is_dense(n_groups, others[place]);
            let (dense, sparse): (Vec<usize>, Vec<usize>) = rest.into_iter().partition(is_dense);
            rest = sparse;
            let groups = || match node {
                Some(node) => RowGroups::new(&partition).split(self.nodes.row_column(node)?),
                None => Ok(RowGroups::new(&partition)),
            };
            let counted: Vec<usize> = dense.iter().map(|&place| others[place]).collect();
            let found = self.by_groups(groups, &counted, observer, |i, cells| {
                let key = &keys[dense[i]];
                let shape = self.shape(key[0], &key[1..]);
                match node {
                    Some(_) => self.score_split(cells, [n_parts, self.n_values[counted[i]]], shape),
                    None => self.score_parts(cells, n_parts, shape),
                }
            })?;
            put(&mut scores, &dense, found);
        }
        // The node that differs last: all tables share what stands before it. One that is a
        // parent already makes the family no wider.
        let shared: Vec<usize> = parents.iter().copied().chain(node).collect();
        let set = |&place: &usize| {
            let is_wider = keys[place].len() > shared.len();
            [&shared[..], &others[place..place + usize::from(is_wider)]].concat()
        };
        let sets: Vec<Vec<usize>> = rest.iter().map(set).collect();
        let found = self.nodes.map_rows(&sets, observer, |i, rows| {
            let key = &keys[rest[i]];
            self.score_rows(rows, parents.len(), self.shape(key[0], &key[1..]))
        })?;
        put(&mut scores, &rest, found);
        Ok(scores)
    }

    /// Scores from the counts of some nodes by group, not kept in the index: batches may be
    /// wide. The rows are in memory.
    fn by_groups(
        &self,
        groups: impl FnOnce() -> Result<RowGroups>,
        nodes: &[usize],
        observer: &dyn Observer,
        score: impl Fn(usize, &[u64]) -> f64 + Send + Sync,
    ) -> Result<Vec<f64>> {
        if nodes.is_empty() {
            return Ok(Vec::new());
        }
        let columns = nodes.iter().map(|&node| self.nodes.row_column(node));
        let index = groups()?.index(&columns.collect::<Result<Vec<_>>>()?)?;
        (0..nodes.len())
            .into_par_iter()
            .with_min_len((ROWS_PER_JOB / self.n_rows.max(1)).max(1))
            .map(|i| {
                check(observer)?;
                let cells = index.single_cells(i)?;
                let cells = cells.ok_or_else(|| Error::internal("more groups than asked for"))?;
                Ok(score(i, &cells))
            })
            .collect()
    }

    /// Whether a column's counts by group fit a table.
    fn is_dense(&self, n_groups: usize, column: usize) -> bool {
        let n_cells = n_groups.saturating_mul(self.n_values[column] + 1);
        n_cells <= DENSE_CELLS.max(4 * self.n_rows)
    }

    /// From the counts of a candidate by group: `[part][node's value][candidate's value]`.
    fn score_split(
        &self,
        cells: &[u64],
        [n_parts, n_candidate]: [usize; 2],
        shape: FamilyShape,
    ) -> f64 {
        let mut scoring = Scoring::new(self.score, shape);
        let n_part = shape.n_states() * n_candidate;
        for part in cells.chunks_exact(n_part.max(1)).take(n_parts) {
            for value in 0..n_candidate {
                scoring.add(part[value..].iter().step_by(n_candidate).copied());
            }
        }
        scoring.finish()
    }

    /// From the counts of a node by group: `[part][node's value]`.
    fn score_parts(&self, cells: &[u64], n_parts: usize, shape: FamilyShape) -> f64 {
        let mut scoring = Scoring::new(self.score, shape);
        for part in cells.chunks_exact(shape.n_states().max(1)).take(n_parts) {
            scoring.add(part.iter().copied());
        }
        scoring.finish()
    }
}

fn put(scores: &mut [f64], places: &[usize], found: Vec<f64>) {
    for (&place, score) in places.iter().zip(found) {
        scores[place] = score;
    }
}
