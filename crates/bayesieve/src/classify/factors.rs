//! A network compiled to log tables over the class's boundary.
//!
//! With all features known, `P(c | x)` is proportional to the class's own table times the
//! tables of its children; every other table is the same for all classes and drops out.
//! Each of these tables becomes a [`Factor`]: one log probability per class for every
//! combination of the features in it.

use crate::data::{Code, Codes};
use crate::error::Result;
use crate::network::Network;
use crate::with_codes;

/// Factors above this many cells are looked up in the network's own tables.
const MAX_CELLS: usize = 1 << 24;

/// Log probabilities of all classes for every combination of some features.
#[derive(Debug, Clone)]
pub(super) struct Factor {
    /// The features, as nodes of the network.
    pub(super) columns: Vec<usize>,
    /// Values of each.
    n_values: Vec<usize>,
    n_classes: usize,
    /// `[combination][class]`, the first feature changing slowest.
    logs: Vec<f64>,
}

/// The factors of a network for one class node.
#[derive(Debug, Clone)]
pub(super) struct Factors {
    pub(super) list: Vec<Factor>,
    pub(super) n_classes: usize,
    /// Whether some table is too large for a factor.
    pub(super) has_too_large: bool,
    /// Whether a missing feature simply drops out: each hangs on the class and on nothing
    /// else, and nothing hangs on it.
    pub(super) is_naive: bool,
    /// The features in the class's boundary, rising: what prediction reads.
    pub(super) columns: Vec<usize>,
}

impl Factors {
    /// Compiles the boundary of the class.
    pub(super) fn new(network: &Network, class: usize) -> Result<Self> {
        let n_states = |node: usize| network.variables()[node].states.len();
        let n_classes = n_states(class);
        let mut factors = Factors {
            list: Vec::new(),
            n_classes,
            has_too_large: false,
            is_naive: false,
            columns: network.dag().boundary(class),
        };
        let dag = network.dag();
        factors.is_naive = dag.parents(class).is_empty()
            && dag
                .children(class)
                .iter()
                .all(|&child| dag.parents(child) == [class] && dag.children(child).is_empty());
        for &node in std::iter::once(&class).chain(dag.children(class)) {
            let mut columns: Vec<usize> = dag
                .parents(node)
                .iter()
                .copied()
                .filter(|&parent| parent != class)
                .collect();
            if node != class {
                columns.push(node);
            }
            let n_values: Vec<usize> = columns.iter().map(|&column| n_states(column)).collect();
            let n_cells = n_values
                .iter()
                .try_fold(n_classes, |product, &n| product.checked_mul(n))
                .filter(|&cells| cells <= MAX_CELLS);
            match n_cells {
                Some(_) => {
                    let logs = logs(network, class, node, &columns, &n_values);
                    factors.list.push(Factor {
                        columns,
                        n_values,
                        n_classes,
                        logs,
                    });
                }
                None => factors.has_too_large = true,
            }
        }
        Ok(factors)
    }
}

/// Every cell of a factor.
fn logs(
    network: &Network,
    class: usize,
    node: usize,
    columns: &[usize],
    n_values: &[usize],
) -> Vec<f64> {
    let n_classes = network.variables()[class].states.len();
    let n_combinations: usize = n_values.iter().product();
    let table = network.table(node);
    let mut logs = Vec::with_capacity(n_combinations * n_classes);
    let mut values = vec![0u32; network.variables().len()];
    let mut parents = Vec::new();
    for combination in 0..n_combinations {
        let mut rest = combination;
        for (&column, &n) in columns.iter().zip(n_values).rev() {
            values[column] = (rest % n) as u32;
            rest /= n;
        }
        for c in 0..n_classes {
            values[class] = c as u32;
            parents.clear();
            parents.extend(
                network
                    .dag()
                    .parents(node)
                    .iter()
                    .map(|&parent| values[parent]),
            );
            logs.push(table.probability(&parents, values[node] as usize).ln());
        }
    }
    logs
}

impl Factor {
    /// Adds this factor's logs to `scores[row][class]`; a row with a missing feature in the
    /// factor gets nothing.
    pub(super) fn add(&self, columns: &[&Codes], start: usize, scores: &mut [f64]) {
        match self.n_classes {
            2 => self.add_classes::<2>(columns, start, scores),
            3 => self.add_classes::<3>(columns, start, scores),
            4 => self.add_classes::<4>(columns, start, scores),
            _ => self.add_any(columns, start, scores),
        }
    }

    fn add_classes<const N: usize>(&self, columns: &[&Codes], start: usize, scores: &mut [f64]) {
        let (logs, _) = self.logs.as_chunks::<N>();
        let (scores, _) = scores.as_chunks_mut::<N>();
        let add = |score: &mut [f64; N], at: usize| {
            if let Some(logs) = logs.get(at) {
                for (score, log) in score.iter_mut().zip(logs) {
                    *score += log;
                }
            }
        };
        match self.columns[..] {
            [] => scores.iter_mut().for_each(|score| add(score, 0)),
            [a] => with_codes!(columns[a], a => {
                for (score, a) in scores.iter_mut().zip(&a[start..]) {
                    // The missing code lies behind every table.
                    add(score, if is_missing(*a) { usize::MAX } else { a.index() });
                }
            }),
            [a, b] => {
                let n_b = self.n_values[1];
                with_codes!(columns[a], a => with_codes!(columns[b], b => {
                    for (score, (a, b)) in scores.iter_mut().zip(a[start..].iter().zip(&b[start..])) {
                        let gap = is_missing(*a) || is_missing(*b);
                        add(score, if gap { usize::MAX } else { a.index() * n_b + b.index() });
                    }
                }));
            }
            _ => {
                for (row, score) in scores.iter_mut().enumerate() {
                    add(
                        score,
                        self.combination(columns, start + row).unwrap_or(usize::MAX),
                    );
                }
            }
        }
    }

    fn add_any(&self, columns: &[&Codes], start: usize, scores: &mut [f64]) {
        let n = self.n_classes;
        for (row, scores) in scores.chunks_mut(n.max(1)).enumerate() {
            if let Some(at) = self.combination(columns, start + row) {
                for (score, log) in scores.iter_mut().zip(&self.logs[at * n..]) {
                    *score += log;
                }
            }
        }
    }

    /// The place of a row's combination, `None` where a feature is missing.
    fn combination(&self, columns: &[&Codes], row: usize) -> Option<usize> {
        self.columns
            .iter()
            .zip(&self.n_values)
            .try_fold(0, |place, (&column, &n)| {
                Some(place * n + columns[column].get(row)? as usize)
            })
    }
}

fn is_missing<C: Code>(code: C) -> bool {
    code == C::MISSING
}
