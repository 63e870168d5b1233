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

/// Memory that [`Forest::score`] works in.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// What the children say about every value of every node, for every class.
    said: Vec<f64>,
    /// The value of every node.
    known: Vec<Option<u32>>,
    /// What one node says, for every class.
    message: Vec<f64>,
}

#[derive(Debug, Clone)]
struct Node {
    /// Its place among the network's nodes.
    column: usize,
    n_values: usize,
    /// Where what is said about it begins in `Messages::said`.
    start: usize,
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
            let start = nodes
                .last()
                .map_or(0, |before: &Node| before.end(n_classes));
            nodes.push(Node {
                column,
                n_values: n_values(column),
                start,
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
    pub(super) fn score(
        &self,
        columns: &[&Codes],
        row: usize,
        scores: &mut [f64],
        messages: &mut Messages,
    ) {
        let k = self.n_classes;
        let Messages {
            said,
            known,
            message,
        } = messages;
        let code = |node: &Node| {
            let code = columns[node.column].get(row);
            code.filter(|&code| (code as usize) < node.n_values)
        };
        known.clear();
        known.extend(self.nodes.iter().map(code));
        said.clear();
        said.resize(self.nodes.last().map_or(0, |last| last.end(k)), 1.0);
        message.resize(k, 0.0);
        scores.copy_from_slice(&self.prior);
        for (i, node) in self.nodes.iter().enumerate() {
            // Parents stand later, so what is said about them does, too.
            let (below, above) = said.split_at_mut(node.end(k));
            let below = &below[node.start..];
            match node.parent {
                None => {
                    node.say(0, known[i], below, message);
                    for (score, m) in scores.iter_mut().zip(&*message) {
                        *score += m.ln();
                    }
                }
                Some(parent) => {
                    let start = self.nodes[parent].start - node.end(k);
                    let n_parent = self.nodes[parent].n_values;
                    let values = values_of(known[parent], n_parent);
                    for value in values.clone() {
                        node.say(value, known[i], below, message);
                        let above = above[start + value * k..].iter_mut();
                        for (above, m) in above.zip(&*message) {
                            *above *= m;
                        }
                    }
                    // One scale for all classes and values changes no posterior.
                    rescale(&mut above[start + values.start * k..start + values.end * k]);
                }
            }
        }
    }
}

impl Node {
    /// Where what is said about it ends.
    fn end(&self, n_classes: usize) -> usize {
        self.start + self.n_values * n_classes
    }

    /// What this node and all below it say about one value of its parent, per class.
    fn say(&self, parent_value: usize, known: Option<u32>, below: &[f64], message: &mut [f64]) {
        let k = message.len();
        let table = &self.table[parent_value * self.n_values * k..][..self.n_values * k];
        message.fill(0.0);
        for value in values_of(known, self.n_values) {
            let products = table[value * k..].iter().zip(&below[value * k..]);
            for (m, (p, b)) in message.iter_mut().zip(products) {
                *m += p * b;
            }
        }
    }
}

/// The values to sum over: the known one, or all.
fn values_of(known: Option<u32>, n_values: usize) -> std::ops::Range<usize> {
    known.map_or(0..n_values, |v| v as usize..v as usize + 1)
}

fn rescale(cells: &mut [f64]) {
    let largest = cells.iter().copied().fold(0.0, f64::max);
    if largest > 0.0 && largest < 1e-100 {
        cells.iter_mut().for_each(|cell| *cell /= largest);
    }
}
