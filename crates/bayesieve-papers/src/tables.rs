//! The cells of a paper's tables, ours beside the published figures, and how near they are.

use bayesieve::Result;
use bayesieve::stats::mean_sd;
use bayesieve_report::{ReproducedCell, ReproducedPanel};
use serde::Serialize;
use serde_json::{Value, json};

use crate::outcome::object;
use crate::published::Figure;
use crate::text::shown;

/// Cells that are shown together.
#[derive(Debug)]
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) layout: PanelLayout,
    pub(crate) cells: Vec<FigureCell>,
}

/// How cells are shown to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PanelLayout {
    /// A column for each of ours, the published figure and their difference.
    Wide,
    /// `ours (published)`, ours with so many decimals.
    Compact { decimals: usize },
}

/// An entry of a table.
#[derive(Debug, Clone, Default)]
pub(crate) struct FigureCell {
    /// The table of the paper.
    pub(crate) table: &'static str,
    /// What it is of, besides the method: names with their words.
    pub(crate) place: Vec<(&'static str, Value)>,
    pub(crate) method: &'static str,
    pub(crate) measure: &'static str,
    pub(crate) value: f64,
    /// Over the repeats; one has none.
    pub(crate) sd: Option<f64>,
    pub(crate) standard_error: Option<f64>,
    /// Other measures of the same units.
    pub(crate) others: Vec<(&'static str, f64)>,
    /// What the paper says.
    pub(crate) published: Option<Figure>,
    /// Experimental units that it is a mean of.
    pub(crate) n_units: usize,
}

impl Panel {
    /// Returns it as a page shows it.
    pub(crate) fn reproduced(&self) -> ReproducedPanel {
        let cells = self.cells.iter().map(|cell| {
            let place: Vec<String> = cell.place.iter().map(|(_, word)| shown(word)).collect();
            ReproducedCell {
                table: cell.table.to_owned(),
                row: place.join(", "),
                column: cell.method.to_owned(),
                measure: cell.measure.to_owned(),
                published: cell.published.map(|figure| figure.value),
                published_sd: cell.published.and_then(|figure| figure.sd),
                ours: Some(cell.value),
                ours_sd: cell.sd,
            }
        });
        ReproducedPanel {
            title: self.title.clone(),
            cells: cells.collect(),
        }
    }
}

impl FigureCell {
    /// Returns an empty cell of a table: what it is of, its method and its measure.
    pub(crate) fn new(
        table: &'static str,
        place: &[(&'static str, &'static str)],
        method: &'static str,
        measure: &'static str,
        published: Option<Figure>,
    ) -> Self {
        let place = place.iter();
        FigureCell {
            table,
            place: place.map(|&(name, word)| (name, word.into())).collect(),
            method,
            measure,
            published,
            ..FigureCell::default()
        }
    }

    /// Returns the cell with the mean and the spread of some values.
    pub(crate) fn with_mean(self, values: &[f64]) -> Result<Self> {
        let moments = mean_sd(values)?;
        let root = (values.len() as f64).sqrt();
        Ok(FigureCell {
            value: moments.mean,
            sd: moments.sd,
            standard_error: moments.sd.map(|sd| sd / root),
            n_units: values.len(),
            ..self
        })
    }

    /// Ours minus the published figure.
    pub(crate) fn difference(&self) -> Option<f64> {
        self.published.map(|published| self.value - published.value)
    }

    /// The difference in published standard deviations; nothing where none is printed, or a
    /// printed one is 0.
    pub(crate) fn difference_in_sd(&self) -> Option<f64> {
        let sd = self.published?.sd.filter(|&sd| sd > 0.0)?;
        Some(self.difference()? / sd)
    }

    /// Returns it as a document has it.
    pub(crate) fn document(&self) -> Value {
        let own = [
            ("method", json!(self.method)),
            ("table", json!(self.table)),
            ("measure", json!(self.measure)),
            // Under the name of the measure too, beside its companions in `others`.
            (self.measure, json!(self.value)),
            ("ours", json!(self.value)),
            ("sd", json!(self.sd)),
            ("standard_error", json!(self.standard_error)),
        ];
        let others = self.others.iter().map(|&(name, x)| (name, json!(x)));
        let figure = self.published;
        let published = [
            ("published", json!(figure.map(|figure| figure.value))),
            ("published_sd", json!(figure.and_then(|figure| figure.sd))),
            ("difference", json!(self.difference())),
            ("difference_in_sd", json!(self.difference_in_sd())),
            ("units", json!(self.n_units)),
        ];
        let place = self.place.iter().cloned();
        object(place.chain(own).chain(others).chain(published))
    }
}

/// How near the cells of a method are to the published ones.
#[derive(Serialize)]
struct Nearness {
    method: &'static str,
    /// Cells with a published figure.
    cells: usize,
    mean_absolute_difference: f64,
    mean_difference: f64,
    largest_absolute_difference: f64,
}

/// How often one method is ahead of another, in the cells that have both.
#[derive(Serialize)]
struct Lead {
    first: &'static str,
    second: &'static str,
    ahead: usize,
    /// As often in the published figures of the same cells; nothing where one is missing.
    published_ahead: Option<usize>,
    cells: usize,
}

/// How near the cells of a table are to the published ones, by one measure.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Agreement {
    /// Nothing for all tables together.
    pub(crate) table: Option<&'static str>,
    /// Nothing for all measures together.
    pub(crate) measure: Option<&'static str>,
    /// Cells with a published figure.
    pub(crate) cells: usize,
    /// Cells whose published standard deviation is not 0.
    pub(crate) cells_with_sd: usize,
    /// The share of those that differ by no more than one standard deviation; nothing without
    /// any.
    pub(crate) within_one_sd: Option<f64>,
    /// By no more than two.
    pub(crate) within_two_sd: Option<f64>,
    /// Nothing for all measures together: they have no common unit.
    pub(crate) mean_difference: Option<f64>,
    pub(crate) mean_absolute_difference: Option<f64>,
}

/// Says how near cells are to the published ones: by method, by pair of methods, by table.
pub(crate) fn summary(cells: &[&FigureCell], measure: &str) -> Value {
    let main = main_cells(cells, measure);
    json!({
        "methods": by_method(&main),
        "leads": leads(&main),
        "agreement": agreements(cells),
    })
}

/// Says the same by the main measure in sentences.
pub(crate) fn nearness(cells: &[&FigureCell], measure: &str) -> Vec<String> {
    let main = main_cells(cells, measure);
    let near = by_method(&main).into_iter().map(|near| {
        format!(
            "{}: {:.4} from the published figures on average ({} cells; mean {:+.4}, at most {:.4})",
            near.method,
            near.mean_absolute_difference,
            near.cells,
            near.mean_difference,
            near.largest_absolute_difference
        )
    });
    let leads = leads(&main).into_iter().map(|lead| {
        let published = lead.published_ahead;
        format!(
            "{} is ahead of {} in {} of {} cells{}",
            lead.first,
            lead.second,
            lead.ahead,
            lead.cells,
            published.map_or(String::new(), |n| format!(" (published: {n})"))
        )
    });
    near.chain(leads).collect()
}

/// The cells that methods are compared by.
fn main_cells<'a>(cells: &[&'a FigureCell], measure: &str) -> Vec<&'a FigureCell> {
    let cells = cells.iter().filter(|cell| cell.measure == measure);
    cells.copied().collect()
}

