//! Networks for tests.

use rand_chacha::ChaCha8Rng;

use super::{Cpt, Dag, FamilyCounts, Network, Smoothing, Variable};
use crate::counts::CountColumn;
use crate::random::{below, shuffle, unit};

/// What a random network looks like.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) n_nodes: usize,
    pub(crate) max_states: usize,
    pub(crate) max_parents: usize,
    /// One probability in so many is 0; none where this is 0.
    pub(crate) one_zero_in: u64,
}

/// A node with states named by their codes.
pub(crate) fn variable(name: impl Into<String>, n_states: usize) -> Variable {
    Variable {
        name: name.into(),
        states: (0..n_states).map(|state| state.to_string()).collect(),
    }
}

/// A network of two to `max_states` states a node; arcs point in a random order of the nodes.
pub(crate) fn random_network(shape: Shape, rng: &mut ChaCha8Rng) -> Network {
    let n_states: Vec<usize> = (0..shape.n_nodes)
        .map(|_| 2 + below(rng, shape.max_states as u64 - 1) as usize)
        .collect();
    let mut order: Vec<usize> = (0..shape.n_nodes).collect();
    shuffle(&mut order, rng);
    let mut dag = Dag::new(shape.n_nodes);
    for (place, &node) in order.iter().enumerate() {
        let most = place.min(shape.max_parents);
        for _ in 0..below(rng, most as u64 + 1) {
            let parent = order[below(rng, place as u64) as usize];
            dag.add_arc(parent, node).unwrap();
        }
    }
    let tables = (0..shape.n_nodes).map(|node| {
        let parents: Vec<usize> = dag.parents(node).iter().map(|&p| n_states[p]).collect();
        let n_rows: usize = parents.iter().product();
        let rows = (0..n_rows).flat_map(|_| random_row(n_states[node], shape.one_zero_in, rng));
        Cpt::dense(n_states[node], parents, rows.collect()).unwrap()
    });
    let tables = tables.collect();
    let variables = n_states.iter().enumerate();
    let variables = variables.map(|(i, &n)| variable(format!("n{i}"), n));
    Network::new(variables.collect(), dag, tables).unwrap()
}

fn random_row(n_states: usize, one_zero_in: u64, rng: &mut ChaCha8Rng) -> Vec<f64> {
    loop {
        let weights: Vec<f64> = (0..n_states)
            .map(|_| {
                let is_zero = one_zero_in > 0 && below(rng, one_zero_in) == 0;
                if is_zero { 0.0 } else { 0.01 + unit(rng) }
            })
            .collect();
        let sum: f64 = weights.iter().sum();
        if sum > 0.0 {
            return weights.iter().map(|weight| weight / sum).collect();
        }
    }
}

/// All combinations of codes, the last changing fastest.
pub(crate) fn all_rows(n_states: &[usize]) -> Vec<Vec<u32>> {
    let mut rows = vec![Vec::new()];
    for &n in n_states {
        let longer = rows.iter().flat_map(|row: &Vec<u32>| {
            (0..n as u32).map(move |code| row.iter().copied().chain([code]).collect())
        });
        rows = longer.collect();
    }
    rows
}

/// The network of a graph with tables estimated from columns in the order of its nodes.
pub(crate) fn estimated(
    variables: Vec<Variable>,
    dag: Dag,
    columns: &[CountColumn<'_>],
    smoothing: Smoothing,
) -> Network {
    let table = |node: usize| {
        let parents = dag.parents(node).iter().map(|&parent| columns[parent]);
        let family = FamilyCounts::count(columns[node], &parents.collect::<Vec<_>>());
        Cpt::estimate(&family.unwrap(), smoothing).unwrap()
    };
    let tables = (0..dag.n_nodes()).map(table).collect();
    Network::new(variables, dag, tables).unwrap()
}

impl Network {
    /// The natural logarithm of the probability of a complete row, one code per node.
    pub(crate) fn ln_probability(&self, row: &[u32]) -> f64 {
        let ln_of_node = |node: usize| {
            let parents = self.dag().parents(node).iter();
            let parents: Vec<u32> = parents.map(|&parent| row[parent]).collect();
            self.table(node)
                .probability(&parents, row[node] as usize)
                .ln()
        };
        (0..row.len()).map(ln_of_node).sum()
    }
}
