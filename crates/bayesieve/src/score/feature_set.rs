//! A set of features, as bits.

use std::fmt;

use crate::{Error, Result};

/// A set of the features `0..n`.
///
/// Sets compare by their bits, so that they can be sorted and looked up.
///
/// # Example
/// ```
/// use bayesieve::score::FeatureSet;
///
/// let set = FeatureSet::of(8, [5, 1])?;
/// assert!(set.contains(5));
/// assert_eq!(set.iter().collect::<Vec<_>>(), [1, 5]);
/// assert_eq!(set.with(2).len(), 3);
/// assert_eq!(set.without(1).to_string(), "{5}");
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureSet {
    n_features: usize,
    words: Vec<u64>,
}

impl FeatureSet {
    /// No feature of `n_features`.
    pub fn empty(n_features: usize) -> Self {
        FeatureSet {
            n_features,
            words: vec![0; n_features.div_ceil(64)],
        }
    }

    /// All features.
    pub fn full(n_features: usize) -> Self {
        let mut set = FeatureSet::empty(n_features);
        (0..n_features).for_each(|feature| set.insert(feature));
        set
    }

    /// Some features.
    ///
    /// # Errors
    /// A feature that is not below `n_features`.
    pub fn of(n_features: usize, features: impl IntoIterator<Item = usize>) -> Result<Self> {
        let mut set = FeatureSet::empty(n_features);
        for feature in features {
            if feature >= n_features {
                return Err(Error::internal(format!(
                    "feature {feature} of {n_features}"
                )));
            }
            set.insert(feature);
        }
        Ok(set)
    }

    /// How many features there are to choose from.
    pub fn n_features(&self) -> usize {
        self.n_features
    }

    /// Number of features in the set.
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Whether no feature is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Bytes of its bits.
    pub(crate) fn n_bytes(&self) -> usize {
        size_of_val(&self.words[..])
    }

    /// The bits of `n` features from one on, at most 64.
    pub(crate) fn bits(&self, from: usize, n: usize) -> u64 {
        let word = |place: usize| self.words.get(place).copied().unwrap_or(0);
        let (place, shift) = (from / 64, from % 64);
        let low = word(place) >> shift;
        let high = if shift == 0 {
            0
        } else {
            word(place + 1) << (64 - shift)
        };
        (low | high) & (u64::MAX >> (64 - n.clamp(1, 64)))
    }

    /// Whether a feature is in the set.
    pub fn contains(&self, feature: usize) -> bool {
        let word = self.words.get(feature / 64);
        word.is_some_and(|word| word >> (feature % 64) & 1 == 1)
    }

    /// Puts a feature in.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn insert(&mut self, feature: usize) {
        self.words[feature / 64] |= self.bit(feature);
    }

    /// Takes a feature out.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn remove(&mut self, feature: usize) {
        self.words[feature / 64] &= !self.bit(feature);
    }

    /// The bit of a feature in its word.
    fn bit(&self, feature: usize) -> u64 {
        let n = self.n_features;
        assert!(feature < n, "feature {feature} of {n}");
        1 << (feature % 64)
    }

    /// The set with one more feature.
    ///
    /// # Panics
    /// If there is no such feature.
    #[must_use]
    pub fn with(&self, feature: usize) -> Self {
        let mut set = self.clone();
        set.insert(feature);
        set
    }

    /// The set without a feature.
    ///
    /// # Panics
    /// If there is no such feature.
    #[must_use]
    pub fn without(&self, feature: usize) -> Self {
        let mut set = self.clone();
        set.remove(feature);
        set
    }
    /// The set changed by each feature: one in it leaves, another one joins.
    pub fn changed(&self, features: &[usize]) -> Vec<Self> {
        let change = |&feature: &usize| {
            if self.contains(feature) {
                self.without(feature)
            } else {
                self.with(feature)
            }
        };
        features.iter().map(change).collect()
    }

    /// The features in the set, in column order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(place, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest.wrapping_sub(1);
                (bit < 64).then_some(place * 64 + bit)
            })
        })
    }
}

impl fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (place, feature) in self.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            write!(f, "{comma}{feature}")?;
        }
        f.write_str("}")
    }
}

impl fmt::Debug for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_the_last_word_come_back() {
        let set = FeatureSet::of(130, [0, 63, 64, 129]).unwrap();
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 129]);
        assert_eq!(set.len(), 4);
        assert!(!set.contains(128) && !set.contains(1_000));
        assert!(FeatureSet::of(130, [130]).is_err());
        assert_eq!(FeatureSet::full(130).len(), 130);
        assert!(FeatureSet::empty(0).is_empty());
    }
}
