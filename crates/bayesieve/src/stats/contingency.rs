//! Chi-square and G tests of independence over the layers of a counted table.
//!
//! Rows are the values of one column, columns those of another, and there is one layer
//! per configuration of the columns that are held fixed; without any, one layer.
//! Per layer with total n and margins r, c, the expected count is E = r c / n and
//! Pearson's X2 = sum (O - E)^2 / E, G2 = 2 sum O ln(O / E); layers add up.
//! Cost: two passes over the cells.

use serde::Deserialize;

use super::special::deviance;
use super::tail::{Tail, upper_chi_square};
use crate::{Error, Result};

/// The largest total, so that products of two counts fit a signed 128-bit number.
const LARGEST_TOTAL: u64 = i64::MAX as u64;

/// Counts of two columns, one layer per configuration of the columns held fixed.
///
/// Only layers that occur need to be given; [`Layers::with_nominal_layers`] then says
/// how many there could be.
///
/// # Example
/// ```
/// use bayesieve::stats::{DegreesOfFreedom, Layers, Statistic};
///
/// // Two values against two values: 10 30 / 30 10.
/// let layers = Layers::new(2, 2, &[10, 30, 30, 10])?;
/// let test = layers.test(Statistic::Pearson, DegreesOfFreedom::Nominal);
/// assert_eq!(test.statistic, 20.0); // four times (10 - 20)^2 / 20
/// assert_eq!(test.degrees_of_freedom, 1.0);
/// assert!(!test.is_independent(0.05));
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Layers<'a> {
    n_rows: usize,
    n_columns: usize,
    cells: &'a [u64],
    nominal_layers: u64,
}

/// What measures the distance from independence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Statistic {
    /// Pearson's X2.
    Pearson,
    /// The likelihood ratio G2, that is 2 N ln 2 times the conditional information in
    /// bits.
    #[default]
    G,
}

/// How degrees of freedom are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DegreesOfFreedom {
    /// (rows - 1)(columns - 1) for every layer there could be.
    #[default]
    Nominal,
    /// (rows that occur - 1)(columns that occur - 1), summed over the layers that occur.
    Adjusted,
}

/// The outcome of a test of independence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IndependenceTest {
    /// X2 or G2.
    pub statistic: f64,
    /// Whole, but kept as a float because products of many columns outgrow integers.
    pub degrees_of_freedom: f64,
    /// Upper tail of the chi-square distribution; 1 without degrees of freedom.
    pub p: f64,
    /// Natural logarithm of `p`, exact where `p` is 0.
    pub ln_p: f64,
}

impl IndependenceTest {
    /// Whether independence stands at level `alpha`: p > alpha.
    pub fn is_independent(&self, alpha: f64) -> bool {
        self.p > alpha
    }
}

impl<'a> Layers<'a> {
    /// Checks the shape: layers one after the other, each `n_rows` x `n_columns` with
    /// the columns of a row side by side.
    ///
    /// # Errors
    /// A dimension of 0, no cell, a number of cells that is no whole number of layers,
    /// or counts that add up to more than 2^63 - 1.
    pub fn new(n_rows: usize, n_columns: usize, cells: &'a [u64]) -> Result<Self> {
        let size = n_rows.saturating_mul(n_columns);
        if size == 0 || cells.is_empty() {
            return Err(Error::data("a table without cells cannot be tested"));
        }
        if !cells.len().is_multiple_of(size) {
            return Err(Error::data(format!(
                "{} cells do not fill layers of {n_rows} x {n_columns}",
                cells.len()
            )));
        }
        cells
            .iter()
            .try_fold(0u64, |sum, &cell| sum.checked_add(cell))
            .filter(|&total| total <= LARGEST_TOTAL)
            .ok_or_else(|| Error::data("the counts add up to more than 2^63 - 1"))?;
        Ok(Layers {
            n_rows,
            n_columns,
            cells,
            nominal_layers: (cells.len() / size) as u64,
        })
    }

