//! Counts of a part of the rows, on their way to where all parts are added up.

use serde::{Deserialize, Serialize};

use super::cells::{NumberReader, push_seen};
use super::envelope::{CountFileKind, broken, contradiction, pack, unpack};
use super::header::{Shard, check_order, merged};
use super::{cells_of, n_rows_of, read_counts};
use crate::counts::{CountPlan, Counter, Counts, PairChoice};
use crate::counts::{JointCounter, JointTable};
use crate::{Error, Result, quoted};

/// The schema of the header.
const SCHEMA: &str = "bayesieve.partial.v1";

/// Counts of parts of the rows: what a worker sends, and what others add theirs to.
///
/// Every part has a name, and none is added twice: a task that ran a second time changes
/// nothing.
///
/// # Example
/// ```
/// use bayesieve::counts::{CountPlan, Counter, PairChoice, Partial};
/// use bayesieve::data::Codes;
///
/// let plan = CountPlan { n_classes: 2, n_values: vec![2, 2], pairs: PairChoice::All };
/// let part = |name: &str| {
///     let mut counter = Counter::new(plan.clone())?;
///     let codes = Codes::U8(vec![0, 1, 1]);
///     counter.observe(&[&codes, &codes], &codes)?;
///     // The number is that of the domains: Domains::fingerprint.
///     Ok::<_, bayesieve::Error>(Partial::of_tables(17, name, counter))
/// };
/// let mut all = Partial::from_bytes(&part("partition 0")?.to_bytes())?;
/// all.merge(part("partition 1")?)?;
/// assert_eq!(all.n_rows(), 6);
/// assert!(all.merge(part("partition 1")?).is_err());
/// assert_eq!(all.into_counts()?.class_counts, [2, 4]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Partial {
    fingerprint: u64,
    /// By rising id.
    parts: Vec<Shard>,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    Tables(Box<Counter>),
    Joint(JointCounter),
}

