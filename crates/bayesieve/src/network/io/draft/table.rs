//! Tables as files give them, brought into the order of a network: parents rising, the
//! first changing slowest, one row behind the other.
//!
//! DraftRows whose sum is within 1e-3 of 1 are kept as they are, so that writing and reading
//! gives the same numbers.

use super::super::super::Cpt;
use super::super::super::cpt::{MAX_DENSE_CELLS, advance, check_row};
use super::super::text::line_at;
use super::{Draft, DraftTable, MAX_LISTED};
use crate::wording::{counted, grouped};
use crate::{Error, Result, quoted};

/// Most cells that the default rows of one file may stand for. Without a limit a few lines
/// could ask for more memory than there is.
const MAX_DEFAULT_CELLS: usize = 1 << 24;

/// What changes fastest in a list of all cells of a table. The first parent always changes
/// slower than the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// The node's own state: one row of probabilities behind the other.
    NodeFastest,
    /// The last parent: all probabilities of the node's first state, then of its second.
    NodeSlowest,
}

/// Numbers and where they stand.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    pub(crate) values: Vec<f64>,
    pub(crate) places: Vec<usize>,
}

impl Numbers {
    pub(crate) fn push(&mut self, (value, at): (f64, usize)) {
        self.values.push(value);
        self.places.push(at);
    }

    pub(crate) fn clear(&mut self) {
        self.values.clear();
        self.places.clear();
    }
}

/// A node and its parents.
#[derive(Debug)]
pub(crate) struct Family {
    node: usize,
    /// The parents in the order of the file.
    parents: Vec<usize>,
    /// Where the table begins.
    at: usize,
    /// Number of states of the node.
    n_states: usize,
    /// Number of states of each parent, by rising parent.
    parent_states: Vec<usize>,
    /// For each parent, by rising parent, its place in the order of the file.
    order: Vec<usize>,
    /// Number of combinations of the parents' states, `None` where it does not fit.
    n_rows: Option<usize>,
}

impl Family {
    /// The parents, in the order of the file.
    pub(crate) fn parents(&self) -> &[usize] {
        &self.parents
    }

    /// Number of cells, `None` where it does not fit.
    fn n_cells(&self) -> Option<usize> {
        self.n_rows?.checked_mul(self.n_states)
    }

    /// The parents that count, rising: how many states each has, and how far its next state
    /// is in a list of all combinations by the order of the file.
    pub(super) fn digits(&self) -> (Vec<usize>, Vec<usize>) {
        let mut by_file = vec![0; self.parents.len()];
        for (rising, &place) in self.order.iter().enumerate() {
            by_file[place] = rising;
        }
        let mut strides = vec![1; self.parents.len()];
        let mut stride = 1;
        for &rising in by_file.iter().rev() {
            strides[rising] = stride;
            stride *= self.parent_states[rising];
        }
        // Without those of one state there are never more digits than a row number has bits.
        let digits = self.parent_states.iter().zip(strides);
        digits.filter(|&(&n, _)| n > 1).unzip()
    }

    /// For each combination of values, by rising parents, its place among all combinations
    /// by the order of the file.
    pub(super) fn places_in_file(&self) -> impl Iterator<Item = usize> + use<> {
        let (states, strides) = self.digits();
        let mut values = vec![0; states.len()];
        (0..self.n_rows.unwrap_or(0)).map(move |_| {
            let digits = values.iter().zip(&strides);
            let place = digits.map(|(&value, stride)| value as usize * stride);
            let place = place.sum();
            advance(&mut values, &states);
            place
        })
    }

    /// Where the cells of a row stand in a list of all cells; the row as the file counts.
    fn cells_of_row(&self, row: usize, layout: Layout) -> impl Iterator<Item = usize> + use<> {
        let (n_states, n_rows) = (self.n_states, self.n_rows.unwrap_or(0));
        (0..n_states).map(move |state| match layout {
            Layout::NodeFastest => row * n_states + state,
            Layout::NodeSlowest => state * n_rows + row,
        })
    }

    /// The values of a combination from its number, both by rising parents.
    fn values_of_row(&self, mut row: usize) -> Vec<u32> {
        let mut values = vec![0; self.parent_states.len()];
        for (value, &n) in values.iter_mut().zip(&self.parent_states).rev() {
            *value = (row % n) as u32;
            row /= n;
        }
        values
    }

    /// Whether all rows of a list of cells are right in some layout.
    fn is_right(&self, numbers: &Numbers, layout: Layout) -> bool {
        (0..self.n_rows.unwrap_or(0)).all(|row| {
            let cells = self.cells_of_row(row, layout);
            let cells: Vec<f64> = cells.map(|cell| numbers.values[cell]).collect();
            check_row(&cells).is_ok()
        })
    }
}

/// A row of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DraftRow<'a> {
    /// The parents' values, in the order of the file.
    pub(crate) values: &'a [u32],
    pub(crate) cells: &'a [f64],
    pub(crate) at: usize,
}

/// The rows of a table so far, in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct DraftRows {
    /// The parents' values, by rising parent, one row behind the other.
    values: Vec<u32>,
    cells: Vec<f64>,
    places: Vec<usize>,
    default: Option<Vec<f64>>,
}

