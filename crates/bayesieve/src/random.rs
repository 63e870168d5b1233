//! One seed for a whole run, split by purpose.
//!
//! Two purposes never share random numbers, so adding a draw in one place cannot change
//! another; and a thread never owns a stream, so the number of threads cannot matter.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// What random numbers are for. Each purpose has its own stream of the seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// Splitting rows into parts.
    Split,
    /// Making artificial data.
    Generate,
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
