//! The combinations of a joint table as rows.

use super::JointTable;
use crate::counts::CountColumn;
use crate::data::Codes;

/// The combinations that occur as rows, each of which stands for several: what tells rows
/// apart works on them as on the rows themselves.
#[derive(Debug)]
pub(crate) struct WeightedRows {
    columns: Vec<Codes>,
    n_values: Vec<usize>,
    weights: Vec<u64>,
}

impl WeightedRows {
    pub(crate) fn new(table: &JointTable) -> Self {
        let n_values = table.n_values();
        let cells: Vec<(Vec<u32>, u64)> = table
            .iter()
            .map(|(key, n)| (table.values_of(key), n))
            .collect();
        let column = |place: usize| {
            let values = cells.iter().map(|(values, _)| Some(values[place]));
            Codes::new(n_values[place], values)
        };
        WeightedRows {
            columns: (0..n_values.len()).map(column).collect(),
            n_values: n_values.to_vec(),
            weights: cells.iter().map(|&(_, n)| n).collect(),
        }
    }

    /// Number of combinations.
    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// Number of columns.
    pub(crate) fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// A column of the table.
    pub(crate) fn column(&self, place: usize) -> Option<CountColumn<'_>> {
        Some(CountColumn {
            codes: self.columns.get(place)?,
            n_values: self.n_values[place],
        })
    }

    /// How many rows each combination stands for.
    pub(crate) fn weights(&self) -> &[u64] {
        &self.weights
    }
}
