//! Tables of rows that are in parts elsewhere: what is not known is asked for.
//!
//! Methods see [`Tables`] only. Who asks for counts, be it Spark or another engine, is a callable
//! of Python that gets a request and comes back with the counts of every part.

use bayesieve::counts::{CountFile, CountTable, Counts, JointTable, Partial, TableOptions, Tables};
use bayesieve::data::Domains;
use bayesieve::wording::grouped;
use bayesieve::{Error, Observer, Result};

use crate::part::{self, Counting, Pairs, Wanted};
use crate::request;
use crate::run::Asker;

/// Bytes of the tables of one request: workers hold so much for a part.
const MEMORY: u64 = 1 << 28;

/// Tables of which the single ones, and all pairs where they fit, are known from the start.
#[derive(Debug)]
pub(crate) struct AskedTables {
    asker: Asker,
    domains: Domains,
    n_values: Vec<usize>,
    known: Known,
}

/// What is known from the start.
#[derive(Debug)]
enum Known {
    Singles(Counts),
    /// All pairs, too: as much as a file of counts holds.
    Pairs(Box<CountFile>),
}

impl Known {
    fn counts(&self) -> &Counts {
        match self {
            Known::Singles(counts) => counts,
            Known::Pairs(file) => file.counts(),
        }
    }
}

impl AskedTables {
    /// Asks for all single tables, and for all pairs where they are of use and fit. With a number
    /// of rows there must be as many.
    ///
    /// # Errors
    /// No answer, or one of other rows or tables.
    pub(crate) fn new(
        domains: Domains,
        (n_rows, needs_pairs): (Option<u64>, bool),
        asker: Asker,
    ) -> Result<Self> {
        let options = TableOptions {
            n_values: domains.n_values(),
            n_classes: domains.n_classes(),
            memory: MEMORY,
        };
        let has_pairs = needs_pairs && options.keeps_all_pairs();
        let wanted = Wanted::all(&domains, if has_pairs { Pairs::All } else { Pairs::None });
        let counts = match (
            answered(&asker, &domains, &wanted)?,
            wanted.counting(&domains)?,
        ) {
            (Some(partial), _) => partial.into_counts()?,
            (None, Counting::Tables(counter)) => counter.finish(),
            (None, Counting::Joint(_)) => return Err(Error::internal("joint tables")),
        };
        check_rows(n_rows, counts.n_rows)?;
        Ok(AskedTables {
            asker,
            n_values: options.n_values,
            known: match has_pairs {
                true => {
                    let file = CountFile::new(domains.clone(), "all", counts)?;
                    Known::Pairs(Box::new(file))
                }
                false => Known::Singles(counts),
            },
            domains,
        })
    }

    /// The counts of all rows, which must be as many as before.
    fn ask(&self, wanted: &Wanted) -> Result<Partial> {
        let partial = answered(&self.asker, &self.domains, wanted)?;
        check_rows(
            Some(self.n_rows()),
            partial.as_ref().map_or(0, Partial::n_rows),
        )?;
        partial.ok_or_else(|| Error::data("there are no rows"))
    }

    /// Whether a joint table follows from what is known.
    fn is_known(&self, set: &[usize]) -> bool {
        let n_features = set.iter().filter(|&&node| node < self.n_values.len());
        let most = match self.known {
            Known::Singles(_) => 1,
            Known::Pairs(_) => 2,
        };
        n_features.count() <= most
    }

    /// A joint table of what is known.
    fn known_joint(&self, set: &[usize], observer: &dyn Observer) -> Result<JointTable> {
        match &self.known {
            Known::Pairs(file) => {
                let mut tables = file.joint(&[set.to_vec()], observer)?;
                tables.pop().ok_or_else(|| Error::internal("no table"))
            }
            Known::Singles(counts) => self.of_single(set, counts),
        }
    }