    /// Says how many layers there could be, for
    /// [`DegreesOfFreedom::Nominal`]; a number beyond `u64` may be given as `u64::MAX`.
    ///
    /// # Errors
    /// Fewer than the layers given.
    ///
    /// # Example
    /// ```
    /// use bayesieve::stats::{DegreesOfFreedom, Layers, Statistic};
    ///
    /// // One of six configurations occurs.
    /// let layers = Layers::new(2, 2, &[3, 1, 1, 3])?.with_nominal_layers(6)?;
    /// let test = layers.test(Statistic::G, DegreesOfFreedom::Nominal);
    /// assert_eq!(test.degrees_of_freedom, 6.0);
    /// assert!(Layers::new(1, 2, &[1, 2, 3, 4])?.with_nominal_layers(1).is_err());
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn with_nominal_layers(self, nominal_layers: u64) -> Result<Self> {
        if nominal_layers < self.nominal_layers {
            return Err(Error::usage(format!(
                "{nominal_layers} layers are possible, but {} were given",
                self.nominal_layers
            )));
        }
        Ok(Layers {
            nominal_layers,
            ..self
        })
    }

    /// Tests whether rows and columns are independent within layers.
    ///
    /// Without degrees of freedom nothing can speak against independence: p = 1.
    pub fn test(&self, statistic: Statistic, counting: DegreesOfFreedom) -> IndependenceTest {
        let mut value = 0.0;
        let mut adjusted = 0.0;
        let mut rows = vec![0; self.n_rows];
        let mut columns = vec![0; self.n_columns];
        for cells in self.cells.chunks_exact(self.n_rows * self.n_columns) {
            let total = sum_margins(cells, &mut rows, &mut columns);
            if total == 0 {
                continue;
            }
            adjusted += beyond_first(&rows) * beyond_first(&columns);
            let margins = rows
                .iter()
                .flat_map(|&row| columns.iter().map(move |&column| (row, column)));
            for (&cell, (row, column)) in cells.iter().zip(margins) {
                if row > 0 && column > 0 {
                    value += Cell {
                        cell,
                        total,
                        row,
                        column,
                    }
                    .share(statistic);
                }
            }
        }
        let degrees_of_freedom = match counting {
            DegreesOfFreedom::Adjusted => adjusted,
            DegreesOfFreedom::Nominal => {
                (self.n_rows - 1) as f64 * (self.n_columns - 1) as f64 * self.nominal_layers as f64
            }
        };
        let tail = if degrees_of_freedom > 0.0 {
            upper_chi_square(value, degrees_of_freedom)
        } else {
            Tail::ONE
        };
        IndependenceTest {
            statistic: value,
            degrees_of_freedom,
            p: tail.p,
            ln_p: tail.ln_p,
        }
    }
}

/// Whether a test on `n` rows has power: at least five rows per cell of its table.
///
/// `n_cells` is the product of the domain sizes of all columns of the test.
///
/// # Example
/// ```
/// use bayesieve::stats::has_power;
///
/// assert!(has_power(40, 8));
/// assert!(!has_power(39, 8));
/// ```
pub fn has_power(n: u64, n_cells: u64) -> bool {
    n >= n_cells.saturating_mul(5)
}

/// Fills the margins of one layer and gives its total.
fn sum_margins(cells: &[u64], rows: &mut [u64], columns: &mut [u64]) -> u64 {
    columns.fill(0);
    for (row, cells) in rows.iter_mut().zip(cells.chunks_exact(columns.len())) {
        *row = cells.iter().sum();
        for (column, &cell) in columns.iter_mut().zip(cells) {
            *column += cell;
        }
    }
    rows.iter().sum()
}

/// Number of margins that are not 0, less one.
fn beyond_first(margins: &[u64]) -> f64 {
    let present = margins.iter().filter(|&&margin| margin > 0).count();
    present.saturating_sub(1) as f64
}

/// One count with the total and margins of its layer; the margins are not 0.
struct Cell {
    cell: u64,
    total: u64,
    row: u64,
    column: u64,
}

