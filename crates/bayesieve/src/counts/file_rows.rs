//! The rows of a file as codes, block by block.

use std::sync::Arc;

use super::CodedBlocks;
use crate::Result;
use crate::data::{BlockRequest, Codes, ColumnKind, Domains, RowBlocks, Table};
use crate::{Hushed, Observer};

/// A file and the domains that its cells are coded by.
#[derive(Debug)]
pub struct FileRows {
    file: Arc<RowBlocks>,
    domains: Domains,
    /// Where in the file every node stands, the class last.
    places: Vec<usize>,
}

impl FileRows {
    /// Finds the columns of the domains in the file, which must have been opened with the
    /// empty cells of the domains.
    ///
    /// # Errors
    /// A column that the file does not have.
    pub fn new(file: impl Into<Arc<RowBlocks>>, domains: Domains) -> Result<Self> {
        let file = file.into();
        let columns = domains.features.iter().chain([&domains.class]);
        let names: Vec<&str> = columns.map(|column| column.name.as_str()).collect();
        let places = file.places(&names)?;
        Ok(FileRows {
            file,
            domains,
            places,
        })
    }

    /// The file.
    pub fn file(&self) -> &RowBlocks {
        &self.file
    }

    /// The domains.
    pub fn domains(&self) -> &Domains {
        &self.domains
    }

    /// Hands over the rows behind the first blocks as they are, with the columns that coding
    /// some nodes needs.
    ///
    /// # Errors
    /// Those of [`RowBlocks::read`].
    pub fn tables(
        &self,
        n_skipped: usize,
        nodes: &[usize],
        observer: &dyn Observer,
        visit: &mut dyn FnMut(Table) -> Result<()>,
    ) -> Result<()> {
        let mut wanted = Vec::new();
        for node in self.domains.nodes_to_read(nodes) {
            wanted.push((self.places[node], Some(self.domains.column(node)?.kind())));
        }
        wanted.sort_unstable_by_key(|&(place, _)| place);
        let (columns, kinds): (Vec<usize>, Vec<Option<ColumnKind>>) = wanted.into_iter().unzip();
        let request = BlockRequest {
            columns: &columns,
            kinds: &kinds,
            n_skipped,
        };
        self.file
            .read(request, observer, &mut |block| visit(block.table))
    }
}

impl CodedBlocks for FileRows {
    fn n_rows(&self) -> Option<u64> {
        Some(self.domains.n_rows)
    }

    fn blocks(
        &self,
        n_skipped: usize,
        nodes: &[usize],
        observer: &dyn Observer,
        visit: &mut dyn FnMut(Vec<Codes>) -> Result<()>,
    ) -> Result<()> {
        // Whoever goes through the blocks reports how far they are.
        self.tables(n_skipped, nodes, &Hushed(observer), &mut |table| {
            let codes = self.domains.code(nodes, &table);
            visit(codes.map_err(|error| self.file.blame(error))?)
        })
    }
}
