//! The combinations of a joint table as rows.

use super::JointTable;
use crate::CountColumn;
use crate::codes::Codes;

/// The combinations that occur as rows, each of which stands for several: what tells rows
/// apart works on them as on the rows themselves.
#[derive(Debug)]
pub struct WeightedRows {
    columns: Vec<Codes>,
    n_values: Vec<usize>,
    weights: Vec<u64>,
}

impl WeightedRows {
    /// Lists every combination that occurs, with the number of its rows.
    pub fn new(table: &JointTable) -> Self {
        let n_values = table.n_values();
        let column = |place: usize| {
            // The last node of a key changes fastest.
            let behind = n_values[place + 1..].iter().map(|&n| n as u64);
            let behind = behind.fold(1, u64::saturating_mul);
            let value = |(key, _): (u64, u64)| Some((key / behind % n_values[place] as u64) as u32);
            Codes::new(n_values[place], table.iter().map(value))
        };
        WeightedRows {
            columns: (0..n_values.len()).map(column).collect(),
            n_values: n_values.to_vec(),
            weights: table.iter().map(|(_, n)| n).collect(),
        }
    }

    /// Number of combinations.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Number of columns.
    pub fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// A column of the table.
    pub fn column(&self, place: usize) -> Option<CountColumn<'_>> {
        Some(CountColumn {
            codes: self.columns.get(place)?,
            n_values: self.n_values[place],
        })
    }

    /// How many rows each combination stands for.
    pub fn weights(&self) -> &[u64] {
        &self.weights
    }
}
