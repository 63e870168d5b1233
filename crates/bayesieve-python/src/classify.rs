//! Models: trained, kept as documents, asked for predictions.

use std::time::{Duration, Instant};

use bayesieve::classify::{Classifier, Evaluation, ModelKind, NetworkFormat, TrainOptions};
use bayesieve::data::Discretizer;
use bayesieve::document::Seconds;
use bayesieve_report::{ModelReport, model as page_of};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use serde::Deserialize;

use crate::errors::OrRaise;
use crate::request::{self, Coding, Data, Origin};
use crate::run::Runner;
use crate::table::Table;

/// What to train.
#[derive(Deserialize)]
struct Request {
    model: String,
    settings: Vec<String>,
    coding: Coding,
}

/// A trained model.
#[pyclass(frozen, module = "bayesieve._engine")]
pub(crate) struct Model(pub(crate) Classifier);

/// What a column held that training did not: its name, empty cells, unseen cells.
type Unknown = (String, u64, u64);

/// The class and the probabilities of every row, and what was not known.
type Predicted<'py> = (
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray2<f64>>,
    Vec<Unknown>,
);

/// Trains a model on a table whose last column is the class; also says what there is to know.
#[pyfunction]
pub(crate) fn train(
    py: Python<'_>,
    table: &Table,
    request: &str,
    runner: Runner,
) -> PyResult<(Model, Vec<String>)> {
    let request: Request = request::parse(request).or_raise()?;
    let table = &table.0;
    runner.run(py, |observer| {
        let kind: ModelKind = request.model.parse()?;
        let settings = request.settings.iter().map(String::as_str);
        let options = TrainOptions::new(kind).with_settings(settings)?;
        let mut coding = request.coding.options()?;
        coding.refuse_available("train")?;
        if kind == ModelKind::Block {
            // Its numbers stay numbers: bins would not be looked at.
            coding.discretizer = Discretizer::None;
        }
        let data = Data::new(table, coding, observer)?;
        let classifier = Classifier::train(&data.coded, &options, observer)?;
        let notes = data.coded.notes.iter().chain(classifier.notes());
        let notes = notes.cloned().collect();
        Ok((Model(classifier), notes))
    })
}

#[pymethods]
impl Model {
    /// Reads a model from the document that `train` or this package wrote.
    #[staticmethod]
    fn from_document(text: &str) -> PyResult<Self> {
        Classifier::from_json(text).map(Model).or_raise()
    }

    /// The model as a document.
    fn document(&self) -> PyResult<String> {
        self.0.to_json().or_raise()
    }

    /// Its kind.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.options().model.name()
    }

    /// The classes, in the order of the codes.
    #[getter]
    fn class_labels(&self) -> Vec<String> {
        self.0.class_labels().to_vec()
    }

    /// Rows of each class in training.
    #[getter]
    fn class_counts(&self) -> Vec<u64> {
        self.0.class_counts().to_vec()
    }

    /// The class's name.
    #[getter]
    fn class_name(&self) -> &str {
        self.0.class_name()
    }

    /// The features.
    #[getter]
    fn features(&self) -> Vec<String> {
        let features = self.0.features().iter();
        features.map(|feature| feature.name.clone()).collect()
    }

    /// Places of the features that prediction reads.
    #[getter]
    fn required(&self) -> Vec<usize> {
        self.0.required_features()
    }

    /// Number of free parameters; of a tree, its leaves.
    #[getter]
    fn n_parameters(&self) -> f64 {
        self.0.n_parameters()
    }

    /// The parents of every node of the network, the class last; None where the model is a tree.
    fn parents(&self) -> Option<Vec<(String, Vec<String>)>> {
        let network = self.0.network()?;
        let name = |node: usize| network.variables()[node].name.clone();
        let parents = |node: usize| network.dag().parents(node).iter().map(|&p| name(p));
        let nodes = 0..network.dag().n_nodes();
        Some(
            nodes
                .map(|node| (name(node), parents(node).collect()))
                .collect(),
        )
    }

    /// The network as text: bif, xmlbif, net, dot or json.
    fn network(&self, format: &str) -> PyResult<String> {
        let format: NetworkFormat = format.parse().or_raise()?;
        self.0.network_text(format).or_raise()
    }

    /// The class and the probabilities of every row, and what was not known.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        table: &Table,
        runner: Runner,
    ) -> PyResult<Predicted<'py>> {
        let predicted = runner.run(py, |observer| self.0.predict(&table.0, observer))?;
        let shape = (predicted.classes.len(), self.0.class_labels().len());
        let probabilities = Array2::from_shape_vec(shape, predicted.probabilities)
            .map_err(|error| bayesieve::Error::internal(format!("probabilities: {error}")))
            .or_raise()?;
        let notes = predicted.notes.into_iter();
        Ok((
            predicted.classes.into_pyarray(py),
            probabilities.into_pyarray(py),
            notes
                .map(|note| (note.name, note.n_missing, note.n_unseen))
                .collect(),
        ))
    }

    /// The page for people; with rows of a known class in the last column, how well it
    /// predicts them.
    #[pyo3(signature = (origin, said, runner, table=None))]
    fn page(
        &self,
        py: Python<'_>,
        origin: &str,
        said: (Vec<(String, String)>, Vec<String>),
        runner: Runner,
        table: Option<&Table>,
    ) -> PyResult<String> {
        let origin: Origin = request::parse(origin).or_raise()?;
        let (settings, notes) = said;
        runner.run(py, |observer| {
            let start = Instant::now();
            let evaluate = |table: &Table| -> bayesieve::Result<Evaluation> {
                let predicted = self.0.predict(&table.0, observer)?;
                predicted.evaluate(&table.0, &self.0)
            };
            let training = table.map(evaluate).transpose()?;
            let seconds = Seconds::new(Duration::ZERO, start.elapsed());
            Ok(page_of(&ModelReport {
                about: origin.about(seconds.run),
                model: &self.0,
                settings: &settings,
                training: training.as_ref(),
                notes: &notes,
            }))
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let read = py.get_type::<Model>().getattr("from_document")?;
        Ok((read, (self.document()?,)))
    }
}
