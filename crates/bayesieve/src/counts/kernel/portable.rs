//! The plain version of every kernel: the definition the others must meet.

use super::{BitWriter, MapRun};

pub(super) fn count_pair(a: MapRun<'_>, b: MapRun<'_>, out: &mut [u64], row: usize) {
    for va in 0..a.n_maps {
        for vb in 0..b.n_maps {
            out[va * row + vb] += and_popcount(a.map(va), b.map(vb));
        }
    }
}

/// Ones in common. Inlined into the vector paths too, for their short ends.
///
/// A plain loop on purpose: the closures of an iterator chain may stay functions of
/// their own, compiled without the caller's instructions.
#[inline(always)]
pub(super) fn and_popcount(a: &[u64], b: &[u64]) -> u64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut ones = 0;
    for i in 0..n {
        ones += u64::from((a[i] & b[i]).count_ones());
    }
    ones
}

#[inline(always)]
pub(super) fn equal_masks(codes: &[u8], value: u8, out: &mut [u64]) {
    for (codes, out) in codes.chunks(64).zip(out) {
        let mut mask = 0;
        for (i, &code) in codes.iter().enumerate() {
            mask |= u64::from(code == value) << i;
        }
        *out = mask;
    }
}

pub(super) fn extract(masks: &[u64], group: &[u64], writer: &mut BitWriter<'_>) {
    for (&mask, &group) in masks.iter().zip(group) {
        let (mut bits, mut n, mut rest) = (0, 0, group);
        while rest != 0 {
            bits |= (mask >> rest.trailing_zeros() & 1) << n;
            n += 1;
            rest &= rest - 1;
        }
        writer.push(bits, n);
    }
}
