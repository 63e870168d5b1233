//! All 32 states of five bits, with three features and the class made from them.
//!
//! Paper: Drugan and Wiering, 2010, Example 1: the class is made of A1, A2 and A4; A3 and A8
//! say nothing that A2 does not say, A5 and its copy A7 say nothing about the class.
//! Where the paper is silent: it does not print the rows. The rules of A3 and A6 are those
//! that come nearest to its figures.

use rand_chacha::ChaCha8Rng;

use super::columns::{many_with_room, nominal};
use super::{GeneratorDescription, rows};
use crate::Result;
use crate::data::Table;
use crate::setting::Setting;

pub(super) static DESCRIPTION: GeneratorDescription = GeneratorDescription {
    name: "example1",
    summary: "the worked example of the MDL-FS paper: 8 features, class C, two copies, no noise",
    source: "Drugan and Wiering, 2010, Example 1, rebuilt",
    settings: &[Setting {
        meaning: "number of rows; the 32 rows are repeated",
        ..rows("32")
    }],
    draw,
};

/// The 32 rows in order, again and again until there are `n_rows`.
fn draw(n_rows: usize, _: &mut ChaCha8Rng) -> Result<Table> {
    let mut columns = many_with_room(9, n_rows)?;
    for i in 0..n_rows {
        for (column, bit) in columns.iter_mut().zip(row(i % 32)) {
            column.push(bit);
        }
    }
    let names = ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "C"];
    let columns = names.into_iter().zip(columns);
    Table::new(columns.map(|(name, bits)| nominal(name, bits, 0)).collect())
}

/// A1 to A8 and C; the state counts A1, A2, A4, A5, U up as one binary number, U fastest.
fn row(state: usize) -> [u8; 9] {
    let bit = |place: usize| (state >> place & 1) as u8;
    let [a1, a2, a4, a5, u] = [bit(4), bit(3), bit(2), bit(1), bit(0)];
    let a3 = a2 | u;
    let a6 = a1 | a2 | a4;
    let class = a2 | (a1 ^ a4);
    [a1, a2, a3, a4, a5, a6, a5, a2, class]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Generator;

    #[test]
    fn the_first_and_the_last_rows_are_known() {
        assert_eq!(row(0), [0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(row(1), [0, 0, 1, 0, 0, 0, 0, 0, 0]);
        assert_eq!(row(2), [0, 0, 0, 0, 1, 0, 1, 0, 0]);
        assert_eq!(row(3), [0, 0, 1, 0, 1, 0, 1, 0, 0]);
        assert_eq!(row(4), [0, 0, 0, 1, 0, 1, 0, 0, 1]);
        assert_eq!(row(8), [0, 1, 1, 0, 0, 1, 0, 1, 1]);
        assert_eq!(row(21), [1, 0, 1, 1, 0, 1, 0, 0, 0]);
        assert_eq!(row(31), [1, 1, 1, 1, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn columns_have_the_ones_their_rules_give() {
        let table = Generator::Example1.generate(32, 1).unwrap();
        // Of 32: a fair bit has 16 ones, an "or" of two 24, of three 28. C is 0 where A2 = 0
        // and A1 = A4, in 8 rows, so H(C) = .811278.
        let ones = [16, 16, 24, 16, 16, 28, 16, 16, 24];
        for (column, expected) in table.columns().iter().zip(ones) {
            let codes = &column.as_nominal().unwrap().codes;
            let found = codes.iter().filter(|&code| code == Some(1)).count();
            assert_eq!(found, expected, "{}", column.name());
        }
    }

    #[test]
    fn the_rows_repeat_after_32() {
        let table = Generator::Example1.generate(75, 1).unwrap();
        for column in table.columns() {
            let codes = &column.as_nominal().unwrap().codes;
            assert_eq!(codes.get(3), codes.get(67), "{}", column.name());
        }
    }
}
