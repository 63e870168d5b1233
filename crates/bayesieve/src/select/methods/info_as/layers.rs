//! What every feature tells about the class within the parts of the rows.

use rayon::prelude::*;

use super::Metric;
use super::counted::LayeredCounts;
use crate::counts::Partition;
use crate::data::Code;
use crate::info::{Informations, bits, ratio};
use crate::math::{OrderFreeSum, n_log_n, sum_n_log_n};
use crate::stats::{DegreesOfFreedom, Layers, Statistic, chi_square_tail};
use crate::with_codes;
use crate::{Error, Result};
use crate::{Observer, check};

/// Cells of layers that are tested in one go; bounds the memory of a fine partition.
const MOST_CELLS: usize = 1 << 20;

/// The features that are known.
pub(super) enum Known {
    /// The parts of the rows in memory.
    Rows(Partition),
    /// The features themselves, where the rows are not in memory.
    Features(Vec<usize>),
}

impl Known {
    /// Nothing is known.
    pub(super) fn new(told: &Informations<'_>) -> Self {
        match told.nodes() {
            None => Known::Rows(Partition::whole(told.n_rows())),
            Some(_) => Known::Features(Vec::new()),
        }
    }

    /// One more feature is known.
    pub(super) fn with(&self, told: &Informations<'_>, feature: usize) -> Result<Self> {
        Ok(match self {
            Known::Rows(parts) => {
                let column = told.feature(feature)?;
                Known::Rows(parts.refine(&column.codes, column.n_values())?)
            }
            Known::Features(known) => Known::Features([known.as_slice(), &[feature]].concat()),
        })
    }
}

/// What can still tell something, part by part.
pub(super) enum Layered<'t, 'a> {
    Rows(LayeredRows<'t, 'a>),
    Counts(LayeredCounts<'t, 'a>),
}

impl<'t, 'a> Layered<'t, 'a> {
    pub(super) fn new(
        known: &Known,
        told: &'t Informations<'a>,
        metric: Metric,
        observer: &dyn Observer,
    ) -> Result<Self> {
        Ok(match (known, told.nodes()) {
            (Known::Rows(parts), _) => Layered::Rows(LayeredRows::new(parts, told, metric)?),
            (Known::Features(known), Some(nodes)) => {
                Layered::Counts(LayeredCounts::new(known, nodes, metric, observer)?)
            }
            (Known::Features(_), None) => {
                return Err(Error::internal("features known of rows in memory"));
            }
        })
    }

    /// The metric of every candidate.
    pub(super) fn values(&self, candidates: &[usize], observer: &dyn Observer) -> Result<Vec<f64>> {
        match self {
            Layered::Rows(layered) => layered.values(candidates, observer),
            Layered::Counts(layered) => layered.values(candidates, observer),
        }
    }

    /// The probability of a statistic as large as the feature's, if it told nothing.
    pub(super) fn p(
        &self,
        feature: usize,
        statistic: Statistic,
        observer: &dyn Observer,
    ) -> Result<f64> {
        match self {
            Layered::Rows(layered) => layered.p(feature, statistic),
            Layered::Counts(layered) => layered.p(feature, statistic, observer),
        }
    }
}

/// What all candidates share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shared {
    pub(super) metric: Metric,
    pub(super) n_rows: u64,
    /// `Σ n log n` over the parts, and over the classes in each.
    pub(super) parts: f64,
    pub(super) by_class: f64,
}

impl Shared {
    pub(super) fn new(metric: Metric, n_rows: u64) -> Self {
        Shared {
            metric,
            n_rows,
            parts: 0.0,
            by_class: 0.0,
        }
    }

    /// Whether a part of these class counts can tell something; if so it is added.
    pub(super) fn add(&mut self, counts: &[u64]) -> bool {
        let n = counts.iter().sum();
        let is_pure = counts.iter().filter(|&&n| n > 0).count() < 2;
        // A row alone tells nothing; nor does a pure part, but for the denominators.
        if n < 2 || (is_pure && self.metric == Metric::Gain) {
            return false;
        }
        self.parts += n_log_n(n);
        self.by_class += sum_n_log_n(counts);
        true
    }

