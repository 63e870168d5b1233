//! Variable elimination, worked out once for a pattern of known nodes.

use super::compile::compile;
use super::relevant::Relevant;
use super::restrict::KnownCodes;
use super::step::{Memory, Step};
use super::wide::normalize;
use crate::network::Network;
use crate::{Error, Result};

/// The posterior of one node for many rows with the same nodes known.
///
/// What does not depend on the values is done once: which nodes bear on the query, and the
/// order in which unknown ones are summed out (min-fill, of equals the lowest).
///
/// # Example
/// ```
/// use bayesieve::network::{Cpt, Dag, Network, PosteriorBuffer, PosteriorPlan, Variable};
///
/// let variable = |name: &str| Variable {
///     name: name.into(),
///     states: vec!["no".into(), "yes".into()],
/// };
/// let mut dag = Dag::new(2);
/// dag.add_arc(0, 1)?;
/// let tables = vec![
///     Cpt::dense(2, vec![], vec![0.5, 0.5])?,
///     Cpt::dense(2, vec![2], vec![0.75, 0.25, 0.25, 0.75])?,
/// ];
/// let network = Network::new(vec![variable("rain"), variable("wet")], dag, tables)?;
/// let plan = PosteriorPlan::new(&network, 0, &[false, true])?;
/// let mut buffer = PosteriorBuffer::default();
/// for wet in [0, 1] {
///     let rain = plan.posterior(&[0, wet], &mut buffer)?;
///     assert_eq!(rain, Some(if wet == 1 { &[0.25, 0.75][..] } else { &[0.75, 0.25][..] }));
/// }
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub struct PosteriorPlan<'a> {
    network: &'a Network,
    /// The known nodes whose values matter, rising.
    evidence: Vec<usize>,
    /// Nodes with one state only that were not given: their code is 0.
    certain: Vec<usize>,
    /// One per node summed out; the last leaves the query.
    steps: Vec<Step>,
}

/// Memory that [`PosteriorPlan::posterior`] works in, for any plan, one per thread.
#[derive(Default)]
pub struct PosteriorBuffer {
    codes: Vec<u32>,
    memory: Memory,
    posterior: Vec<f64>,
}

impl<'a> PosteriorPlan<'a> {
    /// Plans the posterior of `node` where the nodes marked in `known` have values. The
    /// mark of the node itself does not count.
    ///
    /// # Errors
    /// Another number of marks than nodes, a node that does not exist, or tables so tangled
    /// that a product of more than 2^26 cells would be needed.
    pub fn new(network: &'a Network, node: usize, known: &[bool]) -> Result<Self> {
        Question::new(network, node, known)?.plan(network)
    }

    /// The known nodes whose values bear on the node, rising.
    pub fn evidence(&self) -> &[usize] {
        &self.evidence
    }

    /// The probabilities of the node's states given a row, one code per node; codes of
    /// unknown nodes are not looked at. `None` where the row rules out every state of the
    /// node.
    ///
    /// # Errors
    /// A row of another length, a code outside its node's states, or tables that are more
    /// than memory can hold.
    ///
    /// # Cost
    /// Proportional to the cells of all products; without unknown nodes to sum out, to the
    /// number of the node's children times its states.
    pub fn posterior<'b>(
        &self,
        row: &[u32],
        buffer: &'b mut PosteriorBuffer,
    ) -> Result<Option<&'b [f64]>> {
        self.check(row)?;
        buffer.codes.clear();
        buffer.codes.extend_from_slice(row);
        for &node in &self.certain {
            buffer.codes[node] = 0;
        }
        let source = KnownCodes {
            network: self.network,
            codes: &buffer.codes,
        };
        let products = buffer.memory.run(&self.steps, source)?;
        let is_possible = normalize(products, &mut buffer.posterior);
        Ok(is_possible.then_some(&buffer.posterior[..]))
    }

    fn check(&self, row: &[u32]) -> Result<()> {
        let variables = self.network.variables();
        if row.len() != variables.len() {
            return Err(Error::internal(format!(
                "a row of {} codes for {} nodes",
                row.len(),
                variables.len()
            )));
        }
        for &node in &self.evidence {
            self.network.check_state(node, row[node])?;
        }
        Ok(())
    }
}

/// What a posterior asks of a network: two patterns of known nodes that ask the same have
/// the same plan.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Question {
    node: usize,
    relevant: Relevant,
    /// The known nodes whose values matter, rising.
    evidence: Vec<usize>,
    /// Nodes with one state only that were not given, rising.
    certain: Vec<usize>,
}

impl Question {
    /// What bears on a node where the nodes marked in `known` have values.
    ///
    /// # Errors
    /// Another number of marks than nodes, or a node that does not exist.
    pub(super) fn new(network: &Network, node: usize, known: &[bool]) -> Result<Self> {
        let n_nodes = network.variables().len();
        if node >= n_nodes || known.len() != n_nodes {
            return Err(Error::internal(format!(
                "the posterior of node {node} of {n_nodes} with {} marks",
                known.len()
            )));
        }
        // A node with one state is as good as known.
        let is_settled: Vec<bool> = (0..n_nodes)
            .map(|other| known[other] || network.n_states(other) == 1)
            .collect();
        let relevant = Relevant::new(network.dag(), node, &is_settled);
        let mut settled: Vec<usize> = relevant
            .tables
            .iter()
            .flat_map(|table| network.dag().parents(*table).iter().chain([table]))
            .copied()
            .filter(|&other| other != node && is_settled[other])
            .collect();
        settled.sort_unstable();
        settled.dedup();
        let (evidence, certain) = settled.into_iter().partition(|&other| known[other]);
        Ok(Question {
            node,
            relevant,
            evidence,
            certain,
        })
    }

    /// Works out the steps.
    ///
    /// # Errors
    /// Tables so tangled that a product of more than 2^26 cells would be needed.
    pub(super) fn plan<'a>(&self, network: &'a Network) -> Result<PosteriorPlan<'a>> {
        Ok(PosteriorPlan {
            network,
            evidence: self.evidence.clone(),
            certain: self.certain.clone(),
            steps: compile(network, &self.relevant, self.node)?,
        })
    }
}
