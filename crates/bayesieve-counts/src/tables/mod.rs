//! Counts of rows, wherever they are: in memory, in a file, on other machines, counted long ago.
//!
//! Methods ask [`TableNodes`] for all they need to know about the rows; [`Tables`] is what every
//! place where rows can be answers. Columns are numbered; the class is the node behind the last
//! feature.

mod duplicates;
mod joint_counter;
mod joint_table;
mod kept_rows;
mod memory;
mod nodes;
mod packed;
mod passes;
mod table_rows;
mod triples;

use std::fmt;

pub use duplicates::{duplicate_columns, equal_groups};
pub use joint_counter::JointCounter;
pub use joint_table::JointTable;
pub(crate) use joint_table::n_combinations;
pub use kept_rows::{CodedBlocks, KeptRows};
pub use memory::MemoryTables;
pub use nodes::TableNodes;
pub use passes::{PassTables, Passes, TableOptions, renumbered};
pub use table_rows::TableRows;
pub use triples::Triple;

use super::table::CountTable;
use crate::error::Result;
use crate::index::{CountColumn, RowIndex};
use crate::observer::Observer;

/// Whether pairs are counted in every class, or over all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairKind {
    /// A table for every class.
    GivenClass,
    /// One table, which is cheaper to count where rows are few.
    Plain,
}

/// What can be asked about rows, wherever they are.
///
/// Every answer is exact, and the same whenever it is asked for.
pub trait Tables: fmt::Debug + Send + Sync {
    /// Number of rows; each has a class.
    fn n_rows(&self) -> u64;

    /// Rows of every class.
    fn class_counts(&self) -> &[u64];

    /// Number of values of every feature.
    fn n_values(&self) -> &[usize];

    /// The counts of every feature given the class, without its missing cells.
    fn singles(&self) -> &[CountTable];

    /// The counts of pairs of features given the class, in the order asked for, over the rows
    /// where neither is missing.
    ///
    /// # Errors
    /// There is no such feature, the rows cannot be reached, or the observer cancelled.
    ///
    /// # Cost
    /// One pass over the rows at most, whatever the number of pairs.
    fn pairs(&self, pairs: &[(usize, usize)], observer: &dyn Observer) -> Result<Vec<CountTable>>;

    /// The counts of all combinations of the values of some nodes, for every set of nodes. The
    /// first node of a set changes slowest; the class is node `n_values().len()`. A row with a
    /// missing cell in one of the nodes is not counted.
    ///
    /// # Errors
    /// There is no such node, the tables do not fit in memory, the rows cannot be reached, or
    /// the observer cancelled; for counts without rows: a set of more than two features.
    ///
    /// # Cost
    /// One pass over the rows at most, whatever the number of sets.
    fn joint(&self, sets: &[Vec<usize>], observer: &dyn Observer) -> Result<Vec<JointTable>>;

    /// The maximum number of features of a joint table, the class not counted; `None` where only
    /// the memory is a limit.
    fn max_features(&self) -> Option<usize> {
        None
    }

    /// How many cells the tables of one call should have together at most; a table that has
    /// more must still be asked for alone.
    fn room(&self) -> u64 {
        1 << 24
    }

    /// The values of every node in every row, where they are in memory: what is not a table of
    /// counts can then be had without one.
    fn columns(&self) -> Option<&[CountColumn<'_>]> {
        None
    }

    /// Rows in memory, ready to be counted: no table of a pair then needs to be kept.
    fn index(&self, kind: PairKind) -> Option<Result<&RowIndex<'_>>> {
        let _ = kind;
        None
    }
}

#[cfg(test)]
mod tests;
