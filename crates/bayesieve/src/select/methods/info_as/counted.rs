//! The same from counts of rows that are somewhere else.

use super::Metric;
use super::layers::{LayeredTest, Shared, Sums};
use crate::Observer;
use crate::counts::{JointTable, TableNodes};
use crate::stats::Statistic;
use crate::{Error, Result};

/// The combinations of known features that can still tell something.
pub(crate) struct LayeredCounts<'t, 'a> {
    nodes: &'t TableNodes<'a>,
    shared: Shared,
    known: Vec<usize>,
    /// Combinations by rising key, with the number of their rows.
    parts: Vec<(u64, u64)>,
}

impl<'t, 'a> LayeredCounts<'t, 'a> {
    pub(super) fn new(
        known: &[usize],
        nodes: &'t TableNodes<'a>,
        metric: Metric,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let mut layered = LayeredCounts {
            nodes,
            shared: Shared::new(metric, nodes.n_rows()),
            known: known.to_vec(),
            parts: Vec::new(),
        };
        let class = nodes.n_features();
        let n_classes = layered.n_classes();
        for table in nodes.joint(&[[known, &[class]].concat()], observer)? {
            let cells: Vec<(u64, u64)> = table.iter().collect();
            let part_of = |key: u64| key / n_classes.max(1) as u64;
            let mut counts = vec![0u64; n_classes];
            for cells in cells.chunk_by(|x, y| part_of(x.0) == part_of(y.0)) {
                counts.fill(0);
                for &(key, n) in cells {
                    counts[(key % n_classes as u64) as usize] = n;
                }
                if layered.shared.add(&counts) {
                    let n_rows = counts.iter().sum();
                    layered.parts.push((part_of(cells[0].0), n_rows));
                }
            }
        }
        Ok(layered)
    }

    fn n_classes(&self) -> usize {
        self.nodes.n_values()[self.nodes.n_features()]
    }

    /// The table of a candidate: the known features, the class, the candidate.
    fn set(&self, candidate: usize) -> Vec<usize> {
        let behind = [self.nodes.n_features(), candidate];
        [self.known.as_slice(), &behind].concat()
    }

    pub(super) fn values(&self, candidates: &[usize], observer: &dyn Observer) -> Result<Vec<f64>> {
        let sets: Vec<Vec<usize>> = candidates.iter().map(|&f| self.set(f)).collect();
        self.nodes.map_joint(&sets, observer, |place, table| {
            let n_values = self.nodes.n_values()[candidates[place]];
            Ok(self.shared.value(self.sums(table, n_values)))
        })
    }

    /// Counts values and classes in every part.
    fn sums(&self, table: &JointTable, n_values: usize) -> Sums {
        let n_classes = self.n_classes();
        let mut counts = vec![0u64; n_values * n_classes];
        let mut sums = Sums::default();
        self.for_each_part(table, n_values, |n_rows, cells| {
            for &((value, class), n) in cells {
                counts[value * n_classes + class] += n;
            }
            // As rows in memory are added: in the same order, to the last bit.
            if counts.len() as u64 <= n_rows.saturating_mul(4) {
                sums.add_all(&mut counts, n_classes);
            } else {
                let values = cells.iter().map(|&((value, _), _)| value);
                sums.add_touched(&mut counts, n_classes, values);
            }
        });
        sums
    }

    /// Visits the parts that can tell something: their rows, and the cells in each by value
    /// and class.
    fn for_each_part(
        &self,
        table: &JointTable,
        n_values: usize,
        mut visit: impl FnMut(u64, &[((usize, usize), u64)]),
    ) {
        let (n_values, n_classes) = (n_values.max(1) as u64, self.n_classes().max(1) as u64);
        let part_of = |key: u64| key / (n_values * n_classes);
        let mut cells = table.iter().peekable();
        let mut of_part = Vec::new();
        for &(part, n_rows) in &self.parts {
            while cells.next_if(|&(key, _)| part_of(key) < part).is_some() {}
            of_part.clear();
            while let Some((key, n)) = cells.next_if(|&(key, _)| part_of(key) == part) {
                let value = (key % n_values) as usize;
                let class = (key / n_values % n_classes) as usize;
                of_part.push(((value, class), n));
            }
            visit(n_rows, &of_part);
        }
    }

    pub(super) fn p(
        &self,
        feature: usize,
        statistic: Statistic,
        observer: &dyn Observer,
    ) -> Result<f64> {
        let table = self.nodes.joint(&[self.set(feature)], observer)?.pop();
        let table = table.ok_or_else(|| Error::internal("a table was not counted"))?;
        let (n_values, n_classes) = (self.nodes.n_values()[feature], self.n_classes());
        let size = n_values * n_classes;
        let n_at_a_time = LayeredTest::n_at_a_time(size);
        let mut test = LayeredTest::new(statistic);
        let mut cells = Vec::new();
        let mut tested = Ok(());
        self.for_each_part(&table, n_values, |_, of_part| {
            let start = cells.len();
            cells.resize(start + size, 0u64);
            for &((value, class), n) in of_part {
                cells[start + value * n_classes + class] += n;
            }
            if cells.len() == size * n_at_a_time && tested.is_ok() {
                tested = test.add((n_values, n_classes), &cells);
                cells.clear();
            }
        });
        tested?;
        if !cells.is_empty() {
            test.add((n_values, n_classes), &cells)?;
        }
        test.p()
    }
}
