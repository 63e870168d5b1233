//! Counts fed batch by batch: for streams, shards and other machines.

use super::index::{CountColumn, RowIndex};
use super::table::{CountTable, Shape};
use crate::data::Codes;
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
/// use bayesieve::counts::{Cell, CountPlan, Counter, PairChoice};
/// use bayesieve::data::Codes;
///
/// let plan = CountPlan { n_classes: 2, n_values: vec![2], pairs: PairChoice::None };
/// let mut here = Counter::new(plan.clone())?;
/// here.observe(&[&Codes::U8(vec![0, 1])], &Codes::U8(vec![0, 1]))?;
/// let mut there = Counter::new(plan)?;
/// there.observe(&[&Codes::U8(vec![1])], &Codes::U8(vec![1]))?;
/// here.merge(there)?;
/// let counts = here.finish();
/// assert_eq!(counts.singles[0].get(Cell { class: 1, a: 1, ..Cell::default() }), 2);
/// # Ok::<(), bayesieve::Error>(())
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
    /// One table per column.
    pub singles: Vec<CountTable>,
    /// One table per pair of the plan, in its order.
    pub pairs: Vec<CountTable>,
}

impl Counter {
    /// A counter that has seen no row.
    ///
    /// # Errors
    /// A pair names a column that does not exist, or the tables do not fit in memory.
    pub fn new(plan: CountPlan) -> Result<Self> {
        let n = plan.n_values.len();
        let pairs = match &plan.pairs {
            PairChoice::None => Vec::new(),
            PairChoice::All => (0..n)
                .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
                .collect(),
            PairChoice::List(pairs) => pairs.clone(),
        };
        if let Some((a, b)) = pairs.iter().find(|(a, b)| *a.max(b) >= n) {
            return Err(Error::internal(format!("pair ({a}, {b}) of {n} columns")));
        }
        let shape = |n_a, n_b| Shape {
            n_classes: plan.n_classes,
            n_folds: 1,
            n_a,
            n_b,
        };
        let shapes: Vec<Shape> = plan.n_values.iter().map(|&k| shape(k, 1)).collect();
        let pair_shapes: Vec<Shape> = pairs
            .iter()
            .map(|&(a, b)| shape(plan.n_values[a], plan.n_values[b]))
            .collect();
        check_memory(shapes.iter().chain(&pair_shapes))?;
        let empty = |shape: &Shape| match shape.n_cells() {
            Some(cells) if cells <= MAX_DENSE => CountTable::dense(*shape, vec![0; cells as usize]),
            _ => CountTable::from_keys(*shape, Vec::new()),
        };
        let counts = Counts {
            n_rows: 0,
            singles: shapes.iter().map(empty).collect::<Result<_>>()?,
            pairs: pair_shapes.iter().map(empty).collect::<Result<_>>()?,
        };
        Ok(Counter {
            plan,
            pairs,
            counts,
        })
    }

    /// Counts a batch of rows. A batch that is refused adds nothing.
    ///
    /// # Errors
    /// Another number of columns, columns of different lengths, a code outside its
    /// domain, or a row without a class.
    pub fn observe(&mut self, columns: &[&Codes], class: &Codes) -> Result<()> {
        if columns.len() != self.plan.n_values.len() {
            return Err(Error::internal(format!(
                "a batch of {} columns for a plan of {}",
                columns.len(),
                self.plan.n_values.len()
            )));
        }
        let columns: Vec<CountColumn<'_>> = columns
            .iter()
            .zip(&self.plan.n_values)
            .map(|(codes, &n_values)| CountColumn { codes, n_values })
            .collect();
        let class = CountColumn {
            codes: class,
            n_values: self.plan.n_classes,
        };
        let index = RowIndex::new(&columns, class)?;
        let singles = (0..columns.len())
            .map(|column| index.count_single(column))
            .collect::<Result<_>>()?;
        self.counts.add(&Counts {
            n_rows: index.n_rows() as u64,
            singles,
            pairs: index.count_pairs(&self.pairs)?,
        })
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

    /// The counts of all rows seen.
    pub fn finish(self) -> Counts {
        self.counts
    }
}

/// Tables above this many cells hold only the cells that occur.
const MAX_DENSE: u64 = 1 << 18;

/// Cells of all dense tables together: 2 GiB.
const MAX_CELLS: u64 = 1 << 28;

fn check_memory<'a>(shapes: impl Iterator<Item = &'a Shape>) -> Result<()> {
    let dense = shapes
        .filter_map(Shape::n_cells)
        .filter(|&cells| cells <= MAX_DENSE);
    let cells = dense.fold(0u64, u64::saturating_add);
    if cells <= MAX_CELLS {
        return Ok(());
    }
    Err(
        Error::data(format!("the tables have {cells} cells, limit {MAX_CELLS}"))
            .with_hint("Count fewer pairs at a time."),
    )
}

impl Counts {
    fn add(&mut self, other: &Counts) -> Result<()> {
        self.n_rows += other.n_rows;
        let mine = self.singles.iter_mut().chain(&mut self.pairs);
        for (mine, other) in mine.zip(other.singles.iter().chain(&other.pairs)) {
            mine.add(other)?;
        }
        Ok(())
    }
}
