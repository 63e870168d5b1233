//! Conditional probability tables.

use super::FamilyCounts;
use crate::error::{Error, Result};

/// Tables up to this many cells hold every row; larger ones only the rows seen.
const MAX_DENSE_CELLS: usize = 1 << 20;

/// How counts become probabilities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Smoothing {
    /// Plain frequencies. A parent combination that was never seen gets the node's own
    /// frequencies.
    MaximumLikelihood,
    /// This much is added to every cell: `(N_jk + a) / (N_j + a r)`.
    Laplace(f64),
    /// A Dirichlet prior worth this many rows over the whole table, equal in every cell:
    /// `(N_jk + s/(r q)) / (N_j + s/q)`.
    Dirichlet(f64),
    /// Mixed with the node's own frequencies, which count as this many rows
    /// (Friedman, Geiger and Goldszmidt, 1997): `(N_j P(k|j) + s P(k)) / (N_j + s)`.
    MarginalMixing(f64),
}

impl Smoothing {
    /// Its constant; 0 for plain frequencies.
    fn weight(self) -> f64 {
        match self {
            Smoothing::MaximumLikelihood => 0.0,
            Smoothing::Laplace(weight)
            | Smoothing::Dirichlet(weight)
            | Smoothing::MarginalMixing(weight) => weight,
        }
    }
}

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
/// assert_eq!(cpt.row(&[1]), [0.4, 0.6]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Cpt {
    n_states: usize,
    parent_states: Vec<usize>,
    rows: Rows,
}

#[derive(Debug, Clone, PartialEq)]
enum Rows {
    /// All rows, one behind the other.
    Dense(Vec<f64>),
    /// The rows that differ from the default, by rising combination of values.
    Sparse {
        /// Parents' values of every row.
        values: Vec<Vec<u32>>,
        /// Probabilities of every row, one behind the other.
        probabilities: Vec<f64>,
        /// The row of every other combination.
        default: Vec<f64>,
    },
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
            let sum: f64 = row.iter().sum();
            // Written so that NaN is refused too.
            let is_right =
                row.iter().all(|p| (0.0..=1.0 + 1e-9).contains(p)) && (sum - 1.0).abs() <= 1e-3;
            if !is_right {
                return Err(Error::data(format!(
                    "probabilities {row:?} sum to {sum}, not to 1 within 0.001"
                )));
            }
        }
        Ok(Cpt {
            n_states,
            parent_states,
            rows: Rows::Dense(cells),
        })
    }

    /// Estimates the table from counts.
    ///
    /// # Errors
    /// A node without values, or a smoothing constant that is negative or not a number.
    pub fn estimate(family: &FamilyCounts, smoothing: Smoothing) -> Result<Self> {
        if family.n_states() == 0 {
            return Err(Error::data("a node without any value has no table"));
        }
        let smoother = Smoother::new(family, smoothing)?;
        let n_states = family.n_states();
        let parent_states = family.parent_states().to_vec();
        let default = smoother.row(&vec![0; n_states]);
        let n_cells = family.n_configurations() * n_states as f64;
        if n_cells <= MAX_DENSE_CELLS as f64 {
            let mut cells = default.repeat(family.n_configurations() as usize);
            for (values, counts) in family.iter() {
                let at = combination(values, &parent_states) * n_states;
                cells[at..at + n_states].copy_from_slice(&smoother.row(counts));
            }
            return Ok(Cpt {
                n_states,
                parent_states,
                rows: Rows::Dense(cells),
            });
        }
        let rows = Rows::Sparse {
            values: family.iter().map(|(values, _)| values.to_vec()).collect(),
            probabilities: family
                .iter()
                .flat_map(|(_, counts)| smoother.row(counts))
                .collect(),
            default,
        };
        Ok(Cpt {
            n_states,
            parent_states,
            rows,
        })
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
            Rows::Dense(cells) => Some(cells),
            Rows::Sparse { .. } => None,
        }
    }

    /// The node's probabilities given its parents' values.
    ///
    /// # Panics
    /// If a value is outside its domain.
    pub fn row(&self, parent_values: &[u32]) -> &[f64] {
        match &self.rows {
            Rows::Dense(cells) => {
                let at = combination(parent_values, &self.parent_states) * self.n_states;
                &cells[at..at + self.n_states]
            }
            Rows::Sparse {
                values,
                probabilities,
                default,
            } => {
                let found = values.binary_search_by(|known| known[..].cmp(parent_values));
                found.map_or(&default[..], |i| {
                    &probabilities[i * self.n_states..(i + 1) * self.n_states]
                })
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

/// A smoothing with what it needs of the counts.
struct Smoother {
    /// Added to every cell, already weighted.
    prior: Vec<f64>,
    /// What a row without any count and any prior becomes.
    fallback: Vec<f64>,
}

impl Smoother {
    fn new(family: &FamilyCounts, smoothing: Smoothing) -> Result<Self> {
        let r = family.n_states();
        let weight = smoothing.weight();
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(Error::usage(format!("a smoothing constant of {weight}"))
                .with_hint("Use 0 or a positive number."));
        }
        let marginal = family.marginal();
        let n: u64 = marginal.iter().sum();
        let fallback = if n == 0 {
            vec![1.0 / r as f64; r]
        } else {
            marginal.iter().map(|&k| k as f64 / n as f64).collect()
        };
        let prior = match smoothing {
            Smoothing::MaximumLikelihood => vec![0.0; r],
            Smoothing::Laplace(alpha) => vec![alpha; r],
            Smoothing::Dirichlet(size) => vec![size / (r as f64 * family.n_configurations()); r],
            Smoothing::MarginalMixing(size) => fallback.iter().map(|p| size * p).collect(),
        };
        Ok(Smoother { prior, fallback })
    }

    fn row(&self, counts: &[u64]) -> Vec<f64> {
        let sum: f64 = counts.iter().sum::<u64>() as f64 + self.prior.iter().sum::<f64>();
        if sum == 0.0 {
            return self.fallback.clone();
        }
        let cells = counts.iter().zip(&self.prior);
        cells.map(|(&n, prior)| (n as f64 + prior) / sum).collect()
    }
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
                close(cpt.row(&[parent as u32]), expected);
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
        close(cpt.row(&[5, 5]), [0.5, 0.5]);
        close(cpt.row(&[2_999, 2_999]), [1.0 / 3.0, 2.0 / 3.0]);
        close(cpt.row(&[0, 1]), [0.5, 0.5]);
        assert_eq!(cpt.n_parameters(), 9e6);
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
