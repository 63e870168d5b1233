//! Small numeric pieces that more than one module needs.

use std::sync::LazyLock;

/// Counts below this are looked up: most cells of most tables are small.
const LOOKED_UP: usize = 1 << 14;

static SMALL: LazyLock<NLogN> = LazyLock::new(|| NLogN::new(LOOKED_UP - 1));

/// `n log2 n`, with 0 for `n` = 0.
///
/// # Example
/// ```
/// assert_eq!(bayesieve::math::n_log_n(8), 24.0);
/// assert_eq!(bayesieve::math::n_log_n(0), 0.0);
/// ```
pub fn n_log_n(n: u64) -> f64 {
    if n < LOOKED_UP as u64 {
        SMALL.get(n as usize)
    } else {
        computed(n)
    }
}

/// `Σ n log2 n` over a list of counts.
///
/// # Example
/// ```
/// assert_eq!(bayesieve::math::sum_n_log_n(&[4, 0, 8]), 32.0);
/// ```
pub fn sum_n_log_n(counts: &[u64]) -> f64 {
    let small = &SMALL.0;
    let mut sum = 0.0;
    for &n in counts {
        sum += match small.get(n as usize) {
            Some(value) => *value,
            None => computed(n),
        };
    }
    sum
}

fn computed(n: u64) -> f64 {
    if n < 2 {
        return 0.0;
    }
    let n = n as f64;
    n * n.log2()
}

/// `n log2 n` for every `n` from 0 to `max`, for loops that need it often.
#[derive(Debug, Clone)]
pub struct NLogN(Vec<f64>);

impl NLogN {
    /// The table up to and including `max`.
    pub fn new(max: usize) -> Self {
        NLogN((0..=max as u64).map(computed).collect())
    }

    /// `n log2 n`.
    ///
    /// # Panics
    /// If `n` is above the table's end.
    #[inline]
    pub fn get(&self, n: usize) -> f64 {
        self.0[n]
    }
}
