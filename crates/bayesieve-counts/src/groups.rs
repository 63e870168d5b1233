//! Rows ordered by class.
//!
//! Every group is a contiguous run of bits, padded to whole words, so that a table given
//! the class costs no more than one without it.

use std::ops::Range;
use std::sync::OnceLock;

use super::histogram::count_codes;
use super::kernel::InstructionSet;
use crate::codes::{Code, Codes};
use crate::error::{Error, Result};
use crate::with_codes;

/// Words in one block: 4 KiB of each bitmap stay in the cache while a tile is counted.
const BLOCK_WORDS: usize = 512;

#[derive(Debug)]
pub(super) struct Groups {
    /// The group of every row, in row order; none is missing.
    pub(super) codes: Codes,
    sizes: Vec<u64>,
    /// First word of every group, and one behind the last.
    starts: Vec<usize>,
    masks: OnceLock<Vec<u64>>,
    places: OnceLock<Vec<u32>>,
}

impl Groups {
    /// One group per class.
    pub(super) fn new(class: &Codes, n_classes: usize) -> Result<Self> {
        let mut sizes = count_codes(class, n_classes);
        if sizes.pop() != Some(0) {
            return Err(without_class(class, n_classes));
        }
        let mut starts = vec![0];
        for size in &sizes {
            starts.push(starts[starts.len() - 1] + size.div_ceil(64) as usize);
        }
        Ok(Groups {
            codes: class.clone(),
            sizes,
            starts,
            masks: OnceLock::new(),
            places: OnceLock::new(),
        })
    }

    pub(super) fn n_groups(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn n_rows(&self) -> usize {
        self.codes.len()
    }

    /// Words of one bitmap in group order.
    pub(super) fn n_words(&self) -> usize {
        self.starts[self.n_groups()]
    }

    /// Rows of a group.
    pub(super) fn size(&self, group: usize) -> u64 {
        self.sizes[group]
    }

    /// The words of a group.
    pub(super) fn words(&self, group: usize) -> Range<usize> {
        self.starts[group]..self.starts[group + 1]
    }

    /// The words of every group.
    pub(super) fn all_words(&self) -> Vec<Range<usize>> {
        (0..self.n_groups())
            .map(|group| self.words(group))
            .collect()
    }

    /// Runs of at most one block, each inside one group.
    pub(super) fn segments(&self) -> Vec<(usize, Range<usize>)> {
        let mut segments = Vec::new();
        for group in 0..self.n_groups() {
            let words = self.words(group);
            for start in words.clone().step_by(BLOCK_WORDS) {
                segments.push((group, start..words.end.min(start + BLOCK_WORDS)));
            }
        }
        segments
    }

    /// One bitmap per group over the rows in row order, one behind the other.
    pub(super) fn masks(&self, set: InstructionSet) -> &[u64] {
        self.masks.get_or_init(|| {
            let stride = self.n_rows().div_ceil(64);
            let mut masks = vec![0; self.n_groups() * stride];
            match &self.codes {
                Codes::U8(codes) => {
                    for (group, mask) in masks.chunks_mut(stride.max(1)).enumerate() {
                        set.equal_masks(codes, group as u8, mask);
                    }
                }
                wide => {
                    for (row, group) in wide.iter().flatten().enumerate() {
                        masks[group as usize * stride + row / 64] |= 1 << (row % 64);
                    }
                }
            }
            masks
        })
    }

    /// The bit of every row in group order.
    pub(super) fn places(&self) -> &[u32] {
        fn places<C: Code>(codes: &[C], starts: &[usize]) -> Vec<u32> {
            let mut next: Vec<u32> = starts.iter().map(|&word| word as u32 * 64).collect();
            codes
                .iter()
                .map(|code| {
                    let next = &mut next[code.index()];
                    *next += 1;
                    *next - 1
                })
                .collect()
        }
        self.places
            .get_or_init(|| with_codes!(&self.codes, codes => places(codes, &self.starts)))
    }
}

/// Says what is wrong with the first row whose class is not below `n_classes`.
fn without_class(class: &Codes, n_classes: usize) -> Error {
    let row = class.iter().position(|code| code.is_none());
    match row {
        Some(row) => Error::data(format!("row {} has no class", row + 1))
            .with_hint("Rows without a class tell nothing: drop them first."),
        None => Error::internal(format!("a class code is not below {n_classes}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_starts_at_a_word() {
        // 65 rows of class 0 and 3 of class 1: two words and one.
        let class = Codes::new(2, (0..68).map(|row| Some(u32::from(row >= 65))));
        let groups = Groups::new(&class, 2).unwrap();
        assert_eq!(groups.words(0), 0..2);
        assert_eq!(groups.words(1), 2..3);
        assert_eq!(groups.places()[64..], [64, 128, 129, 130]);
    }

    #[test]
    fn a_row_without_a_class_is_refused() {
        let class = Codes::new(2, [Some(0), None]);
        let text = Groups::new(&class, 2).unwrap_err().to_string();
        assert!(text.contains("row 2 has no class"), "{text}");
    }
}
