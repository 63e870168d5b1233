//! The numbers that blocks are made of: rows without gaps, by class, around their means.

use rayon::prelude::*;

use crate::data::Nominal;
use crate::wording::counted;
use crate::{Error, Result, parameter, quoted};

/// A standard deviation within classes below this part of the range becomes that part, so
/// that numbers which are constant in every class do not separate infinitely.
const MIN_SPREAD: f64 = 1e-6;

/// Numeric features over the rows that have all of them.
pub(super) struct ClassedNumbers {
    /// The features, in column order; constant ones are not among them.
    pub(super) features: Vec<ScaledFeature>,
    /// Rows of each class that are used.
    pub(super) class_counts: Vec<u64>,
    pub(super) n_rows: usize,
    /// Rows that are used, in order.
    pub(super) rows: Vec<u32>,
    /// Rows with a gap.
    pub(super) n_dropped_rows: usize,
    /// The column with most gaps, and their number.
    pub(super) worst_gap: Option<(usize, u64)>,
}

/// A feature around the means of its classes.
pub(super) struct ScaledFeature {
    /// Its place among the columns.
    pub(super) column: usize,
    /// Its mean in every class; of all rows where a class has none.
    pub(super) means: Vec<f64>,
    /// Its standard deviation within classes, never 0.
    pub(super) spread: f64,
    /// Whether it is constant in every class.
    pub(super) is_flat: bool,
    /// `x` less the mean of its class, of length 1; class after class, zero if the feature is
    /// constant in every class.
    pub(super) residuals: Vec<f64>,
}

impl ClassedNumbers {
    /// # Errors
    /// A class with fewer than two rows without gaps, where there are numbers at all; or numbers
    /// that are too large or too small.
    pub(super) fn new(columns: &[(&str, &[f64])], class: &Nominal) -> Result<Self> {
        let with_class: Vec<usize> = (0..class.codes.len())
            .filter(|&row| class.codes.get(row).is_some())
            .collect();
        let is_gappy = |&column: &usize| {
            let numbers = columns[column].1;
            with_class.iter().any(|&row| numbers[row].is_nan())
        };
        let mut varying: Vec<usize> = (0..columns.len())
            .filter(|&column| varies(columns[column].1, &with_class))
            .collect();
        let gappy: Vec<usize> = varying.iter().copied().filter(is_gappy).collect();
        let mut rows = with_class.clone();
        rows.retain(|&row| gappy.iter().all(|&column| !columns[column].1[row].is_nan()));
        let n_dropped_rows = with_class.len() - rows.len();
        let by_class = by_class(class, &rows);
        let worst_gap = worst_gap(columns, &gappy, &with_class);
        let named = worst_gap.map(|(column, n)| (columns[column].0, n));
        if !varying.is_empty() {
            check_classes(class, &by_class, &named)?;
        }
        varying.retain(|&column| varies(columns[column].1, &rows));
        let scaled = varying.into_par_iter().map(|column| {
            let (name, numbers) = columns[column];
            ScaledFeature::new(column, numbers, &by_class)
                .ok_or_else(|| out_of_range().in_column(name))
        });
        // In order, so that the error does not depend on the threads.
        let scaled: Vec<Result<ScaledFeature>> = scaled.collect();
        Ok(ClassedNumbers {
            features: scaled.into_iter().collect::<Result<_>>()?,
            class_counts: by_class.iter().map(|rows| rows.len() as u64).collect(),
            n_rows: rows.len(),
            rows: rows.into_iter().map(|row| row as u32).collect(),
            n_dropped_rows,
            worst_gap,
        })
    }

    /// Classes that have rows.
    pub(super) fn classes(&self) -> Vec<usize> {
        let all = 0..self.class_counts.len();
        all.filter(|&class| self.class_counts[class] > 0).collect()
    }

    /// Where the rows of a class are among the residuals.
    pub(super) fn rows_of(&self, class: usize) -> std::ops::Range<usize> {
        let before: u64 = self.class_counts[..class].iter().sum();
        let start = before as usize;
        start..start + self.class_counts[class] as usize
    }

