//! Predictions where the rows are, without numpy.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, UInt32Array};
use arrow_schema::{DataType, Field, Schema};
use bayesieve::classify::{Classifier, Prediction};
use bayesieve::{Error, Result, Silent};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::blocks::{Kinds, Part};
use crate::errors::OrRaise;

/// A model that predicts the rows of a part.
#[pyclass(frozen, module = "bayesieve._engine")]
pub(crate) struct PartPredictions {
    model: Classifier,
    part: Part,
}

#[pymethods]
impl PartPredictions {
    /// By the document of a model; the part is named where rows cannot be predicted.
    #[new]
    fn new(document: &str, part: String) -> PyResult<Self> {
        let model = Classifier::from_json(document).or_raise()?;
        let features = model.features();
        let required = model.required_features().into_iter();
        let columns = required.map(|place| features[place].name.clone());
        Ok(PartPredictions {
            part: Part::new(part, columns.collect(), Kinds::new())?,
            model,
        })
    }

    /// The columns that it reads.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.part.columns.clone()
    }

    /// The code of the class of every row, then the probability of every class.
    fn predict<'py>(&self, py: Python<'py>, batch: PyRecordBatch) -> PyResult<Bound<'py, PyAny>> {
        let rows = [batch.into_inner()];
        let predict = |rows: &_| self.model.predict(rows, &Silent);
        let predicted = self.part.read(py, &rows, predict)?;
        let batch = as_batch(predicted, self.model.class_labels().len()).or_raise()?;
        PyRecordBatch::new(batch).into_pyarrow(py)
    }
}

/// A column of codes, and one of probabilities for every class.
fn as_batch(predicted: Prediction, n_classes: usize) -> Result<RecordBatch> {
    let mut fields = vec![Field::new("predicted", DataType::UInt32, false)];
    let mut columns: Vec<ArrayRef> = vec![Arc::new(UInt32Array::from(predicted.classes))];
    for class in 0..n_classes {
        let rows = predicted.probabilities.chunks(n_classes);
        let probabilities: Float64Array = rows.map(|row| row[class]).collect();
        fields.push(Field::new(class.to_string(), DataType::Float64, false));
        columns.push(Arc::new(probabilities));
    }
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns);
    batch.map_err(|error| Error::internal(format!("predictions: {error}")))
}
