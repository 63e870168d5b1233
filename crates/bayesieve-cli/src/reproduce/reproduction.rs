//! What a run found, beside what the paper says.

use serde_json::{Map, Value};

use super::published::{Figure, Published};
use super::statement::Conclusion;

/// A paper's tables, as far as they were computed.
pub(super) struct Reproduction {
    pub(super) paper: Published,
    /// What was asked for.
    pub(super) settings: Map<String, Value>,
    pub(super) seed: u64,
    /// The name of the measure that methods are compared by.
    pub(super) measure: &'static str,
    pub(super) panels: Vec<Panel>,
    /// What the paper says about its tables; none for a paper that is compared by leads.
    pub(super) conclusions: Vec<Conclusion>,
    /// Experimental units that all cells are made of.
    pub(super) n_units: usize,
    /// Cells that were asked for.
    pub(super) n_asked: usize,
    pub(super) is_cut_short: bool,
    pub(super) warnings: Vec<String>,
}

/// Cells that are shown together.
pub(super) struct Panel {
    pub(super) title: String,
    pub(super) layout: Layout,
    pub(super) cells: Vec<Cell>,
}

/// How cells are shown to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// A column for each of ours, the published figure and their difference.
    Wide,
    /// `ours (published)`, ours with so many decimals.
    Compact { decimals: usize },
}

/// An entry of a table.
pub(super) struct Cell {
    /// The table of the paper.
    pub(super) table: &'static str,
    /// What it is of, besides the method: names with their words.
    pub(super) place: Vec<(&'static str, Value)>,
    pub(super) method: &'static str,
    pub(super) measure: &'static str,
    pub(super) value: f64,
    /// Over the repeats; one has none.
    pub(super) sd: Option<f64>,
    pub(super) standard_error: Option<f64>,
    /// Other measures of the same units.
    pub(super) others: Vec<(&'static str, f64)>,
    /// What the paper says.
    pub(super) published: Option<Figure>,
    /// Experimental units that it is a mean of.
    pub(super) n_units: usize,
}

impl Cell {
    /// Ours minus the published figure.
    pub(super) fn difference(&self) -> Option<f64> {
        self.published.map(|published| self.value - published.value)
    }

    /// The difference in published standard deviations; nothing where none is printed, or a
    /// printed one is 0.
    pub(super) fn difference_in_sd(&self) -> Option<f64> {
        let sd = self.published?.sd.filter(|&sd| sd > 0.0)?;
        Some(self.difference()? / sd)
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

/// How near the cells of a table are to the published ones, by one measure.
#[derive(Debug, PartialEq)]
pub(super) struct Agreement {
    /// Nothing for all tables together.
    pub(super) table: Option<&'static str>,
    /// Nothing for all measures together.
    pub(super) measure: Option<&'static str>,
    /// Cells with a published figure.
    pub(super) n_cells: usize,
    /// Cells whose published standard deviation is not 0.
    pub(super) n_with_sd: usize,
    /// Of those, the ones that differ by no more than one standard deviation, and than two.
    pub(super) n_within: [usize; 2],
    /// Nothing for all measures together: they have no common unit.
    pub(super) means: Option<Means>,
}

/// Mean differences from published figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Means {
    pub(super) difference: f64,
    pub(super) absolute_difference: f64,
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
    /// All cells, panel by panel.
    pub(super) fn cells(&self) -> impl Iterator<Item = &Cell> + Clone {
        self.panels.iter().flat_map(|panel| &panel.cells)
    }

    /// The cells that methods are compared by.
    fn main_cells(&self) -> Vec<&Cell> {
        let cells = self.cells().filter(|cell| cell.measure == self.measure);
        cells.collect()
    }

    /// How near each method with published figures is to them, by the main measure.
    pub(super) fn nearness(&self) -> Vec<Nearness> {
        let cells = self.main_cells();
        let nearness = methods(cells.iter().copied())
            .into_iter()
            .filter_map(|method| {
                let cells = cells.iter().filter(|cell| cell.method == method);
                let differences: Vec<f64> = cells.filter_map(|cell| cell.difference()).collect();
                let means = Means::of(&differences)?;
                Some(Nearness {
                    method,
                    n_cells: differences.len(),
                    mean_absolute_difference: means.absolute_difference,
                    mean_difference: means.difference,
                    largest: differences.iter().map(|d| d.abs()).fold(0.0, f64::max),
                })
            });
        nearness.collect()
    }

    /// By table and measure, and for all cells together at the end.
    pub(super) fn agreements(&self) -> Vec<Agreement> {
        let mut kinds: Vec<(&'static str, &'static str)> = Vec::new();
        for cell in self.cells() {
            if !kinds.contains(&(cell.table, cell.measure)) {
                kinds.push((cell.table, cell.measure));
            }
        }
        let mut agreements: Vec<Agreement> = kinds
            .into_iter()
            .filter_map(|(table, measure)| {
                let cells = self.cells();
                let cells = cells.filter(|c| (c.table, c.measure) == (table, measure));
                let mut agreement = Agreement::of(cells)?;
                agreement.table = Some(table);
                agreement.measure = Some(measure);
                Some(agreement)
            })
            .collect();
        let all = Agreement::of(self.cells()).map(|all| Agreement { means: None, ..all });
        agreements.extend(all);
        agreements
    }

    /// Every two methods, the later one first, by the main measure.
    pub(super) fn leads(&self) -> Vec<Lead> {
        let cells = self.main_cells();
        let methods = methods(cells.iter().copied());
        let mut leads = Vec::new();
        for (place, &first) in methods.iter().enumerate() {
            leads.extend(
                methods[..place]
                    .iter()
                    .filter_map(|&second| lead(&cells, first, second)),
            );
        }
        leads
    }
}

impl Means {
    fn of(differences: &[f64]) -> Option<Self> {
        let n = differences.len() as f64;
        (!differences.is_empty()).then(|| Means {
            difference: differences.iter().sum::<f64>() / n,
            absolute_difference: differences.iter().map(|d| d.abs()).sum::<f64>() / n,
        })
    }
}

impl Agreement {
    /// Of cells of one measure; nothing where none is published.
    fn of<'a>(cells: impl Iterator<Item = &'a Cell> + Clone) -> Option<Self> {
        let differences: Vec<f64> = cells.clone().filter_map(Cell::difference).collect();
        let in_sd: Vec<f64> = cells.filter_map(Cell::difference_in_sd).collect();
        // Printed figures are rounded: 0.3 above 96 ± 0.3 is within, whatever 96.3 is in binary.
        let n_within = |most: f64| in_sd.iter().filter(|d| d.abs() <= most + 1e-9).count();
        let means = Means::of(&differences)?;
        Some(Agreement {
            table: None,
            measure: None,
            n_cells: differences.len(),
            n_with_sd: in_sd.len(),
            n_within: [n_within(1.0), n_within(2.0)],
            means: Some(means),
        })
    }

    /// The shares of cells within one standard deviation and within two; nothing without any.
    pub(super) fn shares(&self) -> Option<[f64; 2]> {
        let n = self.n_with_sd as f64;
        (self.n_with_sd > 0).then(|| self.n_within.map(|within| within as f64 / n))
    }
}

/// The methods, in the order of their first cells.
pub(super) fn methods<'a>(cells: impl Iterator<Item = &'a Cell>) -> Vec<&'static str> {
    let mut methods = Vec::new();
    for cell in cells {
        if !methods.contains(&cell.method) {
            methods.push(cell.method);
        }
    }
    methods
}

