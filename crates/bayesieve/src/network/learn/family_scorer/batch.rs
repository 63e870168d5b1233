//! Scores of many families at a time: rows are grouped once for all of them.

use rayon::prelude::*;

use super::{FamilyScorer, family_set};
use crate::counts::{CountColumn, RowIndex};
use crate::network::learn::groups::RowGroups;
use crate::network::learn::local_score::{FamilyShape, Scoring};
use crate::{Error, Result};
use crate::{Observer, check};

/// Tables up to this many cells, or four per row, are counted whole.
const DENSE_CELLS: usize = 65_536;

/// Rows counted by one job: less is not worth a thread.
const ROWS_PER_JOB: usize = 1 << 18;

/// A node and its parents, the way they are remembered.
type Key = Box<[usize]>;

impl<'a> FamilyScorer<'a> {
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
            self.count_wider(&family, &candidates, keys, observer)
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
            self.count_each(keys, observer)
        })
    }

    /// Looks up what is remembered, and remembers what is computed. `compute` gets the
    /// places of the keys that are new, and these keys.
    fn remembered(
        &self,
        mut keys: Vec<Key>,
        compute: impl FnOnce(&[usize], &[Key]) -> Result<Vec<f64>>,
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
        let new_keys: Vec<Key> = new.iter().map(|&i| std::mem::take(&mut keys[i])).collect();
        let found = compute(&new, &new_keys)?;
        let mut cache = self.cache();
        for ((place, key), score) in new.into_iter().zip(new_keys).zip(found) {
            scores[place] = score;
            cache.insert(key, score);
        }
        Ok(scores)
    }

    /// The scores of a family with one more parent each, all of them counted.
    ///
    /// Rows are grouped once by the parents' combinations that occur and the node's value;
    /// what a candidate adds is then the counts of one column by group.
    fn count_wider(
        &self,
        family: &[usize],
        candidates: &[usize],
        wider: &[Key],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        if self.tables().is_some() {
            return self.score_wider(family, candidates, wider, observer);
        }
        let node = self.columns[family[0]];
        let partition = self.partition(&family[1..])?;
        let n_parts = partition.n_parts();
        let n_groups = (n_parts + 1).saturating_mul(node.n_values);
        let is_dense = |&place: &usize| self.is_dense(n_groups, candidates[place]);
        let (dense, sparse): (Vec<usize>, Vec<usize>) = (0..wider.len()).partition(is_dense);
        let mut scores = vec![0.0; wider.len()];
        if !dense.is_empty() {
            let column = |&place: &usize| self.columns[candidates[place]];
            let columns: Vec<CountColumn<'a>> = dense.iter().map(column).collect();
            let index = RowGroups::new(&partition).split(node)?.index(&columns)?;
            let found = self.in_parallel(dense.len(), observer, |i| {
                let key = &wider[dense[i]];
                let shape = self.shape(key[0], &key[1..]);
                let n_values = columns[i].n_values;
                Ok(self.score_split(&cells(&index, i)?, [n_parts, n_values], shape))
            })?;
            put(&mut scores, &dense, found);
        }
        self.count_sparse(&mut scores, &sparse, wider, observer)?;
        Ok(scores)
    }

    /// The scores of families with the same parents, all of them counted: rows are grouped
    /// once by the parents' combinations that occur.
    fn count_each(&self, keys: &[Key], observer: &dyn Observer) -> Result<Vec<f64>> {
        let Some(first) = keys.first() else {
            return Ok(Vec::new());
        };
        if self.tables().is_some() {
            let sets: Vec<Vec<usize>> = keys.iter().map(|key| family_set(key)).collect();
            return self.score_tables(&sets, observer);
        }
        let partition = self.partition(&first[1..])?;
        let n_parts = partition.n_parts();
        let is_dense = |&place: &usize| self.is_dense(n_parts + 1, keys[place][0]);
        let (dense, sparse): (Vec<usize>, Vec<usize>) = (0..keys.len()).partition(is_dense);
        let mut scores = vec![0.0; keys.len()];
        if !dense.is_empty() {
            let column = |&place: &usize| self.columns[keys[place][0]];
            let columns: Vec<CountColumn<'a>> = dense.iter().map(column).collect();
            let index = RowGroups::new(&partition).index(&columns)?;
            let found = self.in_parallel(dense.len(), observer, |i| {
                let key = &keys[dense[i]];
                let shape = self.shape(key[0], &key[1..]);
                Ok(self.score_parts(&cells(&index, i)?, n_parts, shape))
            })?;
            put(&mut scores, &dense, found);
        }
        self.count_sparse(&mut scores, &sparse, keys, observer)?;
        Ok(scores)
    }

    /// Families whose tables are too large to be counted whole, one by one.
    fn count_sparse(
        &self,
        scores: &mut [f64],
        sparse: &[usize],
        keys: &[Key],
        observer: &dyn Observer,
    ) -> Result<()> {
        let found =
            self.in_parallel(sparse.len(), observer, |i| self.score_key(&keys[sparse[i]]))?;
        put(scores, sparse, found);
        Ok(())
    }

    /// Whether a column's counts by group fit a table.
    fn is_dense(&self, n_groups: usize, column: usize) -> bool {
        let n_cells = n_groups.saturating_mul(self.columns[column].n_values + 1);
        n_cells <= DENSE_CELLS.max(4 * self.n_rows)
    }

    fn in_parallel(
        &self,
        n_jobs: usize,
        observer: &dyn Observer,
        job: impl Fn(usize) -> Result<f64> + Send + Sync,
    ) -> Result<Vec<f64>> {
        (0..n_jobs)
            .into_par_iter()
            .with_min_len((ROWS_PER_JOB / self.n_rows.max(1)).max(1))
            .map(|i| {
                check(observer)?;
                job(i)
            })
            .collect()
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

/// The counts of a column by group, not kept in the index: batches may be wide.
fn cells(index: &RowIndex<'_>, column: usize) -> Result<Vec<u64>> {
    let cells = index.single_cells(column)?;
    cells.ok_or_else(|| Error::internal("more groups of rows than were asked for"))
}

fn put(scores: &mut [f64], places: &[usize], found: Vec<f64>) {
    for (&place, score) in places.iter().zip(found) {
        scores[place] = score;
    }
}
