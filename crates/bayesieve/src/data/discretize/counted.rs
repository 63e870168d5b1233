//! Cut points from counts: the rows themselves are gone.

use super::cuts::between;
use super::{CutPoints, Discretizer, check_bins, equal, mdlp, no_bins};
use crate::math::NLogN;
use crate::{Result, Silent};

/// `n log2 n` that is looked up; above this it is computed, to the same bit.
const LOOKED_UP: u64 = 1 << 16;

/// Numbers that no cut can separate: one number, or a range of neighbors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Span {
    /// The smallest of them.
    pub(crate) least: f64,
    /// The largest of them.
    pub(crate) largest: f64,
}

/// The numbers of a column in rising order, and the rows of every class that have each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountedNumbers<'a> {
    /// The numbers; no span is empty of rows.
    pub(crate) spans: &'a [Span],
    /// `n_classes` counts of rows for every span.
    pub(crate) counts: &'a [u64],
    /// Number of classes, 1 where they were not told apart.
    pub(crate) n_classes: usize,
}

impl CountedNumbers<'_> {
    /// The cut points, the same as of the rows where every span is one number.
    ///
    /// # Errors
    /// As [`Discretizer::fit`].
    pub(crate) fn cut_points(&self, discretizer: Discretizer) -> Result<CutPoints> {
        let cuts = match discretizer {
            Discretizer::Mdlp => {
                let mut runs = Vec::new();
                mdlp::find_runs_of_counts(self.counts, self.n_classes, &mut runs);
                let n_rows: u64 = self.counts.iter().sum();
                let table = NLogN::new(n_rows.min(LOOKED_UP) as usize);
                let rows = mdlp::cut_rows(&runs, self.n_classes, &table, &Silent)?;
                self.cuts_at(&rows)
            }
            Discretizer::Width(n_bins) => {
                check_bins(n_bins)?;
                match (self.spans.first(), self.spans.last()) {
                    (Some(first), Some(last)) => {
                        equal::width_cuts(first.least, last.largest, n_bins)
                    }
                    _ => Vec::new(),
                }
            }
            Discretizer::Frequency(n_bins) => {
                check_bins(n_bins)?;
                self.cuts_at(&equal::frequency_rows(&self.rows_up_to(), n_bins))
            }
            Discretizer::None => return Err(no_bins()),
        };
        CutPoints::new(cuts)
    }

    /// Rows up to and with every span.
    fn rows_up_to(&self) -> Vec<u64> {
        let rows = self.counts.chunks(self.n_classes.max(1));
        let sum = rows.scan(0u64, |sum, counts| {
            *sum += counts.iter().sum::<u64>();
            Some(*sum)
        });
        sum.collect()
    }

    /// The cuts that have so many rows on their left.
    fn cuts_at(&self, rows: &[u64]) -> Vec<f64> {
        let rows_up_to = self.rows_up_to();
        let cut = |&row: &u64| {
            let last = rows_up_to.partition_point(|&up_to| up_to < row);
            between(self.spans[last].largest, self.spans[last + 1].least)
        };
        rows.iter().map(cut).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Codes, Training};
    use crate::random::{Purpose, stream};
    use rand::Rng;

    /// The rows counted.
    fn counted(values: &[f64], classes: &[u32], n_classes: usize) -> (Vec<Span>, Vec<u64>) {
        let mut numbers = values.to_vec();
        numbers.sort_unstable_by(f64::total_cmp);
        numbers.dedup();
        let mut counts = vec![0; numbers.len() * n_classes];
        for (x, &class) in values.iter().zip(classes) {
            let place = numbers.partition_point(|number| number < x);
            counts[place * n_classes + class as usize] += 1;
        }
        let span = |&x: &f64| Span {
            least: x,
            largest: x,
        };
        (numbers.iter().map(span).collect(), counts)
    }

    #[test]
    fn counts_give_the_cuts_of_the_rows_to_the_last_bit() {
        let mut rng = stream(1, Purpose::Generate, 0);
        for n_rows in [0, 1, 2, 30, 400, 2_000] {
            for n_numbers in [1, 3, 50, 100_000] {
                let n_classes = 1 + (rng.next_u64() % 5) as usize;
                let values: Vec<f64> = (0..n_rows)
                    .map(|_| (rng.next_u64() % n_numbers) as f64 / 7.0 - 3.0)
                    .collect();
                let classes: Vec<u32> = values
                    .iter()
                    .map(|x| {
                        let noise = (rng.next_u64() % 3) as u32;
                        ((x.abs() * 2.0) as u32 / 3 + noise) % n_classes as u32
                    })
                    .collect();
                let class = Codes::new(n_classes, classes.iter().map(|&class| Some(class)));
                let training = Training {
                    class: &class,
                    n_classes,
                    rows: None,
                };
                let (spans, counts) = counted(&values, &classes, n_classes);
                for discretizer in [
                    Discretizer::Mdlp,
                    Discretizer::Width(7),
                    Discretizer::Frequency(5),
                ] {
                    let numbers = CountedNumbers {
                        spans: &spans,
                        counts: &counts,
                        n_classes,
                    };
                    assert_eq!(
                        numbers.cut_points(discretizer).unwrap(),
                        discretizer.fit(&values, &training).unwrap(),
                        "{n_rows} rows, {n_numbers} numbers, {discretizer}"
                    );
                }
            }
        }
    }

    #[test]
    fn more_rows_than_fit_in_memory_are_cut() {
        // Two classes apart: the cut is between them, however many rows there are.
        let spans = [1.0, 2.0, 4.0, 5.0].map(|x| Span {
            least: x,
            largest: x,
        });
        let many = 1 << 40;
        let numbers = CountedNumbers {
            spans: &spans,
            counts: &[many, 0, many, 0, 0, many, 0, many],
            n_classes: 2,
        };
        let cuts = |discretizer| numbers.cut_points(discretizer).unwrap();
        assert_eq!(cuts(Discretizer::Mdlp).as_slice(), [3.0]);
        assert_eq!(cuts(Discretizer::Frequency(4)).as_slice(), [1.5, 3.0, 4.5]);
        assert!(numbers.cut_points(Discretizer::None).is_err());
    }
}