#[derive(Serialize, Deserialize)]
struct PartialHeader {
    schema: String,
    fingerprint: String,
    parts: Vec<Shard>,
    content: ContentEntry,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ContentEntry {
    Tables {
        classes: usize,
        values: Vec<usize>,
        #[serde(with = "PairsEntry")]
        pairs: PairChoice,
    },
    Joint {
        values: Vec<usize>,
        sets: Vec<Vec<usize>>,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PairChoice", rename_all = "kebab-case")]
enum PairsEntry {
    None,
    All,
    List(Vec<(usize, usize)>),
}

impl Partial {
    /// Single and pair tables of a part; the fingerprint is that of the domains.
    pub fn of_tables(fingerprint: u64, part: impl Into<String>, counter: Counter) -> Self {
        let part = Shard {
            id: part.into(),
            n_rows: counter.counts().n_rows,
        };
        Partial {
            fingerprint,
            parts: vec![part],
            content: Content::Tables(Box::new(counter)),
        }
    }

    /// Joint tables of a part of so many rows, those with gaps included.
    pub fn of_joint(fingerprint: u64, part: Shard, counter: JointCounter) -> Self {
        Partial {
            fingerprint,
            parts: vec![part],
            content: Content::Joint(counter),
        }
    }

    /// That of the domains.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The parts, by rising id.
    pub fn parts(&self) -> &[Shard] {
        &self.parts
    }

    /// Rows of all parts.
    pub fn n_rows(&self) -> u64 {
        self.parts.iter().map(|part| part.n_rows).sum()
    }

    /// Adds the counts of other parts, in any order.
    ///
    /// # Errors
    /// Counts by other domains or of other tables, or a part that is in both: then nothing is
    /// added. Joint tables that no longer fit in memory: then these counts are of no use.
    pub fn merge(&mut self, other: Partial) -> Result<()> {
        if self.fingerprint != other.fingerprint {
            return Err(Error::data("the parts were counted by different domains")
                .with_hint("Count every part with the same domains."));
        }
        let parts = merged(&self.parts, &other.parts)?;
        n_rows_of(&parts)?;
        match (&mut self.content, other.content) {
            (Content::Tables(mine), Content::Tables(other)) => mine.merge(*other)?,
            (Content::Joint(mine), Content::Joint(other)) => mine.merge(other)?,
            _ => return Err(other_tables()),
        }
        self.parts = parts;
        Ok(())
    }

    /// The single and pair tables of all parts.
    ///
    /// # Errors
    /// These are joint tables.
    pub fn into_counts(self) -> Result<Counts> {
        match self.content {
            Content::Tables(counter) => Ok(counter.finish()),
            Content::Joint(_) => Err(other_tables()),
        }
    }

    /// The joint tables of all parts.
    ///
    /// # Errors
    /// These are single and pair tables.
    pub fn into_joint(self) -> Result<Vec<JointTable>> {
        match self.content {
            Content::Joint(counter) => Ok(counter.finish()),
            Content::Tables(_) => Err(other_tables()),
        }
    }

    /// The bytes to send, the same for the same counts.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (content, cells) = match &self.content {
            Content::Tables(counter) => (
                ContentEntry::of_plan(counter.plan()),
                cells_of(counter.counts()),
            ),
            Content::Joint(counter) => (ContentEntry::of_joint(counter), joint_cells(counter)),
        };
        let header = PartialHeader {
            schema: SCHEMA.to_owned(),
            fingerprint: format!("{:016x}", self.fingerprint),
            parts: self.parts.clone(),
            content,
        };
        let header = serde_json::to_vec(&header).expect("texts and numbers can be written");
        pack(CountFileKind::Partial, [&header, &[], &cells])
    }

    /// Reads bytes that were sent.
    ///
    /// # Errors
    /// Bytes that are no such counts, are broken or cut off, are of a newer version, or
    /// contradict themselves.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let [header, _, cells] = unpack(CountFileKind::Partial, bytes)?;
        let header: PartialHeader = header.json()?;
        if header.schema != SCHEMA {
            let schema = quoted(&header.schema);
            return Err(broken(format!("their schema is {schema}")));
        }
        check_order(&header.parts)?;
        let n_rows = n_rows_of(&header.parts)?;
        let fingerprint = u64::from_str_radix(&header.fingerprint, 16)
            .map_err(|_| broken("their fingerprint is no number"))?;
        let content = match header.content {
            ContentEntry::Tables {
                classes,
                values,
                pairs,
            } => {
                let plan = CountPlan {
                    n_classes: classes,
                    n_values: values,
                    pairs,
                };
                let counts = read_counts(&plan, n_rows, cells)?;
                let counter = Counter::resumed(plan, counts).map_err(contradiction)?;
                Content::Tables(Box::new(counter))
            }
            ContentEntry::Joint { values, sets } => {
                let mut counter = JointCounter::new(&values, sets).map_err(contradiction)?;
                read_joint(&mut counter, n_rows, NumberReader::new(cells.reader()))?;
                Content::Joint(counter)
            }
        };
        Ok(Partial {
            fingerprint,
            parts: header.parts,
            content,
        })
    }
}

fn other_tables() -> Error {
    Error::data("joint tables where single and pair tables are wanted, or the other way")
        .with_hint("Give back what was counted for this question, not for another.")
}

impl ContentEntry {
    fn of_plan(plan: &CountPlan) -> Self {
        ContentEntry::Tables {
            classes: plan.n_classes,
            values: plan.n_values.clone(),
            pairs: plan.pairs.clone(),
        }
    }

    fn of_joint(counter: &JointCounter) -> Self {
        ContentEntry::Joint {
            values: counter.n_values().to_vec(),
            sets: counter.sets().to_vec(),
        }
    }
}

fn joint_cells(counter: &JointCounter) -> Vec<u8> {
    let mut cells = Vec::new();
    for set in 0..counter.sets().len() {
        push_seen(&mut cells, &counter.seen(set));
    }
    cells
}

fn read_joint<R: std::io::Read>(
    counter: &mut JointCounter,
    n_rows: u64,
    mut numbers: NumberReader<R>,
) -> Result<()> {
    for set in 0..counter.sets().len() {
        let seen = numbers.seen()?;
        let mut rows = seen.iter().map(|&(_, n)| n);
        let sum = rows.try_fold(0u64, u64::checked_add);
        if sum.is_none_or(|sum| sum > n_rows) {
            return Err(broken("a table counts more rows than there are"));
        }
        counter.add_seen(set, seen).map_err(contradiction)?;
    }
    numbers.finish()
}
