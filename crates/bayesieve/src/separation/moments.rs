//! Means and covariances of a block, and the distances of classes in it.
//!
//! With a common covariance the distance is `d' S^-1 d`, with own ones
//! `tr[(S1 - S2)(S2^-1 - S1^-1)] / 2 + d' (S1^-1 + S2^-1) d / 2`: the divergence of two normal
//! distributions, both ways. All of it is computed in units of each feature's spread within classes.
//!
//! An estimated covariance makes distances too large: a common one by `v / (v - m - 1)`, for
//! m features and v degrees of freedom (Hotelling). With own covariances the expected score
//! of a block that tells nothing is known as well, and scores are shrunk to where that is
//! the number of parameters. The estimated mean of a class of n rows makes its log density too
//! small by `m / 2n` on average, which matters where classes are of different sizes, and an own
//! covariance has too small a determinant; both are made good (Moran and Murphy, 1979).

use super::matrix::{Cholesky, Symmetric};
use super::numbers::{ClassedNumbers, ScaledFeature};
use super::options::{Correction, Covariance};
use super::score::SampleScore;

/// What is added to the diagonal of a singular covariance, in units of the variances within
/// classes.
const RIDGE: f64 = 1e-6;

/// A block's normal distributions, one per class.
#[derive(Debug, Clone, PartialEq)]
pub struct NormalBlock {
    /// Positions of its features, rising.
    pub features: Vec<usize>,
    /// The mean of every feature, by class.
    pub means: Vec<Vec<f64>>,
    /// One covariance for all classes, or one per class: positive definite, corrected, in the
    /// units of the data.
    pub covariances: Vec<Symmetric>,
    /// What is added to the log density of every class: estimated moments make it too small on
    /// average; 0 where distances are not corrected.
    pub offsets: Vec<f64>,
}

/// The moments of a block in units of its features' spreads.
pub(super) struct Moments<'a> {
    features: Vec<&'a ScaledFeature>,
    normals: Normals,
    class_counts: &'a [u64],
    /// Whether a ridge was added.
    is_singular: bool,
    correction: Correction,
}

enum Normals {
    Common(Normal),
    /// By class; nothing for a class without rows.
    Own(Vec<Option<Normal>>),
}

/// A covariance that can be inverted.
struct Normal {
    covariance: Symmetric,
    cholesky: Cholesky,
    degrees_of_freedom: f64,
}

impl<'a> Moments<'a> {
    /// The moments of some features, by number.
    pub(super) fn new(
        numbers: &'a ClassedNumbers,
        features: &[usize],
        (covariance, correction): (Covariance, Correction),
    ) -> Self {
        let features: Vec<&ScaledFeature> =
            features.iter().map(|&f| &numbers.features[f]).collect();
        let mut is_singular = features.iter().any(|feature| feature.is_flat);
        let n_all = numbers.degrees_of_freedom() as f64;
        let mut normal = |covariance: Symmetric, degrees_of_freedom: f64| {
            let (covariance, cholesky, is_ridged) = regular(covariance);
            is_singular |= is_ridged;
            Normal {
                covariance,
                cholesky,
                degrees_of_freedom,
            }
        };
        let normals = match covariance {
            Covariance::Common => Normals::Common(normal(correlations(&features), n_all)),
            Covariance::Own => {
                let of_class = |class: usize| {
                    let n_rows = numbers.class_counts[class];
                    (n_rows > 0).then(|| {
                        let degrees_of_freedom = (n_rows - 1) as f64;
                        let products = products(&features, numbers.rows_of(class));
                        let scale = n_all / degrees_of_freedom;
                        normal(products.scaled(scale), degrees_of_freedom)
                    })
                };
                Normals::Own((0..numbers.class_counts.len()).map(of_class).collect())
            }
        };
        Moments {
            features,
            normals,
            class_counts: &numbers.class_counts,
            is_singular,
            correction,
        }
    }

