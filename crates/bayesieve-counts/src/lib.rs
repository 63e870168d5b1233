//! Counting rows: the one place where rows are touched.
//!
//! - [`Codes`]: one nominal column as small integers.
//! - [`RowIndex`]: columns and a class in memory, counted in any combination.
//! - [`CountTable`]: the counts of one or two columns given the class.
//! - [`Partition`]: joint tables of many columns, over the observed combinations only.
//! - [`Counter`], [`JointCounter`]: counts fed batch by batch, merged, finished.
//! - [`KnownTables`]: what finished counts say about sets of columns.
//! - [`Tables`]: what can be asked about rows, wherever they are; [`MemoryTables`],
//!   [`PassTables`]: rows in memory, and rows in passes.
//! - [`TableNodes`]: what methods ask: some features of tables and the class; [`TableRows`]:
//!   their rows, as they are or as combinations that occur.
//! - [`Error`], [`Observer`]: how everything fails, reports progress and is cancelled.
//!
//! Three engines give the same tables: bitmaps with AND and popcount, a histogram loop,
//! and sorted keys; a cost model picks one per table.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod bitmap;
mod cells;
mod codes;
mod counter;
mod error;
mod gathering;
mod groups;
mod histogram;
mod index;
mod joint;
mod kernel;
mod known;
mod observer;
mod pairs;
mod parameter;
mod table;
mod tables;
#[doc(hidden)]
pub mod testing;
pub mod wording;

pub use codes::{Code, Codes};
pub use counter::{CountPlan, Counter, Counts, PairChoice, dense_cells};
pub use error::{Error, ErrorKind, Result, printable, quoted};
pub use gathering::GatheringCounter;
pub use histogram::count_codes;
pub use index::{CountColumn, Engine, RowIndex, is_single_held_whole};
pub use joint::{JointCounts, Partition};
pub use kernel::{InstructionSet, MapRun};
pub use known::KnownTables;
pub use observer::{Hushed, Observer, Part, Silent, check};
pub use parameter::{Parameter, Spelling, parameter, setting};
pub use table::{Cell, CountTable, Shape};
pub use tables::{
    CodedBlocks, JointCounter, JointTable, KeptRows, MemoryTables, PairKind, PassTables, Passes,
    TableNodes, TableOptions, TableRows, Tables, Triple, duplicate_columns, equal_groups,
    renumbered,
};
