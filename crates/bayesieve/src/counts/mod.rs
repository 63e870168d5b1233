//! Counts of rows: in memory, in files, as files.
//!
//! Everything of [`bayesieve_counts`], and what needs to know files and domains:
//! - [`FileRows`]: the rows of a file as codes, block by block.
//! - [`CountFile`], [`Partial`]: counts as bytes, merged without counting a row twice.

mod file;
mod file_rows;

pub use bayesieve_counts::{
    Cell, CodedBlocks, CountColumn, CountPlan, CountTable, Counter, Counts, Engine,
    GatheringCounter, InstructionSet, JointCounter, JointCounts, JointTable, KeptRows, KnownTables,
    MapRun, MemoryTables, PairChoice, PairKind, Partition, PassTables, Passes, RowIndex, Shape,
    TableNodes, TableOptions, TableRows, Tables, Triple, count_codes, dense_cells,
    duplicate_columns, equal_groups, is_single_held_whole, renumbered,
};
pub use file::{CountFile, Partial, Shard, ShardCounter, ShardName};
pub use file_rows::FileRows;
