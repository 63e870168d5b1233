//! Rows told apart by some features, wherever they are.

use super::conditional_entropy;
use crate::counts::{CountColumn, Partition, WeightedRows};
use crate::data::Nominal;
use crate::{Error, Result};

/// The rows of some features and the class: as they are, or every combination that occurs with
/// the number of its rows. Parts and sums over them are the same.
#[derive(Debug)]
pub(crate) enum Rows<'a> {
    /// The features' columns and the class.
    InMemory(Vec<&'a Nominal>),
    /// The same as combinations.
    Counted(WeightedRows),
}

impl Rows<'_> {
    /// All rows in one part.
    pub(crate) fn whole(&self) -> Partition {
        Partition::whole(match self {
            Rows::InMemory(columns) => columns.first().map_or(0, |column| column.codes.len()),
            Rows::Counted(rows) => rows.len(),
        })
    }

    /// Splits every part by the feature at this place among those asked for.
    ///
    /// # Errors
    /// There is no such feature.
    pub(crate) fn refine(&self, parts: &Partition, place: usize) -> Result<Partition> {
        let column = self.column(place)?;
        parts.refine(column.codes, column.n_values)
    }

    /// `H(C | parts)`, in bits.
    ///
    /// # Errors
    /// None for parts of these rows.
    pub(crate) fn class_entropy(&self, parts: &Partition) -> Result<f64> {
        let class = self.column(self.n_columns() - 1)?;
        let (codes, n_classes) = (class.codes, class.n_values);
        let counts = match self {
            Rows::InMemory(_) => parts.count(codes, n_classes)?,
            Rows::Counted(rows) => parts.weighted_count(codes, n_classes, rows.weights())?,
        };
        Ok(conditional_entropy(&counts))
    }

    fn n_columns(&self) -> usize {
        match self {
            Rows::InMemory(columns) => columns.len(),
            Rows::Counted(rows) => rows.n_columns(),
        }
    }

    fn column(&self, place: usize) -> Result<CountColumn<'_>> {
        let column = match self {
            Rows::InMemory(columns) => columns.get(place).map(|&column| column.into()),
            Rows::Counted(rows) => rows.column(place),
        };
        column.ok_or_else(|| Error::internal(format!("column {place} of some rows")))
    }
}
