//! Rows divided into training and test parts.
//!
//! A division depends on the seed, the number of rows and, where asked, which rows share a
//! class; never on how classes are named or coded, the features, the threads or the machine.
//! Repeat r of any protocol draws from part r of the seed's stream for splits, so every method
//! of a comparison can see the same divisions.

mod folds;
mod folds_file;
mod holdout;

pub use folds::{Folds, five_by_two, repeated_folds};
pub use holdout::{Holdout, HoldoutSize};

use super::{Codes, places_by_first_row};
use crate::random::{Purpose, shuffle, stream};
use crate::{Error, Result};

/// Rows to learn from and rows to test on, both rising.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// The rows to learn from.
    pub train: Vec<u32>,
    /// The rows to test on.
    pub test: Vec<u32>,
}

/// The rows to be divided, and whether every part shall have its share of each class.
#[derive(Debug, Clone, Copy)]
pub enum Rows<'a> {
    /// This many rows, whatever their class.
    Plain(usize),
    /// Rows of these classes, each class divided alike; missing ones are a class of their own.
    Stratified(&'a Codes),
}

impl Rows<'_> {
    /// Number of rows.
    pub fn len(self) -> usize {
        match self {
            Rows::Plain(n_rows) => n_rows,
            Rows::Stratified(class) => class.len(),
        }
    }

    /// Whether there is no row.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// What must be divided evenly: one stratum for all rows, or one for each class.
    fn stratum(self, row: u32) -> u32 {
        match self {
            Rows::Plain(_) => 0,
            // No class has the largest code: it means missing in every width.
            Rows::Stratified(class) => class.get(row as usize).unwrap_or(u32::MAX),
        }
    }

    /// The rows in the order in which they are dealt out: stratum by stratum in the order of
    /// their first rows, and at random inside each.
    ///
    /// Codes follow the labels, so an order by code would deal other folds for other names.
    fn dealing_order(self, seed: u64, repeat: u32) -> Vec<u32> {
        let mut rows: Vec<u32> = (0..self.len() as u32).collect();
        shuffle(&mut rows, &mut stream(seed, Purpose::Split, repeat));
        // The sort is stable, so the shuffled order lives on inside a stratum.
        match self {
            Rows::Plain(_) => {}
            Rows::Stratified(class) => {
                let places = places_by_first_row(class);
                // Rows without a class come last.
                let place = |code: u32| places[code as usize];
                rows.sort_by_key(|&row| class.get(row as usize).map_or(u32::MAX, place));
            }
        }
        rows
    }

    /// Refuses what no protocol can divide.
    fn check(self) -> Result<()> {
        if self.is_empty() {
            return Err(Error::data("there are no rows to divide"));
        }
        if u32::try_from(self.len()).is_err() {
            return Err(Error::data(format!(
                "{} rows are too many to divide: at most {}",
                self.len(),
                u32::MAX
            )));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strata_are_dealt_by_their_first_rows_and_missing_classes_last() {
        let class = Codes::new(2, [Some(1), None, Some(0), Some(1), Some(0)]);
        for repeat in 0..20 {
            let order = Rows::Stratified(&class).dealing_order(1, repeat);
            let strata: Vec<Option<u32>> =
                order.iter().map(|&row| class.get(row as usize)).collect();
            assert_eq!(strata, [Some(1), Some(1), Some(0), Some(0), None]);
        }
    }

    #[test]
    fn other_codes_of_the_same_classes_draw_the_same_rows() {
        let codes = [2, 0, 0, 1, 2, 1, 0, 2, 2, 1, 0, 1, 1, 0, 2];
        let class =
            |renamed: [u32; 3]| Codes::new(3, codes.map(|code: u32| Some(renamed[code as usize])));
        let first = class([0, 1, 2]);
        for renamed in [[2, 1, 0], [1, 2, 0], [0, 2, 1]] {
            let other = class(renamed);
            let (first, other) = (Rows::Stratified(&first), Rows::Stratified(&other));
            assert_eq!(
                Folds::draw(first, 4, 1, 0).unwrap(),
                Folds::draw(other, 4, 1, 0).unwrap()
            );
            assert_eq!(
                five_by_two(first, 1).unwrap(),
                five_by_two(other, 1).unwrap()
            );
            let holdout = |rows| Holdout {
                rows,
                size: HoldoutSize::Fixed { train: 7, test: 4 },
                seed: 1,
                repeat: 0,
            };
            assert_eq!(
                holdout(first).learning_curve(&[2, 5, 7]).unwrap(),
                holdout(other).learning_curve(&[2, 5, 7]).unwrap()
            );
        }
    }

    #[test]
    fn seeds_and_repeats_draw_different_orders() {
        let order = |seed, repeat| Rows::Plain(50).dealing_order(seed, repeat);
        assert_eq!(order(1, 0), order(1, 0));
        assert_ne!(order(1, 0), order(1, 1));
        assert_ne!(order(1, 0), order(2, 0));
    }
}