fn by_method(cells: &[&FigureCell]) -> Vec<Nearness> {
    let nearness = methods(cells).into_iter().filter_map(|method| {
        let cells = cells.iter().filter(|cell| cell.method == method);
        let differences: Vec<f64> = cells.filter_map(|cell| cell.difference()).collect();
        let (mean_difference, mean_absolute_difference) = means(&differences)?;
        Some(Nearness {
            method,
            cells: differences.len(),
            mean_absolute_difference,
            mean_difference,
            largest_absolute_difference: differences.iter().map(|d| d.abs()).fold(0.0, f64::max),
        })
    });
    nearness.collect()
}

/// Every two methods, the later one first.
fn leads(cells: &[&FigureCell]) -> Vec<Lead> {
    let methods = methods(cells);
    let pairs = (0..methods.len()).flat_map(|first| (0..first).map(move |second| (first, second)));
    pairs
        .filter_map(|(first, second)| lead(cells, methods[first], methods[second]))
        .collect()
}

fn lead(cells: &[&FigureCell], first: &'static str, second: &'static str) -> Option<Lead> {
    let partner = |cell: &FigureCell| {
        let mut others = cells.iter().filter(|other| other.method == second);
        others.find(|other| other.place == cell.place).copied()
    };
    let pairs: Vec<(&FigureCell, &FigureCell)> = cells
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
        ahead: pairs.iter().filter(|(a, b)| a.value > b.value).count(),
        published_ahead: published.map(|all| all.iter().filter(|&&is| is).count()),
        cells: pairs.len(),
    })
}

/// By table and measure, and for all cells together at the end.
pub(crate) fn agreements(cells: &[&FigureCell]) -> Vec<Agreement> {
    let kinds = distinct(cells.iter().map(|cell| (cell.table, cell.measure)));
    let agreements = kinds.into_iter().filter_map(|(table, measure)| {
        let cells = cells.iter().copied();
        let cells = cells.filter(|cell| (cell.table, cell.measure) == (table, measure));
        Some(Agreement {
            table: Some(table),
            measure: Some(measure),
            ..Agreement::of(cells)?
        })
    });
    let all = Agreement::of(cells.iter().copied()).map(|all| Agreement {
        mean_difference: None,
        mean_absolute_difference: None,
        ..all
    });
    agreements.chain(all).collect()
}

