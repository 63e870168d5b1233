//! Tables from what Python holds.
//!
//! Numbers come as numpy arrays, categories as codes with their labels, everything else over the
//! Arrow C interface, which shares memory. A column is copied only into its codes, a few columns
//! at a time.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{ArrayRef, BooleanArray, DictionaryArray, PrimitiveArray, StringArray};
use bayesieve::data::{
    Codes, Column, ColumnKind, Domain, KindOrigin, Nominal, RowWeights, Table as Inner, Values,
    column_from_arrow, parse_number,
};
use bayesieve::run::{DataRequest, Dataset};
use bayesieve::{Error, Result};
use numpy::{Element, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3_arrow::input::{AnyArray, AnyRecordBatch};
use rayon::prelude::*;

use crate::blocks::kind_named;
use crate::errors::OrRaise;
use crate::run::{Runner, check_signals};

/// Columns that are copied before they become codes: a cache line of floats holds eight.
const AT_A_TIME: usize = 16;

/// Rows, columns and their kinds, as the engine has them.
#[pyclass(frozen, module = "bayesieve._engine")]
pub(crate) struct Table(pub(crate) Inner);

/// The names of the columns, and for each "nominal", "numeric" or None for what its cells suggest.
#[derive(FromPyObject)]
pub(crate) struct Head(Vec<String>, Vec<Option<String>>);

/// One column before it is coded.
struct ColumnCells {
    chunks: Vec<ArrayRef>,
    /// Its codes are shorthand for texts; nobody declared them to be categories.
    is_text: bool,
}

impl ColumnCells {
    fn of(chunks: Vec<ArrayRef>) -> Self {
        ColumnCells {
            chunks,
            is_text: false,
        }
    }

    fn column(&self, name: &str, kind: Option<ColumnKind>) -> Result<Column> {
        let column = column_from_arrow(name, &self.chunks, kind)?;
        if kind.is_some() {
            return Ok(column);
        }
        if self.is_text {
            return Ok(column.with_origin(KindOrigin::Text));
        }
        if are_few_numbers(&column) {
            let numbers = column_from_arrow(name, &self.chunks, Some(ColumnKind::Numeric))?;
            return Ok(numbers.with_origin(KindOrigin::Numbers));
        }
        Ok(column)
    }
}

/// From here on floats do not tell neighboring whole numbers apart.
const EXACT_INTEGERS: f64 = 9_007_199_254_740_992.0;

/// Whether a column of few whole numbers, labels in a file, holds numbers: whoever has an array of
/// numbers has said so, but for the two values of yes and no.
fn are_few_numbers(column: &Column) -> bool {
    let Some(nominal) = column.as_nominal() else {
        return false;
    };
    let labels = nominal.domain.labels();
    let is_exact =
        |label: &String| parse_number(label).is_some_and(|number| number.abs() < EXACT_INTEGERS);
    column.origin() == KindOrigin::FewIntegers && labels.len() > 2 && labels.iter().all(is_exact)
}

#[pymethods]
impl Table {
    /// From one object per column: an array of numbers, a pair of codes and labels, or anything
    /// that speaks Arrow.
    #[staticmethod]
    fn from_columns(
        py: Python<'_>,
        head: Head,
        columns: Vec<Bound<'_, PyAny>>,
        runner: Runner,
    ) -> PyResult<Self> {
        coded(py, head, &runner, |places| {
            columns[places].iter().map(cells_of).collect()
        })
    }

    /// From a matrix of numbers.
    #[staticmethod]
    fn from_matrix(
        py: Python<'_>,
        head: Head,
        matrix: Bound<'_, PyAny>,
        runner: Runner,
    ) -> PyResult<Self> {
        coded(py, head, &runner, |places| {
            let columns = matrix_columns(&matrix, places)?.into_iter();
            Ok(columns
                .map(|column| ColumnCells::of(vec![column]))
                .collect())
        })
    }

    /// From anything that speaks Arrow's C stream interface.
    #[staticmethod]
    fn from_arrow(
        py: Python<'_>,
        head: Head,
        frame: AnyRecordBatch,
        runner: Runner,
    ) -> PyResult<Self> {
        let batches: std::result::Result<Vec<_>, _> = frame.into_reader()?.collect();
        let batches = batches
            .map_err(|error| Error::data(format!("cannot be read: {error}")))
            .or_raise()?;
        let cells = |place: usize| {
            let chunks = batches.iter().map(|batch| Arc::clone(batch.column(place)));
            ColumnCells::of(chunks.collect())
        };
        coded(py, head, &runner, |places| Ok(places.map(cells).collect()))
    }

    /// The same with a class, given as a code for every row and the labels of the codes.
    fn with_class(
        &self,
        name: String,
        codes: PyReadonlyArray1<'_, i64>,
        labels: Vec<String>,
    ) -> PyResult<Self> {
        let (domain, map) = Domain::sorted(labels);
        let cells = codes.as_array();
        let cells = cells.iter().map(|&code| map.get(code as usize).copied());
        let codes = Codes::new(domain.n_values(), cells);
        let values = Values::Nominal(Nominal { codes, domain });
        let class = Column::new(name, values, KindOrigin::Declared);
        self.0.with_column(class).map(Table).or_raise()
    }

    /// The same with every row as often as its weight says.
    fn weighted(
        &self,
        py: Python<'_>,
        weights: PyReadonlyArray1<'_, f64>,
        runner: Runner,
    ) -> PyResult<Self> {
        let weights = weights.as_array().to_vec();
        runner.run(py, |_| {
            let weights = RowWeights::new(&weights);
            let weights = weights.map_err(|error| error.about("sample_weight"))?;
            weights.repeat(&self.0).map(Table)
        })
    }
}

impl Table {
    /// The rows of a run; the last column is the class.
    pub(crate) fn dataset(&self, mut request: DataRequest) -> Result<Dataset> {
        request.class = self.0.names().last().map(str::to_owned);
        Dataset::of_table(self.0.clone(), request)
    }
}

/// Makes columns of cells, a few at a time, on all threads.
fn coded(
    py: Python<'_>,
    Head(names, kinds): Head,
    runner: &Runner,
    cells: impl Fn(Range<usize>) -> PyResult<Vec<ColumnCells>>,
) -> PyResult<Table> {
    let kind = |kind: &Option<String>| kind.as_deref().map(kind_named).transpose();
    let kinds: Vec<_> = kinds.iter().map(kind).collect::<Result<_>>().or_raise()?;
    let mut columns = Vec::with_capacity(names.len());
    for first in (0..names.len()).step_by(AT_A_TIME) {
        check_signals(py)?;
        let places = first..names.len().min(first + AT_A_TIME);
        let some = cells(places.clone())?.into_par_iter().zip(places);
        let coded: Vec<Result<Column>> = runner.run(py, |observer| {
            let column = |(cells, place): (ColumnCells, usize)| {
                if observer.is_cancelled() {
                    return Err(Error::interrupted());
                }
                cells.column(&names[place], kinds[place])
            };
            Ok(some.map(column).collect())
        })?;
        for column in coded {
            columns.push(column.or_raise()?);
        }
    }
    Inner::new(columns).map(Table).or_raise()
}

/// The types of numbers that numpy and Arrow share.
macro_rules! for_each_number {
    ($try:ident) => {
        $try!(f64, Float64Type);
        $try!(f32, Float32Type);
        $try!(i64, Int64Type);
        $try!(i32, Int32Type);
        $try!(i16, Int16Type);
        $try!(i8, Int8Type);
        $try!(u64, UInt64Type);
        $try!(u32, UInt32Type);
        $try!(u16, UInt16Type);
        $try!(u8, UInt8Type);
    };
}

/// One column as Arrow arrays.
fn cells_of(column: &Bound<'_, PyAny>) -> PyResult<ColumnCells> {
    if let Ok((codes, labels, _)) = column.extract::<(Bound<'_, PyAny>, Vec<String>, String)>() {
        return Ok(ColumnCells {
            chunks: vec![categories(&codes, &labels)?],
            is_text: true,
        });
    }
    if let Ok((codes, labels)) = column.extract::<(Bound<'_, PyAny>, Vec<String>)>() {
        return Ok(ColumnCells::of(vec![categories(&codes, &labels)?]));
    }
    macro_rules! as_numbers {
        ($native:ty, $arrow:ty) => {
            if let Ok(array) = column.extract::<PyReadonlyArray1<'_, $native>>() {
                return Ok(ColumnCells::of(vec![numbers::<$arrow>(&array)]));
            }
        };
    }
    for_each_number!(as_numbers);
    if let Ok(array) = column.extract::<PyReadonlyArray1<'_, bool>>() {
        let flags = BooleanArray::from_iter(array.as_array().iter().map(|&flag| Some(flag)));
        return Ok(ColumnCells::of(vec![Arc::new(flags)]));
    }
    let array: AnyArray = column.extract()?;
    Ok(ColumnCells::of(
        array.into_chunked_array()?.chunks().to_vec(),
    ))
}

