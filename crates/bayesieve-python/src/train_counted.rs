//! Models from counts of rows that are somewhere else.

use bayesieve::Result;
use bayesieve::classify::{Classifier, ModelKind, TrainOptions};
use bayesieve::data::unknown_name;
use pyo3::prelude::*;
use serde::Deserialize;

use crate::classify::Model;
use crate::errors::OrRaise;
use crate::request;
use crate::run::Runner;
use crate::source::{Rows, Source};

/// What to train.
#[derive(Deserialize)]
struct Request {
    model: String,
    settings: Vec<String>,
    /// `None` for all features.
    features: Option<Vec<String>>,
}

/// Trains a model by counts; also says what there is to know.
#[pyfunction]
pub(crate) fn train_counted(
    py: Python<'_>,
    source: Source,
    request: &str,
    runner: Runner,
) -> PyResult<(Model, Vec<String>)> {
    let request: Request = request::parse(request).or_raise()?;
    source.run(py, &runner, |rows, observer| {
        let options = request.options(rows)?;
        let places = request.places(rows)?;
        let counted = rows.counted(options.model == ModelKind::Tan)?;
        let counted = counted.with_features(&places)?;
        let classifier = Classifier::train_counted(&counted, &options, observer)?;
        let notes = rows.domains.notes.iter().chain(classifier.notes());
        let notes = notes.cloned().collect();
        Ok((Model(classifier), notes))
    })
}

impl Request {
    fn options(&self, rows: &Rows<'_>) -> Result<TrainOptions> {
        let kind: ModelKind = self.model.parse()?;
        kind.check_counts()?;
        rows.coding().refuse_available("train")?;
        TrainOptions::new(kind).with_settings(self.settings.iter().map(String::as_str))
    }

    /// The places of the features, rising.
    fn places(&self, rows: &Rows<'_>) -> Result<Vec<usize>> {
        let names: Vec<&str> = rows.domains.features.iter().map(|c| &*c.name).collect();
        let Some(wanted) = &self.features else {
            return Ok((0..names.len()).collect());
        };
        let place = |name: &String| {
            let place = names.iter().position(|known| known == name);
            place.ok_or_else(|| unknown_name("feature", name, names.iter().copied()))
        };
        let mut places: Vec<usize> = wanted.iter().map(place).collect::<Result<_>>()?;
        places.sort_unstable();
        places.dedup();
        Ok(places)
    }
}
