//! Papers that compare selections by classifiers trained on what they keep: from a recipe and
//! files to the runs of every pipeline on every data set, and from those to tables.

use std::time::Instant;

use bayesieve::data::{CodingOptions, MissingPolicy};
use bayesieve::document::Seconds;
use bayesieve::evaluate::{
    Comparison, ComparisonCell, ComparisonStudy, DataSet, Pipeline, Protocol, Run, conduct,
};
use bayesieve::search::Limits;
use bayesieve::wording::counted;
use bayesieve::{Error, Observer, Result, printable};
use bayesieve_report::ReproducedConclusion;
use serde_json::{Value, json};

use crate::data::{PaperData, PreparedData};
use crate::outcome::{PaperOutcome, PaperRun, object};
use crate::published::{ComparisonFacts, PaperMethod, PaperModel, Published};
use crate::request::{OpenCheckpoint, PaperPlan, PaperRequest};
use crate::statement::{Figures, conclusions};
use crate::tables::{FigureCell, Panel, PanelLayout};

static OWN_MODEL: PaperModel = PaperModel {
    name: String::new(),
    published: String::new(),
    tables: Vec::new(),
    settings: String::new(),
};

/// Fills the tables of a paper.
type FillTables = fn(&mut Sheet<'_>) -> Result<()>;

/// What is compared, and what the paper makes of that.
struct ComparisonRecipe {
    paper: &'static Published,
    facts: &'static ComparisonFacts,
    request: PaperRequest,
    /// The data sets that are wanted, and how each is divided.
    data: Vec<(&'static PaperData, Protocol)>,
    methods: Vec<&'static PaperMethod>,
    models: Vec<&'static PaperModel>,
    fill: FillTables,
}

/// What the pipelines came to, for tables.
pub(crate) struct ComparedRuns<'a> {
    pub(crate) comparison: Comparison,
    /// The tables of the data sets that were there.
    pub(crate) tables: Vec<(PreparedData, Protocol)>,
    /// For what is computed besides.
    pub(crate) observer: &'a dyn Observer,
    pub(crate) request: &'a PaperRequest,
}

/// Plans the run of a paper that compares pipelines.
pub(crate) fn plan(
    paper: &'static Published,
    request: &PaperRequest,
    fill: FillTables,
) -> Result<PaperPlan> {
    let missing = || Error::internal(format!("{} compares nothing", paper.name));
    let facts = paper.comparison.as_ref().ok_or_else(missing)?;
    let data = request.data_sets(paper)?;
    let methods = request.methods(paper)?;
    let models: Vec<&str> = paper.models.iter().map(|model| &*model.name).collect();
    let models = request.chosen("models", "model of this paper", &models)?;
    let wanted = paper
        .models
        .iter()
        .filter(|model| models.contains(&&*model.name));
    // Methods that bring their own model have one without a name.
    let own = paper.models.is_empty().then_some(&OWN_MODEL);
    let protocol = |data: &PaperData| -> Result<Protocol> {
        let size = |column| {
            let rows = paper.value(&facts.sizes, &[&data.name], column);
            rows.unwrap_or_default().to_string()
        };
        let protocol = &facts.protocols[usize::from(request.flags.contains("quick"))];
        let protocol = protocol.replace("TRAIN", &size("training rows"));
        let protocol: Protocol = protocol.replace("TEST", &size("test rows")).parse()?;
        let n_runs = request.numbers.get("runs");
        Ok(n_runs.map_or(protocol, |&n_runs| protocol.with_runs(n_runs)))
    };
    let data = data.into_iter().map(|data| Ok((data, protocol(data)?)));
    let recipe = ComparisonRecipe {
        paper,
        facts,
        request: request.clone(),
        data: data.collect::<Result<_>>()?,
        methods,
        models: wanted.chain(own).collect(),
        fill,
    };
    Ok(PaperPlan {
        inputs: paper
            .data
            .iter()
            .filter_map(|data| data.find(request))
            .collect(),
        drawings: Vec::new(),
        work: Box::new(move |observer, open| recipe.run(observer, open)),
    })
}

impl ComparisonRecipe {
    /// Prepares the data, runs every pipeline on every set and fills the tables.
    fn run(&self, observer: &dyn Observer, open: OpenCheckpoint<'_>) -> Result<PaperOutcome> {
        let start = Instant::now();
        let mut warnings = Vec::new();
        let tables = self.prepare(observer, &mut warnings)?;
        let study = self.study(&tables)?;
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
            request: &self.request,
        };
        let (panels, conclusions) = self.tables(&runs)?;
        let n_cells: usize = panels.iter().map(|panel| panel.cells.len()).sum();
        let comparison = &runs.comparison;
        let n_unfinished = comparison.n_asked - comparison.entries.len();
        let runs_of = comparison.entries.iter().map(|entry| entry.runs.len());
        let run = PaperRun {
            paper: self.paper,
            settings: self.settings(),
            seed: self.request.seed,
            measure: "accuracy",
            n_units: runs_of.sum(),
            n_asked: n_cells + self.facts.cells * n_unfinished,
            is_cut_short: comparison.is_cut_short,
            warnings,
            seconds: Seconds::new(read, start.elapsed()),
        };
        PaperOutcome::of_tables(run, panels, conclusions)
    }

    /// Reads or draws the tables; those that are not there are left out with a warning.
    fn prepare(
        &self,
        observer: &dyn Observer,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<(PreparedData, Protocol)>> {
        let mut tables = Vec::new();
        let mut has_file = false;
        for &(data, protocol) in &self.data {
            observer.progress(&format!("reading {}", data.name), 0, 0);
            match data.prepare(&self.request, observer)? {
                Err(why) => warnings.push(why),
                Ok(prepared) => {
                    let size = |column| self.paper.value(&self.facts.sizes, &[&data.name], column);
                    warnings.extend(prepared.strangeness(["rows", "features"].map(size)));
                    has_file |= data.file.is_some();
                    tables.push((prepared, protocol));
                }
            }
        }
        // Those that are generated need no folder; a folder without any other is the wrong one.
        let wants_file = self.data.iter().any(|(data, _)| data.file.is_some());
        if tables.is_empty() || wants_file && !has_file {
            let folder = printable(&self.request.data.display().to_string(), 400);
            return Err(Error::data(format!("none of the data sets is in {folder}"))
                .with_hint("Name the folder that holds them with --data."));
        }
        Ok(tables)
    }

    /// Every method with every model, by name.
    fn pipelines(&self) -> Vec<(String, String)> {
        let is_free = self.request.flags.contains("free-order");
        let population = self.request.number("population").to_string();
        let mut pipelines = Vec::new();
        for model in &self.models {
            for method in &self.methods {
                let name = format!("{}/{}", method.name, model.name);
                let pipeline = method.pipeline.replace("MODEL", &model.name) + &model.settings;
                let pipeline = pipeline.replace("POPULATION", &population);
                let pipeline = if is_free {
                    pipeline.replace(",order=class-first", "")
                } else {
                    pipeline
                };
                pipelines.push((name.trim_end_matches('/').to_owned(), pipeline));
            }
        }
        pipelines
    }

    /// Every pipeline on every data set that is there, but for what is left out.
    fn study(&self, tables: &[(PreparedData, Protocol)]) -> Result<ComparisonStudy> {
        let coding = CodingOptions {
            missing: MissingPolicy::Value,
            discretizer: self.facts.discretizer.parse()?,
        };
        let pipelines = self.pipelines().into_iter().map(|(name, pipeline)| {
            let pipeline = Pipeline::named(&pipeline)?.with_coding(coding)?;
            Ok(pipeline.with_name(name))
        });
        let pipelines = pipelines.collect::<Result<Vec<Pipeline>>>()?;
        let left_out = self.facts.left_out.as_ref();
        let mut sets = Vec::new();
        let mut cells = Vec::new();
        for (data, (prepared, protocol)) in tables.iter().enumerate() {
            let rows = (prepared.table.clone(), prepared.roles.clone());
            sets.push(DataSet::new(prepared.name, rows, coding, *protocol)?);
            for (place, pipeline) in pipelines.iter().enumerate() {
                if left_out.is_none_or(|out| out != &[prepared.name, pipeline.name()]) {
                    cells.push(ComparisonCell {
                        data,
                        pipeline: place,
                        n_train: None,
                    });
                }
            }
        }
        Ok(ComparisonStudy::new(
            sets,
            pipelines,
            cells,
            self.request.seed,
        ))
    }

    /// Fills the tables, and puts what the paper says to its figures and to ours.
    fn tables(&self, runs: &ComparedRuns<'_>) -> Result<(Vec<Panel>, Vec<ReproducedConclusion>)> {
        let mut sheet = Sheet::new(self.paper, Some(runs));
        (self.fill)(&mut sheet)?;
        sheet.panels.retain(|panel| !panel.cells.is_empty());
        let conclusions = conclusions(&self.paper.sentences, &sheet.published, &sheet.ours);
        Ok((sheet.panels, conclusions))
    }

    fn settings(&self) -> Value {
        let protocol = self.data.first().map(|(_, protocol)| protocol);
        let models: Vec<&str> = self.models.iter().map(|model| &*model.name).collect();
        let names = self.facts.settings.iter();
        let settings = names.map(|name| {
            let value = match name.as_str() {
                "runs" => json!(protocol.map(|protocol| protocol.n_splits())),
                "protocol" => json!(protocol.map(Protocol::to_string)),
                "models" => json!(models),
                option => json!(self.request.number(option)),
            };
            (name.as_str(), value)
        });
        // Where models are named the methods are named once for all of them.
        let methods: Vec<(String, String)> = if self.facts.settings.iter().any(|s| s == "models") {
            let methods = self.methods.iter();
            methods
                .map(|method| (method.name.clone(), method.pipeline.clone()))
                .collect()
        } else {
            self.pipelines()
        };
        let methods = methods
            .into_iter()
            .map(|(name, pipeline)| (name, json!(pipeline)));
        let data = self.data.iter();
        let data = data.map(|(data, _)| (data.name.clone(), json!(data.recipe(&self.request))));
        let all = [("methods", object(methods)), ("data", object(data))];
        object(settings.chain(all))
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
        cell: FigureCell,
        values: Option<&[f64]>,
    ) -> Result<Option<&mut FigureCell>> {
        let words = self.add_published(&cell);
        let found = values.map(|values| cell.with_mean(values)).transpose()?;
        Ok(found.and_then(|cell| self.add(words, cell)))
    }

    /// Adds a cell with one number, where there is one.
    pub(crate) fn number(&mut self, cell: FigureCell, value: Option<f64>) {
        let words = self.add_published(&cell);
        if let Some(value) = value {
            self.add(words, FigureCell { value, ..cell });
        }
    }

    fn add(&mut self, [data, words]: [String; 2], cell: FigureCell) -> Option<&mut FigureCell> {
        self.ours.insert(&data, &words, cell.value);
        let panel = self.panels.last_mut()?;
        panel.cells.push(cell);
        panel.cells.last_mut()
    }

    /// Notes the published figure of a cell, and returns the data set and the words it goes by.
    fn add_published(&mut self, cell: &FigureCell) -> [String; 2] {
        let (mut data, mut words) = ("", Vec::new());
        for (name, word) in &cell.place {
            let word = word.as_str().unwrap_or_default();
            if *name == "data" {
                data = word;
            } else {
                words.push(word);
            }
        }
        words.extend([cell.method, cell.measure]);
        let words = words.join("/");
        if let Some(figure) = cell.published {
            self.published.insert(data, &words, figure.value);
        }
        [data.to_owned(), words]
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