fn numbers<T: ArrowPrimitiveType>(array: &PyReadonlyArray1<'_, T::Native>) -> ArrayRef
where
    T::Native: Element,
{
    let values = array.as_array().to_vec();
    Arc::new(PrimitiveArray::<T>::new(values.into(), None))
}

/// Codes of labels; a negative one is missing.
fn categories(codes: &Bound<'_, PyAny>, labels: &[String]) -> PyResult<ArrayRef> {
    let labels: ArrayRef = Arc::new(StringArray::from_iter_values(labels));
    macro_rules! as_codes {
        ($native:ty, $arrow:ty) => {
            if let Ok(array) = codes.extract::<PyReadonlyArray1<'_, $native>>() {
                let view = array.as_array();
                // The sign of all codes together; without an early end many are looked at at once.
                let is_any_missing = view.fold(0, |bits, &code| bits | code) < 0;
                let keys: PrimitiveArray<$arrow> = if is_any_missing {
                    view.iter()
                        .map(|&code| (code >= 0).then_some(code))
                        .collect()
                } else {
                    PrimitiveArray::new(view.to_vec().into(), None)
                };
                let array = DictionaryArray::try_new(keys, labels)
                    .map_err(|error| Error::internal(format!("codes without labels: {error}")))
                    .or_raise()?;
                return Ok(Arc::new(array));
            }
        };
    }
    as_codes!(i8, Int8Type);
    as_codes!(i16, Int16Type);
    as_codes!(i32, Int32Type);
    as_codes!(i64, Int64Type);
    Err(PyTypeError::new_err("codes are signed whole numbers"))
}

