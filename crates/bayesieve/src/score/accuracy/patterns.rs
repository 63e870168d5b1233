//! Many sets as sums of few: features in groups, and the ways a group occurs in the sets.
//!
//! The product of a 0/1 matrix (sets by features) and a matrix of numbers (features by rows)
//! after Arlazarov, Dinic, Kronrod and Faradzev, 1970 ("four Russians"): the features are
//! divided into groups, every combination of a group that occurs is summed once, and a set
//! is the sum of one combination per group. The order of additions depends on the set alone,
//! never on the other sets.

use crate::score::FeatureSet;

/// Features of a group: at most 64 combinations of them, which stay in the cache.
const GROUP: usize = 6;

/// The combinations of features that occur in some sets.
pub(super) struct Patterns {
    /// Every combination, as a list of features; the groups stand one behind the other.
    combinations: Vec<Combination>,
    /// Of every set: its combinations, one per group in which it has features.
    of_sets: Vec<Vec<u32>>,
}

/// Features of one group that occur together.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Combination {
    first: usize,
    bits: u64,
}

impl Combination {
    /// Its features, rising.
    pub(super) fn features(&self) -> impl Iterator<Item = usize> {
        let (first, bits) = (self.first, self.bits);
        (0..GROUP)
            .filter(move |place| bits >> place & 1 == 1)
            .map(move |place| first + place)
    }
}

impl Patterns {
    pub(super) fn new(sets: &[FeatureSet], n_features: usize) -> Self {
        let mut combinations = Vec::new();
        let mut of_sets = vec![Vec::new(); sets.len()];
        for first in (0..n_features).step_by(GROUP) {
            // By bits; a group has few combinations, however many sets there are.
            let mut numbers = [u32::MAX; 1 << GROUP];
            for (set, numbers_of_set) in sets.iter().zip(&mut of_sets) {
                let bits = set.bits(first, GROUP);
                if bits == 0 {
                    continue;
                }
                let number = &mut numbers[bits as usize];
                if *number == u32::MAX {
                    *number = combinations.len() as u32;
                    combinations.push(Combination { first, bits });
                }
                numbers_of_set.push(*number);
            }
        }
        Patterns {
            combinations,
            of_sets,
        }
    }

    /// Every combination.
    pub(super) fn combinations(&self) -> &[Combination] {
        &self.combinations
    }

    /// Of every set, the numbers of its combinations.
    pub(super) fn of_sets(&self) -> &[Vec<u32>] {
        &self.of_sets
    }

    /// The features that occur in some set, rising.
    pub(super) fn features(&self) -> Vec<usize> {
        let mut features: Vec<usize> = self
            .combinations
            .iter()
            .flat_map(Combination::features)
            .collect();
        features.sort_unstable();
        features.dedup();
        features
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_is_the_union_of_its_combinations() {
        let n = 15;
        let sets = [
            vec![],
            vec![0, 5, 6],
            vec![0, 5, 14],
            vec![6],
            (0..n).collect(),
        ];
        let sets = sets.map(|features| FeatureSet::of(n, features).unwrap());
        let patterns = Patterns::new(&sets, n);
        for (set, numbers) in sets.iter().zip(patterns.of_sets()) {
            let combinations = numbers
                .iter()
                .map(|&number| &patterns.combinations()[number as usize]);
            let features: Vec<usize> = combinations.flat_map(Combination::features).collect();
            assert_eq!(features, set.iter().collect::<Vec<_>>());
        }
        // {0,5} and all six in the first group; {6} and all six in the second; {14} and all
        // three in the third.
        assert_eq!(patterns.combinations().len(), 6);
        assert_eq!(patterns.features(), (0..n).collect::<Vec<_>>());
    }
}
