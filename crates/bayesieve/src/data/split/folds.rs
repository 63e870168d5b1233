//! Every row in one of k folds, each fold once the test part.

use std::path::Path;

use super::{Rows, Split, folds_file};
use crate::{Error, Result};

/// A partition of the rows into two or more folds.
///
/// # Example
/// ```
/// use bayesieve::data::split::{Folds, Rows};
///
/// let folds = Folds::draw(Rows::Plain(10), 3, 1, 0)?;
/// let sizes: Vec<usize> = folds.splits().map(|split| split.test.len()).collect();
/// assert_eq!(sizes, [4, 3, 3]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folds {
    fold_of_row: Vec<u32>,
    n_folds: usize,
}

impl Folds {
    /// Draws folds whose sizes differ by one row at most; stratified ones differ by one row of
    /// each class at most. Larger folds come first.
    ///
    /// # Errors
    /// No rows, fewer than two folds, or more folds than rows.
    pub fn draw(rows: Rows, n_folds: usize, seed: u64, repeat: u32) -> Result<Self> {
        rows.check()?;
        if n_folds < 2 {
            return Err(Error::usage(format!(
                "cross-validation needs at least 2 folds, not {n_folds}"
            )));
        }
        if n_folds > rows.len() {
            return Err(Error::usage(format!(
                "{n_folds} folds are more than the {} rows there are",
                rows.len()
            )));
        }
        // Dealt like cards: neighbors in the order go to neighboring folds, so both the whole
        // and every stratum, which is a stretch of the order, are divided evenly.
        let mut fold_of_row = vec![0; rows.len()];
        let order = rows.dealing_order(seed, repeat);
        for (place, &row) in order.iter().enumerate() {
            fold_of_row[row as usize] = (place % n_folds) as u32;
        }
        Ok(Folds {
            fold_of_row,
            n_folds,
        })
    }

    /// Folds from any integers, one a row: equal integers are one fold, in rising order.
    ///
    /// # Errors
    /// Fewer than two distinct integers.
    pub fn from_numbers(numbers: &[i64]) -> Result<Self> {
        let mut distinct = numbers.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() < 2 {
            return Err(Error::data(format!(
                "{} fold, but at least 2 are needed",
                distinct.len()
            ))
            .with_hint("Give the rows at least two different fold numbers."));
        }
        let fold_of_row = numbers
            .iter()
            .map(|&number| distinct.partition_point(|&known| known < number) as u32)
            .collect();
        Ok(Folds {
            fold_of_row,
            n_folds: distinct.len(),
        })
    }

    /// Reads one integer a line, for `n_rows` data rows; a first line that is not a number is
    /// a header.
    ///
    /// # Errors
    /// A file that cannot be read, a line that is not an integer, a wrong number of lines, or
    /// fewer than two distinct integers.
    pub fn read(file: impl AsRef<Path>, n_rows: usize) -> Result<Self> {
        let file = file.as_ref();
        std::fs::read(file)
            .map_err(Error::unreadable)
            .and_then(|bytes| folds_file::parse(&bytes, n_rows))
            .and_then(|numbers| Folds::from_numbers(&numbers))
            .map_err(|error| error.in_file(file))
    }

    /// The folds of the given rows, in their order; a fold that loses all its rows is gone.
    ///
    /// # Errors
    /// Fewer than two folds left, or a row that is not there.
    pub fn take(&self, rows: &[u32]) -> Result<Self> {
        let numbers: Option<Vec<i64>> = rows
            .iter()
            .map(|&row| {
                self.fold_of_row
                    .get(row as usize)
                    .map(|&fold| i64::from(fold))
            })
            .collect();
        let numbers = numbers.ok_or_else(|| Error::internal("a row without a fold"))?;
        Folds::from_numbers(&numbers)
    }

    /// The fold of every row, from 0.
    pub fn fold_of_row(&self) -> &[u32] {
        &self.fold_of_row
    }

    /// Number of folds, at least two.
    pub fn n_folds(&self) -> usize {
        self.n_folds
    }

    /// One fold as the test part, all others as the training part. A fold that does not exist
    /// has no test rows.
    pub fn split(&self, fold: usize) -> Split {
        let n_rows = self.fold_of_row.len() as u32;
        let is_tested = |&row: &u32| self.fold_of_row[row as usize] as usize == fold;
        let (test, train) = (0..n_rows).partition(is_tested);
        Split { train, test }
    }

    /// The splits of all folds, in their order.
    pub fn splits(&self) -> impl Iterator<Item = Split> {
        (0..self.n_folds).map(|fold| self.split(fold))
    }
}

/// Folds drawn several times.
///
/// # Errors
/// Those of [`Folds::draw`], or no repeat.
pub fn repeated_folds(rows: Rows, n_folds: usize, n_repeats: u32, seed: u64) -> Result<Vec<Folds>> {
    if n_repeats == 0 {
        return Err(Error::usage("cross-validation needs at least one repeat"));
    }
    (0..n_repeats)
        .map(|repeat| Folds::draw(rows, n_folds, seed, repeat))
        .collect()
}

