//! Where counts come from: a file of them, or somebody to ask.

use std::sync::Arc;

use bayesieve::counts::Tables;
use bayesieve::data::{CodingOptions, Domains};
use bayesieve::info::{ColumnFacts, Counted};
use bayesieve::{Observer, Result};
use pyo3::prelude::*;

use crate::asked::AskedTables;
use crate::counts::Counts;
use crate::run::{Asker, Runner};

/// Rows that are not in memory.
#[derive(FromPyObject)]
pub(crate) enum Source {
    Counts(Py<Counts>),
    Elsewhere(Elsewhere),
}

/// Rows in parts that somebody can count.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Elsewhere {
    coding: String,
    /// How many they must be, where that is known.
    n_rows: Option<u64>,
    /// Called with what is wanted, to come back with the counts of every part.
    ask: Py<PyAny>,
}

impl Source {
    /// Does some work on the counts, without the interpreter's lock.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        runner: &Runner,
        work: impl FnOnce(&Rows<'_>, &dyn Observer) -> Result<T> + Send,
    ) -> PyResult<T> {
        let answer = |py: Python<'_>, wanted: &str| match self {
            Source::Counts(_) => Ok(Vec::new()),
            Source::Elsewhere(rows) => rows.ask.call1(py, (wanted,))?.extract(py),
        };
        runner.run_asking(py, answer, |observer, asker| {
            let domains = match self {
                Source::Counts(counts) => counts.get().0.domains().clone(),
                Source::Elsewhere(rows) => Domains::from_json(&rows.coding)?,
            };
            let rows = Rows {
                source: self,
                domains,
                asker,
            };
            work(&rows, observer)
        })
    }
}

/// Rows that are not in memory, while a run works on them.
pub(crate) struct Rows<'a> {
    source: &'a Source,
    pub(crate) domains: Domains,
    asker: Asker,
}

impl Rows<'_> {
    /// How cells became codes.
    pub(crate) fn coding(&self) -> CodingOptions {
        CodingOptions {
            missing: self.domains.missing,
            discretizer: self.domains.discretizer,
        }
    }

    /// The counts; where somebody has to be asked, this is when. All pairs come with the first
    /// answer where they are of use.
    pub(crate) fn counted(&self, needs_pairs: bool) -> Result<Counted> {
        let tables: Arc<dyn Tables> = match self.source {
            Source::Counts(counts) => Arc::clone(&counts.get().0) as Arc<dyn Tables>,
            Source::Elsewhere(rows) => Arc::new(AskedTables::new(
                self.domains.clone(),
                (rows.n_rows, needs_pairs),
                self.asker.clone(),
            )?),
        };
        let columns = self.domains.features.iter().zip(tables.singles());
        let facts =
            columns.map(|(column, counts)| ColumnFacts::of(column, counts, tables.n_rows()));
        let facts = facts.collect();
        Counted::new(self.domains.outline(), tables, facts)
    }
}
