//! Scores of a node with its parents: BIC, BDeu, K2.
//!
//! A network's score is the sum of its families' scores, and a family's score is a sum
//! over the parent combinations that occur; those that do not add nothing. With N_jk the
//! rows of value k and combination j, N_j their sum over k, r the values of the node and q
//! the parent combinations, seen or not (all in nats, larger is better):
//!
//! - BIC (Schwarz, 1978): `Σ N_jk ln(N_jk / N_j) - ln(N)/2 (r - 1) q`.
//! - BDeu (Buntine, 1991; Heckerman et al., 1995), with a prior worth s rows:
//!   `Σ_j [ln Γ(s/q) - ln Γ(s/q + N_j) + Σ_k (ln Γ(s/qr + N_jk) - ln Γ(s/qr))]`.
//! - K2 (Cooper and Herskovits, 1992):
//!   `Σ_j [ln Γ(r) - ln Γ(N_j + r) + Σ_k ln Γ(N_jk + 1)]`.
//!
//! The sums are exact, so that a score does not depend on the order of rows, values or
//! parents, to the last bit.
//!
//! Buntine, W. (1991). Theory refinement on Bayesian networks. UAI, 52-60. Cooper, G. and
//! Herskovits, E. (1992). A Bayesian method for the induction of probabilistic networks
//! from data. Machine Learning 9, 309-347. Heckerman, D., Geiger, D. and Chickering, D.
//! (1995). Learning Bayesian networks: the combination of knowledge and statistical data.
//! Machine Learning 20, 197-243. Schwarz, G. (1978). Estimating the dimension of a model.
//! Annals of Statistics 6, 461-464.

use std::f64::consts::LN_2;

use crate::math::{OrderFreeSum, ln_factorial, ln_rising, n_log_n};
use crate::network::FamilyCounts;
use crate::{Error, Result};

/// What makes a family of a node and its parents good; larger is better, in nats.
///
/// # Example
/// ```
/// use bayesieve::counts::CountColumn;
/// use bayesieve::data::Codes;
/// use bayesieve::network::FamilyCounts;
/// use bayesieve::network::learn::LocalScore;
///
/// // Two rows of each of two values: 2! 2! / 5! = 1/30 under K2.
/// let codes = Codes::new(2, [0, 0, 1, 1].map(Some));
/// let family = FamilyCounts::count(CountColumn { codes: &codes, n_values: 2 }, &[])?;
/// let score = LocalScore::K2.score(&family)?;
/// assert!((score - (1.0f64 / 30.0).ln()).abs() < 1e-15);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum LocalScore {
    /// The likelihood less half a logarithm of the rows per parameter.
    #[default]
    Bic,
    /// The marginal likelihood under a prior that is equal in every cell.
    Bdeu {
        /// How many rows the prior is worth.
        equivalent_sample_size: f64,
    },
    /// The marginal likelihood under a prior of one row per cell.
    K2,
}

impl LocalScore {
    /// Its name in settings and documents.
    pub fn name(self) -> &'static str {
        match self {
            LocalScore::Bic => "bic",
            LocalScore::Bdeu { .. } => "bdeu",
            LocalScore::K2 => "k2",
        }
    }

    /// Whether networks that say the same independences have the same score.
    pub fn is_equivalent(self) -> bool {
        !matches!(self, LocalScore::K2)
    }

    /// The score of a family.
    ///
    /// # Errors
    /// A sample size that is not positive and finite.
    ///
    /// # Cost
    /// One or two logarithms per parent combination and value that occur.
    pub fn score(self, family: &FamilyCounts) -> Result<f64> {
        self.check()?;
        let shape = FamilyShape::new(family.n_states(), family.parent_states());
        let mut scoring = Scoring::new(self, shape);
        for (_, cells) in family.iter() {
            scoring.add(cells.iter().map(|&(_, n)| n));
        }
        Ok(scoring.finish())
    }

    /// Refuses constants that give no score.
    pub(super) fn check(self) -> Result<()> {
        match self {
            LocalScore::Bdeu {
                equivalent_sample_size: size,
            } if !(size > 0.0 && size.is_finite()) => {
                Err(Error::usage(format!("a prior worth {size} rows"))
                    .with_hint("Give BDeu a positive equivalent sample size, such as 1."))
            }
            _ => Ok(()),
        }
    }
}

/// The domains of a family, with what scores need of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct FamilyShape {
    n_states: usize,
    /// Parent combinations, seen or not.
    n_configurations: f64,
    /// Their logarithm, which is finite where they are not.
    ln_configurations: f64,
}

impl FamilyShape {
    pub(super) fn new(n_states: usize, parent_states: &[usize]) -> Self {
        FamilyShape {
            n_states,
            n_configurations: parent_states.iter().map(|&n| n as f64).product(),
            ln_configurations: parent_states.iter().map(|&n| (n as f64).ln()).sum(),
        }
    }

    pub(super) fn n_states(&self) -> usize {
        self.n_states
    }
}

/// A family's score while its parent combinations come in, in any order.
pub(super) struct Scoring {
    terms: Terms,
    shape: FamilyShape,
    sum: OrderFreeSum,
    n_rows: u64,
}

