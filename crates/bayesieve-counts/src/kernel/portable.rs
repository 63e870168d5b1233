//! The plain version of every kernel: the definition the others must meet.

use super::{BitWriter, GroupedPair, MapRun};

pub(super) fn count_pair(a: MapRun<'_>, b: MapRun<'_>, out: &mut [u64], row: usize) {
    for va in 0..a.n_maps {
        for vb in 0..b.n_maps {
            out[va * row + vb] += and_popcount(a.map(va), b.map(vb));
        }
    }
}

/// Two bitmaps of either column at a time, so that every word is read half as often.
#[inline(always)]
pub(super) fn count_groups(pair: GroupedPair<'_>, out: &mut [u64]) {
    for (words, out) in pair.groups.iter().zip(out.chunks_mut(pair.n_cells)) {
        let (a, b, row) = (pair.a.over(words), pair.b.over(words), pair.row);
        let (even_a, even_b) = (a.n_maps & !1, b.n_maps & !1);
        for va in (0..even_a).step_by(2) {
            for vb in (0..even_b).step_by(2) {
                let maps = [a.map(va), a.map(va + 1), b.map(vb), b.map(vb + 1)];
                let ones = four_and_popcounts(maps);
                out[va * row + vb] += ones[0];
                out[va * row + vb + 1] += ones[1];
                out[(va + 1) * row + vb] += ones[2];
                out[(va + 1) * row + vb + 1] += ones[3];
            }
        }
        for va in 0..a.n_maps {
            // What the squares above left over.
            let first = if va < even_a { even_b } else { 0 };
            for vb in first..b.n_maps {
                out[va * row + vb] += and_popcount(a.map(va), b.map(vb));
            }
        }
    }
}

/// Ones in common of each of the first two with each of the last two.
#[inline(always)]
fn four_and_popcounts([a, a_next, b, b_next]: [&[u64]; 4]) -> [u64; 4] {
    let n = a.len();
    let (a_next, b, b_next) = (&a_next[..n], &b[..n], &b_next[..n]);
    let mut ones = [0; 4];
    for i in 0..n {
        ones[0] += u64::from((a[i] & b[i]).count_ones());
        ones[1] += u64::from((a[i] & b_next[i]).count_ones());
        ones[2] += u64::from((a_next[i] & b[i]).count_ones());
        ones[3] += u64::from((a_next[i] & b_next[i]).count_ones());
    }
    ones
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
