//! Counts in place of rows in memory, for every command that can do with them.
//!
//! Whoever asks gets a [`CountedRun`], and need not know where the rows are.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bayesieve::counts::CountFile;
use bayesieve::data::{CodingOptions, Column, Domains, KindOrigin, Roles, Table, Values};
use bayesieve::info::Counted;
use bayesieve::{Error, Result};
use clap::Args;

use crate::options::DataOptions;
use crate::progress::Progress;

/// Where counts come from.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct CountedOptions {
    /// Work on this file of counts (`bayesieve count`, `merge`) in place of DATA
    #[arg(long, value_name = "FILE")]
    counts: Option<PathBuf>,
}

/// Counts that are ready to be worked on.
pub(crate) struct CountedRun {
    /// The features in use and the class, with their counts.
    pub(crate) counted: Counted,
    /// All columns without their rows.
    pub(crate) header: Table,
    /// Which of these is which.
    pub(crate) roles: Roles,
    /// How cells became codes.
    pub(crate) coding: CodingOptions,
    /// Texts that meant "no value".
    pub(crate) empty_cells: Vec<String>,
    /// Columns that are left out, by now or when the rows were counted.
    pub(crate) excluded: Vec<String>,
    /// What there is to say about the columns.
    pub(crate) notes: Vec<String>,
    /// How long it took to come to the counts.
    pub(crate) read: Duration,
}

impl CountedOptions {
    /// The file of counts.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.counts.as_deref()
    }

    /// Whether there are counts in place of rows in memory.
    pub(crate) fn is_given(&self) -> bool {
        self.counts.is_some()
    }

    /// Refuses options that need rows; each with whether it is given.
    pub(crate) fn refuse(&self, options: &[(&str, bool)]) -> Result<()> {
        match options.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => Err(Error::usage(format!(
                "{option} needs the rows, and --counts has none"
            ))
            .with_hint(format!(
                "Leave {option} out, or give DATA in place of --counts."
            ))),
            None => Ok(()),
        }
    }
}

/// Opens the counts that the options name. `roles` says which features are in use.
pub(crate) fn open(
    data: &DataOptions,
    progress: &Progress,
    roles: impl FnOnce(&DataOptions, &Table) -> Result<Roles>,
) -> Result<CountedRun> {
    let start = Instant::now();
    let file = data.counted.file();
    let file = file.ok_or_else(|| Error::internal("no counts are given"))?;
    progress.stage("reading");
    let counts = progress.while_waiting(|| CountFile::read(file))?;
    let domains = counts.domains().clone();
    let header = header(&domains)?;
    let roles = roles(&data.with_class(&domains.class.name), &header)?;
    let counted = Counted::of_file(counts)?.with_features(&roles.features)?;
    let excluded = roles.excluded.iter();
    let excluded = excluded.map(|&place| header.columns()[place].name().to_owned());
    Ok(CountedRun {
        counted,
        coding: CodingOptions {
            missing: domains.missing,
            discretizer: domains.discretizer,
        },
        excluded: domains.excluded.into_iter().chain(excluded).collect(),
        empty_cells: domains.empty_cells,
        notes: roles.notes.iter().cloned().chain(domains.notes).collect(),
        header,
        roles,
        read: start.elapsed(),
    })
}

/// The columns without rows, the class behind the features.
fn header(domains: &Domains) -> Result<Table> {
    let outline = domains.outline();
    let features = outline.features.iter();
    let features = features.map(|feature| Column::clone(&feature.column));
    let class = Values::Nominal(outline.class.clone());
    let class = Column::new(outline.class_name.as_str(), class, KindOrigin::Derived);
    Table::new(features.chain([class]).collect())
}
