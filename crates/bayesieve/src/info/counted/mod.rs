//! A table whose rows are somewhere else.

use std::sync::Arc;

use super::Informations;
use crate::counts::{CountTable, TableNodes, Tables};
use crate::data::{CodedTable, ColumnDomain, Domains};
use crate::{Error, Result, parameter};

/// What a column without its rows cannot tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ColumnFacts {
    /// Distinct values, missing cells not counted.
    pub n_distinct: usize,
    /// Whether there are more of them: so many numbers are not told apart.
    pub has_more_values: bool,
    /// Missing cells.
    pub n_missing: usize,
}

impl ColumnFacts {
    /// What the counts of a column tell of these; how many different numbers are in its bins
    /// only its domain knows, of the rows it was learned on.
    pub fn of(column: &ColumnDomain, counts: &CountTable, n_rows: u64) -> Self {
        let mut n_of_value = vec![0u64; column.n_values()];
        counts.for_each(|cell, n| n_of_value[cell.a] += n);
        let n_gaps = if column.domain.has_missing_value() {
            n_of_value.pop().unwrap_or_default()
        } else {
            n_rows.saturating_sub(counts.n_rows())
        };
        let n_distinct = match column.cuts {
            None => n_of_value.iter().filter(|&&n| n > 0).count(),
            Some(_) => column.n_distinct as usize,
        };
        ColumnFacts {
            n_distinct,
            has_more_values: column.has_more_values,
            n_missing: n_gaps as usize,
        }
    }
}

/// A coded table without rows, and the counts of its rows.
#[derive(Debug, Clone)]
pub struct Counted {
    outline: CodedTable,
    tables: TableNodes<'static>,
    facts: Vec<ColumnFacts>,
}

impl Counted {
    /// Takes a table whose columns have names, domains and cut points but no row, the counts
    /// of its features in the same order, and the facts of each column.
    ///
    /// # Errors
    /// They do not fit: other numbers of features, values or classes, or numbers without bins.
    pub fn new(
        outline: CodedTable,
        tables: Arc<dyn Tables>,
        facts: Vec<ColumnFacts>,
    ) -> Result<Self> {
        let n_values = tables.n_values();
        let n_features = outline.features.len();
        if n_values.len() != n_features || facts.len() != n_features {
            return Err(Error::internal(format!(
                "counts of {} features and facts of {} for a table of {n_features}",
                n_values.len(),
                facts.len()
            )));
        }
        for (feature, &n_values) in outline.features.iter().zip(n_values) {
            let name = feature.column.name();
            let coded = feature.coded().ok_or_else(|| {
                Error::usage("numbers are counted in bins only")
                    .in_column(name)
                    .with_hint(format!(
                        "Bin it: leave {} out.",
                        parameter("discretize").is("none")
                    ))
            })?;
            if coded.n_values() != n_values {
                return Err(Error::internal(format!(
                    "counts of {n_values} values for {}",
                    coded.n_values()
                ))
                .in_column(name));
            }
        }
        if tables.class_counts().len() != outline.class.n_values() {
            return Err(Error::internal(format!(
                "counts of {} classes for {}",
                tables.class_counts().len(),
                outline.class.n_values()
            )));
        }
        Ok(Counted {
            outline,
            tables: TableNodes::all(tables),
            facts,
        })
    }

    /// Rows that were counted by some domains.
    ///
    /// # Errors
    /// As [`Counted::new`].
    pub fn of_tables(domains: &Domains, tables: Arc<dyn Tables>) -> Result<Self> {
        let columns = domains.features.iter().zip(tables.singles());
        let facts =
            columns.map(|(column, counts)| ColumnFacts::of(column, counts, tables.n_rows()));
        let facts = facts.collect();
        Counted::new(domains.outline(), tables, facts)
    }

    /// The same rows with some of the features, named by their places in rising order.
    ///
    /// # Errors
    /// There is no such feature, or the places do not rise.
    pub fn with_features(&self, places: &[usize]) -> Result<Self> {
        let tables = self.tables.choose(places)?;
        let features = places.iter().map(|&place| &self.outline.features[place]);
        Ok(Counted {
            outline: CodedTable {
                features: features.cloned().collect(),
                ..self.outline.clone()
            },
            tables,
            facts: places.iter().map(|&place| self.facts[place]).collect(),
        })
    }

    /// The table without its rows: names, domains, cut points, notes.
    pub fn outline(&self) -> &CodedTable {
        &self.outline
    }

    /// The counts.
    pub fn tables(&self) -> &TableNodes<'static> {
        &self.tables
    }

    /// What is known of every column besides.
    pub fn facts(&self) -> &[ColumnFacts] {
        &self.facts
    }

    /// What some features tell, named by their places in rising order.
    ///
    /// # Errors
    /// There is no such feature, or the places do not rise.
    pub fn informations(&self, features: &[usize]) -> Result<Informations<'_>> {
        Informations::of(self.tables.choose(features)?)
    }
}

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
