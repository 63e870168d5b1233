//! Tables 2 to 6, ours beside the published figures.

use bayesieve::Result;
use bayesieve::evaluate::Run;
use bayesieve::stats::{FiveByTwo, five_by_two_f, mean_sd};

use super::super::comparison::{Compared, Spot};
use super::super::published::{Figure, Published};
use super::super::reproduction::{Cell, Layout, Panel};
use super::super::statement::Conclusion;
use super::conclusions::{Figures, statements};
use super::recipe::{DATA, MODELS, Model, SIDES};

/// What was found, ready for tables.
pub(super) struct Results<'a> {
    pub(super) paper: &'a Published,
    pub(super) compared: &'a Compared,
    pub(super) models: &'a [Model],
    pub(super) population: u64,
}

impl Results<'_> {
    pub(super) fn conclusions(&self) -> Result<Vec<Conclusion>> {
        let published = Figures::published(self.paper)?;
        let mut ours = Figures::default();
        for panel in self.panels()? {
            for cell in &panel.cells {
                let word = |place: usize| cell.place.get(place).and_then(|(_, word)| word.as_str());
                if let (Some(model), Some(data)) = (word(0), word(1)) {
                    ours.insert((model, data, cell.method, cell.measure), cell.value);
                }
            }
        }
        Ok(Conclusion::pair(statements(&published), statements(&ours)))
    }

    pub(super) fn panels(&self) -> Result<Vec<Panel>> {
        let mut panels = Vec::new();
        for (place, model) in self.models.iter().enumerate() {
            let [accuracy, features] = model.tables;
            let number = |measure| match measure {
                "accuracy" => |run: &Run| 100.0 * run.accuracy,
                _ => |run: &Run| run.n_used as f64,
            };
            let titles = [
                (accuracy, "accuracy", "% of the rows classified correctly"),
                (features, "features", "features that the model uses"),
            ];
            for (table, measure, what) in titles {
                let cells = self.cells((place, model), (table, measure), number(measure))?;
                panels.push(Panel {
                    title: format!("table {table}, {}: {what}", model.published),
                    layout: Layout::Compact { decimals: 2 },
                    cells,
                });
            }
            let tests = self.tests(place, model)?;
            let stops = self.stops(place, model)?;
            for (table, what, cells) in [
                (accuracy, "p of the 5x2cv F test", tests),
                (
                    "6",
                    "the generation in which searches stop, on average",
                    stops,
                ),
            ] {
                panels.push(Panel {
                    title: format!("table {table}, {}: {what}", model.published),
                    layout: Layout::Compact { decimals: 2 },
                    cells,
                });
            }
        }
        panels.retain(|panel| !panel.cells.is_empty());
        Ok(panels)
    }

    /// Pipelines are by model, then without and with.
    fn values(
        &self,
        (data, model, side): (&str, usize, usize),
        number: impl Fn(&Run) -> f64,
    ) -> Option<Vec<f64>> {
        let pipeline = model * SIDES.len() + side;
        self.compared
            .values((data, pipeline), |run| Some(number(run)))
    }

    fn cells(
        &self,
        (place, model): (usize, &Model),
        (table, measure): (&'static str, &'static str),
        number: fn(&Run) -> f64,
    ) -> Result<Vec<Cell>> {
        let published = self.paper.table(table)?;
        let mut cells = Vec::new();
        for data in &DATA {
            for (side, method) in SIDES.into_iter().enumerate() {
                let Some(values) = self.values((data.name, place, side), number) else {
                    continue;
                };
                let spot = spot((table, measure), model, (data.name, method));
                let mut cell = spot.cell_of(&values, published.figure(&[data.name], method))?;
                let seconds = self.values((data.name, place, side), |run| run.seconds);
                if let (Some(seconds), "accuracy") = (seconds, measure) {
                    cell.others.push(("seconds", mean_sd(&seconds)?.mean));
                }
                cells.push(cell);
            }
        }
        Ok(cells)
    }

    fn tests(&self, place: usize, model: &Model) -> Result<Vec<Cell>> {
        let published = self.paper.table(model.tables[0])?;
        let mut cells = Vec::new();
        for data in &DATA {
            let halves = |side| {
                let values = self.values((data.name, place, side), |run| run.accuracy)?;
                by_replication(&values)
            };
            let (Some(without), Some(with)) = (halves(0), halves(1)) else {
                continue;
            };
            let test = five_by_two_f(&with, &without)?;
            let spot = spot((model.tables[0], "p"), model, (data.name, "with"));
            cells.push(spot.cell(test.p, published.figure(&[data.name], "p")));
        }
        Ok(cells)
    }

    fn stops(&self, place: usize, model: &Model) -> Result<Vec<Cell>> {
        let table = self.paper.table("6")?;
        let mut cells = Vec::new();
        for data in &DATA {
            let generation = |run: &Run| generation(run.n_asked, self.population);
            let Some(values) = self.values((data.name, place, 1), generation) else {
                continue;
            };
            let row = [model.published, data.name];
            let printed = table.columns.iter().map(|run| table.value(&row, run));
            let printed: Vec<f64> = printed.flatten().collect();
            let printed = mean_sd(&printed)?;
            let figure = Figure {
                value: printed.mean,
                sd: printed.sd,
            };
            let spot = spot(("6", "generation"), model, (data.name, "with"));
            cells.push(spot.cell_of(&values, Some(figure))?);
        }
        Ok(cells)
    }
}

