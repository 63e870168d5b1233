//! Counts of rows that are not in memory: in a file, on other machines, counted long ago.
//!
//! Methods that work on counts ask [`Tables`] for all they need to know about the rows, and
//! never learn where the rows are. Columns are numbered; the class is the node behind the
//! last feature.

mod chosen;
mod joint_counter;
mod joint_table;
mod kept_rows;
mod nodes;
mod packed;
mod passes;
mod weighted;

use std::fmt;

pub use chosen::ChosenTables;
pub use joint_counter::JointCounter;
pub use joint_table::JointTable;
pub use kept_rows::{Blocks, KeptRows};
pub use nodes::TableNodes;
pub use passes::{PassTables, Passes, TableOptions, renumbered};
pub use weighted::WeightedRows;

use super::table::CountTable;
use crate::error::Result;
use crate::observer::Observer;

/// What can be asked about rows that are somewhere else.
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

    /// The most features that a joint table may have, the class not counted; `None` where only
    /// the memory is a limit.
    fn most_features(&self) -> Option<usize> {
        None
    }

    /// How many cells the tables of one call should have together at most; a table that has
    /// more must still be asked for alone.
    fn room(&self) -> u64 {
        1 << 24
    }
}

#[cfg(test)]
mod tests;
