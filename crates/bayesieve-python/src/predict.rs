//! Predictions where the rows are, without numpy.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, UInt32Array};
use arrow_schema::{DataType, Field, Schema};
use bayesieve::classify::{Classifier, Prediction};
use bayesieve::data::{Column, KindOrigin, Table, Values};
use bayesieve::{Error, Result, Silent};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;
use rayon::ThreadPool;

use crate::blocks::{self, Kinds};
use crate::errors::OrRaise;

/// A model that predicts the rows of parts.
#[pyclass(frozen, module = "bayesieve._engine")]
pub(crate) struct PartPredictions {
    model: Classifier,
    columns: Vec<String>,
    part: String,
    pool: ThreadPool,
}

#[pymethods]
impl PartPredictions {
    /// By the document of a model; the part is told where rows cannot be predicted.
    #[new]
    fn new(document: &str, part: String) -> PyResult<Self> {
        let model = Classifier::from_json(document).or_raise()?;
        let features = model.features();
        let required = model.required_features();
        let columns = required.iter().map(|&place| features[place].name.clone());
        Ok(PartPredictions {
            columns: columns.collect(),
            model,
            part,
            pool: blocks::lone_thread()?,
        })
    }

    /// The columns that it reads.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.columns.clone()
    }

    /// The code of the class of every row, then the probability of every class.
    fn predict<'py>(&self, py: Python<'py>, batch: PyRecordBatch) -> PyResult<Bound<'py, PyAny>> {
        let batch = batch.into_inner();
        let predicted = py.detach(|| self.predicted(&batch)).or_raise()?;
        PyRecordBatch::new(predicted).into_pyarrow(py)
    }
}

impl PartPredictions {
    fn predicted(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        let predicted = self.pool.install(|| {
            let table = self.table(batch)?;
            self.model.predict(&table, &Silent)
        });
        let predicted = predicted.map_err(|error| blocks::in_part(error, &self.part, 0))?;
        as_batch(predicted, self.model.class_labels().len())
    }

    fn table(&self, batch: &RecordBatch) -> Result<Table> {
        if self.columns.is_empty() {
            // A model that reads no column still wants to know how many rows there are.
            let rows = Values::Numeric(vec![f64::NAN; batch.num_rows()]);
            return Table::new(vec![Column::new("rows", rows, KindOrigin::Derived)]);
        }
        let names: Vec<&str> = self.columns.iter().map(String::as_str).collect();
        blocks::table(std::slice::from_ref(batch), &names, &Kinds::new())
    }
}

/// A column of codes, and one of probabilities for every class.
fn as_batch(predicted: Prediction, n_classes: usize) -> Result<RecordBatch> {
    let of_class = |class: usize| {
        let rows = predicted.probabilities.chunks(n_classes);
        Arc::new(rows.map(|row| row[class]).collect::<Float64Array>()) as ArrayRef
    };
    let probabilities: Vec<ArrayRef> = (0..n_classes).map(of_class).collect();
    let mut columns = vec![Arc::new(UInt32Array::from(predicted.classes)) as ArrayRef];
    columns.extend(probabilities);
    let mut fields = vec![Field::new("predicted", DataType::UInt32, false)];
    let class = |class: usize| Field::new(class.to_string(), DataType::Float64, false);
    fields.extend((0..n_classes).map(class));
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns);
    batch.map_err(|error| Error::internal(format!("predictions: {error}")))
}
