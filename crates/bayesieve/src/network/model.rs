//! A Bayesian network: named variables, a graph, a table for every node.

use std::collections::HashMap;

use super::{Cpt, Dag};
use crate::{Error, Result, quoted};

/// A node's name and the names of its states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its states, in code order.
    pub states: Vec<String>,
}

/// A Bayesian network.
///
/// The table of a node has the node's parents in rising order ([`Dag::parents`]), the
/// first changing slowest.
///
/// # Example
/// ```
/// use bayesieve::network::{Cpt, Dag, Network, Variable};
///
/// let variable = |name: &str| Variable {
///     name: name.into(),
///     states: vec!["no".into(), "yes".into()],
/// };
/// let mut dag = Dag::new(2);
/// dag.add_arc(0, 1)?;
/// let tables = vec![
///     Cpt::dense(2, vec![], vec![0.8, 0.2])?,
///     Cpt::dense(2, vec![2], vec![0.9, 0.1, 0.3, 0.7])?,
/// ];
/// let network = Network::new(vec![variable("rain"), variable("wet")], dag, tables)?;
/// assert_eq!(network.table(1).probability(&[1], 1), 0.7); // wet when it rains
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    variables: Vec<Variable>,
    dag: Dag,
    tables: Vec<Cpt>,
}

impl Network {
    /// Puts the parts together.
    ///
    /// # Errors
    /// Parts of different numbers, duplicate names or states, or a table that does not
    /// fit its node and parents.
    pub fn new(variables: Vec<Variable>, dag: Dag, tables: Vec<Cpt>) -> Result<Self> {
        if variables.len() != dag.n_nodes() || tables.len() != dag.n_nodes() {
            return Err(Error::internal(
                "a network's parts are of different numbers",
            ));
        }
        check_distinct("the node name", variables.iter().map(|v| v.name.as_str()))?;
        for (node, variable) in variables.iter().enumerate() {
            check_distinct("the state", variable.states.iter().map(String::as_str))
                .map_err(|error| error.in_column(&variable.name))?;
            let parents: Vec<usize> = dag
                .parents(node)
                .iter()
                .map(|&p| variables[p].states.len())
                .collect();
            let table = &tables[node];
            if table.n_states() != variable.states.len() || table.parent_states() != parents {
                return Err(Error::data(
                    "the table does not fit the states of the node and its parents",
                )
                .in_column(&variable.name));
            }
        }
        Ok(Network {
            variables,
            dag,
            tables,
        })
    }

    /// The variables in node order.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The graph.
    pub fn dag(&self) -> &Dag {
        &self.dag
    }

    /// The table of a node.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn table(&self, node: usize) -> &Cpt {
        &self.tables[node]
    }

    /// The node of a name.
    pub fn node(&self, name: &str) -> Option<usize> {
        self.variables
            .iter()
            .position(|variable| variable.name == name)
    }

    /// Number of free parameters, as a float since it may be huge.
    pub fn n_parameters(&self) -> f64 {
        self.tables.iter().map(Cpt::n_parameters).sum()
    }
}

fn check_distinct<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut seen = HashMap::new();
    for (place, name) in names.enumerate() {
        if let Some(first) = seen.insert(name, place) {
            return Err(Error::data(format!(
                "{what} {} occurs twice, as number {} and {}",
                quoted(name),
                first + 1,
                place + 1
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str, n: usize) -> Variable {
        Variable {
            name: name.into(),
            states: (0..n).map(|s| format!("s{s}")).collect(),
        }
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let table = |n| Cpt::dense(n, vec![], vec![1.0 / n as f64; n]).unwrap();
        let twice = Network::new(
            vec![variable("a", 2), variable("a", 2)],
            Dag::new(2),
            vec![table(2), table(2)],
        );
        assert!(
            twice
                .unwrap_err()
                .to_string()
                .contains("\"a\" occurs twice")
        );
        let other = Network::new(vec![variable("a", 2)], Dag::new(1), vec![table(3)]);
        assert!(other.unwrap_err().to_string().contains("does not fit"));
    }
}
