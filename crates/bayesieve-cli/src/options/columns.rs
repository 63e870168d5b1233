//! Columns that options name, looked up in the table that was read.

use std::path::PathBuf;

use bayesieve::data::{Roles, Table, unknown_name};
use bayesieve::separation::check_block_file;
use bayesieve::{Error, Result, quoted};

use super::DataOptions;

/// Refuses a file of blocks that names what is no column of the table.
pub(crate) fn check_blocks(settings: &[String], table: &Table) -> Result<()> {
    check_block_files(&files_of_settings(settings), table)
}

/// The same for files that are known.
pub(crate) fn check_block_files(files: &[PathBuf], table: &Table) -> Result<()> {
    let names: Vec<&str> = table.names().collect();
    let mut files = files.iter();
    files.try_for_each(|file| check_block_file(file, &names))
}

/// A feature to keep must be a candidate: said before anything is computed.
pub(crate) fn check_keep(
    keep: &[String],
    (table, roles): (&Table, &Roles),
    options: &DataOptions,
) -> Result<()> {
    for name in keep {
        let Some(place) = table.position(name) else {
            let known = roles.features.iter().map(|&f| table.columns()[f].name());
            return Err(unknown_name("feature", name, known));
        };
        if place == roles.class {
            return Err(
                Error::usage(format!("--keep names the class {}", quoted(name)))
                    .with_hint("Name features only."),
            );
        }
        if roles.excluded.contains(&place) {
            let option = options.excluding_option();
            return Err(Error::usage(format!(
                "--keep names {}, which {option} leaves out",
                quoted(name)
            ))
            .with_hint("Name it in one of them."));
        }
    }
    Ok(())
}

/// Files that settings name: they are inputs.
pub(crate) fn files_of_settings(settings: &[String]) -> Vec<PathBuf> {
    let files = settings
        .iter()
        .filter_map(|text| text.strip_prefix("blocks="));
    files
        .filter(|&value| value != "found" && !value.starts_with('['))
        .map(PathBuf::from)
        .collect()
}