    /// The metric of a candidate of these sums.
    pub(super) fn value(&self, sums: Sums) -> f64 {
        let n = self.n_rows;
        let gain = bits(sums.by_both - sums.by_value - self.by_class + self.parts, n);
        match self.metric {
            Metric::Gain => gain,
            Metric::Ratio => ratio(gain, bits(self.parts - sums.by_value, n)),
            Metric::Distance => ratio(gain, bits(self.parts - sums.by_both, n)),
        }
    }
}

/// A test over many layers, a batch at a time.
pub(super) struct LayeredTest {
    pub(super) statistic: Statistic,
    value: f64,
    degrees_of_freedom: f64,
}

impl LayeredTest {
    pub(super) fn new(statistic: Statistic) -> Self {
        LayeredTest {
            statistic,
            value: 0.0,
            degrees_of_freedom: 0.0,
        }
    }

    /// Layers tested in one go, of tables of so many cells.
    pub(super) fn n_at_a_time(size: usize) -> usize {
        (MOST_CELLS / size.max(1)).max(1)
    }

    pub(super) fn add(&mut self, shape: (usize, usize), cells: &[u64]) -> Result<()> {
        let layers = Layers::new(shape.0, shape.1, cells)?;
        let test = layers.test(self.statistic, DegreesOfFreedom::Adjusted);
        self.value += test.statistic;
        self.degrees_of_freedom += test.degrees_of_freedom;
        Ok(())
    }

    pub(super) fn p(&self) -> Result<f64> {
        if self.degrees_of_freedom > 0.0 {
            Ok(chi_square_tail(self.value, self.degrees_of_freedom)?.p)
        } else {
            Ok(1.0)
        }
    }
}

/// The rows that can still tell something, part by part.
pub(super) struct LayeredRows<'t, 'a> {
    told: &'t Informations<'a>,
    shared: Shared,
    /// Rows, those of a part side by side.
    rows: Vec<u32>,
    /// The class of each of these rows.
    classes: Vec<u32>,
    /// Where each part begins, and the end of the last.
    starts: Vec<usize>,
}

/// `Σ n log n` over the values of a feature in each part, and over values and classes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    by_value: f64,
    by_both: f64,
}

impl<'t, 'a> LayeredRows<'t, 'a> {
    fn new(known: &Partition, told: &'t Informations<'a>, metric: Metric) -> Result<Self> {
        let class = told.class()?;
        let class_of: Vec<u32> = class.codes.iter().map(Option::unwrap_or_default).collect();
        let (order, ends) = rows_by_part(known);
        let mut layered = LayeredRows {
            told,
            shared: Shared::new(metric, told.n_rows() as u64),
            rows: Vec::new(),
            classes: Vec::new(),
            starts: vec![0],
        };
        let mut counts = vec![0u64; class.n_values()];
        let mut start = 0;
        for end in ends {
            let part = &order[start..end];
            start = end;
            counts.fill(0);
            part.iter()
                .for_each(|&row| counts[class_of[row as usize] as usize] += 1);
            if !layered.shared.add(&counts) {
                continue;
            }
            layered.rows.extend_from_slice(part);
            let classes = part.iter().map(|&row| class_of[row as usize]);
            layered.classes.extend(classes);
            layered.starts.push(layered.rows.len());
        }
        Ok(layered)
    }

    fn values(&self, candidates: &[usize], observer: &dyn Observer) -> Result<Vec<f64>> {
        candidates
            .par_iter()
            .map(|&feature| {
                check(observer)?;
                let column = self.told.feature(feature)?;
                let n_values = column.n_values();
                let sums = with_codes!(&column.codes, cells => self.sums(cells, n_values));
                Ok(self.shared.value(sums))
            })
            .collect()
    }

