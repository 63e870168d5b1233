//! Local scores around the class, asked for in batches and kept.
//!
//! A move's gain changes only when the parents of its node change, so scores are kept by
//! node and parents: one row of them holds the score with every other node as one more
//! parent, and a sweep only fills in what no earlier one asked for.

use std::collections::HashMap;

use super::fringed::FringedGraph;
use super::operator::Operator;
use crate::network::learn::FamilyScorer;
use crate::{Observer, Result, Silent, check};

/// A score that nobody has asked for yet.
const UNKNOWN: f64 = f64::NAN;

/// The families of a row of scores.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum GainRow {
    /// A node, its parents, and one more parent each.
    Wider { node: usize, parents: Box<[usize]> },
    /// Nodes that all have these parents.
    Given { parents: Box<[usize]> },
}

/// What is known of a node that hangs on these parents.
#[derive(Default)]
struct Hanging {
    parents: Vec<usize>,
    /// One more parent and what it brings.
    gains: Vec<(usize, f64)>,
}

pub(super) struct FamilyGains<'s, 'a> {
    pub(super) scorer: &'s FamilyScorer<'a>,
    observer: &'s dyn Observer,
    /// Families with larger tables are not scored.
    max_cells: f64,
    rows: HashMap<GainRow, Vec<f64>>,
    /// Families that stand alone: the node and its parents.
    single: HashMap<Box<[usize]>, f64>,
    /// By fringe node: its parents, and what other parents would bring it.
    fringe: HashMap<usize, Hanging>,
    /// How many scores were asked for.
    pub(super) n_scores: u64,
    /// Whether some family was too large.
    pub(super) has_limited: bool,
}

impl<'s, 'a> FamilyGains<'s, 'a> {
    pub(super) fn new(
        scorer: &'s FamilyScorer<'a>,
        max_cells: usize,
        observer: &'s dyn Observer,
    ) -> Self {
        FamilyGains {
            scorer,
            observer,
            max_cells: max_cells as f64,
            rows: HashMap::new(),
            single: HashMap::new(),
            fringe: HashMap::new(),
            n_scores: 0,
            has_limited: false,
        }
    }

    /// From now on nobody can stop it.
    pub(super) fn go_on(&mut self) {
        self.observer = &Silent;
    }

    /// Whether to go on.
    pub(super) fn check(&self) -> Result<()> {
        check(self.observer)
    }

    /// The scores of a node with its parents and one more: known for these candidates, and
    /// no numbers where the table would be too large.
    pub(super) fn with_each(
        &mut self,
        node: usize,
        parents: &[usize],
        candidates: &[usize],
    ) -> Result<&[f64]> {
        let (scorer, observer) = (self.scorer, self.observer);
        let n_cells = self.n_cells(parents) * self.n_cells(&[node]);
        let row = GainRow::Wider {
            node,
            parents: parents.into(),
        };
        self.fill(row, n_cells, candidates, |new| {
            scorer.score_with_each(node, parents, new, observer)
        })
    }

    /// The scores of nodes with exactly these parents: known for the nodes asked for, and no
    /// numbers where the table would be too large.
    pub(super) fn of_each(&mut self, nodes: &[usize], parents: &[usize]) -> Result<&[f64]> {
        let (scorer, observer) = (self.scorer, self.observer);
        let n_cells = self.n_cells(parents);
        let row = GainRow::Given {
            parents: parents.into(),
        };
        self.fill(row, n_cells, nodes, |new| {
            scorer.score_each(new, parents, observer)
        })
    }

    /// Fills in what a row lacks; `n_cells` is the table without the node that differs.
    fn fill(
        &mut self,
        row: GainRow,
        n_cells: f64,
        wanted: &[usize],
        score: impl FnOnce(&[usize]) -> Result<Vec<f64>>,
    ) -> Result<&[f64]> {
        let n_values = self.scorer.n_values();
        let row = self.rows.entry(row);
        let row = row.or_insert_with(|| vec![UNKNOWN; n_values.len()]);
        let is_new = |node: &usize| row[*node].is_nan();
        let fits = |node: &usize| n_cells * n_values[*node] as f64 <= self.max_cells;
        let new = wanted.iter().copied().filter(is_new);
        let (new, too_large): (Vec<usize>, Vec<usize>) = new.partition(fits);
        self.has_limited |= !too_large.is_empty();
        if !new.is_empty() {
            self.n_scores += new.len() as u64;
            for (&node, score) in new.iter().zip(score(&new)?) {
                row[node] = score;
            }
        }
        Ok(row)
    }

    /// One score; no number where the table would be too large.
    pub(super) fn score(&mut self, node: usize, parents: &[usize]) -> Result<f64> {
        let key: Box<[usize]> = [&[node], parents].concat().into();
        if let Some(&score) = self.single.get(&key) {
            return Ok(score);
        }
        let score = if self.n_cells(&key) <= self.max_cells {
            check(self.observer)?;
            self.n_scores += 1;
            self.scorer.score(node, parents)?
        } else {
            self.has_limited = true;
            UNKNOWN
        };
        self.single.insert(key, score);
        Ok(score)
    }

    /// What one more parent would bring a fringe node; no number where the table would be too
    /// large. Every sweep asks, and most nodes hang where they hung before.
    pub(super) fn of_fringe(&mut self, node: usize, parents: &[usize], more: usize) -> Result<f64> {
        let hanging = self.fringe.entry(node).or_default();
        if hanging.parents != parents {
            hanging.parents = parents.to_vec();
            hanging.gains.clear();
        }
        if let Some(&(_, gain)) = hanging.gains.iter().find(|(known, _)| *known == more) {
            return Ok(gain);
        }
        let mut wider = parents.to_vec();
        wider.insert(wider.partition_point(|&p| p < more), more);
        let gain = self.score(node, &wider)? - self.score(node, parents)?;
        if let Some(hanging) = self.fringe.get_mut(&node) {
            hanging.gains.push((more, gain));
        }
        Ok(gain)
    }

    /// By how much a move would make the total larger; `None` where it is not possible.
    pub(super) fn of_move(
        &mut self,
        graph: &FringedGraph,
        operator: Operator,
    ) -> Result<Option<f64>> {
        let Some(changes) = graph.changes(operator) else {
            return Ok(None);
        };
        let mut gain = 0.0;
        for change in changes {
            let after = self.score(change.node, &change.after)?;
            gain += after - self.score(change.node, &change.before)?;
        }
        Ok(Some(gain).filter(|gain| !gain.is_nan()))
    }

    /// The product of the numbers of values.
    fn n_cells(&self, nodes: &[usize]) -> f64 {
        let n_values = self.scorer.n_values();
        let n_values = nodes.iter().map(|&node| n_values[node] as f64);
        n_values.product()
    }
}
