//! What it costs to say which features are kept: how many, which set of that size, and where
//! their numbers are cut.
//!
//! A cut point that was chosen by the class is one of N - 1: MDLP asks of each column that its
//! cuts pay for that, but of 2,000 columns of noise some ten pass (100 rows).

/// The bits that name a set of features among candidates.
#[derive(Debug, Clone)]
pub(super) struct Naming {
    bits_by_size: Vec<f64>,
    n_cuts: Vec<usize>,
    bits_of_cut: f64,
}

impl Naming {
    /// `log2(n + 1)` for the size and `log2 C(n, k)` for the set, for all sizes; `log2(N - 1)`
    /// for a cut point.
    ///
    /// # Cost
    /// O(n).
    pub(super) fn new(n_candidates: usize, n_rows: usize, n_cuts: Vec<usize>) -> Self {
        let n = n_candidates as f64;
        let mut bits = (n + 1.0).log2();
        let mut bits_by_size = vec![bits];
        for size in 0..n_candidates {
            let k = size as f64;
            // C(n, k + 1) = C(n, k) (n - k) / (k + 1)
            bits += ((n - k) / (k + 1.0)).log2();
            bits_by_size.push(bits);
        }
        Naming {
            bits_by_size,
            n_cuts,
            bits_of_cut: (n_rows.saturating_sub(1).max(1) as f64).log2(),
        }
    }

    /// The cut points of a feature.
    pub(super) fn n_cuts(&self, feature: usize) -> usize {
        self.n_cuts.get(feature).copied().unwrap_or_default()
    }

    /// What so many features with so many cut points cost to name.
    pub(super) fn bits(&self, n_kept: usize, n_cuts: usize) -> f64 {
        self.bits_of_size(n_kept) + self.bits_of_cut * n_cuts as f64
    }

    /// What one more feature costs to name; its name alone is less than nothing above half of
    /// all.
    pub(super) fn bits_of_next(&self, n_kept: usize, feature: usize) -> f64 {
        let name = self.bits_of_size(n_kept + 1) - self.bits_of_size(n_kept);
        name + self.bits_of_cut * self.n_cuts(feature) as f64
    }

    fn bits_of_size(&self, n_kept: usize) -> f64 {
        let bits = self.bits_by_size.get(n_kept).or(self.bits_by_size.last());
        bits.copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_four_features_have_binomial_names() {
        // 1, 4, 6, 4, 1 sets of each size; log2(5) bits for the size.
        let naming = Naming::new(4, 100, Vec::new());
        for (size, n_sets) in [1.0_f64, 4.0, 6.0, 4.0, 1.0].into_iter().enumerate() {
            let expected = 5.0_f64.log2() + n_sets.log2();
            assert!((naming.bits(size, 0) - expected).abs() < 1e-12);
        }
        assert!((naming.bits_of_next(0, 0) - 2.0).abs() < 1e-12);
        assert!((naming.bits_of_next(3, 0) + 2.0).abs() < 1e-12);
    }

    #[test]
    fn the_first_of_two_thousand_costs_eleven_bits() {
        // log2(2000) = 10.965784, the second log2(1999 / 2) = 9.965063; a cut point among 129
        // rows is one of 128: 7 bits.
        let naming = Naming::new(2_000, 129, vec![0, 2]);
        assert!((naming.bits_of_next(0, 0) - 10.965_784).abs() < 1e-6);
        assert!((naming.bits_of_next(1, 0) - 9.965_063).abs() < 1e-6);
        assert!((naming.bits_of_next(0, 1) - 24.965_784).abs() < 1e-6);
        assert_eq!(naming.bits(3, 2) - naming.bits(3, 0), 14.0);
    }

    #[test]
    fn nothing_to_name_costs_nothing() {
        let naming = Naming::new(0, 0, Vec::new());
        assert_eq!(naming.bits(0, 0), 0.0);
        assert_eq!(naming.bits_of_next(0, 0), 0.0);
    }
}
