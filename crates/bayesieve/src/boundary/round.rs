//! One node tested against many others, all given the same nodes.
//!
//! The rows are grouped once, by the given nodes and the one that is tested; every candidate
//! is then a single table by group. Candidates are compared by statistics from tables of
//! n log n; a test that is reported is computed anew from the counts, to the last digit.

use std::borrow::Cow;
use std::f64::consts::LN_2;
use std::sync::OnceLock;

use rayon::prelude::*;

use super::independence::IndependenceTests;
use super::layering::Layering;
use crate::counts::{CountColumn, Partition, RowIndex, TableRows, is_single_held_whole};
use crate::data::Codes;
use crate::math::{n_log_n, sum_n_log_n, sum_n_log_n_within};
use crate::stats::{DegreesOfFreedom, IndependenceTest, Layers, Statistic, Tail, chi_square_tail};
use crate::{Observer, Result, check};

/// So many groups of rows can be counted by group; above, over the combinations that occur.
const MAX_GROUPS: usize = 1 << 22;

/// Rows of all candidates together above which threads are worth waking.
const ROWS_FOR_THREADS: usize = 1 << 22;

/// Cells of all candidates together that are kept until the round is over.
const KEPT_CELLS: usize = 1 << 22;

/// Candidates looked at between two looks at the clock.
const CHUNK: usize = 64;

/// A statistic and its degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct GMeasure {
    pub(super) statistic: f64,
    pub(super) degrees_of_freedom: f64,
}

impl GMeasure {
    /// The probability of a statistic this large by chance; 1 without degrees of freedom.
    pub(super) fn tail(&self) -> Result<Tail> {
        if self.degrees_of_freedom < 1.0 {
            return Ok(Tail { p: 1.0, ln_p: 0.0 });
        }
        chi_square_tail(self.statistic.max(0.0), self.degrees_of_freedom)
    }

    fn test(&self) -> Result<IndependenceTest> {
        let tail = self.tail()?;
        Ok(IndependenceTest {
            statistic: self.statistic,
            degrees_of_freedom: self.degrees_of_freedom,
            p: tail.p,
            ln_p: tail.ln_p,
        })
    }
}

/// One node and the candidates it is tested against.
pub(super) struct TestRound<'t, 'a> {
    tests: &'t IndependenceTests<'a>,
    node: usize,
    given: &'t Layering,
    candidates: &'t [usize],
    counting: RoundCounting<'t>,
    /// The cells of every candidate, where they are few enough to be kept.
    cells: Vec<OnceLock<Vec<u64>>>,
    margins: OnceLock<RoundMargins>,
    parts: OnceLock<LayerParts>,
}

/// How candidates are counted.
enum RoundCounting<'a> {
    /// By the candidates' columns, the groups being the class.
    Index(RowIndex<'a>),
    /// Over the combinations that occur: there are too many groups.
    Combinations,
    /// They were, all at once, from the joint tables of the given nodes, the node and each
    /// candidate: together the tables may be larger than the memory.
    Done(Vec<TestedCandidate>),
}

/// What is asked about a candidate.
struct TestedCandidate {
    measure: GMeasure,
    test: IndependenceTest,
}

/// What all candidates share: the layers with rows, the values of the node in each.
struct RoundMargins {
    /// The layers that have rows, and how many values of the node occur in each.
    layers: Vec<(usize, usize)>,
    /// `sum n log n` over layers and values of the node, less that over layers.
    fixed: f64,
}

/// Rows by layer, and by layer and value of the node, over the combinations that occur.
struct LayerParts {
    layers: Partition,
    groups: Partition,
}

