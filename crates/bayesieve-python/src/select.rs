//! Selections.

use std::time::{Duration, Instant};

use bayesieve::classify::{Classifier, TrainOptions};
use bayesieve::data::{CodingOptions, Folds, unknown_name};
use bayesieve::document::{self, Seconds};
use bayesieve::evaluate::{Auto, AutoOptions, Honest};
use bayesieve::search::Limits;
use bayesieve::select::{Method, SelectOptions, Selection as Found, select as run_method};
use bayesieve::{Observer, Result};
use bayesieve_report::{SelectionReport, selection as page_of};
use pyo3::prelude::*;
use serde::Deserialize;

use crate::errors::OrRaise;
use crate::request::{self, Coding, Data, Origin};
use crate::run::Runner;
use crate::table::Table;

/// The name of the method that tries the others.
pub(crate) const AUTO: &str = "auto";

/// A method, and what it is told.
#[derive(Deserialize)]
pub(crate) struct How {
    pub(crate) method: String,
    model: Option<String>,
    search: Option<String>,
    count: Option<usize>,
    settings: Vec<String>,
    keep: Vec<String>,
    seed: u64,
}

impl How {
    /// The options of a method, checked.
    pub(crate) fn options(&self, coding: CodingOptions) -> Result<SelectOptions> {
        let mut options = SelectOptions::new(Method::named(&self.method)?)?.with_coding(coding)?;
        if let Some(model) = &self.model {
            options = options.with_model(model.parse()?)?;
        }
        if let Some(search) = &self.search {
            options = options.with_search(search.parse()?)?;
        }
        options = options.with_settings(self.settings.iter().map(String::as_str))?;
        if let Some(count) = self.count {
            options = options.with_count(count)?;
        }
        options.keep.clone_from(&self.keep);
        options.seed = self.seed;
        Ok(options)
    }
}

/// What to select by.
#[derive(Deserialize)]
struct Request {
    #[serde(flatten)]
    how: How,
    coding: Coding,
    budget: Option<f64>,
    /// A fold for every row.
    folds: Option<Vec<i64>>,
    /// Whether to say what the features buy: a model on them, and accuracy on other rows.
    evidence: bool,
    origin: Origin,
}

/// A selection: its document, and all that its page needs.
#[pyclass(frozen, module = "bayesieve._engine")]
pub(crate) struct Selection {
    document: String,
    page: PageSource,
}

enum PageSource {
    /// Not written yet.
    Open(Box<Open>),
    /// Written before it was pickled.
    Written(String),
}

struct Open {
    found: Found,
    class_counts: Vec<u64>,
    model: Option<Classifier>,
    origin: Origin,
    seconds: Seconds,
}

#[pymethods]
impl Selection {
    /// The document that `select --json` prints.
    #[getter]
    fn document(&self) -> &str {
        &self.document
    }

    /// The page for people.
    fn page(&self) -> String {
        match &self.page {
            PageSource::Written(page) => page.clone(),
            PageSource::Open(open) => page_of(&SelectionReport {
                about: open.origin.about(open.seconds.read + open.seconds.run),
                selection: &open.found,
                class_counts: &open.class_counts,
                model: open.model.as_ref(),
            }),
        }
    }

