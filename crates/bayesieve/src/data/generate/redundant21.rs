//! Nine numbers, and twelve copies of three of them.
//!
//! Source: Inza, Larrañaga, Etxeberria and Sierra, 2000, section 5.1. The class is the nearer of
//! the corners (0, ..., 0) and (9, ..., 9), that is, whether the nine sum to more than 40.5.
//! Where the paper is silent: the numbers are uniform.

use rand_chacha::ChaCha8Rng;

use super::columns::{from_millionths, many_with_room, numeric, table, whole, with_room};
use super::{GeneratorDescription, SEED, rows};
use crate::Result;
use crate::data::Table;
use crate::random::below;

pub(super) static DESCRIPTION: GeneratorDescription = GeneratorDescription {
    name: "redundant21",
    summary: "nine numbers that decide the class by their sum, and twelve copies of three of them",
    source: "Inza, Larrañaga, Etxeberria and Sierra, 2000",
    settings: &[rows("2500"), SEED],
    draw,
};

/// The smallest and the largest number, and the sum that parts the classes, in millionths.
const LOW: u64 = 3_000_000;
const HIGH: u64 = 6_000_000;
const MIDDLE_SUM: u64 = 40_500_000;

/// Of features x10 to x21, the one each repeats, counted from 0.
const COPIED: [usize; 12] = [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8];

/// Draws, row by row, x1 to x9 in whole millionths: the class is then exact.
fn draw(n_rows: usize, rng: &mut ChaCha8Rng) -> Result<Table> {
    let mut features: Vec<Vec<f64>> = many_with_room(9 + COPIED.len(), n_rows)?;
    let mut class = with_room(n_rows)?;
    for _ in 0..n_rows {
        let mut sum = 0;
        for column in &mut features[..9] {
            let millionths = LOW + below(rng, HIGH - LOW + 1);
            sum += millionths;
            column.push(from_millionths(millionths as f64));
        }
        class.push(u8::from(sum > MIDDLE_SUM));
    }
    for (i, &original) in COPIED.iter().enumerate() {
        let (originals, copies) = features.split_at_mut(9);
        copies[i].extend_from_slice(&originals[original]);
    }
    table(features, numeric, whole("class".to_owned(), class))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Generator;

    fn numbers(table: &Table, name: &str) -> Vec<f64> {
        table.column(name).unwrap().as_numeric().unwrap().to_vec()
    }

    #[test]
    fn copies_are_exact() {
        let table = Generator::Redundant21.generate(100, 1).unwrap();
        for (original, copies) in [("x1", 10..14), ("x5", 14..18), ("x9", 18..22)] {
            for copy in copies {
                let copy = format!("x{copy}");
                assert_eq!(numbers(&table, original), numbers(&table, &copy), "{copy}");
            }
        }
        assert_ne!(numbers(&table, "x1"), numbers(&table, "x5"));
    }

    #[test]
    fn the_class_is_the_nearer_corner() {
        let n_rows = 2_500;
        let table = Generator::Redundant21.generate(n_rows, 1).unwrap();
        let columns: Vec<Vec<f64>> = (1..10).map(|i| numbers(&table, &format!("x{i}"))).collect();
        let class = &table.column("class").unwrap().as_nominal().unwrap().codes;
        let mut n_far = 0;
        for row in 0..n_rows {
            let distance = |corner: f64| -> f64 {
                columns
                    .iter()
                    .map(|column| (column[row] - corner).powi(2))
                    .sum()
            };
            let is_far = distance(9.0) < distance(0.0);
            assert_eq!(class.get(row), Some(u32::from(is_far)), "row {row}");
            n_far += usize::from(is_far);
        }
        // Half of them; four standard deviations are 100.
        assert!(n_far.abs_diff(1_250) < 100, "{n_far}");
    }

    #[test]
    fn numbers_fill_their_interval() {
        let table = Generator::Redundant21.generate(10_000, 1).unwrap();
        for i in 1..10 {
            let column = numbers(&table, &format!("x{i}"));
            assert!(column.iter().all(|x| (3.0..=6.0).contains(x)));
            // Mean 4.5, standard deviation 3/sqrt 12; four standard errors.
            let mean = column.iter().sum::<f64>() / 10_000.0;
            assert!((mean - 4.5).abs() < 0.035, "x{i}: {mean}");
        }
    }

    #[test]
    fn the_first_number_of_seed_one_is_pinned() {
        let table = Generator::Redundant21.generate(1, 1).unwrap();
        assert_eq!(numbers(&table, "x1"), [3.379983]);
    }
}
