//! The innermost loops, once per instruction set, chosen at run time.
//!
//! Three operations carry all fast counting: turn a column of bytes into one bit per row
//! (`equal_masks`), bring bits into group order (`extract`), and count the ones that two
//! bitmaps share (`count_pair`). The portable version of each is the definition; the
//! others are tested against it on every machine that can run them.
//!
//! This is the only module that may hold `unsafe`: calls of functions compiled for an
//! instruction set that was detected, and vector loads.

use std::ops::Range;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

/// An instruction set this machine has. It never changes an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstructionSet(InstructionKind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InstructionKind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// A run of words in each of a column's bitmaps.
#[derive(Debug, Clone, Copy)]
pub struct MapRun<'a> {
    /// All bitmaps of the column, one behind the other.
    pub words: &'a [u64],
    /// Words per bitmap.
    pub stride: usize,
    /// Number of bitmaps.
    pub n_maps: usize,
    /// First word of the run.
    pub start: usize,
    /// One behind the last word of the run.
    pub end: usize,
}

/// The bitmaps of two columns whose groups are short runs of words.
#[derive(Debug, Clone, Copy)]
pub struct GroupedPair<'a> {
    /// The bitmaps of the first column, all words.
    pub a: MapRun<'a>,
    /// Those of the second.
    pub b: MapRun<'a>,
    /// The words of every group.
    pub groups: &'a [Range<usize>],
    /// Cells of one group's table.
    pub n_cells: usize,
    /// Cells of one row of it.
    pub row: usize,
}

impl<'a> MapRun<'a> {
    /// The same bitmaps over other words.
    #[inline(always)]
    fn over(&self, words: &Range<usize>) -> Self {
        MapRun {
            start: words.start,
            end: words.end,
            ..*self
        }
    }

    #[inline(always)]
    fn map(&self, value: usize) -> &'a [u64] {
        let at = value * self.stride;
        &self.words[at + self.start..at + self.end]
    }
}

impl InstructionSet {
    /// The best one of this machine.
    pub fn detect() -> Self {
        Self::available()
            .pop()
            .unwrap_or(InstructionSet(InstructionKind::Portable))
    }

    /// All that this machine has, the best last.
    pub fn available() -> Vec<Self> {
        #[allow(unused_mut, reason = "more is pushed on x86-64 only")]
        let mut sets = vec![InstructionSet(InstructionKind::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("bmi2")
            {
                sets.push(InstructionSet(InstructionKind::Avx2));
                if is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vpopcntdq")
                {
                    sets.push(InstructionSet(InstructionKind::Avx512));
                }
            }
        }
        sets
    }

    /// Its name, for benchmarks and bug reports.
    pub fn name(self) -> &'static str {
        match self.0 {
            InstructionKind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            InstructionKind::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            InstructionKind::Avx512 => "AVX-512",
        }
    }

    /// Whether [`InstructionSet::extract`] is fast enough to use.
    pub fn has_bit_extract(self) -> bool {
        self.0 != InstructionKind::Portable
    }

    /// How many AND+popcount passes over the rows cost as much as one histogram pass.
    pub fn passes_per_histogram(self) -> usize {
        // Measured by `cargo bench --bench counts`: nanoseconds per row of the histogram
        // loop over those of one pass. Rounded down: a wrong guess costs little here.
        match self.0 {
            InstructionKind::Portable => 24,
            #[cfg(target_arch = "x86_64")]
            InstructionKind::Avx2 => 100,
            #[cfg(target_arch = "x86_64")]
            InstructionKind::Avx512 => 200,
        }
    }

