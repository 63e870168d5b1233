//! Small symmetric matrices: the covariances of blocks.

/// A pivot below this part of its diagonal element makes a matrix singular.
const MIN_PIVOT: f64 = 1e-10;

/// A symmetric matrix, stored as the rows of its lower half.
#[derive(Debug, Clone, PartialEq)]
pub struct Symmetric {
    size: usize,
    lower: Vec<f64>,
}

impl Symmetric {
    /// The matrix of these elements, asked for with row >= column.
    pub fn from_fn(size: usize, mut element: impl FnMut(usize, usize) -> f64) -> Self {
        let places = (0..size).flat_map(|row| (0..=row).map(move |column| (row, column)));
        Symmetric {
            size,
            lower: places.map(|(row, column)| element(row, column)).collect(),
        }
    }

    /// The matrix of the rows of its lower half, one behind the other; `None` where these are
    /// too many or too few.
    pub fn from_lower(size: usize, lower: Vec<f64>) -> Option<Self> {
        (Some(lower.len()) == n_lower(size)).then_some(Symmetric { size, lower })
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The rows of the lower half, one behind the other.
    pub fn lower(&self) -> &[f64] {
        &self.lower
    }

    /// An element.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        let (row, column) = (row.max(column), row.min(column));
        self.lower[row * (row + 1) / 2 + column]
    }

    /// Row and column `keep[i]` become the i-th.
    #[must_use]
    pub fn part(&self, keep: &[usize]) -> Self {
        Symmetric::from_fn(keep.len(), |row, column| self.get(keep[row], keep[column]))
    }

    /// The same with every element times a number.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Symmetric {
            size: self.size,
            lower: self.lower.iter().map(|x| x * factor).collect(),
        }
    }

    /// The same with a number added to the diagonal.
    #[must_use]
    pub fn with_ridge(&self, ridge: f64) -> Self {
        Symmetric::from_fn(self.size, |row, column| {
            let element = self.get(row, column);
            if row == column {
                element + ridge
            } else {
                element
            }
        })
    }
}

/// Elements of the lower half.
fn n_lower(size: usize) -> Option<usize> {
    size.checked_add(1)?
        .checked_mul(size)
        .map(|twice| twice / 2)
}

/// The lower triangle L of a positive definite matrix S = L L'.
#[derive(Debug, Clone, PartialEq)]
pub struct Cholesky {
    size: usize,
    /// Rows of the lower half.
    lower: Vec<f64>,
}

impl Cholesky {
    /// Takes a matrix apart; `None` where it is singular, or nearly so, or has elements that
    /// are no finite numbers.
    ///
    /// # Cost
    /// O(size³).
    ///
    /// # Example
    /// ```
    /// use bayesieve::separation::{Cholesky, Symmetric};
    ///
    /// let matrix = Symmetric::from_fn(2, |row, column| if row == column { 2.0 } else { 1.0 });
    /// let cholesky = Cholesky::new(&matrix).expect("a positive definite matrix");
    /// // The inverse is (2, -1; -1, 2) / 3, the determinant 3.
    /// assert!((cholesky.squared_length(&[1.0, 0.0]) - 2.0 / 3.0).abs() < 1e-15);
    /// assert!((cholesky.ln_determinant() - 3f64.ln()).abs() < 1e-15);
    /// assert!(Cholesky::new(&matrix.with_ridge(-1.0)).is_none()); // all ones
    /// ```
    pub fn new(matrix: &Symmetric) -> Option<Self> {
        let size = matrix.size;
        let mut lower = matrix.lower.clone();
        for row in 0..size {
            let start = row * (row + 1) / 2;
            let (above, own) = lower.split_at_mut(start);
            for column in 0..=row {
                let begin = column * (column + 1) / 2;
                if column < row {
                    let other = &above[begin..=begin + column];
                    own[column] =
                        (own[column] - dot(&own[..column], &other[..column])) / other[column];
                } else {
                    let pivot = own[row] - dot(&own[..row], &own[..row]);
                    let is_whole = pivot.is_finite() && pivot > MIN_PIVOT * own[row];
                    if !is_whole {
                        return None;
                    }
                    own[row] = pivot.sqrt();
                }
            }
        }
        Some(Cholesky { size, lower })
    }

    /// The rows of the lower half of L, one behind the other.
    pub fn lower(&self) -> &[f64] {
        &self.lower
    }

