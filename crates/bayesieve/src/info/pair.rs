//! What two columns tell about each other and about the class.

use super::{bits, ratio, sum_n_log_n};
use crate::counts::{CountTable, Shape};
use crate::math::n_log_n;

/// Entropies and informations of two columns and the class, in bits.
///
/// # Example
/// ```
/// use bayesieve::counts::{CountTable, Shape};
/// use bayesieve::info::PairInformation;
///
/// // The class is the exclusive or of two fair bits: alone they tell nothing.
/// let shape = Shape { n_classes: 2, n_folds: 1, n_a: 2, n_b: 2 };
/// let table = CountTable::dense(shape, vec![1, 0, 0, 1, 0, 1, 1, 0])?;
/// let information = PairInformation::new(&table);
/// assert_eq!(information.mutual, 0.0);
/// assert_eq!(information.given_class, 1.0);
/// assert_eq!(information.with_class, 1.0);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairInformation {
    /// Number of rows counted.
    pub n_rows: u64,
    /// `H(A)`.
    pub entropy_a: f64,
    /// `H(B)`.
    pub entropy_b: f64,
    /// `I(A; B)`.
    pub mutual: f64,
    /// `I(A; B | C)`.
    pub given_class: f64,
    /// `I(A, B; C)`: what both together tell about the class.
    pub with_class: f64,
    /// `I(A; C | B)`: what the first tells about the class when the second is known.
    pub class_from_a_given_b: f64,
    /// `I(B; C | A)`.
    pub class_from_b_given_a: f64,
}

impl PairInformation {
    /// From the counts of two columns given the class, over all folds.
    pub fn new(table: &CountTable) -> Self {
        let sums = Sums::new(table);
        let n = sums.n;
        PairInformation {
            n_rows: n,
            entropy_a: bits(sums.all - sums.a, n),
            entropy_b: bits(sums.all - sums.b, n),
            mutual: bits(sums.ab - sums.a - sums.b + sums.all, n),
            given_class: bits(sums.cab - sums.ca - sums.cb + sums.c, n),
            with_class: bits(sums.cab - sums.c - sums.ab + sums.all, n),
            class_from_a_given_b: bits(sums.cab - sums.cb - sums.ab + sums.b, n),
            class_from_b_given_a: bits(sums.cab - sums.ca - sums.ab + sums.a, n),
        }
    }

    /// `2 I(A; B) / (H(A) + H(B))`, 0 where both are constant.
    pub fn symmetric_uncertainty(&self) -> f64 {
        ratio(2.0 * self.mutual, self.entropy_a + self.entropy_b)
    }
}

/// `Σ n log2 n` over every margin of a pair table; the letters are the axes kept.
struct Sums {
    n: u64,
    all: f64,
    c: f64,
    a: f64,
    b: f64,
    ca: f64,
    cb: f64,
    ab: f64,
    cab: f64,
}

impl Sums {
    fn new(table: &CountTable) -> Self {
        let Shape {
            n_classes,
            n_a,
            n_b,
            ..
        } = table.shape();
        let mut ca = vec![0; n_classes * n_a];
        let mut cb = vec![0; n_classes * n_b];
        let mut classes = vec![0; n_classes];
        table.for_each(|cell, n| {
            classes[cell.class] += n;
            ca[cell.class * n_a + cell.a] += n;
            cb[cell.class * n_b + cell.b] += n;
        });
        let n = classes.iter().sum();
        let (ab, cab) = joint_sums(table);
        Sums {
            n,
            all: n_log_n(n),
            c: sum_n_log_n(&classes),
            a: sum_n_log_n(&over_classes(&ca, n_a)),
            b: sum_n_log_n(&over_classes(&cb, n_b)),
            ca: sum_n_log_n(&ca),
            cb: sum_n_log_n(&cb),
            ab,
            cab,
        }
    }
}

/// Adds up the classes of a table `[class][value]`.
fn over_classes(cells: &[u64], n_values: usize) -> Vec<u64> {
    let mut sums = vec![0; n_values];
    for row in cells.chunks(n_values.max(1)) {
        for (sum, n) in sums.iter_mut().zip(row) {
            *sum += n;
        }
    }
    sums
}