impl<'t, 'a> TestRound<'t, 'a> {
    pub(super) fn new(
        tests: &'t IndependenceTests<'a>,
        node: usize,
        given: &'t Layering,
        candidates: &'t [usize],
        observer: &dyn Observer,
    ) -> Result<Self> {
        let n_groups = given.n_layers.saturating_mul(tests.n_values(node));
        let nodes = tests.nodes();
        let counting = match nodes.column(node) {
            Some(column) if n_groups <= MAX_GROUPS => {
                let codes = Codes::joined(
                    (&given.codes, given.n_layers),
                    (column.codes, column.n_values),
                );
                let index = Layering::index_of(tests, &codes, n_groups, candidates)?;
                RoundCounting::Index(index)
            }
            _ => RoundCounting::Combinations,
        };
        let n_cells = candidates
            .iter()
            .map(|&x| n_groups.saturating_mul(tests.n_values(x)));
        let is_kept = matches!(counting, RoundCounting::Index(_))
            && n_cells.fold(0, usize::saturating_add) <= KEPT_CELLS;
        let n_kept = if is_kept { candidates.len() } else { 0 };
        let mut round = TestRound {
            tests,
            node,
            given,
            candidates,
            counting,
            cells: (0..n_kept).map(|_| OnceLock::new()).collect(),
            margins: OnceLock::new(),
            parts: OnceLock::new(),
        };
        if !nodes.is_in_memory() {
            round.counting = RoundCounting::Done(round.all_tested(observer)?);
        }
        Ok(round)
    }

    /// All candidates from their joint tables, none of which is kept.
    fn all_tested(&self, observer: &dyn Observer) -> Result<Vec<TestedCandidate>> {
        let set = |&x: &usize| [self.given.nodes.as_slice(), &[self.node, x]].concat();
        let sets: Vec<Vec<usize>> = self.candidates.iter().map(set).collect();
        let (n_given, n_rows) = (self.given.nodes.len(), self.tests.n_rows());
        self.tests.nodes().map_rows(&sets, observer, |place, rows| {
            let layering = Layering::over(rows, n_given, n_rows)?;
            if let Some(cells) = self.cells_of(rows, &layering, place) {
                return Ok(TestedCandidate {
                    measure: self.measure_cells(place, &cells),
                    test: self.test_cells(place, &cells)?,
                });
            }
            let parts = LayerParts::new(&layering, rows.column(n_given))?;
            let candidate = rows.column(n_given + 1);
            let measure = self.measure_of(place, &parts, candidate, rows.weights())?;
            let test = measure.test()?;
            Ok(TestedCandidate { measure, test })
        })
    }

    /// The measures of all candidates, in their order.
    pub(super) fn measures(&self, observer: &dyn Observer) -> Result<Vec<GMeasure>> {
        let places: Vec<usize> = (0..self.candidates.len()).collect();
        let measured = |places: &[usize]| {
            check(observer)?;
            places.iter().map(|&place| self.measure(place)).collect()
        };
        let chunks: Vec<Vec<GMeasure>> =
            if places.len().saturating_mul(self.tests.n_rows()) < ROWS_FOR_THREADS {
                places.chunks(CHUNK).map(measured).collect::<Result<_>>()?
            } else {
                let chunks = places.par_chunks(CHUNK).map(measured);
                chunks.collect::<Result<_>>()?
            };
        Ok(chunks.into_iter().flatten().collect())
    }

    /// The statistic of one candidate, good to nine digits or so.
    pub(super) fn measure(&self, place: usize) -> Result<GMeasure> {
        if let RoundCounting::Done(counted) = &self.counting {
            return Ok(counted[place].measure);
        }
        match self.counted(place)? {
            Some(cells) => Ok(self.measure_cells(place, &cells)),
            None => self.measure_parts(place),
        }
    }

    fn measure_cells(&self, place: usize, cells: &[u64]) -> GMeasure {
        let (n_node, n_x) = (self.tests.n_values(self.node), self.n_values(place));
        let margins = self.margins(cells, n_x);
        let n_rows = self.tests.n_rows() as u64;
        let sum_of = |counts: &[u64]| sum_n_log_n_within(counts, n_rows);
        let mut of_x = vec![0; n_x];
        let (mut sum, mut adjusted) = (0.0, 0.0);
        for &(layer, n_present) in &margins.layers {
            let cells = &cells[layer * n_node * n_x..(layer + 1) * n_node * n_x];
            of_x.fill(0);
            for row in cells.chunks_exact(n_x) {
                of_x.iter_mut().zip(row).for_each(|(x, &n)| *x += n);
            }
            sum += sum_of(cells) - sum_of(&of_x);
            let n_x = of_x.iter().filter(|&&n| n > 0).count();
            adjusted += ((n_present - 1) * (n_x - 1)) as f64;
        }
        GMeasure {
            statistic: (2.0 * LN_2 * (sum - margins.fixed)).max(0.0),
            degrees_of_freedom: self.degrees_of_freedom(place, adjusted),
        }
    }