    /// For every pair of bitmaps of the two runs, adds the number of ones they share:
    /// `out[va * row + vb]`.
    #[allow(unsafe_code)]
    pub fn count_pair(self, a: MapRun<'_>, b: MapRun<'_>, out: &mut [u64], row: usize) {
        debug_assert_eq!(a.end - a.start, b.end - b.start);
        match self.0 {
            InstructionKind::Portable => portable::count_pair(a, b, out, row),
            // SAFETY: these kinds are only made by `available`, after detection.
            #[cfg(target_arch = "x86_64")]
            InstructionKind::Avx2 => unsafe { avx2::count_pair(a, b, out, row) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            InstructionKind::Avx512 => unsafe { avx512::count_pair(a, b, out, row) },
        }
    }

    /// As [`InstructionSet::count_pair`] for every group, in one call: for tables of few
    /// rows, where a call per group costs more than the counting.
    #[allow(unsafe_code)]
    pub fn count_groups(self, pair: GroupedPair<'_>, out: &mut [u64]) {
        match self.0 {
            InstructionKind::Portable => portable::count_groups(pair, out),
            // SAFETY: these kinds are only made by `available`, after detection; the
            // AVX-512 kind implies the AVX2 one.
            #[cfg(target_arch = "x86_64")]
            InstructionKind::Avx2 | InstructionKind::Avx512 => unsafe {
                avx2::count_groups(pair, out)
            },
        }
    }

    /// One bit per row: whether its code is `value`. Bits behind the last row are 0.
    #[allow(unsafe_code)]
    pub fn equal_masks(self, codes: &[u8], value: u8, out: &mut [u64]) {
        debug_assert_eq!(out.len(), codes.len().div_ceil(64));
        match self.0 {
            InstructionKind::Portable => portable::equal_masks(codes, value, out),
            // SAFETY: these kinds are only made by `available`, after detection.
            #[cfg(target_arch = "x86_64")]
            InstructionKind::Avx2 => unsafe { avx2::equal_masks(codes, value, out) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            InstructionKind::Avx512 => unsafe { avx512::equal_masks(codes, value, out) },
        }
    }

    /// Appends to `writer` the bits of `masks` that stand where `group` has a one.
    #[allow(unsafe_code)]
    pub fn extract(self, masks: &[u64], group: &[u64], writer: &mut BitWriter<'_>) {
        match self.0 {
            InstructionKind::Portable => portable::extract(masks, group, writer),
            // SAFETY: these kinds are only made by `available`, after detection; the
            // AVX-512 kind implies the AVX2 one.
            #[cfg(target_arch = "x86_64")]
            InstructionKind::Avx2 | InstructionKind::Avx512 => unsafe {
                avx2::extract(masks, group, writer)
            },
        }
    }
}

/// Writes bits one behind the other into words.
#[derive(Debug)]
pub struct BitWriter<'a> {
    words: &'a mut [u64],
    word: usize,
    used: u32,
    pending: u64,
}

impl<'a> BitWriter<'a> {
    /// A writer at the first bit of `words`, which must be all zero.
    pub fn new(words: &'a mut [u64]) -> Self {
        BitWriter {
            words,
            word: 0,
            used: 0,
            pending: 0,
        }
    }

    /// Appends the lowest `n` bits; the others must be 0.
    #[inline(always)]
    fn push(&mut self, bits: u64, n: u32) {
        self.pending |= bits << self.used;
        let used = self.used + n;
        if used >= 64 {
            self.words[self.word] = self.pending;
            self.word += 1;
            // A shift by 64 would be a shift by 0: used = 0 leaves nothing over.
            self.pending = if self.used == 0 {
                0
            } else {
                bits >> (64 - self.used)
            };
            self.used = used - 64;
        } else {
            self.used = used;
        }
    }

