//! A network on its way out of a file: what every reader checks, in one place.
//!
//! A reader declares the nodes, then hands over their tables with the parents in the order
//! of the file. Rows whose sum is within 1e-3 of 1 are kept as they are, so that writing
//! and reading gives the same numbers.

use std::collections::HashMap;

use super::super::cpt::{MAX_DENSE_CELLS, advance, check_row};
use super::super::{Cpt, Dag, Network, Variable};
use super::text::{Name, line_at};
use crate::data::nearest;
use crate::error::{Error, Result, quoted};
use crate::wording::{counted, grouped};

/// Most cells that the default rows of one file may stand for. Without a limit a few lines
/// could ask for more memory than there is.
const MOST_DEFAULT_CELLS: usize = 1 << 24;

/// Most names of a cycle or a combination that a message lists.
const MOST_LISTED: usize = 8;

/// What changes fastest in a list of all cells of a table. The first parent always changes
/// slower than the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// The node's own state: one row of probabilities behind the other.
    NodeFastest,
    /// The last parent: all probabilities of the node's first state, then of its second.
    NodeSlowest,
}

/// Numbers and where they stand.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    pub(super) values: Vec<f64>,
    pub(super) places: Vec<usize>,
}

impl Numbers {
    pub(super) fn push(&mut self, (value, at): (f64, usize)) {
        self.values.push(value);
        self.places.push(at);
    }

    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.places.clear();
    }
}

/// A node and its parents, in the order of the file.
#[derive(Debug)]
pub(super) struct Family {
    node: usize,
    parents: Vec<usize>,
    at: usize,
    /// Number of states of the node.
    n_states: usize,
    /// Number of states of each parent, by rising parent.
    parent_states: Vec<usize>,
    /// For each parent, by rising parent, its place in the order of the file.
    order: Vec<usize>,
}

impl Family {
    /// The parents, in the order of the file.
    pub(super) fn parents(&self) -> &[usize] {
        &self.parents
    }

    /// Number of combinations of the parents' states, `None` where it does not fit.
    fn n_rows(&self) -> Option<usize> {
        let states = self.parent_states.iter();
        states.copied().try_fold(1usize, usize::checked_mul)
    }

    /// Number of cells, `None` where it does not fit.
    fn n_cells(&self) -> Option<usize> {
        self.n_rows()?.checked_mul(self.n_states)
    }

    /// For each combination of values, by rising parents, its place in a list of all
    /// combinations by the order of the file.
    fn places_in_file(&self, n_rows: usize) -> impl Iterator<Item = usize> {
        let mut strides = vec![1; self.parents.len()];
        let mut by_file = vec![0; self.parents.len()];
        for (rising, &place) in self.order.iter().enumerate() {
            by_file[place] = rising;
        }
        let mut stride = 1;
        for &rising in by_file.iter().rev() {
            strides[rising] = stride;
            stride *= self.parent_states[rising];
        }
        let mut values = vec![0; self.parents.len()];
        (0..n_rows).map(move |_| {
            let digits = values.iter().zip(&strides);
            let place = digits.map(|(&value, stride)| value as usize * stride).sum();
            advance(&mut values, &self.parent_states);
            place
        })
    }
}

/// The rows of a table, each with the parents' values, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// The parents' values, by rising parent, one row behind the other.
    values: Vec<u32>,
    cells: Vec<f64>,
    places: Vec<usize>,
    default: Option<Vec<f64>>,
}

impl Rows {
    /// Whether there is neither a row nor a default.
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty() && self.default.is_none()
    }
}

/// The nodes and tables read so far.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    /// The text they come from.
    text: &'a str,
    nodes: Vec<Node>,
    by_name: HashMap<String, usize>,
    n_default_cells: usize,
}

#[derive(Debug)]
struct Node {
    variable: Variable,
    codes: HashMap<String, u32>,
    at: usize,
    table: Option<Table>,
}

