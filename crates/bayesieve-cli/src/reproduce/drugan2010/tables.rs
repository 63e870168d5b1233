//! Tables 2, 3 and 4, ours beside the published figures.

use bayesieve::Result;
use bayesieve::evaluate::Run;
use bayesieve::stats::{Alternative, Better, WilcoxonMethod, wilcoxon};

use super::super::comparison::{Compared, Spot};
use super::super::published::{Figure, Published};
use super::super::reproduction::{Cell, Layout, Panel};
use super::super::statement::Conclusion;
use super::conclusions::statements;
use super::figures::{Figures, Key, Measure, printed};
use super::recipe::{DATA, Method};
use super::redundancy::Shares;

/// The level of the paper's Wilcoxon tests.
const LEVEL: f64 = 0.05;

/// The names of the measures of Table 4, by measure: mean, wins, losses, rank.
const SUMMARIES: [[&str; 4]; 3] = [
    [
        "mean_selected",
        "selected_wins",
        "selected_losses",
        "selected_rank",
    ],
    [
        "mean_accuracy",
        "accuracy_wins",
        "accuracy_losses",
        "accuracy_rank",
    ],
    ["mean_call", "call_wins", "call_losses", "call_rank"],
];

/// What was found, ready for tables.
pub(super) struct Results<'a> {
    paper: &'a Published,
    compared: &'a Compared,
    models: &'a [&'static str],
    methods: &'a [Method],
    figures: Figures,
    redundancy: Shares,
}

impl<'a> Results<'a> {
    /// Pipelines are by model, then method.
    pub(super) fn new(
        paper: &'a Published,
        compared: &'a Compared,
        (models, methods): (&'a [&'static str], &'a [Method]),
    ) -> Result<Self> {
        let mut results = Results {
            paper,
            compared,
            models,
            methods,
            figures: Figures::default(),
            redundancy: Vec::new(),
        };
        for cell in Measure::ALL.map(|measure| results.cells(measure)) {
            for (key, cell) in cell? {
                results.figures.insert(key, cell.value);
            }
        }
        Ok(results)
    }

    /// With the shares of redundant features, by data set that was there.
    pub(super) fn with_redundancy(self, redundancy: Shares) -> Self {
        Results { redundancy, ..self }
    }

    pub(super) fn conclusions(&self) -> Result<Vec<Conclusion>> {
        let published = statements(&Figures::published(self.paper)?)?;
        Ok(Conclusion::pair(published, statements(&self.figures)?))
    }

    pub(super) fn panels(&self) -> Result<Vec<Panel>> {
        let mut panels = vec![Panel {
            title: "table 2: % of the features that are redundant in the training rows".into(),
            layout: Layout::Compact { decimals: 1 },
            cells: self.redundant()?,
        }];
        for &model in self.models {
            for measure in Measure::ALL {
                let cells = self.cells(measure)?.into_iter();
                let cells = cells.filter(|(key, _)| key.model == model);
                panels.push(Panel {
                    title: title(model, measure),
                    layout: Layout::Compact {
                        decimals: if measure == Measure::Call { 2 } else { 1 },
                    },
                    cells: cells.map(|(_, cell)| cell).collect(),
                });
            }
        }
        if self.compared.n_unfinished() == 0 && self.compared.data.len() > 1 {
            for &model in self.models {
                panels.extend(self.summaries(model)?);
            }
        }
        panels.retain(|panel| !panel.cells.is_empty());
        Ok(panels)
    }

    fn pipeline(&self, model: &str, method: &str) -> Option<usize> {
        let model = self.models.iter().position(|known| *known == model)?;
        let method = self.methods.iter().position(|known| known.name == method)?;
        Some(model * self.methods.len() + method)
    }

    /// One number of every run; percents as percents.
    fn values(&self, key: Key) -> Option<Vec<f64>> {
        let pipeline = self.pipeline(key.model, key.method)?;
        let n_features = self.compared.n_features(key.data)? as f64;
        let number = |run: &Run| match key.measure {
            // What all features are cannot depend on constant ones.
            Measure::Selected if key.method == "full" => Some(100.0),
            Measure::Selected => Some(100.0 * run.kept.len() as f64 / n_features),
            Measure::Accuracy => Some(100.0 * run.accuracy),
            Measure::Call => run.call_per_row_without_class,
        };
        self.compared.values((key.data, pipeline), number)
    }

    /// The cells of tables 2 and 3 by one measure: by model, data set and method.
    fn cells(&self, measure: Measure) -> Result<Vec<(Key, Cell)>> {
        let mut cells = Vec::new();
        for &model in self.models {
            for data in &DATA {
                for method in self.methods {
                    let key = Key {
                        model,
                        data: data.name,
                        method: method.name,
                        measure,
                    };
                    let Some(values) = self.values(key) else {
                        continue;
                    };
                    let spot = Spot {
                        table: if method.name == "full" { "2" } else { "3" },
                        place: vec![("model", model), ("data", data.name)],
                        method: method.name,
                        measure: measure.name(),
                    };
                    // Table 2 has no column for what is 100 percent by definition.
                    let is_given = (method.name, measure) == ("full", Measure::Selected);
                    let published = printed(self.paper, key)?.filter(|_| !is_given);
                    cells.push((key, spot.cell_of(&values, published)?));
                }
            }
        }
        Ok(cells)
    }

