//! One bit per row and value, in group order.

use super::groups::Groups;
use super::kernel::{BitWriter, InstructionSet, MapRun};

/// Above this many groups it is cheaper to move the bytes than to extract bits per group.
const MAX_EXTRACTED_GROUPS: usize = 8;

/// Words compared at a time, so that the masks stay in the nearest cache.
const STRIP_WORDS: usize = 256;

/// The bitmaps of a column's first `n_maps` values.
#[derive(Debug)]
pub(super) struct Bitmaps {
    words: Vec<u64>,
    stride: usize,
    n_maps: usize,
}

impl Bitmaps {
    pub(super) fn new(codes: &[u8], n_maps: usize, groups: &Groups, set: InstructionSet) -> Self {
        let stride = groups.n_words();
        let mut maps = Bitmaps {
            words: vec![0; stride * n_maps],
            stride,
            n_maps,
        };
        if stride == 0 {
            return maps;
        }
        if set.has_bit_extract() && groups.n_groups() <= MAX_EXTRACTED_GROUPS {
            maps.extract(codes, groups, set);
        } else {
            maps.permute(codes, groups, set);
        }
        maps
    }

    /// Compares in row order, then brings the bits into group order.
    fn extract(&mut self, codes: &[u8], groups: &Groups, set: InstructionSet) {
        let masks = groups.masks(set);
        let mask_stride = groups.n_rows().div_ceil(64);
        let mut strip = [0; STRIP_WORDS];
        for (value, map) in self.words.chunks_mut(self.stride).enumerate() {
            let mut writers = Vec::with_capacity(groups.n_groups());
            let mut rest = map;
            for group in 0..groups.n_groups() {
                let (part, behind) = rest.split_at_mut(groups.words(group).len());
                writers.push(BitWriter::new(part));
                rest = behind;
            }
            for (at, codes) in codes.chunks(STRIP_WORDS * 64).enumerate() {
                let strip = &mut strip[..codes.len().div_ceil(64)];
                set.equal_masks(codes, value as u8, strip);
                for (group, writer) in writers.iter_mut().enumerate() {
                    let start = group * mask_stride + at * STRIP_WORDS;
                    set.extract(strip, &masks[start..start + strip.len()], writer);
                }
            }
            writers.into_iter().for_each(BitWriter::finish);
        }
    }

    /// Brings the bytes into group order, then compares.
    fn permute(&mut self, codes: &[u8], groups: &Groups, set: InstructionSet) {
        // No value has the code of a missing cell, so padding matches none.
        let mut ordered = vec![u8::MAX; self.stride * 64];
        for (&code, &place) in codes.iter().zip(groups.places()) {
            ordered[place as usize] = code;
        }
        for (value, map) in self.words.chunks_mut(self.stride).enumerate() {
            set.equal_masks(&ordered, value as u8, map);
        }
    }

    pub(super) fn run(&self, words: std::ops::Range<usize>) -> MapRun<'_> {
        MapRun {
            words: &self.words,
            stride: self.stride,
            n_maps: self.n_maps,
            start: words.start,
            end: words.end,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::codes::Codes;

    proptest! {
        #[test]
        fn both_ways_to_build_give_the_same_bits(
            rows in prop::collection::vec((0u8..4, 0u32..3), 0..300),
        ) {
            let codes: Vec<u8> = rows.iter().map(|r| r.0).collect();
            let class = Codes::new(3, rows.iter().map(|r| Some(r.1)));
            let groups = Groups::new(&class, 3).unwrap();
            for set in InstructionSet::available() {
                let blank = || Bitmaps {
                    words: vec![0; groups.n_words() * 3],
                    stride: groups.n_words(),
                    n_maps: 3,
                };
                if groups.n_words() == 0 {
                    continue;
                }
                let (mut extracted, mut permuted) = (blank(), blank());
                extracted.extract(&codes, &groups, set);
                permuted.permute(&codes, &groups, set);
                prop_assert_eq!(&extracted.words, &permuted.words, "{}", set.name());
            }
        }
    }
}
