//! Conditional probability tables.

mod smoothing;
mod sparse;

use std::borrow::Cow;

use self::smoothing::Smoother;
pub(crate) use self::smoothing::{ALPHA, MAX_ALPHA, SMOOTHING};
pub use self::smoothing::{SMOOTHINGS, Smoothing, SmoothingRule};
use self::sparse::SparseRows;
use super::FamilyCounts;
use crate::{Error, Result};

/// Tables up to this many cells hold every row; larger ones only the rows seen.
pub(super) const MAX_DENSE_CELLS: usize = 1 << 20;

/// `P(node | parents)`: one row of probabilities per combination of the parents' values.
///
/// Parents are in the order the table was made with, the first changing slowest.
///
/// # Example
/// ```
/// use bayesieve::network::Cpt;
///
/// // A node of two values with one parent of two values.
/// let cpt = Cpt::dense(2, vec![2], vec![0.9, 0.1, 0.4, 0.6])?;
/// assert_eq!(*cpt.row(&[1]), [0.4, 0.6]);
/// assert_eq!(cpt.probability(&[0], 1), 0.1);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Cpt {
    n_states: usize,
    parent_states: Vec<usize>,
    rows: CptRows,
}

#[derive(Debug, Clone, PartialEq)]
enum CptRows {
    /// All rows, one behind the other.
    Dense(Vec<f64>),
    /// Some rows and a default.
    Sparse(SparseRows),
}

impl Cpt {
    /// From all rows, one behind the other.
    ///
    /// # Errors
    /// Another number of cells than the states give, a probability outside 0 to 1, or a
    /// row that does not sum to 1 within 1e-3.
    pub fn dense(n_states: usize, parent_states: Vec<usize>, cells: Vec<f64>) -> Result<Self> {
        let n_rows = parent_states
            .iter()
            .try_fold(1usize, |product, &n| product.checked_mul(n));
        let n_cells = n_rows.and_then(|rows| rows.checked_mul(n_states));
        if n_cells != Some(cells.len()) || n_states == 0 {
            return Err(Error::data(format!(
                "{} probabilities for {n_states} states and parents of {parent_states:?} states",
                cells.len()
            )));
        }
        for row in cells.chunks(n_states) {
            check_row(row)?;
        }
        Ok(Cpt {
            n_states,
            parent_states,
            rows: CptRows::Dense(cells),
        })
    }

    /// From some rows, by rising combination of the parents' values, and one row for all
    /// other combinations.
    ///
    /// # Errors
    /// Rows that are not rising, of another length or with a value outside its domain (an
    /// internal error), or probabilities as [`Cpt::dense`] refuses them.
    pub fn with_default(
        default: Vec<f64>,
        parent_states: Vec<usize>,
        rows: &[(Vec<u32>, Vec<f64>)],
    ) -> Result<Self> {
        let n_states = default.len();
        let fits = |(values, row): &(Vec<u32>, Vec<f64>)| {
            row.len() == n_states
                && values.len() == parent_states.len()
                && values
                    .iter()
                    .zip(&parent_states)
                    .all(|(&v, &n)| (v as usize) < n)
        };
        let is_rising = rows.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if n_states == 0 || !is_rising || !rows.iter().all(fits) {
            return Err(Error::internal("rows that do not fit their table"));
        }
        check_row(&default)?;
        for (_, row) in rows {
            check_row(row)?;
        }
        let mut sparse = SparseRows::new(default, vec![0.0; n_states], parent_states.len());
        for (values, row) in rows {
            // All but the plain zeros, which are what a cell that is not held has.
            let cells = (0..).zip(row.iter().copied());
            sparse.push(values, 1.0, cells.filter(|(_, p)| p.to_bits() != 0));
        }
        Ok(Cpt::filled(parent_states, sparse))
    }

    /// Holds every row where the table is small, else the given ones and the default.
    fn filled(parent_states: Vec<usize>, sparse: SparseRows) -> Self {
        let n_states = sparse.default_row().len();
        let n_rows: f64 = parent_states.iter().map(|&n| n as f64).product();
        let rows = if n_rows * n_states as f64 <= MAX_DENSE_CELLS as f64 {
            let mut cells = sparse.default_row().repeat(n_rows as usize);
            for row in 0..sparse.len() {
                let at = combination(sparse.values(row), &parent_states) * n_states;
                sparse.write(row, &mut cells[at..at + n_states]);
            }
            CptRows::Dense(cells)
        } else {
            CptRows::Sparse(sparse)
        };
        Cpt {
            n_states,
            parent_states,
            rows,
        }
    }

