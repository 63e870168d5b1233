//! AVX-512 with BW and VPOPCNTDQ.
//!
//! The popcount loop is the portable one: compiled with these features it becomes
//! vector popcounts, as fast as intrinsics.
#![allow(unsafe_code)]

use std::arch::x86_64::{_mm512_cmpeq_epi8_mask, _mm512_loadu_si512, _mm512_set1_epi8};

use super::{MapRun, portable};

#[target_feature(enable = "avx512f,avx512bw,avx512vpopcntdq,popcnt")]
pub(super) fn count_pair(a: MapRun<'_>, b: MapRun<'_>, out: &mut [u64], row: usize) {
    for va in 0..a.n_maps {
        let words = a.map(va);
        for vb in 0..b.n_maps {
            out[va * row + vb] += portable::and_popcount(words, b.map(vb));
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vpopcntdq,popcnt")]
pub(super) fn equal_masks(codes: &[u8], value: u8, out: &mut [u64]) {
    let wanted = _mm512_set1_epi8(value.cast_signed());
    let (blocks, rest) = codes.as_chunks::<64>();
    for (block, out) in blocks.iter().zip(out.iter_mut()) {
        // SAFETY: a block holds the 64 bytes that an unaligned load reads.
        let block = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
        *out = _mm512_cmpeq_epi8_mask(block, wanted);
    }
    portable::equal_masks(rest, value, &mut out[blocks.len()..]);
}
