//! One training part and one test part.

use super::{Rows, Split};
use crate::{Error, Result};

/// How many rows go where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldoutSize {
    /// The share of the rows to learn from, rounded down to whole rows; the others test.
    /// A fraction and not a float, so that 2/3 of 3 rows are exactly 2.
    Share {
        /// Above the line.
        numerator: u32,
        /// Below the line, and larger.
        denominator: u32,
    },
    /// So many rows each; what is left over is not used.
    Fixed {
        /// Rows to learn from.
        train: usize,
        /// Rows to test on.
        test: usize,
    },
}

/// A random division into training and test rows.
///
/// # Example
/// ```
/// use bayesieve::data::split::{Holdout, HoldoutSize, Rows};
///
/// let holdout = Holdout {
///     rows: Rows::Plain(300),
///     size: HoldoutSize::Share { numerator: 2, denominator: 3 },
///     seed: 1,
///     repeat: 0,
/// };
/// let split = holdout.split()?;
/// assert_eq!((split.train.len(), split.test.len()), (200, 100));
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Holdout<'a> {
    /// The rows to divide.
    pub rows: Rows<'a>,
    /// How many go where.
    pub size: HoldoutSize,
    /// The seed of the whole run.
    pub seed: u64,
    /// Which of several divisions of the same rows.
    pub repeat: u32,
}

impl Holdout<'_> {
    /// Draws the division. Where it is stratified, every class gives its share to both parts,
    /// to the row.
    ///
    /// # Errors
    /// No rows; a share that is not between 0 and 1; a part without a row, or more rows asked
    /// for than there are.
    pub fn split(&self) -> Result<Split> {
        let (mut train, mut test) = self.draw()?;
        train.sort_unstable();
        test.sort_unstable();
        Ok(Split { train, test })
    }

    /// The same division with growing training parts: each holds the one before it, and all
    /// have the same test part. Where it is stratified, each holds every class by its share.
    ///
    /// # Errors
    /// Those of [`Holdout::split`]; sizes that do not rise, or a size of 0 or above the
    /// training part.
    pub fn learning_curve(&self, sizes: &[usize]) -> Result<Vec<Split>> {
        let (train, mut test) = self.draw()?;
        test.sort_unstable();
        if let Some(pair) = sizes.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(Error::usage(format!(
                "the sizes of a learning curve must rise, but {} comes before {}",
                pair[0], pair[1]
            )));
        }
        let wrong = sizes.iter().find(|&&size| size == 0 || size > train.len());
        if let Some(size) = wrong {
            return Err(Error::usage(format!(
                "a learning curve over {} training rows cannot have a size of {size}",
                train.len()
            )));
        }
        let train = self.interleave(&train);
        let prefix = |&size: &usize| {
            let mut train = train[..size].to_vec();
            train.sort_unstable();
            let test = test.clone();
            Split { train, test }
        };
        Ok(sizes.iter().map(prefix).collect())
    }

    /// Training and test rows in the order in which they were dealt.
    fn draw(&self) -> Result<(Vec<u32>, Vec<u32>)> {
        let (n_train, n_test) = self.sizes()?;
        let order = self.rows.dealing_order(self.seed, self.repeat);
        let (train, rest) = choose_evenly(&order, n_train);
        let (test, _) = choose_evenly(&rest, n_test);
        Ok((train, test))
    }

    fn sizes(&self) -> Result<(usize, usize)> {
        self.rows.check()?;
        let n_rows = self.rows.len();
        let (train, test) = match self.size {
            HoldoutSize::Share {
                numerator,
                denominator,
            } => {
                if numerator == 0 || numerator >= denominator {
                    return Err(Error::usage(format!(
                        "the training share must be between 0 and 1, not {numerator}/{denominator}"
                    )));
                }
                // Both factors fit 32 bits, so the product fits 64.
                let train = n_rows as u64 * u64::from(numerator) / u64::from(denominator);
                (train as usize, n_rows - train as usize)
            }
            HoldoutSize::Fixed { train, test } => (train, test),
        };
        if train == 0 || test == 0 {
            return Err(Error::usage(format!(
                "{train} training and {test} test rows: both parts need a row"
            )));
        }
        if train.checked_add(test).is_none_or(|sum| sum > n_rows) {
            return Err(Error::usage(format!(
                "{train} training and {test} test rows are more than the {n_rows} rows there are"
            )));
        }
        Ok((train, test))
    }

    /// Dealt rows with their strata mixed, so that any prefix holds each by its share.
    ///
    /// Row j of the n of a stratum stands at (j + 1/2)/n of the way. One stratum keeps its order.
    fn interleave(&self, dealt: &[u32]) -> Vec<u32> {
        let stratum = |row: u32| self.rows.stratum(row);
        let mut placed: Vec<(f64, u32)> = dealt
            .chunk_by(|&a, &b| stratum(a) == stratum(b))
            .flat_map(|rows| {
                let n_rows = rows.len() as f64;
                let place = move |j: usize| (j as f64 + 0.5) / n_rows;
                rows.iter()
                    .enumerate()
                    .map(move |(j, &row)| (place(j), row))
            })
            .collect();
        // Stable: strata at the same place stay in their order.
        placed.sort_by(|a, b| a.0.total_cmp(&b.0));
        placed.into_iter().map(|(_, row)| row).collect()
    }
}

