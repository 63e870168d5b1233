//! A network on its way out of a file: what every reader checks, in one place.
//!
//! A reader declares the nodes, then hands over their tables with the parents in the order
//! of the file.

mod table;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

pub(super) use self::table::{DraftRow, DraftRows, Family, Layout, Numbers};
use super::super::{Cpt, Dag, Network, Variable};
use super::text::{Name, line_at};
use crate::data::nearest;
use crate::{Error, Result, quoted};

/// Most names of a cycle or a combination that a message lists.
const MAX_LISTED: usize = 8;

/// The nodes and tables read so far.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    /// The text they come from.
    text: &'a str,
    nodes: Vec<DraftNode>,
    by_name: HashMap<String, usize>,
    /// How many cells default rows have stood for so far.
    n_default_cells: usize,
}

#[derive(Debug)]
struct DraftNode {
    variable: Variable,
    codes: HashMap<String, u32>,
    /// Where it is declared.
    at: usize,
    table: Option<DraftTable>,
}

#[derive(Debug)]
struct DraftTable {
    /// The parents, rising.
    parents: Vec<usize>,
    cpt: Cpt,
    at: usize,
}

impl<'a> Draft<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Draft {
            text,
            nodes: Vec::new(),
            by_name: HashMap::new(),
            n_default_cells: 0,
        }
    }

    /// Adds a node and says its number.
    pub(super) fn declare(&mut self, name: &Name<'_>, states: &[Name<'_>]) -> Result<usize> {
        let node = self.nodes.len();
        let label = format!("node {}", quoted(&name.text));
        if let Some(first) = self.by_name.insert(name.text.to_string(), node) {
            let line = line_at(self.text, self.nodes[first].at);
            let what = format!("{label} is declared twice, first in line {line}");
            return Err(self.error(name.at, what));
        }
        if states.is_empty() {
            return Err(self.error(name.at, format!("{label} has no states")));
        }
        let mut codes = HashMap::with_capacity(states.len());
        for (code, state) in states.iter().enumerate() {
            if codes.insert(state.text.to_string(), code as u32).is_some() {
                let what = format!("{label} has the state {} twice", quoted(&state.text));
                return Err(self.error(state.at, what));
            }
        }
        self.nodes.push(DraftNode {
            variable: Variable {
                name: name.text.to_string(),
                states: states.iter().map(|state| state.text.to_string()).collect(),
            },
            codes,
            at: name.at,
            table: None,
        });
        Ok(node)
    }

    /// The node of a name.
    pub(super) fn node(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The name of a node, for a message.
    pub(super) fn label(&self, node: usize) -> String {
        format!("node {}", quoted(&self.nodes[node].variable.name))
    }

    /// The node of a name that must be known.
    pub(super) fn known_node(&self, name: &Name<'_>) -> Result<usize> {
        self.node(&name.text).ok_or_else(|| {
            let what = format!("there is no node {}", quoted(&name.text));
            let known = self.nodes.iter().map(|node| node.variable.name.as_str());
            suggest(self.error(name.at, what), nearest(&name.text, known))
        })
    }

    /// The code of a state that must be known.
    pub(super) fn known_code(&self, node: usize, state: &Name<'_>) -> Result<u32> {
        let found = self.nodes[node].codes.get(&*state.text);
        found.copied().ok_or_else(|| {
            let what = format!("{} has no state {}", self.label(node), quoted(&state.text));
            let known = &self.nodes[node].variable.states;
            let near = nearest(&state.text, known.iter().map(String::as_str));
            suggest(self.error(state.at, what), near)
        })
    }

    /// The network, once every node has its table.
    pub(super) fn finish(self) -> Result<Network> {
        if self.nodes.is_empty() {
            return Err(Error::data("no node is declared"));
        }
        if let Some(node) = self.nodes.iter().position(|node| node.table.is_none()) {
            let what = format!("{} has no table", self.label(node));
            return Err(self.error(self.nodes[node].at, what));
        }
        let tables = self.nodes.iter().filter_map(|node| node.table.as_ref());
        let parents: Vec<Vec<usize>> = tables.map(|table| table.parents.clone()).collect();
        let dag = Dag::or_cycle(parents)?.map_err(|cycle| self.cycle_error(&cycle))?;
        let parts = self.nodes.into_iter();
        let parts = parts.filter_map(|node| Some((node.variable, node.table?.cpt)));
        let (variables, tables) = parts.unzip();
        Network::new(variables, dag, tables)
    }

    fn cycle_error(&self, cycle: &[usize]) -> Error {
        let name = |&node: &usize| quoted(&self.nodes[node].variable.name);
        let mut names: Vec<String> = cycle.iter().take(MAX_LISTED).map(name).collect();
        if cycle.len() > MAX_LISTED {
            names.push("…".into());
        }
        names.extend(cycle.first().map(name));
        let tables = cycle
            .iter()
            .filter_map(|&node| self.nodes[node].table.as_ref());
        let at = tables.map(|table| table.at).min().unwrap_or(0);
        self.error(at, format!("the arcs form a cycle: {}", names.join(" → ")))
    }

    /// An error at a place of the text.
    pub(super) fn error(&self, at: usize, message: impl Into<String>) -> Error {
        Error::data(message).at_line(line_at(self.text, at))
    }
}

fn suggest(error: Error, near: Option<&str>) -> Error {
    match near {
        Some(near) => error.with_hint(format!("Did you mean {}?", quoted(near))),
        None => error,
    }
}
