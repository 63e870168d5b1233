//! The rows of some nodes, wherever they are.

use std::borrow::Cow;

use super::JointTable;
use crate::codes::Codes;
use crate::error::Result;
use crate::index::CountColumn;
use crate::joint::{JointCounts, Partition};

/// The rows of some nodes: as they are, or every combination that occurs with the number of
/// its rows. Parts and sums over them are the same.
#[derive(Debug)]
pub struct TableRows<'a> {
    columns: Vec<NodeColumn<'a>>,
    /// Rows or combinations.
    n_entries: usize,
    /// How many rows each combination stands for; `None` for rows as they are.
    weights: Option<Vec<u64>>,
}

/// The values of a node, and how many there can be.
#[derive(Debug)]
struct NodeColumn<'a> {
    codes: Cow<'a, Codes>,
    n_values: usize,
}

impl<'a> From<CountColumn<'a>> for NodeColumn<'a> {
    fn from(column: CountColumn<'a>) -> Self {
        NodeColumn {
            codes: Cow::Borrowed(column.codes),
            n_values: column.n_values,
        }
    }
}

impl<'a> TableRows<'a> {
    /// Rows in memory.
    ///
    /// # Errors
    /// Those of the columns.
    pub(super) fn in_memory(
        columns: impl Iterator<Item = Result<CountColumn<'a>>>,
        n_rows: usize,
    ) -> Result<Self> {
        let columns = columns.map(|column| column.map(NodeColumn::from));
        Ok(TableRows {
            columns: columns.collect::<Result<_>>()?,
            n_entries: n_rows,
            weights: None,
        })
    }

    /// Every combination of a table that occurs.
    pub(super) fn of_table(table: &JointTable) -> Self {
        let n_values = table.n_values();
        let column = |place: usize| {
            // The last node of a key changes fastest.
            let behind = n_values[place + 1..].iter().map(|&n| n as u64);
            let behind = behind.fold(1, u64::saturating_mul);
            let value = |(key, _): (u64, u64)| Some((key / behind % n_values[place] as u64) as u32);
            NodeColumn {
                codes: Cow::Owned(Codes::new(n_values[place], table.iter().map(value))),
                n_values: n_values[place],
            }
        };
        let weights: Vec<u64> = table.iter().map(|(_, n)| n).collect();
        TableRows {
            columns: (0..n_values.len()).map(column).collect(),
            n_entries: weights.len(),
            weights: Some(weights),
        }
    }

    /// Number of rows, or of combinations.
    pub fn n_entries(&self) -> usize {
        self.n_entries
    }

    /// Number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.columns.len()
    }

    /// The values of the node at this place among those asked for.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn column(&self, place: usize) -> CountColumn<'_> {
        let NodeColumn { codes, n_values } = &self.columns[place];
        CountColumn {
            codes,
            n_values: *n_values,
        }
    }

    /// How many rows each combination stands for; `None` for rows as they are.
    pub fn weights(&self) -> Option<&[u64]> {
        self.weights.as_deref()
    }

    /// The rows by the values of the nodes at some places.
    ///
    /// # Errors
    /// None for codes within their domains.
    pub fn parts(&self, places: impl IntoIterator<Item = usize>) -> Result<Partition> {
        let whole = Partition::whole(self.n_entries);
        places
            .into_iter()
            .try_fold(whole, |parts, place| self.refine(&parts, place))
    }

    /// Splits every part by the node at a place.
    ///
    /// # Errors
    /// None for parts of these rows and codes within their domains.
    pub fn refine(&self, parts: &Partition, place: usize) -> Result<Partition> {
        let CountColumn { codes, n_values } = self.column(place);
        parts.refine(codes, n_values)
    }

    /// Number of rows in every part.
    pub fn sizes(&self, parts: &Partition) -> Vec<u64> {
        parts.sizes(self.weights())
    }

    /// Counts the values of the node at a place in every part.
    ///
    /// # Errors
    /// As [`TableRows::refine`].
    pub fn count(&self, parts: &Partition, place: usize) -> Result<JointCounts> {
        let CountColumn { codes, n_values } = self.column(place);
        parts.count_weighted(codes, n_values, self.weights())
    }
}
