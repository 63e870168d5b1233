//! Counts in place of rows in memory, for every command that can do with them.
//!
//! Whoever asks gets a [`CountedRun`], and need not know where the rows are.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bayesieve::counts::CountFile;
use bayesieve::data::{CodingOptions, Column, Domains, KindOrigin, Roles, Table, Values};
use bayesieve::info::Counted;
use bayesieve::stream::{Stream, StreamOptions};
use bayesieve::{Error, Result};
use clap::Args;

use crate::memory::memory;
use crate::options::DataOptions;
use crate::progress::Progress;
use crate::text;

/// A pass that takes longer is told of in advance.
const LONG: Duration = Duration::from_secs(2);

/// Where counts come from.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct CountedOptions {
    /// Work on this file of counts (`bayesieve count`, `merge`) in place of DATA
    #[arg(long, value_name = "FILE")]
    counts: Option<PathBuf>,

    /// Leave the rows of DATA in their file and count them in passes, within so much memory,
    /// 68MB (64MiB) at least: 500MB, 2GB
    #[arg(long, value_name = "SIZE", value_parser = memory, conflicts_with = "counts")]
    memory: Option<u64>,
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

impl CountedRun {
    /// Counts by some domains.
    fn new(
        counted: Counted,
        (header, roles): (Table, Roles),
        domains: &Domains,
        read: Duration,
    ) -> Self {
        let excluded = roles.excluded.iter();
        let excluded = excluded.map(|&place| header.columns()[place].name().to_owned());
        CountedRun {
            counted,
            coding: CodingOptions {
                missing: domains.missing,
                discretizer: domains.discretizer,
            },
            empty_cells: domains.empty_cells.clone(),
            excluded: excluded.collect(),
            notes: roles.notes.iter().chain(&domains.notes).cloned().collect(),
            header,
            roles,
            read,
        }
    }
}

impl CountedOptions {
    /// The file of counts.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.counts.as_deref()
    }

    /// Whether there are counts in place of rows in memory.
    pub(crate) fn is_given(&self) -> bool {
        self.counts.is_some() || self.memory.is_some()
    }

    /// What a run may take, where the rows stay in their file.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// Whether the rows of DATA are counted in passes.
    pub(crate) fn is_streamed(&self) -> bool {
        self.memory.is_some()
    }

    /// Refuses options that need rows; each with whether it is given.
    pub(crate) fn refuse(&self, options: &[(&str, bool)]) -> Result<()> {
        let Some((option, _)) = options.iter().find(|(_, is_given)| *is_given) else {
            return Ok(());
        };
        let (error, hint) = match self.memory {
            None => (
                format!("{option} needs the rows, and --counts has none"),
                format!("Leave {option} out, or give DATA in place of --counts."),
            ),
            Some(_) => (
                format!("{option} needs the rows in memory"),
                format!("Leave {option} out, or --memory."),
            ),
        };
        Err(Error::usage(error).with_hint(hint))
    }
}

/// Opens the counts that the options name. `roles` says which features are in use.
pub(crate) fn open(
    data: &DataOptions,
    progress: &Progress,
    roles: impl FnOnce(&DataOptions, &Table) -> Result<Roles>,
) -> Result<CountedRun> {
    match data.counted.memory {
        Some(memory) => count_rows(data, memory, progress, roles),
        None => read_counts(data, progress, roles),
    }
}

/// Reads a file of counts.
fn read_counts(
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
    let mut run = CountedRun::new(counted, (header, roles), &domains, start.elapsed());
    run.excluded.splice(0..0, domains.excluded);
    Ok(run)
}

/// Counts the rows of a file in passes.
fn count_rows(
    data: &DataOptions,
    memory: u64,
    progress: &Progress,
    roles: impl FnOnce(&DataOptions, &Table) -> Result<Roles>,
) -> Result<CountedRun> {
    let start = Instant::now();
    let options = StreamOptions {
        read: data.read_options()?,
        coding: data.coding(),
        memory,
    };
    progress.stage("reading");
    let stream = progress.while_waiting(|| Stream::open(data.file(), &options, progress))?;
    let header = header_of_names(stream.names())?;
    let roles = roles(data, &header)?;
    let stream = stream.with_roles(roles.clone());
    let pass = progress.while_waiting(|| stream.probe(progress))?;
    if pass > LONG {
        progress.note(&format!(
            "a pass over {} takes about {:.0} s; the first one learns labels and cut points",
            text::file(data.file()),
            pass.as_secs_f64()
        ));
    }
    progress.stage("learning labels and cut points");
    let learned = progress.while_waiting(|| stream.learn(progress))?;
    progress.note(&learned.plan().to_string());
    progress.stage("counting");
    let domains = learned.domains().clone();
    let counted = progress.while_waiting(|| learned.count(progress))?;
    let elapsed = start.elapsed();
    Ok(CountedRun::new(counted, (header, roles), &domains, elapsed))
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

/// The same for a file of which only the names are known.
fn header_of_names(names: &[String]) -> Result<Table> {
    let column = |name: &String| {
        let values = Values::Numeric(Vec::new());
        Column::new(name.as_str(), values, KindOrigin::Numbers)
    };
    Table::new(names.iter().map(column).collect())
}
