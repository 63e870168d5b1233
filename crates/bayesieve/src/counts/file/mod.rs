//! Count files: single and pair tables given the class, counted once and kept.
//!
//! What was counted apart, on other days or machines, is added up to the very bytes that
//! counting everything at once would have given. A file says which shards it holds, and one
//! that was added already is refused, so that no row counts twice.

mod cells;
mod check;
mod envelope;
mod header;
#[cfg_attr(not(feature = "gzip"), path = "packing_missing.rs")]
mod packing;
mod partial;
mod shards;
mod tables;

use std::path::Path;

pub use header::Shard;
pub use partial::Partial;
use serde_json::Value;
pub use shards::{ShardCounter, ShardName};

use self::cells::{NumberReader, push, push_table};
use self::envelope::{CountFileKind, Section, contradiction, pack, unpack};
use self::header::CountFileHeader;
use super::{CountPlan, Counter, Counts, PairChoice};
use crate::data::{Domains, write_whole};
use crate::wording::grouped;
use crate::{Error, Result, parameter};

/// Rows that a float still counts exactly.
const MAX_ROWS: u64 = 1 << 53;

/// Features of a file: twenty million pairs take some gigabytes even where each is small.
const MAX_FEATURES: usize = 6_400;

/// Single and pair tables of all features given the class, with the domains they were counted
/// by and the shards that they hold.
///
/// # Example
/// ```
/// use bayesieve::counts::{CountFile, Tables};
/// use bayesieve::data::{CodedTable, CodingOptions, Domains, Generator, RoleOptions, Roles};
///
/// let table = Generator::Example1.generate(64, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let coded = CodedTable::new(&table, &roles, CodingOptions::default())?;
/// let domains = Domains::of(&coded, CodingOptions::default())?;
/// let nodes: Vec<usize> = (0..=domains.class_node()).collect();
///
/// let part = |name: &str, rows: std::ops::Range<u32>| {
///     let rows: Vec<u32> = rows.collect();
///     let codes = domains.code(&nodes, &table.take_rows(&rows))?;
///     let mut counter = CountFile::counter(&domains)?;
///     counter.observe(&codes[..8].iter().collect::<Vec<_>>(), &codes[8])?;
///     CountFile::new(domains.clone(), name, counter.finish())
/// };
/// let mut all = part("b", 20..64)?;
/// all.merge(part("a", 0..20)?)?;
/// assert_eq!(all.n_rows(), 64);
/// assert_eq!(all.shards()[0].id, "a");
/// assert_eq!(CountFile::from_bytes(&all.to_bytes())?, all);
/// assert!(all.merge(part("a", 0..20)?).is_err()); // no row counts twice
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CountFile {
    domains: Domains,
    /// By rising id.
    shards: Vec<Shard>,
    counts: Counts,
    n_values: Vec<usize>,
}

impl CountFile {
    /// A counter of what a count file holds.
    ///
    /// # Errors
    /// More pairs of features than fit in memory.
    pub fn counter(domains: &Domains) -> Result<Counter> {
        Counter::new(plan(domains)?)
    }

    /// The counts of one shard.
    ///
    /// # Errors
    /// Counts that are not those of all features and all pairs of the domains, or that
    /// contradict each other.
    pub fn new(domains: Domains, shard: impl Into<String>, counts: Counts) -> Result<Self> {
        let shard = Shard {
            id: shard.into(),
            n_rows: counts.n_rows,
        };
        let file = CountFile::of_shards(domains, vec![shard], counts)?;
        check::counts(&plan(&file.domains)?, &file.counts)?;
        Ok(file)
    }

    /// The counts of parts that were merged, each of which is a shard.
    ///
    /// # Errors
    /// As [`CountFile::new`], and parts that were counted by other domains or are of joint
    /// tables.
    pub fn from_partial(domains: Domains, partial: Partial) -> Result<Self> {
        if partial.fingerprint() != domains.fingerprint() {
            return Err(Error::data("the counts are of other domains")
                .with_hint("Count every part with the same domains."));
        }
        let shards = partial.parts().to_vec();
        CountFile::of_shards(domains, shards, partial.into_counts()?)
    }

    fn of_shards(domains: Domains, shards: Vec<Shard>, counts: Counts) -> Result<Self> {
        if n_rows_of(&shards)? != counts.n_rows {
            return Err(Error::internal("shards of other rows than the counts"));
        }
        let counter = Counter::resumed(plan(&domains)?, counts)?;
        Ok(CountFile {
            n_values: domains.n_values(),
            domains,
            shards,
            counts: counter.finish(),
        })
    }

    /// The domains that the rows were counted by.
    pub fn domains(&self) -> &Domains {
        &self.domains
    }

    /// The shards, by rising id.
    pub fn shards(&self) -> &[Shard] {
        &self.shards
    }

    /// The counts: of every feature, and of all pairs in the order (0,1), (0,2), …, (1,2), ….
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Number of rows.
    pub fn n_rows(&self) -> u64 {
        self.counts.n_rows
    }