    /// Estimates the table from counts.
    ///
    /// # Errors
    /// A node without values, or a smoothing constant that is negative or not a number.
    ///
    /// # Cost
    /// Time and memory by the cells of the table, or by the counts that are not 0 where the
    /// table has more than a million cells.
    pub fn estimate(family: &FamilyCounts, smoothing: Smoothing) -> Result<Self> {
        if family.n_states() == 0 {
            return Err(Error::data("a node without any value has no table"));
        }
        let smoother = Smoother::new(family, smoothing)?;
        let parent_states = family.parent_states().to_vec();
        Ok(Cpt::filled(parent_states, smoother.rows(family)))
    }

    /// Number of values of the node.
    pub fn n_states(&self) -> usize {
        self.n_states
    }

    /// Number of values of each parent.
    pub fn parent_states(&self) -> &[usize] {
        &self.parent_states
    }

    /// Number of parent combinations, `None` where it does not fit.
    pub fn n_rows(&self) -> Option<usize> {
        self.parent_states
            .iter()
            .try_fold(1usize, |product, &n| product.checked_mul(n))
    }

    /// All rows, one behind the other, where the table holds them all.
    pub fn as_dense(&self) -> Option<&[f64]> {
        match &self.rows {
            CptRows::Dense(cells) => Some(cells),
            CptRows::Sparse(_) => None,
        }
    }

    /// The node's probabilities given its parents' values.
    ///
    /// # Cost
    /// A copy where the table is too large to hold all rows; one cell alone is cheaper by
    /// [`Cpt::probability`].
    ///
    /// # Panics
    /// If a value is outside its domain.
    pub fn row(&self, parent_values: &[u32]) -> Cow<'_, [f64]> {
        match &self.rows {
            CptRows::Dense(cells) => {
                let at = combination(parent_values, &self.parent_states) * self.n_states;
                Cow::Borrowed(&cells[at..at + self.n_states])
            }
            CptRows::Sparse(sparse) => match sparse.find(parent_values) {
                Some(found) => {
                    let mut row = vec![0.0; self.n_states];
                    sparse.write(found, &mut row);
                    Cow::Owned(row)
                }
                None => Cow::Borrowed(sparse.default_row()),
            },
        }
    }

    /// The probability of one state given the parents' values.
    ///
    /// # Panics
    /// If a value or the state is outside its domain.
    pub fn probability(&self, parent_values: &[u32], state: usize) -> f64 {
        match &self.rows {
            CptRows::Dense(cells) => {
                let at = combination(parent_values, &self.parent_states) * self.n_states;
                cells[at..at + self.n_states][state]
            }
            CptRows::Sparse(sparse) => match sparse.find(parent_values) {
                Some(row) => sparse.probability(row, state),
                None => sparse.default_row()[state],
            },
        }
    }

    /// The row of every combination that the table does not hold by itself, where there
    /// are such.
    pub fn default_row(&self) -> Option<&[f64]> {
        match &self.rows {
            CptRows::Dense(_) => None,
            CptRows::Sparse(sparse) => Some(sparse.default_row()),
        }
    }

    /// Hands over every row that the table holds with its parents' values, by rising
    /// combination.
    pub fn for_each_row(&self, mut take: impl FnMut(&[u32], &[f64])) {
        match &self.rows {
            CptRows::Dense(cells) => {
                let mut values = vec![0; self.parent_states.len()];
                for row in cells.chunks_exact(self.n_states) {
                    take(&values, row);
                    advance(&mut values, &self.parent_states);
                }
            }
            CptRows::Sparse(sparse) => {
                let mut cells = vec![0.0; self.n_states];
                for row in 0..sparse.len() {
                    sparse.write(row, &mut cells);
                    take(sparse.values(row), &cells);
                }
            }
        }
    }

    /// Number of free parameters, as a float since it may be huge.
    pub fn n_parameters(&self) -> f64 {
        let rows: f64 = self.parent_states.iter().map(|&n| n as f64).product();
        rows * (self.n_states - 1) as f64
    }
}