fn lead(cells: &[&Cell], first: &'static str, second: &'static str) -> Option<Lead> {
    let partner = |cell: &Cell| {
        let mut others = cells.iter().filter(|other| other.method == second);
        others.find(|other| other.place == cell.place).copied()
    };
    let pairs: Vec<(&Cell, &Cell)> = cells
        .iter()
        .filter(|cell| cell.method == first)
        .filter_map(|cell| Some((*cell, partner(cell)?)))
        .collect();
    let published: Option<Vec<bool>> = pairs
        .iter()
        .map(|(a, b)| Some(a.published?.value > b.published?.value))
        .collect();
    (!pairs.is_empty()).then(|| Lead {
        first,
        second,
        n_ahead: pairs.iter().filter(|(a, b)| a.value > b.value).count(),
        n_cells: pairs.len(),
        n_ahead_published: published.map(|all| all.iter().filter(|&&is| is).count()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(measure: &'static str, value: f64, published: [f64; 2]) -> Cell {
        let [of_paper, sd] = published;
        Cell {
            table: "3",
            place: Vec::new(),
            method: "m",
            measure,
            value,
            sd: None,
            standard_error: None,
            others: Vec::new(),
            published: Some(Figure {
                value: of_paper,
                sd: Some(sd),
            }),
            n_units: 1,
        }
    }

    #[test]
    fn differences_count_in_published_standard_deviations() {
        assert_eq!(cell("a", 93.0, [94.0, 2.0]).difference_in_sd(), Some(-0.5));
        // A printed 0 stands for something too small to print.
        assert_eq!(cell("a", 93.0, [94.0, 0.0]).difference_in_sd(), None);
    }

    #[test]
    fn agreement_is_by_measure_and_then_over_all_cells() {
        let panel = |cells| Panel {
            title: String::new(),
            layout: Layout::Wide,
            cells,
        };
        let reproduction = Reproduction {
            paper: Published::read(super::super::acid2011::FIGURES).unwrap(),
            settings: Map::new(),
            seed: 1,
            measure: "a",
            panels: vec![
                // Off by 1, 2 and 0.5 standard deviations; one without.
                panel(vec![
                    cell("a", 95.0, [94.0, 1.0]),
                    cell("a", 90.0, [94.0, 2.0]),
                ]),
                panel(vec![cell("b", 1.5, [1.0, 1.0]), cell("b", 1.0, [1.5, 0.0])]),
            ],
            conclusions: Vec::new(),
            n_units: 4,
            n_asked: 4,
            is_cut_short: false,
            warnings: Vec::new(),
        };
        let [a, b, all] = &reproduction.agreements()[..] else {
            panic!("two measures and all");
        };
        assert_eq!((a.measure, a.n_cells, a.n_with_sd), (Some("a"), 2, 2));
        assert_eq!(a.n_within, [1, 2]);
        // (1 - 4) / 2 and (1 + 4) / 2.
        let means = a.means.unwrap();
        assert_eq!((means.difference, means.absolute_difference), (-1.5, 2.5));
        assert_eq!((b.n_cells, b.n_with_sd, b.n_within), (2, 1, [1, 1]));
        assert_eq!((all.n_cells, all.n_with_sd, all.n_within), (4, 3, [2, 3]));
        assert_eq!(all.shares(), Some([2.0 / 3.0, 1.0]));
        assert_eq!(all.means, None);
    }
}