    /// `n1 n2 / (n1 + n2)`.
    pub(super) fn n_rows_of(&self, classes: [usize; 2]) -> f64 {
        let [a, b] = classes.map(|class| self.class_counts[class] as f64);
        a * b / (a + b)
    }

    /// Degrees of freedom of a covariance within all classes.
    pub(super) fn degrees_of_freedom(&self) -> usize {
        self.n_rows - self.classes().len()
    }
}

impl ScaledFeature {
    /// Nothing where the numbers are too large or too small for their squares.
    fn new(column: usize, numbers: &[f64], by_class: &[Vec<usize>]) -> Option<Self> {
        let all = || by_class.iter().flatten().map(|&row| numbers[row]);
        let n_rows = by_class.iter().map(Vec::len).sum::<usize>();
        let overall = all().sum::<f64>() / n_rows as f64;
        let mean = |rows: &Vec<usize>| match rows.len() {
            0 => overall,
            n => overall + rows.iter().map(|&row| numbers[row] - overall).sum::<f64>() / n as f64,
        };
        let means: Vec<f64> = by_class.iter().map(mean).collect();
        let of_class = |(rows, &mean): (&Vec<usize>, &f64)| -> Vec<f64> {
            rows.iter().map(|&row| numbers[row] - mean).collect()
        };
        let mut residuals: Vec<f64> = by_class.iter().zip(&means).flat_map(of_class).collect();
        let squares: f64 = residuals.iter().map(|x| x * x).sum();
        let n_classes = by_class.iter().filter(|rows| !rows.is_empty()).count();
        let range = all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min);
        let (length, least) = (squares.sqrt(), MIN_SPREAD * range);
        let spread = (squares / (n_rows - n_classes) as f64).sqrt();
        let is_finite = spread.is_finite() && range.is_finite();
        // The variance must be a number too, and not nothing.
        let is_normal = (least * least).is_normal();
        if !(is_finite && is_normal && means.iter().all(|mean| mean.is_finite())) {
            return None;
        }
        let is_flat = spread < least;
        residuals
            .iter_mut()
            .for_each(|x| *x = if is_flat { 0.0 } else { *x / length });
        Some(ScaledFeature {
            column,
            means,
            is_flat,
            spread: spread.max(least),
            residuals,
        })
    }
}

/// Whether there are two different numbers in some rows.
fn varies(numbers: &[f64], rows: &[usize]) -> bool {
    let mut present = rows.iter().map(|&row| numbers[row]).filter(|x| !x.is_nan());
    let first = present.next();
    first.is_some_and(|first| present.any(|x| x != first))
}

fn by_class(class: &Nominal, rows: &[usize]) -> Vec<Vec<usize>> {
    let mut by_class = vec![Vec::new(); class.n_values()];
    for &row in rows {
        if let Some(code) = class.codes.get(row) {
            by_class[code as usize].push(row);
        }
    }
    by_class
}

/// The column with most gaps, with their number.
fn worst_gap(columns: &[(&str, &[f64])], gappy: &[usize], rows: &[usize]) -> Option<(usize, u64)> {
    let n_gaps = |column: usize| {
        let gaps = rows.iter().filter(|&&row| columns[column].1[row].is_nan());
        gaps.count() as u64
    };
    let gaps = gappy.iter().map(|&column| (column, n_gaps(column)));
    gaps.max_by_key(|&(column, n)| (n, std::cmp::Reverse(column)))
}

/// Every class that has rows at all needs two without gaps: one has no variance.
fn check_classes(
    class: &Nominal,
    by_class: &[Vec<usize>],
    worst_gap: &Option<(&str, u64)>,
) -> Result<()> {
    let mut present = vec![0u64; class.n_values()];
    class
        .codes
        .iter()
        .flatten()
        .for_each(|code| present[code as usize] += 1);
    let poor = (0..present.len()).find(|&code| present[code] > 0 && by_class[code].len() < 2);
    let Some(code) = poor else {
        return Ok(());
    };
    let label = class.domain.labels().get(code).map_or("?", String::as_str);
    let n_whole = counted(by_class[code].len() as u64, "row");
    let class_of = quoted(label);
    Err(match worst_gap {
        Some((column, n_gaps)) if present[code] >= 2 => Error::data(format!(
            "class {class_of} has {n_whole} without a gap in its numbers, blocks need two"
        ))
        .with_hint(format!(
            "Most gaps, {n_gaps}, are in {}: leave such columns out ({ignore}), or fill them.",
            quoted(column),
            ignore = parameter("ignore")
        )),
        _ => Error::data(format!(
            "class {class_of} has {}, blocks need two of every class",
            counted(present[code], "row")
        ))
        .with_hint("Leave the rows of that class out, or join it with another."),
    })
}