/// A score taken apart: a term per cell and a term per parent combination.
enum Terms {
    Bic,
    K2 { ln_all: f64 },
    Bdeu { cell: Prior, row: Prior },
}

impl Scoring {
    pub(super) fn new(score: LocalScore, shape: FamilyShape) -> Self {
        let terms = match score {
            LocalScore::Bic => Terms::Bic,
            LocalScore::K2 => Terms::K2 {
                ln_all: ln_factorial(shape.n_states.saturating_sub(1) as u64),
            },
            LocalScore::Bdeu {
                equivalent_sample_size: size,
            } => {
                let states = (shape.n_states as f64, (shape.n_states as f64).ln());
                let row = (
                    size / shape.n_configurations,
                    size.ln() - shape.ln_configurations,
                );
                Terms::Bdeu {
                    row: Prior::new(row.0, row.1),
                    cell: Prior::new(row.0 / states.0, row.1 - states.1),
                }
            }
        };
        Scoring {
            terms,
            shape,
            sum: OrderFreeSum::default(),
            n_rows: 0,
        }
    }

    /// Takes in the node's counts under one parent combination.
    #[inline]
    pub(super) fn add(&mut self, counts: impl Iterator<Item = u64>) {
        let mut total = 0;
        for n in counts.filter(|&n| n > 0) {
            total += n;
            self.add_cell(n);
        }
        self.add_total(total);
    }

    /// Takes in one cell; its combination's total must follow at some time.
    #[inline]
    pub(super) fn add_cell(&mut self, n: u64) {
        let term = match &self.terms {
            Terms::Bic => n_log_n(n),
            Terms::K2 { .. } => ln_factorial(n),
            Terms::Bdeu { cell, .. } => cell.ln_rising(n),
        };
        self.sum.add(term);
    }

    /// Takes in the rows of one parent combination.
    #[inline]
    pub(super) fn add_total(&mut self, total: u64) {
        if total == 0 {
            return;
        }
        self.n_rows += total;
        let term = match &self.terms {
            Terms::Bic => -n_log_n(total),
            // ln Γ(N + r) = ln (N + r - 1)!
            Terms::K2 { ln_all } => ln_all - ln_factorial(total + self.shape.n_states as u64 - 1),
            Terms::Bdeu { row, .. } => -row.ln_rising(total),
        };
        self.sum.add(term);
    }

    pub(super) fn finish(self) -> f64 {
        let sum = self.sum.value();
        let Terms::Bic = self.terms else {
            return sum;
        };
        // Counts are logged to base 2.
        let n_free = self.shape.n_states.saturating_sub(1) as f64 * self.shape.n_configurations;
        let price = (self.n_rows.max(1) as f64).ln() / 2.0;
        // No row or one: nothing to pay, even for infinitely many parameters.
        let penalty = if price > 0.0 { price * n_free } else { 0.0 };
        sum * LN_2 - penalty
    }
}

/// A share of BDeu's prior.
struct Prior {
    size: f64,
    ln_size: f64,
}

impl Prior {
    /// With hundreds of parents the size itself is 0 and only its logarithm is left.
    fn new(size: f64, ln_size: f64) -> Self {
        let ln_size = if size.is_normal() { size.ln() } else { ln_size };
        Prior { size, ln_size }
    }

