//! How far two rows are apart: feature by feature, and in all.
//!
//! Labels differ by 0 or 1, numbers by their distance over the column's range. Where a cell
//! is missing, the difference is the one to be expected (Kononenko, 1994): over what rows of
//! the incomplete row's class hold in that column. For a label v that is `1 - P(v|class)`;
//! for both cells missing `1 - sum_v P(v|class 1) P(v|class 2)`; for numbers the mean
//! distance, which the paper leaves open. A class that never has the column filled is taken
//! to be like all rows.
//!
//! Columns without gaps lie row by row, so that two rows are two runs of memory.

use crate::data::{Nominal, Values};

/// The rows of a table, ready to be compared.
#[derive(Debug)]
pub(super) struct RowDifferences {
    n_features: usize,
    class: Vec<usize>,
    rows_of: Vec<Vec<usize>>,
    labels: RowCells<u8>,
    wide_labels: RowCells<u32>,
    numbers: RowCells<f64>,
    gapped: Vec<(usize, Gapped)>,
}

/// Cells of some features, row by row.
#[derive(Debug)]
struct RowCells<T> {
    features: Vec<usize>,
    cells: Vec<T>,
}

impl<T: Copy + Default> RowCells<T> {
    fn new(n_rows: usize, columns: Vec<(usize, Vec<T>)>) -> Self {
        let n = columns.len();
        let mut cells = vec![T::default(); n * n_rows];
        for (place, (_, column)) in columns.iter().enumerate() {
            for (row, &cell) in column.iter().enumerate() {
                cells[row * n + place] = cell;
            }
        }
        RowCells {
            features: columns.into_iter().map(|(feature, _)| feature).collect(),
            cells,
        }
    }

    fn row(&self, row: usize) -> &[T] {
        let n = self.features.len();
        &self.cells[row * n..(row + 1) * n]
    }

    /// Adds `factor` times the difference in every feature to that feature's weight.
    fn add(
        &self,
        (a, b): (usize, usize),
        factor: f64,
        weights: &mut [f64],
        difference: impl Fn(T, T) -> f64,
    ) {
        let cells = self.row(a).iter().zip(self.row(b));
        for (&feature, (&a, &b)) in self.features.iter().zip(cells) {
            weights[feature] += factor * difference(a, b);
        }
    }
}

/// A column with gaps.
#[derive(Debug)]
enum Gapped {
    Labels {
        codes: Vec<Option<u32>>,
        /// The share of every label in each class.
        shares: Vec<Vec<f64>>,
    },
    Numbers {
        numbers: Vec<f64>,
        /// The numbers that occur in each class.
        by_class: Vec<SortedNumbers>,
        /// The mean distance of numbers of two classes.
        mean_distance: Vec<f64>,
    },
}

/// Numbers that occur, sorted, with the sum of those before each.
#[derive(Debug)]
struct SortedNumbers {
    sorted: Vec<f64>,
    sums: Vec<f64>,
}

impl SortedNumbers {
    fn new(mut numbers: Vec<f64>) -> Self {
        numbers.sort_unstable_by(f64::total_cmp);
        let mut sums = vec![0.0];
        for (place, x) in numbers.iter().enumerate() {
            sums.push(sums[place] + x);
        }
        SortedNumbers {
            sorted: numbers,
            sums,
        }
    }

    /// The mean distance of a number to these.
    fn mean_distance(&self, x: f64) -> f64 {
        let n = self.sorted.len();
        let below = self.sorted.partition_point(|&y| y < x);
        let (under, over) = (self.sums[below], self.sums[n] - self.sums[below]);
        let sum = x * below as f64 - under + over - x * (n - below) as f64;
        sum / n.max(1) as f64
    }
}

