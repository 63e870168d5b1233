//! Cut points of a numeric column, and the bins between them.

use crate::data::{Codes, Domain, Nominal};
use crate::{Error, Result};

/// Where a numeric column is cut into bins: finite numbers in strictly rising order.
///
/// A number on a cut belongs to the bin on its left, so a bin is "above the cut before it,
/// up to and including its own". No cut is one bin.
///
/// # Example
/// ```
/// use bayesieve::data::CutPoints;
///
/// let cuts = CutPoints::new(vec![12.5, 24.5])?;
/// assert_eq!(cuts.labels(), ["<= 12.5", "12.5 .. 24.5", "> 24.5"]);
/// let binned = cuts.apply(&[12.5, f64::NAN, 99.0]);
/// assert_eq!(binned.codes.get(0), Some(0));
/// assert_eq!(binned.codes.get(1), None);
/// assert_eq!(binned.codes.get(2), Some(2));
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CutPoints(Vec<f64>);

impl CutPoints {
    /// Checks the cuts and keeps them.
    ///
    /// # Errors
    /// A cut that is not a finite number, or one that is not above the cut before it.
    pub fn new(mut cuts: Vec<f64>) -> Result<Self> {
        if let Some(cut) = cuts.iter().find(|cut| !cut.is_finite()) {
            return Err(Error::data(format!(
                "a cut point must be finite, not {cut}"
            )));
        }
        if let Some(pair) = cuts.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(Error::data(format!(
                "cut points must rise, but {} stands before {}",
                number(pair[0]),
                number(pair[1])
            )));
        }
        for cut in &mut cuts {
            // -0 and 0 cut alike; one of them has to be the one that is written.
            *cut += 0.0;
        }
        Ok(CutPoints(cuts))
    }

    /// The cuts in rising order.
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }

    /// Number of bins, one more than there are cuts.
    pub fn n_bins(&self) -> usize {
        self.0.len() + 1
    }

    /// The bin of a number: how many cuts are below it. NaN is in none; see [`CutPoints::apply`].
    #[inline]
    pub fn bin(&self, x: f64) -> u32 {
        self.0.partition_point(|&cut| cut < x) as u32
    }

    /// A whole column in bins; missing cells stay missing.
    ///
    /// # Cost
    /// O(N log k) for k cuts.
    pub fn apply(&self, values: &[f64]) -> Nominal {
        let cells = values.iter().map(|&x| (!x.is_nan()).then(|| self.bin(x)));
        Nominal::new(
            Codes::new(self.n_bins(), cells),
            Domain::ordered(self.labels()),
        )
    }

    /// The names of the bins from left to right, no two alike.
    pub fn labels(&self) -> Vec<String> {
        let (Some(&first), Some(&last)) = (self.0.first(), self.0.last()) else {
            return vec!["all".to_owned()];
        };
        let mut labels = vec![format!("<= {}", number(first))];
        let inner = self.0.windows(2);
        labels.extend(inner.map(|pair| format!("{} .. {}", number(pair[0]), number(pair[1]))));
        labels.push(format!("> {}", number(last)));
        labels
    }
}

/// The shortest decimal that reads back as the same number, so that two numbers never
/// print alike; with an exponent where it would need a long row of zeros.
fn number(x: f64) -> String {
    if x == 0.0 || (1e-5..1e16).contains(&x.abs()) {
        format!("{x}")
    } else {
        format!("{x:e}")
    }
}

/// A number that separates `left` from `right`: their midpoint, unless that rounds to `right`.
///
/// Expects `left < right`; gives `left <= cut < right`.
pub(crate) fn between(left: f64, right: f64) -> f64 {
    let middle = left.midpoint(right);
    if middle < right { middle } else { left }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    fn cuts(cuts: &[f64]) -> CutPoints {
        CutPoints::new(cuts.to_vec()).unwrap()
    }

    #[test]
    fn a_number_on_a_cut_goes_left() {
        let cuts = cuts(&[1.0, 2.0]);
        let bins = [-9.0, 1.0, 1.5, 2.0, 2.1, f64::INFINITY].map(|x| cuts.bin(x));
        assert_eq!(bins, [0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn no_cut_is_one_bin_that_holds_all() {
        let binned = cuts(&[]).apply(&[3.0, f64::NAN]);
        assert_eq!(binned.domain.labels(), ["all"]);
        assert_eq!(binned.codes, Codes::U8(vec![0, 255]));
    }

    #[test]
    fn many_bins_get_wide_codes() {
        let cuts = cuts(&(0..300).map(f64::from).collect::<Vec<_>>());
        let binned = cuts.apply(&[299.5, -1.0]);
        assert_eq!(binned.codes, Codes::U16(vec![300, 0]));
        assert_eq!(binned.domain.n_values(), 301);
    }

    #[test]
    fn labels_of_neighboring_numbers_differ() {
        let (a, b) = (0.1, 0.1_f64.next_up());
        assert_eq!(
            cuts(&[a, b]).labels(),
            [
                "<= 0.1",
                "0.1 .. 0.10000000000000002",
                "> 0.10000000000000002"
            ]
        );
        assert_eq!(cuts(&[-1e300, 5e-324]).labels()[1], "-1e300 .. 5e-324");
    }

    #[test]
    fn cuts_that_do_not_rise_are_refused() {
        for bad in [
            vec![1.0, 1.0],
            vec![2.0, 1.0],
            vec![-0.0, 0.0],
            vec![f64::NAN],
            vec![0.0, f64::INFINITY],
        ] {
            let error = CutPoints::new(bad.clone()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Data, "{bad:?}");
        }
        assert_eq!(cuts(&[-0.0]).labels(), ["<= 0", "> 0"]);
    }

    #[test]
    fn a_cut_always_separates_its_neighbors() {
        let tiny = f64::from_bits(1);
        let pairs = [
            (1.0, 2.0, 1.5),
            (f64::MIN, f64::MAX, 0.0),
            // The sum overflows, the midpoint does not.
            (1.5e308, 1.7e308, 1.6e308),
            // Halves of the smallest step round to even, here to the right neighbor.
            (
                1.0_f64.next_up(),
                1.0_f64.next_up().next_up(),
                1.0_f64.next_up(),
            ),
            (-tiny, 0.0, -tiny),
            (0.0, tiny, 0.0),
        ];
        for (left, right, expected) in pairs {
            assert_eq!(between(left, right), expected, "{left:e} and {right:e}");
            let cuts = cuts(&[between(left, right)]);
            assert_eq!((cuts.bin(left), cuts.bin(right)), (0, 1));
        }
    }
}
