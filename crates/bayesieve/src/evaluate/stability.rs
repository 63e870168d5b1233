//! How much the sets that were kept on different rows agree.
//!
//! Paper: Nogueira, Sechidis and Brown, 2018: with p_f the share of M sets that hold feature
//! f of d, and k the mean size,
//! `1 - mean over f of M/(M-1) p_f (1 - p_f) / ((k/d) (1 - k/d))`:
//! 1 for equal sets, 0 on average for sets drawn at random.

/// The share of the sets that holds each of so many features.
///
/// # Example
/// ```
/// use bayesieve::evaluate::frequencies;
///
/// assert_eq!(frequencies(3, [&[0, 2][..], &[2]]), [0.5, 0.0, 1.0]);
/// ```
pub fn frequencies<'s>(n_features: usize, sets: impl IntoIterator<Item = &'s [u32]>) -> Vec<f64> {
    let (mut counts, mut n_sets) = (vec![0u64; n_features], 0u64);
    for set in sets {
        n_sets += 1;
        for &feature in set {
            if let Some(count) = counts.get_mut(feature as usize) {
                *count += 1;
            }
        }
    }
    let n = n_sets.max(1) as f64;
    counts.iter().map(|&count| count as f64 / n).collect()
}

/// Nogueira's index of so many sets, from the share of them that holds each feature; nothing
/// for fewer than two sets, and where all sets are empty or hold everything.
///
/// # Example
/// ```
/// use bayesieve::evaluate::stability;
///
/// assert_eq!(stability(2, &[1.0, 0.0, 0.0]), Some(1.0));
/// // Two sets of one of two features each, never the same one: as unlike as can be.
/// assert_eq!(stability(2, &[0.5, 0.5]), Some(-1.0));
/// assert_eq!(stability(2, &[1.0, 1.0]), None);
/// ```
pub fn stability(n_sets: usize, frequencies: &[f64]) -> Option<f64> {
    let d = frequencies.len() as f64;
    let share = frequencies.iter().sum::<f64>() / d;
    let by_chance = share * (1.0 - share);
    if n_sets < 2 || by_chance.is_nan() || by_chance <= 0.0 {
        return None;
    }
    let m = n_sets as f64;
    let variances = frequencies.iter().map(|p| m / (m - 1.0) * p * (1.0 - p));
    Some(1.0 - variances.sum::<f64>() / d / by_chance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_sets_by_hand() {
        // {0, 1}, {0, 2}, {0, 1} of four: p = 1, 2/3, 1/3, 0; mean size 2, so 1/2 (1 - 1/2).
        // Variances 3/2 * (0, 2/9, 2/9, 0): mean 1/6, over 1/4: 1 - 2/3.
        let sets: [&[u32]; 3] = [&[0, 1], &[0, 2], &[0, 1]];
        let found = stability(3, &frequencies(4, sets)).unwrap();
        assert!((found - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn what_has_no_index_has_none() {
        assert_eq!(stability(5, &[0.0, 0.0]), None);
        assert_eq!(stability(1, &[1.0, 0.0]), None);
        assert_eq!(stability(2, &[]), None);
    }
}