    /// Whether every covariance has rows enough to be corrected.
    pub(super) fn has_room(&self) -> bool {
        match &self.normals {
            Normals::Common(normal) => self.fits(normal),
            Normals::Own(normals) => normals.iter().flatten().all(|normal| self.fits(normal)),
        }
    }

    fn fits(&self, normal: &Normal) -> bool {
        normal.degrees_of_freedom > self.size() + 1.0
    }

    fn size(&self) -> f64 {
        self.features.len() as f64
    }

    pub(super) fn is_singular(&self) -> bool {
        self.is_singular
    }

    /// Parameters per class: what an estimated score is too large by.
    pub(super) fn n_parameters(&self) -> f64 {
        let m = self.size();
        match self.normals {
            Normals::Common(_) => m,
            Normals::Own(_) => m + m * (m + 1.0) / 2.0,
        }
    }

    /// The score of two classes, for so many rows (`n1 n2 / (n1 + n2)`).
    pub(super) fn sample(&self, classes: [usize; 2], n_rows: f64) -> SampleScore {
        SampleScore {
            score: n_rows * self.distance(classes, n_rows),
            parameters: self.n_parameters(),
        }
    }

    /// The distance of two classes, for so many rows (`n1 n2 / (n1 + n2)`).
    pub(super) fn distance(&self, [a, b]: [usize; 2], n_rows: f64) -> f64 {
        let apart: Vec<f64> = self
            .features
            .iter()
            .map(|feature| (feature.means[a] - feature.means[b]) / feature.spread)
            .collect();
        match &self.normals {
            Normals::Common(normal) => {
                normal.cholesky.squared_length(&apart) * self.shrinkage(normal.degrees_of_freedom)
            }
            Normals::Own(normals) => match (&normals[a], &normals[b]) {
                (Some(a), Some(b)) => {
                    let traces =
                        a.cholesky.trace_with(&b.covariance) + b.cholesky.trace_with(&a.covariance);
                    let lengths =
                        a.cholesky.squared_length(&apart) + b.cholesky.squared_length(&apart);
                    let distance = (traces / 2.0 - self.size() + lengths / 2.0).max(0.0);
                    distance * self.own_shrinkage([a, b], n_rows)
                }
                _ => 0.0,
            },
        }
    }

    /// `(v - m - 1) / v`; 1 where rows are too few for it.
    fn shrinkage(&self, degrees_of_freedom: f64) -> f64 {
        let left = degrees_of_freedom - self.size() - 1.0;
        match self.correction {
            Correction::On if left > 0.0 => left / degrees_of_freedom,
            _ => 1.0,
        }
    }

    /// Parameters over the expected score of a block that tells nothing: with
    /// `a = v / (v - m - 1)` for each class that is
    /// `nh m (a1 - 1 + a2 - 1) / 2 + m (a1 + a2) / 2`. 1 where one of them has too few rows.
    fn own_shrinkage(&self, normals: [&Normal; 2], n_rows: f64) -> f64 {
        if self.correction == Correction::Off || !normals.iter().all(|normal| self.fits(normal)) {
            return 1.0;
        }
        let inflations = normals.map(|normal| 1.0 / self.shrinkage(normal.degrees_of_freedom));
        let sum: f64 = inflations.iter().sum();
        let expected = self.size() * (n_rows * (sum - 2.0) / 2.0 + sum / 2.0);
        (self.n_parameters() / expected).min(1.0)
    }

    /// What the log density of a class is too small by on average.
    fn offset(&self, class: usize) -> f64 {
        let n_rows = self.class_counts[class];
        if self.correction == Correction::Off || n_rows == 0 {
            return 0.0;
        }
        let of_mean = self.size() / (2.0 * n_rows as f64);
        let of_determinant = match &self.normals {
            Normals::Own(normals) => normals[class].as_ref().map_or(0.0, |normal| {
                let v = normal.degrees_of_freedom;
                let inflation = -self.size() * self.shrinkage(v).ln();
                // E ln |S| - ln |Sigma| for a covariance of v degrees of freedom.
                let features = 0..self.features.len();
                let terms = features.map(|i| (v - i as f64) / 2.0).filter(|&x| x > 0.0);
                let bias: f64 = terms.map(|x| digamma(x) - (v / 2.0).ln()).sum();
                (inflation + bias) / 2.0
            }),
            Normals::Common(_) => 0.0,
        };
        of_mean + of_determinant
    }

