//! What every feature tells about the class within the parts of the rows.

use std::ops::{AddAssign, Range};

use rayon::prelude::*;

use super::Metric;
use crate::counts::{CountColumn, Partition, TableNodes, TableRows};
use crate::data::Code;
use crate::info::{bits, ratio};
use crate::math::{OrderFreeSum, n_log_n, sum_n_log_n};
use crate::stats::{DegreesOfFreedom, Layers, Statistic, chi_square_tail};
use crate::{Error, Observer, Result, check, with_codes};

/// Cells of layers that are tested in one go; bounds the memory of a fine partition.
const MAX_CELLS: usize = 1 << 20;

/// The features that are known.
pub(super) struct KnownFeatures<'t, 'a> {
    nodes: &'t TableNodes<'a>,
    features: Vec<usize>,
    /// The parts of the rows by these features, where the rows are in memory.
    parts: Option<Partition>,
}

impl<'t, 'a> KnownFeatures<'t, 'a> {
    /// Nothing is known.
    pub(super) fn new(nodes: &'t TableNodes<'a>) -> Self {
        let n_rows = nodes.n_rows() as usize;
        KnownFeatures {
            nodes,
            features: Vec::new(),
            parts: nodes.is_in_memory().then(|| Partition::whole(n_rows)),
        }
    }

    /// One more feature is known.
    pub(super) fn add(&mut self, feature: usize) -> Result<()> {
        if let Some(parts) = &self.parts {
            let CountColumn { codes, n_values } = self.nodes.row_column(feature)?;
            self.parts = Some(parts.refine(codes, n_values)?);
        }
        self.features.push(feature);
        Ok(())
    }

    /// The parts of rows in memory that can still tell something, ready for all candidates.
    pub(super) fn layered(&self, metric: Metric) -> Result<Layered<'_, 't, 'a>> {
        let parts = self.parts.as_ref();
        let of_parts = |parts: &Partition| {
            let class = self.nodes.row_column(self.nodes.n_features())?;
            Ok(PartedRows::new(parts, class, None, metric))
        };
        Ok(Layered {
            known: self,
            metric,
            in_memory: parts.map(of_parts).transpose()?,
        })
    }
}

/// What can still tell something, part by part.
pub(super) struct Layered<'k, 't, 'a> {
    known: &'k KnownFeatures<'t, 'a>,
    metric: Metric,
    /// Rows that are somewhere else are parted anew in the table of every candidate.
    in_memory: Option<PartedRows>,
}

impl Layered<'_, '_, '_> {
    /// The metric of every candidate.
    pub(super) fn values(&self, candidates: &[usize], observer: &dyn Observer) -> Result<Vec<f64>> {
        self.map(candidates, observer, |parted, column, weights| {
            let (n_values, n_rows) = (column.n_values, self.known.nodes.n_rows());
            let sums = with_codes!(column.codes, cells => match weights {
                // A small number takes less of the cache.
                None => parted.sums(cells, n_values, |_| 1u32),
                Some(weights) => parted.sums(cells, n_values, |row| weights[row]),
            });
            Ok(parted.value(self.metric, sums, n_rows))
        })
    }

    /// The probability of a statistic as large as the feature's, if it told nothing.
    pub(super) fn p(
        &self,
        feature: usize,
        statistic: Statistic,
        observer: &dyn Observer,
    ) -> Result<f64> {
        let p = self.map(&[feature], observer, |parted, column, weights| {
            parted.p(column, weights, statistic)
        })?;
        p.first()
            .copied()
            .ok_or_else(|| Error::internal("a table was not counted"))
    }

    /// What `map` makes of the rows and the values of every candidate.
    fn map<T: Send>(
        &self,
        candidates: &[usize],
        observer: &dyn Observer,
        map: impl Fn(&PartedRows, CountColumn<'_>, Option<&[u64]>) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let KnownFeatures {
            nodes, features, ..
        } = self.known;
        if let Some(parted) = &self.in_memory {
            let candidates = candidates.par_iter().map(|&feature| {
                check(observer)?;
                map(parted, nodes.row_column(feature)?, None)
            });
            return candidates.collect();
        }
        let n_known = features.len();
        let set = |&feature: &usize| [&features[..], &[nodes.n_features(), feature]].concat();
        let sets: Vec<Vec<usize>> = candidates.iter().map(set).collect();
        nodes.map_rows(&sets, observer, |_, rows: &TableRows<'_>| {
            let parts = rows.parts(0..n_known)?;
            let (class, weights) = (rows.column(n_known), rows.weights());
            let parted = PartedRows::new(&parts, class, weights, self.metric);
            map(&parted, rows.column(n_known + 1), weights)
        })
    }
}

/// The rows that can still tell something, part by part.
struct PartedRows {
    n_classes: usize,
    /// Rows, those of a part side by side.
    rows: Vec<u32>,
    /// The class of each of these rows.
    classes: Vec<u32>,
    parts: Vec<LayerPart>,
    /// `Σ n log n` over the parts, and over the classes in each.
    by_part: f64,
    by_class: f64,
}

/// Where the rows of a part are, and how many they stand for.
struct LayerPart {
    places: Range<usize>,
    n_rows: u64,
}