    /// The test of one candidate, to the last digit.
    pub(super) fn exact(&self, place: usize) -> Result<IndependenceTest> {
        if let RoundCounting::Done(counted) = &self.counting {
            return Ok(counted[place].test);
        }
        match self.counted(place)? {
            Some(cells) => self.test_cells(place, &cells),
            None => self.measure_parts(place)?.test(),
        }
    }

    fn test_cells(&self, place: usize, cells: &[u64]) -> Result<IndependenceTest> {
        let (n_node, n_x) = (self.tests.n_values(self.node), self.n_values(place));
        // Always from the lower node to the higher, so that a pair has one statistic.
        let is_swapped = self.candidates[place] < self.node;
        let swapped = is_swapped.then(|| transposed(cells, n_node, n_x));
        let (n_rows, n_columns) = if is_swapped {
            (n_x, n_node)
        } else {
            (n_node, n_x)
        };
        let layers = Layers::new(n_rows, n_columns, swapped.as_deref().unwrap_or(cells))?;
        let layers = layers.with_nominal_layers(self.given.n_nominal)?;
        Ok(layers.test(Statistic::G, self.tests.options().freedom))
    }

    fn n_values(&self, place: usize) -> usize {
        self.tests.n_values(self.candidates[place])
    }

    /// The whole table of a candidate, where that is not too large.
    fn counted(&self, place: usize) -> Result<Option<Cow<'_, [u64]>>> {
        if let Some(cells) = self.cells.get(place).and_then(OnceLock::get) {
            return Ok(Some(Cow::Borrowed(cells)));
        }
        let counted = match &self.counting {
            RoundCounting::Index(index) if self.has_cells(place) => index.single_cells(place)?,
            _ => None,
        };
        Ok(counted.map(|cells| match self.cells.get(place) {
            Some(kept) => Cow::Borrowed(kept.get_or_init(|| cells).as_slice()),
            None => Cow::Owned(cells),
        }))
    }

    /// Whether a candidate has a table to speak of: there are rows and it has values.
    fn has_cells(&self, place: usize) -> bool {
        self.tests.n_rows() > 0 && self.n_values(place) > 0
    }

    /// From the first table counted: its sums over the candidate are the same for all.
    fn margins(&self, cells: &[u64], n_x: usize) -> &RoundMargins {
        self.margins.get_or_init(|| {
            let n_node = self.tests.n_values(self.node);
            let groups: Vec<u64> = cells
                .chunks_exact(n_x)
                .map(|row| row.iter().sum())
                .collect();
            let (mut layers, mut of_layers) = (Vec::new(), 0.0);
            for (layer, groups) in groups.chunks_exact(n_node).enumerate() {
                let total = groups.iter().sum();
                if total > 0 {
                    layers.push((layer, groups.iter().filter(|&&n| n > 0).count()));
                    of_layers += n_log_n(total);
                }
            }
            RoundMargins {
                layers,
                fixed: sum_n_log_n(&groups) - of_layers,
            }
        })
    }

    fn degrees_of_freedom(&self, place: usize, adjusted: f64) -> f64 {
        match self.tests.options().freedom {
            DegreesOfFreedom::Adjusted => adjusted,
            DegreesOfFreedom::Nominal => {
                let free = |n: usize| n.saturating_sub(1) as f64;
                let (n_node, n_x) = (self.tests.n_values(self.node), self.n_values(place));
                free(n_node) * free(n_x) * self.given.n_nominal as f64
            }
        }
    }

    /// The cells of a candidate from combinations, as the rows in memory would be counted;
    /// `None` where they are too many, or none.
    fn cells_of(
        &self,
        rows: &TableRows<'_>,
        layering: &Layering,
        place: usize,
    ) -> Option<Vec<u64>> {
        let n_given = self.given.nodes.len();
        let (n_node, n_x) = (self.tests.n_values(self.node), self.n_values(place));
        let n_groups = layering.n_layers.saturating_mul(n_node);
        let n_cells = n_groups.saturating_mul(n_x);
        let is_whole = is_single_held_whole(n_cells as u64, self.tests.n_rows() as u64);
        if !self.has_cells(place) || n_groups > MAX_GROUPS || !is_whole {
            return None;
        }
        let mut cells = vec![0; n_cells];
        let [node, x] = [n_given, n_given + 1].map(|i| rows.column(i).codes);
        let codes = layering.codes.iter().zip(node.iter()).zip(x.iter());
        for (((layer, node), x), &weight) in codes.zip(rows.weights()?) {
            let place = |code: Option<u32>| code.unwrap_or_default() as usize;
            cells[(place(layer) * n_node + place(node)) * n_x + place(x)] += weight;
        }
        Some(cells)
    }

    /// The measure of a candidate over the combinations that occur.
    fn measure_parts(&self, place: usize) -> Result<GMeasure> {
        let column = self.tests.nodes().row_column(self.candidates[place])?;
        self.measure_of(place, self.parts()?, column, None)
    }

    /// The same from the parts of some rows and the candidate's values in them.
    fn measure_of(
        &self,
        place: usize,
        parts: &LayerParts,
        column: CountColumn<'_>,
        weights: Option<&[u64]>,
    ) -> Result<GMeasure> {
        let of_x = parts.layers.refine(column.codes, column.n_values)?;
        let cells = parts.groups.refine(column.codes, column.n_values)?;
        let part_of = |partition: &Partition| -> Vec<usize> {
            let parts = partition.iter();
            parts
                .map(|part| part.unwrap_or_default() as usize)
                .collect()
        };
        let sizes_of = |partition: &Partition| partition.sizes(weights);
        let of_row = [&parts.layers, &parts.groups, &of_x].map(part_of);
        let sizes = [&parts.layers, &parts.groups, &of_x].map(sizes_of);
        let mut statistic = 0.0;
        for (row, n) in cells.representatives().into_iter().zip(sizes_of(&cells)) {
            let [layer, group, x] = [0, 1, 2].map(|i| sizes[i][of_row[i][row as usize]] as f64);
            let n = n as f64;
            statistic += 2.0 * n * (n * layer / (group * x)).ln();
        }
        // Of every layer the values that occur, of the node and of the candidate.
        let mut present = vec![[0usize; 2]; sizes[0].len()];
        for (side, partition) in [&parts.groups, &of_x].into_iter().enumerate() {
            for row in partition.representatives() {
                present[of_row[0][row as usize]][side] += 1;
            }
        }
        let adjusted = present.iter().map(|[a, b]| ((a - 1) * (b - 1)) as f64);
        Ok(GMeasure {
            statistic: statistic.max(0.0),
            degrees_of_freedom: self.degrees_of_freedom(place, adjusted.sum()),
        })
    }

    fn parts(&self) -> Result<&LayerParts> {
        if let Some(parts) = self.parts.get() {
            return Ok(parts);
        }
        let parts = LayerParts::new(self.given, self.tests.nodes().row_column(self.node)?)?;
        Ok(self.parts.get_or_init(|| parts))
    }
}

impl LayerParts {
    fn new(given: &Layering, node: CountColumn<'_>) -> Result<Self> {
        let whole = Partition::whole(given.codes.len());
        let layers = whole.refine(&given.codes, given.n_layers)?;
        let groups = layers.refine(node.codes, node.n_values)?;
        Ok(LayerParts { layers, groups })
    }
}

/// Every layer with rows and columns exchanged.
fn transposed(cells: &[u64], n_rows: usize, n_columns: usize) -> Vec<u64> {
    let mut out = Vec::with_capacity(cells.len());
    for layer in cells.chunks_exact((n_rows * n_columns).max(1)) {
        for column in 0..n_columns {
            out.extend((0..n_rows).map(|row| layer[row * n_columns + column]));
        }
    }
    out
}