impl DraftRows {
    /// Whether there is neither a row nor a default.
    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty() && self.default.is_none()
    }
}

impl Draft<'_> {
    /// Puts a node and its parents together, in the order of the file.
    pub(crate) fn family(&self, node: usize, parents: Vec<usize>, at: usize) -> Result<Family> {
        let label = self.label(node);
        if let Some(first) = &self.nodes[node].table {
            let line = line_at(self.text, first.at);
            let what = format!("{label} has a second table; the first is in line {line}");
            return Err(self.error(at, what));
        }
        let mut order: Vec<usize> = (0..parents.len()).collect();
        order.sort_by_key(|&place| parents[place]);
        let mut pairs = order.windows(2);
        if let Some(pair) = pairs.find(|pair| parents[pair[0]] == parents[pair[1]]) {
            let parent = quoted(&self.nodes[parents[pair[0]]].variable.name);
            return Err(self.error(at, format!("{label} has the parent {parent} twice")));
        }
        let n_states = |node: usize| self.nodes[node].variable.states.len();
        let rising = order.iter().map(|&place| parents[place]);
        let parent_states: Vec<usize> = rising.map(n_states).collect();
        let mut states = parent_states.iter().copied();
        Ok(Family {
            node,
            at,
            n_states: n_states(node),
            n_rows: states.try_fold(1usize, usize::checked_mul),
            parent_states,
            order,
            parents,
        })
    }

    /// Sets a table from the list of all its cells.
    pub(crate) fn set_cells(
        &mut self,
        family: Family,
        numbers: &Numbers,
        layout: Layout,
    ) -> Result<()> {
        if family.n_cells() != Some(numbers.values.len()) {
            return Err(self.wrong_number_of_cells(&family, numbers.values.len()));
        }
        let mut cells = Vec::with_capacity(numbers.values.len());
        for (row, place) in family.places_in_file().enumerate() {
            let sources = family.cells_of_row(place, layout);
            cells.extend(sources.map(|source| numbers.values[source]));
            if let Err(error) = check_row(&cells[row * family.n_states..]) {
                let first = family.cells_of_row(place, layout).next();
                let at = first.map_or(family.at, |first| numbers.places[first]);
                let values = family.values_of_row(row);
                let error = self.row_error(&family, &values, at, &error);
                return Err(hint_at_other_layout(error, &family, numbers, layout));
            }
        }
        let cpt = Cpt::dense(family.n_states, family.parent_states.clone(), cells)?;
        self.set_table(family, cpt);
        Ok(())
    }

    fn wrong_number_of_cells(&self, family: &Family, n: usize) -> Error {
        let label = self.label(family.node);
        let found = counted_probabilities(n);
        let states = counted(family.n_states as u64, "state");
        let what = match (family.parents.len(), family.n_rows) {
            (0, _) => format!("{label}: {found} for {states}"),
            (_, Some(n_rows)) => {
                let rows = counted(n_rows as u64, "combination");
                format!("{label}: {found} for {states} and {rows} of the parents' states")
            }
            (_, None) => format!("{label}: {found} for more rows than can be counted"),
        };
        self.error(family.at, what)
    }

    /// Adds a row.
    pub(crate) fn add_row(
        &self,
        family: &Family,
        rows: &mut DraftRows,
        row: DraftRow<'_>,
    ) -> Result<()> {
        self.check_length(family, row)?;
        let start = rows.values.len();
        let rising = family.order.iter().map(|&place| row.values[place]);
        rows.values.extend(rising);
        check_row(row.cells)
            .map_err(|error| self.row_error(family, &rows.values[start..], row.at, &error))?;
        rows.cells.extend_from_slice(row.cells);
        rows.places.push(row.at);
        Ok(())
    }

    /// Sets the row of all combinations that have none of their own.
    pub(crate) fn set_default(
        &self,
        family: &Family,
        rows: &mut DraftRows,
        row: DraftRow<'_>,
    ) -> Result<()> {
        self.check_length(family, row)?;
        let wrong = |what: &dyn std::fmt::Display| {
            let label = self.label(family.node);
            self.error(row.at, format!("{label}, default row: {what}"))
        };
        check_row(row.cells).map_err(|error| wrong(&error))?;
        match rows.default.replace(row.cells.to_vec()) {
            Some(_) => Err(wrong(&"it stands twice")),
            None => Ok(()),
        }
    }

    /// Refuses a row of another length than the node has states.
    pub(crate) fn check_length(&self, family: &Family, row: DraftRow<'_>) -> Result<()> {
        if row.cells.len() == family.n_states {
            return Ok(());
        }
        let label = self.label(family.node);
        let found = counted_probabilities(row.cells.len());
        let states = counted(family.n_states as u64, "state");
        Err(self.error(row.at, format!("{label}: {found} for {states}")))
    }

    /// Refuses a row that names another number of values than the node has parents.
    pub(crate) fn check_values(&self, family: &Family, n: usize, at: usize) -> Result<()> {
        let n_parents = family.parents.len();
        if n == n_parents {
            return Ok(());
        }
        let label = self.label(family.node);
        let (states, parents) = (
            counted(n as u64, "state"),
            counted(n_parents as u64, "parent"),
        );
        Err(self.error(at, format!("{label}: a row names {states} for {parents}")))
    }

    /// Sets a table from its rows.
    pub(crate) fn set_rows(&mut self, family: Family, rows: DraftRows) -> Result<()> {
        let n_parents = family.parents.len();
        let values = |row: usize| &rows.values[row * n_parents..(row + 1) * n_parents];
        let cells = |row: usize| &rows.cells[row * family.n_states..(row + 1) * family.n_states];
        let mut order: Vec<usize> = (0..rows.places.len()).collect();
        order.sort_by(|&a, &b| values(a).cmp(values(b)));
        let mut pairs = order.windows(2);
        if let Some(pair) = pairs.find(|pair| values(pair[0]) == values(pair[1])) {
            let line = line_at(self.text, rows.places[pair[0]]);
            let error = Error::data(format!("this row stands twice, first in line {line}"));
            return Err(self.row_error(&family, values(pair[1]), rows.places[pair[1]], &error));
        }
        let parent_states = family.parent_states.clone();
        let cpt = if let Some(default) = rows.default.clone() {
            self.count_default_cells(&family)?;
            let pair = |&row: &usize| (values(row).to_vec(), cells(row).to_vec());
            let pairs: Vec<(Vec<u32>, Vec<f64>)> = order.iter().map(pair).collect();
            Cpt::with_default(default, parent_states, &pairs)?
        } else {
            let mut sorted = order.iter().map(|&row| values(row));
            if let Some(missing) = missing_row(&family, &mut sorted) {
                let error = Error::data("this row is missing");
                return Err(self.row_error(&family, &missing, family.at, &error));
            }
            let all = order.iter().flat_map(|&row| cells(row)).copied().collect();
            Cpt::dense(family.n_states, parent_states, all)?
        };
        self.set_table(family, cpt);
        Ok(())
    }

    /// Refuses files whose default rows stand for more than memory should hold.
    fn count_default_cells(&mut self, family: &Family) -> Result<()> {
        let n_cells = family.n_cells().filter(|&n| n <= MAX_DENSE_CELLS);
        self.n_default_cells += n_cells.unwrap_or(0);
        if self.n_default_cells <= MAX_DEFAULT_CELLS {
            return Ok(());
        }
        let most = grouped(MAX_DEFAULT_CELLS as u64);
        let what = format!("the default rows up to here stand for more than {most} cells");
        Err(self.error(family.at, what))
    }

    fn set_table(&mut self, family: Family, cpt: Cpt) {
        let parents = family.order.iter().map(|&place| family.parents[place]);
        self.nodes[family.node].table = Some(DraftTable {
            parents: parents.collect(),
            cpt,
            at: family.at,
        });
    }

    /// An error in the row of a combination of values, by rising parent.
    fn row_error(&self, family: &Family, values: &[u32], at: usize, error: &Error) -> Error {
        let mut in_file = vec![0; values.len()];
        for (&place, &value) in family.order.iter().zip(values) {
            in_file[place] = value;
        }
        let pairs = family.parents.iter().zip(in_file).take(MAX_LISTED);
        let mut given: Vec<String> = pairs
            .map(|(&parent, value)| {
                let parent = &self.nodes[parent].variable;
                let state = &parent.states[value as usize];
                format!("{} = {}", quoted(&parent.name), quoted(state))
            })
            .collect();
        if family.parents.len() > MAX_LISTED {
            given.push("…".into());
        }
        let label = self.label(family.node);
        let what = match given.len() {
            0 => format!("{label}: {error}"),
            _ => format!("{label}, given {}: {error}", given.join(", ")),
        };
        self.error(at, what)
    }
}

/// The first combination without a row, of rows by rising combination, no two of them equal.
fn missing_row(family: &Family, rows: &mut dyn Iterator<Item = &[u32]>) -> Option<Vec<u32>> {
    let mut expected = vec![0; family.parents.len()];
    let mut n_found = 0;
    for row in rows {
        if row != expected {
            return Some(expected);
        }
        advance(&mut expected, &family.parent_states);
        n_found += 1;
    }
    (Some(n_found) != family.n_rows).then_some(expected)
}

fn counted_probabilities(n: usize) -> String {
    match n {
        1 => "1 probability".into(),
        n => format!("{} probabilities", grouped(n as u64)),
    }
}

/// Says so where a table is wrong in the layout of its format but right in the other.
fn hint_at_other_layout(error: Error, family: &Family, numbers: &Numbers, layout: Layout) -> Error {
    let (other, changes) = match layout {
        Layout::NodeFastest => (Layout::NodeSlowest, "fastest"),
        Layout::NodeSlowest => (Layout::NodeFastest, "slowest"),
    };
    if family.parents.is_empty() || !family.is_right(numbers, other) {
        return error;
    }
    error.with_hint(format!(
        "In this format the node's own state changes {changes}; here it seems not to."
    ))
}
