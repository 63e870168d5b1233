//! Models: trained, kept as documents, asked for predictions.

use std::collections::HashMap;
use std::time::Instant;

use bayesieve::classify::{Classifier, Evaluation, NetworkFormat};
use bayesieve::run::{TrainRequest, request_from_json};
use bayesieve_report::{ModelReport, model as page_of};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::data::{Asked, Data};
use crate::errors::OrRaise;
use crate::run::Runner;
use crate::table::Table;

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

/// Trains a model; also says what there is to know.
#[pyfunction]
pub(crate) fn train(
    py: Python<'_>,
    data: Data,
    request: &str,
    runner: Runner,
) -> PyResult<(Model, Vec<String>)> {
    let (outcome, _) = data.run(py, request, &runner, TrainRequest::run)?;
    Ok((Model(outcome.classifier), outcome.notes))
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

    /// The parents of every node, the class last; None where the model is a tree. Those of numbers
    /// that stay numbers are the class, and the ones before them in their block.
    fn parents(&self) -> Option<Vec<(String, Vec<String>)>> {
        let network = self.0.network()?;
        let name = |node: usize| network.variables()[node].name.clone();
        let nodes = (0..network.dag().n_nodes()).map(|node| {
            let parents = network.dag().parents(node).iter();
            (name(node), parents.map(|&parent| name(parent)).collect())
        });
        let mut parents: HashMap<String, Vec<String>> = nodes.collect();
        let blocks = self.0.block_names().unwrap_or_default();
        for feature in self.0.features() {
            if parents.contains_key(&feature.name) {
                continue;
            }
            let block = blocks.iter().find(|block| block.contains(&&*feature.name));
            let before = block.into_iter().flatten();
            let before = before.take_while(|&&other| other != feature.name);
            let of_number = before.copied().chain([self.0.class_name()]);
            let of_number = of_number.map(str::to_owned).collect();
            parents.insert(feature.name.clone(), of_number);
        }
        let names = self.features().into_iter();
        let names = names.chain([self.0.class_name().to_owned()]);
        Some(
            names
                .filter_map(|name| parents.remove_entry(&name))
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
    #[pyo3(signature = (request, notes, runner, table=None))]
    fn page(
        &self,
        py: Python<'_>,
        request: &str,
        notes: Vec<String>,
        runner: Runner,
        table: Option<&Table>,
    ) -> PyResult<String> {
        let asked: Asked<TrainRequest> = request_from_json(request).or_raise()?;
        runner.run(py, |observer| {
            let start = Instant::now();
            let evaluate = |table: &Table| -> bayesieve::Result<Evaluation> {
                let predicted = self.0.predict(&table.0, observer)?;
                predicted.evaluate(&table.0, &self.0)
            };
            let training = table.map(evaluate).transpose()?;
            Ok(page_of(&ModelReport {
                about: &asked.origin.about(start.elapsed().as_secs_f64()),
                model: &self.0,
                settings: &asked.request.settings,
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
