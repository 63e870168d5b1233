//! Exact scores with missing features when the features form a forest given the class.
//!
//! Naive Bayes and TAN are such networks. A missing feature is summed out by messages from
//! the leaves to the roots, for all classes at once: cost O(features × values² × classes)
//! for a row, whatever is missing.

use crate::data::Codes;
use crate::network::Network;

/// The features of a forest, ready to pass messages.
#[derive(Debug, Clone)]
pub(super) struct Forest {
    nodes: Vec<Node>,
    n_classes: usize,
    /// Logs of the class's own probabilities.
    prior: Vec<f64>,
}

#[derive(Debug, Clone)]
struct Node {
    /// Its place among the network's nodes.
    column: usize,
    n_values: usize,
    /// Its parent's place in `Forest::nodes`, always later than its own.
    parent: Option<usize>,
    /// `[parent value][value][class]`.
    table: Vec<f64>,
}

impl Forest {
    /// The forest of a network, `None` where it is none: the class must have no parents,
    /// and every one of its children at most one other. A table too large to be held whole
    /// is not copied here either.
    pub(super) fn new(network: &Network, class: usize) -> Option<Self> {
        let dag = network.dag();
        let n_values = |node: usize| network.variables()[node].states.len();
        if !dag.parents(class).is_empty() {
            return None;
        }
        let mut order = dag.topological_order();
        order.retain(|&node| node != class);
        order.reverse();
        let mut place = vec![None; dag.n_nodes()];
        order
            .iter()
            .enumerate()
            .for_each(|(i, &node)| place[node] = Some(i));
        let n_classes = n_values(class);
        let mut nodes = Vec::with_capacity(order.len());
        for &column in &order {
            let parents = dag.parents(column);
            let others: Vec<usize> = parents.iter().copied().filter(|&p| p != class).collect();
            let is_whole = network.table(column).as_dense().is_some();
            if others.len() > 1 || !parents.contains(&class) || !is_whole {
                return None;
            }
            let other = others.first().copied();
            let mut table = Vec::new();
            let n_parent = other.map_or(1, n_values);
            for parent_value in 0..n_parent {
                for value in 0..n_values(column) {
                    for c in 0..n_classes {
                        let values: Vec<u32> = parents
                            .iter()
                            .map(|&p| {
                                if p == class {
                                    c as u32
                                } else {
                                    parent_value as u32
                                }
                            })
                            .collect();
                        table.push(network.table(column).probability(&values, value));
                    }
                }
            }
            let parent = other.and_then(|other| place[other]);
            nodes.push(Node {
                column,
                n_values: n_values(column),
                parent,
                table,
            });
        }
        let prior = network
            .table(class)
            .row(&[])
            .iter()
            .map(|p| p.ln())
            .collect();
        Some(Forest {
            nodes,
            n_classes,
            prior,
        })
    }

    /// Log scores of one row, up to a constant that is the same for all classes.
    pub(super) fn score(&self, columns: &[&Codes], row: usize, scores: &mut [f64]) {
        let k = self.n_classes;
        let known: Vec<Option<u32>> = self
            .nodes
            .iter()
            .map(|node| columns[node.column].get(row))
            .collect();
        // What the children say about every value of a node, for every class.
        let mut said: Vec<Vec<f64>> = self
            .nodes
            .iter()
            .map(|node| vec![1.0; node.n_values * k])
            .collect();
        scores.copy_from_slice(&self.prior);
        for (i, node) in self.nodes.iter().enumerate() {
            let below = std::mem::take(&mut said[i]);
            match node.parent {
                None => {
                    let message = node.message(0, known[i], &below, k);
                    for (score, m) in scores.iter_mut().zip(&message) {
                        *score += m.ln();
                    }
                }
                Some(parent) => {
                    let above = &mut said[parent];
                    let n_parent = above.len() / k;
                    let values = known[parent].map_or(0..n_parent, |v| v as usize..v as usize + 1);
                    for value in values.clone() {
                        let message = node.message(value, known[i], &below, k);
                        for (above, m) in above[value * k..].iter_mut().zip(&message) {
                            *above *= m;
                        }
                    }
                    // One scale for all classes and values changes no posterior.
                    rescale(&mut above[values.start * k..values.end * k]);
                }
            }
        }
    }
}

impl Node {
    /// What this node and all below it say about one value of its parent, per class.
    fn message(
        &self,
        parent_value: usize,
        known: Option<u32>,
        below: &[f64],
        k: usize,
    ) -> Vec<f64> {
        let table = &self.table[parent_value * self.n_values * k..][..self.n_values * k];
        let values = known.map_or(0..self.n_values, |v| v as usize..v as usize + 1);
        let mut message = vec![0.0; k];
        for value in values {
            for (c, m) in message.iter_mut().enumerate() {
                *m += table[value * k + c] * below[value * k + c];
            }
        }
        message
    }
}

fn rescale(cells: &mut [f64]) {
    let largest = cells.iter().copied().fold(0.0, f64::max);
    if largest > 0.0 && largest < 1e-100 {
        cells.iter_mut().for_each(|cell| *cell /= largest);
    }
}
