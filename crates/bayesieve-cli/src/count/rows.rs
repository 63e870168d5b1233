//! Where rows come from: the domains of all files, and the rows of one, block by block.

use std::path::Path;

use bayesieve::data::{
    CodedTable, ColumnChoice, ColumnDomain, ColumnKind, Domains, ReadOptions, Table,
};
use bayesieve::{Error, Result};

use super::{Arguments, data_options};
use crate::options::{HowToRead, ReadingOptions};
use crate::progress::Progress;

/// Rows that are counted at a time.
const BLOCK: u32 = 1 << 17;

/// Learns the domains of all files.
pub(super) fn learn(arguments: &Arguments, progress: &Progress) -> Result<Domains> {
    let [file] = arguments.data.as_slice() else {
        return Err(Error::usage("domains of several files").with_hint("Give one."));
    };
    let options = data_options(arguments, file);
    let (table, _) = options.read(progress)?;
    let roles = options.roles(&table)?;
    progress.stage("binning");
    let coded = CodedTable::watched(&table, &roles, options.coding(), progress)
        .map_err(|error| error.in_file_of_data(file))?;
    let mut domains = Domains::of(&coded, options.coding())?;
    domains.empty_cells = options.read_options()?.missing;
    let excluded = roles.excluded.iter();
    domains.excluded = excluded
        .map(|&c| table.columns()[c].name().to_owned())
        .collect();
    domains.notes.splice(0..0, roles.notes);
    progress.check()?;
    Ok(domains)
}

/// The rows of a file behind those that are done.
pub(super) struct Rows<'a> {
    pub(super) file: &'a Path,
    pub(super) how: &'a HowToRead,
    pub(super) domains: &'a Domains,
    pub(super) n_done: u64,
}

impl Rows<'_> {
    /// Hands the rows over, block by block, in the same blocks every time.
    pub(super) fn each_block(
        &self,
        progress: &Progress,
        visit: &mut dyn FnMut(Table) -> Result<()>,
    ) -> Result<()> {
        let reading = ReadingOptions {
            data: self.file.to_owned(),
            how: self.how.clone(),
        };
        progress.stage("reading");
        let table = reading.read(&self.options(&reading)?, progress)?;
        progress.stage("counting");
        let n_rows = table.n_rows() as u32;
        let mut first = u32::try_from(self.n_done).unwrap_or(u32::MAX).min(n_rows);
        while first < n_rows {
            let last = n_rows.min(first.saturating_add(BLOCK));
            let rows: Vec<u32> = (first..last).collect();
            visit(table.take_rows(&rows)).map_err(|error| error.in_file_of_data(self.file))?;
            first = last;
        }
        Ok(())
    }

    /// As the domains have the columns.
    fn options(&self, reading: &ReadingOptions) -> Result<ReadOptions> {
        let of_kind = |kind| {
            let columns = self.domains.features.iter().chain([&self.domains.class]);
            let named = columns.filter(|column: &&ColumnDomain| column.kind() == kind);
            ColumnChoice::Names(named.map(|column| column.name.clone()).collect())
        };
        Ok(ReadOptions {
            missing: self.domains.empty_cells.clone(),
            nominal: of_kind(ColumnKind::Nominal),
            numeric: of_kind(ColumnKind::Numeric),
            ..reading.options()?
        })
    }
}
