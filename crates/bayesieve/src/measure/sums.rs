//! Measures of rows that come in blocks.

use super::{MEASURES, MeasuredValues, PredictedRows, Stakes, Value};

/// Rows so far: sums of the measures that are means, and the rows themselves for the others, as
/// long as they are not too many.
///
/// Rows are added one by one, so that blocks give the same digits as all rows together.
#[derive(Debug, Clone)]
pub(crate) struct MeasureSums {
    stakes: Stakes,
    n_classes: usize,
    /// By measure: the sum, and rows that have a part in it.
    sums: [(f64, u64); MEASURES.len()],
    kept: Option<KeptRows>,
    max_cells: usize,
}

#[derive(Debug, Clone, Default)]
struct KeptRows {
    truth: Vec<u32>,
    predicted: Vec<u32>,
    probabilities: Vec<f64>,
}

impl MeasureSums {
    /// Of no rows yet; rows are kept up to so many probabilities.
    pub(crate) fn new(stakes: Stakes, n_classes: usize, max_cells: usize) -> Self {
        MeasureSums {
            stakes,
            n_classes,
            sums: [(0.0, 0); MEASURES.len()],
            kept: Some(KeptRows::default()),
            max_cells,
        }
    }

    /// Adds rows.
    pub(crate) fn add(&mut self, rows: &PredictedRows<'_>) {
        for (measure, (sum, n)) in MEASURES.iter().zip(&mut self.sums) {
            let Value::Mean(value) = measure.value else {
                continue;
            };
            for value in rows.iter().filter_map(|row| value(&row, &self.stakes)) {
                *sum += value;
                *n += 1;
            }
        }
        let Some(kept) = &mut self.kept else { return };
        if kept.probabilities.len() + rows.probabilities.len() > self.max_cells {
            self.kept = None;
            return;
        }
        kept.truth.extend_from_slice(rows.truth);
        kept.predicted.extend_from_slice(rows.predicted);
        kept.probabilities.extend_from_slice(rows.probabilities);
    }

    /// Whether all rows are kept: if not, measures that are no means are not defined.
    pub(crate) fn has_all_rows(&self) -> bool {
        self.kept.is_some()
    }

    /// Every measure of all rows.
    pub(crate) fn values(&self) -> MeasuredValues {
        let rows = self.kept.as_ref().map(|kept| PredictedRows {
            truth: &kept.truth,
            predicted: &kept.predicted,
            probabilities: &kept.probabilities,
            n_classes: self.n_classes,
        });
        let mut values = MeasuredValues::default();
        for (place, measure) in MEASURES.iter().enumerate() {
            let (sum, n) = self.sums[place];
            values.0[place] = match measure.value {
                Value::Mean(_) => (n > 0).then(|| sum / n as f64),
                Value::Whole(value) => rows.as_ref().and_then(|rows| value(rows, &self.stakes)),
            };
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_give_what_all_rows_give_and_only_means_above_the_limit() {
        let rows = PredictedRows {
            truth: &[0, 1, 1],
            predicted: &[0, 0, 1],
            probabilities: &[0.7, 0.3, 0.6, 0.4, 0.1, 0.9],
            n_classes: 2,
        };
        let block = |from: usize, to: usize| PredictedRows {
            truth: &rows.truth[from..to],
            predicted: &rows.predicted[from..to],
            probabilities: &rows.probabilities[2 * from..2 * to],
            n_classes: 2,
        };
        let stakes = Stakes::new(&[1, 2]);
        let whole = MeasuredValues::new(&rows, &stakes);
        let in_blocks = |max_cells: usize| {
            let mut sums = MeasureSums::new(stakes.clone(), 2, max_cells);
            sums.add(&block(0, 1));
            sums.add(&block(1, 3));
            (sums.values(), sums.has_all_rows())
        };
        assert_eq!(in_blocks(6), (whole, true));
        let (means, has_all) = in_blocks(5);
        assert!(!has_all);
        for measure in MEASURES {
            let expected = whole.get(measure).filter(|_| measure.is_mean());
            assert_eq!(means.get(measure), expected, "{measure}");
        }
    }
}
