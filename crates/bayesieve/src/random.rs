//! One seed for a whole run, split by purpose.
//!
//! Two purposes never share random numbers, so adding a draw in one place cannot change
//! another; and a thread never owns a stream, so the number of threads cannot matter.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::fingerprint::Fingerprint;

/// What random numbers are for. Each purpose has its own stream of the seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// Splitting rows into parts.
    Split,
    /// Making artificial data.
    Generate,
    /// Drawing rows from a network.
    Sample,
    /// Drawing sets of features and how they mix.
    Population,
    /// Trials of an experiment.
    Trial,
    /// Shuffling classes.
    Permute,
}

/// The random numbers of one purpose; `part` separates repeats, folds and the like.
///
/// # Example
/// ```
/// use bayesieve::random::{stream, Purpose};
/// use rand::Rng;
///
/// let mut first = stream(1, Purpose::Split, 0);
/// let mut again = stream(1, Purpose::Split, 0);
/// let mut other = stream(1, Purpose::Generate, 0);
/// let drawn = first.next_u64();
/// assert_eq!(drawn, again.next_u64());
/// assert_ne!(drawn, other.next_u64());
/// ```
pub fn stream(seed: u64, purpose: Purpose, part: u32) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(((purpose as u64) << 32) | u64::from(part));
    rng
}

/// A seed of its own for a part of a run that goes by a name.
///
/// It depends on nothing but the two, so that a part is the same whichever other parts are
/// there.
///
/// # Example
/// ```
/// use bayesieve::random::seed_of;
///
/// assert_eq!(seed_of(1, "alarm/100/1"), seed_of(1, "alarm/100/1"));
/// assert_ne!(seed_of(1, "alarm/100/1"), seed_of(1, "alarm/100/2"));
/// assert_ne!(seed_of(1, "alarm/100/1"), seed_of(2, "alarm/100/1"));
/// ```
pub fn seed_of(seed: u64, name: &str) -> u64 {
    let mut hash = Fingerprint::new();
    hash.text(name);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(hash.value());
    rng.next_u64()
}

/// A seed of its own for one split of a data set, so that ten runs are ten draws.
///
/// `data` is a number that tells data sets apart; runs and folds are counted from 1.
///
/// # Example
/// ```
/// use bayesieve::random::seed_of_split;
///
/// assert_eq!(seed_of_split(1, 7, 2, 1), seed_of_split(1, 7, 2, 1));
/// assert_ne!(seed_of_split(1, 7, 2, 1), seed_of_split(1, 7, 1, 2));
/// assert_ne!(seed_of_split(1, 7, 2, 1), seed_of_split(1, 8, 2, 1));
/// assert_ne!(seed_of_split(1, 7, 2, 1), seed_of_split(2, 7, 2, 1));
/// ```
pub fn seed_of_split(seed: u64, data: u64, run: u32, fold: u32) -> u64 {
    seed_of(seed, &format!("{data:016x}/{run}/{fold}"))
}

/// A whole number from 0 to `n - 1`, all equally likely; 0 for `n` = 0.
///
/// Written here, like [`shuffle`] and [`unit()`], because results must stay the same when the
/// crate behind the generator finds a better way to draw.
///
/// # Example
/// ```
/// use bayesieve::random::{below, stream, Purpose};
///
/// let mut rng = stream(1, Purpose::Generate, 0);
/// assert!((0..100).all(|_| below(&mut rng, 6) < 6));
/// ```
pub fn below(rng: &mut impl Rng, n: u64) -> u64 {
    // Lemire, 2019: the high half of a product, drawing again in the low half's uneven rest.
    let mut product = u128::from(rng.next_u64()) * u128::from(n);
    if (product as u64) < n {
        let uneven = n.wrapping_neg() % n;
        while (product as u64) < uneven {
            product = u128::from(rng.next_u64()) * u128::from(n);
        }
    }
    (product >> 64) as u64
}

