//! Counts fed batch by batch: for streams, shards and other machines.

use super::histogram::count_codes;
use super::index::{CountColumn, RowIndex};
use super::table::{CountTable, Shape};
use crate::codes::Codes;
use crate::error::{Error, Result};

/// Which pair tables a [`Counter`] keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PairChoice {
    /// None: single tables only.
    None,
    /// All pairs, in the order (0,1), (0,2), …, (1,2), ….
    All,
    /// These pairs, in this order.
    List(Vec<(usize, usize)>),
}

/// What is counted: the domains, fixed before the first row, and the tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountPlan {
    /// Number of classes.
    pub n_classes: usize,
    /// Number of values of each column.
    pub n_values: Vec<usize>,
    /// The pair tables to keep; every single table is kept.
    pub pairs: PairChoice,
}

/// Counts that grow batch by batch and can be merged with others of the same plan.
///
/// Feeding rows in any batches, on any number of counters, and merging in any order
/// gives the same counts.
///
/// # Example
/// ```
/// use bayesieve_counts::{Cell, CountPlan, Counter, PairChoice};
/// use bayesieve_counts::Codes;
///
/// let plan = CountPlan { n_classes: 2, n_values: vec![2], pairs: PairChoice::None };
/// let mut here = Counter::new(plan.clone())?;
/// here.observe(&[&Codes::U8(vec![0, 1])], &Codes::U8(vec![0, 1]))?;
/// let mut there = Counter::new(plan)?;
/// there.observe(&[&Codes::U8(vec![1])], &Codes::U8(vec![1]))?;
/// here.merge(there)?;
/// let counts = here.finish();
/// assert_eq!(counts.singles[0].get(Cell { class: 1, a: 1, ..Cell::default() }), 2);
/// # Ok::<(), bayesieve_counts::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Counter {
    plan: CountPlan,
    pairs: Vec<(usize, usize)>,
    counts: Counts,
}

/// Finished counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// Number of rows seen.
    pub n_rows: u64,
    /// Rows of every class.
    pub class_counts: Vec<u64>,
    /// One table per column.
    pub singles: Vec<CountTable>,
    /// One table per pair of the plan, in its order.
    pub pairs: Vec<CountTable>,
}

impl CountPlan {
    /// Refuses pairs that name a column that does not exist.
    pub fn check(&self) -> Result<()> {
        let n = self.n_values.len();
        let PairChoice::List(pairs) = &self.pairs else {
            return Ok(());
        };
        match pairs.iter().find(|(a, b)| *a.max(b) >= n) {
            Some((a, b)) => Err(Error::internal(format!("pair ({a}, {b}) of {n} columns"))),
            None => Ok(()),
        }
    }

    /// Refuses tables that do not fit in memory.
    pub fn check_memory(&self) -> Result<()> {
        let dense = self.shapes().filter_map(dense_cells);
        let cells = dense.fold(0u64, |sum, n_cells| sum.saturating_add(n_cells as u64));
        if cells <= MAX_CELLS {
            return Ok(());
        }
        Err(
            Error::data(format!("the tables have {cells} cells, limit {MAX_CELLS}"))
                .with_hint("Count fewer pairs at a time."),
        )
    }

    /// The pairs, in the order in which they are counted.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let (n, list): (usize, &[(usize, usize)]) = match &self.pairs {
            PairChoice::None => (0, &[]),
            PairChoice::All => (self.n_values.len(), &[]),
            PairChoice::List(pairs) => (0, pairs),
        };
        let all = (0..n).flat_map(move |a| (a + 1..n).map(move |b| (a, b)));
        all.chain(list.iter().copied())
    }

    /// The shapes of all tables: those of the columns, then those of the pairs.
    pub fn shapes(&self) -> impl Iterator<Item = Shape> + '_ {
        let shape = |n_a, n_b| Shape::of(self.n_classes, n_a, n_b);
        let values = &self.n_values;
        let singles = values.iter().map(move |&n_a| shape(n_a, 1));
        singles.chain(self.pairs().map(move |(a, b)| shape(values[a], values[b])))
    }
}