/// The generation in which a search stopped that asked for so many sets: a whole population
/// first, then all but one in every generation.
fn generation(n_asked: u64, population: u64) -> f64 {
    n_asked.saturating_sub(population) as f64 / (population - 1).max(1) as f64
}

/// Ten values as five times two; nothing where there are others.
fn by_replication(values: &[f64]) -> Option<FiveByTwo> {
    let (pairs, rest) = values.as_chunks::<2>();
    let pairs = rest.is_empty().then_some(pairs)?;
    pairs.try_into().ok()
}

fn spot(
    (table, measure): (&'static str, &'static str),
    model: &Model,
    (data, method): (&'static str, &'static str),
) -> Spot {
    Spot {
        table,
        place: vec![("model", model.name), ("data", data)],
        method,
        measure,
    }
}

impl Figures {
    /// All that the paper prints.
    fn published(paper: &Published) -> Result<Self> {
        let mut figures = Figures::default();
        for model in &MODELS {
            let [accuracy, features] = model.tables;
            for data in &DATA {
                for (table, measure) in [(accuracy, "accuracy"), (features, "features")] {
                    for side in SIDES {
                        if let Some(value) = paper.table(table)?.value(&[data.name], side) {
                            figures.insert((model.name, data.name, side, measure), value);
                        }
                    }
                }
                if let Some(p) = paper.table(accuracy)?.value(&[data.name], "p") {
                    figures.insert((model.name, data.name, "with", "p"), p);
                }
            }
        }
        Ok(figures)
    }
}

#[cfg(test)]
mod tests {
    use super::super::FIGURES;
    use super::*;

    #[test]
    fn ten_values_are_five_times_two() {
        let values: Vec<f64> = (0..10).map(f64::from).collect();
        assert_eq!(by_replication(&values).unwrap()[1], [2.0, 3.0]);
        assert_eq!(by_replication(&values[..4]), None);
        assert_eq!(by_replication(&values[..9]), None);
    }

    #[test]
    fn generations_count_from_the_first_population() {
        assert_eq!(generation(1000, 1000), 0.0);
        assert_eq!(generation(1999, 1000), 1.0);
        assert_eq!(generation(4996, 1000), 4.0);
    }

    #[test]
    fn averages_are_those_of_the_columns_but_for_two_slips() {
        let paper = Published::read(FIGURES).unwrap();
        let mut strange = Vec::new();
        for table in ["2", "3"] {
            for side in SIDES {
                let table = paper.table(table).unwrap();
                let rows = DATA.iter().map(|data| table.value(&[data.name], side));
                let sum: f64 = rows.map(Option::unwrap).sum();
                let printed = table.value(&["Average"], side).unwrap();
                if (sum / 8.0 - printed).abs() > 0.015 {
                    strange.push((table.name.as_str(), side, (sum / 8.0 * 100.0).round()));
                }
            }
        }
        // 89.06 and 83.48 are printed.
        assert_eq!(strange, [("2", "with", 8926.0), ("3", "without", 8260.0)]);
    }

    #[test]
    fn the_published_statements_hold() {
        let paper = Published::read(FIGURES).unwrap();
        let statements = statements(&Figures::published(&paper).unwrap());
        crate::reproduce::statement::assert_hold(&statements);
    }
}