/// Five times two halves, for the 5x2cv tests; of an odd number of rows, the first half has
/// one more.
///
/// # Errors
/// Fewer than two rows.
pub fn five_by_two(rows: Rows, seed: u64) -> Result<Vec<Folds>> {
    repeated_folds(rows, 2, 5, seed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::data::Codes;

    /// 23 rows: classes of 11, 7 and 4 rows, and one row without a class.
    fn classes() -> Codes {
        let sizes = [(Some(0), 11), (Some(1), 7), (Some(2), 4), (None, 1)];
        Codes::new(3, sizes.iter().flat_map(|&(class, n)| vec![class; n]))
    }

    fn spread(counts: &[usize]) -> usize {
        counts.iter().max().unwrap() - counts.iter().min().unwrap()
    }

    #[test]
    fn sizes_and_class_counts_differ_by_one_at_most() {
        let class = classes();
        for n_folds in 2..=23 {
            let folds = Folds::draw(Rows::Stratified(&class), n_folds, 1, 0).unwrap();
            let splits: Vec<Split> = folds.splits().collect();
            let sizes: Vec<usize> = splits.iter().map(|split| split.test.len()).collect();
            assert_eq!(sizes.iter().sum::<usize>(), 23);
            assert!(spread(&sizes) <= 1, "{n_folds} folds: {sizes:?}");
            for code in [Some(0), Some(1), Some(2), None] {
                let of_class = |row: &&u32| class.get(**row as usize) == code;
                let counts: Vec<usize> = splits
                    .iter()
                    .map(|split| split.test.iter().filter(of_class).count())
                    .collect();
                assert!(
                    spread(&counts) <= 1,
                    "{n_folds} folds, class {code:?}: {counts:?}"
                );
            }
        }
    }

    #[test]
    fn training_and_test_rows_are_the_whole_in_order() {
        let folds = Folds::draw(Rows::Plain(11), 4, 1, 0).unwrap();
        for split in folds.splits() {
            assert!(split.train.is_sorted() && split.test.is_sorted());
            assert_eq!(split.train.len() + split.test.len(), 11);
            assert!(split.train.iter().all(|row| !split.test.contains(row)));
        }
    }

    #[test]
    fn drawn_folds_are_pinned() {
        let folds = Folds::draw(Rows::Plain(8), 3, 1, 0).unwrap();
        assert_eq!(folds.fold_of_row(), [0, 1, 2, 1, 0, 0, 1, 2]);
    }

    #[test]
    fn repeats_differ_and_the_first_is_the_single_one() {
        let repeats = repeated_folds(Rows::Plain(30), 10, 3, 1).unwrap();
        assert_eq!(repeats.len(), 3);
        assert_eq!(repeats[0], Folds::draw(Rows::Plain(30), 10, 1, 0).unwrap());
        assert_ne!(repeats[0], repeats[1]);
        assert_ne!(repeats[1], repeats[2]);
    }

    #[test]
    fn halves_differ_by_one_row_and_one_row_of_a_class() {
        let class = classes();
        let runs = five_by_two(Rows::Stratified(&class), 1).unwrap();
        assert_eq!(runs.len(), 5);
        for folds in runs {
            let splits: Vec<Split> = folds.splits().collect();
            assert_eq!(splits.len(), 2);
            assert_eq!(splits[0].test.len(), 12);
            assert_eq!(splits[0].test, splits[1].train);
            assert_eq!(splits[0].train, splits[1].test);
        }
    }

    #[test]
    fn impossible_folds_are_refused() {
        let class = Codes::new(1, []);
        for (rows, n_folds, kind) in [
            (Rows::Plain(0), 2, ErrorKind::Data),
            (Rows::Stratified(&class), 2, ErrorKind::Data),
            (Rows::Plain(5), 0, ErrorKind::Usage),
            (Rows::Plain(5), 1, ErrorKind::Usage),
            (Rows::Plain(5), 6, ErrorKind::Usage),
        ] {
            let error = Folds::draw(rows, n_folds, 1, 0).unwrap_err();
            assert_eq!(error.kind(), kind, "{rows:?} {n_folds}");
        }
        let none = repeated_folds(Rows::Plain(5), 2, 0, 1).unwrap_err();
        assert_eq!(none.kind(), ErrorKind::Usage);
    }

    #[test]
    fn any_integers_name_folds_in_rising_order() {
        let folds = Folds::from_numbers(&[7, -3, 7, i64::MAX]).unwrap();
        assert_eq!(folds.fold_of_row(), [1, 0, 1, 2]);
        assert_eq!(folds.n_folds(), 3);
        for too_few in [&[][..], &[4, 4]] {
            let error = Folds::from_numbers(too_few).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Data);
        }
    }

    #[test]
    fn dropped_rows_lose_their_fold() {
        let folds = Folds::from_numbers(&[1, 2, 3, 1]).unwrap();
        let left = folds.take(&[0, 2, 3]).unwrap();
        assert_eq!((left.fold_of_row(), left.n_folds()), (&[0, 1, 0][..], 2));
        assert_eq!(folds.take(&[0, 3]).unwrap_err().kind(), ErrorKind::Data);
        assert_eq!(folds.take(&[9]).unwrap_err().kind(), ErrorKind::Internal);
    }

    #[test]
    fn files_are_read_whole_and_named_in_errors() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "fold\n2\n1\n2\n").unwrap();
        let folds = Folds::read(file.path(), 3).unwrap();
        assert_eq!(folds.fold_of_row(), [1, 0, 1]);

        let name = file.path().file_name().unwrap().to_str().unwrap();
        let error = Folds::read(file.path(), 4).unwrap_err();
        assert!(error.to_string().contains(name), "{error}");
        let error = Folds::read(file.path().with_extension("gone"), 3).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Data);
        assert!(error.to_string().contains(name), "{error}");
    }
}
