//! Options that mean the same in every subcommand.

mod budget;
mod data;
mod measures;
mod memory;
mod paths;
mod run;

pub(crate) use budget::budget;
pub(crate) use data::{ColumnOptions, DataOptions, HowToRead};
pub(crate) use measures::MeasureOptions;
pub(crate) use memory::memory;
pub(crate) use paths::{check_paths, require_file};
pub(crate) use run::{RunOptions, start};

use bayesieve::Result;
use bayesieve::run::split_names;

/// Names of columns, separated by commas.
pub(crate) fn names(option: &str, text: &str) -> Result<Vec<String>> {
    split_names(text).map_err(|error| error.about(option))
}

/// The same for an option that may be absent.
pub(crate) fn list(option: &str, text: &Option<String>) -> Result<Option<Vec<String>>> {
    let text = text.as_deref();
    text.map(|text| names(option, text)).transpose()
}