    /// The logarithm of the determinant of S.
    pub fn ln_determinant(&self) -> f64 {
        let diagonal = (0..self.size).map(|i| self.lower[i * (i + 3) / 2].ln());
        2.0 * diagonal.sum::<f64>()
    }

    /// `x' S^-1 x`.
    pub fn squared_length(&self, x: &[f64]) -> f64 {
        let mut solved = x.to_vec();
        self.forward(&mut solved);
        dot(&solved, &solved)
    }

    /// `S^-1 x`.
    pub fn solve(&self, x: &[f64]) -> Vec<f64> {
        let mut solved = x.to_vec();
        self.forward(&mut solved);
        for row in (0..self.size).rev() {
            let start = row * (row + 1) / 2;
            solved[row] /= self.lower[start + row];
            let value = solved[row];
            for (x, factor) in solved[..row].iter_mut().zip(&self.lower[start..]) {
                *x -= factor * value;
            }
        }
        solved
    }

    /// `L^-1 x`, in place.
    pub fn forward(&self, x: &mut [f64]) {
        for row in 0..self.size {
            let start = row * (row + 1) / 2;
            let sum = dot(&self.lower[start..start + row], &x[..row]);
            x[row] = (x[row] - sum) / self.lower[start + row];
        }
    }

    /// `tr(A S^-1)`.
    pub fn trace_with(&self, other: &Symmetric) -> f64 {
        let columns = (0..self.size).map(|column| {
            let mut unit: Vec<f64> = (0..self.size).map(|row| other.get(row, column)).collect();
            unit = self.solve(&unit);
            unit[column]
        });
        columns.sum()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[f64]]) -> Symmetric {
        Symmetric::from_fn(rows.len(), |row, column| rows[row][column])
    }

    #[test]
    fn a_matrix_of_three_is_solved() {
        // S = L L' with L = (2; 1 3; -1 2 1), so S = (4, 2, -2; 2, 10, 5; -2, 5, 6), |S| = 36.
        let s = matrix(&[&[4.0], &[2.0, 10.0], &[-2.0, 5.0, 6.0]]);
        let cholesky = Cholesky::new(&s).unwrap();
        assert_eq!(cholesky.lower, [2.0, 1.0, 3.0, -1.0, 2.0, 1.0]);
        assert!((cholesky.ln_determinant() - 36f64.ln()).abs() < 1e-14);
        // S (1, 2, 3)' = (2, 37, 26)'.
        let solved = cholesky.solve(&[2.0, 37.0, 26.0]);
        for (x, expected) in solved.iter().zip([1.0, 2.0, 3.0]) {
            assert!((x - expected).abs() < 1e-13, "{x}");
        }
        // (1, 2, 3) S (1, 2, 3)' = 2 + 74 + 78.
        assert!((cholesky.squared_length(&[2.0, 37.0, 26.0]) - 154.0).abs() < 1e-12);
        assert!((cholesky.trace_with(&s) - 3.0).abs() < 1e-14);
    }

    #[test]
    fn copies_constants_and_numbers_out_of_range_are_singular() {
        assert!(Cholesky::new(&matrix(&[&[1.0], &[1.0, 1.0]])).is_none());
        assert!(Cholesky::new(&matrix(&[&[0.0]])).is_none());
        assert!(Cholesky::new(&matrix(&[&[f64::NAN]])).is_none());
        assert!(Cholesky::new(&matrix(&[&[f64::INFINITY]])).is_none());
        let nearly = matrix(&[&[1.0], &[1.0, 1.0]]).with_ridge(1e-6);
        assert!(Cholesky::new(&nearly).is_some());
    }

    #[test]
    fn parts_and_halves_fit() {
        let s = matrix(&[&[4.0], &[2.0, 10.0], &[-2.0, 5.0, 6.0]]);
        assert_eq!(s.part(&[2, 0]).lower(), [6.0, -2.0, 4.0]);
        assert_eq!(s.scaled(0.5).get(1, 2), 2.5);
        assert_eq!(Symmetric::from_lower(3, s.lower().to_vec()), Some(s));
        assert_eq!(Symmetric::from_lower(3, vec![1.0; 5]), None);
        assert_eq!(Symmetric::from_lower(usize::MAX, vec![1.0; 5]), None);
    }
}
