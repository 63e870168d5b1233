//! What every feature tells about the class within the parts of the rows.

use rayon::prelude::*;

use super::Metric;
use crate::counts::Partition;
use crate::data::Code;
use crate::error::{Error, Result};
use crate::info::{Informations, bits, ratio};
use crate::math::{OrderFreeSum, n_log_n, sum_n_log_n};
use crate::observer::Observer;
use crate::stats::{DegreesOfFreedom, Layers, Statistic, chi_square_tail};
use crate::with_codes;

/// Cells of layers that are tested in one go; bounds the memory of a fine partition.
const MOST_CELLS: usize = 1 << 20;

/// The rows that can still tell something, part by part.
pub(super) struct Layered<'t, 'a> {
    told: &'t Informations<'a>,
    metric: Metric,
    /// Rows, those of a part side by side.
    rows: Vec<u32>,
    /// The class of each of these rows.
    classes: Vec<u32>,
    /// Where each part begins, and the end of the last.
    starts: Vec<usize>,
    /// `Σ n log n` over the parts, and over the classes in each.
    parts: f64,
    by_class: f64,
}

/// `Σ n log n` over the values of a feature in each part, and over values and classes.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    by_value: f64,
    by_both: f64,
}

impl<'t, 'a> Layered<'t, 'a> {
    pub(super) fn new(known: &Partition, told: &'t Informations<'a>, metric: Metric) -> Self {
        let class = told.class();
        let class_of: Vec<u32> = class.codes.iter().map(Option::unwrap_or_default).collect();
        let (order, ends) = rows_by_part(known);
        let mut layered = Layered {
            told,
            metric,
            rows: Vec::new(),
            classes: Vec::new(),
            starts: vec![0],
            parts: 0.0,
            by_class: 0.0,
        };
        let mut counts = vec![0u64; class.n_values()];
        let mut start = 0;
        for end in ends {
            let part = &order[start..end];
            start = end;
            counts.fill(0);
            part.iter()
                .for_each(|&row| counts[class_of[row as usize] as usize] += 1);
            let is_pure = counts.iter().filter(|&&n| n > 0).count() < 2;
            // A row alone tells nothing; nor does a pure part, but for the denominators.
            if part.len() < 2 || (is_pure && metric == Metric::Gain) {
                continue;
            }
            layered.parts += n_log_n(part.len() as u64);
            layered.by_class += sum_n_log_n(&counts);
            layered.rows.extend_from_slice(part);
            let classes = part.iter().map(|&row| class_of[row as usize]);
            layered.classes.extend(classes);
            layered.starts.push(layered.rows.len());
        }
        layered
    }

    /// The metric of every candidate.
    pub(super) fn values(&self, candidates: &[usize], observer: &dyn Observer) -> Result<Vec<f64>> {
        candidates
            .par_iter()
            .map(|&feature| {
                if observer.is_cancelled() {
                    return Err(Error::interrupted());
                }
                Ok(self.value(feature))
            })
            .collect()
    }

    fn value(&self, feature: usize) -> f64 {
        let column = self.told.feature(feature);
        let n_values = column.n_values();
        let sums = with_codes!(&column.codes, cells => self.sums(cells, n_values));
        let n = self.told.n_rows() as u64;
        let gain = bits(sums.by_both - sums.by_value - self.by_class + self.parts, n);
        match self.metric {
            Metric::Gain => gain,
            Metric::Ratio => ratio(gain, bits(self.parts - sums.by_value, n)),
            Metric::Distance => ratio(gain, bits(self.parts - sums.by_both, n)),
        }
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

    /// The probability of a statistic as large as the feature's, if it told nothing.
    pub(super) fn p(&self, feature: usize, statistic: Statistic) -> Result<f64> {
        let column = self.told.feature(feature);
        let (n_values, n_classes) = (column.n_values(), self.told.n_classes());
        let size = n_values * n_classes;
        let codes: Vec<u32> = column.codes.iter().map(Option::unwrap_or_default).collect();
        let (mut value, mut degrees_of_freedom) = (0.0, 0.0);
        let parts: Vec<&[usize]> = self.starts.windows(2).collect();
        for batch in parts.chunks((MOST_CELLS / size.max(1)).max(1)) {
            let mut cells = vec![0u64; size * batch.len()];
            for (layer, part) in batch.iter().enumerate() {
                for place in part[0]..part[1] {
                    let value = codes[self.rows[place] as usize] as usize;
                    let class = self.classes[place] as usize;
                    cells[layer * size + value * n_classes + class] += 1;
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

impl Sums {
    /// Adds a part whose counts fill the table, and clears it.
    fn add_all(&mut self, counts: &mut [u32], n_classes: usize) {
        for counts in counts.chunks_mut(n_classes.max(1)) {
            let mut n_value = 0;
            for count in counts {
                n_value += u64::from(*count);
                self.by_both += n_log_n(u64::from(*count));
                *count = 0;
            }
            self.by_value += n_log_n(n_value);
        }
    }

    /// Adds a part of few rows in a large table: only where its rows are.
    fn add_touched(
        &mut self,
        counts: &mut [u32],
        n_classes: usize,
        values: impl Iterator<Item = usize>,
    ) {
        // Rows come in any order: it must not matter.
        let (mut by_both, mut by_value) = (OrderFreeSum::default(), OrderFreeSum::default());
        for value in values {
            let counts = &mut counts[value * n_classes..(value + 1) * n_classes];
            let mut n_value = 0;
            for count in counts {
                n_value += u64::from(*count);
                by_both.add(n_log_n(u64::from(*count)));
                *count = 0;
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
