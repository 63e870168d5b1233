//! Tables of rows in partitions: what is not known is asked for.
//!
//! Methods see [`Tables`] only. Who asks for counts, be it Spark or another engine, is a callable
//! of Python that gets a request and comes back with the counts of every part.

use bayesieve::counts::{
    CountTable, Counts, JointTable, KnownTables, PairChoice, Partial, Shard, TableOptions, Tables,
    renumbered,
};
use bayesieve::data::Domains;
use bayesieve::run::NeedsPairs;
use bayesieve::wording::grouped;
use bayesieve::{Error, Observer, Result};

use crate::part::{self, Wanted};
use crate::run::Asker;

/// Bytes of the tables of one request: workers hold so much for a part.
const MEMORY: u64 = 1 << 28;

/// Tables of which the single ones, and all pairs where they fit, are known from the start.
#[derive(Debug)]
pub(crate) struct AskedTables {
    asker: Asker,
    domains: Domains,
    n_values: Vec<usize>,
    /// All single tables, and all pairs or none.
    known: Counts,
}

impl AskedTables {
    /// Asks for all single tables, and for all pairs where they are of use and fit. With a number
    /// of rows there must be as many.
    ///
    /// # Errors
    /// No answer, or one of other rows or tables.
    pub(crate) fn new(
        domains: Domains,
        n_rows: Option<u64>,
        needs_pairs: NeedsPairs,
        asker: Asker,
    ) -> Result<Self> {
        let options = TableOptions {
            n_values: domains.n_values(),
            n_classes: domains.n_classes(),
            memory: MEMORY,
        };
        let pairs = match needs_pairs {
            NeedsPairs::Yes if options.keeps_all_pairs() => PairChoice::All,
            NeedsPairs::Yes | NeedsPairs::No => PairChoice::None,
        };
        let wanted = Wanted::all(&domains, pairs);
        let counts = answered(&asker, &domains, &wanted)?.into_counts()?;
        check_rows(n_rows, counts.n_rows)?;
        Ok(AskedTables {
            asker,
            n_values: options.n_values,
            known: counts,
            domains,
        })
    }

    /// The counts of all rows, which must be as many as before.
    fn ask(&self, wanted: &Wanted) -> Result<Partial> {
        let partial = answered(&self.asker, &self.domains, wanted)?;
        check_rows(Some(self.n_rows()), partial.n_rows())?;
        Ok(partial)
    }
}

/// What Python has counted.
fn answered(asker: &Asker, domains: &Domains, wanted: &Wanted) -> Result<Partial> {
    let answer = asker.ask(wanted.text()?)?;
    // Counts of no rows refuse to be merged with any that were not asked for.
    let nothing = Shard {
        id: "no rows".to_owned(),
        n_rows: 0,
    };
    let counting = wanted.counting(domains)?;
    let mut sum = counting.into_partial(domains.fingerprint(), nothing);
    if let Some(partial) = part::merged(&answer)? {
        sum.merge(partial)?;
    }
    Ok(sum)
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
        self.known.n_rows
    }

    fn class_counts(&self) -> &[u64] {
        &self.known.class_counts
    }

    fn n_values(&self) -> &[usize] {
        &self.n_values
    }

    fn singles(&self) -> &[CountTable] {
        &self.known.singles
    }

    fn pairs(&self, pairs: &[(usize, usize)], _: &dyn Observer) -> Result<Vec<CountTable>> {
        if let Some(known) = KnownTables::new(&self.known).pairs(pairs)? {
            return Ok(known);
        }
        let sets: Vec<Vec<usize>> = pairs.iter().map(|&(a, b)| vec![a, b]).collect();
        let (features, sets) = renumbered(&sets);
        let wanted = Wanted::Tables {
            features,
            pairs: PairChoice::List(sets.iter().map(|set| (set[0], set[1])).collect()),
        };
        Ok(self.ask(&wanted)?.into_counts()?.pairs)
    }

    fn joint(&self, sets: &[Vec<usize>], _: &dyn Observer) -> Result<Vec<JointTable>> {
        KnownTables::new(&self.known).joint(sets, |sets| {
            let (nodes, sets) = renumbered(sets);
            self.ask(&Wanted::Joint { nodes, sets })?.into_joint()
        })
    }

    fn room(&self) -> u64 {
        MEMORY / 8
    }
}
