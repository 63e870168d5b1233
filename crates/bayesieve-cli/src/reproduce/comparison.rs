//! Papers that compare selections by classifiers trained on what they keep: from options and
//! files to the runs of every pipeline on every data set.

use std::path::PathBuf;
use std::time::Instant;

use bayesieve::data::CodingOptions;
use bayesieve::evaluate::{
    Comparison, ComparisonCell, ComparisonStudy, DataSet, Pipeline, Protocol, Run, conduct,
};
use bayesieve::search::Limits;
use bayesieve::stats::mean_sd;
use bayesieve::wording::counted;
use bayesieve::{Error, Result};
use clap::Args;
use serde_json::{Map, Value};

use super::options::{CheckpointOptions, DataFolder, Outcome, StudyOptions, Times, chosen};
use super::published::{Figure, Published};
use super::recipe::{PaperData, Preparation, Prepared, Source};
use super::reproduction::{Cell, Panel, Reproduction};
use super::statement::Conclusion;
use crate::progress::Progress;
use crate::text;

/// What papers of this kind share.
#[derive(Args)]
pub(super) struct ComparisonOptions {
    #[command(flatten)]
    folder: DataFolder,

    #[command(flatten)]
    checkpoint: CheckpointOptions,

    #[command(flatten)]
    pub(super) study: StudyOptions,

    /// Only these data sets, by the paper's names
    #[arg(long, value_name = "A,B")]
    datasets: Option<String>,

    /// Fewer runs, for a first look; how many is said below
    #[arg(long)]
    pub(super) quick: bool,
}

/// What a paper compares.
pub(super) struct Plan {
    /// The paper's data sets, asked for or not: nothing may be written over their files.
    pub(super) known: &'static [PaperData],
    pub(super) data: Vec<PlannedData>,
    pub(super) pipelines: Vec<Pipeline>,
    pub(super) coding: CodingOptions,
    /// Data sets and places of pipelines that the paper does not bring together.
    pub(super) left_out: Vec<(&'static str, usize)>,
}

/// A data set, how it is divided, and the rows and features that the paper says it has.
pub(super) struct PlannedData {
    pub(super) data: PaperData,
    pub(super) protocol: Protocol,
    pub(super) published_size: [Option<f64>; 2],
}

/// What came out.
pub(super) struct Compared {
    /// The data sets that were there.
    pub(super) data: Vec<PaperData>,
    /// Their tables.
    pub(super) tables: Vec<(&'static str, Prepared)>,
    /// For what is computed besides.
    pub(super) progress: Progress,
    pub(super) comparison: Comparison,
    pub(super) warnings: Vec<String>,
    pub(super) times: Times,
}

/// What a paper makes of a comparison.
pub(super) struct Findings {
    pub(super) paper: Published,
    /// What was asked for.
    pub(super) settings: Map<String, Value>,
    pub(super) panels: Vec<Panel>,
    pub(super) conclusions: Vec<Conclusion>,
    /// Cells that a pipeline on a data set fills.
    pub(super) n_cells: usize,
}

impl ComparisonOptions {
    /// Those of a paper's data sets that are asked for.
    ///
    /// # Errors
    /// A name that is none of theirs.
    pub(super) fn data(&self, known: &[PaperData]) -> Result<Vec<PaperData>> {
        let names: Vec<&str> = known.iter().map(|data| data.name).collect();
        let what = ("--datasets", "data set of this paper");
        let asked = chosen(what, self.datasets.as_deref(), &names)?;
        let asked = known.iter().filter(|one| asked.contains(&one.name));
        Ok(asked.copied().collect())
    }

    /// Shows and writes what came out.
    ///
    /// # Errors
    /// Nothing was finished, or a file cannot be written.
    pub(super) fn finish(&self, compared: &Compared, found: Findings) -> Result<()> {
        let n_cells: usize = found.panels.iter().map(|panel| panel.cells.len()).sum();
        let reproduction = Reproduction {
            settings: found.settings,
            seed: self.study.seed,
            measure: "accuracy",
            conclusions: found.conclusions,
            n_asked: n_cells + found.n_cells * compared.n_unfinished(),
            n_units: compared.n_runs(),
            is_cut_short: compared.comparison.is_cut_short,
            warnings: compared.warnings.clone(),
            panels: found.panels,
            paper: found.paper,
        };
        let outcome = Outcome::of(reproduction, compared.times)?;
        self.study.finish(&outcome)
    }

