//! Mean and sample standard deviation.

use crate::{Error, Result};

/// The mean of a sample and its standard deviation with divisor n - 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanSd {
    /// The mean.
    pub mean: f64,
    /// The standard deviation; one value has none.
    pub sd: Option<f64>,
}

/// The mean and the standard deviation of some numbers.
///
/// # Errors
/// No number at all, or one that is not finite.
///
/// # Example
/// ```
/// use bayesieve::stats::mean_sd;
///
/// let folds = mean_sd(&[0.80, 0.82, 0.78, 0.81, 0.79, 0.83, 0.80, 0.77, 0.82, 0.78])?;
/// assert!((folds.mean - 0.8).abs() < 1e-15);
/// assert!((folds.sd.unwrap() - 0.02).abs() < 1e-15);
/// assert_eq!(mean_sd(&[3.0])?.sd, None);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn mean_sd(values: &[f64]) -> Result<MeanSd> {
    if values.is_empty() {
        return Err(Error::data("the mean of no values does not exist"));
    }
    check_finite(values)?;
    let n = values.len() as f64;
    // Dividing first keeps sums of huge numbers finite; the second pass takes the
    // rounding of the first out again.
    let rough = values.iter().map(|value| value / n).sum::<f64>();
    let mean = rough + values.iter().map(|value| (value - rough) / n).sum::<f64>();
    let sd = (values.len() > 1).then(|| spread(values, mean) / (n - 1.0).sqrt());
    Ok(MeanSd { mean, sd })
}

/// The root of the sum of squared deviations.
fn spread(values: &[f64], mean: f64) -> f64 {
    let root = |unit: f64| {
        let squares: f64 = values.iter().map(|v| ((v - mean) / unit).powi(2)).sum();
        squares.sqrt()
    };
    let largest = values.iter().fold(0.0, |m: f64, v| m.max((v - mean).abs()));
    // Squares of very large or very small deviations leave the range of numbers.
    if (1e-140..1e140).contains(&largest) || largest == 0.0 || largest == f64::INFINITY {
        root(1.0)
    } else {
        root(largest) * largest
    }
}

/// Refuses numbers that are not finite, naming the first.
pub(super) fn check_finite(values: &[f64]) -> Result<()> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(position) => Err(Error::data(format!(
            "value {} is {}, not a finite number",
            position + 1,
            values[position]
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_offset_does_not_blur_the_standard_deviation() {
        // 1e9 + (-1, 0, 1): sd 1.
        let sample = mean_sd(&[1e9 - 1.0, 1e9, 1e9 + 1.0]).unwrap();
        assert_eq!(sample.mean, 1e9);
        assert_eq!(sample.sd, Some(1.0));
    }

    #[test]
    fn deviations_at_the_ends_of_the_scale_have_a_finite_spread() {
        // 0 and 2: sd = sqrt 2, at any scale.
        for unit in [1e-300, 1e-160, 1.0, 1e160, 1e300] {
            let sd = mean_sd(&[0.0, 2.0 * unit]).unwrap().sd.unwrap();
            assert!((sd / unit - 2f64.sqrt()).abs() < 1e-15, "{unit}: {sd}");
        }
    }

    #[test]
    fn no_value_and_values_that_are_not_finite_are_errors() {
        assert!(mean_sd(&[]).is_err());
        let error = mean_sd(&[1.0, f64::NAN]).unwrap_err();
        assert_eq!(error.to_string(), "value 2 is NaN, not a finite number");
        assert!(mean_sd(&[f64::INFINITY]).is_err());
    }
}
