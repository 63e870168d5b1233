//! What a run found, beside what the paper says.

use serde_json::{Map, Value};

use super::published::Published;

/// A paper's tables, as far as they were computed.
pub(super) struct Reproduction {
    pub(super) paper: Published,
    /// What was asked for.
    pub(super) settings: Map<String, Value>,
    pub(super) seed: u64,
    /// The name of the measure that cells hold.
    pub(super) measure: &'static str,
    pub(super) cells: Vec<Cell>,
    /// Cells that were asked for.
    pub(super) n_asked: usize,
    pub(super) is_cut_short: bool,
    pub(super) warnings: Vec<String>,
}

/// An entry of a table.
pub(super) struct Cell {
    /// What it is of, besides the method: names with their words.
    pub(super) place: Vec<(&'static str, Value)>,
    pub(super) method: &'static str,
    pub(super) value: f64,
    /// Over the repeats; one has none.
    pub(super) standard_error: Option<f64>,
    /// Other measures of the same units.
    pub(super) others: Vec<(&'static str, f64)>,
    /// What the paper says.
    pub(super) published: Option<f64>,
    /// Experimental units that it is a mean of.
    pub(super) n_units: usize,
}

impl Cell {
    /// Ours minus the published figure.
    pub(super) fn difference(&self) -> Option<f64> {
        self.published.map(|published| self.value - published)
    }
}

/// How near the cells of a method are to the published ones.
pub(super) struct Nearness {
    pub(super) method: &'static str,
    /// Cells with a published figure.
    pub(super) n_cells: usize,
    pub(super) mean_absolute_difference: f64,
    pub(super) mean_difference: f64,
    pub(super) largest: f64,
}

/// How often one method is ahead of another, in the cells that have both.
pub(super) struct Lead {
    pub(super) first: &'static str,
    pub(super) second: &'static str,
    pub(super) n_ahead: usize,
    pub(super) n_cells: usize,
    /// As often in the published figures of the same cells; nothing where one is missing.
    pub(super) n_ahead_published: Option<usize>,
}

impl Reproduction {
    /// The methods, in the order of their first cells.
    pub(super) fn methods(&self) -> Vec<&'static str> {
        let mut methods = Vec::new();
        for cell in &self.cells {
            if !methods.contains(&cell.method) {
                methods.push(cell.method);
            }
        }
        methods
    }

    /// The cell of a place and a method.
    pub(super) fn cell(&self, place: &[(&'static str, Value)], method: &str) -> Option<&Cell> {
        let mut cells = self.cells.iter();
        cells.find(|cell| cell.place == place && cell.method == method)
    }

    /// How near each method with published figures is to them.
    pub(super) fn nearness(&self) -> Vec<Nearness> {
        let methods = self.methods().into_iter();
        let nearness = methods.filter_map(|method| {
            let cells = self.cells.iter().filter(|cell| cell.method == method);
            let differences: Vec<f64> = cells.filter_map(Cell::difference).collect();
            let n = differences.len() as f64;
            let absolute = differences.iter().map(|d| d.abs());
            (!differences.is_empty()).then(|| Nearness {
                method,
                n_cells: differences.len(),
                mean_absolute_difference: absolute.clone().sum::<f64>() / n,
                mean_difference: differences.iter().sum::<f64>() / n,
                largest: absolute.fold(0.0, f64::max),
            })
        });
        nearness.collect()
    }

    /// Every two methods, the later one first.
    pub(super) fn leads(&self) -> Vec<Lead> {
        let methods = self.methods();
        let mut leads = Vec::new();
        for (place, &first) in methods.iter().enumerate() {
            leads.extend(
                methods[..place]
                    .iter()
                    .filter_map(|&second| self.lead(first, second)),
            );
        }
        leads
    }

    fn lead(&self, first: &'static str, second: &'static str) -> Option<Lead> {
        let cells = self.cells.iter().filter(|cell| cell.method == first);
        let pairs: Vec<(&Cell, &Cell)> = cells
            .filter_map(|cell| Some((cell, self.cell(&cell.place, second)?)))
            .collect();
        let ahead = |(a, b): &(&Cell, &Cell)| a.value > b.value;
        let published: Option<Vec<bool>> = pairs
            .iter()
            .map(|(a, b)| Some(a.published? > b.published?))
            .collect();
        (!pairs.is_empty()).then(|| Lead {
            first,
            second,
            n_ahead: pairs.iter().filter(|pair| ahead(pair)).count(),
            n_cells: pairs.len(),
            n_ahead_published: published.map(|all| all.iter().filter(|&&is| is).count()),
        })
    }
}
