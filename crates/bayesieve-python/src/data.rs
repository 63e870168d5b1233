//! Rows as Python has them: a table in memory, counts, or partitions that somebody counts.

use std::sync::Arc;

use bayesieve::counts::Tables;
use bayesieve::data::Domains;
use bayesieve::run::{DataRequest, Dataset, request_from_json};
use bayesieve::{Observer, Result};
use bayesieve_report::About;
use pyo3::prelude::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::asked::AskedTables;
use crate::counts::Counts;
use crate::errors::OrRaise;
use crate::run::{Asker, Runner};
use crate::table::Table;

/// What a task works on.
#[derive(FromPyObject)]
pub(crate) enum Data {
    /// The last column is the class.
    Table(Py<Table>),
    Counts(Py<Counts>),
    Partitions(Partitions),
}

/// Rows in partitions that somebody can count.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Partitions {
    coding: String,
    /// How many they must be, where that is known.
    n_rows: Option<u64>,
    /// Called with what is wanted, to come back with the counts of every part.
    ask: Py<PyAny>,
}

/// One text with everything but the rows: what to do, how cells become codes, and what a page
/// says about where it comes from.
#[derive(Deserialize)]
pub(crate) struct Asked<R> {
    #[serde(default)]
    pub(crate) data: DataRequest,
    pub(crate) request: R,
    #[serde(default)]
    pub(crate) origin: Origin,
}

/// What a page says about where it comes from.
#[derive(Deserialize, Default)]
pub(crate) struct Origin {
    data: String,
    call: String,
}

impl Origin {
    pub(crate) fn about(&self, seconds: f64) -> About {
        About {
            file: self.data.clone(),
            command: self.call.clone(),
            seconds: Some(seconds),
        }
    }
}

impl Data {
    /// Does what is asked for, without the interpreter's lock.
    pub(crate) fn run<R: DeserializeOwned + Send + Sync, T: Send>(
        &self,
        py: Python<'_>,
        asked: &str,
        runner: &Runner,
        work: impl FnOnce(&R, &Dataset, &dyn Observer) -> Result<T> + Send,
    ) -> PyResult<(T, Origin)> {
        let asked: Asked<R> = request_from_json(asked).or_raise()?;
        let answer = |py: Python<'_>, wanted: &str| match self {
            Data::Partitions(rows) => rows.ask.call1(py, (wanted,))?.extract(py),
            Data::Table(_) | Data::Counts(_) => Ok(Vec::new()),
        };
        runner.run_asking(py, answer, |observer, asker| {
            // Lent, not given: who can still ask is watched over, and can be stopped by Ctrl-C.
            let data = self.dataset(asked.data, &asker)?;
            Ok((work(&asked.request, &data, observer)?, asked.origin))
        })
    }

    fn dataset(&self, request: DataRequest, asker: &Asker) -> Result<Dataset> {
        match self {
            Data::Table(table) => table.get().dataset(request),
            Data::Counts(counts) => Dataset::of_counts(Arc::clone(&counts.get().0), request),
            Data::Partitions(rows) => {
                let domains = Domains::from_json(&rows.coding)?;
                let (columns, n_rows, asker) = (domains.clone(), rows.n_rows, asker.clone());
                let count = move |needs_pairs| {
                    let (columns, asker) = (columns.clone(), asker.clone());
                    let tables = AskedTables::new(columns, n_rows, needs_pairs, asker)?;
                    Ok(Arc::new(tables) as Arc<dyn Tables>)
                };
                Dataset::of_partitions(domains, count, request)
            }
        }
    }
}