/// `Σ n log n` over the values of a feature in each part, and over values and classes.
#[derive(Debug, Clone, Copy, Default)]
struct LayerSums {
    by_value: f64,
    by_both: f64,
}

impl PartedRows {
    fn new(
        known: &Partition,
        class: CountColumn<'_>,
        weights: Option<&[u64]>,
        metric: Metric,
    ) -> Self {
        let class_of: Vec<u32> = class.codes.iter().map(Option::unwrap_or_default).collect();
        let (order, ends) = rows_by_part(known);
        let mut parted = PartedRows {
            n_classes: class.n_values,
            rows: Vec::new(),
            classes: Vec::new(),
            parts: Vec::new(),
            by_part: 0.0,
            by_class: 0.0,
        };
        let mut counts = vec![0u64; class.n_values];
        let mut start = 0;
        for end in ends {
            let part = &order[start..end];
            start = end;
            counts.fill(0);
            for &row in part {
                let weight = weights.map_or(1, |weights| weights[row as usize]);
                counts[class_of[row as usize] as usize] += weight;
            }
            let n_rows = counts.iter().sum();
            let is_pure = counts.iter().filter(|&&n| n > 0).count() < 2;
            // A row alone tells nothing; nor does a pure part, but for the denominators.
            if n_rows < 2 || (is_pure && metric == Metric::Gain) {
                continue;
            }
            parted.by_part += n_log_n(n_rows);
            parted.by_class += sum_n_log_n(&counts);
            parted.rows.extend_from_slice(part);
            let classes = part.iter().map(|&row| class_of[row as usize]);
            parted.classes.extend(classes);
            let places = parted.rows.len() - part.len()..parted.rows.len();
            parted.parts.push(LayerPart { places, n_rows });
        }
        parted
    }

    /// The metric of a candidate of these sums.
    fn value(&self, metric: Metric, sums: LayerSums, n_rows: u64) -> f64 {
        let gain = sums.by_both - sums.by_value - self.by_class + self.by_part;
        let gain = bits(gain, n_rows);
        match metric {
            Metric::Gain => gain,
            Metric::Ratio => ratio(gain, bits(self.by_part - sums.by_value, n_rows)),
            Metric::Distance => ratio(gain, bits(self.by_part - sums.by_both, n_rows)),
        }
    }

    /// Counts values and classes in every part.
    fn sums<C: Code, N: RowCount>(
        &self,
        cells: &[C],
        n_values: usize,
        weight: impl Fn(usize) -> N,
    ) -> LayerSums {
        let n_classes = self.n_classes;
        let mut counts = vec![N::default(); n_values * n_classes];
        let mut sums = LayerSums::default();
        for part in &self.parts {
            let rows = &self.rows[part.places.clone()];
            let classes = &self.classes[part.places.clone()];
            for (&row, &class) in rows.iter().zip(classes) {
                let place = cells[row as usize].index() * n_classes + class as usize;
                counts[place] += weight(row as usize);
            }
            if counts.len() as u64 <= part.n_rows.saturating_mul(4) {
                sums.add_all(&mut counts, n_classes);
            } else {
                let values = rows.iter().map(|&row| cells[row as usize].index());
                sums.add_touched(&mut counts, n_classes, values);
            }
        }
        sums
    }

    /// A test over many layers, a batch at a time.
    fn p(
        &self,
        column: CountColumn<'_>,
        weights: Option<&[u64]>,
        statistic: Statistic,
    ) -> Result<f64> {
        let (n_values, n_classes) = (column.n_values, self.n_classes);
        let size = n_values * n_classes;
        let codes: Vec<u32> = column.codes.iter().map(Option::unwrap_or_default).collect();
        let (mut value, mut degrees_of_freedom) = (0.0, 0.0);
        for batch in self.parts.chunks((MAX_CELLS / size.max(1)).max(1)) {
            let mut cells = vec![0u64; size * batch.len()];
            for (layer, part) in batch.iter().enumerate() {
                for place in part.places.clone() {
                    let row = self.rows[place] as usize;
                    let (value, class) = (codes[row] as usize, self.classes[place] as usize);
                    let weight = weights.map_or(1, |weights| weights[row]);
                    cells[layer * size + value * n_classes + class] += weight;
                }
            }
            let layers = Layers::new(n_values, n_classes, &cells)?;
            let test = layers.test(statistic, DegreesOfFreedom::Adjusted);
            value += test.statistic;
            degrees_of_freedom += test.degrees_of_freedom;
        }
        if degrees_of_freedom > 0.0 {
            Ok(chi_square_tail(value, degrees_of_freedom)?.p)
        } else {
            Ok(1.0)
        }
    }
}

/// A number of rows.
trait RowCount: Copy + Default + Into<u64> + AddAssign {}

impl RowCount for u32 {}
impl RowCount for u64 {}

impl LayerSums {
    /// Adds a part whose counts fill the table, and clears it.
    fn add_all<N: RowCount>(&mut self, counts: &mut [N], n_classes: usize) {
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
    fn add_touched<N: RowCount>(
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
    for size in known.sizes(None) {
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
