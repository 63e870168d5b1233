//! Selected sets by bit: counts of one bit and of two by AND and popcount.

use super::Individual;
use crate::counts::CountColumn;
use crate::data::Codes;
use crate::info::entropy;

/// A column of bits for every place, with one bit per set.
pub(super) struct BitColumns {
    pub(super) n_sets: usize,
    pub(super) n_bits: usize,
    /// Words of one column.
    stride: usize,
    words: Vec<u64>,
    /// Ones of every column.
    ones: Vec<u64>,
}

impl BitColumns {
    /// Of sets over the places `0..n_bits`.
    pub(super) fn new(sets: &[Individual], n_bits: usize) -> Self {
        let stride = sets.len().div_ceil(64);
        let (mut words, mut ones) = (vec![0; n_bits * stride], vec![0; n_bits]);
        for (row, set) in sets.iter().enumerate() {
            for bit in set.bits.iter() {
                ones[bit] += 1;
                words[bit * stride + row / 64] |= 1 << (row % 64);
            }
        }
        BitColumns {
            n_sets: sets.len(),
            n_bits,
            stride,
            words,
            ones,
        }
    }

    fn column(&self, bit: usize) -> &[u64] {
        &self.words[bit * self.stride..(bit + 1) * self.stride]
    }

    /// Whether a set holds a bit.
    pub(super) fn holds(&self, set: usize, bit: usize) -> bool {
        self.column(bit)[set / 64] >> (set % 64) & 1 == 1
    }

    /// Sets without and with a bit.
    pub(super) fn count(&self, bit: usize) -> [u64; 2] {
        let ones = self.ones[bit];
        [self.n_sets as u64 - ones, ones]
    }

    /// Sets with neither bit, the second only, the first only, both.
    pub(super) fn count_pair(&self, first: usize, second: usize) -> [u64; 4] {
        let words = self.column(first).iter().zip(self.column(second));
        let both: u64 = words.map(|(x, y)| u64::from((x & y).count_ones())).sum();
        let [without_first, with_first] = self.count(first);
        let [_, with_second] = self.count(second);
        let second_only = with_second - both;
        let neither = without_first - second_only;
        [neither, second_only, with_first - both, both]
    }

    /// The entropy of a bit.
    pub(super) fn entropy(&self, bit: usize) -> f64 {
        entropy(&self.count(bit))
    }

    /// The entropy of two bits together.
    pub(super) fn joint_entropy(&self, first: usize, second: usize) -> f64 {
        entropy(&self.count_pair(first, second))
    }

    /// The columns as codes 0 and 1.
    pub(super) fn codes(&self) -> Vec<Codes> {
        (0..self.n_bits)
            .map(|bit| {
                Codes::U8(
                    (0..self.n_sets)
                        .map(|set| self.holds(set, bit).into())
                        .collect(),
                )
            })
            .collect()
    }
}

/// Codes 0 and 1, to be counted.
pub(super) fn count_columns(codes: &[Codes]) -> Vec<CountColumn<'_>> {
    let column = |codes| CountColumn { codes, n_values: 2 };
    codes.iter().map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{EXAMPLE, columns};

    #[test]
    fn pairs_of_the_example_are_counted() {
        let columns = columns(&EXAMPLE);
        assert_eq!((columns.n_sets, columns.n_bits), (8, 3));
        assert_eq!(
            [0, 1, 2].map(|bit| columns.count(bit)),
            [[4, 4], [4, 4], [6, 2]]
        );
        assert_eq!(columns.count_pair(0, 1), [4, 0, 0, 4]);
        // 000 000 000 and 001 without the first, 110 110 110 and 111 with it.
        assert_eq!(columns.count_pair(0, 2), [3, 1, 3, 1]);
        assert_eq!(columns.count_pair(2, 0), [3, 3, 1, 1]);
    }

    #[test]
    fn more_sets_than_bits_of_a_word_are_counted() {
        // 130 sets, the second bit in every fifth, the first in all.
        let rows: Vec<&str> = (0..130)
            .map(|i| if i % 5 == 0 { "11" } else { "10" })
            .collect();
        let columns = columns(&rows);
        assert_eq!(columns.count_pair(0, 1), [0, 0, 104, 26]);
        assert!(columns.holds(125, 1) && !columns.holds(129, 1));
    }
}