    /// The shares of redundant features; the levels take the place of methods.
    fn redundant(&self) -> Result<Vec<Cell>> {
        let table = self.paper.table("2")?;
        let mut cells = Vec::new();
        for (data, shares) in self.compared.data.iter().zip(&self.redundancy) {
            let Some(shares) = shares else {
                continue;
            };
            let levels = [
                ("level 0", "redundant_level0"),
                ("level 1", "redundant_level1"),
            ];
            for (level, (method, measure)) in levels.into_iter().enumerate() {
                let values: Vec<f64> = shares.iter().map(|share| share[level]).collect();
                let spot = Spot {
                    table: "2",
                    place: vec![("data", data.name)],
                    method,
                    measure,
                };
                cells.push(spot.cell_of(&values, table.figure(&[data.name], measure))?);
            }
        }
        Ok(cells)
    }

    /// Table 4 for a model: means, significant wins and losses of MDL-FS, ranks.
    fn summaries(&self, model: &'static str) -> Result<Vec<Panel>> {
        let mut cells: [Vec<Cell>; 3] = Default::default();
        for (measure, names) in Measure::ALL.into_iter().zip(SUMMARIES) {
            let ranks = self.figures.mean_ranks(model, measure)?;
            for method in self.methods {
                let spot = |part: usize| Spot {
                    table: "4",
                    place: vec![("model", model), ("figure", names[part])],
                    method: method.name,
                    measure: names[part],
                };
                let printed = |part: &str| self.printed_summary(model, method, measure, part);
                if let Some(mean) = self.figures.mean(model, method.name, measure) {
                    cells[0].push(spot(0).cell(mean, printed("")?));
                }
                if let Some([wins, losses]) = self.wins(model, method, measure)? {
                    cells[1].push(spot(1).cell(wins as f64, printed(" wins")?));
                    cells[1].push(spot(2).cell(losses as f64, printed(" losses")?));
                }
                if let Some((_, rank)) = ranks.iter().find(|(name, _)| *name == method.name) {
                    cells[2].push(spot(3).cell(*rank, printed(" rank")?));
                }
            }
        }
        let n_sets = self.compared.data.len();
        let titles = ["mean", "significant wins and losses of MDL-FS", "mean rank"];
        let panels = titles.into_iter().zip(cells).map(|(what, cells)| Panel {
            title: format!("table 4: {what} over {n_sets} data sets, {model}"),
            layout: Layout::Compact { decimals: 2 },
            cells,
        });
        Ok(panels.collect())
    }

    fn printed_summary(
        &self,
        model: &str,
        method: &Method,
        measure: Measure,
        part: &str,
    ) -> Result<Option<Figure>> {
        let table = self.paper.table("4")?;
        let column = format!("{}{part}", measure.name());
        let published = method.published;
        Ok(published.and_then(|method| table.figure(&[model, method], &column)))
    }

    /// On how many data sets MDL-FS is significantly better than a method, and worse.
    fn wins(
        &self,
        model: &'static str,
        method: &Method,
        measure: Measure,
    ) -> Result<Option<[usize; 2]>> {
        if method.name == "mdl-fs" {
            return Ok(None);
        }
        let mut counts = [0, 0];
        let mut n_sets = 0;
        for data in &DATA {
            let values = |method| {
                self.values(Key {
                    model,
                    data: data.name,
                    method,
                    measure,
                })
            };
            let (Some(own), Some(other)) = (values("mdl-fs"), values(method.name)) else {
                continue;
            };
            n_sets += 1;
            if let Some(is_win) = is_win(&own, &other, measure.better())? {
                counts[usize::from(!is_win)] += 1;
            }
        }
        Ok((n_sets > 0).then_some(counts))
    }
}

/// Whether the first values are significantly better than the second; nothing where neither
/// are.
fn is_win(own: &[f64], other: &[f64], better: Better) -> Result<Option<bool>> {
    let test = wilcoxon(own, other, Alternative::TwoSided, WilcoxonMethod::Auto)?;
    if test.p > LEVEL {
        return Ok(None);
    }
    let is_above = test.w_plus > test.w_minus;
    Ok(Some(is_above == (better == Better::Higher)))
}

fn title(model: &str, measure: Measure) -> String {
    let what = match measure {
        Measure::Selected => "% of the features that are kept",
        Measure::Accuracy => "% of the test rows that are classified correctly",
        Measure::Call => "CALL per training row, in bits",
    };
    format!("tables 2 and 3, {model}: {what}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_is_significant_and_on_the_better_side() {
        // Six pairs of one sign: exact p = 2 / 64.
        let (low, high) = ([1.0; 6], [1.1, 1.2, 1.3, 1.4, 1.5, 1.6]);
        assert_eq!(is_win(&high, &low, Better::Higher).unwrap(), Some(true));
        assert_eq!(is_win(&high, &low, Better::Lower).unwrap(), Some(false));
        assert_eq!(is_win(&low, &high, Better::Lower).unwrap(), Some(true));
        // Five pairs cannot be: 2 / 32 is above 0.05.
        assert_eq!(is_win(&high[1..], &low[1..], Better::Higher).unwrap(), None);
    }
}