    /// Writes the last, partly filled word.
    pub fn finish(self) {
        if self.used > 0 {
            self.words[self.word] = self.pending;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Lengths around every block size of every path.
    const LENGTHS: [usize; 14] = [0, 1, 3, 4, 7, 8, 9, 31, 32, 33, 63, 64, 65, 513];

    fn words(len: usize, seed: u64) -> Vec<u64> {
        // A full-period multiplicative generator is random enough for bits.
        let mut state = seed | 1;
        (0..len)
            .map(|_| {
                state = state.wrapping_mul(0xD129_0AB5_2F1B_5A35).rotate_left(23) ^ seed;
                state
            })
            .collect()
    }

    #[test]
    fn groups_at_once_are_counted_like_group_by_group() {
        let groups = [0..3, 3..3, 3..11, 11..12];
        for set in InstructionSet::available() {
            for (n_a, n_b) in [(0, 2), (1, 1), (1, 3), (2, 2), (3, 2), (3, 5), (4, 4)] {
                let (a, b) = (words(12 * n_a, 3), words(12 * n_b, 4));
                let run = |words, n_maps, range: &Range<usize>| MapRun {
                    words,
                    stride: 12,
                    n_maps,
                    start: range.start,
                    end: range.end,
                };
                // One cell more in every direction, as for a last value.
                let (row, n_cells) = (n_b + 1, (n_a + 1) * (n_b + 1));
                let mut expected = vec![0; groups.len() * n_cells];
                for (range, out) in groups.iter().zip(expected.chunks_mut(n_cells)) {
                    portable::count_pair(run(&a, n_a, range), run(&b, n_b, range), out, row);
                }
                let pair = GroupedPair {
                    a: run(&a, n_a, &(0..12)),
                    b: run(&b, n_b, &(0..12)),
                    groups: &groups,
                    n_cells,
                    row,
                };
                let mut out = vec![0; groups.len() * n_cells];
                set.count_groups(pair, &mut out);
                assert_eq!(out, expected, "{} {n_a} {n_b}", set.name());
            }
        }
    }

    #[test]
    fn every_path_counts_pairs_like_the_portable_one() {
        for set in InstructionSet::available() {
            for len in LENGTHS {
                let (a, b) = (words(3 * len, 5), words(2 * len, 9));
                let run = |words, n_maps| MapRun {
                    words,
                    stride: len,
                    n_maps,
                    start: 0,
                    end: len,
                };
                let mut expected = vec![0; 12];
                for va in 0..3 {
                    for vb in 0..2 {
                        let ones = (0..len).map(|i| a[va * len + i] & b[vb * len + i]);
                        expected[va * 4 + vb] = ones.map(|w| u64::from(w.count_ones())).sum();
                    }
                }
                let mut out = vec![0; 12];
                set.count_pair(run(&a, 3), run(&b, 2), &mut out, 4);
                assert_eq!(out, expected, "{} at {len} words", set.name());
            }
        }
    }

    #[test]
    fn all_ones_overflow_no_lane() {
        // Byte counters inside a vector would overflow at 256: 4,096 full words show it.
        let full = vec![u64::MAX; 4096];
        let run = MapRun {
            words: &full,
            stride: 4096,
            n_maps: 1,
            start: 0,
            end: 4096,
        };
        for set in InstructionSet::available() {
            let mut out = [0];
            set.count_pair(run, run, &mut out, 1);
            assert_eq!(out[0], 4096 * 64, "{}", set.name());
        }
    }

    proptest! {
        #[test]
        fn every_path_compares_like_the_portable_one(
            codes in prop::collection::vec(0u8..4, 0..300), value in 0u8..4,
        ) {
            let mut expected = vec![0; codes.len().div_ceil(64)];
            for (row, &code) in codes.iter().enumerate() {
                expected[row / 64] |= u64::from(code == value) << (row % 64);
            }
            for set in InstructionSet::available() {
                let mut out = vec![u64::MAX; expected.len()];
                set.equal_masks(&codes, value, &mut out);
                prop_assert_eq!(&out, &expected, "{}", set.name());
            }
        }

        #[test]
        fn every_path_extracts_bits_in_order(
            pairs in prop::collection::vec((any::<u64>(), any::<u64>(), 0u8..4), 0..9),
        ) {
            let masks: Vec<u64> = pairs.iter().map(|p| p.0).collect();
            // Empty and full words are the edges of the writer.
            let group: Vec<u64> = pairs
                .iter()
                .map(|p| match p.2 { 0 => 0, 1 => u64::MAX, _ => p.1 })
                .collect();
            let mut bits = Vec::new();
            for (mask, group) in masks.iter().zip(&group) {
                bits.extend((0..64).filter(|i| group >> i & 1 == 1).map(|i| mask >> i & 1));
            }
            let mut expected = vec![0u64; bits.len().div_ceil(64)];
            for (i, bit) in bits.iter().enumerate() {
                expected[i / 64] |= bit << (i % 64);
            }
            for set in InstructionSet::available() {
                let mut out = vec![0; expected.len()];
                let mut writer = BitWriter::new(&mut out);
                set.extract(&masks, &group, &mut writer);
                writer.finish();
                prop_assert_eq!(&out, &expected, "{}", set.name());
            }
        }
    }
}