impl Counter {
    /// A counter that has seen no row.
    ///
    /// # Errors
    /// A pair names a column that does not exist, or the tables do not fit in memory.
    pub fn new(plan: CountPlan) -> Result<Self> {
        plan.check()?;
        plan.check_memory()?;
        let empty = |shape| match dense_cells(shape) {
            Some(n_cells) => CountTable::dense(shape, vec![0; n_cells]),
            None => CountTable::from_keys(shape, Vec::new()),
        };
        let mut singles: Vec<CountTable> = plan.shapes().map(empty).collect::<Result<_>>()?;
        let counts = Counts {
            n_rows: 0,
            class_counts: vec![0; plan.n_classes],
            pairs: singles.split_off(plan.n_values.len()),
            singles,
        };
        Ok(Counter {
            pairs: plan.pairs().collect(),
            plan,
            counts,
        })
    }

    /// Counts a batch of rows. A batch that is refused adds nothing.
    ///
    /// # Errors
    /// Another number of columns, columns of different lengths, a code outside its
    /// domain, or a row without a class.
    pub fn observe(&mut self, columns: &[&Codes], class: &Codes) -> Result<()> {
        let index = self.index(columns, class)?;
        let singles = (0..columns.len())
            .map(|column| index.count_single(column))
            .collect::<Result<_>>()?;
        let mut class_counts = count_codes(class, self.plan.n_classes);
        class_counts.truncate(self.plan.n_classes);
        self.counts.add(&Counts {
            n_rows: index.n_rows() as u64,
            class_counts,
            singles,
            pairs: index.count_pairs(&self.pairs)?,
        })
    }

    /// The rows of a batch, ready to be counted.
    ///
    /// # Errors
    /// Those of [`Counter::observe`].
    pub fn index<'a>(&self, columns: &[&'a Codes], class: &Codes) -> Result<RowIndex<'a>> {
        if columns.len() != self.plan.n_values.len() {
            return Err(Error::internal(format!(
                "a batch of {} columns for a plan of {}",
                columns.len(),
                self.plan.n_values.len()
            )));
        }
        let columns = columns.iter().zip(&self.plan.n_values);
        let columns: Vec<CountColumn<'a>> = columns
            .map(|(codes, &n_values)| CountColumn { codes, n_values })
            .collect();
        let class = CountColumn {
            codes: class,
            n_values: self.plan.n_classes,
        };
        RowIndex::new(&columns, class)
    }

    /// Takes over the counts of another counter of the same plan.
    ///
    /// # Errors
    /// The plans differ.
    pub fn merge(&mut self, other: Counter) -> Result<()> {
        if self.plan != other.plan {
            return Err(
                Error::data("counts of two different plans cannot be merged")
                    .with_hint("Count every part with the same columns, domains and classes."),
            );
        }
        self.counts.add(&other.counts)
    }

    /// A counter that has seen the rows of some finished counts.
    pub fn resumed(plan: CountPlan, counts: Counts) -> Result<Self> {
        plan.check()?;
        let tables = counts.singles.iter().chain(&counts.pairs);
        let is_fit = counts.class_counts.len() == plan.n_classes
            && counts.singles.len() == plan.n_values.len()
            && tables.map(CountTable::shape).eq(plan.shapes());
        if is_fit {
            Ok(Counter {
                pairs: plan.pairs().collect(),
                plan,
                counts,
            })
        } else {
            Err(Error::internal("counts of another plan"))
        }
    }

    /// What is counted.
    pub fn plan(&self) -> &CountPlan {
        &self.plan
    }

    /// The counts of the rows seen so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The counts of all rows seen.
    pub fn finish(self) -> Counts {
        self.counts
    }
}

/// Tables above this many cells hold only the cells that occur.
const MAX_DENSE: u64 = 1 << 18;

/// Cells of all dense tables together: 2 GiB.
pub(super) const MAX_CELLS: u64 = 1 << 28;

/// Number of cells of a table that is held whole, `None` for one that is not.
pub fn dense_cells(shape: Shape) -> Option<usize> {
    let n_cells = shape.n_cells().filter(|&n_cells| n_cells <= MAX_DENSE);
    n_cells.map(|n_cells| n_cells as usize)
}

impl Counts {
    /// Adds the counts of other rows, of the same tables.
    pub fn add(&mut self, other: &Counts) -> Result<()> {
        self.n_rows += other.n_rows;
        let classes = self.class_counts.iter_mut().zip(&other.class_counts);
        classes.for_each(|(mine, n)| *mine += n);
        let mine = self.singles.iter_mut().chain(&mut self.pairs);
        for (mine, other) in mine.zip(other.singles.iter().chain(&other.pairs)) {
            mine.add(other)?;
        }
        Ok(())
    }
}