    /// The block as a classifier uses it.
    pub(super) fn fitted(&self) -> NormalBlock {
        let n_classes = self
            .features
            .first()
            .map_or(0, |feature| feature.means.len());
        let means = (0..n_classes).map(|class| {
            let means = self.features.iter().map(|feature| feature.means[class]);
            means.collect()
        });
        let corrected = |normal: &Normal| {
            self.in_data_units(
                &normal.covariance,
                self.shrinkage(normal.degrees_of_freedom),
            )
        };
        let covariances = match &self.normals {
            Normals::Common(normal) => vec![corrected(normal)],
            Normals::Own(normals) => {
                // Any distribution does for a class without rows.
                let unit =
                    Symmetric::from_fn(self.features.len(), |i, j| f64::from(u8::from(i == j)));
                let any = || self.in_data_units(&unit, 1.0);
                let own = normals.iter();
                own.map(|normal| normal.as_ref().map_or_else(any, corrected))
                    .collect()
            }
        };
        NormalBlock {
            features: self.features.iter().map(|feature| feature.column).collect(),
            means: means.collect(),
            covariances,
            offsets: (0..n_classes).map(|class| self.offset(class)).collect(),
        }
    }

    fn in_data_units(&self, covariance: &Symmetric, shrinkage: f64) -> Symmetric {
        Symmetric::from_fn(self.features.len(), |i, j| {
            let spreads = self.features[i].spread * self.features[j].spread;
            covariance.get(i, j) * spreads / shrinkage
        })
    }
}

/// Correlations within classes; the diagonal is 1 even where a feature is constant in each.
fn correlations(features: &[&ScaledFeature]) -> Symmetric {
    let all = 0..features
        .first()
        .map_or(0, |feature| feature.residuals.len());
    let products = products(features, all);
    Symmetric::from_fn(features.len(), |i, j| {
        if i == j { 1.0 } else { products.get(i, j) }
    })
}

fn products(features: &[&ScaledFeature], rows: std::ops::Range<usize>) -> Symmetric {
    Symmetric::from_fn(features.len(), |i, j| {
        let (a, b) = (&features[i].residuals, &features[j].residuals);
        let both = a[rows.clone()].iter().zip(&b[rows.clone()]);
        both.map(|(x, y)| x * y).sum()
    })
}

/// A covariance that can be inverted, and whether that took a ridge.
fn regular(covariance: Symmetric) -> (Symmetric, Cholesky, bool) {
    if let Some(cholesky) = Cholesky::new(&covariance) {
        return (covariance, cholesky, false);
    }
    let mut ridge = RIDGE;
    loop {
        let ridged = covariance.with_ridge(ridge);
        if let Some(cholesky) = Cholesky::new(&ridged) {
            return (ridged, cholesky, true);
        }
        // Rounding in a large matrix can eat a small ridge.
        ridge *= 10.0;
    }
}

/// The derivative of the log of the gamma function, for x > 0: an asymptotic series, which is
/// exact to 1e-13 from 10 on, and the recurrence below.
fn digamma(mut x: f64) -> f64 {
    let mut sum = 0.0;
    while x < 10.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    // Bernoulli numbers over their order: B_2k / 2k.
    let terms = [
        1.0 / 12.0,
        -1.0 / 120.0,
        1.0 / 252.0,
        -1.0 / 240.0,
        1.0 / 132.0,
    ];
    let series = terms
        .iter()
        .rev()
        .fold(0.0, |series, term| (series + term) * square);
    sum + x.ln() - 0.5 / x - series
}

#[cfg(test)]
mod tests {
    use super::super::testing::class_of_halves;
    use super::*;
    use crate::data::Nominal;
    use crate::random::{Purpose, normal, stream};