    /// The table of one feature at most, and of the class or not.
    fn of_single(&self, set: &[usize], counts: &Counts) -> Result<JointTable> {
        let class = self.n_values.len();
        let n_classes = counts.class_counts.len();
        let n_values = |&node: &usize| self.n_values.get(node).copied().unwrap_or(n_classes);
        let n_values: Vec<usize> = set.iter().map(n_values).collect();
        let mut cells = Vec::new();
        let mut add = |class_code: usize, value: usize, n: u64| {
            let digits = set.iter().zip(&n_values);
            let key = digits.fold(0, |key, (&node, &n_values)| {
                let code = if node == class { class_code } else { value };
                key * n_values as u64 + code as u64
            });
            cells.push((key, n));
        };
        match set.iter().find(|&&node| node < class) {
            Some(&feature) => {
                counts.singles[feature].for_each(|cell, n| add(cell.class, cell.a, n));
            }
            None => {
                let classes = counts.class_counts.iter().enumerate();
                classes.for_each(|(code, &n)| add(code, 0, n));
            }
        }
        JointTable::from_cells(&n_values, cells)
    }

    fn check_pairs(&self, pairs: &[(usize, usize)]) -> Result<()> {
        let n = self.n_values.len();
        match pairs.iter().find(|&&(a, b)| a >= b || b >= n) {
            Some((a, b)) => Err(Error::internal(format!("the pair ({a}, {b}) of {n}"))),
            None => Ok(()),
        }
    }
}

/// What Python has counted; `None` where there are no parts.
fn answered(asker: &Asker, domains: &Domains, wanted: &Wanted) -> Result<Option<Partial>> {
    let answer = asker.ask(request::text(wanted)?)?;
    let partial = part::merged(&answer)?;
    match &partial {
        Some(partial) if partial.fingerprint() != domains.fingerprint() => {
            Err(Error::internal("counts by another coding"))
        }
        _ => Ok(partial),
    }
}

/// Refuses rows that are not the same every time, as far as their number tells.
pub(crate) fn check_rows(before: Option<u64>, now: u64) -> Result<()> {
    match before {
        Some(before) if before != now => Err(Error::data(format!(
            "there were {} rows before and {} now: the data are not the same every time they are \
             read",
            grouped(before),
            grouped(now)
        ))
        .with_hint("Write them to files, or persist them, and use that.")),
        _ => Ok(()),
    }
}

impl Tables for AskedTables {
    fn n_rows(&self) -> u64 {
        self.known.counts().n_rows
    }

    fn class_counts(&self) -> &[u64] {
        &self.known.counts().class_counts
    }

    fn n_values(&self) -> &[usize] {
        &self.n_values
    }

    fn singles(&self) -> &[CountTable] {
        &self.known.counts().singles
    }

    fn pairs(&self, pairs: &[(usize, usize)], observer: &dyn Observer) -> Result<Vec<CountTable>> {
        self.check_pairs(pairs)?;
        if let Known::Pairs(file) = &self.known {
            return file.pairs(pairs, observer);
        }
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        let sets: Vec<Vec<usize>> = pairs.iter().map(|&(a, b)| vec![a, b]).collect();
        let (features, sets) = renumbered(&sets);
        let wanted = Wanted::Tables {
            features,
            pairs: Pairs::List(sets.iter().map(|set| (set[0], set[1])).collect()),
        };
        Ok(self.ask(&wanted)?.into_counts()?.pairs)
    }

    fn joint(&self, sets: &[Vec<usize>], observer: &dyn Observer) -> Result<Vec<JointTable>> {
        let unknown = sets.iter().filter(|set| !self.is_known(set)).cloned();
        let unknown: Vec<Vec<usize>> = unknown.collect();
        let mut asked = match unknown.is_empty() {
            true => Vec::new(),
            false => {
                let (nodes, sets) = renumbered(&unknown);
                self.ask(&Wanted::Joint { nodes, sets })?.into_joint()?
            }
        }
        .into_iter();
        let table = |set: &Vec<usize>| match self.is_known(set) {
            true => self.known_joint(set, observer),
            false => asked
                .next()
                .ok_or_else(|| Error::internal("fewer tables than were asked for")),
        };
        sets.iter().map(table).collect()
    }

    fn room(&self) -> u64 {
        MEMORY / 8
    }
}

/// The nodes that some sets name, rising, and the sets in terms of their places.
fn renumbered(sets: &[Vec<usize>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut nodes: Vec<usize> = sets.iter().flatten().copied().collect();
    nodes.sort_unstable();
    nodes.dedup();
    let place = |node: &usize| nodes.partition_point(|other| other < node);
    let sets = sets.iter().map(|set| set.iter().map(place).collect());
    let sets = sets.collect();
    (nodes, sets)
}