/// Some columns of a matrix. Row by row, because that is how most matrices lie in memory.
fn matrix_columns(matrix: &Bound<'_, PyAny>, wanted: Range<usize>) -> PyResult<Vec<ArrayRef>> {
    macro_rules! as_numbers {
        ($native:ty, $arrow:ty) => {
            if let Ok(array) = matrix.extract::<PyReadonlyArray2<'_, $native>>() {
                let columns = gathered(&array, wanted).into_iter();
                return Ok(columns
                    .map(|values| {
                        Arc::new(PrimitiveArray::<$arrow>::new(values.into(), None)) as ArrayRef
                    })
                    .collect());
            }
        };
    }
    for_each_number!(as_numbers);
    if let Ok(array) = matrix.extract::<PyReadonlyArray2<'_, bool>>() {
        let columns = gathered(&array, wanted).into_iter();
        return Ok(columns
            .map(|values| Arc::new(BooleanArray::from(values)) as ArrayRef)
            .collect());
    }
    Err(PyTypeError::new_err(
        "a matrix holds numbers or truth values",
    ))
}

fn gathered<T: Element + Copy>(
    matrix: &PyReadonlyArray2<'_, T>,
    wanted: Range<usize>,
) -> Vec<Vec<T>> {
    let view = matrix.as_array();
    let n_rows = view.nrows();
    let mut columns: Vec<Vec<T>> = wanted.clone().map(|_| Vec::with_capacity(n_rows)).collect();
    for row in view.rows() {
        for (column, place) in columns.iter_mut().zip(wanted.clone()) {
            column.push(row[place]);
        }
    }
    columns
}