/// A number in `[0, 1)`: one of 2^53 evenly spaced ones, all equally likely.
pub fn unit(rng: &mut impl Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// A number from the standard normal distribution.
///
/// # Example
/// ```
/// use bayesieve::random::{normal, stream, Purpose};
///
/// let mut rng = stream(1, Purpose::Trial, 0);
/// let n_inside = (0..1000).filter(|_| normal(&mut rng).abs() < 1.0).count();
/// assert!((640..725).contains(&n_inside)); // 683 expected
/// ```
pub fn normal(rng: &mut impl Rng) -> f64 {
    normal_pair(rng)[0]
}

/// Two numbers from the standard normal distribution.
pub(crate) fn normal_pair(rng: &mut impl Rng) -> [f64; 2] {
    // Marsaglia and Bray, 1964: a point of the unit disk other than its center, stretched.
    loop {
        let point = [unit(rng), unit(rng)].map(|u| 2.0 * u - 1.0);
        let square = point[0] * point[0] + point[1] * point[1];
        if square > 0.0 && square < 1.0 {
            let factor = (-2.0 * square.ln() / square).sqrt();
            return point.map(|x| x * factor);
        }
    }
}

/// A number from the chi-square distribution with these degrees of freedom; 0 where they are
/// not above 0.
///
/// # Example
/// ```
/// use bayesieve::random::{chi_square, stream, Purpose};
///
/// let mut rng = stream(1, Purpose::Trial, 0);
/// let sum: f64 = (0..1000).map(|_| chi_square(&mut rng, 3.5)).sum();
/// assert!((sum / 1000.0 - 3.5).abs() < 0.35);
/// ```
pub fn chi_square(rng: &mut impl Rng, degrees_of_freedom: f64) -> f64 {
    let shape = degrees_of_freedom / 2.0;
    // Also what is no number.
    if !(shape > 0.0 && shape.is_finite()) {
        return 0.0;
    }
    if shape >= 1.0 {
        return 2.0 * gamma(rng, shape);
    }
    // Of one more, shrunk by a power of a uniform number.
    let shrink = unit(rng).powf(1.0 / shape);
    2.0 * gamma(rng, shape + 1.0) * shrink
}

/// From the gamma distribution of a shape of at least 1.
fn gamma(rng: &mut impl Rng, shape: f64) -> f64 {
    // Marsaglia and Tsang, 2000: the cube of a normal number, a few of them drawn again.
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && unit(rng).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// Puts the items in an order drawn from all, each equally likely.
///
/// # Example
/// ```
/// use bayesieve::random::{shuffle, stream, Purpose};
///
/// let mut rows: Vec<u32> = (0..10).collect();
/// shuffle(&mut rows, &mut stream(1, Purpose::Split, 0));
/// assert_ne!(rows, (0..10).collect::<Vec<u32>>());
/// rows.sort();
/// assert_eq!(rows, (0..10).collect::<Vec<u32>>());
/// ```
pub fn shuffle<T>(items: &mut [T], rng: &mut impl Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(rng, last as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_and_orders_are_equally_likely() {
        let mut rng = stream(1, Purpose::Split, 0);
        let mut numbers = [0; 3];
        let mut orders = std::collections::BTreeMap::new();
        for _ in 0..6_000 {
            numbers[below(&mut rng, 3) as usize] += 1;
            let mut items = [1, 2, 3];
            shuffle(&mut items, &mut rng);
            *orders.entry(items).or_insert(0) += 1;
        }
        // 2,000 and 1,000 expected; four standard deviations are 146 and 115.
        assert!(
            numbers.iter().all(|n: &i32| n.abs_diff(2_000) < 146),
            "{numbers:?}"
        );
        assert_eq!(orders.len(), 6);
        assert!(
            orders.values().all(|n: &i32| n.abs_diff(1_000) < 115),
            "{orders:?}"
        );
    }

    #[test]
    fn units_fill_the_unit_interval() {
        let mut rng = stream(1, Purpose::Generate, 0);
        let mut tenths = [0; 10];
        for _ in 0..10_000 {
            tenths[(unit(&mut rng) * 10.0) as usize] += 1;
        }
        // 1,000 expected in each; four standard deviations are 120.
        assert!(
            tenths.iter().all(|n: &i32| n.abs_diff(1_000) < 120),
            "{tenths:?}"
        );
    }

    /// Mean and variance of 20,000 draws.
    fn moments(mut draw: impl FnMut() -> f64) -> (f64, f64) {
        let n = 20_000;
        let draws: Vec<f64> = (0..n).map(|_| draw()).collect();
        let mean = draws.iter().sum::<f64>() / f64::from(n);
        let square = |x: &f64| (x - mean).powi(2);
        (mean, draws.iter().map(square).sum::<f64>() / f64::from(n))
    }

    #[test]
    fn normal_and_chi_square_numbers_have_their_moments() {
        let mut rng = stream(1, Purpose::Trial, 0);
        // Four standard errors: 1 / sqrt(n) for the mean, sqrt(2 / n) for the variance.
        let (mean, variance) = moments(|| normal(&mut rng));
        assert!(mean.abs() < 0.029 && (variance - 1.0).abs() < 0.04);
        for k in [0.3, 1.0, 2.0, 11.0, 600.0] {
            let (mean, variance) = moments(|| chi_square(&mut rng, k));
            // The fourth central moment is 12 k (k + 4), so that of the variance is
            // sqrt((12 k (k + 4) - 4 k^2) / n).
            let n = 20_000f64;
            let error = 4.0 * (2.0 * k / n).sqrt();
            assert!((mean - k).abs() < error, "{k}: {mean}");
            let error = 4.0 * ((8.0 * k * k + 48.0 * k) / n).sqrt();
            assert!((variance - 2.0 * k).abs() < error, "{k}: {variance}");
        }
        for k in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(chi_square(&mut rng, k), 0.0);
        }
    }

    #[test]
    fn no_choice_is_zero() {
        let mut rng = stream(1, Purpose::Split, 0);
        assert_eq!([below(&mut rng, 0), below(&mut rng, 1)], [0, 0]);
    }
}
