//! Papers that compare selections by classifiers trained on what they keep: from a recipe and
//! files to the runs of every pipeline on every data set, and from those to tables.

use std::time::Instant;

use bayesieve::data::{CodingOptions, Discretizer, MissingPolicy};
use bayesieve::document::Seconds;
use bayesieve::evaluate::{
    Comparison, ComparisonCell, ComparisonStudy, DataSet, Pipeline, Protocol, Run, conduct,
};
use bayesieve::search::Limits;
use bayesieve::wording::counted;
use bayesieve::{Error, Observer, Result, printable};
use bayesieve_report::ReproducedConclusion;
use serde_json::{Map, Value, json};

use crate::data::{PaperData, PreparedData};
use crate::outcome::{PaperOutcome, PaperRun, object};
use crate::published::{Figure, Published};
use crate::request::{OpenCheckpoint, PaperPlan, PaperRequest};
use crate::statement::{Figures, conclusions};
use crate::tables::{FigureCell, Panel, PanelLayout};

/// What a paper compares, and what it makes of that.
pub(crate) struct ComparisonRecipe {
    pub(crate) paper: &'static Published,
    /// The table that says how many rows and features data sets have.
    pub(crate) sizes: &'static str,
    pub(crate) discretizer: Discretizer,
    /// The data sets that are wanted, and how each is divided.
    pub(crate) data: Vec<(&'static PaperData, Protocol)>,
    pub(crate) pipelines: Vec<NamedPipeline>,
    /// The data set and the pipeline that the paper does not bring together.
    pub(crate) left_out: Option<[&'static str; 2]>,
    /// What was asked for, besides pipelines and data.
    pub(crate) settings: Vec<(&'static str, Value)>,
    /// The pipelines as the settings name them.
    pub(crate) methods: Vec<NamedPipeline>,
    /// Cells that a pipeline on a data set fills.
    pub(crate) n_cells: usize,
    pub(crate) fill: Box<dyn Fn(&mut Sheet<'_>) -> Result<()>>,
}

/// A pipeline of the library under a name of the paper.
#[derive(Debug, Clone)]
pub(crate) struct NamedPipeline {
    pub(crate) name: String,
    pub(crate) pipeline: String,
}

/// What the pipelines came to, for tables.
pub(crate) struct ComparedRuns<'a> {
    pub(crate) comparison: Comparison,
    /// The tables of the data sets that were there.
    pub(crate) tables: Vec<(PreparedData, Protocol)>,
    /// For what is computed besides.
    pub(crate) observer: &'a dyn Observer,
    pub(crate) seed: u64,
}

impl ComparisonRecipe {
    /// Plans the run.
    pub(crate) fn plan(self, request: &PaperRequest) -> PaperPlan {
        let request = request.clone();
        let known = self.paper.data.iter();
        PaperPlan {
            inputs: known.filter_map(|data| data.find(&request)).collect(),
            drawings: Vec::new(),
            work: Box::new(move |observer, open| self.run(&request, observer, open)),
        }
    }

    /// Prepares the data, runs every pipeline on every set and fills the tables.
    fn run(
        &self,
        request: &PaperRequest,
        observer: &dyn Observer,
        open: OpenCheckpoint<'_>,
    ) -> Result<PaperOutcome> {
        let start = Instant::now();
        let mut warnings = Vec::new();
        let tables = self.prepare(request, observer, &mut warnings)?;
        let study = self.study(&tables, request.seed)?;
        study.check()?;
        // Opened last: what is refused leaves no file.
        let checkpoint = open()?;
        let read = start.elapsed();
        let start = Instant::now();
        let conducted = conduct(&study, checkpoint.as_ref(), &Limits::new(observer))?;
        let comparison = study.comparison(conducted);
        warnings.extend(comparison.warnings.iter().cloned());
        warnings.extend(resumed(comparison.n_resumed, "run"));
        let runs = ComparedRuns {
            comparison,
            tables,
            observer,
            seed: request.seed,
        };
        let (panels, conclusions) = self.tables(&runs)?;
        let n_cells: usize = panels.iter().map(|panel| panel.cells.len()).sum();
        let comparison = &runs.comparison;
        let n_unfinished = comparison.n_asked - comparison.entries.len();
        let run = PaperRun {
            paper: self.paper,
            settings: self.settings(request),
            seed: request.seed,
            measure: "accuracy",
            n_units: comparison
                .entries
                .iter()
                .map(|entry| entry.runs.len())
                .sum(),
            n_asked: n_cells + self.n_cells * n_unfinished,
            is_cut_short: comparison.is_cut_short,
            warnings,
            seconds: Seconds::new(read, start.elapsed()),
        };
        PaperOutcome::of_tables(run, panels, conclusions)
    }

    /// Reads or draws the tables; those that are not there are left out with a warning.
    fn prepare(
        &self,
        request: &PaperRequest,
        observer: &dyn Observer,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<(PreparedData, Protocol)>> {
        let mut tables = Vec::new();
        let mut has_file = false;
        for &(data, protocol) in &self.data {
            observer.progress(&format!("reading {}", data.name), 0, 0);
            match data.prepare(request, observer)? {
                Err(why) => warnings.push(why),
                Ok(prepared) => {
                    let size = |column| self.paper.value(self.sizes, &[&data.name], column);
                    warnings.extend(prepared.strangeness(["rows", "features"].map(size)));
                    has_file |= data.file.is_some();
                    tables.push((prepared, protocol));
                }
            }
        }
        // Those that are generated need no folder; a folder without any other is the wrong one.
        let wants_file = self.data.iter().any(|(data, _)| data.file.is_some());
        if tables.is_empty() || wants_file && !has_file {
            let folder = printable(&request.data.display().to_string(), 400);
            return Err(Error::data(format!("none of the data sets is in {folder}"))
                .with_hint("Name the folder that holds them with --data."));
        }
        Ok(tables)
    }

    /// Every pipeline on every data set that is there, but for what is left out.
    fn study(&self, tables: &[(PreparedData, Protocol)], seed: u64) -> Result<ComparisonStudy> {
        let coding = CodingOptions {
            missing: MissingPolicy::Value,
            discretizer: self.discretizer,
        };
        let pipelines = self.pipelines.iter().map(|one| {
            let pipeline = Pipeline::named(&one.pipeline)?.with_coding(coding)?;
            Ok(pipeline.with_name(&one.name))
        });
        let pipelines = pipelines.collect::<Result<Vec<Pipeline>>>()?;
        let mut sets = Vec::new();
        let mut cells = Vec::new();
        for (place, (prepared, protocol)) in tables.iter().enumerate() {
            let name = prepared.name;
            let rows = (prepared.table.clone(), prepared.roles.clone());
            sets.push(DataSet::new(name, rows, coding, *protocol)?);
            let is_in =
                |pipeline: &usize| self.left_out != Some([name, &self.pipelines[*pipeline].name]);
            let places = (0..pipelines.len()).filter(is_in);
            cells.extend(places.map(|pipeline| ComparisonCell {
                data: place,
                pipeline,
                n_train: None,
            }));
        }
        Ok(ComparisonStudy::new(sets, pipelines, cells, seed))
    }

    /// Fills the tables, and puts what the paper says to its figures and to ours.
    fn tables(&self, runs: &ComparedRuns<'_>) -> Result<(Vec<Panel>, Vec<ReproducedConclusion>)> {
        let mut sheet = Sheet::new(self.paper, Some(runs));
        (self.fill)(&mut sheet)?;
        sheet.panels.retain(|panel| !panel.cells.is_empty());
        let conclusions = conclusions(&self.paper.sentences, &sheet.published, &sheet.ours);
        Ok((sheet.panels, conclusions))
    }

    fn settings(&self, request: &PaperRequest) -> Map<String, Value> {
        let methods = self.methods.iter();
        let methods = methods.map(|method| (method.name.clone(), json!(method.pipeline)));
        let data = self.data.iter();
        let data = data.map(|(data, _)| (data.name.clone(), json!(data.recipe(request))));
        let all = [("methods", object(methods)), ("data", object(data))];
        let settings = self.settings.iter().cloned().chain(all);
        settings
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}

/// Says that units were taken from a checkpoint.
pub(crate) fn resumed(n_units: usize, unit: &str) -> Option<String> {
    let units = counted(n_units as u64, unit);
    (n_units > 0).then(|| format!("{units} came from the checkpoint"))
}

/// The tables of a paper while they are filled: panels of cells, and all figures, the published
/// ones and ours, for what the paper concludes from them.
pub(crate) struct Sheet<'a> {
    /// Nothing for the published figures alone.
    pub(crate) runs: Option<&'a ComparedRuns<'a>>,
    panels: Vec<Panel>,
    pub(crate) published: Figures,
    pub(crate) ours: Figures,
}

/// Where a cell is: its table, what it is of, its method and its measure.
pub(crate) struct Spot {
    pub(crate) table: &'static str,
    pub(crate) place: Vec<(&'static str, &'static str)>,
    pub(crate) method: &'static str,
    pub(crate) measure: &'static str,
}

/// Returns where a cell is.
pub(crate) fn spot(
    table: &'static str,
    place: &[(&'static str, &'static str)],
    method: &'static str,
    measure: &'static str,
) -> Spot {
    Spot {
        table,
        place: place.to_vec(),
        method,
        measure,
    }
}

impl<'a> Sheet<'a> {
    pub(crate) fn new(paper: &'static Published, runs: Option<&'a ComparedRuns<'a>>) -> Self {
        Sheet {
            runs,
            panels: Vec::new(),
            published: Figures::new(paper.data_names()),
            ours: Figures::new(paper.data_names()),
        }
    }

    /// Starts a panel; the cells that follow are in it.
    pub(crate) fn panel(&mut self, title: impl Into<String>, decimals: usize) {
        self.panels.push(Panel {
            title: title.into(),
            layout: PanelLayout::Compact { decimals },
            cells: Vec::new(),
        });
    }

    /// Returns one number of every run of a pipeline on a data set; nothing where they were not
    /// finished or a run has none.
    pub(crate) fn values(
        &self,
        data: &str,
        pipeline: &str,
        number: impl Fn(&Run) -> Option<f64>,
    ) -> Option<Vec<f64>> {
        let comparison = &self.runs?.comparison;
        let data = comparison
            .data
            .iter()
            .position(|known| known.name == data)?;
        let mut pipelines = comparison.pipelines.iter();
        let pipeline = pipelines.position(|known| known.name == pipeline)?;
        let entry = comparison.entry(data, pipeline)?;
        entry.runs.iter().map(number).collect()
    }

    /// Adds a cell with the mean of some values, where there are any, and returns it.
    pub(crate) fn mean(
        &mut self,
        spot: Spot,
        values: Option<&[f64]>,
        published: Option<Figure>,
    ) -> Result<Option<&mut FigureCell>> {
        let Some(values) = values else {
            self.add(spot, None, published);
            return Ok(None);
        };
        let cell = FigureCell::default().with_mean(values)?;
        Ok(self.add(spot, Some(cell), published))
    }

    /// Adds a cell with one number, where there is one.
    pub(crate) fn number(&mut self, spot: Spot, value: Option<f64>, published: Option<Figure>) {
        let cell = value.map(|value| FigureCell {
            value,
            ..FigureCell::default()
        });
        self.add(spot, cell, published);
    }

    fn add(
        &mut self,
        spot: Spot,
        cell: Option<FigureCell>,
        published: Option<Figure>,
    ) -> Option<&mut FigureCell> {
        let (mut data, mut words) = ("", Vec::new());
        for &(name, word) in &spot.place {
            if name == "data" {
                data = word;
            } else {
                words.push(word);
            }
        }
        words.extend([spot.method, spot.measure]);
        let words = words.join("/");
        if let Some(figure) = published {
            self.published.insert(data, &words, figure.value);
        }
        let cell = cell?;
        self.ours.insert(data, &words, cell.value);
        let panel = self.panels.last_mut()?;
        let place = spot.place.into_iter();
        panel.cells.push(FigureCell {
            table: spot.table,
            place: place.map(|(name, word)| (name, word.into())).collect(),
            method: spot.method,
            measure: spot.measure,
            published,
            ..cell
        });
        panel.cells.last_mut()
    }
}

/// The figures that a paper prints, by filling its tables without any runs.
#[cfg(test)]
pub(crate) fn published_figures(
    paper: &'static Published,
    tables: impl Fn(&mut Sheet<'_>) -> Result<()>,
) -> Figures {
    let mut sheet = Sheet::new(paper, None);
    tables(&mut sheet).unwrap();
    sheet.published
}