/// The sums over (a, b) and over (class, a, b).
fn joint_sums(table: &CountTable) -> (f64, f64) {
    let Shape {
        n_folds, n_a, n_b, ..
    } = table.shape();
    match table.as_dense() {
        Some(cells) if n_folds == 1 => (
            sum_n_log_n(&over_classes(cells, n_a * n_b)),
            sum_n_log_n(cells),
        ),
        _ => {
            let mut by_pair = Vec::new();
            table.for_each(|cell, n| by_pair.push(((cell.a, cell.b, cell.class), n)));
            by_pair.sort_unstable();
            let sum = |runs: &mut dyn Iterator<Item = u64>| runs.map(n_log_n).sum();
            let total = |run: &[((usize, usize, usize), u64)]| run.iter().map(|cell| cell.1).sum();
            let ab = sum(&mut by_pair
                .chunk_by(|x, y| (x.0.0, x.0.1) == (y.0.0, y.0.1))
                .map(total));
            let cab = sum(&mut by_pair.chunk_by(|x, y| x.0 == y.0).map(total));
            (ab, cab)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::{CountColumn, Engine, InstructionSet, RowIndex};
    use crate::data::Codes;

    /// All 32 rows of Example 1 as columns of bits: A1 to A8 and C.
    fn example1() -> Vec<Codes> {
        let column = |rule: &dyn Fn(u8, u8, u8, u8, u8) -> u8| {
            let cells = (0..32).map(|i: u8| {
                let bit = |k: u8| i >> k & 1;
                rule(bit(4), bit(3), bit(2), bit(1), bit(0))
            });
            Codes::U8(cells.collect())
        };
        vec![
            column(&|a1, _, _, _, _| a1),
            column(&|_, a2, _, _, _| a2),
            column(&|_, a2, _, _, u| a2 | u),
            column(&|_, _, a4, _, _| a4),
            column(&|_, _, _, a5, _| a5),
            column(&|a1, a2, a4, _, _| a1 | a2 | a4),
            column(&|_, _, _, a5, _| a5),
            column(&|_, a2, _, _, _| a2),
            column(&|a1, a2, a4, _, _| a2 | (a1 ^ a4)),
        ]
    }

    #[test]
    fn example_1_has_the_informations_of_its_worked_numbers() {
        let columns = example1();
        let all: Vec<CountColumn<'_>> = columns
            .iter()
            .map(|codes| CountColumn { codes, n_values: 2 })
            .collect();
        // (A_i, A_j, I(A_i; A_j), I(A_i; A_j | C)), counted from 1.
        let expected = [
            (2, 6, 0.137925, 0.0),
            (1, 6, 0.137925, 0.25),
            (2, 3, 0.311278, 0.237517),
            (2, 8, 1.0, 0.688722),
            (1, 4, 0.0, 0.311278),
        ];
        for engine in [Engine::Auto, Engine::Sparse] {
            let index = RowIndex::new(&all[..8], all[8])
                .unwrap()
                .with_engine(engine, InstructionSet::detect());
            for (i, j, mutual, given_class) in expected {
                let table = index.count_pair(i - 1, j - 1).unwrap();
                let pair = PairInformation::new(&table);
                assert!((pair.mutual - mutual).abs() < 5e-7, "I(A{i};A{j})");
                assert!(
                    (pair.given_class - given_class).abs() < 5e-7,
                    "I(A{i};A{j}|C)"
                );
            }
            // SU(A2, A6) and SU(A2, A3) of the CFS example; I(A6; C | A2) of Koller-Sahami.
            let pair =
                |i: usize, j: usize| PairInformation::new(&index.count_pair(i - 1, j - 1).unwrap());
            assert!((pair(2, 6).symmetric_uncertainty() - 0.178710).abs() < 5e-7);
            assert!((pair(2, 3).symmetric_uncertainty() - 0.343711).abs() < 5e-7);
            assert!((pair(6, 2).class_from_a_given_b - 0.155639).abs() < 5e-7);
            assert!((pair(2, 6).class_from_b_given_a - 0.155639).abs() < 5e-7);
            // I(A2, A6; C) of the JMI example.
            assert!((pair(2, 6).with_class - 0.466917).abs() < 5e-7);
        }
    }

    #[test]
    fn folds_do_not_matter() {
        let columns = example1();
        let column = |i: usize| CountColumn {
            codes: &columns[i],
            n_values: 2,
        };
        let folds: Vec<u32> = (0..32).map(|row| row % 3).collect();
        let plain = RowIndex::new(&[column(1), column(5)], column(8)).unwrap();
        let folded = RowIndex::with_folds(&[column(1), column(5)], column(8), &folds, 3).unwrap();
        assert_eq!(
            PairInformation::new(&plain.count_pair(0, 1).unwrap()),
            PairInformation::new(&folded.count_pair(0, 1).unwrap()),
        );
    }
}
