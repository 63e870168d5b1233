//! G tests of two nodes given others.
//!
//! `G2(X,Y|Z) = 2 sum n_xyz ln(n_xyz n_z / (n_xz n_yz))` against the chi-square law with
//! `(r_X - 1)(r_Y - 1) prod r_Z` degrees of freedom, or those of the layers that occur.
//! A test needs five rows per cell of its table on average (Tsamardinos, Brown and
//! Aliferis, 2006), unless that rule is off.

use std::borrow::Cow;

use super::layering::Layering;
use super::round::TestRound;
use crate::counts::{CountColumn, TableNodes};
use crate::network::learn::PowerRule;
use crate::stats::{DegreesOfFreedom, IndependenceTest, Layers, Statistic, has_power};
use crate::{Error, Observer, Result, Silent};

/// Tables of up to so many cells, or four per row, are counted whole.
pub(super) const MAX_CELLS: usize = 65_536;

/// How nodes are tested.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TestOptions {
    /// Independence stands where p is above this.
    pub alpha: f64,
    /// How degrees of freedom are counted.
    pub freedom: DegreesOfFreedom,
    /// What a test needs to be made at all.
    pub power: PowerRule,
}

impl Default for TestOptions {
    /// Level 0.05, nominal degrees of freedom, five rows per cell.
    fn default() -> Self {
        TestOptions {
            alpha: 0.05,
            freedom: DegreesOfFreedom::Nominal,
            power: PowerRule::FiveRowsPerCell,
        }
    }
}

impl TestOptions {
    fn check(&self) -> Result<()> {
        if (0.0..=1.0).contains(&self.alpha) {
            return Ok(());
        }
        Err(
            Error::usage(format!("{} is no level of a test", self.alpha))
                .with_hint("Give a number from 0 to 1."),
        )
    }
}

/// Columns whose independence can be tested; may be shared by threads and targets.
///
/// # Example
/// ```
/// use bayesieve::boundary::{IndependenceTests, TestOptions};
/// use bayesieve::data::Codes;
/// use bayesieve::counts::CountColumn;
///
/// // Forty rows; the second column is the first one, the third one goes its own way.
/// let columns = [1, 1, 2].map(|bit| Codes::new(2, (0..40).map(|row| Some(row / bit % 2))));
/// let columns = columns.each_ref().map(|codes| CountColumn { codes, n_values: 2 });
/// let tests = IndependenceTests::new(&columns, TestOptions::default())?;
/// let alike = tests.test((0, 1), &[])?.expect("rows enough");
/// assert!((alike.statistic - 80.0 * 2f64.ln()).abs() < 1e-9); // 2 N ln 2 times one bit
/// let unlike = tests.test((0, 2), &[])?.expect("rows enough");
/// assert_eq!((unlike.statistic, unlike.p), (0.0, 1.0));
/// assert!(tests.test((0, 1), &[2])?.is_some()); // forty rows, eight cells
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug)]
pub struct IndependenceTests<'a> {
    nodes: TableNodes<'a>,
    n_values: Vec<usize>,
    n_rows: usize,
    options: TestOptions,
}

impl<'a> IndependenceTests<'a> {
    /// Takes the columns, one per node.
    ///
    /// # Errors
    /// Columns of different lengths, a missing cell, or a level outside 0 to 1.
    pub fn new(columns: &[CountColumn<'a>], options: TestOptions) -> Result<Self> {
        let nodes = TableNodes::of_columns(columns)?;
        let n_values = columns.iter().map(|column| column.n_values).collect();
        IndependenceTests::with_nodes(nodes, n_values, options)
    }

    /// Takes counts of rows, wherever they are: the features as nodes, the class last.
    ///
    /// # Errors
    /// A missing cell, or a level outside 0 to 1.
    pub fn of(nodes: TableNodes<'a>, options: TestOptions) -> Result<Self> {
        let n_values = nodes.n_values().to_vec();
        IndependenceTests::with_nodes(nodes, n_values, options)
    }

    fn with_nodes(
        nodes: TableNodes<'a>,
        n_values: Vec<usize>,
        options: TestOptions,
    ) -> Result<Self> {
        options.check()?;
        if let Some(node) = (0..n_values.len()).find(|&node| nodes.has_gaps(node)) {
            return Err(has_gaps(node));
        }
        let n_rows = usize::try_from(nodes.n_rows());
        Ok(IndependenceTests {
            n_rows: n_rows.map_err(|_| Error::data("there are too many rows"))?,
            nodes,
            n_values,
            options,
        })
    }

    /// Where the counts come from.
    pub(super) fn nodes(&self) -> &TableNodes<'a> {
        &self.nodes
    }

    /// Number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.n_values.len()
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// How nodes are tested.
    pub fn options(&self) -> &TestOptions {
        &self.options
    }

