//! When a feature tells too little: redundancy within noise.
//!
//! Drugan and Wiering, 2010, Definition 3: a feature is redundant given some others when
//! what it adds about the class is below a threshold. Their description-length analysis
//! (Corollary 1) gives the threshold: what the feature's table costs per row. The factor
//! for the values of the given features is ours.

/// What a feature's table costs, in bits per row:
/// `log2(N) / (2 N) * (r_A - 1) (r_C - 1) * r_S`.
///
/// `n_given` is the product of the number of values of the given features, 1 for none.
///
/// # Example
/// ```
/// // Two values, two classes, 32 rows: 5 / 64.
/// assert_eq!(bayesieve::info::price_bits(32, 2, 2, 1), 0.078125);
/// ```
pub fn price_bits(n_rows: u64, n_values: usize, n_classes: usize, n_given: usize) -> f64 {
    if n_rows < 2 {
        return 0.0;
    }
    let n = n_rows as f64;
    let free = |n: usize| n.saturating_sub(1) as f64;
    n.log2() / (2.0 * n) * free(n_values) * free(n_classes) * n_given as f64
}

/// Whether a gain is redundant within noise: below its price, or nothing at all.
///
/// # Example
/// ```
/// use bayesieve::info::is_redundant;
///
/// assert!(is_redundant(0.05, 0.0781));
/// assert!(is_redundant(0.0, 0.0)); // a constant column costs nothing and tells nothing
/// assert!(!is_redundant(0.3, 0.0781));
/// ```
pub fn is_redundant(gain_bits: f64, price_bits: f64) -> bool {
    // Less than half of 1e-10 is nothing: comparisons round there.
    gain_bits < price_bits || gain_bits < 0.5e-10
}
