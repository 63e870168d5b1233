//! Sets of nodes as rows of bits.

/// A square of bits.
#[derive(Debug, Clone)]
pub(super) struct BitRows {
    /// Words of a row.
    stride: usize,
    words: Vec<u64>,
}

impl BitRows {
    pub(super) fn new(n: usize) -> Self {
        let stride = n.div_ceil(64);
        BitRows {
            stride,
            words: vec![0; n * stride],
        }
    }

    pub(super) fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.stride..(row + 1) * self.stride]
    }

    pub(super) fn has(&self, row: usize, column: usize) -> bool {
        self.row(row)[column / 64] >> (column % 64) & 1 == 1
    }

    pub(super) fn set(&mut self, row: usize, column: usize, value: bool) {
        let word = &mut self.words[row * self.stride + column / 64];
        let bit = 1 << (column % 64);
        *word = if value { *word | bit } else { *word & !bit };
    }

    /// Adds the bits of a set to a row.
    pub(super) fn add(&mut self, row: usize, set: &[u64]) {
        let words = &mut self.words[row * self.stride..(row + 1) * self.stride];
        words
            .iter_mut()
            .zip(set)
            .for_each(|(word, new)| *word |= new);
    }
}
