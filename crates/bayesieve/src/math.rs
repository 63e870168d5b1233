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

/// As [`sum_n_log_n`] for counts that add up to `total`: small tables are summed without
/// asking of every count whether it is small.
#[inline]
pub(crate) fn sum_n_log_n_within(counts: &[u64], total: u64) -> f64 {
    const MASK: usize = LOOKED_UP - 1;
    if total > MASK as u64 {
        return sum_n_log_n(counts);
    }
    let Some(small) = SMALL.0.first_chunk::<LOOKED_UP>() else {
        return sum_n_log_n(counts);
    };
    let mut sum = 0.0;
    for &n in counts {
        // The mask changes nothing; it says that the place is within the table.
        sum += small[n as usize & MASK];
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

/// `ln n!`.
///
/// # Example
/// ```
/// assert!((bayesieve::math::ln_factorial(5) - 120f64.ln()).abs() < 1e-15);
/// ```
pub fn ln_factorial(n: u64) -> f64 {
    static SMALL: LazyLock<Vec<f64>> = LazyLock::new(|| {
        // The rounding of every addition is carried along: a plain sum would be off in
        // the twelfth digit at the table's end.
        let (mut sum, mut lost) = (0.0, 0.0);
        let ln_factorial = |n: u64| {
            let (term, before) = ((n.max(1) as f64).ln() + lost, sum);
            sum += term;
            lost = term - (sum - before);
            sum
        };
        (0..LOOKED_UP as u64).map(ln_factorial).collect()
    });
    match SMALL.get(n as usize) {
        Some(value) => *value,
        None => {
            let n = n as f64;
            (n + 0.5) * n.ln() - n + HALF_LN_2_PI + stirling_series(n)
        }
    }
}

/// `ln(x (x+1) ... (x+n-1))`, that is `ln Γ(x+n) - ln Γ(x)`, for `x` > 0.
///
/// # Example
/// ```
/// // 0.5 * 1.5 * 2.5
/// assert!((bayesieve::math::ln_rising(0.5, 3) - 1.875f64.ln()).abs() < 1e-15);
/// assert_eq!(bayesieve::math::ln_rising(0.5, 0), 0.0);
/// ```
pub fn ln_rising(mut x: f64, mut n: u64) -> f64 {
    // Small factors one by one: the series needs a large x.
    let mut product = 1.0;
    while n > 0 && x < SERIES_START {
        product *= x;
        x += 1.0;
        n -= 1;
    }
    if n == 0 {
        return product.ln();
    }
    // Stirling's formula for both ends, subtracted by hand so that nothing cancels.
    let n = n as f64;
    let end = x + n;
    let powers = (x - 0.5) * (n / x).ln_1p() + n * end.ln() - n;
    product.ln() + powers + (stirling_series(end) - stirling_series(x))
}

/// ln(2 π) / 2.
const HALF_LN_2_PI: f64 = 0.918_938_533_204_672_7;

/// From here on five terms of Stirling's series are exact to 1e-16.
const SERIES_START: f64 = 16.0;

/// `ln Γ(x)` less `(x - 1/2) ln x - x + ln(2 π)/2`, for `x` from [`SERIES_START`] on.
fn stirling_series(x: f64) -> f64 {
    // Bernoulli numbers: B_2k / (2k (2k-1)).
    const TERMS: [f64; 5] = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
    ];
    let square = 1.0 / (x * x);
    let sum = TERMS
        .iter()
        .rev()
        .fold(0.0, |sum, term| sum * square + term);
    sum / x
}

/// A sum of floats that does not depend on their order, to the last bit.
///
/// Terms are added as whole multiples of 2^-64, which is finer than a float of the size of
/// a logarithm can tell.
///
/// # Example
/// ```
/// use bayesieve::math::OrderFreeSum;
///
/// let sum = |terms: [f64; 3]| {
///     let mut sum = OrderFreeSum::default();
///     terms.iter().for_each(|&term| sum.add(term));
///     sum.value()
/// };
/// assert_ne!(0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1);
/// assert_eq!(sum([0.1, 0.2, 0.3]), sum([0.3, 0.2, 0.1]));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OrderFreeSum(i128);

impl OrderFreeSum {
    const UNITS: f64 = (1u128 << 64) as f64;

    /// Adds a term; one beyond 2^63 counts as 2^63.
    #[inline]
    pub fn add(&mut self, term: f64) {
        // Multiplying by a power of two is exact, and the cast cannot overflow.
        self.0 = self.0.saturating_add((term * Self::UNITS) as i128);
    }

    /// Takes a term out again, to the last bit.
    #[inline]
    pub fn subtract(&mut self, term: f64) {
        self.add(-term);
    }

    /// The sum, rounded once.
    pub fn value(self) -> f64 {
        self.0 as f64 / Self::UNITS
    }
}

/// `n log2 n` for every `n` from 0 to `max`, for loops that need it often.
#[derive(Debug, Clone)]
pub struct NLogN(Vec<f64>);

impl NLogN {
    /// The table up to and including `max`.
    pub fn new(max: usize) -> Self {
        NLogN((0..=max as u64).map(computed).collect())
    }

    /// `n log2 n`, looked up where the table reaches and else computed, to the same bit.
    #[inline]
    pub fn get(&self, n: usize) -> f64 {
        match self.0.get(n) {
            Some(value) => *value,
            None => computed(n as u64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_total_changes_no_sum() {
        let end = LOOKED_UP as u64;
        for counts in [
            vec![],
            vec![0, 3, 7],
            vec![end - 1],
            vec![end],
            vec![end - 1, 2],
        ] {
            let total = counts.iter().sum();
            assert_eq!(sum_n_log_n_within(&counts, total), sum_n_log_n(&counts));
        }
    }

    #[test]
    fn factorials_meet_where_the_table_ends() {
        // ln n! = ln (n-1)! + ln n across the switch; one unit in the last place of
        // 142,000 is 2.9e-11.
        let n = LOOKED_UP as u64;
        let step = ln_factorial(n) - ln_factorial(n - 1);
        assert!((step - (n as f64).ln()).abs() < 1e-10, "{step}");
        // Known to 20 digits: ln 20! = 42.335616460753485030, ln 1000! = 5912.1281784881633489.
        assert!((ln_factorial(20) - 42.335_616_460_753_485).abs() < 1e-14);
        assert!((ln_factorial(1_000) - 5_912.128_178_488_163).abs() < 2e-12);
        assert_eq!([ln_factorial(0), ln_factorial(1)], [0.0, 0.0]);
    }

    #[test]
    fn rising_products_agree_with_factorials_and_single_steps() {
        for n in [1, 5, 15, 16, 40, 1_000, 100_000] {
            let by_factorial = ln_factorial(n);
            let relative = (ln_rising(1.0, n) - by_factorial).abs() / by_factorial.max(1.0);
            assert!(relative < 4e-16 * 4.0, "{n}: {relative:e}");
        }
        // Tiny and huge starts keep their digits: the product of two factors.
        for x in [1e-300f64, 1e-9, 0.3, 15.9, 16.1, 1e9, 1e15] {
            let two = x.ln() + (x + 1.0).ln();
            let error = (ln_rising(x, 2) - two).abs();
            assert!(error <= 4.0 * f64::EPSILON * two.abs().max(1.0), "{x}");
        }
    }

    #[test]
    fn sums_are_rounded_once() {
        let mut sum = OrderFreeSum::default();
        for term in [1e9, 1e-9, -1e9] {
            sum.add(term);
        }
        // 1e-9 is kept to 2^-64 = 5e-20.
        assert!((sum.value() - 1e-9).abs() < 1e-19);
        sum.add(0.1);
        sum.subtract(0.1);
        sum.subtract(1e-9);
        assert_eq!(sum, OrderFreeSum::default());
    }
}
