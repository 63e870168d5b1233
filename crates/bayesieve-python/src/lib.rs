//! The compiled part of the Python package: tables from what Python holds, runs with the
//! interpreter let go, results as the documents that the command writes.
//!
//! Everything that people see (classes, docstrings, frames) is in `python/bayesieve`; this module
//! is private to it. What crosses the border is small on purpose: columns and requests in,
//! documents, pages and arrays out.
//!
//! | module | in a line |
//! |---|---|
//! | `table` | columns of numpy, pandas, polars and pyarrow as one table |
//! | `run` | threads of its own, progress, Ctrl-C; questions to Python |
//! | `data` | rows in memory, counts and partitions as the data of one request |
//! | `select`, `classify`, `describe`, `compare`, `discretize` | one task each |
//! | `blocks`, `profile`, `part`, `predict` | parts of the rows, on other machines |
//! | `counts`, `asked` | counts from files, and counts that are asked for |
//! | `catalog` | what methods and models there are |
//! | `errors` | every error of the engine as an exception |

mod asked;
mod blocks;
mod catalog;
mod classify;
mod compare;
mod counts;
mod data;
mod describe;
mod discretize;
mod errors;
mod part;
mod predict;
mod profile;
mod run;
mod select;
mod table;

use pyo3::prelude::*;

/// The engine of the package `bayesieve`.
#[pymodule]
mod _engine {
    #[pymodule_export]
    use super::{
        catalog::catalog,
        classify::{Model, train},
        compare::compare,
        counts::Counts,
        describe::describe,
        discretize::{cut_points, into_bins},
        errors::{DataError, InternalError, Interrupted, OutputError, SettingError},
        part::{PartCounts, merge_parts, wanted_columns, wanted_counts},
        predict::PartPredictions,
        profile::{
            PartProfile, finish_profile, merge_profiles, profile_again, read_coding, start_profile,
        },
        select::{Selection, select},
        table::Table,
    };

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
