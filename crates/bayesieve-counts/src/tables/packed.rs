//! Codes in as few bits as their values need.

use crate::codes::{Code, Codes};

/// One column's codes, packed: 1, 2, 4 or 8 bits a cell; wider ones as they are.
#[derive(Debug, Clone)]
pub(super) enum Packed {
    /// Cells of a few bits, those of a byte from its lowest bit on; the code behind the last
    /// value is a missing cell.
    Bits {
        bytes: Box<[u8]>,
        n_cells: usize,
        n_values: usize,
        width: usize,
    },
    /// More values than a byte has.
    Wide(Codes),
}

impl Packed {
    /// Packs codes below `n_values`.
    pub(super) fn new(codes: &Codes, n_values: usize) -> Self {
        match codes {
            Codes::U8(cells) => {
                let has_gaps = cells.contains(&u8::MISSING);
                let width = width_of(n_values + usize::from(has_gaps));
                let per_byte = 8 / width;
                // In a whole byte a gap stays what it is, else it is the code behind the last.
                let gap = match width {
                    8 => u8::MISSING,
                    _ => n_values as u8,
                };
                let pack = |cells: &[u8]| {
                    let cells = cells.iter().enumerate();
                    cells.fold(0, |byte, (place, &cell)| {
                        byte | (cell.min(gap) << (place * width))
                    })
                };
                Packed::Bits {
                    bytes: cells.chunks(per_byte).map(pack).collect(),
                    n_cells: cells.len(),
                    n_values,
                    width,
                }
            }
            wide => Packed::Wide(wide.clone()),
        }
    }

    /// The codes as they were.
    pub(super) fn unpack(&self) -> Codes {
        let (bytes, n_cells, n_values, width) = match self {
            Packed::Wide(codes) => return codes.clone(),
            Packed::Bits {
                bytes,
                n_cells,
                n_values,
                width,
            } => (bytes, *n_cells, *n_values, *width),
        };
        let cells = match width {
            1 => spread::<8>(bytes, n_values, n_cells),
            2 => spread::<4>(bytes, n_values, n_cells),
            4 => spread::<2>(bytes, n_values, n_cells),
            _ => bytes.to_vec(),
        };
        Codes::U8(cells)
    }

    /// Bytes it takes.
    pub(super) fn n_bytes(&self) -> u64 {
        match self {
            Packed::Bits { bytes, .. } => bytes.len() as u64,
            Packed::Wide(Codes::U8(cells)) => cells.len() as u64,
            Packed::Wide(Codes::U16(cells)) => 2 * cells.len() as u64,
            Packed::Wide(Codes::U32(cells)) => 4 * cells.len() as u64,
        }
    }
}

/// Bits of a cell that can be one of so many.
pub(super) fn width_of(n: usize) -> usize {
    match n {
        0..=2 => 1,
        3..=4 => 2,
        5..=16 => 4,
        _ => 8,
    }
}

/// Bytes of N cells each: what every byte stands for is looked up.
fn spread<const N: usize>(bytes: &[u8], n_values: usize, n_cells: usize) -> Vec<u8> {
    let width = 8 / N;
    let mut table = [[0u8; N]; 256];
    for (byte, cells) in table.iter_mut().enumerate() {
        for (place, cell) in cells.iter_mut().enumerate() {
            let code = (byte >> (place * width)) & ((1 << width) - 1);
            *cell = if code < n_values {
                code as u8
            } else {
                u8::MISSING
            };
        }
    }
    let mut out = vec![0; bytes.len() * N];
    for (cells, &byte) in out.chunks_exact_mut(N).zip(bytes) {
        cells.copy_from_slice(&table[usize::from(byte)]);
    }
    out.truncate(n_cells);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn codes_come_back_as_they_went_in(
            n_values in prop::sample::select(
                vec![0usize, 1, 2, 3, 4, 5, 15, 16, 17, 254, 255, 256, 65_535, 65_536]),
            cells in prop::collection::vec(prop::option::weighted(0.9, any::<u32>()), 0..70),
        ) {
            let cells = cells.into_iter().map(|cell| cell.and_then(|n| n.checked_rem(n_values as u32)));
            let codes = Codes::new(n_values, cells);
            let packed = Packed::new(&codes, n_values);
            prop_assert_eq!(packed.unpack(), codes);
        }
    }

    #[test]
    fn bits_take_an_eighth() {
        let packed = Packed::new(&Codes::U8(vec![1; 80]), 2);
        assert_eq!(packed.n_bytes(), 10);
        // A gap is a third value.
        let packed = Packed::new(&Codes::U8(vec![1, u8::MISSING, 0, 1]), 2);
        assert_eq!(packed.n_bytes(), 1);
        assert_eq!(packed.unpack(), Codes::U8(vec![1, u8::MISSING, 0, 1]));
    }
}
