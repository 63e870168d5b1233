//! Small batches gathered into large ones before they are counted.
//!
//! A batch costs half a microsecond for every table, however few its rows are: with half a
//! million pairs that is more than the counting. Batches are small because rows as they are
//! read take eight times the memory of their codes; the codes can wait for each other.

use super::counter::{CountPlan, Counter};
use super::index::MAX_MAPS;
use crate::codes::Codes;
use crate::error::{Error, Result};

/// Rows from which a table costs little beside its rows.
const ENOUGH_ROWS: usize = 1 << 17;

/// Bytes of rows that wait, where nobody sets a bound.
const USUAL_BYTES: u64 = 1 << 27;

/// A [`Counter`] whose small batches wait for each other.
#[derive(Debug, Clone)]
pub struct GatheringCounter {
    counter: Counter,
    /// The features and the class behind them.
    waiting: Vec<Codes>,
    n_waiting: usize,
    max_waiting: usize,
}

impl GatheringCounter {
    /// Takes a counter.
    pub fn new(counter: Counter) -> Self {
        Self::with_room(counter, USUAL_BYTES)
    }

    /// As [`GatheringCounter::new`], where the rows that wait may take so many bytes.
    pub fn with_room(counter: Counter, n_bytes: u64) -> Self {
        let n_rows = n_bytes as f64 / bytes_per_row(counter.plan());
        GatheringCounter {
            waiting: Vec::new(),
            n_waiting: 0,
            max_waiting: (n_rows as usize).min(ENOUGH_ROWS),
            counter,
        }
    }

    /// Number of rows seen.
    pub fn n_rows(&self) -> u64 {
        self.counter.counts().n_rows + self.n_waiting as u64
    }

    /// Takes a batch of features and the class behind them. A batch that is refused adds
    /// nothing.
    ///
    /// # Errors
    /// Those of [`Counter::observe`].
    pub fn observe(&mut self, batch: &[&Codes]) -> Result<()> {
        let (class, features) = batch
            .split_last()
            .ok_or_else(|| Error::internal("a batch without columns"))?;
        if self.n_waiting + class.len() > self.max_waiting || !self.goes_with(batch) {
            self.count_waiting()?;
        }
        if 2 * class.len() > self.max_waiting {
            return self.counter.observe(features, class);
        }
        self.counter.index(features, class)?;
        if self.waiting.is_empty() {
            self.waiting = batch.iter().map(|&codes| codes.clone()).collect();
        } else {
            let mut both = self.waiting.iter_mut().zip(batch);
            both.try_for_each(|(waiting, codes)| waiting.append(codes))?;
        }
        self.n_waiting += class.len();
        Ok(())
    }

    /// The counter with all rows seen.
    ///
    /// # Errors
    /// Those of [`Counter::observe`].
    pub fn counted(&mut self) -> Result<&Counter> {
        self.count_waiting()?;
        Ok(&self.counter)
    }

    /// The counter without the rows that wait.
    pub fn counted_so_far(&self) -> &Counter {
        &self.counter
    }

    /// The counter with all rows, for good.
    ///
    /// # Errors
    /// Those of [`Counter::observe`].
    pub fn finish(mut self) -> Result<Counter> {
        self.count_waiting()?;
        Ok(self.counter)
    }

    /// Whether a batch can be put behind the rows that wait.
    fn goes_with(&self, batch: &[&Codes]) -> bool {
        let mut both = self.waiting.iter().zip(batch);
        self.waiting.is_empty()
            || self.waiting.len() == batch.len() && both.all(|(a, b)| a.is_as_wide_as(b))
    }

    fn count_waiting(&mut self) -> Result<()> {
        self.n_waiting = 0;
        let waiting = std::mem::take(&mut self.waiting);
        let waiting: Vec<&Codes> = waiting.iter().collect();
        match waiting.split_last() {
            Some((class, features)) => self.counter.observe(features, class),
            None => Ok(()),
        }
    }
}