    /// Counts values and classes in every part.
    fn sums<C: Code>(&self, cells: &[C], n_values: usize) -> Sums {
        let n_classes = self.told.n_classes();
        let mut counts = vec![0u32; n_values * n_classes];
        let mut sums = Sums::default();
        for part in self.starts.windows(2) {
            let rows = &self.rows[part[0]..part[1]];
            let classes = &self.classes[part[0]..part[1]];
            for (&row, &class) in rows.iter().zip(classes) {
                counts[cells[row as usize].index() * n_classes + class as usize] += 1;
            }
            if counts.len() <= 4 * rows.len() {
                sums.add_all(&mut counts, n_classes);
            } else {
                let values = rows.iter().map(|&row| cells[row as usize].index());
                sums.add_touched(&mut counts, n_classes, values);
            }
        }
        sums
    }

    fn p(&self, feature: usize, statistic: Statistic) -> Result<f64> {
        let column = self.told.feature(feature)?;
        let (n_values, n_classes) = (column.n_values(), self.told.n_classes());
        let size = n_values * n_classes;
        let codes: Vec<u32> = column.codes.iter().map(Option::unwrap_or_default).collect();
        let mut test = LayeredTest::new(statistic);
        let parts: Vec<&[usize]> = self.starts.windows(2).collect();
        for batch in parts.chunks(LayeredTest::n_at_a_time(size)) {
            let mut cells = vec![0u64; size * batch.len()];
            for (layer, part) in batch.iter().enumerate() {
                for place in part[0]..part[1] {
                    let value = codes[self.rows[place] as usize] as usize;
                    let class = self.classes[place] as usize;
                    cells[layer * size + value * n_classes + class] += 1;
                }
            }
            test.add((n_values, n_classes), &cells)?;
        }
        test.p()
    }
}

/// A number of rows: of those in memory a small one does, and takes less of the cache.
pub(super) trait Count: Copy + Default + Into<u64> {}

impl Count for u32 {}
impl Count for u64 {}

impl Sums {
    /// Adds a part whose counts fill the table, and clears it.
    pub(super) fn add_all<N: Count>(&mut self, counts: &mut [N], n_classes: usize) {
        for counts in counts.chunks_mut(n_classes.max(1)) {
            let mut n_value = 0;
            for count in counts {
                let n: u64 = (*count).into();
                n_value += n;
                self.by_both += n_log_n(n);
                *count = N::default();
            }
            self.by_value += n_log_n(n_value);
        }
    }

    /// Adds a part of few rows in a large table: only where its rows are.
    pub(super) fn add_touched<N: Count>(
        &mut self,
        counts: &mut [N],
        n_classes: usize,
        values: impl Iterator<Item = usize>,
    ) {
        // Rows come in any order: it must not matter.
        let (mut by_both, mut by_value) = (OrderFreeSum::default(), OrderFreeSum::default());
        for value in values {
            let counts = &mut counts[value * n_classes..(value + 1) * n_classes];
            let mut n_value = 0;
            for count in counts {
                let n: u64 = (*count).into();
                n_value += n;
                by_both.add(n_log_n(n));
                *count = N::default();
            }
            by_value.add(n_log_n(n_value));
        }
        self.by_both += by_both.value();
        self.by_value += by_value.value();
    }
}

/// The rows, those of a part side by side, and where each part ends.
fn rows_by_part(known: &Partition) -> (Vec<u32>, Vec<usize>) {
    let mut next = Vec::with_capacity(known.n_parts());
    let mut sum = 0;
    for size in known.sizes() {
        next.push(sum);
        sum += size as usize;
    }
    let mut order = vec![0; sum];
    for (part, row) in known.iter().zip(0..) {
        if let Some(part) = part {
            order[next[part as usize]] = row;
            next[part as usize] += 1;
        }
    }
    (order, next)
}
