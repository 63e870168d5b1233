//! Rows that stay in their file, which may be larger than the memory.
//!
//! - [`Stream`]: a file, what its columns are for, and the memory that a run may take.
//! - [`LearnedStream`]: the same after the pass that learns labels and cut points; its
//!   [`StreamPlan`] says what comes next.
//! - [`LearnedStream::count`]: the [`Counted`] table that methods choose from. What they ask for
//!   later is counted in further passes, over the rows that fit in memory first.

mod plan;
mod shares;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use plan::StreamPlan;
pub use shares::MIN_MEMORY;
use shares::Shares;

use crate::Observer;
use crate::counts::{FileRows, KeptRows, PassTables, TableOptions};
use crate::data::{
    BlockRequest, CodingOptions, ColumnDomain, ColumnKind, Domains, ProfileColumns, ProfileOptions,
    ReadOptions, RoleOptions, Roles, RowBlocks, learn_domains,
};
use crate::info::{ColumnFacts, Counted};
use crate::{Error, ErrorKind, Result};

/// How a file is read, and what a run may take.
#[derive(Debug, Clone)]
pub struct StreamOptions {
    /// How cells become columns.
    pub read: ReadOptions,
    /// How columns become codes.
    pub coding: CodingOptions,
    /// Bytes of memory for the whole run, [`MIN_MEMORY`] at least.
    pub memory: u64,
}

/// A file that is opened, with nothing learned but its names.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::{CodingOptions, Generator, ReadOptions, write_table};
/// use bayesieve::search::Limits;
/// use bayesieve::select::{Method, SelectOptions, select_counted};
/// use bayesieve::stream::{Stream, StreamOptions};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("a.parquet");
/// write_table(&path, &Generator::Example1.generate(3200, 1)?, &Silent)?;
/// let options = StreamOptions {
///     read: ReadOptions::default(),
///     coding: CodingOptions::default(),
///     memory: 100_000_000,
/// };
/// let stream = Stream::open(&path, &options, &Silent)?.learn(&Silent)?;
/// assert_eq!(stream.plan().n_pair_tables, 28);
/// let counted = stream.count(&Silent)?;
/// let method = SelectOptions::new(Method::named("mdl-fs")?)?;
/// let selection = select_counted(&counted, &method, &Limits::new(&Silent))?;
/// assert_eq!(selection.kept_names(), ["A2", "A6", "A1", "A4"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Stream {
    file: Arc<RowBlocks>,
    roles: Roles,
    options: StreamOptions,
    shares: Shares,
}

impl Stream {
    /// Opens a file of any format that can be read in parts, `-` for CSV on standard input.
    ///
    /// # Errors
    /// Those of [`RowBlocks::open`] and [`Roles::of_names`], too little memory, and a format
    /// that is only read whole.
    pub fn open(path: &Path, options: &StreamOptions, observer: &dyn Observer) -> Result<Self> {
        let shares = Shares::of(options.memory)?;
        let file = RowBlocks::open(path, &options.read, shares.block, observer)?;
        if !file.is_in_parts() {
            let error = Error::usage("ARFF is read whole, not in parts");
            return Err(file.blame(
                error.with_hint("Write it as CSV or Parquet, or leave the bound on memory out."),
            ));
        }
        let names: Vec<&str> = file.names().iter().map(String::as_str).collect();
        let usual = RoleOptions {
            class: options.read.class.clone(),
            ..RoleOptions::default()
        };
        let roles = Roles::of_names(&names, &usual).map_err(|error| file.blame(error))?;
        Ok(Stream {
            file: Arc::new(file),
            roles,
            options: options.clone(),
            shares,
        })
    }

    /// The same with other parts for the columns; by default all but the class are features.
    #[must_use]
    pub fn with_roles(mut self, roles: Roles) -> Self {
        self.roles = roles;
        self
    }

    /// The names of the columns, in file order.
    pub fn names(&self) -> &[String] {
        self.file.names()
    }