    /// Adds the counts of other shards. In any order, by any steps, the same bytes come out.
    ///
    /// # Errors
    /// Other domains, with the column that differs, or a shard that is in both. Then nothing
    /// is added.
    pub fn merge(&mut self, other: CountFile) -> Result<()> {
        self.domains.check_same(&other.domains)?;
        let shards = header::merged(&self.shards, &other.shards)?;
        n_rows_of(&shards)?;
        self.counts.add(&other.counts)?;
        self.domains.join_facts(&other.domains);
        self.shards = shards;
        Ok(())
    }

    /// The bytes of a file, the same for the same counts.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.packed(CountFileKind::Counts, Value::Null)
    }

    fn packed(&self, kind: CountFileKind, mark: Value) -> Vec<u8> {
        let header = CountFileHeader::new(&self.shards, self.domains.fingerprint(), mark).to_json();
        let domains = self.domains.to_json();
        let cells = cells_of(&self.counts);
        pack(kind, [header.as_bytes(), domains.as_bytes(), &cells])
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// Bytes that are no count file, are broken or cut off, are of a newer version, or
    /// contradict themselves.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let (file, _) = CountFile::unpacked(CountFileKind::Counts, bytes)?;
        Ok(file)
    }

    fn unpacked(kind: CountFileKind, bytes: &[u8]) -> Result<(Self, Value)> {
        let [header, domains, cells] = unpack(kind, bytes)?;
        let header: CountFileHeader = header.json()?;
        header.check()?;
        let domains = Domains::from_json(&domains.text()?).map_err(contradiction)?;
        header.check_fingerprint(domains.fingerprint())?;
        let n_rows = n_rows_of(&header.shards)?;
        let counts = read_counts(&plan(&domains)?, n_rows, cells)?;
        let file = CountFile::of_shards(domains, header.shards, counts).map_err(contradiction)?;
        Ok((file, header.mark))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// As [`CountFile::from_bytes`], with the file's name, and a file that cannot be read.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(Error::unreadable);
        let file = bytes.and_then(|bytes| CountFile::from_bytes(&bytes));
        file.map_err(|error| error.in_file(path))
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let bytes = self.to_bytes();
        write_whole(path, |out| out.write_all(&bytes))
    }
}

/// What a count file of these domains holds.
fn plan(domains: &Domains) -> Result<CountPlan> {
    let plan = CountPlan {
        n_classes: domains.n_classes(),
        n_values: domains.n_values(),
        pairs: PairChoice::All,
    };
    check_features(&plan)?;
    Ok(plan)
}

/// Refuses more pairs than a file can have.
fn check_features(plan: &CountPlan) -> Result<()> {
    let n_features = plan.n_values.len();
    if plan.pairs != PairChoice::All || n_features <= MAX_FEATURES {
        return Ok(());
    }
    Err(Error::data(format!(
        "{} features have too many pairs for a file of counts: {} is the limit",
        grouped(n_features as u64),
        grouped(MAX_FEATURES as u64)
    ))
    .with_hint(format!(
        "Count fewer ({features}, {ignore}), or work on the data ({memory}).",
        features = parameter("features"),
        ignore = parameter("ignore"),
        memory = parameter("memory")
    )))
}

/// Rows of all shards.
fn n_rows_of(shards: &[Shard]) -> Result<u64> {
    let rows = shards.iter().map(|shard| shard.n_rows);
    let n_rows = rows.fold(0, u64::saturating_add);
    if n_rows <= MAX_ROWS {
        Ok(n_rows)
    } else {
        Err(Error::data("the shards have more rows than can be counted")
            .with_hint("Count fewer of them together."))
    }
}

/// The tables of a plan, as they are written.
fn read_counts(plan: &CountPlan, n_rows: u64, section: Section<'_>) -> Result<Counts> {
    // Before anything is read: a few bytes can stand for more cells than there is memory.
    check_features(plan)?;
    plan.check()?;
    plan.check_memory()?;
    let mut numbers = NumberReader::new(section.reader());
    let class_counts = numbers.numbers(plan.n_classes)?;
    let mut singles = Vec::new();
    for shape in plan.shapes() {
        singles.push(numbers.table(shape)?);
    }
    numbers.finish()?;
    let pairs = singles.split_off(plan.n_values.len());
    let counts = Counts {
        n_rows,
        class_counts,
        singles,
        pairs,
    };
    check::counts(plan, &counts)?;
    Ok(counts)
}

/// The tables of a plan, to be read again.
fn cells_of(counts: &Counts) -> Vec<u8> {
    let mut cells = Vec::new();
    counts
        .class_counts
        .iter()
        .for_each(|&n| push(&mut cells, n));
    let tables = counts.singles.iter().chain(&counts.pairs);
    tables.for_each(|table| push_table(&mut cells, table));
    cells
}

#[cfg(test)]
mod tests;