    /// `ln Γ(size + n) - ln Γ(size)`.
    fn ln_rising(&self, n: u64) -> f64 {
        if n == 0 {
            0.0
        } else {
            self.ln_size + ln_rising(self.size + 1.0, n - 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::CountColumn;
    use crate::data::Codes;

    const BDEU_1: LocalScore = LocalScore::Bdeu {
        equivalent_sample_size: 1.0,
    };

    /// A family of some columns, the node first, each with its number of values.
    fn family(columns: &[(&[u32], usize)]) -> FamilyCounts {
        let codes: Vec<Codes> = columns
            .iter()
            .map(|(cells, n)| Codes::new(*n, cells.iter().copied().map(Some)))
            .collect();
        let all: Vec<CountColumn<'_>> = codes
            .iter()
            .zip(columns)
            .map(|(codes, (_, n_values))| CountColumn {
                codes,
                n_values: *n_values,
            })
            .collect();
        FamilyCounts::count(all[0], &all[1..]).unwrap()
    }

    fn assert_close(score: f64, expected: f64, tolerance: f64) {
        assert!(
            (score - expected).abs() < tolerance,
            "{score} is not {expected}"
        );
    }

    #[test]
    fn example_1_has_its_worked_scores() {
        let rows = 0..32u32;
        let bit = |row: u32, k: u32| row >> k & 1;
        let (a1, a2, a4) = (
            rows.clone().map(|row| bit(row, 4)).collect::<Vec<_>>(),
            rows.clone().map(|row| bit(row, 3)).collect::<Vec<_>>(),
            rows.map(|row| bit(row, 2)).collect::<Vec<_>>(),
        );
        let join = |rule: &dyn Fn(u32, u32, u32) -> u32| -> Vec<u32> {
            (0..32).map(|row| rule(a1[row], a2[row], a4[row])).collect()
        };
        let class = join(&|a1, a2, a4| a2 | (a1 ^ a4));
        let a6 = join(&|a1, a2, a4| a1 | a2 | a4);
        let column = |cells| (cells, 2);
        let table: [(&[&[u32]], [f64; 3]); 5] = [
            (&[&class], [-19.962928, -19.665135, -19.727593]),
            (&[&class, &a2], [-14.621943, -15.129081, -14.556091]),
            (&[&a2], [-24.147180, -23.710747, -23.913578]),
            (&[&a2, &class], [-18.806196, -18.924367, -18.742076]),
            (&[&class, &a2, &a6], [-12.107778, -13.212158, -14.569642]),
        ];
        for (columns, expected) in table {
            let columns: Vec<_> = columns.iter().map(|&cells| column(cells)).collect();
            let family = family(&columns);
            for (score, expected) in [BDEU_1, LocalScore::K2, LocalScore::Bic]
                .iter()
                .zip(expected)
            {
                assert_close(score.score(&family).unwrap(), expected, 5e-7);
            }
        }
    }

    #[test]
    fn scores_agree_with_pgmpy_on_quinlans_weather() {
        // pgmpy 1.1.2: BIC, BDeu with a sample size of 10, K2. Rows of
        // sunny, overcast, rain; high, normal; windy; play.
        let outlook: &[u32] = &[0, 0, 1, 2, 2, 2, 1, 0, 0, 2, 0, 1, 1, 2];
        let humidity: &[u32] = &[0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0];
        let windy: &[u32] = &[0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1];
        let play: &[u32] = &[0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0];
        let bdeu = LocalScore::Bdeu {
            equivalent_sample_size: 10.0,
        };
        type Case<'a> = (&'a [(&'a [u32], usize)], [f64; 3]);
        let cases: [Case<'_>; 3] = [
            (
                &[(play, 2), (outlook, 3), (windy, 2)],
                [-11.213008854850104, -8.934934790598719, -8.958797346140274],
            ),
            (
                &[(outlook, 3), (play, 2)],
                [-18.19088551869899, -16.101315295282483, -16.493307715895465],
            ),
            // One of eight combinations does not occur: pgmpy's K2 adds ln Γ(3) for it.
            (
                &[(outlook, 3), (humidity, 2), (windy, 2), (play, 2)],
                [
                    -29.43022480364141,
                    -18.051241379269445,
                    -15.943513666258543 - LN_2,
                ],
            ),
        ];
        for (columns, expected) in cases {
            let family = family(columns);
            for (score, expected) in [LocalScore::Bic, bdeu, LocalScore::K2].iter().zip(expected) {
                assert_close(score.score(&family).unwrap(), expected, 1e-12);
            }
        }
    }

    #[test]
    fn equivalent_scores_do_not_see_the_direction_of_an_arc() {
        let (a, b) = ([0, 1, 1, 0, 2, 2, 1, 0], [1, 1, 0, 0, 1, 1, 0, 1]);
        let score =
            |score: LocalScore, columns: &[(&[u32], usize)]| score.score(&family(columns)).unwrap();
        for kind in [LocalScore::Bic, BDEU_1, LocalScore::K2] {
            let forth = score(kind, &[(&a, 3)]) + score(kind, &[(&b, 2), (&a, 3)]);
            let back = score(kind, &[(&b, 2)]) + score(kind, &[(&a, 3), (&b, 2)]);
            assert_eq!(
                (forth - back).abs() < 1e-12,
                kind.is_equivalent(),
                "{kind:?}"
            );
        }
    }

    #[test]
    fn hundreds_of_parents_still_have_a_score() {
        // 2,000 parents of two values: more combinations than a float holds. One row each
        // of two combinations: BDeu gives 2 ln(1/2) whatever the prior.
        let (cells, zero_one): (&[u32], &[u32]) = (&[0, 1], &[0, 1]);
        let columns: Vec<(&[u32], usize)> = std::iter::once((cells, 2))
            .chain(std::iter::repeat_n((zero_one, 2), 2_000))
            .collect();
        let family = family(&columns);
        assert_close(BDEU_1.score(&family).unwrap(), -2.0 * LN_2, 1e-12);
        assert_close(LocalScore::K2.score(&family).unwrap(), -2.0 * LN_2, 1e-12);
        assert_eq!(LocalScore::Bic.score(&family).unwrap(), f64::NEG_INFINITY);
    }

    #[test]
    fn no_rows_and_one_value_score_nothing() {
        for score in [LocalScore::Bic, BDEU_1, LocalScore::K2] {
            assert_eq!(score.score(&family(&[(&[], 3), (&[], 2)])).unwrap(), 0.0);
            assert_close(score.score(&family(&[(&[0, 0], 1)])).unwrap(), 0.0, 1e-15);
        }
        for size in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let score = LocalScore::Bdeu {
                equivalent_sample_size: size,
            };
            assert!(score.score(&family(&[(&[0], 1)])).is_err(), "{size}");
        }
    }
}
