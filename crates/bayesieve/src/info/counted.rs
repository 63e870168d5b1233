//! A table whose rows are somewhere else.

use std::sync::Arc;

use super::Informations;
use crate::counts::{TableNodes, Tables};
use crate::data::CodedTable;
use crate::error::{Error, Result};

/// What a column without its rows cannot tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ColumnFacts {
    /// Distinct values, missing cells not counted.
    pub n_distinct: usize,
    /// Missing cells.
    pub n_missing: usize,
}

/// A coded table without rows, and the counts of its rows.
#[derive(Debug, Clone)]
pub struct Counted {
    outline: CodedTable,
    tables: Arc<dyn Tables>,
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
                    .with_hint("Bin it: leave --discretize none out.")
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
            tables,
            facts,
        })
    }

    /// The table without its rows: names, domains, cut points, notes.
    pub fn outline(&self) -> &CodedTable {
        &self.outline
    }

    /// The counts.
    pub fn tables(&self) -> &dyn Tables {
        &*self.tables
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
        Informations::from_tables(TableNodes::new(self.tables(), features)?)
    }
}

/// Tables in memory as if their rows were somewhere else, for tests.
#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::counts::{CountTable, JointTable, tables::testing::tables};
    use crate::data::{Column, Nominal};
    use crate::observer::Observer;

    /// Counted in blocks of so many rows; with little memory pairs are not kept.
    pub(crate) fn counted(table: &CodedTable, n_rows_of_block: usize, memory: u64) -> Counted {
        let tables = counts(table, n_rows_of_block, memory);
        Counted::new(table.without_rows(), tables, facts(table)).unwrap()
    }

    /// As [`counted`], of pairs only.
    pub(crate) fn counted_pairs(table: &CodedTable) -> Counted {
        let tables = Arc::new(PairsOnly(counts(table, 57, 1 << 30)));
        Counted::new(table.without_rows(), tables, facts(table)).unwrap()
    }

    fn counts(table: &CodedTable, n_rows_of_block: usize, memory: u64) -> Arc<dyn Tables> {
        let features: Vec<&Nominal> = table.features.iter().map(|f| f.coded().unwrap()).collect();
        Arc::new(tables(&features, &table.class, n_rows_of_block, memory))
    }

    fn facts(table: &CodedTable) -> Vec<ColumnFacts> {
        let fact = |column: &Column| ColumnFacts {
            n_distinct: column.n_distinct(),
            n_missing: column.n_missing(),
        };
        table.features.iter().map(|f| fact(&f.column)).collect()
    }

    /// Counts that have no table of more than two features.
    #[derive(Debug)]
    struct PairsOnly(Arc<dyn Tables>);

    impl Tables for PairsOnly {
        fn n_rows(&self) -> u64 {
            self.0.n_rows()
        }

        fn class_counts(&self) -> &[u64] {
            self.0.class_counts()
        }

        fn n_values(&self) -> &[usize] {
            self.0.n_values()
        }

        fn singles(&self) -> &[CountTable] {
            self.0.singles()
        }

        fn pairs(
            &self,
            pairs: &[(usize, usize)],
            observer: &dyn Observer,
        ) -> Result<Vec<CountTable>> {
            self.0.pairs(pairs, observer)
        }

        fn joint(&self, sets: &[Vec<usize>], observer: &dyn Observer) -> Result<Vec<JointTable>> {
            let class = self.n_values().len();
            for set in sets {
                let n_features = set.iter().filter(|&&node| node < class).count();
                assert!(n_features <= 2, "{set:?} was asked for");
            }
            self.0.joint(sets, observer)
        }

        fn most_features(&self) -> Option<usize> {
            Some(2)
        }
    }
}
