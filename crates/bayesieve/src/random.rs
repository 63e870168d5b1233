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

    #[test]
    fn no_choice_is_zero() {
        let mut rng = stream(1, Purpose::Split, 0);
        assert_eq!([below(&mut rng, 0), below(&mut rng, 1)], [0, 0]);
    }
}