    const PLAIN: (Covariance, Correction) = (Covariance::Common, Correction::Off);

    fn numbers(columns: &[Vec<f64>], class: &Nominal) -> ClassedNumbers {
        let columns: Vec<(&str, &[f64])> = columns.iter().map(|c| ("x", c.as_slice())).collect();
        ClassedNumbers::new(&columns, class).unwrap()
    }

    #[test]
    fn the_distance_with_own_covariances_is_the_worked_one() {
        // N(0, 1) against N(1, 4), exactly: (4 - 1)(1 - 1/4) / 2 + (1 + 1/4) / 2 = 1.75.
        let class = Nominal::from_labels("a a a b b b".split(' ').map(Some));
        let numbers = numbers(&[vec![-1.0, 0.0, 1.0, -1.0, 1.0, 3.0]], &class);
        let own = Moments::new(&numbers, &[0], (Covariance::Own, Correction::Off));
        assert!((own.distance([0, 1], 1.5) - 1.75).abs() < 1e-14);
        assert_eq!(own.n_parameters(), 2.0);
        // Pooled variance (2 + 8) / 4: 1 / 2.5.
        let common = Moments::new(&numbers, &[0], PLAIN);
        assert!((common.distance([0, 1], 1.5) - 0.4).abs() < 1e-15);
        assert!((common.fitted().covariances[0].get(0, 0) - 2.5).abs() < 1e-14);
    }

    /// The mean score of a block of `m` numbers that tell nothing, and its standard error.
    fn mean_score(m: usize, n: usize, trials: u32, how: (Covariance, Correction)) -> (f64, f64) {
        let class = class_of_halves(2 * n);
        let scores: Vec<f64> = (0..trials)
            .map(|trial| {
                let mut rng = stream(7, Purpose::Generate, trial);
                let mut column = |_| (0..2 * n).map(|_| normal(&mut rng)).collect();
                let columns: Vec<Vec<f64>> = (0..m).map(&mut column).collect();
                let numbers = numbers(&columns, &class);
                let all: Vec<usize> = (0..m).collect();
                let n_rows = numbers.n_rows_of([0, 1]);
                Moments::new(&numbers, &all, how)
                    .sample([0, 1], n_rows)
                    .score
            })
            .collect();
        let mean = crate::stats::mean_sd(&scores).unwrap();
        let error = mean.sd.unwrap() / f64::from(trials).sqrt();
        (mean.mean, error)
    }

    #[test]
    fn estimated_covariances_make_scores_too_large_by_what_the_correction_takes_off() {
        // m = 12, n = 60: 12 * 118 / (118 - 13) = 13.486.
        let (mean, error) = mean_score(12, 60, 1500, PLAIN);
        assert!((mean - 13.486).abs() < 4.0 * error, "{mean} {error}");
        let (mean, error) = mean_score(12, 60, 1500, (Covariance::Common, Correction::On));
        assert!((mean - 12.0).abs() < 4.0 * error, "{mean} {error}");
    }

    #[test]
    fn own_covariances_score_their_number_of_parameters() {
        // m = 4: q = 4 + 10 = 14, whatever the rows, once corrected; without it the exact
        // expectation at n = 12 is 4 * (6 * (a - 1) + a) with a = 11 / 6: 27.333.
        let corrected = (Covariance::Own, Correction::On);
        let (mean, error) = mean_score(4, 12, 4000, corrected);
        assert!((mean - 14.0).abs() < 4.0 * error, "{mean} {error}");
        let (mean, error) = mean_score(4, 12, 4000, (Covariance::Own, Correction::Off));
        assert!((mean - 82.0 / 3.0).abs() < 4.0 * error, "{mean} {error}");
    }

    #[test]
    fn with_many_rows_own_covariances_need_no_correction() {
        // m = 12, n = 1200: q = 90; exactly 12 * (600 * 13 / 1186 + 1199 / 1186) = 91.05.
        let (mean, error) = mean_score(12, 1200, 60, (Covariance::Own, Correction::Off));
        assert!((mean - 91.05).abs() < 4.0 * error, "{mean} {error}");
    }

