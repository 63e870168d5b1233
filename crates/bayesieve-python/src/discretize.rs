//! Numbers into bins.

use bayesieve::data::{Codes, Column, CutPoints, Discretizer, Training, class_codes};
use bayesieve::{Error, Result};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::run::Runner;
use crate::table::Table;

/// Where the numbers of a table are cut; with a class, its last column, where that tells most.
#[pyfunction]
pub(crate) fn cut_points(
    py: Python<'_>,
    table: &Table,
    way: &str,
    has_class: bool,
    runner: Runner,
) -> PyResult<Vec<Vec<f64>>> {
    let table = &table.0;
    runner.run(py, |observer| {
        let discretizer: Discretizer = way.parse()?;
        let columns: Vec<&Column> = table.columns().iter().map(|column| &**column).collect();
        let (class, n_classes, features) = match columns.split_last() {
            Some((class, features)) if has_class => {
                let class = class_codes(class)?;
                let n_classes = class.n_values();
                (class.codes, n_classes, features)
            }
            _ => {
                let one = (0..table.n_rows()).map(|_| Some(0));
                (Codes::new(1, one), 1, &*columns)
            }
        };
        let training = Training {
            class: &class,
            n_classes,
            rows: None,
        };
        let cuts = discretizer
            .fit_columns(features, &training, observer)?
            .into_iter();
        Ok(cuts.map(|cuts| cuts.as_slice().to_vec()).collect())
    })
}

/// The bin of every number; NaN where it is missing.
#[pyfunction]
pub(crate) fn into_bins<'py>(
    py: Python<'py>,
    table: &Table,
    cuts: Vec<Vec<f64>>,
    runner: Runner,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let table = &table.0;
    let shape = (table.n_rows(), cuts.len());
    let columns = runner.run(py, |_| {
        let columns = table.columns().par_iter().zip(cuts);
        let binned = columns.map(|(column, cuts)| {
            let cuts = CutPoints::new(cuts)?;
            let numbers = column.as_numeric();
            let numbers = numbers.ok_or_else(|| Error::internal("bins are for numbers"))?;
            let bin = |&x: &f64| if x.is_nan() { x } else { cuts.bin(x).into() };
            Ok(numbers.iter().map(bin).collect())
        });
        let binned: Vec<Result<Vec<f64>>> = binned.collect();
        binned.into_iter().collect::<Result<Vec<_>>>()
    })?;
    let bins = Array2::from_shape_fn(shape, |(row, column)| columns[column][row]);
    Ok(bins.into_pyarray(py))
}
