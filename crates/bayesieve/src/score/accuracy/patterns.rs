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

/// A set has no feature of the group.
const NONE: u32 = u32::MAX;

/// The combinations of features that occur in some sets.
pub(super) struct Patterns {
    /// Every combination, as a list of features; the groups stand one behind the other.
    pub(super) combinations: Vec<Combination>,
    /// The combinations of one set after the other, one per group in which it has features.
    numbers: Vec<u32>,
    /// Where those of every set end.
    ends: Vec<usize>,
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
        let starts: Vec<usize> = (0..n_features).step_by(GROUP).collect();
        let mut combinations = Vec::new();
        // By group and set; a group has few combinations, however many sets there are.
        let by_group: Vec<Vec<u32>> = starts
            .iter()
            .map(|&first| {
                let mut known = [NONE; 1 << GROUP];
                let numbers = sets.iter().map(|set| {
                    let bits = set.bits(first, GROUP);
                    let number = &mut known[bits as usize];
                    if bits > 0 && *number == NONE {
                        *number = combinations.len() as u32;
                        combinations.push(Combination { first, bits });
                    }
                    *number
                });
                numbers.collect()
            })
            .collect();
        let (mut numbers, mut ends) = (Vec::new(), Vec::with_capacity(sets.len()));
        for set in 0..sets.len() {
            let of_set = by_group.iter().map(|group| group[set]);
            numbers.extend(of_set.filter(|&number| number != NONE));
            ends.push(numbers.len());
        }
        Patterns {
            combinations,
            numbers,
            ends,
        }
    }

    /// Of every set, the numbers of its combinations, rising.
    pub(super) fn of_sets(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let numbers = &self.numbers[start..end];
            start = end;
            numbers
        })
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
                .map(|&number| &patterns.combinations[number as usize]);
            let features: Vec<usize> = combinations.flat_map(Combination::features).collect();
            assert_eq!(features, set.iter().collect::<Vec<_>>());
        }
        // {0,5} and all six in the first group; {6} and all six in the second; {14} and all
        // three in the third.
        assert_eq!(patterns.combinations.len(), 6);
        assert_eq!(patterns.features(), (0..n).collect::<Vec<_>>());
    }
}
