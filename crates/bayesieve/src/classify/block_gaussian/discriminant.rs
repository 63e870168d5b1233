//! Log densities of rows in one block, for all classes at once.

use super::NormalBlock;
use crate::separation::Cholesky;

/// Rows that are worked on at a time: their deviations stay in the first-level cache.
const TILE: usize = 32;

/// A block compiled for scoring.
#[derive(Debug, Clone)]
pub(super) enum Discriminant {
    /// One covariance: what is quadratic in a row is the same for all classes and left out.
    Linear(Linear),
    /// Own covariances.
    Quadratic(Vec<Ellipsoid>),
}

/// `ln N(x; mu, S)` up to a term without the class: `(S^-1 d)' (x - c) - d' S^-1 d / 2`, where
/// `d = mu - c` and c is the mean of the classes' means. Measured from c, numbers that are large
/// with a small spread lose no digits. The offsets of the block are added.
#[derive(Debug, Clone)]
pub(super) struct Linear {
    center: Vec<f64>,
    /// `[feature][class]`
    slopes: Vec<f64>,
    offsets: Vec<f64>,
}

/// The normal distribution of one class.
#[derive(Debug, Clone)]
pub(super) struct Ellipsoid {
    mean: Vec<f64>,
    /// Rows of the lower half of L, where the covariance is L L'; the diagonal inverted.
    lower: Vec<f64>,
    /// The log density at the mean, with the offset of the block.
    peak: f64,
}

impl Discriminant {
    /// Compiles a block; `None` where it has no feature or a covariance is singular.
    pub(super) fn new(block: &NormalBlock) -> Option<Self> {
        if block.features.is_empty() {
            return None;
        }
        let cholesky = block.covariances.iter().map(Cholesky::new);
        let cholesky: Vec<Cholesky> = cholesky.collect::<Option<_>>()?;
        match &cholesky[..] {
            [common] => Some(Discriminant::Linear(Linear::new(block, common))),
            _ => {
                let classes = block.means.iter().zip(&block.offsets).zip(&cholesky);
                let classes = classes
                    .map(|((mean, offset), cholesky)| Ellipsoid::new(mean, *offset, cholesky));
                Some(Discriminant::Quadratic(classes.collect()))
            }
        }
    }

    /// Sets `scores[row][class]` to the log densities, up to a term that is the same for all
    /// classes, of rows that are given column by column. A row with a gap gets no numbers; what
    /// becomes of a row does not depend on the others.
    pub(super) fn score(&self, columns: &[&[f64]], scores: &mut [f64]) {
        match self {
            Discriminant::Linear(linear) => linear.score(columns, scores),
            Discriminant::Quadratic(classes) => {
                for (class, ellipsoid) in classes.iter().enumerate() {
                    ellipsoid.score(columns, scores, (class, classes.len()));
                }
            }
        }
    }

    /// About how many bytes it takes.
    pub(super) fn n_bytes(&self) -> usize {
        match self {
            Discriminant::Linear(linear) => 8 * (linear.center.len() + linear.slopes.len()),
            Discriminant::Quadratic(classes) => {
                classes.iter().map(|class| 8 * class.lower.len()).sum()
            }
        }
    }
}

impl Linear {
    fn new(block: &NormalBlock, cholesky: &Cholesky) -> Self {
        let means = &block.means;
        let n_classes = means.len();
        let size = means.first().map_or(0, Vec::len);
        let center: Vec<f64> = (0..size)
            .map(|feature| {
                // Deviations from the first mean, so that equal means give just that mean.
                let first = means[0][feature];
                let away: f64 = means.iter().map(|mean| mean[feature] - first).sum();
                first + away / n_classes as f64
            })
            .collect();
        let mut slopes = vec![0.0; size * n_classes];
        let mut offsets = block.offsets.clone();
        for (class, mean) in means.iter().enumerate() {
            let away: Vec<f64> = mean.iter().zip(&center).map(|(mu, c)| mu - c).collect();
            let slope = cholesky.solve(&away);
            offsets[class] -= 0.5 * cholesky.squared_length(&away);
            for (feature, slope) in slope.into_iter().enumerate() {
                slopes[feature * n_classes + class] = slope;
            }
        }
        Linear {
            center,
            slopes,
            offsets,
        }
    }