fn out_of_range() -> Error {
    Error::data("the numbers are too large or too small for a mean and a variance")
        .with_hint("Scale them.")
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAP: f64 = f64::NAN;

    fn class(labels: &str) -> Nominal {
        Nominal::from_labels(labels.split(' ').map(Some))
    }

    #[test]
    fn features_are_centered_in_their_classes_and_of_length_one() {
        // Class a: 1, 3; class b: 10, 14: means 2 and 12, residuals -1 1 -2 2, squares 10.
        let class = class("a b a b");
        let x = [1.0, 10.0, 3.0, 14.0];
        let numbers = ClassedNumbers::new(&[("x", &x), ("one", &[7.0; 4])], &class).unwrap();
        let [feature] = &numbers.features[..] else {
            panic!("the constant column is no feature");
        };
        assert_eq!(feature.means, [2.0, 12.0]);
        assert!((feature.spread - 5f64.sqrt()).abs() < 1e-15); // 10 / (4 - 2)
        let expected = [-1.0, 1.0, -2.0, 2.0].map(|x: f64| x / 10f64.sqrt());
        let both = feature.residuals.iter().zip(expected);
        both.for_each(|(x, y)| assert!((x - y).abs() < 1e-15));
        assert_eq!((numbers.rows_of(0), numbers.rows_of(1)), (0..2, 2..4));
    }

    #[test]
    fn rows_with_gaps_are_left_out_but_not_for_columns_that_tell_nothing() {
        let class = class("a b a b a");
        let x = [1.0, 10.0, 3.0, 14.0, GAP];
        let same = [5.0, GAP, 5.0, 5.0, 5.0];
        let numbers = ClassedNumbers::new(&[("x", &x), ("same", &same)], &class).unwrap();
        assert_eq!((numbers.n_rows, numbers.n_dropped_rows), (4, 1));
        assert_eq!(numbers.features.len(), 1);
    }

    #[test]
    fn numbers_that_are_constant_in_each_class_have_a_least_spread() {
        let numbers = ClassedNumbers::new(&[("x", &[1.0, 1.0, 3.0, 3.0])], &class("a a b b"));
        let feature = &numbers.unwrap().features[0];
        assert!((feature.spread - 2e-6).abs() < 1e-20);
        assert_eq!(feature.residuals, [0.0; 4]);
    }

    #[test]
    fn classes_of_one_row_and_numbers_out_of_range_are_refused() {
        let error = |columns: &[(&str, &[f64])], labels: &str| {
            let numbers = ClassedNumbers::new(columns, &class(labels));
            numbers.err().map(|error| error.to_string()).unwrap()
        };
        let alone = error(&[("x", &[1.0, 2.0, 3.0])], "a a b");
        assert!(
            alone.contains("class \"b\" has 1 row, blocks need two"),
            "{alone}"
        );
        let labels_alone = ClassedNumbers::new(&[], &class("a a b"));
        assert_eq!(labels_alone.unwrap().class_counts, [2, 1]);
        let gaps = error(&[("x", &[1.0, 2.0, 3.0, GAP])], "a a b b");
        assert!(
            gaps.contains("without a gap") && gaps.contains("\"x\""),
            "{gaps}"
        );
        let large = error(&[("x", &[1e200, -1e200, 3.0, 4.0])], "a a b b");
        assert!(large.contains("too large"), "{large}");
        let small = error(&[("x", &[1e-200, -1e-200, 3e-200, 4e-200])], "a a b b");
        assert!(small.contains("too small"), "{small}");
    }
}