    /// Prepares the data and runs every pipeline on every set.
    ///
    /// # Errors
    /// None of the data sets is there, one cannot be read or divided, or whatever made a run
    /// impossible.
    pub(super) fn compare(&self, plan: Plan) -> Result<Compared> {
        let files: Vec<PathBuf> = plan
            .known
            .iter()
            .filter_map(|data| data.file(&self.folder))
            .collect();
        let progress = self.study.start(&files, &[self.checkpoint.output()])?;
        let start = Instant::now();
        let mut warnings = Vec::new();
        let (mut data, mut sets, mut tables) = (Vec::new(), Vec::new(), Vec::new());
        for planned in &plan.data {
            progress.stage(&format!("reading {}", planned.data.name));
            let seed = self.study.seed;
            match planned.data.prepare(&self.folder, seed, &progress)? {
                Preparation::Skipped(why) => warnings.push(why),
                Preparation::Ready(prepared) => {
                    let name = planned.data.name;
                    warnings.extend(prepared.strangeness(name, planned.published_size));
                    tables.push((name, (*prepared).clone()));
                    let rows = (prepared.table, prepared.roles);
                    sets.push(DataSet::new(name, rows, plan.coding, planned.protocol)?);
                    data.push(planned.data);
                }
            }
        }
        // Those that are generated need no folder; a folder without any other is the wrong one.
        let has_file = |data: &PaperData| matches!(data.source, Source::File(_));
        let asks_for_files = plan.data.iter().any(|planned| has_file(&planned.data));
        if sets.is_empty() || asks_for_files && !data.iter().any(has_file) {
            return Err(self.nothing_there());
        }
        let cells = plan.cells(&data);
        let study = ComparisonStudy::new(sets, plan.pipelines, cells, self.study.seed);
        study.check()?;
        // Opened last: what is refused leaves no file.
        let checkpoint = self.checkpoint.open()?;
        let read = start.elapsed();
        let start = Instant::now();
        let conducted = conduct(&study, checkpoint.as_ref(), &Limits::new(&progress))?;
        let comparison = study.comparison(conducted);
        warnings.extend(comparison.warnings.iter().cloned());
        if comparison.n_resumed > 0 {
            let runs = counted(comparison.n_resumed as u64, "run");
            warnings.push(format!("{runs} came from the checkpoint"));
        }
        Ok(Compared {
            data,
            tables,
            progress,
            comparison,
            warnings,
            times: Times { read, start },
        })
    }

    fn nothing_there(&self) -> Error {
        let folder = text::file(self.folder.path());
        Error::data(format!("none of the data sets is in {folder}"))
            .with_hint("Name the folder that holds them with --data.")
    }
}

impl Plan {
    /// Every pipeline on every data set that is there, but for what is left out.
    fn cells(&self, data: &[PaperData]) -> Vec<ComparisonCell> {
        let cells = data.iter().enumerate().flat_map(|(place, one)| {
            let pipelines = 0..self.pipelines.len();
            let is_in = |pipeline: &usize| !self.left_out.contains(&(one.name, *pipeline));
            let pipelines = pipelines.filter(is_in);
            pipelines.map(move |pipeline| ComparisonCell {
                data: place,
                pipeline,
                n_train: None,
            })
        });
        cells.collect()
    }
}

impl Compared {
    /// The place of a data set.
    pub(super) fn position(&self, data: &str) -> Option<usize> {
        self.data.iter().position(|known| known.name == data)
    }

    /// The runs of a pipeline on a data set, if they were finished.
    pub(super) fn runs(&self, data: &str, pipeline: usize) -> Option<&[Run]> {
        let entry = self.comparison.entry(self.position(data)?, pipeline)?;
        Some(&entry.runs)
    }

    /// One number of every run; nothing where a run has none.
    pub(super) fn values(
        &self,
        (data, pipeline): (&str, usize),
        number: impl Fn(&Run) -> Option<f64>,
    ) -> Option<Vec<f64>> {
        self.runs(data, pipeline)?.iter().map(number).collect()
    }

    /// Number of features of a data set.
    pub(super) fn n_features(&self, data: &str) -> Option<usize> {
        let data = self.comparison.data.get(self.position(data)?)?;
        Some(data.features.len())
    }

    /// Runs of all pipelines on all data sets.
    pub(super) fn n_runs(&self) -> usize {
        let entries = self.comparison.entries.iter();
        entries.map(|entry| entry.runs.len()).sum()
    }

    /// Pipelines on data sets that were asked for and not finished.
    pub(super) fn n_unfinished(&self) -> usize {
        self.comparison.n_asked - self.comparison.entries.len()
    }
}

/// Where a cell is: its table, what it is of, its method and its measure.
pub(super) struct Spot {
    pub(super) table: &'static str,
    pub(super) place: Vec<(&'static str, &'static str)>,
    pub(super) method: &'static str,
    pub(super) measure: &'static str,
}

impl Spot {
    /// A cell with the mean of some values.
    pub(super) fn cell_of(self, values: &[f64], published: Option<Figure>) -> Result<Cell> {
        let moments = mean_sd(values)?;
        let root = (values.len() as f64).sqrt();
        Ok(Cell {
            sd: moments.sd,
            standard_error: moments.sd.map(|sd| sd / root),
            n_units: values.len(),
            ..self.cell(moments.mean, published)
        })
    }

    /// A cell with one number.
    pub(super) fn cell(self, value: f64, published: Option<Figure>) -> Cell {
        let place = self.place.into_iter();
        Cell {
            table: self.table,
            place: place.map(|(name, word)| (name, word.into())).collect(),
            method: self.method,
            measure: self.measure,
            value,
            sd: None,
            standard_error: None,
            others: Vec::new(),
            published,
            n_units: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_has_the_mean_and_the_spread_of_its_runs() {
        let spot = Spot {
            table: "3",
            place: vec![("data", "chess")],
            method: "mdl",
            measure: "accuracy",
        };
        // Mean 3, deviations -2, 0, 2: variance 8 / 2.
        let cell = spot.cell_of(&[1.0, 3.0, 5.0], None).unwrap();
        assert_eq!((cell.value, cell.sd, cell.n_units), (3.0, Some(2.0), 3));
        assert_eq!(cell.standard_error, Some(2.0 / 3_f64.sqrt()));
    }
}