impl Agreement {
    /// Of cells of one measure; nothing where none is published.
    fn of<'a>(cells: impl Iterator<Item = &'a FigureCell> + Clone) -> Option<Self> {
        let differences: Vec<f64> = cells.clone().filter_map(FigureCell::difference).collect();
        let in_sd: Vec<f64> = cells.filter_map(FigureCell::difference_in_sd).collect();
        let share = |most: f64| {
            // Printed figures are rounded: 0.3 above 96 ± 0.3 is within, whatever 96.3 is in
            // binary.
            let n_within = in_sd.iter().filter(|d| d.abs() <= most + 1e-9).count();
            (!in_sd.is_empty()).then(|| n_within as f64 / in_sd.len() as f64)
        };
        let (mean_difference, mean_absolute_difference) = means(&differences)?;
        Some(Agreement {
            table: None,
            measure: None,
            cells: differences.len(),
            cells_with_sd: in_sd.len(),
            within_one_sd: share(1.0),
            within_two_sd: share(2.0),
            mean_difference: Some(mean_difference),
            mean_absolute_difference: Some(mean_absolute_difference),
        })
    }
}

/// The means of differences and of their absolute values; nothing without any.
fn means(differences: &[f64]) -> Option<(f64, f64)> {
    let n = differences.len() as f64;
    let absolute = differences.iter().map(|d| d.abs()).sum::<f64>();
    (!differences.is_empty()).then(|| (differences.iter().sum::<f64>() / n, absolute / n))
}

/// Returns the methods in the order of their first cells.
pub(crate) fn methods(cells: &[&FigureCell]) -> Vec<&'static str> {
    distinct(cells.iter().map(|cell| cell.method))
}

/// Returns every item once, in the order of its first place.
pub(crate) fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for item in items {
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(measure: &'static str, value: f64, published: [f64; 2]) -> FigureCell {
        let [of_paper, sd] = published;
        FigureCell {
            table: "3",
            method: "m",
            measure,
            value,
            published: Some(Figure {
                value: of_paper,
                sd: Some(sd),
            }),
            n_units: 1,
            ..FigureCell::default()
        }
    }

    #[test]
    fn differences_count_in_published_standard_deviations() {
        assert_eq!(cell("a", 93.0, [94.0, 2.0]).difference_in_sd(), Some(-0.5));
        // A printed 0 stands for something too small to print.
        assert_eq!(cell("a", 93.0, [94.0, 0.0]).difference_in_sd(), None);
    }

    #[test]
    fn a_cell_has_the_mean_and_the_spread_of_its_runs() {
        // Mean 3, deviations -2, 0, 2: variance 8 / 2.
        let cell = FigureCell::default().with_mean(&[1.0, 3.0, 5.0]).unwrap();
        assert_eq!((cell.value, cell.sd, cell.n_units), (3.0, Some(2.0), 3));
        assert_eq!(cell.standard_error, Some(2.0 / 3_f64.sqrt()));
    }

    #[test]
    fn agreement_is_by_measure_and_then_over_all_cells() {
        // Off by 1, 2 and 0.5 standard deviations; one without.
        let cells = [
            cell("a", 95.0, [94.0, 1.0]),
            cell("a", 90.0, [94.0, 2.0]),
            cell("b", 1.5, [1.0, 1.0]),
            cell("b", 1.0, [1.5, 0.0]),
        ];
        let agreements = agreements(&cells.iter().collect::<Vec<_>>());
        let [a, b, all] = &agreements[..] else {
            panic!("two measures and all");
        };
        assert_eq!((a.measure, a.cells, a.cells_with_sd), (Some("a"), 2, 2));
        assert_eq!((a.within_one_sd, a.within_two_sd), (Some(0.5), Some(1.0)));
        // (1 - 4) / 2 and (1 + 4) / 2.
        let means = (a.mean_difference, a.mean_absolute_difference);
        assert_eq!(means, (Some(-1.5), Some(2.5)));
        assert_eq!((b.cells, b.cells_with_sd), (2, 1));
        assert_eq!((b.within_one_sd, b.within_two_sd), (Some(1.0), Some(1.0)));
        assert_eq!((all.cells, all.cells_with_sd), (4, 3));
        assert_eq!(all.within_one_sd, Some(2.0 / 3.0));
        assert_eq!((all.within_two_sd, all.mean_difference), (Some(1.0), None));
    }
}