impl RowDifferences {
    /// Of these columns; every row has a class.
    pub(super) fn new(columns: &[&Values], class: &Nominal) -> Self {
        let n_classes = class.n_values();
        let class: Vec<usize> = class.codes.iter().flatten().map(|c| c as usize).collect();
        let mut rows_of = vec![Vec::new(); n_classes];
        for (row, &class) in class.iter().enumerate() {
            rows_of[class].push(row);
        }
        let (mut labels, mut wide_labels) = (Vec::new(), Vec::new());
        let (mut numbers, mut gapped) = (Vec::new(), Vec::new());
        for (feature, values) in columns.iter().enumerate() {
            match values {
                Values::Nominal(nominal) if nominal.codes.n_missing() > 0 => {
                    gapped.push((feature, Gapped::labels(nominal, &rows_of)));
                }
                Values::Nominal(nominal) => {
                    let codes = nominal.codes.iter().flatten();
                    if nominal.n_values() <= 256 {
                        labels.push((feature, codes.map(|code| code as u8).collect()));
                    } else {
                        wide_labels.push((feature, codes.collect()));
                    }
                }
                Values::Numeric(cells) => {
                    let scaled = scaled(cells);
                    if scaled.iter().any(|x| x.is_nan()) {
                        gapped.push((feature, Gapped::numbers(scaled, &rows_of)));
                    } else {
                        numbers.push((feature, scaled));
                    }
                }
            }
        }
        RowDifferences {
            n_features: columns.len(),
            labels: RowCells::new(class.len(), labels),
            wide_labels: RowCells::new(class.len(), wide_labels),
            numbers: RowCells::new(class.len(), numbers),
            gapped,
            class,
            rows_of,
        }
    }

    pub(super) fn n_features(&self) -> usize {
        self.n_features
    }

    pub(super) fn n_classes(&self) -> usize {
        self.rows_of.len()
    }

    pub(super) fn class_of(&self, row: usize) -> usize {
        self.class[row]
    }

    pub(super) fn class_share(&self, class: usize) -> f64 {
        self.rows_of[class].len() as f64 / self.class.len() as f64
    }

    pub(super) fn rows_of(&self, class: usize) -> &[usize] {
        &self.rows_of[class]
    }

    /// The sum of the differences in all features.
    pub(super) fn distance(&self, a: usize, b: usize) -> f64 {
        let n_unequal = n_unequal_bytes(self.labels.row(a), self.labels.row(b));
        let wide = self.wide_labels.row(a).iter().zip(self.wide_labels.row(b));
        let n_unequal = n_unequal + wide.filter(|(a, b)| a != b).count();
        let numbers = sum_of_distances(self.numbers.row(a), self.numbers.row(b));
        let gapped = self.gapped.iter();
        let gapped: f64 = gapped
            .map(|(_, column)| column.difference((a, self.class[a]), (b, self.class[b])))
            .sum();
        n_unequal as f64 + numbers + gapped
    }

    /// Adds `factor` times the difference in every feature to that feature's weight.
    pub(super) fn add(&self, a: usize, b: usize, factor: f64, weights: &mut [f64]) {
        let rows = (a, b);
        let unequal = |is_unequal| f64::from(u8::from(is_unequal));
        self.labels
            .add(rows, factor, weights, |a, b| unequal(a != b));
        self.wide_labels
            .add(rows, factor, weights, |a, b| unequal(a != b));
        self.numbers
            .add(rows, factor, weights, |a, b| (a - b).abs());
        for (feature, column) in &self.gapped {
            let difference = column.difference((a, self.class[a]), (b, self.class[b]));
            weights[*feature] += factor * difference;
        }
    }
}

impl Gapped {
    fn labels(nominal: &Nominal, rows_of: &[Vec<usize>]) -> Self {
        let codes: Vec<Option<u32>> = nominal.codes.iter().collect();
        let share = |rows: &mut dyn Iterator<Item = usize>| {
            let mut shares = vec![0.0; nominal.n_values()];
            let mut n = 0.0;
            for code in rows.filter_map(|row| codes[row]) {
                shares[code as usize] += 1.0;
                n += 1.0;
            }
            shares.iter_mut().for_each(|share| *share /= n);
            (n > 0.0).then_some(shares)
        };
        let overall = share(&mut (0..codes.len())).unwrap_or_default();
        let shares = rows_of.iter().map(|rows| {
            let own = share(&mut rows.iter().copied());
            own.unwrap_or_else(|| overall.clone())
        });
        let shares = shares.collect();
        Gapped::Labels { shares, codes }
    }

