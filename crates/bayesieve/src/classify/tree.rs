//! Exact scores with missing features when the features form a forest given the class.
//!
//! Naive Bayes and TAN are such networks. A missing feature is summed out by messages from
//! the leaves to the roots, for all classes at once: cost O(features × values² × classes)
//! for a row, whatever is missing.

use crate::data::Codes;
use crate::network::Network;

/// The features of a forest, ready to pass messages.
#[derive(Debug, Clone)]
pub(super) struct Forest<'a> {
    nodes: Vec<Node<'a>>,
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
struct Node<'a> {
    /// Its place among the network's nodes.
    column: usize,
    n_values: usize,
    /// Where what is said about it begins in `Messages::said`.
    start: usize,
    /// Its parent's place in `Forest::nodes`, always later than its own.
    parent: Option<usize>,
    /// The network's own table: its values stand side by side.
    table: &'a [f64],
    /// Cells from one value of the parent to the next.
    parent_step: usize,
    /// Cells from one class to the next.
    class_step: usize,
}

impl<'a> Forest<'a> {
    /// The forest of a network, `None` where it is none: the class must have no parents,
    /// and every one of its children at most one other. Tables must hold every row.
    pub(super) fn new(network: &'a Network, class: usize) -> Option<Self> {
        let dag = network.dag();
        if !dag.parents(class).is_empty() {
            return None;
        }
        let mut order = dag.topological_order();
        order.retain(|&node| node != class);
        order.reverse();
        let mut place = vec![None; dag.n_nodes()];
        for (i, &node) in order.iter().enumerate() {
            place[node] = Some(i);
        }
        let n_classes = network.variables()[class].states.len();
        let mut nodes: Vec<Node<'a>> = Vec::with_capacity(order.len());
        for &column in &order {
            let mut node = Node::new(network, class, column)?;
            node.start = nodes.last().map_or(0, |before| before.end(n_classes));
            let mut others = dag.parents(column).iter().filter(|&&p| p != class);
            node.parent = others.next().and_then(|&other| place[other]);
            nodes.push(node);
        }
        let prior = network.table(class).row(&[]);
        Some(Forest {
            nodes,
            n_classes,
            prior: prior.iter().map(|p| p.ln()).collect(),
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

impl<'a> Node<'a> {
    /// A node of the network that has no place in the forest yet.
    fn new(network: &'a Network, class: usize, column: usize) -> Option<Self> {
        let n_states = |node: usize| network.variables()[node].states.len();
        let n_values = n_states(column);
        // The last parent changes fastest.
        let (parent_step, class_step) = match *network.dag().parents(column) {
            [only] if only == class => (0, n_values),
            [_, last] if last == class => (n_values * n_states(class), n_values),
            [first, last] if first == class => (n_values, n_values * n_states(last)),
            _ => return None,
        };
        Some(Node {
            column,
            n_values,
            start: 0,
            parent: None,
            table: network.table(column).as_dense()?,
            parent_step,
            class_step,
        })
    }

    /// Where what is said about it ends.
    fn end(&self, n_classes: usize) -> usize {
        self.start + self.n_values * n_classes
    }

    /// What this node and all below it say about one value of its parent, per class.
    fn say(&self, parent_value: usize, known: Option<u32>, below: &[f64], message: &mut [f64]) {
        let k = message.len();
        let values = values_of(known, self.n_values);
        for (class, m) in message.iter_mut().enumerate() {
            let at = parent_value * self.parent_step + class * self.class_step;
            let table = &self.table[at..at + self.n_values][values.clone()];
            let below = below[values.start * k + class..].iter().step_by(k);
            *m = table.iter().zip(below).map(|(p, b)| p * b).sum();
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