    #[test]
    fn the_digamma_function_has_its_known_values() {
        let euler = 0.577_215_664_901_532_9;
        assert!((digamma(1.0) + euler).abs() < 1e-12);
        assert!((digamma(0.5) + euler + 2.0 * 2f64.ln()).abs() < 1e-12);
        assert!((digamma(20.0) - 2.970_523_992_242_149).abs() < 1e-12);
    }

    #[test]
    fn offsets_make_log_densities_right_on_average() {
        // Noise of three numbers, classes of 10 and 40 rows: the mean log density of new rows
        // under the estimates of a class is that under the truth, less m/2 ln(2 pi) here and
        // there: -m/2.
        for covariance in [Covariance::Common, Covariance::Own] {
            let class =
                Nominal::from_labels((0..50).map(|row| Some(if row < 10 { "a" } else { "b" })));
            let mut away = [[0.0; 2]; 4000];
            for (trial, away) in away.iter_mut().enumerate() {
                let mut rng = stream(11, Purpose::Generate, trial as u32);
                let mut column = |_| (0..50).map(|_| normal(&mut rng)).collect();
                let columns: Vec<Vec<f64>> = (0..3).map(&mut column).collect();
                let numbers = numbers(&columns, &class);
                let how = (covariance, Correction::On);
                let block = Moments::new(&numbers, &[0, 1, 2], how).fitted();
                let new: Vec<f64> = (0..3).map(|_| normal(&mut rng)).collect();
                for (j, away) in away.iter_mut().enumerate() {
                    let distribution = &block.covariances[j.min(block.covariances.len() - 1)];
                    let distribution = Cholesky::new(distribution).unwrap();
                    let from: Vec<f64> = new
                        .iter()
                        .zip(&block.means[j])
                        .map(|(x, mean)| x - mean)
                        .collect();
                    let volume = match covariance {
                        Covariance::Common => 0.0,
                        Covariance::Own => distribution.ln_determinant(),
                    };
                    *away = block.offsets[j] - 0.5 * (distribution.squared_length(&from) + volume)
                        + 1.5;
                }
            }
            for j in 0..2 {
                let column: Vec<f64> = away.iter().map(|away| away[j]).collect();
                let mean = crate::stats::mean_sd(&column).unwrap();
                let error = mean.sd.unwrap() / (column.len() as f64).sqrt();
                assert!(
                    mean.mean.abs() < 4.0 * error,
                    "{covariance:?} {j} {}",
                    mean.mean
                );
            }
        }
    }

    #[test]
    fn scores_are_never_inflated_where_a_class_has_too_few_rows() {
        // Three rows of class b: no room for a correction, even of one number.
        let class =
            Nominal::from_labels((0..103).map(|row| Some(if row < 100 { "a" } else { "b" })));
        let column: Vec<f64> = (0..103).map(|i| f64::from(i * 37 % 101)).collect();
        let numbers = numbers(&[column], &class);
        let distance = |correction: Correction| {
            let block = Moments::new(&numbers, &[0], (Covariance::Own, correction));
            assert!(!block.has_room());
            block.distance([0, 1], numbers.n_rows_of([0, 1]))
        };
        assert_eq!(distance(Correction::On), distance(Correction::Off));
    }

    #[test]
    fn copies_get_a_ridge_and_a_finite_distance() {
        let class = class_of_halves(8);
        let column: Vec<f64> = (0..8).map(|i| f64::from(i * i % 5)).collect();
        let numbers = numbers(&[column.clone(), column], &class);
        let both = Moments::new(&numbers, &[0, 1], PLAIN);
        let one = Moments::new(&numbers, &[0], PLAIN).distance([0, 1], 4.0);
        assert!(both.is_singular());
        // d (1, 1) of all ones and a ridge r: 2 d² / (2 + r).
        let distance = both.distance([0, 1], 4.0);
        assert!((distance - one * 2.0 / (2.0 + RIDGE)).abs() < 1e-9 * one);
    }
}