    fn numbers(numbers: Vec<f64>, rows_of: &[Vec<usize>]) -> Self {
        let present = |rows: &mut dyn Iterator<Item = usize>| {
            let present = rows.map(|row| numbers[row]).filter(|x| !x.is_nan());
            present.collect::<Vec<f64>>()
        };
        let by_class: Vec<SortedNumbers> = rows_of
            .iter()
            .map(|rows| {
                let own = present(&mut rows.iter().copied());
                let is_known = !own.is_empty();
                SortedNumbers::new(if is_known {
                    own
                } else {
                    present(&mut (0..numbers.len()))
                })
            })
            .collect();
        let mean = |a: &SortedNumbers, b: &SortedNumbers| {
            let distances = a.sorted.iter().map(|&x| b.mean_distance(x));
            distances.sum::<f64>() / a.sorted.len().max(1) as f64
        };
        let both = by_class
            .iter()
            .flat_map(|a| by_class.iter().map(move |b| (a, b)));
        let mean_distance = both.map(|(a, b)| mean(a, b)).collect();
        Gapped::Numbers {
            numbers,
            by_class,
            mean_distance,
        }
    }

    /// The difference of two rows, each with its class.
    fn difference(&self, (a, class_a): (usize, usize), (b, class_b): (usize, usize)) -> f64 {
        match self {
            Gapped::Labels { codes, shares } => match (codes[a], codes[b]) {
                (Some(a), Some(b)) => f64::from(u8::from(a != b)),
                (Some(known), None) => 1.0 - shares[class_b][known as usize],
                (None, Some(known)) => 1.0 - shares[class_a][known as usize],
                (None, None) => {
                    let both = shares[class_a].iter().zip(&shares[class_b]);
                    1.0 - both.map(|(a, b)| a * b).sum::<f64>()
                }
            },
            Gapped::Numbers {
                numbers,
                by_class,
                mean_distance,
            } => match (numbers[a].is_nan(), numbers[b].is_nan()) {
                (false, false) => (numbers[a] - numbers[b]).abs(),
                (false, true) => by_class[class_b].mean_distance(numbers[a]),
                (true, false) => by_class[class_a].mean_distance(numbers[b]),
                (true, true) => mean_distance[class_a * by_class.len() + class_b],
            },
        }
    }
}

/// Numbers from 0 to 1, NaN where missing; all 0 where they do not differ.
fn scaled(cells: &[f64]) -> Vec<f64> {
    let (low, high) = cells
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| {
            (low.min(x), high.max(x))
        });
    // Halves, because the range of numbers need not be a number.
    let range = high / 2.0 - low / 2.0;
    let scale = |&x: &f64| match x.is_nan() {
        true => f64::NAN,
        false if range > 0.0 => (x / 2.0 - low / 2.0) / range,
        false => 0.0,
    };
    cells.iter().map(scale).collect()
}

/// Bytes are compared many at a time where the sums of a run fit a byte.
fn n_unequal_bytes(a: &[u8], b: &[u8]) -> usize {
    let runs = a.chunks(255).zip(b.chunks(255));
    let n_unequal = runs.map(|(a, b)| {
        let unequal = a.iter().zip(b).map(|(a, b)| u8::from(a != b));
        usize::from(unequal.sum::<u8>())
    });
    n_unequal.sum()
}

/// Eight sums side by side, so that no addition waits for another.
fn sum_of_distances(a: &[f64], b: &[f64]) -> f64 {
    let (runs_a, rest_a) = a.as_chunks::<8>();
    let (runs_b, rest_b) = b.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (a, b) in runs_a.iter().zip(runs_b) {
        for i in 0..8 {
            sums[i] += (a[i] - b[i]).abs();
        }
    }
    let rest = rest_a.iter().zip(rest_b).map(|(a, b)| (a - b).abs());
    sums.iter().sum::<f64>() + rest.sum::<f64>()
}