/// `n` of the items at even steps, and the others; of any stretch, its share to the item.
fn choose_evenly(items: &[u32], n: usize) -> (Vec<u32>, Vec<u32>) {
    let chosen_before = |i: usize| i as u64 * n as u64 / items.len() as u64;
    let mut chosen = Vec::with_capacity(n);
    let mut others = Vec::with_capacity(items.len() - n);
    for (i, &item) in items.iter().enumerate() {
        if chosen_before(i + 1) > chosen_before(i) {
            chosen.push(item);
        } else {
            others.push(item);
        }
    }
    (chosen, others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::data::Codes;

    const TWO_THIRDS: HoldoutSize = HoldoutSize::Share {
        numerator: 2,
        denominator: 3,
    };

    fn plain(n_rows: usize, size: HoldoutSize) -> Holdout<'static> {
        Holdout {
            rows: Rows::Plain(n_rows),
            size,
            seed: 1,
            repeat: 0,
        }
    }

    /// Rows 0, 1, 2 of a hundred have class 2, the next 30 class 1, the others class 0.
    fn hundred() -> Codes {
        Codes::new(
            3,
            (0..100).map(|row| Some(if row < 3 { 2 } else { u32::from(row < 33) })),
        )
    }

    fn class_counts(class: &Codes, rows: &[u32]) -> [usize; 3] {
        let mut counts = [0; 3];
        for &row in rows {
            counts[class.get(row as usize).unwrap() as usize] += 1;
        }
        counts
    }

    #[test]
    fn two_thirds_are_exact() {
        for (n_rows, train) in [(2, 1), (3, 2), (4, 2), (5, 3), (3_000_000, 2_000_000)] {
            let split = plain(n_rows, TWO_THIRDS).split().unwrap();
            assert_eq!(split.train.len(), train, "{n_rows} rows");
            assert_eq!(split.test.len(), n_rows - train, "{n_rows} rows");
        }
    }

    #[test]
    fn every_row_is_in_one_part_and_parts_rise() {
        let split = plain(20, TWO_THIRDS).split().unwrap();
        assert!(split.train.is_sorted() && split.test.is_sorted());
        let mut all = [split.train, split.test].concat();
        all.sort_unstable();
        assert_eq!(all, (0..20).collect::<Vec<u32>>());
    }

    #[test]
    fn a_division_is_pinned() {
        let size = HoldoutSize::Fixed { train: 3, test: 2 };
        let split = plain(10, size).split().unwrap();
        assert_eq!((split.train, split.test), (vec![1, 4, 5], vec![0, 3]));
    }

    #[test]
    fn fixed_sizes_may_leave_rows_over() {
        let class = hundred();
        let holdout = Holdout {
            rows: Rows::Stratified(&class),
            ..plain(
                100,
                HoldoutSize::Fixed {
                    train: 50,
                    test: 20,
                },
            )
        };
        let split = holdout.split().unwrap();
        // Half of 67, 30 and 3; then 20 of the other 50, which hold 33, 15 and 2.
        assert_eq!(class_counts(&class, &split.train), [34, 15, 1]);
        assert_eq!(class_counts(&class, &split.test), [14, 6, 0]);
        assert!(split.train.iter().all(|row| !split.test.contains(row)));
    }

    #[test]
    fn prefixes_are_nested_and_share_the_test_part() {
        let class = hundred();
        for rows in [Rows::Plain(100), Rows::Stratified(&class)] {
            let holdout = Holdout {
                rows,
                ..plain(100, TWO_THIRDS)
            };
            let whole = holdout.split().unwrap();
            let curve = holdout.learning_curve(&[1, 20, 66]).unwrap();
            for pair in curve.windows(2) {
                assert!(pair[0].train.iter().all(|row| pair[1].train.contains(row)));
            }
            assert!(curve.iter().all(|split| split.test == whole.test));
            assert_eq!(curve[1].train.len(), 20);
            assert_eq!(curve[2], whole);
        }
    }

    #[test]
    fn stratified_prefixes_hold_every_class_by_its_share() {
        let class = hundred();
        let holdout = Holdout {
            rows: Rows::Stratified(&class),
            ..plain(100, TWO_THIRDS)
        };
        // 66 training rows: 45, 20 and 1. Half of them: 22, 10 and 1.
        let curve = holdout.learning_curve(&[33, 66]).unwrap();
        assert_eq!(class_counts(&class, &curve[0].train), [22, 10, 1]);
        assert_eq!(class_counts(&class, &curve[1].train), [45, 20, 1]);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        let share = |numerator, denominator| HoldoutSize::Share {
            numerator,
            denominator,
        };
        let fixed = |train, test| HoldoutSize::Fixed { train, test };
        for (n_rows, size, kind) in [
            (0, TWO_THIRDS, ErrorKind::Data),
            (1, TWO_THIRDS, ErrorKind::Usage),
            (9, share(0, 3), ErrorKind::Usage),
            (9, share(3, 3), ErrorKind::Usage),
            (9, share(1, 0), ErrorKind::Usage),
            (9, fixed(0, 3), ErrorKind::Usage),
            (9, fixed(3, 0), ErrorKind::Usage),
            (9, fixed(6, 4), ErrorKind::Usage),
            (9, fixed(usize::MAX, 2), ErrorKind::Usage),
        ] {
            let error = plain(n_rows, size).split().unwrap_err();
            assert_eq!(error.kind(), kind, "{n_rows} {size:?}: {error}");
        }
        for sizes in [&[0][..], &[7], &[3, 3], &[4, 2]] {
            let error = plain(9, TWO_THIRDS).learning_curve(sizes).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage, "{sizes:?}");
        }
    }
}
