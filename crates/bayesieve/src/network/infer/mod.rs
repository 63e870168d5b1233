//! Exact posteriors by variable elimination.
//!
//! Nodes that do not bear on the query are left out first: those without known descendants,
//! and those that known nodes separate from it (`relevant`). The rest is summed out node by
//! node (`order`), on tables with the known values put in (`restrict`), in numbers that do
//! not underflow (`wide`).
//! Cost: exponential in the largest set of nodes that get tangled, linear in all else.
//! A table whose rows do not sum to 1 exactly, as files with few decimals have them, is used
//! as it is; a node that was left out counts as summing to 1.

mod cache;
mod compile;
mod order;
mod plan;
mod relevant;
mod restrict;
mod step;
mod walk;
mod wide;

pub(crate) use cache::PosteriorCache;
pub use plan::{PosteriorBuffer, PosteriorPlan};

use super::Network;
use crate::{Error, Result};

impl Network {
    /// The probabilities of a node's states given the values of other nodes: one entry of
    /// `evidence` per node, `None` where it is unknown. The entry of the node itself does
    /// not count.
    ///
    /// The answer is `None` where the evidence rules out every state of the node. Evidence
    /// that is impossible in itself, whatever the node is, is not noticed: known parents
    /// give the node's row of its table however unlikely they are together.
    /// For many rows see [`PosteriorPlan`].
    ///
    /// # Errors
    /// Another number of entries than nodes, a node or state that does not exist, or tables
    /// so tangled that a product of more than 2^26 cells would be needed.
    ///
    /// # Example
    /// ```
    /// use bayesieve::network::{Cpt, Dag, Network, Variable};
    ///
    /// let variable = |name: &str| Variable {
    ///     name: name.into(),
    ///     states: vec!["no".into(), "yes".into()],
    /// };
    /// let mut dag = Dag::new(3);
    /// dag.add_arc(0, 2)?; // burglary → alarm ← storm
    /// dag.add_arc(1, 2)?;
    /// let tables = vec![
    ///     Cpt::dense(2, vec![], vec![0.75, 0.25])?,
    ///     Cpt::dense(2, vec![], vec![0.5, 0.5])?,
    ///     Cpt::dense(2, vec![2, 2], vec![1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0])?,
    /// ];
    /// let names = ["burglary", "storm", "alarm"].map(variable);
    /// let network = Network::new(names.to_vec(), dag, tables)?;
    /// let burglary = |evidence: [Option<u32>; 3]| network.posterior(0, &evidence);
    /// assert_eq!(burglary([None; 3])?, Some(vec![0.75, 0.25]));
    /// assert_eq!(burglary([None, None, Some(1)])?, Some(vec![0.6, 0.4]));
    /// assert_eq!(burglary([None, Some(1), Some(1)])?, Some(vec![0.75, 0.25])); // the storm did it
    /// assert_eq!(burglary([None, Some(1), Some(0)])?, None); // cannot be
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn posterior(&self, node: usize, evidence: &[Option<u32>]) -> Result<Option<Vec<f64>>> {
        if evidence.len() != self.variables().len() {
            return Err(Error::internal(format!(
                "evidence of {} entries for {} nodes",
                evidence.len(),
                self.variables().len()
            )));
        }
        let others = evidence.iter().enumerate().filter(|(i, _)| *i != node);
        for (other, code) in others {
            code.map_or(Ok(()), |code| self.check_state(other, code))?;
        }
        let known: Vec<bool> = evidence.iter().map(Option::is_some).collect();
        let row: Vec<u32> = evidence.iter().map(|code| code.unwrap_or(0)).collect();
        let plan = PosteriorPlan::new(self, node, &known)?;
        let mut buffer = PosteriorBuffer::default();
        let posterior = plan.posterior(&row, &mut buffer)?;
        Ok(posterior.map(<[f64]>::to_vec))
    }

    /// Number of states of a node.
    fn n_states(&self, node: usize) -> usize {
        self.table(node).n_states()
    }

    fn check_state(&self, node: usize, code: u32) -> Result<()> {
        let n_states = self.n_states(node);
        if code as usize >= n_states {
            return Err(Error::internal(format!("state {code} of {n_states}"))
                .in_column(&self.variables()[node].name));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