/// Bytes of a row that waits and is counted: its codes, in vectors that may have grown to twice
/// what they hold, and its bits in the bitmaps.
fn bytes_per_row(plan: &CountPlan) -> f64 {
    let bytes = |&n_values: &usize| match n_values {
        n_values if n_values <= MAX_MAPS => 2.0 + n_values as f64 / 8.0,
        0..=255 => 2.0,
        256..=65_535 => 4.0,
        _ => 8.0,
    };
    let columns = plan.n_values.iter().chain([&plan.n_classes]);
    columns.map(bytes).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PairChoice;

    fn counter() -> Counter {
        let plan = CountPlan {
            n_classes: 2,
            n_values: vec![3, 2],
            pairs: PairChoice::All,
        };
        Counter::new(plan).unwrap()
    }

    /// Rows from `start` on, and the same codes in more bytes.
    fn batch(start: u8, n_rows: u8) -> [Codes; 3] {
        let column = |n: u8| Codes::U8((start..start + n_rows).map(|row| row / n % n).collect());
        [column(3), column(2), column(2)]
    }

    #[test]
    fn batches_of_any_size_are_counted_as_one() {
        let all = batch(0, 60);
        let mut expected = counter();
        expected.observe(&[&all[0], &all[1]], &all[2]).unwrap();
        let expected = expected.finish();
        // Bytes of a row: 6 of codes and 7 bits.
        for (n_bytes, max_waiting) in [(0, 0), (27, 3), (28, 4), (207, 30), (1 << 20, 152_520)] {
            let mut gathering = GatheringCounter::with_room(counter(), n_bytes);
            assert_eq!(gathering.max_waiting, max_waiting.min(ENOUGH_ROWS));
            let mut start = 0;
            for n_rows in [1, 1, 0, 2, 16, 3, 30, 1, 6] {
                let batch = batch(start, n_rows);
                gathering.observe(&batch.each_ref()).unwrap();
                assert!(gathering.n_waiting <= max_waiting);
                start += n_rows;
                assert_eq!(gathering.n_rows(), u64::from(start));
            }
            assert_eq!(gathering.counted().unwrap().counts(), &expected);
            assert_eq!(gathering.finish().unwrap().finish(), expected);
        }
    }

    #[test]
    fn a_batch_that_is_refused_adds_nothing_to_those_that_wait() {
        let mut gathering = GatheringCounter::new(counter());
        let good = batch(0, 9);
        gathering.observe(&good.each_ref()).unwrap();
        let code_outside = [Codes::U8(vec![3]), Codes::U8(vec![0]), Codes::U8(vec![0])];
        let no_class = [Codes::U8(vec![0]), Codes::U8(vec![0]), Codes::U8(vec![255])];
        let short = [Codes::U8(vec![0]), Codes::U8(vec![]), Codes::U8(vec![0])];
        for wrong in [&code_outside, &no_class, &short] {
            assert!(gathering.observe(&wrong.each_ref()).is_err());
        }
        assert!(gathering.observe(&[&good[0], &good[2]]).is_err());
        assert!(gathering.observe(&[]).is_err());
        assert_eq!(gathering.n_rows(), 9);
        assert_eq!(gathering.finish().unwrap().finish().n_rows, 9);
    }

    #[test]
    fn codes_of_another_width_do_not_wait_with_the_others() {
        let mut gathering = GatheringCounter::new(counter());
        gathering.observe(&batch(0, 9).each_ref()).unwrap();
        let wide = [Codes::U16(vec![2]), Codes::U8(vec![1]), Codes::U8(vec![0])];
        gathering.observe(&wide.each_ref()).unwrap();
        assert_eq!(gathering.counted_so_far().counts().n_rows, 9);
        let counts = gathering.finish().unwrap().finish();
        assert_eq!((counts.n_rows, counts.singles[0].n_rows()), (10, 10));
    }
}
