//! From a pattern of known nodes to the steps of variable elimination.

use super::order::Neighbors;
use super::relevant::Relevant;
use super::restrict::Restriction;
use super::step::{Factor, Step};
use super::walk::Grid;
use crate::network::Network;
use crate::wording::grouped;
use crate::{Error, Result, quoted};

/// The largest product of tables that is worked out, in cells.
const MAX_CELLS: usize = 1 << 26;

/// Nodes that a message names one by one.
const MAX_NAMED: usize = 8;

/// One step per node summed out; the last multiplies what is left, over the query alone.
///
/// # Errors
/// A product of more than [`MAX_CELLS`] cells.
pub(super) fn compile(network: &Network, relevant: &Relevant, query: usize) -> Result<Vec<Step>> {
    let mut compiler = Compiler::new(network, relevant);
    let mut steps = Vec::with_capacity(relevant.hidden.len());
    for (summed, scope) in compiler.order(query)? {
        steps.push(compiler.sum_out(steps.len(), summed, scope));
    }
    steps.push(compiler.multiply_rest(query));
    Ok(steps)
}

/// Works out the steps.
struct Compiler<'a> {
    network: &'a Network,
    hidden: &'a [usize],
    /// Factors not yet multiplied, each with its nodes in the order of its cells.
    waiting: Vec<Option<(Factor, Vec<usize>)>>,
    /// Of every hidden node the factors, past and present, that hold it.
    holders: Vec<Vec<usize>>,
}

impl<'a> Compiler<'a> {
    fn new(network: &'a Network, relevant: &'a Relevant) -> Self {
        let mut compiler = Compiler {
            network,
            hidden: &relevant.hidden,
            waiting: Vec::new(),
            holders: vec![Vec::new(); relevant.hidden.len()],
        };
        for &table in &relevant.tables {
            let is_free = |node| relevant.hidden.binary_search(&node).is_ok();
            let restriction = Restriction::new(network, table, is_free);
            let scope = restriction.scope(network);
            compiler.add(Factor::Table(restriction), scope);
        }
        compiler
    }

    /// The place of a node among the hidden ones.
    fn place(&self, node: usize) -> usize {
        self.hidden.partition_point(|&other| other < node)
    }

    fn add(&mut self, factor: Factor, scope: Vec<usize>) {
        for &node in &scope {
            let place = self.place(node);
            self.holders[place].push(self.waiting.len());
        }
        self.waiting.push(Some((factor, scope)));
    }

    /// The hidden nodes but the query in the order of summing out, with their neighbors.
    fn order(&self, query: usize) -> Result<Vec<(usize, Vec<usize>)>> {
        let mut neighbors = Neighbors::new(self.hidden.len());
        for (_, scope) in self.waiting.iter().flatten() {
            let places: Vec<usize> = scope.iter().map(|&node| self.place(node)).collect();
            neighbors.link_all(&places);
        }
        let states: Vec<usize> = self
            .hidden
            .iter()
            .map(|&n| self.network.n_states(n))
            .collect();
        let nodes = |places: Vec<usize>| places.into_iter().map(|p| self.hidden[p]).collect();
        let order = neighbors
            .into_order(self.place(query), &states, MAX_CELLS)
            .map_err(|scope| self.too_large(query, nodes(scope)))?;
        Ok(order
            .into_iter()
            .map(|(place, scope)| (self.hidden[place], nodes(scope)))
            .collect())
    }

    fn too_large(&self, query: usize, mut scope: Vec<usize>) -> Error {
        scope.sort_unstable();
        let name = |node: usize| quoted(&self.network.variables()[node].name);
        let cells: f64 = scope
            .iter()
            .map(|&node| self.network.n_states(node) as f64)
            .product();
        let mut named: Vec<String> = scope
            .iter()
            .take(MAX_NAMED)
            .map(|&node| format!("{} ({})", name(node), self.network.n_states(node)))
            .collect();
        if scope.len() > MAX_NAMED {
            named.push(format!("and {} more", scope.len() - MAX_NAMED));
        }
        Error::data(format!(
            "the posterior of {} needs a table over {}: {} cells, limit {}",
            name(query),
            named.join(", "),
            if cells < 1e15 {
                grouped(cells as u64)
            } else {
                format!("{cells:.1e}")
            },
            grouped(MAX_CELLS as u64)
        ))
        .with_hint("Give some of these nodes a value, or use a network with fewer arcs.")
    }

    /// Multiplies all factors that hold a node and sums it out.
    fn sum_out(&mut self, step: usize, summed: usize, scope: Vec<usize>) -> Step {
        let place = self.place(summed);
        let holders = std::mem::take(&mut self.holders[place]);
        let factors = holders
            .iter()
            .filter_map(|&factor| self.waiting[factor].take())
            .collect();
        let made = self.step(factors, &scope, Some(summed));
        self.add(Factor::Message(step), scope);
        made
    }

    /// Multiplies what is left, over the query alone.
    fn multiply_rest(&mut self, query: usize) -> Step {
        let factors = std::mem::take(&mut self.waiting);
        self.step(factors.into_iter().flatten().collect(), &[query], None)
    }

    fn step(
        &self,
        factors: Vec<(Factor, Vec<usize>)>,
        scope: &[usize],
        summed: Option<usize>,
    ) -> Step {
        let stride = |factor: &[usize], node: usize| {
            let place = factor.iter().position(|&other| other == node);
            place.map_or(0, |place| self.n_cells(&factor[place + 1..]))
        };
        let strides_of = |node: usize| factors.iter().map(move |(_, f)| stride(f, node));
        Step {
            grid: Grid {
                dims: scope.iter().map(|&n| self.network.n_states(n)).collect(),
                strides: scope.iter().flat_map(|&node| strides_of(node)).collect(),
            },
            n_summed: summed.map_or(1, |node| self.network.n_states(node)),
            summed_strides: match summed {
                Some(node) => strides_of(node).collect(),
                None => vec![0; factors.len()],
            },
            factors: factors.into_iter().map(|(factor, _)| factor).collect(),
        }
    }

    fn n_cells(&self, nodes: &[usize]) -> usize {
        nodes.iter().map(|&n| self.network.n_states(n)).product()
    }
}
