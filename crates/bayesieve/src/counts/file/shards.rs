//! Shards counted one after the other into one file.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::envelope::{CountFileKind, contradiction};
use super::header::{Shard, merged};
use super::{CountFile, plan};
use crate::counts::{Counter, Counts, GatheringCounter};
use crate::data::{Codes, Domains, Table};
use crate::fingerprint::Fingerprint;
use crate::{Error, Result};

/// The name of the shard that is being counted; no file has it.
const UNFINISHED: &str = "\0unfinished";

/// Counts shards one after the other, batch by batch, and can be put aside at any time.
///
/// # Example
/// ```
/// use bayesieve::counts::{ShardCounter, ShardName};
/// use bayesieve::data::{CodedTable, CodingOptions, Domains, Generator, RoleOptions, Roles};
///
/// let table = Generator::Example1.generate(64, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let coded = CodedTable::new(&table, &roles, CodingOptions::default())?;
/// let domains = Domains::of(&coded, CodingOptions::default())?;
///
/// let mut counter = ShardCounter::new(domains)?;
/// counter.observe(&table)?;
/// let aside = counter.to_checkpoint(&"64 rows")?;
/// let (mut counter, mark) = ShardCounter::from_checkpoint::<String>(&aside)?;
/// assert_eq!(mark, "64 rows");
/// counter.finish_shard(ShardName::Exact("monday"))?;
/// let file = counter.finish()?;
/// assert_eq!((file.shards()[0].id.as_str(), file.n_rows()), ("monday", 64));
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ShardCounter {
    domains: Domains,
    /// By rising id.
    shards: Vec<Shard>,
    counter: GatheringCounter,
    /// The content of the finished shards.
    content_before: u64,
}

/// What a shard is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShardName<'a> {
    /// This.
    Exact(&'a str),
    /// This and a number made of what was counted: other rows under the same name are another
    /// shard, and the same rows are the same one.
    WithContent(&'a str),
}

impl ShardName<'_> {
    fn id(self, content: u64) -> String {
        match self {
            ShardName::Exact(name) => name.to_owned(),
            ShardName::WithContent(name) => format!("{name}#{content:016x}"),
        }
    }
}

impl CountFile {
    /// The same counts as those of one shard: how the rows were divided is forgotten.
    #[must_use]
    pub fn as_one_shard(mut self, name: ShardName<'_>) -> Self {
        self.shards = vec![Shard {
            id: name.id(content(&self.counts)),
            n_rows: self.n_rows(),
        }];
        self
    }
}

#[derive(Serialize, Deserialize)]
struct Aside {
    content_before: String,
    mark: Value,
}

impl ShardCounter {
    /// A counter that has seen no row.
    ///
    /// # Errors
    /// More pairs of features than fit in memory.
    pub fn new(domains: Domains) -> Result<Self> {
        Ok(ShardCounter {
            counter: GatheringCounter::new(CountFile::counter(&domains)?),
            domains,
            shards: Vec::new(),
            content_before: 0,
        })
    }

    /// The domains that rows are counted by.
    pub fn domains(&self) -> &Domains {
        &self.domains
    }

    /// Rows counted so far.
    pub fn n_rows(&self) -> u64 {
        self.counter.n_rows()
    }

    /// Counts some rows of the shard.
    ///
    /// # Errors
    /// Those of [`Domains::code`]; then nothing is counted.
    pub fn observe(&mut self, rows: &Table) -> Result<()> {
        let nodes: Vec<usize> = (0..=self.domains.class_node()).collect();
        let codes = self.domains.code(&nodes, rows)?;
        let codes: Vec<&Codes> = codes.iter().collect();
        self.counter.observe(&codes)
    }

    /// Ends the shard; what comes next is another.
    ///
    /// # Errors
    /// There is a shard of that name.
    pub fn finish_shard(&mut self, name: ShardName<'_>) -> Result<()> {
        let content = content(self.counter.counted()?.counts());
        let shard = Shard {
            id: name.id(content.wrapping_sub(self.content_before)),
            n_rows: self.n_rows() - self.n_finished(),
        };
        self.shards = merged(&self.shards, &[shard])?;
        self.content_before = content;
        Ok(())
    }

    /// The counts of all shards.
    ///
    /// # Errors
    /// Rows of a shard that is not finished.
    pub fn finish(self) -> Result<CountFile> {
        CountFile::of_shards(self.domains, self.shards, self.counter.finish()?.finish())
    }

    /// All that it takes to go on later, with a mark of what is done.
    ///
    /// # Errors
    /// A mark that is no JSON.
    pub fn to_checkpoint<T: Serialize>(&mut self, mark: &T) -> Result<Vec<u8>> {
        let unfinished = Shard {
            id: UNFINISHED.to_owned(),
            n_rows: self.n_rows() - self.n_finished(),
        };
        let file = CountFile {
            n_values: self.domains.n_values(),
            domains: self.domains.clone(),
            shards: merged(&self.shards, &[unfinished])?,
            counts: self.counter.counted()?.counts().clone(),
        };
        let mark =
            serde_json::to_value(mark).map_err(|error| Error::internal(error.to_string()))?;
        let aside = json!({
            "content_before": format!("{:016x}", self.content_before),
            "mark": mark,
        });
        Ok(file.packed(CountFileKind::Checkpoint, aside))
    }

    /// Goes on from there.
    ///
    /// # Errors
    /// As [`CountFile::from_bytes`], and a mark of another kind.
    pub fn from_checkpoint<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<(Self, T)> {
        let (mut file, aside) = CountFile::unpacked(CountFileKind::Checkpoint, bytes)?;
        let wrong = |what: String| contradiction(Error::data(what));
        let aside: Aside = serde_json::from_value(aside).map_err(|e| wrong(e.to_string()))?;
        let mark = serde_json::from_value(aside.mark).map_err(|e| wrong(e.to_string()))?;
        let content_before = u64::from_str_radix(&aside.content_before, 16);
        file.shards.retain(|shard| shard.id != UNFINISHED);
        let counter = ShardCounter {
            counter: GatheringCounter::new(Counter::resumed(plan(&file.domains)?, file.counts)?),
            domains: file.domains,
            shards: file.shards,
            content_before: content_before.map_err(|e| wrong(e.to_string()))?,
        };
        Ok((counter, mark))
    }

    /// Rows of finished shards.
    fn n_finished(&self) -> u64 {
        self.shards.iter().map(|shard| shard.n_rows).sum()
    }
}

/// A number made of counts that adds up as they do: that of two shards together is the sum of
/// theirs.
fn content(counts: &Counts) -> u64 {
    let classes = (0..).zip(&counts.class_counts);
    let mut sum = classes.fold(0u64, |sum, (class, &n)| {
        sum.wrapping_add(n.wrapping_mul(weight(0, class)))
    });
    let tables = counts.singles.iter().chain(&counts.pairs);
    for (place, table) in (1..).zip(tables) {
        for (index, n) in table.indexed() {
            sum = sum.wrapping_add(n.wrapping_mul(weight(place, index)));
        }
    }
    sum
}

/// A number of its own for every cell, odd, so that every count changes the sum.
fn weight(table: u64, cell: u64) -> u64 {
    let mut hash = Fingerprint::new();
    hash.whole(table);
    hash.whole(cell);
    // The low bits of the hash are the weaker ones.
    (hash.value() ^ (hash.value() >> 29)) | 1
}
