//! What two columns tell about each other and about the class.

use super::{PerRow, ratio};
use crate::counts::{CountTable, Shape};
use crate::math::{n_log_n, sum_n_log_n, sum_n_log_n_within};

/// Entropies and informations of two columns and the class, in bits.
///
/// # Example
/// ```
/// use bayesieve::counts::{CountTable, Shape};
/// use bayesieve::info::PairInformation;
///
/// // The class is the exclusive or of two fair bits: alone they tell nothing.
/// let shape = Shape { n_classes: 2, n_a: 2, n_b: 2 };
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
    /// From the counts of two columns given the class.
    pub fn new(table: &CountTable) -> Self {
        let sums = MarginSums::new(table);
        let per_row = PerRow::new(sums.n);
        let bits = |difference: f64| per_row.bits(difference);
        PairInformation {
            n_rows: sums.n,
            entropy_a: bits(sums.all - sums.a),
            entropy_b: bits(sums.all - sums.b),
            mutual: bits(sums.ab - sums.a - sums.b + sums.all),
            given_class: bits(sums.cab - sums.ca - sums.cb + sums.c),
            with_class: bits(sums.cab - sums.c - sums.ab + sums.all),
            class_from_a_given_b: bits(sums.cab - sums.cb - sums.ab + sums.b),
            class_from_b_given_a: bits(sums.cab - sums.ca - sums.ab + sums.a),
        }
    }

    /// The same pair with the columns exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        PairInformation {
            entropy_a: self.entropy_b,
            entropy_b: self.entropy_a,
            class_from_a_given_b: self.class_from_b_given_a,
            class_from_b_given_a: self.class_from_a_given_b,
            ..*self
        }
    }

    /// `2 I(A; B) / (H(A) + H(B))`, 0 where both are constant.
    pub fn symmetric_uncertainty(&self) -> f64 {
        ratio(2.0 * self.mutual, self.entropy_a + self.entropy_b)
    }
}

/// Margins up to this many cells lie on the stack.
const FEW_MARGINS: usize = 128;

/// `Σ n log2 n` over every margin of a pair table; the letters are the axes kept.
struct MarginSums {
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

impl MarginSums {
    fn new(table: &CountTable) -> Self {
        match (table.as_dense(), table.shape()) {
            (Some(cells), shape) if shape.n_classes == 1 => MarginSums::plain(shape.n_b, cells),
            (Some(cells), shape) => MarginSums::dense(shape, cells),
            (None, _) => MarginSums::sparse(table),
        }
    }

    /// One walk over all cells; this runs once per pair of columns, so small margins need
    /// no allocation.
    fn dense(shape: Shape, cells: &[u64]) -> Self {
        let Shape {
            n_classes,
            n_a,
            n_b,
        } = shape;
        let sizes = [
            n_classes * n_a,
            n_classes * n_b,
            n_a * n_b,
            n_classes,
            n_a,
            n_b,
        ];
        let n_margins = sizes.iter().sum();
        let (mut few, mut many) = ([0; FEW_MARGINS], Vec::new());
        let mut rest = if n_margins <= FEW_MARGINS {
            &mut few[..n_margins]
        } else {
            many.resize(n_margins, 0);
            &mut many[..]
        };
        let [ca, cb, ab, c, a, b] = sizes.map(|size| {
            let (margin, behind) = std::mem::take(&mut rest).split_at_mut(size);
            rest = behind;
            margin
        });
        let (mut class, mut value) = (0, 0);
        for (row, cells) in cells.chunks_exact(n_b.max(1)).enumerate() {
            let cb = &mut cb[class * n_b..][..n_b];
            let ab = &mut ab[value * n_b..][..n_b];
            let mut sum = 0;
            for ((&n, cb), ab) in cells.iter().zip(cb).zip(ab) {
                *cb += n;
                *ab += n;
                sum += n;
            }
            ca[row] = sum;
            c[class] += sum;
            a[value] += sum;
            value += 1;
            if value == n_a {
                (class, value) = (class + 1, 0);
            }
        }
        for row in cb.chunks_exact(n_b.max(1)) {
            for (b, n) in b.iter_mut().zip(row) {
                *b += n;
            }
        }
        let n = c.iter().sum();
        let sum = |counts: &[u64]| sum_n_log_n_within(counts, n);
        MarginSums {
            n,
            all: n_log_n(n),
            c: sum(c),
            a: sum(a),
            b: sum(b),
            ca: sum(ca),
            cb: sum(cb),
            ab: sum(ab),
            cab: sum(cells),
        }
    }

    /// Without the class the margins with it are those without.
    fn plain(n_b: usize, cells: &[u64]) -> Self {
        let n = cells.iter().sum();
        let (mut few, mut many) = ([0; FEW_MARGINS], Vec::new());
        let b = if n_b <= FEW_MARGINS {
            &mut few[..n_b]
        } else {
            many.resize(n_b, 0);
            &mut many[..]
        };
        let mut sum_a = 0.0;
        for row in cells.chunks_exact(n_b.max(1)) {
            let mut sum = 0;
            for (b, n) in b.iter_mut().zip(row) {
                *b += n;
                sum += n;
            }
            sum_a += n_log_n(sum);
        }
        let (all, sum_b) = (n_log_n(n), sum_n_log_n_within(b, n));
        let sum_ab = sum_n_log_n_within(cells, n);
        MarginSums {
            n,
            all,
            c: all,
            a: sum_a,
            b: sum_b,
            ca: sum_a,
            cb: sum_b,
            ab: sum_ab,
            cab: sum_ab,
        }
    }

    /// Two sorts: memory for the cells that occur only.
    fn sparse(table: &CountTable) -> Self {
        let mut cells = Vec::new();
        table.for_each(|cell, n| cells.push(([cell.class, cell.a, cell.b], n)));
        let cab = runs(&cells, |[c, a, b]| [c, a, b]);
        let ca = runs(&cells, |[c, a, _]| [c, a, 0]);
        let c = runs(&cells, |[c, _, _]| [c, 0, 0]);
        cells.sort_unstable_by_key(|&([c, a, b], _)| (b, a, c));
        let ab = runs(&cells, |[_, a, b]| [a, b, 0]);
        let b = runs(&cells, |[_, _, b]| [b, 0, 0]);
        cells.sort_unstable_by_key(|&([c, a, b], _)| (c, b, a));
        let cb = runs(&cells, |[c, _, b]| [c, b, 0]);
        let mut by_a = vec![0; table.shape().n_a];
        cells.iter().for_each(|&([_, a, _], n)| by_a[a] += n);
        let n = by_a.iter().sum();
        MarginSums {
            n,
            all: n_log_n(n),
            c,
            a: sum_n_log_n(&by_a),
            b,
            ca,
            cb,
            ab,
            cab,
        }
    }
}

/// `Σ n log2 n` over runs of cells with the same key.
fn runs(cells: &[([usize; 3], u64)], key: impl Fn([usize; 3]) -> [usize; 3]) -> f64 {
    cells
        .chunk_by(|x, y| key(x.0) == key(y.0))
        .map(|run| n_log_n(run.iter().map(|cell| cell.1).sum()))
        .sum()
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
}