    /// About how long one pass over the file takes, told from its first block.
    ///
    /// # Errors
    /// As [`RowBlocks::read`].
    pub fn probe(&self, observer: &dyn Observer) -> Result<Duration> {
        let mut columns = self.roles.features.clone();
        columns.push(self.roles.class);
        columns.sort_unstable();
        let kinds = self.file.declared_kinds()?;
        let kinds: Vec<Option<ColumnKind>> = columns.iter().map(|&column| kinds[column]).collect();
        let request = BlockRequest {
            columns: &columns,
            kinds: &kinds,
            n_skipped: 0,
        };
        self.file.probe(request, observer)
    }

    /// Learns labels and cut points.
    ///
    /// # Errors
    /// Those of [`learn_domains`].
    ///
    /// # Cost
    /// One pass over the file, or two where text comes after numbers.
    pub fn learn(self, observer: &dyn Observer) -> Result<LearnedStream> {
        let start = Instant::now();
        let names: Vec<&str> = self.file.names().iter().map(String::as_str).collect();
        let columns = ProfileColumns::of_roles(&names, &self.roles);
        let options = ProfileOptions {
            coding: self.options.coding,
            empty_cells: self.options.read.missing.clone(),
            ..self.shares.profile(columns.features.len())
        };
        let domains = learn_domains(&|visit| visit(&self.file), &columns, &options, observer);
        let domains = domains.map_err(|error| match error.kind() {
            ErrorKind::Interrupted => error,
            _ => self.file.blame(error),
        })?;
        Ok(LearnedStream {
            rows: FileRows::new(self.file, domains)?,
            shares: self.shares,
            took: start.elapsed(),
        })
    }
}

/// A file whose labels and cut points are known.
#[derive(Debug)]
pub struct LearnedStream {
    rows: FileRows,
    shares: Shares,
    took: Duration,
}

impl LearnedStream {
    /// How cells become codes.
    pub fn domains(&self) -> &Domains {
        self.rows.domains()
    }

    /// What comes next.
    pub fn plan(&self) -> StreamPlan {
        let domains = self.domains();
        let tables = self.table_options();
        let n_features = domains.features.len() as u64;
        let n_values: Vec<usize> = self.n_values_of_nodes();
        let bytes_of_rows = KeptRows::<FileRows>::bytes_of(&n_values, domains.n_rows);
        StreamPlan {
            n_rows: domains.n_rows,
            n_features,
            n_bytes: self.rows.file().n_bytes(),
            n_pair_tables: n_features * n_features.saturating_sub(1) / 2,
            bytes_of_pairs: tables.bytes_of_all_pairs(),
            keeps_pairs: tables.keeps_all_pairs(),
            bytes_of_rows,
            bytes_for_rows: self.shares.rows,
            pass: self.took,
        }
    }

    /// Goes through the rows once more, for all single tables and, where they fit, all pairs.
    ///
    /// # Errors
    /// Those of [`PassTables::new`].
    pub fn count(self, observer: &dyn Observer) -> Result<Counted> {
        let tables = self.table_options();
        let outline = self.domains().outline();
        let facts = self.domains().features.iter().map(facts_of).collect();
        let n_values = self.n_values_of_nodes();
        let rows = KeptRows::new(self.rows, n_values, self.shares.rows);
        let tables = PassTables::new(rows, tables, observer)?;
        Counted::new(outline, Arc::new(tables), facts)
    }

    fn table_options(&self) -> TableOptions {
        TableOptions {
            n_values: self.domains().n_values(),
            n_classes: self.domains().n_classes(),
            memory: self.shares.tables,
        }
    }

    fn n_values_of_nodes(&self) -> Vec<usize> {
        let mut n_values = self.domains().n_values();
        n_values.push(self.domains().n_classes());
        n_values
    }
}

/// What the domain of a column knows besides its values.
fn facts_of(column: &ColumnDomain) -> ColumnFacts {
    ColumnFacts {
        n_distinct: column.n_distinct as usize,
        has_more_values: column.has_more_values,
        n_missing: column.n_missing as usize,
    }
}