/// The place of a combination of values, the first changing slowest.
fn combination(values: &[u32], states: &[usize]) -> usize {
    values.iter().zip(states).fold(0, |place, (&value, &n)| {
        assert!(
            (value as usize) < n,
            "value {value} of a parent of {n} states"
        );
        place * n + value as usize
    })
}

/// Goes on to the next combination of values, the last changing fastest; after the last
/// one comes the first.
pub(super) fn advance(values: &mut [u32], states: &[usize]) {
    for (value, &n) in values.iter_mut().zip(states).rev() {
        *value += 1;
        if (*value as usize) < n {
            return;
        }
        *value = 0;
    }
}

/// Refuses what is no distribution: a probability outside 0 to 1, or a sum that is not 1
/// within 1e-3.
pub(super) fn check_row(row: &[f64]) -> Result<()> {
    // Written so that NaN is refused too.
    if let Some(p) = row.iter().find(|p| !(0.0..=1.0 + 1e-9).contains(*p)) {
        return Err(Error::data(format!("{p} is not a probability"))
            .with_hint("Probabilities are from 0 to 1."));
    }
    let sum: f64 = row.iter().sum();
    if (sum - 1.0).abs() <= 1e-3 {
        return Ok(());
    }
    // To nine digits: the last ones are rounding.
    let sum = (sum * 1e9).round() / 1e9;
    Err(Error::data(format!(
        "the probabilities sum to {sum}, not to 1 within 0.001"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::CountColumn;
    use crate::data::Codes;

    /// Three rows: parent 0 with child 0, 0, 1; parent 1 with child 1; parent 2 never.
    fn family() -> FamilyCounts {
        let child = Codes::new(2, [0, 0, 1, 1].map(Some));
        let parent = Codes::new(3, [0, 0, 0, 1].map(Some));
        let column = |codes, n_values| CountColumn { codes, n_values };
        FamilyCounts::count(column(&child, 2), &[column(&parent, 3)]).unwrap()
    }

    fn close(row: &[f64], expected: [f64; 2]) {
        for (p, e) in row.iter().zip(expected) {
            assert!((p - e).abs() < 1e-15, "{row:?} for {expected:?}");
        }
    }

    #[test]
    fn every_smoothing_follows_its_formula() {
        // Counts 2 1 | 0 1 | 0 0, marginal 2 2.
        let cases = [
            (
                Smoothing::MaximumLikelihood,
                [[2.0 / 3.0, 1.0 / 3.0], [0.0, 1.0], [0.5, 0.5]],
            ),
            (
                Smoothing::Laplace(1.0),
                [[0.6, 0.4], [1.0 / 3.0, 2.0 / 3.0], [0.5, 0.5]],
            ),
            // 6 rows over 6 cells: one each.
            (
                Smoothing::Dirichlet(6.0),
                [[0.6, 0.4], [1.0 / 3.0, 2.0 / 3.0], [0.5, 0.5]],
            ),
            // 2 rows at 0.5 each are 1 and 1.
            (
                Smoothing::MarginalMixing(2.0),
                [[0.6, 0.4], [1.0 / 3.0, 2.0 / 3.0], [0.5, 0.5]],
            ),
        ];
        for (smoothing, rows) in cases {
            let cpt = Cpt::estimate(&family(), smoothing).unwrap();
            for (parent, expected) in rows.into_iter().enumerate() {
                close(&cpt.row(&[parent as u32]), expected);
            }
        }
    }

    #[test]
    fn a_huge_table_keeps_the_rows_seen_only() {
        // Two parents of 3,000 values: 18 million cells.
        let child = Codes::new(2, [0, 1, 1].map(Some));
        let parent = Codes::new(3_000, [5, 5, 2_999].map(Some));
        let column = |codes, n_values| CountColumn { codes, n_values };
        let parents = [column(&parent, 3_000), column(&parent, 3_000)];
        let family = FamilyCounts::count(column(&child, 2), &parents).unwrap();
        let cpt = Cpt::estimate(&family, Smoothing::Laplace(1.0)).unwrap();
        assert!(cpt.as_dense().is_none());
        close(&cpt.row(&[5, 5]), [0.5, 0.5]);
        close(&cpt.row(&[2_999, 2_999]), [1.0 / 3.0, 2.0 / 3.0]);
        close(&cpt.row(&[0, 1]), [0.5, 0.5]);
        assert_eq!(cpt.n_parameters(), 9e6);
    }

    #[test]
    fn a_huge_table_follows_every_formula_to_the_last_bit() {
        // 1,200 values with a parent of 1,000: 1.2 million cells, 300 rows.
        let (r, q) = (1_200, 1_000);
        let child = Codes::new(r, (0..300).map(|i| Some(i * i % 70)));
        let parent = Codes::new(q, (0..300).map(|i| Some(i * 7 % 90)));
        let column = |codes, n_values| CountColumn { codes, n_values };
        let family = FamilyCounts::count(column(&child, r), &[column(&parent, q)]).unwrap();
        let marginal = family.marginal();
        let smoothings = [
            Smoothing::MaximumLikelihood,
            Smoothing::Laplace(0.3),
            Smoothing::Dirichlet(7.0),
            Smoothing::MarginalMixing(5.0),
        ];
        for smoothing in smoothings {
            let cpt = Cpt::estimate(&family, smoothing).unwrap();
            assert!(cpt.as_dense().is_none());
            let prior = |k: usize| match smoothing {
                Smoothing::MaximumLikelihood => 0.0,
                Smoothing::Laplace(alpha) => alpha,
                Smoothing::Dirichlet(size) => size / (r as f64 * q as f64),
                Smoothing::MarginalMixing(size) => size * (marginal[k] as f64 / 300.0),
            };
            let prior_sum: f64 = (0..r).map(prior).sum();
            for (value, seen) in [(0u32, true), (89, true), (5, true), (95, false)] {
                let is_it = |i: &usize| parent.get(*i) == Some(value);
                let rows: Vec<usize> = (0..300).filter(is_it).collect();
                assert_eq!(!rows.is_empty(), seen);
                let row = cpt.row(&[value]);
                for k in 0..r {
                    let n = rows
                        .iter()
                        .filter(|&&i| child.get(i) == Some(k as u32))
                        .count();
                    let sum = rows.len() as f64 + prior_sum;
                    let expected = if sum == 0.0 {
                        marginal[k] as f64 / 300.0
                    } else {
                        (n as f64 + prior(k)) / sum
                    };
                    assert_eq!(row[k], expected, "{smoothing:?} {value} {k}");
                    assert_eq!(cpt.probability(&[value], k), expected);
                }
            }
        }
    }

    #[test]
    fn rows_come_back_with_their_values_by_rising_combination() {
        let rows = |cpt: &Cpt| {
            let mut rows = Vec::new();
            cpt.for_each_row(|values, row| rows.push((values.to_vec(), row.to_vec())));
            rows
        };
        let given = [(vec![0, 1], vec![1.0, 0.0]), (vec![1, 0], vec![0.25, 0.75])];
        let small = Cpt::with_default(vec![0.5, 0.5], vec![2, 2], &given).unwrap();
        assert_eq!(small.default_row(), None);
        let all = [
            (vec![0, 0], vec![0.5, 0.5]),
            given[0].clone(),
            given[1].clone(),
            (vec![1, 1], vec![0.5, 0.5]),
        ];
        assert_eq!(rows(&small), all);
        // 2 million cells: only what was given is held.
        let huge = Cpt::with_default(vec![0.5, 0.5], vec![1_000, 1_000], &given).unwrap();
        assert_eq!(huge.default_row(), Some(&[0.5, 0.5][..]));
        assert_eq!(rows(&huge), given);
        assert_eq!(*huge.row(&[999, 0]), [0.5, 0.5]);
    }

    #[test]
    fn rows_that_do_not_fit_beside_a_default_are_refused() {
        let row = |value| (vec![value], vec![1.0, 0.0]);
        for rows in [vec![row(2)], vec![row(1), row(0)], vec![row(1), row(1)]] {
            let refused = Cpt::with_default(vec![0.5, 0.5], vec![2], &rows);
            assert!(refused.is_err(), "{rows:?}");
        }
        assert!(Cpt::with_default(vec![0.5, 0.4], vec![2], &[]).is_err());
    }

    #[test]
    fn rows_that_are_no_probabilities_are_refused() {
        for cells in [
            vec![0.5, 0.4],
            vec![1.5, -0.5],
            vec![f64::NAN, 1.0],
            vec![1.0],
        ] {
            assert!(Cpt::dense(2, vec![], cells.clone()).is_err(), "{cells:?}");
        }
    }
}
