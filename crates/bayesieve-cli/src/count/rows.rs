//! Where rows come from: the domains of all files, and the rows of one, block by block.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bayesieve::counts::FileRows;
use bayesieve::data::{
    Domains, EachFile, ProfileColumns, ProfileOptions, ReadOptions, Roles, RowBlocks, Table,
    learn_domains,
};
use bayesieve::{Error, Observer, Result};

use super::Arguments;
use crate::options::HowToRead;
use crate::progress::Progress;

/// Memory that a block of rows may take.
const BLOCK_BYTES: u64 = 1 << 26;

/// Learns the domains of all files.
pub(super) fn learn(arguments: &Arguments, progress: &Progress) -> Result<Domains> {
    progress.stage("learning labels and cut points");
    let first = &arguments.data[0];
    let request = arguments.columns.request(&arguments.how)?;
    request.check_passes()?;
    let options = request.read_options();
    let files = progress.while_waiting(|| Files::new(&arguments.data, &options, progress))?;
    let names = || files.with(0, |file| Ok(file.names().to_vec()));
    let names = progress.while_waiting(names)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let roles = Roles::of_names(&names, &request.role_options())
        .map_err(|error| error.in_file_of_data(first))?;
    let how = ProfileOptions {
        coding: request.coding(),
        empty_cells: options.missing.clone(),
        ..ProfileOptions::default()
    };
    let columns = ProfileColumns::of_roles(&names, &roles);
    let each_file: &EachFile<'_> = &|visit| {
        let mut places = 0..arguments.data.len();
        places.try_for_each(|place| files.with(place, &mut *visit))
    };
    let learned = progress.while_waiting(|| learn_domains(each_file, &columns, &how, progress));
    let mut domains = learned.map_err(|error| match arguments.data.len() {
        1 => error.in_file_of_data(first),
        _ => error,
    })?;
    domains.notes.splice(0..0, roles.notes);
    Ok(domains)
}

/// All files of a run, which may be more than can be open at once.
struct Files<'a> {
    paths: &'a [PathBuf],
    options: &'a ReadOptions,
    progress: &'a Progress,
    /// Those that can be opened only once.
    open: BTreeMap<usize, RowBlocks>,
}

impl<'a> Files<'a> {
    /// Finds out whether all files are there.
    fn new(paths: &'a [PathBuf], options: &'a ReadOptions, progress: &'a Progress) -> Result<Self> {
        let mut files = Files {
            paths,
            options,
            progress,
            open: BTreeMap::new(),
        };
        for (place, file) in paths.iter().enumerate() {
            if is_read_once(file) {
                let opened = files.open(place)?;
                files.open.insert(place, opened);
            } else {
                let found = std::fs::metadata(file);
                found.map_err(|error| Error::unreadable(error).in_file(file))?;
            }
        }
        Ok(files)
    }

    /// Opens a file for as long as `visit` takes.
    fn with<T>(&self, place: usize, visit: impl FnOnce(&RowBlocks) -> Result<T>) -> Result<T> {
        match self.open.get(&place) {
            Some(file) => visit(file),
            None => visit(&self.open(place)?),
        }
    }

    fn open(&self, place: usize) -> Result<RowBlocks> {
        RowBlocks::open(&self.paths[place], self.options, BLOCK_BYTES, self.progress)
    }
}

/// Whether a second look finds nothing: standard input, and what is neither a file nor a folder.
pub(super) fn is_read_once(file: &Path) -> bool {
    let metadata = std::fs::metadata(file);
    let is_pipe = |metadata: std::fs::Metadata| !metadata.is_file() && !metadata.is_dir();
    file == Path::new("-") || metadata.is_ok_and(is_pipe)
}

/// The rows of a file behind the blocks that are done.
pub(super) struct Rows<'a> {
    pub(super) file: &'a Path,
    pub(super) how: &'a HowToRead,
    /// The column that says how often every row counts.
    pub(super) weight: Option<&'a str>,
    pub(super) domains: &'a Domains,
    pub(super) n_blocks_done: usize,
    /// Rows of these blocks.
    pub(super) n_rows_done: u64,
}

impl Rows<'_> {
    /// Hands the rows over, block by block, in the same blocks every time.
    pub(super) fn each_block(
        &self,
        progress: &dyn Observer,
        visit: &mut dyn FnMut(Table) -> Result<()>,
    ) -> Result<()> {
        let options = ReadOptions {
            missing: self.domains.empty_cells.clone(),
            weight: self.weight.map(str::to_owned),
            ..self.how.request()?.read_options()
        };
        let file = RowBlocks::open(self.file, &options, BLOCK_BYTES, progress)?;
        let rows = FileRows::new(file, self.domains.clone())?;
        let nodes: Vec<usize> = (0..=self.domains.class_node()).collect();
        let mut n_rows_before = self.n_rows_done;
        rows.tables(self.n_blocks_done, &nodes, progress, &mut |table| {
            let n_rows = table.n_rows() as u64;
            let visited = visit(table);
            visited.map_err(|error| {
                let error = error.in_file_of_data(self.file);
                error.behind_rows(n_rows_before)
            })?;
            n_rows_before += n_rows;
            Ok(())
        })
    }
}
