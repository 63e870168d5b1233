//! Bins that do not look at the class: of equal width, or with equally many rows.

use super::sorted::Observation;
use super::{BINS, Discretizer, DiscretizerDescription};

pub(super) static WIDTH: DiscretizerDescription = DiscretizerDescription {
    name: "width",
    summary: "cuts the range of the numbers into bins of equal width",
    formula: "cut i at low + i (high - low) / K",
    source: "",
    settings: &[BINS],
    with_bins: Discretizer::Width,
};

pub(super) static FREQUENCY: DiscretizerDescription = DiscretizerDescription {
    name: "frequency",
    summary: "cuts so that every bin holds nearly equally many rows; equal numbers stay together",
    formula: "cut i where the rows on its left come nearest to i n / K",
    source: "",
    settings: &[BINS],
    with_bins: Discretizer::Frequency,
};

/// `n_bins` bins of equal width from the smallest to the largest training number.
///
/// Cut i stands at `low + i (high - low)/n_bins`. Cuts that rounding puts together, or on the
/// largest number, are left out: on them a bin could never hold a number. Bins without a
/// training row stay, because the width is the promise.
pub(super) fn width_cuts(low: f64, high: f64, n_bins: usize) -> Vec<f64> {
    let mut cuts: Vec<f64> = (1..n_bins)
        .map(|i| {
            // Product before quotient, so that whole numbers come out whole.
            let offset = (high - low) * i as f64 / n_bins as f64;
            if offset.is_finite() {
                low + offset
            } else {
                let share = i as f64 / n_bins as f64;
                low * (1.0 - share) + high * share
            }
        })
        .filter(|&cut| cut < high)
        .collect();
    cuts.dedup();
    cuts
}

/// At most `n_bins` bins with as nearly equal numbers of training rows as ties allow: how many
/// rows are left of each cut, in rising order.
///
/// `rows_up_to` are the rows up to and with every distinct number. Cut i stands between the
/// two neighboring distinct numbers where the rows on the left come nearest to `i n/n_bins`,
/// the smaller place where two are equally near. Rows of one number stay together, so heavy
/// ties make fewer bins.
pub(super) fn frequency_rows(rows_up_to: &[u64], n_bins: usize) -> Vec<u64> {
    let Some((&n_rows, gaps)) = rows_up_to.split_last() else {
        return Vec::new();
    };
    let n_bins = n_bins as u64;
    let mut chosen: Vec<u64> = (1..n_bins)
        .filter_map(|i| nearest(gaps, u128::from(i) * u128::from(n_rows), n_bins))
        .collect();
    chosen.dedup();
    chosen
}

/// Rows up to and with every distinct number.
pub(super) fn rows_up_to(observations: &[Observation]) -> Vec<u64> {
    let groups = observations.chunk_by(|a, b| a.is_equal(*b));
    let sum = groups.scan(0u64, |rows, group| {
        *rows += group.len() as u64;
        Some(*rows)
    });
    sum.collect()
}

/// The gap nearest to `numerator/denominator`, in whole numbers so that ties are exact.
fn nearest(gaps: &[u64], numerator: u128, denominator: u64) -> Option<u64> {
    let times = |gap: u64| u128::from(gap) * u128::from(denominator);
    let distance = |gap: u64| times(gap).abs_diff(numerator);
    let above = gaps.partition_point(|&gap| times(gap) < numerator);
    let neighbors = &gaps[above.saturating_sub(1)..gaps.len().min(above + 1)];
    // `min_by_key` takes the first of equals: the smaller cut.
    neighbors.iter().copied().min_by_key(|&gap| distance(gap))
}

#[cfg(test)]
mod tests {
    use crate::data::{Codes, CutPoints, Discretizer, Training};

    fn fit(discretizer: Discretizer, values: &[f64]) -> Vec<f64> {
        let training = Training {
            class: &Codes::new(1, vec![Some(0); values.len()]),
            n_classes: 1,
            rows: None,
        };
        let cuts = discretizer.fit(values, &training).unwrap();
        cuts.as_slice().to_vec()
    }

    fn bin_sizes(cuts: &[f64], values: &[f64]) -> Vec<usize> {
        let cuts = CutPoints::new(cuts.to_vec()).unwrap();
        let mut sizes = vec![0; cuts.n_bins()];
        for &x in values {
            sizes[cuts.bin(x) as usize] += 1;
        }
        sizes
    }

    #[test]
    fn equal_width_divides_the_range() {
        // From 0 to 10: fourths at 2.5, 5 and 7.5, wherever the rows lie.
        let values = [0.0, 0.1, f64::NAN, 0.2, 10.0];
        assert_eq!(fit(Discretizer::Width(4), &values), [2.5, 5.0, 7.5]);
        assert_eq!(
            bin_sizes(&[2.5, 5.0, 7.5], &[0.0, 0.1, 0.2, 10.0]),
            [3, 0, 0, 1]
        );
        // 3/7 and 6/7 of 7 are 3 and 6, to the last digit.
        let cuts = fit(Discretizer::Width(7), &[0.0, 7.0]);
        assert_eq!(cuts, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    }

    #[test]
    fn equal_width_of_a_narrow_or_endless_range_keeps_only_cuts_that_separate() {
        assert_eq!(fit(Discretizer::Width(3), &[5.0, 5.0]), [] as [f64; 0]);
        assert_eq!(fit(Discretizer::Width(3), &[f64::NAN]), [] as [f64; 0]);
        assert_eq!(fit(Discretizer::Width(1), &[1.0, 2.0]), [] as [f64; 0]);
        // Nothing lies between neighbors: all cuts round to one of the two.
        let (a, b) = (1.0, 1.0_f64.next_up());
        assert_eq!(fit(Discretizer::Width(9), &[a, b]), [a]);
        // high - low is beyond the largest float.
        assert_eq!(fit(Discretizer::Width(2), &[f64::MIN, f64::MAX]), [0.0]);
    }

    #[test]
    fn equal_frequency_deals_rows_evenly() {
        let values: Vec<f64> = (1..=9).rev().map(f64::from).collect();
        let cuts = fit(Discretizer::Frequency(3), &values);
        assert_eq!(cuts, [3.5, 6.5]);
        // Ten rows in three bins: the aims 3.33 and 6.67 are nearest to 3 and 7.
        let values: Vec<f64> = (1..=10).map(f64::from).collect();
        let cuts = fit(Discretizer::Frequency(3), &values);
        assert_eq!(bin_sizes(&cuts, &values), [3, 4, 3]);
    }

    #[test]
    fn equal_frequency_never_splits_ties() {
        // Gaps after 6 and 7 rows of 8; aims 2, 4, 6: all nearest to 6.
        let values = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 3.0];
        assert_eq!(fit(Discretizer::Frequency(4), &values), [1.5]);
        // Gaps after 1 and 3 rows of 4; the aim 2 is as near to both: the smaller.
        let values = [1.0, 2.0, 2.0, 3.0];
        assert_eq!(fit(Discretizer::Frequency(2), &values), [1.5]);
        assert_eq!(fit(Discretizer::Frequency(2), &[4.0, 4.0]), [] as [f64; 0]);
        assert_eq!(fit(Discretizer::Frequency(2), &[]), [] as [f64; 0]);
    }

    #[test]
    fn equal_frequency_with_more_bins_than_rows_gives_a_bin_to_each_number() {
        assert_eq!(
            fit(Discretizer::Frequency(255), &[1.0, 2.0, 4.0]),
            [1.5, 3.0]
        );
    }
}