    /// From a document and a page that were written before.
    #[staticmethod]
    fn restore(document: String, page: String) -> Self {
        Selection {
            document,
            page: PageSource::Written(page),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let restore = py.get_type::<Selection>().getattr("restore")?;
        Ok((restore, (self.document.clone(), self.page())))
    }
}

impl Selection {
    /// What was found where there are no rows to train a model on.
    pub(crate) fn without_model(
        found: Found,
        coding: CodingOptions,
        class_counts: Vec<u64>,
        (origin, seconds): (Origin, Seconds),
    ) -> Result<Self> {
        Ok(Selection {
            document: document::to_text(&document::selection(&found, coding, seconds))?,
            page: PageSource::Open(Box::new(Open {
                found,
                class_counts,
                model: None,
                origin,
                seconds,
            })),
        })
    }
}

/// Chooses features of a table whose last column is the class.
#[pyfunction]
pub(crate) fn select(
    py: Python<'_>,
    table: &Table,
    request: &str,
    runner: Runner,
) -> PyResult<Selection> {
    let request: Request = request::parse(request).or_raise()?;
    let table = &table.0;
    runner.run(py, |observer| {
        let start = Instant::now();
        let coding = request.coding.options()?;
        let limits = Limits::new(observer).with_budget(request::budget(request.budget)?);
        let plan = Plan::new(&request, coding)?;
        let data = Data::new(table, coding, observer)?;
        let names = data.coded.features.iter().map(|one| one.column.name());
        check_keep(&request.how.keep, names)?;
        let plan = match &request.folds {
            Some(folds) => plan.with_folds(folds, &data)?,
            None => plan,
        };
        let (mut found, training) = plan.run(&request, &data, &limits)?;
        found
            .warnings
            .splice(0..0, data.coded.notes.iter().cloned());
        let model = if request.evidence {
            model(&data, coding, &training, (&found, observer))
        } else {
            None
        };
        let seconds = Seconds::new(Duration::ZERO, start.elapsed());
        Ok(Selection {
            document: document::to_text(&document::selection(&found, coding, seconds))?,
            page: PageSource::Open(Box::new(Open {
                found,
                class_counts: data.coded.class.counts(),
                model,
                origin: request.origin,
                seconds,
            })),
        })
    })
}

/// What to do, checked before anything is counted.
enum Plan {
    Auto(Box<AutoOptions>),
    Method(Box<SelectOptions>),
}

impl Plan {
    fn new(request: &Request, coding: CodingOptions) -> Result<Self> {
        let how = &request.how;
        if how.method == AUTO {
            return Ok(Plan::Auto(Box::new(AutoOptions {
                model: how.model.as_deref().map(str::parse).transpose()?,
                coding,
                keep: how.keep.clone(),
                folds: None,
                seed: how.seed,
            })));
        }
        let options = how.options(coding)?;
        if request.folds.is_some() {
            options.check_folds()?;
        }
        Ok(Plan::Method(Box::new(options)))
    }

    /// With the folds of the rows that are used.
    fn with_folds(self, numbers: &[i64], data: &Data<'_>) -> Result<Self> {
        let mut folds = Folds::from_numbers(numbers)?;
        if let Some(rows) = &data.coded.rows {
            folds = folds.take(rows)?;
        }
        Ok(match self {
            Plan::Auto(mut options) => {
                options.folds = Some(folds);
                Plan::Auto(options)
            }
            Plan::Method(options) => Plan::Method(Box::new(options.with_folds(folds)?)),
        })
    }

    /// What is kept, and how to train on it.
    fn run(
        &self,
        request: &Request,
        data: &Data<'_>,
        limits: &Limits<'_>,
    ) -> Result<(Found, TrainOptions)> {
        match self {
            Plan::Auto(options) => {
                let auto = Auto {
                    table: &data.coded.used_rows(data.table),
                    roles: &data.roles,
                    options,
                };
                let found = auto.choose(None, limits)?;
                Ok((found.selection, found.training))
            }
            Plan::Method(options) => {
                let mut found = run_method(&data.coded, options, limits)?;
                if request.evidence {
                    let honest = Honest {
                        table: &data.coded.used_rows(data.table),
                        roles: &data.roles,
                        options,
                    };
                    honest.add_to(&mut found, limits)?;
                }
                Ok((found, options.final_training()?))
            }
        }
    }
}

/// The model on what is kept, for its drawing; none where nothing can be trained.
fn model(
    data: &Data<'_>,
    coding: CodingOptions,
    training: &TrainOptions,
    (found, observer): (&Found, &dyn Observer),
) -> Option<Classifier> {
    if found.boundary.is_some() || found.kept.is_empty() {
        return None;
    }
    let rows = (data.table, &data.roles);
    found.train_on_kept(rows, coding, training, observer).ok()
}

/// A feature to keep must be there.
pub(crate) fn check_keep<'a>(keep: &[String], names: impl Iterator<Item = &'a str>) -> Result<()> {
    let names: Vec<&str> = names.collect();
    match keep.iter().find(|name| !names.contains(&name.as_str())) {
        Some(name) => Err(unknown_name("feature", name, names)),
        None => Ok(()),
    }
}
