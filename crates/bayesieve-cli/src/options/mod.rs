//! Options that mean the same in every subcommand.

mod budget;
mod columns;
mod data;
mod names;
mod paths;
mod read;
mod run;

pub(crate) use budget::budget;
pub(crate) use columns::{check_block_files, check_blocks, check_keep};
pub(crate) use data::{ColumnOptions, DataOptions};
pub(crate) use names::{list, names};
pub(crate) use paths::{check_paths, require_file};
pub(crate) use read::{HowToRead, ReadingOptions};
pub(crate) use run::{RunOptions, start_threads};