#[derive(Debug)]
struct Table {
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
        if let Some(first) = self.by_name.insert(name.text.to_string(), node) {
            let line = line_at(self.text, self.nodes[first].at);
            let what = format!("node {} is declared twice", quoted(&name.text));
            return Err(self.error(name.at, format!("{what}, first in line {line}")));
        }
        let mut codes = HashMap::with_capacity(states.len());
        for (code, state) in states.iter().enumerate() {
            if codes.insert(state.text.to_string(), code as u32).is_some() {
                let (name, state_name) = (quoted(&name.text), quoted(&state.text));
                let what = format!("node {name} has the state {state_name} twice");
                return Err(self.error(state.at, what));
            }
        }
        if states.is_empty() {
            let what = format!("node {} has no states", quoted(&name.text));
            return Err(self.error(name.at, what));
        }
        self.nodes.push(Node {
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

    /// Puts a node and its parents together, in the order of the file.
    pub(super) fn family(&self, node: usize, parents: Vec<usize>, at: usize) -> Result<Family> {
        if let Some(first) = &self.nodes[node].table {
            let line = line_at(self.text, first.at);
            let what = format!(
                "{} has a second table; the first is in line {line}",
                self.label(node)
            );
            return Err(self.error(at, what));
        }
        let mut order: Vec<usize> = (0..parents.len()).collect();
        order.sort_by_key(|&place| parents[place]);
        let twice = order
            .windows(2)
            .find(|pair| parents[pair[0]] == parents[pair[1]]);
        if let Some(pair) = twice {
            let parent = quoted(&self.nodes[parents[pair[0]]].variable.name);
            let what = format!("{} has the parent {parent} twice", self.label(node));
            return Err(self.error(at, what));
        }
        let n_states = |node: usize| self.nodes[node].variable.states.len();
        Ok(Family {
            node,
            at,
            n_states: n_states(node),
            parent_states: order
                .iter()
                .map(|&place| n_states(parents[place]))
                .collect(),
            order,
            parents,
        })
    }

    /// Sets a table from the list of all its cells.
    pub(super) fn set_cells(
        &mut self,
        family: Family,
        numbers: &Numbers,
        layout: Layout,
    ) -> Result<()> {
        let n_rows = match (family.n_rows(), family.n_cells()) {
            (Some(n_rows), Some(n_cells)) if n_cells == numbers.values.len() => n_rows,
            _ => return Err(self.wrong_number_of_cells(&family, numbers.values.len())),
        };
        let mut cells = Vec::with_capacity(numbers.values.len());
        for place in family.places_in_file(n_rows) {
            let row = cells.len();
            let sources = cells_of_row(place, layout, (family.n_states, n_rows));
            cells.extend(sources.map(|source| numbers.values[source]));
            if let Err(error) = check_row(&cells[row..]) {
                let source = cells_of_row(place, layout, (family.n_states, n_rows)).next();
                let at = source.and_then(|source| numbers.places.get(source));
                let values = values_of_row(row / family.n_states, &family.parent_states);
                let error =
                    self.row_error(&family, &values, at.copied().unwrap_or(family.at), &error);
                return Err(hint_at_other_layout(error, &family, numbers, layout));
            }
        }
        let cpt = Cpt::dense(family.n_states, family.parent_states.clone(), cells)?;
        self.set_table(family, cpt);
        Ok(())
    }

    fn wrong_number_of_cells(&self, family: &Family, n: usize) -> Error {
        let states = counted(family.n_states as u64, "state");
        let rows = match family.n_rows() {
            Some(n_rows) => grouped(n_rows as u64),
            None => "too many".into(),
        };
        let what = match family.parents.len() {
            0 => format!("{} for {states}", counted_probabilities(n)),
            _ => format!(
                "{} for {states} and {rows} combinations of the parents' states",
                counted_probabilities(n)
            ),
        };
        self.error(family.at, format!("{}: {what}", self.label(family.node)))
    }

    /// Adds a row, with the parents' values in the order of the file.
    pub(super) fn add_row(
        &self,
        rows: &mut Rows,
        family: &Family,
        (values, at): (&[u32], usize),
        row: &[f64],
    ) -> Result<()> {
        let start = rows.values.len();
        rows.values
            .extend(family.order.iter().map(|&place| values[place]));
        let rising = &rows.values[start..];
        self.check_length(family, row, at)?;
        check_row(row).map_err(|error| self.row_error(family, rising, at, &error))?;
        rows.cells.extend_from_slice(row);
        rows.places.push(at);
        Ok(())
    }

    /// Sets the row of all combinations that have none of their own.
    pub(super) fn set_default(
        &self,
        rows: &mut Rows,
        family: &Family,
        row: &[f64],
        at: usize,
    ) -> Result<()> {
        self.check_length(family, row, at)?;
        let what = |what: &str| format!("{}, default row: {what}", self.label(family.node));
        check_row(row).map_err(|error| self.error(at, what(&error.to_string())))?;
        if rows.default.replace(row.to_vec()).is_some() {
            return Err(self.error(at, what("it stands twice")));
        }
        Ok(())
    }

    /// Refuses a row of another length than the node has states.
    pub(super) fn check_length(&self, family: &Family, row: &[f64], at: usize) -> Result<()> {
        if row.len() == family.n_states {
            return Ok(());
        }
        let states = counted(family.n_states as u64, "state");
        let what = format!("{} for {states}", counted_probabilities(row.len()));
        Err(self.error(at, format!("{}: {what}", self.label(family.node))))
    }

    /// Refuses a row that names another number of values than the node has parents.
    pub(super) fn check_values(&self, family: &Family, n: usize, at: usize) -> Result<()> {
        let n_parents = family.parents.len();
        if n == n_parents {
            return Ok(());
        }
        let (states, parents) = (
            counted(n as u64, "state"),
            counted(n_parents as u64, "parent"),
        );
        let what = format!(
            "{}: a row names {states} for {parents}",
            self.label(family.node)
        );
        Err(self.error(at, what))
    }

    /// Sets a table from its rows.
    pub(super) fn set_rows(&mut self, family: Family, rows: Rows) -> Result<()> {
        let n_parents = family.parents.len();
        let values = |row: usize| &rows.values[row * n_parents..(row + 1) * n_parents];
        let cells = |row: usize| &rows.cells[row * family.n_states..(row + 1) * family.n_states];
        let mut order: Vec<usize> = (0..rows.places.len()).collect();
        order.sort_by(|&a, &b| values(a).cmp(values(b)));
        if let Some(pair) = order
            .windows(2)
            .find(|pair| values(pair[0]) == values(pair[1]))
        {
            let line = line_at(self.text, rows.places[pair[0]]);
            let error = Error::data(format!("this row stands twice, first in line {line}"));
            return Err(self.row_error(&family, values(pair[1]), rows.places[pair[1]], &error));
        }
        let cpt = if let Some(default) = rows.default.clone() {
            self.count_default_cells(&family)?;
            let rows: Vec<(Vec<u32>, Vec<f64>)> = order
                .iter()
                .map(|&row| (values(row).to_vec(), cells(row).to_vec()))
                .collect();
            Cpt::with_default(default, family.parent_states.clone(), &rows)?
        } else {
            let mut expected = vec![0; n_parents];
            let is_missing = order.iter().any(|&row| {
                let is_missing = values(row) != expected;
                if !is_missing {
                    advance(&mut expected, &family.parent_states);
                }
                is_missing
            });
            if is_missing || family.n_rows() != Some(order.len()) {
                let error = Error::data("this row is missing");
                return Err(self.row_error(&family, &expected, family.at, &error));
            }
            let cells = order.iter().flat_map(|&row| cells(row)).copied().collect();
            Cpt::dense(family.n_states, family.parent_states.clone(), cells)?
        };
        self.set_table(family, cpt);
        Ok(())
    }

    /// Refuses files whose default rows stand for more than memory should hold.
    fn count_default_cells(&mut self, family: &Family) -> Result<()> {
        let n_cells = family.n_cells().filter(|&n| n <= MAX_DENSE_CELLS);
        self.n_default_cells += n_cells.unwrap_or(0);
        if self.n_default_cells <= MOST_DEFAULT_CELLS {
            return Ok(());
        }
        let most = grouped(MOST_DEFAULT_CELLS as u64);
        let what = format!("the default rows up to here stand for more than {most} cells");
        Err(self.error(family.at, what))
    }

    fn set_table(&mut self, family: Family, cpt: Cpt) {
        let parents = family.order.iter().map(|&place| family.parents[place]);
        self.nodes[family.node].table = Some(Table {
            parents: parents.collect(),
            cpt,
            at: family.at,
        });
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
        if let Some(cycle) = find_cycle(&parents) {
            return Err(self.cycle_error(&cycle));
        }
        let dag = Dag::from_parents(parents)?;
        let parts = self.nodes.into_iter();
        let parts = parts.filter_map(|node| Some((node.variable, node.table?.cpt)));
        let (variables, tables) = parts.unzip();
        Network::new(variables, dag, tables)
    }

    fn cycle_error(&self, cycle: &[usize]) -> Error {
        let name = |&node: &usize| quoted(&self.nodes[node].variable.name);
        let mut names: Vec<String> = cycle.iter().take(MOST_LISTED).map(name).collect();
        if cycle.len() > MOST_LISTED {
            names.push("…".into());
        }
        names.extend(cycle.first().map(name));
        let at = cycle.first().map_or(0, |&node| {
            let table = self.nodes[node].table.as_ref();
            table.map_or(self.nodes[node].at, |table| table.at)
        });
        self.error(at, format!("the arcs form a cycle: {}", names.join(" → ")))
    }

    /// An error in the row of a combination of values, by rising parent.
    fn row_error(&self, family: &Family, values: &[u32], at: usize, error: &Error) -> Error {
        let mut given: Vec<String> = Vec::new();
        for (place, &parent) in family.parents.iter().enumerate().take(MOST_LISTED) {
            let rising = family.order.iter().position(|&p| p == place);
            let value = rising.map_or(0, |rising| values[rising]);
            let variable = &self.nodes[parent].variable;
            let state = &variable.states[value as usize];
            given.push(format!("{} = {}", quoted(&variable.name), quoted(state)));
        }
        if family.parents.len() > MOST_LISTED {
            given.push("…".into());
        }
        let node = self.label(family.node);
        let what = match given.len() {
            0 => format!("{node}: {error}"),
            _ => format!("{node}, given {}: {error}", given.join(", ")),
        };
        self.error(at, what)
    }

    /// An error at a place of the text.
    pub(super) fn error(&self, at: usize, message: impl Into<String>) -> Error {
        Error::data(message).at_line(line_at(self.text, at))
    }
}

fn counted_probabilities(n: usize) -> String {
    match n {
        1 => "1 probability".into(),
        n => format!("{} probabilities", grouped(n as u64)),
    }
}

fn suggest(error: Error, near: Option<&str>) -> Error {
    match near {
        Some(near) => error.with_hint(format!("Did you mean {}?", quoted(near))),
        None => error,
    }
}

/// Where the cells of a row stand in a list of all cells.
fn cells_of_row(
    row: usize,
    layout: Layout,
    (n_states, n_rows): (usize, usize),
) -> impl Iterator<Item = usize> {
    (0..n_states).map(move |state| match layout {
        Layout::NodeFastest => row * n_states + state,
        Layout::NodeSlowest => state * n_rows + row,
    })
}

/// The values of a combination from its number, the first changing slowest.
fn values_of_row(mut row: usize, states: &[usize]) -> Vec<u32> {
    let mut values = vec![0; states.len()];
    for (value, &n) in values.iter_mut().zip(states).rev() {
        *value = (row % n) as u32;
        row /= n;
    }
    values
}

/// Says so where a table is wrong in the layout of its format but right in the other.
fn hint_at_other_layout(error: Error, family: &Family, numbers: &Numbers, layout: Layout) -> Error {
    let (other, changes) = match layout {
        Layout::NodeFastest => (Layout::NodeSlowest, "fastest"),
        Layout::NodeSlowest => (Layout::NodeFastest, "slowest"),
    };
    let n_rows = family.n_rows().unwrap_or(0);
    let is_right = |row| {
        let cells = cells_of_row(row, other, (family.n_states, n_rows));
        let cells: Vec<f64> = cells.map(|source| numbers.values[source]).collect();
        check_row(&cells).is_ok()
    };
    if n_rows > 1 && (0..n_rows).all(is_right) {
        let hint =
            format!("In this format the node's own state changes {changes}; here it seems not to.");
        return error.with_hint(hint);
    }
    error
}

/// Nodes that form a cycle, each a parent of the next and the last of the first.
fn find_cycle(parents: &[Vec<usize>]) -> Option<Vec<usize>> {
    // How many parents of a node have been looked at; all of them: it leads to no cycle.
    let mut n_seen = vec![0; parents.len()];
    let mut is_on_path = vec![false; parents.len()];
    let mut path = Vec::new();
    for start in 0..parents.len() {
        if n_seen[start] > 0 {
            continue;
        }
        path.push(start);
        while let Some(&node) = path.last() {
            is_on_path[node] = true;
            let Some(&parent) = parents[node].get(n_seen[node]) else {
                is_on_path[node] = false;
                path.pop();
                continue;
            };
            n_seen[node] += 1;
            if is_on_path[parent] {
                let first = path.iter().position(|&node| node == parent)?;
                return Some(path[first..].iter().rev().copied().collect());
            }
            if n_seen[parent] == 0 {
                path.push(parent);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    fn name(text: &str) -> Name<'_> {
        Name {
            text: Cow::Borrowed(text),
            at: 0,
        }
    }

    /// Nodes a, b and c of 2, 3 and 2 states.
    fn draft() -> Draft<'static> {
        let mut draft = Draft::new("");
        for (node, states) in [("a", "01"), ("b", "012"), ("c", "01")] {
            let states: Vec<Name<'_>> = states
                .split("")
                .filter(|s| !s.is_empty())
                .map(name)
                .collect();
            draft.declare(&name(node), &states).unwrap();
        }
        draft
    }

    #[test]
    fn cells_move_to_rising_parents_whatever_the_order_of_the_file() {
        // c given (b, a): the file's rows are b0a0, b0a1, b1a0, b1a1, b2a0, b2a1, each with
        // its number in sixteenths. By rising parents: a0b0, a0b1, a0b2, a1b0, a1b1, a1b2.
        let p = |row: usize| row as f64 / 16.0;
        let expected: Vec<f64> = [0, 2, 4, 1, 3, 5]
            .iter()
            .flat_map(|&row| [p(row), 1.0 - p(row)])
            .collect();
        let fastest: Vec<f64> = (0..6).flat_map(|row| [p(row), 1.0 - p(row)]).collect();
        let slowest: Vec<f64> = (0..6)
            .map(p)
            .chain((0..6).map(|row| 1.0 - p(row)))
            .collect();
        for (values, layout) in [
            (fastest, Layout::NodeFastest),
            (slowest, Layout::NodeSlowest),
        ] {
            let mut draft = draft();
            let family = draft.family(2, vec![1, 0], 0).unwrap();
            let places = vec![0; values.len()];
            draft
                .set_cells(family, &Numbers { values, places }, layout)
                .unwrap();
            let table = draft.nodes[2].table.as_ref().unwrap();
            assert_eq!(table.parents, [0, 1]);
            assert_eq!(table.cpt.as_dense(), Some(&expected[..]));
        }
    }

    #[test]
    fn rows_in_any_order_give_the_same_table_as_the_list_of_cells() {
        let mut draft = draft();
        let family = draft.family(2, vec![1, 0], 0).unwrap();
        let mut rows = Rows::default();
        for (b, a) in [(2, 1), (0, 0), (1, 1), (1, 0), (0, 1), (2, 0)] {
            let p = f64::from(2 * b + a) / 16.0;
            draft
                .add_row(&mut rows, &family, (&[b, a], 0), &[p, 1.0 - p])
                .unwrap();
        }
        draft.set_rows(family, rows).unwrap();
        let cpt = &draft.nodes[2].table.as_ref().unwrap().cpt;
        // Parents a and b: row (a1, b2) is number 5 of the file's list.
        assert_eq!(cpt.row(&[1, 2]), [5.0 / 16.0, 11.0 / 16.0]);
        assert_eq!(cpt.row(&[0, 1]), [2.0 / 16.0, 14.0 / 16.0]);
    }

    #[test]
    fn the_first_missing_row_is_named() {
        let mut draft = draft();
        let family = draft.family(2, vec![1, 0], 0).unwrap();
        let mut rows = Rows::default();
        for (b, a) in [(0, 0), (2, 0), (0, 1), (1, 1), (2, 1)] {
            draft
                .add_row(&mut rows, &family, (&[b, a], 0), &[0.5, 0.5])
                .unwrap();
        }
        let error = draft.set_rows(family, rows).unwrap_err().to_string();
        assert_eq!(
            error,
            "line 1: node \"c\", given \"b\" = \"1\", \"a\" = \"0\": this row is missing"
        );
    }

    #[test]
    fn a_cycle_is_found_and_named_in_the_direction_of_its_arcs() {
        // 0 → 1 → 2 → 3 → 1.
        let parents = [vec![], vec![0, 3], vec![1], vec![2]];
        assert_eq!(find_cycle(&parents), Some(vec![2, 3, 1]));
        assert_eq!(find_cycle(&[vec![], vec![0], vec![0, 1]]), None);
        assert_eq!(find_cycle(&[vec![0]]), Some(vec![0]));
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_nodes_is_searched_in_no_time() {
        let parents: Vec<Vec<usize>> = (0..100_000)
            .map(|node| vec![node + 1])
            .chain([vec![]])
            .collect();
        assert_eq!(find_cycle(&parents), None);
        assert!(Dag::from_parents(parents).is_ok());
    }

    #[test]
    fn default_rows_that_stand_for_too_many_cells_are_refused() {
        // 2^20 cells each: the seventeenth is one too many.
        let mut draft = Draft::new("");
        let states: Vec<String> = (0..1024).map(|s| s.to_string()).collect();
        let states: Vec<Name<'_>> = states.iter().map(|s| name(s)).collect();
        let names: Vec<String> = (0..19).map(|n| n.to_string()).collect();
        for (node, node_name) in names.iter().enumerate() {
            let n_states = if node == 0 {
                512
            } else if node == 1 {
                1024
            } else {
                2
            };
            draft
                .declare(&name(node_name), &states[..n_states])
                .unwrap();
        }
        for node in 2..19 {
            let family = draft.family(node, vec![0, 1], 0).unwrap();
            let mut rows = Rows::default();
            draft
                .set_default(&mut rows, &family, &[0.5, 0.5], 0)
                .unwrap();
            assert_eq!(draft.set_rows(family, rows).is_ok(), node < 18, "{node}");
        }
    }
}
