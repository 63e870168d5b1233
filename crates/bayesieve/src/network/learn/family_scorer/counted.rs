//! Scores of families from tables of rows that are somewhere else.

use super::FamilyScorer;
use crate::Observer;
use crate::counts::JointTable;
use crate::network::learn::local_score::{FamilyShape, Scoring};
use crate::{Error, Result};

impl FamilyScorer<'_> {
    /// The scores of families, each named by its parents and then its node.
    pub(super) fn score_tables(
        &self,
        sets: &[Vec<usize>],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        let tables = self.tables.as_ref().ok_or_else(no_tables)?;
        tables.map_joint(sets, observer, |place, table| {
            let set = &sets[place];
            let n_parents = set.len().saturating_sub(1);
            let shape = self.shape(set[n_parents], &set[..n_parents]);
            // The node changes fastest: the cells of a combination stand together.
            let n_values = table.n_values()[n_parents].max(1) as u64;
            Ok(self.score_cells(table, shape, |key| key / n_values))
        })
    }

    /// The scores of a family with one more parent each; the candidate is counted last, so
    /// that all tables share what stands before it.
    pub(super) fn score_wider(
        &self,
        family: &[usize],
        candidates: &[usize],
        wider: &[Box<[usize]>],
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        let tables = self.tables.as_ref().ok_or_else(no_tables)?;
        // A candidate that is a parent already makes the family no wider.
        let set = |(&candidate, n_wider): (&usize, usize)| {
            let is_wider = n_wider > family.len();
            let (node, parents) = (&family[..1], &family[1..]);
            let last = if is_wider {
                vec![candidate]
            } else {
                Vec::new()
            };
            [parents, node, &last].concat()
        };
        let sets: Vec<Vec<usize>> = candidates
            .iter()
            .zip(wider.iter().map(|key| key.len()))
            .map(set)
            .collect();
        tables.map_joint(&sets, observer, |place, table| {
            let key = &wider[place];
            let shape = self.shape(key[0], &key[1..]);
            let n_node = self.n_values[key[0]].max(1) as u64;
            let is_wider = key.len() > family.len();
            let n_last = if is_wider {
                self.n_values[candidates[place]].max(1) as u64
            } else {
                1
            };
            Ok(self.score_cells(table, shape, |key| {
                key / (n_node * n_last) * n_last + key % n_last
            }))
        })
    }

    /// The score from the cells of a family and the combination of parents of each.
    fn score_cells(
        &self,
        table: &JointTable,
        shape: FamilyShape,
        parents_of: impl Fn(u64) -> u64,
    ) -> f64 {
        let mut scoring = Scoring::new(self.score, shape);
        let mut totals: Vec<(u64, u64)> = Vec::new();
        for (key, n) in table.iter() {
            scoring.add_cell(n);
            let parents = parents_of(key);
            match totals.last_mut() {
                Some((last, total)) if *last == parents => *total += n,
                _ => totals.push((parents, n)),
            }
        }
        totals.sort_unstable_by_key(|&(parents, _)| parents);
        for total in totals.chunk_by(|x, y| x.0 == y.0) {
            scoring.add_total(total.iter().map(|&(_, n)| n).sum());
        }
        scoring.finish()
    }
}

fn no_tables() -> Error {
    Error::internal("families of rows in memory have no tables")
}