impl Cell {
    /// What the cell adds to the statistic; never negative.
    fn share(&self, statistic: Statistic) -> f64 {
        let total = self.total as f64;
        let margins = self.row as f64 * self.column as f64;
        let excess = self.excess();
        match statistic {
            Statistic::Pearson => excess / total * (excess / margins),
            // 2 (O ln(O/E) + E - O): the last two cancel over a layer, and with them
            // every term is positive, so weak dependence keeps its digits.
            Statistic::G if self.cell == 0 => 2.0 * (margins / total),
            Statistic::G => {
                let cell = self.cell as f64;
                2.0 * deviance(cell, margins / (total * cell), excess / total)
            }
        }
    }

    /// row x column - cell x total, that is n (E - O), from whole numbers: exact
    /// independence gives 0, not rounding noise.
    fn excess(&self) -> f64 {
        if self.total < 1 << 31 {
            // Both products are below 2^62.
            ((self.row * self.column) as i64 - (self.cell * self.total) as i64) as f64
        } else {
            (i128::from(self.row) * i128::from(self.column)
                - i128::from(self.cell) * i128::from(self.total)) as f64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [Statistic; 2] = [Statistic::Pearson, Statistic::G];

    fn assert_close(value: f64, expected: f64, tolerance: f64) {
        assert!(
            (value - expected).abs() < tolerance,
            "{value} is not {expected}"
        );
    }

    fn pearson(n_rows: usize, cells: &[u64]) -> IndependenceTest {
        Layers::new(n_rows, 2, cells)
            .unwrap()
            .test(Statistic::Pearson, DegreesOfFreedom::Adjusted)
    }

    /// The 32 rows of a small artificial table: all combinations of five fair bits A1,
    /// A2, A4, A5, U, the last fastest; C = A2 or (A1 xor A4), A3 = A2 or U, A6 = A1 or
    /// A2 or A4, A7 = A5, A8 = A2. A row is C, A1, ..., A8.
    fn example_rows() -> Vec<[usize; 9]> {
        (0..32)
            .map(|row| {
                let [a1, a2, a4, a5, u] = [4, 3, 2, 1, 0].map(|bit| row >> bit & 1);
                [a2 | (a1 ^ a4), a1, a2, a2 | u, a4, a5, a1 | a2 | a4, a5, a2]
            })
            .collect()
    }

    /// Counts of feature `x` against the class, one layer per value of the features
    /// `given`.
    fn example_counts(x: usize, given: &[usize]) -> Vec<u64> {
        let mut cells = vec![0; 4 << given.len()];
        for row in example_rows() {
            let layer = given.iter().fold(0, |layer, &z| 2 * layer + row[z]);
            cells[4 * layer + 2 * row[x] + row[0]] += 1;
        }
        cells
    }

    fn example_test(
        x: usize,
        given: &[usize],
        times: u64,
        statistic: Statistic,
    ) -> IndependenceTest {
        let cells: Vec<u64> = example_counts(x, given).iter().map(|n| n * times).collect();
        let counting = match statistic {
            Statistic::G => DegreesOfFreedom::Nominal,
            Statistic::Pearson => DegreesOfFreedom::Adjusted,
        };
        Layers::new(2, 2, &cells).unwrap().test(statistic, counting)
    }

    #[test]
    fn the_weather_table_gives_quinlans_chi_squares() {
        // Outlook, temperature, humidity, windy against play / do not play.
        let outlook = pearson(3, &[2, 3, 4, 0, 3, 2]);
        assert_close(outlook.statistic, 3.5467, 5e-5);
        assert_eq!(outlook.degrees_of_freedom, 2.0);
        assert_close(outlook.p, 0.1698, 5e-5);
        let temperature = pearson(3, &[2, 2, 4, 2, 3, 1]);
        assert_close(temperature.statistic, 0.5704, 5e-5);
        let humidity = pearson(2, &[3, 4, 6, 1]);
        assert_close(humidity.statistic, 2.8, 1e-14);
        assert_close(humidity.p, 0.0943, 5e-5);
        assert_eq!(humidity.degrees_of_freedom, 1.0);
        assert_close(pearson(2, &[6, 2, 3, 3]).statistic, 0.9333, 5e-5);
    }

    #[test]
    fn g_tests_of_the_example_give_the_worked_numbers() {
        // 2 * 32 ln 2 times .311278, .155639 and .094361 bits.
        let a2 = example_test(2, &[], 1, Statistic::G);
        assert_close(a2.statistic, 13.808739, 5e-7);
        assert_eq!(a2.degrees_of_freedom, 1.0);
        assert_close(a2.p, 2.0239e-4, 5e-9);
        let a6 = example_test(6, &[2], 1, Statistic::G);
        assert_close(a6.statistic, 6.904370, 5e-7);
        assert_eq!(a6.degrees_of_freedom, 2.0);
        assert_close(a6.p, 0.031676, 5e-7);
        let a1 = example_test(1, &[2, 6], 1, Statistic::G);
        assert_close(a1.statistic, 4.185985, 5e-7);
        assert_eq!(a1.degrees_of_freedom, 4.0);
        assert_close(a1.p, 0.381420, 5e-7);
    }

    #[test]
    fn ten_copies_of_the_example_give_ten_times_the_statistic() {
        let g = |x, given: &[usize]| example_test(x, given, 10, Statistic::G);
        for (test, statistic, freedom) in [
            (g(2, &[]), 138.0874, 1.0),
            (g(6, &[2]), 69.0437, 2.0),
            (g(1, &[2, 6]), 41.8599, 4.0),
            (g(4, &[2, 6, 1]), 110.9035, 8.0),
        ] {
            assert_close(test.statistic, statistic, 5e-5);
            assert_eq!(test.degrees_of_freedom, freedom);
        }
        // With A1, A2 and A4 known, A6 has nothing to add.
        assert_eq!(g(6, &[1, 2, 4]).p, 1.0);
    }

    #[test]
    fn pearson_stopping_gives_the_worked_numbers() {
        let x2 = |x, given: &[usize], times| example_test(x, given, times, Statistic::Pearson);
        let a2 = x2(2, &[], 1);
        assert_close(a2.statistic, 10.667, 5e-4);
        assert_close(a2.p, 0.0011, 5e-5);
        let a6 = x2(6, &[2], 1);
        assert_close(a6.statistic, 5.333, 5e-4);
        assert_eq!(a6.degrees_of_freedom, 1.0); // A2 = 1 settles the class
        assert_close(a6.p, 0.0209, 5e-5);
        let a1 = x2(1, &[2, 6], 1);
        assert_close(a1.statistic, 3.0, 1e-13);
        assert_close(a1.p, 0.0833, 5e-5);
        assert_close(x2(1, &[2, 6], 10).statistic, 30.0, 1e-12);
        assert_close(x2(4, &[2, 6, 1], 10).statistic, 80.0, 1e-12);
    }

    #[test]
    fn a_v_structure_shows_in_its_five_tests() {
        // Counts over (a, b, c), the last fastest.
        let counts: [u64; 8] = [18, 2, 4, 16, 4, 16, 2, 18];
        let count = |a: usize, b: usize, c: usize| counts[4 * a + 2 * b + c];
        let (mut ab, mut ac, mut bc) = ([0; 4], [0; 4], [0; 4]);
        let (mut ab_c, mut ac_b) = ([0; 8], [0; 8]);
        for (a, b, c) in (0..8).map(|i| (i >> 2, i >> 1 & 1, i & 1)) {
            ab[2 * a + b] += count(a, b, c);
            ac[2 * a + c] += count(a, b, c);
            bc[2 * b + c] += count(a, b, c);
            ab_c[4 * c + 2 * a + b] += count(a, b, c);
            ac_b[4 * b + 2 * a + c] += count(a, b, c);
        }
        let table: [(&[u64], f64, f64, f64); 5] = [
            (&ab, 0.0, 0.0, 1.0),
            (&ac, 14.0659, 14.7236, 1.0),
            (&bc, 14.0659, 14.7236, 1.0),
            (&ac_b, 20.5823, 22.8290, 2.0),
            (&ab_c, 7.3624, 8.1054, 2.0),
        ];
        for (cells, x2, g2, freedom) in table {
            let layers = Layers::new(2, 2, cells).unwrap();
            for (statistic, expected) in BOTH.into_iter().zip([x2, g2]) {
                let test = layers.test(statistic, DegreesOfFreedom::Adjusted);
                assert_close(test.statistic, expected, 5e-5);
                assert_eq!(test.degrees_of_freedom, freedom);
            }
        }
        assert_close(pearson(2, &ac).p, 0.0002, 5e-5);
        assert_close(pearson(2, &ab_c).p, 0.0252, 5e-5);
        assert_eq!(pearson(2, &ab).p, 1.0);
    }

    #[test]
    fn exact_independence_is_exactly_zero_at_any_size() {
        for scale in [1, 1_000_003, 1 << 40, 1 << 57] {
            let cells = [2 * scale, 3 * scale, 4 * scale, 6 * scale];
            let layers = Layers::new(2, 2, &cells).unwrap();
            for statistic in BOTH {
                let test = layers.test(statistic, DegreesOfFreedom::Nominal);
                assert_eq!(
                    (test.statistic, test.p),
                    (0.0, 1.0),
                    "{statistic:?} x {scale}"
                );
            }
        }
    }

    #[test]
    fn weak_dependence_in_many_rows_keeps_its_digits() {
        // n = 4m, every margin 2m, cells m +- 1: X2 = 4/m, and G2 = X2 to order 1/m^2.
        let m = 1_000_000_000;
        let cells = [m + 1, m - 1, m - 1, m + 1];
        for statistic in BOTH {
            let test = Layers::new(2, 2, &cells)
                .unwrap()
                .test(statistic, DegreesOfFreedom::Nominal);
            assert_close(test.statistic / 4e-9, 1.0, 1e-14);
        }
    }

    #[test]
    fn empty_rows_columns_and_layers_lower_only_the_adjusted_count() {
        // First layer: two of three rows, two of three columns; second: empty; third: one row.
        let mut cells = [0; 27];
        cells[..2].copy_from_slice(&[5, 1]);
        cells[6..8].copy_from_slice(&[1, 5]);
        cells[18..21].copy_from_slice(&[4, 4, 4]);
        let layers = Layers::new(3, 3, &cells).unwrap();
        let freedom = |counting| layers.test(Statistic::G, counting).degrees_of_freedom;
        assert_eq!(freedom(DegreesOfFreedom::Adjusted), 1.0);
        assert_eq!(freedom(DegreesOfFreedom::Nominal), 12.0);
    }

    #[test]
    fn no_degrees_of_freedom_mean_independence() {
        for cells in [[7, 9, 0, 0], [0, 0, 0, 0], [3, 0, 5, 0]] {
            let test = pearson(2, &cells);
            assert_eq!(
                (test.degrees_of_freedom, test.p, test.ln_p),
                (0.0, 1.0, 0.0)
            );
            assert!(test.is_independent(0.999));
        }
        let one_value = Layers::new(1, 4, &[1, 2, 3, 4]).unwrap();
        assert_eq!(
            one_value.test(Statistic::G, DegreesOfFreedom::Nominal).p,
            1.0
        );
    }

    #[test]
    fn an_overwhelming_dependence_still_has_a_log_p() {
        let cells = [1_000_000, 0, 0, 1_000_000];
        let test = pearson(2, &cells);
        assert_eq!((test.statistic, test.p), (2e6, 0.0));
        // ln of the upper tail: -x/2 - ln(x pi / 2) / 2 + ln(1 - 1/x), x = 2e6.
        assert_close(test.ln_p, -1_000_007.480_122, 1e-5);
    }

    #[test]
    fn shapes_and_counts_that_make_no_table_are_errors() {
        assert!(Layers::new(0, 2, &[]).is_err());
        assert!(Layers::new(2, 2, &[]).is_err());
        assert!(Layers::new(2, 0, &[1]).is_err());
        assert!(Layers::new(usize::MAX, 2, &[1, 2]).is_err());
        let error = Layers::new(2, 2, &[1, 2, 3]).unwrap_err();
        assert_eq!(error.to_string(), "3 cells do not fill layers of 2 x 2");
        assert!(Layers::new(1, 2, &[u64::MAX, 1]).is_err());
        assert!(Layers::new(1, 2, &[1 << 62, 1 << 62]).is_err());
    }
}
