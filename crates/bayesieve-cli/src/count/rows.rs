//! Where rows come from: the domains of all files, and the rows of one, block by block.

use std::path::Path;

use bayesieve::counts::FileRows;
use bayesieve::data::{
    Domains, ProfileColumns, ProfileOptions, ReadOptions, Roles, RowBlocks, Table, learn_domains,
};
use bayesieve::{Observer, Result};

use super::{Arguments, data_options};
use crate::options::{HowToRead, ReadingOptions};
use crate::progress::Progress;

/// Memory that a block of rows may take.
const BLOCK_BYTES: u64 = 1 << 26;

/// Learns the domains of all files.
pub(super) fn learn(arguments: &Arguments, progress: &Progress) -> Result<Domains> {
    progress.stage("learning labels and cut points");
    let mut files = Vec::new();
    for file in &arguments.data {
        let options = data_options(arguments, file).read_options()?;
        files.push(open(file, &options, progress)?);
    }
    let options = data_options(arguments, &arguments.data[0]);
    let names: Vec<&str> = files[0].names().iter().map(String::as_str).collect();
    let roles = Roles::of_names(&names, &options.role_options()?)
        .map_err(|error| error.in_file_of_data(&arguments.data[0]))?;
    let how = ProfileOptions {
        coding: options.coding(),
        empty_cells: options.read_options()?.missing,
        ..ProfileOptions::default()
    };
    let columns = ProfileColumns::of_roles(&names, &roles);
    let mut domains = progress.while_waiting(|| learn_domains(&files, &columns, &how, progress))?;
    domains.notes.splice(0..0, roles.notes);
    Ok(domains)
}

fn open(file: &Path, options: &ReadOptions, progress: &Progress) -> Result<RowBlocks> {
    progress.while_waiting(|| RowBlocks::open(file, options, BLOCK_BYTES, progress))
}

/// The rows of a file behind the blocks that are done.
pub(super) struct Rows<'a> {
    pub(super) file: &'a Path,
    pub(super) how: &'a HowToRead,
    pub(super) domains: &'a Domains,
    pub(super) n_blocks_done: usize,
}

impl Rows<'_> {
    /// Hands the rows over, block by block, in the same blocks every time.
    pub(super) fn each_block(
        &self,
        progress: &dyn Observer,
        visit: &mut dyn FnMut(Table) -> Result<()>,
    ) -> Result<()> {
        let reading = ReadingOptions {
            data: self.file.to_owned(),
            how: self.how.clone(),
        };
        let options = ReadOptions {
            missing: self.domains.empty_cells.clone(),
            ..reading.options()?
        };
        let file = RowBlocks::open(self.file, &options, BLOCK_BYTES, progress)?;
        let rows = FileRows::new(file, self.domains.clone())?;
        let nodes: Vec<usize> = (0..=self.domains.class_node()).collect();
        rows.tables(self.n_blocks_done, &nodes, progress, &mut |table| {
            visit(table).map_err(|error| error.in_file_of_data(self.file))
        })
    }
}