    /// Tests two nodes given others; `None` where that leaves too few rows.
    ///
    /// The order of the pair and of the others does not matter, to the last digit.
    ///
    /// # Errors
    /// There is no such node, or one is named twice.
    ///
    /// # Cost
    /// A pass over the rows for every node; memory for the combinations that occur.
    pub fn test(
        &self,
        (a, b): (usize, usize),
        given: &[usize],
    ) -> Result<Option<IndependenceTest>> {
        let given = sorted(given);
        let (a, b) = (a.min(b), a.max(b));
        self.check_nodes(a, b, &given)?;
        if !self.is_testable((a, b), &given) {
            return Ok(None);
        }
        let nodes = [&given, [a, b].as_slice()].concat();
        if let Some(cells) = self.count(&nodes)? {
            let layers = Layers::new(self.n_values(a), self.n_values(b), &cells)?;
            return Ok(Some(layers.test(Statistic::G, self.options.freedom)));
        }
        let layering = Layering::of(self, &given)?;
        TestRound::new(self, a, &layering, &[b], &Silent)?
            .exact(0)
            .map(Some)
    }

    /// The whole table of some nodes, the last changing fastest; `None` where it is empty or
    /// larger than a few cells per row.
    pub(super) fn count(&self, nodes: &[usize]) -> Result<Option<Vec<u64>>> {
        let n_cells = nodes
            .iter()
            .try_fold(1usize, |n, &node| n.checked_mul(self.n_values(node)));
        let max = MAX_CELLS.max(4 * self.n_rows);
        let Some(n_cells) = n_cells.filter(|n| (1..=max).contains(n)) else {
            return Ok(None);
        };
        let sets = [nodes.to_vec()];
        let cells = self.nodes.map_joint(&sets, &Silent, |_, table| {
            Ok(table.dense(n_cells).map(Cow::into_owned))
        })?;
        Ok(cells.into_iter().next().flatten())
    }

    /// Counts what tests of a pair given each of some sets need, where a look at the rows is
    /// long: one look for all of them.
    pub(super) fn prepare(
        &self,
        (a, b): (usize, usize),
        sets: &[Vec<usize>],
        observer: &dyn Observer,
    ) -> Result<()> {
        if self.nodes.is_in_memory() {
            return Ok(());
        }
        let pair = [a.min(b), a.max(b)];
        let testable = sets.iter().filter(|given| self.is_testable((a, b), given));
        let asked: Vec<Vec<usize>> = testable
            .map(|given| [sorted(given).as_slice(), &pair].concat())
            .collect();
        self.nodes.map_joint(&asked, observer, |_, _| Ok(()))?;
        Ok(())
    }

    /// Number of values of a node.
    pub(super) fn n_values(&self, node: usize) -> usize {
        self.n_values[node]
    }

    /// Whether there are rows enough for a test of the pair.
    pub(super) fn is_testable(&self, (a, b): (usize, usize), given: &[usize]) -> bool {
        match self.options.power {
            PowerRule::Off => true,
            PowerRule::FiveRowsPerCell => {
                let nodes = [a, b].into_iter().chain(given.iter().copied());
                let n_cells = nodes.fold(1u64, |product, node| {
                    product.saturating_mul(self.n_values(node) as u64)
                });
                has_power(self.n_rows as u64, n_cells)
            }
        }
    }

    /// A statistic as information in units of 1e-10 bits a row, for comparing candidates:
    /// copies under other codes must be equal whatever the order of a sum.
    pub(super) fn rounded(&self, statistic: f64) -> f64 {
        let nats = 2.0 * std::f64::consts::LN_2 * self.n_rows.max(1) as f64;
        (statistic / nats * 1e10).round()
    }

    /// How probabilities compare: `ln p` in units of 1e-8, for the same reason.
    pub(super) fn rounded_ln(ln_p: f64) -> f64 {
        (ln_p * 1e8).round()
    }

    fn check_nodes(&self, a: usize, b: usize, given: &[usize]) -> Result<()> {
        let is_twice = a == b || given.contains(&a) || given.contains(&b);
        let is_twice = is_twice || given.windows(2).any(|pair| pair[0] == pair[1]);
        if is_twice {
            return Err(Error::internal("a test names a node twice"));
        }
        self.check_node(given.last().map_or(b, |&last| last.max(b)))
    }

    /// Refuses a node that does not exist.
    pub(super) fn check_node(&self, node: usize) -> Result<()> {
        let n = self.n_nodes();
        if node < n {
            return Ok(());
        }
        Err(Error::internal(format!("node {node} of {n} was asked for")))
    }
}

fn has_gaps(node: usize) -> Error {
    Error::data(format!(
        "column {} has empty cells, which no test can place",
        node + 1
    ))
    .with_hint("Count them as a value, or drop their rows.")
}

/// The nodes in rising order.
pub(super) fn sorted(nodes: &[usize]) -> Vec<usize> {
    let mut nodes = nodes.to_vec();
    nodes.sort_unstable();
    nodes
}
