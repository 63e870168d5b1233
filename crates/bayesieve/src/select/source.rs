//! What a method chooses from: a table in memory, or counts of its rows.

use super::candidates::check_class_counts;
use super::method::Method;
use super::options::SelectOptions;
use crate::data::CodedTable;
use crate::info::Counted;
use crate::{Error, ErrorKind, Result, parameter, quoted};

/// Where the rows are.
#[derive(Debug, Clone, Copy)]
pub(super) enum SelectionSource<'a> {
    Rows(&'a CodedTable),
    Counted(&'a Counted),
}

impl<'a> SelectionSource<'a> {
    /// The table; without rows where they are counted.
    pub(super) fn table(self) -> &'a CodedTable {
        match self {
            SelectionSource::Rows(table) => table,
            SelectionSource::Counted(counted) => counted.outline(),
        }
    }

    /// Whether a feature's column has fewer than two distinct values.
    pub(super) fn is_constant(self, place: usize) -> bool {
        match self {
            SelectionSource::Rows(table) => table.features[place].column.is_constant(),
            SelectionSource::Counted(counted) => counted.facts()[place].n_distinct < 2,
        }
    }

    /// Refuses a single class, and what needs rows where there are counts only.
    pub(super) fn check(self, options: &SelectOptions) -> Result<()> {
        let table = self.table();
        let counts = match self {
            SelectionSource::Rows(table) => table.class.counts(),
            SelectionSource::Counted(counted) => counted.tables().class_counts().to_vec(),
        };
        check_class_counts(&counts, table.class.domain.labels(), &table.class_name)?;
        let SelectionSource::Counted(_) = self else {
            return Ok(());
        };
        let method = options.method();
        if !method.takes.counts {
            return Err(needs_rows(method.name));
        }
        if options.checkpoint.is_some() {
            return Err(Error::usage(format!(
                "{} works with rows in memory only",
                parameter("checkpoint")
            ))
            .with_hint(format!("Leave {} out.", parameter("checkpoint"))));
        }
        Ok(())
    }

    /// Names the method that needs tables that cannot be had, which is not plain from the
    /// tables, and those that do with less.
    pub(super) fn blame(self, method: &Method, error: Error) -> Error {
        let SelectionSource::Counted(counted) = self else {
            return error;
        };
        let most = counted.tables().max_features();
        match error.kind() {
            ErrorKind::Usage if most.is_some() => {
                let others = Method::names_of_those(|takes| takes.pairs);
                error.about(method.name).with_hint(format!(
                    "Use the rows ({memory} bounds what they take), or a method that by its own \
                     settings needs pairs only: {others}.",
                    memory = parameter("memory")
                ))
            }
            ErrorKind::Usage | ErrorKind::Data => error.about(method.name),
            _ => error,
        }
    }
}

/// The error of a method that cannot do without rows.
fn needs_rows(name: &str) -> Error {
    let others = Method::names_of_those(|takes| takes.counts);
    Error::usage(format!("{} needs the rows in memory", quoted(name))).with_hint(format!(
        "Load the table whole, or use a method that works on counts: {others}."
    ))
}
