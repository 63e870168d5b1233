//! Numbers as normal distributions, one per class.

use serde::{Deserialize, Serialize};

use crate::data::Codes;
use crate::{Error, Result, parameter};

/// What a variance is divided by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum VarianceDivisor {
    /// The number of rows less one.
    #[default]
    #[serde(rename = "n-1")]
    RowsLessOne,
    /// The number of rows.
    #[serde(rename = "n")]
    Rows,
}

/// A number's mean and variance in every class.
#[derive(Debug, Clone, PartialEq)]
pub struct Gaussian {
    /// Position among the model's features.
    pub feature: usize,
    /// Mean in each class; of all rows where a class has no number.
    pub means: Vec<f64>,
    /// Variance in each class, never 0.
    pub variances: Vec<f64>,
}

impl Gaussian {
    /// Fits the moments of a column; missing numbers are passed over.
    ///
    /// A standard deviation below a millionth of the column's range, or of a single row,
    /// becomes that millionth (at least 1e-9), so that no class is vetoed by a constant.
    ///
    /// # Errors
    /// A column without any number.
    pub(crate) fn fit(
        feature: usize,
        numbers: &[f64],
        class: &Codes,
        n_classes: usize,
        divisor: VarianceDivisor,
    ) -> Result<Self> {
        let mut groups = vec![Vec::new(); n_classes];
        for (&x, class) in numbers.iter().zip(class.iter()) {
            if let (false, Some(class)) = (x.is_nan(), class) {
                groups[class as usize].push(x);
            }
        }
        let all: Vec<f64> = groups.concat();
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if all.is_empty() {
            return Err(Error::data(
                "a column without any number has no distribution",
            ));
        }
        let floor = (1e-6 * (most - least)).max(1e-9);
        let of_all = moments(&all, divisor, floor);
        let (means, variances) = groups
            .iter()
            .map(|group| {
                if group.is_empty() {
                    of_all
                } else {
                    moments(group, divisor, floor)
                }
            })
            .unzip();
        let gaussian = Gaussian {
            feature,
            means,
            variances,
        };
        if !gaussian
            .means
            .iter()
            .chain(&gaussian.variances)
            .all(|x| x.is_finite())
        {
            return Err(
                Error::data("the numbers are too large for a mean and a variance").with_hint(
                    format!(
                        "Scale them, or bin them ({}).",
                        parameter("discretize").is("mdlp")
                    ),
                ),
            );
        }
        Ok(gaussian)
    }

    /// Adds the log densities to `scores[row][class]`; a missing number adds nothing.
    pub(super) fn add(&self, numbers: &[f64], scores: &mut [f64]) {
        let n_classes = self.means.len();
        // ln N(x; m, v) = offset - (x - m)^2 * weight
        let weights: Vec<f64> = self.variances.iter().map(|v| 0.5 / v).collect();
        let offsets: Vec<f64> = self
            .variances
            .iter()
            .map(|v| -0.5 * (std::f64::consts::TAU.ln() + v.ln()))
            .collect();
        for (&x, scores) in numbers.iter().zip(scores.chunks_mut(n_classes.max(1))) {
            if x.is_nan() {
                continue;
            }
            for (class, score) in scores.iter_mut().enumerate() {
                let away = x - self.means[class];
                *score += offsets[class] - away * away * weights[class];
            }
        }
    }
}

/// Mean, and variance with a floor under its root.
fn moments(numbers: &[f64], divisor: VarianceDivisor, floor: f64) -> (f64, f64) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let squares: f64 = numbers.iter().map(|x| (x - mean) * (x - mean)).sum();
    let divided = match divisor {
        VarianceDivisor::Rows => n,
        VarianceDivisor::RowsLessOne => (n - 1.0).max(1.0),
    };
    let sd = (squares / divided).sqrt();
    let sd = if sd < floor { floor } else { sd };
    (mean, sd * sd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_follow_their_divisor_and_floor() {
        // Class 0: 1, 3 (mean 2, squares 2); class 1: 7 alone; range 6.
        let class = Codes::new(2, [0, 0, 1, 1].map(Some));
        let numbers = [1.0, 3.0, 7.0, f64::NAN];
        let fit = |divisor| Gaussian::fit(0, &numbers, &class, 2, divisor).unwrap();
        let by_rows = fit(VarianceDivisor::Rows);
        assert_eq!(by_rows.means, [2.0, 7.0]);
        assert!((by_rows.variances[0] - 1.0).abs() < 1e-15);
        assert!((by_rows.variances[1] - 36e-12).abs() < 1e-24);
        assert!((fit(VarianceDivisor::RowsLessOne).variances[0] - 2.0).abs() < 1e-15);
    }

    #[test]
    fn the_log_density_is_that_of_the_normal_distribution() {
        let gaussian = Gaussian {
            feature: 0,
            means: vec![0.0, 1.0],
            variances: vec![1.0, 4.0],
        };
        let mut scores = [0.0; 4];
        gaussian.add(&[0.0, f64::NAN], &mut scores);
        // ln(1/sqrt(2 pi)) and ln(1/(2 sqrt(2 pi))) - 1/8.
        let first = -0.918_938_533_204_672_7;
        assert!((scores[0] - first).abs() < 1e-15);
        assert!((scores[1] - (first - 2f64.ln() - 0.125)).abs() < 1e-15);
        assert_eq!(scores[2..], [0.0, 0.0]);
    }

    #[test]
    fn numbers_whose_variance_overflows_are_refused() {
        let class = Codes::new(1, [0, 0].map(Some));
        let fit = Gaussian::fit(0, &[1e200, -1e200], &class, 1, VarianceDivisor::Rows);
        assert!(fit.unwrap_err().to_string().contains("too large"));
    }

    #[test]
    fn a_column_without_numbers_is_refused() {
        let class = Codes::new(1, [Some(0)]);
        assert!(Gaussian::fit(0, &[f64::NAN], &class, 1, VarianceDivisor::Rows).is_err());
    }
}
