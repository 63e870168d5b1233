//! Counting by adding one per row: for columns of many values, and as the plain reference.
//!
//! Small tables are kept four times, rows in turn: two rows in a row that hit the same
//! cell would otherwise wait for each other's store.

use crate::codes::{Code, Codes};
use crate::with_codes;

/// Tables up to this many cells are kept four times.
const LANED_CELLS: usize = 4096;

/// Rows handled at a time, so that the indices stay in the nearest cache.
const STRIP_ROWS: usize = 4096;

/// Counts of each code; the last cell, `n_values`, counts the missing ones.
pub fn count_codes(codes: &Codes, n_values: usize) -> Vec<u64> {
    fn count<C: Code>(codes: &[C], n_values: usize) -> Vec<u64> {
        let mut out = vec![0; n_values + 1];
        add(codes.iter().map(|c| c.index().min(n_values)), &mut out);
        out
    }
    with_codes!(codes, codes => count(codes, n_values))
}

/// A column to count with: its codes and number of values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis<'a> {
    pub(super) codes: &'a Codes,
    /// Number of values; a missing cell counts as one more, behind them.
    pub(super) n_values: usize,
}

/// Counts `[group][a]`, with one more value for missing cells.
pub(super) fn count_single(groups: &Codes, n_groups: usize, a: Axis<'_>) -> Vec<u64> {
    fn count<G: Code, C: Code>(groups: &[G], codes: &[C], n_values: usize, out: &mut [u64]) {
        let row = n_values + 1;
        let rows = groups.iter().zip(codes);
        let indices = rows.map(|(g, c)| g.index() * row + c.index().min(n_values));
        add(indices, out);
    }
    let mut out = vec![0; n_groups * (a.n_values + 1)];
    match (groups, a.codes) {
        (Codes::U8(groups), Codes::U8(codes)) if out.len() <= LANED_CELLS => {
            add_narrow(groups, codes, a.n_values, &mut out);
        }
        (Codes::U16(groups), Codes::U8(codes)) if out.len() <= LANED_CELLS => {
            add_narrow(groups, codes, a.n_values, &mut out);
        }
        _ => {
            let (n_values, out) = (a.n_values, &mut out);
            with_codes!(groups, groups => with_codes!(a.codes, codes => {
                count(groups, codes, n_values, out);
            }));
        }
    }
    out
}

/// Small tables of bytes: indices in 16 bits, which the compiler computes in vectors.
fn add_narrow<G: Code + Into<u16>>(groups: &[G], codes: &[u8], n_values: usize, out: &mut [u64]) {
    let n = out.len();
    let row = n_values as u16 + 1;
    let missing = n_values.min(usize::from(u8::MAX)) as u8;
    let mut indices = [0u16; STRIP_ROWS];
    let mut lanes = vec![0u32; 4 * n];
    let (first, rest) = lanes.split_at_mut(n);
    let (second, rest) = rest.split_at_mut(n);
    let (third, fourth) = rest.split_at_mut(n);
    for (groups, codes) in groups.chunks(STRIP_ROWS).zip(codes.chunks(STRIP_ROWS)) {
        let indices = &mut indices[..codes.len()];
        for ((index, &group), &code) in indices.iter_mut().zip(groups).zip(codes) {
            *index = group.into().wrapping_mul(row) + u16::from(code.min(missing));
        }
        let (fours, last) = indices.as_chunks::<4>();
        for &[i, j, k, l] in fours {
            first[usize::from(i)] += 1;
            second[usize::from(j)] += 1;
            third[usize::from(k)] += 1;
            fourth[usize::from(l)] += 1;
        }
        last.iter().for_each(|&i| first[usize::from(i)] += 1);
    }
    for (i, out) in out.iter_mut().enumerate() {
        let lanes = [first[i], second[i], third[i], fourth[i]];
        *out += lanes.iter().map(|&n| u64::from(n)).sum::<u64>();
    }
}

/// Counts `[group][a][b]`, with one more value of each column for missing cells.
pub(super) fn count_pair(groups: &Codes, n_groups: usize, a: Axis<'_>, b: Axis<'_>) -> Vec<u64> {
    let (row_a, row_b) = (a.n_values + 1, b.n_values + 1);
    let mut out = vec![0; n_groups * row_a * row_b];
    let (mut base, mut part) = (Vec::new(), Vec::new());
    for start in (0..groups.len()).step_by(STRIP_ROWS) {
        base.clear();
        part.clear();
        extend_indices(&mut base, groups, start, n_groups);
        extend_indices(&mut part, a.codes, start, a.n_values);
        for (base, part) in base.iter_mut().zip(&part) {
            *base = *base * row_a as u32 + part;
        }
        add_strip(&base, b, start, &mut out);
    }
    out
}

fn extend_indices(out: &mut Vec<u32>, codes: &Codes, start: usize, missing: usize) {
    fn extend<C: Code>(out: &mut Vec<u32>, codes: &[C], start: usize, missing: usize) {
        let end = codes.len().min(start + STRIP_ROWS);
        out.extend(
            codes[start..end]
                .iter()
                .map(|c| c.index().min(missing) as u32),
        );
    }
    with_codes!(codes, codes => extend(out, codes, start, missing));
}

fn add_strip(base: &[u32], axis: Axis<'_>, start: usize, out: &mut [u64]) {
    fn strip<C: Code>(base: &[u32], codes: &[C], n_values: usize, out: &mut [u64]) {
        let row = n_values + 1;
        let indices = base
            .iter()
            .zip(codes)
            .map(|(&base, code)| base as usize * row + code.index().min(n_values));
        add(indices, out);
    }
    with_codes!(axis.codes, codes => strip(base, &codes[start..], axis.n_values, out));
}

/// Adds one to the cell of every index.
fn add(mut indices: impl Iterator<Item = usize>, out: &mut [u64]) {
    let n = out.len();
    if n > LANED_CELLS {
        indices.for_each(|index| out[index] += 1);
        return;
    }
    let mut lanes = vec![0u32; 4 * n];
    let (first, rest) = lanes.split_at_mut(n);
    let (second, rest) = rest.split_at_mut(n);
    let (third, fourth) = rest.split_at_mut(n);
    while let Some(index) = indices.next() {
        first[index] += 1;
        if let Some(index) = indices.next() {
            second[index] += 1;
        }
        if let Some(index) = indices.next() {
            third[index] += 1;
        }
        if let Some(index) = indices.next() {
            fourth[index] += 1;
        }
    }
    for (i, out) in out.iter_mut().enumerate() {
        *out += [first[i], second[i], third[i], fourth[i]]
            .iter()
            .map(|&n| u64::from(n))
            .sum::<u64>();
    }
}
