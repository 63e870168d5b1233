//! Errors of the engine as exceptions, with the same text.

use bayesieve::{Error, ErrorKind};
use pyo3::create_exception;
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    bayesieve,
    DataError,
    PyValueError,
    "Data that cannot be used; the text names the column, the value and the way out."
);
create_exception!(
    bayesieve,
    SettingError,
    PyValueError,
    "A parameter with a wrong value, or one that names something that does not exist."
);
create_exception!(
    bayesieve,
    OutputError,
    PyOSError,
    "A file that cannot be written."
);
create_exception!(
    bayesieve,
    Interrupted,
    PyKeyboardInterrupt,
    "A run that Ctrl-C stopped before it was done."
);
create_exception!(
    bayesieve,
    InternalError,
    PyRuntimeError,
    "A defect of bayesieve: please report it."
);

/// The exception of an error.
pub(crate) fn exception(error: &Error) -> PyErr {
    let text = error.to_string();
    match error.kind() {
        ErrorKind::Usage => SettingError::new_err(text),
        ErrorKind::Data => DataError::new_err(text),
        ErrorKind::Output => OutputError::new_err(text),
        ErrorKind::Interrupted => Interrupted::new_err(text),
        _ => InternalError::new_err(text),
    }
}

/// Results of the engine as those of Python.
pub(crate) trait OrRaise<T> {
    /// The value, or the exception of the error.
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for bayesieve::Result<T> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| exception(&error))
    }
}
