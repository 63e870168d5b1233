//! A seven-segment display with faults, and seventeen bits of noise.
//!
//! Source: Breiman, Friedman, Olshen and Stone, 1984, section 2.6. The digit is uniform,
//! every segment is wrong one time in ten. No classifier is right more often than 74.0022 %.

use rand_chacha::ChaCha8Rng;

use super::columns::{many_with_room, table, whole, with_room};
use super::{GeneratorDescription, SEED, rows};
use crate::Result;
use crate::data::Table;
use crate::random::below;

pub(super) static DESCRIPTION: GeneratorDescription = GeneratorDescription {
    name: "led24",
    summary: "seven segments of a digit, each wrong in one row of ten, and 17 random bits",
    source: "Breiman, Friedman, Olshen and Stone, 1984",
    settings: &[rows("1000"), SEED],
    draw,
};

/// The segments of the ten digits: up, up-left, up-right, middle, down-left, down-right, down.
const SEGMENTS: [[u8; 7]; 10] = [
    [1, 1, 1, 0, 1, 1, 1],
    [0, 0, 1, 0, 0, 1, 0],
    [1, 0, 1, 1, 1, 0, 1],
    [1, 0, 1, 1, 0, 1, 1],
    [0, 1, 1, 1, 0, 1, 0],
    [1, 1, 0, 1, 0, 1, 1],
    [1, 1, 0, 1, 1, 1, 1],
    [1, 0, 1, 0, 0, 1, 0],
    [1, 1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 0, 1, 1],
];

const N_NOISE: usize = 17;

/// Draws, row by row: the digit, the faults of the seven segments, the noise bits.
fn draw(n_rows: usize, rng: &mut ChaCha8Rng) -> Result<Table> {
    let mut features = many_with_room(7 + N_NOISE, n_rows)?;
    let mut class = with_room(n_rows)?;
    for _ in 0..n_rows {
        let digit = below(rng, 10) as usize;
        let (segments, noise) = features.split_at_mut(7);
        for (column, segment) in segments.iter_mut().zip(SEGMENTS[digit]) {
            let is_wrong = below(rng, 10) == 0;
            column.push(segment ^ u8::from(is_wrong));
        }
        for column in noise {
            column.push(below(rng, 2) as u8);
        }
        class.push(digit as u8);
    }
    table(features, whole, whole("class".to_owned(), class))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Codes, Generator};

    const N_ROWS: usize = 20_000;

    fn cells(table: &Table) -> Vec<Codes> {
        let columns = table.columns().iter();
        columns
            .map(|column| column.as_nominal().unwrap().codes.clone())
            .collect()
    }

    /// One row: 24 bits and the digit.
    fn row(cells: &[Codes], row: usize) -> (Vec<u8>, usize) {
        let mut row: Vec<u8> = cells
            .iter()
            .map(|codes| codes.get(row).unwrap() as u8)
            .collect();
        let digit = row.pop().unwrap();
        (row, usize::from(digit))
    }

    fn wrong_segments(bits: &[u8], digit: usize) -> usize {
        SEGMENTS[digit]
            .iter()
            .zip(bits)
            .filter(|(a, b)| a != b)
            .count()
    }

    #[test]
    fn segments_fail_one_time_in_ten_and_noise_is_fair() {
        let cells = cells(&Generator::Led24.generate(N_ROWS, 1).unwrap());
        let (mut wrong, mut ones, mut digits) = (0, 0, [0_usize; 10]);
        for i in 0..N_ROWS {
            let (bits, digit) = row(&cells, i);
            wrong += wrong_segments(&bits, digit);
            ones += bits[7..].iter().filter(|&&bit| bit == 1).count();
            digits[digit] += 1;
        }
        // Four standard deviations: sqrt(140,000 * .09), sqrt(340,000/4), sqrt(20,000 * .09).
        assert!(wrong.abs_diff(14_000) < 449, "{wrong} of 140,000 segments");
        assert!(ones.abs_diff(170_000) < 1_167, "{ones} of 340,000 bits");
        assert!(digits.iter().all(|n| n.abs_diff(2_000) < 170), "{digits:?}");
    }

    #[test]
    fn the_nearest_digit_is_right_as_often_as_theory_says() {
        let cells = cells(&Generator::Led24.generate(N_ROWS, 1).unwrap());
        let is_right = |&i: &usize| {
            let (bits, digit) = row(&cells, i);
            (0..10).min_by_key(|&guess| wrong_segments(&bits, guess)) == Some(digit)
        };
        let accuracy = (0..N_ROWS).filter(is_right).count() as f64 / N_ROWS as f64;
        // Digits are equally likely, so the nearest is the likeliest. Four standard errors.
        assert!((accuracy - 0.740022).abs() < 0.0124, "{accuracy}");
    }

    #[test]
    fn the_first_row_of_seed_one_is_pinned() {
        let cells = cells(&Generator::Led24.generate(100, 1).unwrap());
        let (bits, digit) = row(&cells, 0);
        let bits: String = bits.iter().map(u8::to_string).collect();
        assert_eq!((bits.as_str(), digit), ("001001000110011100110111", 1));
    }
}
