//! Counting rows: the one place where rows are touched.
//!
//! - [`RowIndex`]: columns and a class in memory, counted in any combination.
//! - [`CountTable`]: the counts of one or two columns given the class (and the fold).
//! - [`Partition`]: joint tables of many columns, over the observed combinations only.
//! - [`Counter`], [`JointCounter`]: counts fed batch by batch, merged, finished.
//! - [`KnownTables`]: what finished counts tell about sets of columns.
//! - [`Tables`]: what methods ask about rows that are somewhere else; [`TableNodes`]: some of
//!   their features.
//! - [`CountFile`], [`Partial`]: counts as bytes, merged without counting a row twice.
//!
//! Three engines give the same tables: bitmaps with AND and popcount, a histogram loop,
//! and sorted keys; a cost model picks one per table.

mod bitmap;
mod counter;
mod file;
mod gathering;
mod groups;
mod histogram;
mod index;
mod joint;
pub(crate) mod kernel;
mod known;
mod pairs;
mod table;
pub(crate) mod tables;

pub use counter::{CountPlan, Counter, Counts, PairChoice};
pub use file::{CountFile, Partial, Shard, ShardCounter, ShardName};
pub(crate) use histogram::count_codes;
pub(crate) use index::is_held_whole;
pub use index::{CountColumn, Engine, RowIndex};
pub use joint::{JointCounts, Partition};
pub use kernel::InstructionSet;
pub use known::KnownTables;
pub use table::{Cell, CountTable, Shape};
pub use tables::{
    Blocks, FileRows, JointCounter, JointTable, KeptRows, PassTables, Passes, TableNodes,
    TableOptions, Tables, renumbered,
};
pub(crate) use tables::{ChosenTables, WeightedRows};
