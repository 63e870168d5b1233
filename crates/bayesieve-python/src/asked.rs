//! Tables of rows that are in parts elsewhere: what is not known is asked for.
//!
//! Methods see [`Tables`] only. Who asks for counts, be it Spark or another engine, is a callable
//! of Python that gets a request and comes back with the counts of every part.

use bayesieve::counts::{CountTable, Counts, JointTable, Partial, TableOptions, Tables};
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
    /// Pairs in the order (0,1), (0,2), …, (1,2), …, or none.
    counts: Counts,
}

impl AskedTables {
    /// Asks for all single tables, and for all pairs where they fit. With a number of rows there
    /// must be as many.
    ///
    /// # Errors
    /// No answer, or one of other rows or tables.
    pub(crate) fn new(domains: Domains, n_rows: Option<u64>, asker: Asker) -> Result<Self> {
        let options = TableOptions {
            n_values: domains.n_values(),
            n_classes: domains.n_classes(),
            memory: MEMORY,
        };
        let pairs = match options.keeps_all_pairs() {
            true => Pairs::All,
            false => Pairs::None,
        };
        let wanted = Wanted::all(&domains, pairs);
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
            domains,
            counts,
        })
    }

    /// The counts of all rows, which must be as many as before.
    fn ask(&self, wanted: &Wanted) -> Result<Option<Partial>> {
        let partial = answered(&self.asker, &self.domains, wanted)?;
        let n_rows = partial.as_ref().map_or(0, Partial::n_rows);
        check_rows(Some(self.counts.n_rows), n_rows)?;
        Ok(partial)
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
        self.counts.n_rows
    }

    fn class_counts(&self) -> &[u64] {
        &self.counts.class_counts
    }

    fn n_values(&self) -> &[usize] {
        &self.n_values
    }

    fn singles(&self) -> &[CountTable] {
        &self.counts.singles
    }

    fn pairs(&self, pairs: &[(usize, usize)], _: &dyn Observer) -> Result<Vec<CountTable>> {
        self.check_pairs(pairs)?;
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        if !self.counts.pairs.is_empty() {
            let n = self.n_values.len();
            let place = |(a, b)| a * n - a * (a + 1) / 2 + (b - a - 1);
            let known = pairs.iter().map(|&pair| &self.counts.pairs[place(pair)]);
            return Ok(known.cloned().collect());
        }
        let sets: Vec<Vec<usize>> = pairs.iter().map(|&(a, b)| vec![a, b]).collect();
        let (features, sets) = renumbered(&sets);
        let wanted = Wanted::Tables {
            features,
            pairs: Pairs::List(sets.iter().map(|set| (set[0], set[1])).collect()),
        };
        match self.ask(&wanted)? {
            Some(partial) => Ok(partial.into_counts()?.pairs),
            None => Err(no_rows()),
        }
    }

    fn joint(&self, sets: &[Vec<usize>], _: &dyn Observer) -> Result<Vec<JointTable>> {
        if sets.is_empty() {
            return Ok(Vec::new());
        }
        let (nodes, sets) = renumbered(sets);
        match self.ask(&Wanted::Joint { nodes, sets })? {
            Some(partial) => partial.into_joint(),
            None => Err(no_rows()),
        }
    }

    fn room(&self) -> u64 {
        MEMORY / 8
    }
}

fn no_rows() -> Error {
    Error::data("there are no rows")
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