    fn score(&self, columns: &[&[f64]], scores: &mut [f64]) {
        let n_classes = self.offsets.len();
        for scores in scores.chunks_exact_mut(n_classes) {
            scores.copy_from_slice(&self.offsets);
        }
        let slopes = self.slopes.chunks_exact(n_classes);
        for ((column, center), slopes) in columns.iter().zip(&self.center).zip(slopes) {
            match *slopes {
                // A loop of known length is twice as fast.
                [a, b] => add_slopes(column, *center, [a, b], scores),
                [a, b, c] => add_slopes(column, *center, [a, b, c], scores),
                _ => {
                    for (&x, scores) in column.iter().zip(scores.chunks_exact_mut(n_classes)) {
                        let away = x - center;
                        let pairs = scores.iter_mut().zip(slopes);
                        pairs.for_each(|(score, slope)| *score += slope * away);
                    }
                }
            }
        }
    }
}

fn add_slopes<const K: usize>(column: &[f64], center: f64, slopes: [f64; K], scores: &mut [f64]) {
    let (rows, _) = scores.as_chunks_mut::<K>();
    for (&x, scores) in column.iter().zip(rows) {
        let away = x - center;
        for (score, slope) in scores.iter_mut().zip(slopes) {
            *score += slope * away;
        }
    }
}

impl Ellipsoid {
    fn new(mean: &[f64], offset: f64, cholesky: &Cholesky) -> Self {
        let mut lower = cholesky.lower().to_vec();
        for row in 0..mean.len() {
            let diagonal = &mut lower[row * (row + 3) / 2];
            *diagonal = 1.0 / *diagonal;
        }
        let volume = mean.len() as f64 * std::f64::consts::TAU.ln() + cholesky.ln_determinant();
        Ellipsoid {
            mean: mean.to_vec(),
            lower,
            peak: offset - 0.5 * volume,
        }
    }

    /// Sets the scores of one class of so many: `peak - |L^-1 (x - mu)|² / 2`.
    fn score(&self, columns: &[&[f64]], scores: &mut [f64], of: (usize, usize)) {
        // Rows with gaps come one by one.
        match columns {
            [[_], ..] => self.score_tiles::<1>(columns, scores, of),
            _ => self.score_tiles::<TILE>(columns, scores, of),
        }
    }

    fn score_tiles<const N: usize>(
        &self,
        columns: &[&[f64]],
        scores: &mut [f64],
        (class, n_classes): (usize, usize),
    ) {
        let size = self.mean.len();
        let mut solved = vec![[0.0; N]; size];
        for (tile, scores) in scores.chunks_mut(N * n_classes).enumerate() {
            let start = tile * N;
            let n_rows = scores.len() / n_classes;
            let mut squares = [0.0; N];
            for feature in 0..size {
                let begin = feature * (feature + 1) / 2;
                let row = &self.lower[begin..=begin + feature];
                let (before, rest) = solved.split_at_mut(feature);
                let own = &mut rest[0];
                let numbers = &columns[feature][start..start + n_rows];
                for (own, x) in own.iter_mut().zip(numbers) {
                    *own = x - self.mean[feature];
                }
                for (before, factor) in before.iter().zip(row) {
                    for (own, before) in own.iter_mut().zip(before) {
                        *own -= factor * before;
                    }
                }
                for (own, square) in own.iter_mut().zip(&mut squares) {
                    *own *= row[feature];
                    *square += *own * *own;
                }
            }
            for (scores, square) in scores.chunks_exact_mut(n_classes).zip(squares) {
                scores[class] = self.peak - 0.5 * square;
            }
        }
    }
}
