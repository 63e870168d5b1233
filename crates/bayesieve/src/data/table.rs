//! Columns of one length under distinct names.

use std::collections::HashMap;
use std::sync::Arc;

use super::Column;
use crate::{Error, Result, quoted};

/// A table in memory: named columns of one length. Cloning shares the columns.
#[derive(Debug, Clone)]
pub struct Table {
    columns: Vec<Arc<Column>>,
    n_rows: usize,
    positions: Arc<HashMap<String, usize>>,
}

impl Table {
    /// Checks the columns and puts them together.
    ///
    /// # Errors
    /// Two columns of one name, a column without a name, or columns of different lengths.
    ///
    /// # Example
    /// ```
    /// use bayesieve::data::{Column, KindOrigin, Table, Values};
    ///
    /// let age = Column::new("age", Values::Numeric(vec![31.0, f64::NAN]), KindOrigin::Numbers);
    /// let table = Table::new(vec![age])?;
    /// assert_eq!(table.n_rows(), 2);
    /// assert_eq!(table.column("age").map(Column::n_missing), Some(1));
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn new(columns: Vec<Column>) -> Result<Self> {
        Table::from_shared(columns.into_iter().map(Arc::new).collect())
    }

    fn from_shared(columns: Vec<Arc<Column>>) -> Result<Self> {
        let n_rows = columns.first().map_or(0, |column| column.len());
        let mut positions = HashMap::with_capacity(columns.len());
        for (position, column) in columns.iter().enumerate() {
            if column.len() != n_rows {
                return Err(Error::internal(format!(
                    "{} rows in one column, {n_rows} in the first",
                    column.len()
                ))
                .in_column(column.name()));
            }
            if column.name().is_empty() {
                return Err(Error::data(format!("column {} has no name", position + 1))
                    .with_hint("Give every column a name in the first line."));
            }
            if let Some(first) = positions.insert(column.name().to_owned(), position) {
                return Err(Error::data(format!(
                    "the name {} stands over columns {} and {}",
                    quoted(column.name()),
                    first + 1,
                    position + 1
                ))
                .with_hint("Give every column a name of its own."));
            }
        }
        Ok(Table {
            columns,
            n_rows,
            positions: Arc::new(positions),
        })
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The columns in file order.
    pub fn columns(&self) -> &[Arc<Column>] {
        &self.columns
    }

    /// The position of a column.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.positions.get(name).copied()
    }

    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.position(name).map(|position| &*self.columns[position])
    }

    /// The column names in file order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name())
    }

    /// The same with one more column behind the others, which are shared.
    ///
    /// # Errors
    /// As [`Table::new`].
    pub fn with_column(&self, column: Column) -> Result<Self> {
        let columns = self.columns.iter().cloned();
        Table::from_shared(columns.chain([Arc::new(column)]).collect())
    }

    /// The same with the cells of one column in another order of rows.
    #[must_use]
    pub(crate) fn with_column_in_order(&self, position: usize, rows: &[u32]) -> Self {
        let mut table = self.clone();
        if let Some(column) = table.columns.get_mut(position) {
            *column = Arc::new(column.take(rows));
        }
        table
    }

    /// The same without one of the columns; the others are shared.
    ///
    /// # Errors
    /// As [`Table::new`].
    pub(super) fn without_column(&self, position: usize) -> Result<Self> {
        let mut columns = self.columns.clone();
        if position < columns.len() {
            columns.remove(position);
        }
        Table::from_shared(columns)
    }

    /// The given rows, in their order.
    #[must_use]
    pub fn take_rows(&self, rows: &[u32]) -> Self {
        Table {
            columns: self
                .columns
                .iter()
                .map(|column| Arc::new(column.take(rows)))
                .collect(),
            n_rows: rows.len(),
            positions: Arc::clone(&self.positions),
        }
    }

    /// The same without labels that no row has, as if other rows had never been there.
    #[must_use]
    pub fn with_labels_present(&self) -> Self {
        let columns = self.columns.iter();
        let present = columns.map(|column| Arc::new(Column::clone(column).with_labels_present()));
        Table {
            columns: present.collect(),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{KindOrigin, Values};

    fn numbers(name: &str, values: &[f64]) -> Column {
        Column::new(name, Values::Numeric(values.to_vec()), KindOrigin::Numbers)
    }

    #[test]
    fn a_column_is_constant_unless_two_of_its_numbers_differ() {
        let nan = f64::NAN;
        let constant: [&[f64]; 4] = [&[], &[nan, nan], &[nan, 2.0, 2.0], &[0.0, -0.0]];
        for values in constant {
            assert!(numbers("x", values).is_constant(), "{values:?}");
        }
        assert!(!numbers("x", &[nan, 2.0, nan, 3.0]).is_constant());
    }

    #[test]
    fn duplicate_names_are_refused_with_both_places() {
        let error = Table::new(vec![
            numbers("a", &[]),
            numbers("b", &[]),
            numbers("a", &[]),
        ]);
        let text = error.unwrap_err().to_string();
        assert!(text.contains("\"a\" stands over columns 1 and 3"), "{text}");
    }

    #[test]
    fn columns_of_two_lengths_are_a_defect() {
        let error = Table::new(vec![numbers("a", &[1.0]), numbers("b", &[])]);
        assert_eq!(error.unwrap_err().kind(), crate::ErrorKind::Internal);
    }
}
