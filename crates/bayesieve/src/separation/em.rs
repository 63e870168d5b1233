//! The most likely distribution of true scores, by expectation and maximization on a grid.
//!
//! Each block is more likely under some nodes than under others; a node's new mass is the
//! share of the blocks that it accounts for: h_k <- h_k mean_i f_i(g_k) / sum_l h_l f_i(g_l),
//! f_i the density of block i's estimated score given the true one.
//! Cost: a table of densities once, then two passes over it per round.

use rayon::prelude::*;

use crate::{Error, Observer, Result, check};

use super::distribution::{checked_parameters, ln_density};
use super::score::SampleScore;

/// Points of the grid.
const N_POINTS: usize = 100;
/// Most rounds.
const MAX_ROUNDS: usize = 500;
/// A round that gains less log-likelihood than this is the last.
const MIN_GAIN: f64 = 1e-8;
/// Nodes of less mass are dropped at the end.
const MIN_MASS: f64 = 1e-12;
/// Blocks whose sums are added before those of the next; never the number of threads.
const CHUNK: usize = 256;

/// Nodes with masses, which need not sum to 1; none where there are no blocks.
pub(super) fn estimate(scores: &[SampleScore], observer: &dyn Observer) -> Result<Vec<(f64, f64)>> {
    if let Some(bad) = scores
        .iter()
        .find(|s| !(0.0..f64::INFINITY).contains(&s.score))
    {
        return Err(Error::data(format!(
            "a block has the separation score {}: a finite number of at least 0 is needed",
            bad.score
        )));
    }
    let most = scores.iter().map(|s| s.score).fold(0.0, f64::max);
    if most == 0.0 {
        return Ok(vec![(0.0, 1.0)]);
    }
    let nodes = points(scores, most);
    let mixture = Mixture::new(scores, &nodes, observer)?;
    let masses = mixture.fit(observer)?;
    let kept = nodes.into_iter().zip(masses);
    Ok(kept.filter(|(_, mass)| *mass >= MIN_MASS).collect())
}

/// Where true scores may be: half of the points equally far apart in the root of the score, where
/// the noise of every score is the same; half where the scores are, less their bias, so that a few
/// blocks that tell everything leave enough points to the others.
fn points(scores: &[SampleScore], most: f64) -> Vec<f64> {
    let last = (N_POINTS / 2 - 1) as f64;
    let even = (0..N_POINTS / 2).map(|k| most * (k as f64 / last).powi(2));
    let mut unbiased: Vec<f64> = scores
        .iter()
        .map(|s| (s.score - checked_parameters(s.parameters)).max(0.0))
        .collect();
    unbiased.sort_by(f64::total_cmp);
    let rank = |k: usize| (k as f64 / last * (unbiased.len() - 1) as f64).round() as usize;
    let mut points: Vec<f64> = even
        .chain((0..N_POINTS / 2).map(|k| unbiased[rank(k)]))
        .collect();
    points.sort_by(f64::total_cmp);
    points
}

/// How likely each block's score is under each node.
struct Mixture {
    /// A row per block, as multiples of the row's largest.
    likelihoods: Vec<[f64; N_POINTS]>,
}

/// What a round learns of some blocks.
struct Sums {
    /// The share of them that each node accounts for, as a multiple of its mass.
    shares: [f64; N_POINTS],
    log_likelihood: f64,
}

impl Mixture {
    fn new(scores: &[SampleScore], nodes: &[f64], observer: &dyn Observer) -> Result<Self> {
        let row = |score: &SampleScore| {
            check(observer)?;
            let parameters = checked_parameters(score.parameters);
            let mut row = [0.0; N_POINTS];
            for (cell, &node) in row.iter_mut().zip(nodes) {
                *cell = ln_density(parameters, node, score.score);
            }
            let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            row.iter_mut()
                .for_each(|cell| *cell = (*cell - largest).exp());
            Ok(row)
        };
        let likelihoods: Result<Vec<_>> = scores.par_iter().map(row).collect();
        Ok(Mixture {
            likelihoods: likelihoods?,
        })
    }

    /// The masses after the last round.
    fn fit(&self, observer: &dyn Observer) -> Result<[f64; N_POINTS]> {
        let mut masses = [1.0 / N_POINTS as f64; N_POINTS];
        let mut before = f64::NEG_INFINITY;
        for _ in 0..MAX_ROUNDS {
            check(observer)?;
            let log_likelihood = self.round(&mut masses);
            if log_likelihood - before < MIN_GAIN {
                break;
            }
            before = log_likelihood;
        }
        Ok(masses)
    }

    /// Improves the masses; the log-likelihood of the old ones, but for a constant.
    fn round(&self, masses: &mut [f64; N_POINTS]) -> f64 {
        let chunks = self.likelihoods.par_chunks(CHUNK);
        let sums: Vec<Sums> = chunks.map(|rows| Sums::new(rows, masses)).collect();
        let per_block = 1.0 / self.likelihoods.len() as f64;
        for (k, mass) in masses.iter_mut().enumerate() {
            let share: f64 = sums.iter().map(|sum| sum.shares[k]).sum();
            *mass *= share * per_block;
        }
        sums.iter().map(|sum| sum.log_likelihood).sum()
    }
}

impl Sums {
    fn new(rows: &[[f64; N_POINTS]], masses: &[f64; N_POINTS]) -> Self {
        let mut sums = Sums {
            shares: [0.0; N_POINTS],
            log_likelihood: 0.0,
        };
        for row in rows {
            let likelihood = dot(row, masses).max(f64::MIN_POSITIVE);
            sums.log_likelihood += likelihood.ln();
            let scale = 1.0 / likelihood;
            for (share, cell) in sums.shares.iter_mut().zip(row) {
                *share += cell * scale;
            }
        }
        sums
    }
}

/// In four sums side by side, which a processor adds at once.
fn dot(a: &[f64; N_POINTS], b: &[f64; N_POINTS]) -> f64 {
    let mut sums = [0.0; 4];
    for (a, b) in a.chunks_exact(4).zip(b.chunks_exact(4)) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;
    use crate::separation::distribution::ScoreDistribution;

    fn sample(score: f64, parameters: f64) -> SampleScore {
        SampleScore { score, parameters }
    }

    /// Scores of two groups of true scores 0 and 400, one block in four of the latter, each
    /// group spread over the middle of its distribution.
    fn two_groups(n: usize) -> Vec<SampleScore> {
        let block = |i: usize| {
            let place = (i as f64 + 0.5) / n as f64 - 0.5;
            let (mean, spread) = if i.is_multiple_of(4) {
                (412.0, 80.0)
            } else {
                (12.0, 10.0)
            };
            sample(mean + spread * place, 12.0)
        };
        (0..n).map(block).collect()
    }

    #[test]
    fn rounds_follow_the_reference() {
        // The same rounds written in a dozen lines over another library's densities, 500 of
        // them: mean 19.77165307, and weights of two scores.
        let scores = [
            (10.0, 12.0),
            (14.0, 12.0),
            (40.0, 12.0),
            (5.0, 3.0),
            (70.0, 6.0),
        ];
        let scores = scores.map(|(score, parameters)| sample(score, parameters));
        let distribution = ScoreDistribution::estimate(&scores, &Silent).unwrap();
        assert!(
            (distribution.mean() - 19.771653071833846).abs() < 1e-9,
            "{}",
            distribution.mean()
        );
        assert!((distribution.weight(12.0, 20.0) - 0.1721782046853837).abs() < 1e-10);
        assert!((distribution.weight(3.0, 5.0) - 0.3944996773333566).abs() < 1e-10);
        assert_eq!(distribution.nodes.len(), 23);
    }

    #[test]
    fn one_block_that_tells_everything_hides_no_others() {
        // Ten blocks tell nothing, nine score 200, one very much.
        for much in [1e4, 1e6, 1e8, 1e15] {
            one_block_hides_no_others(much);
        }
    }

    fn one_block_hides_no_others(much: f64) {
        let mut scores: Vec<SampleScore> = (0..10).map(|i| sample(8.0 + i as f64, 12.0)).collect();
        scores.extend((0..9).map(|i| sample(180.0 + 5.0 * i as f64, 12.0)));
        scores.push(sample(much, 12.0));
        let distribution = ScoreDistribution::estimate(&scores, &Silent).unwrap();
        assert!(
            distribution.weight(12.0, 200.0) > 0.5,
            "{}",
            distribution.weight(12.0, 200.0)
        );
        assert!(
            distribution.weight(12.0, 12.0) < 0.05,
            "{}",
            distribution.weight(12.0, 12.0)
        );
        let thresholds =
            crate::separation::threshold::exact_thresholds(&distribution, &scores, &Silent)
                .unwrap();
        assert!((20.0..180.0).contains(&thresholds[0]), "{}", thresholds[0]);
    }

    #[test]
    fn groups_far_apart_keep_their_shares() {
        let distribution = ScoreDistribution::estimate(&two_groups(400), &Silent).unwrap();
        let high: f64 = distribution
            .pairs()
            .filter(|(node, _)| *node > 200.0)
            .map(|(_, mass)| mass)
            .sum();
        assert!((high - 0.25).abs() < 1e-9, "{high}");
        assert!(
            (distribution.mean() - 100.0).abs() < 2.0,
            "{}",
            distribution.mean()
        );
    }

    #[test]
    fn the_likelihood_never_falls() {
        let scores = two_groups(40);
        let nodes: Vec<f64> = (0..N_POINTS).map(|k| 5.0 * k as f64).collect();
        let mixture = Mixture::new(&scores, &nodes, &Silent).unwrap();
        let mut masses = [1.0 / N_POINTS as f64; N_POINTS];
        let mut before = mixture.round(&mut masses);
        for _ in 0..200 {
            let now = mixture.round(&mut masses);
            assert!(now >= before - 1e-10, "{before} {now}");
            before = now;
        }
        assert!((masses.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn threads_change_nothing() {
        let scores = two_groups(1000);
        let with = |n_threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
            let pool = pool.build().unwrap();
            pool.install(|| ScoreDistribution::estimate(&scores, &Silent).unwrap())
        };
        assert_eq!(with(1), with(3));
    }

    #[test]
    fn scores_at_the_ends_are_safe() {
        let zero = ScoreDistribution::point(0.0);
        assert_eq!(ScoreDistribution::estimate(&[], &Silent).unwrap(), zero);
        assert_eq!(
            ScoreDistribution::estimate(&[sample(0.0, 12.0)], &Silent).unwrap(),
            zero
        );
        let mixed = [sample(0.0, 12.0), sample(1e9, 1.0), sample(3.0, f64::NAN)];
        let distribution = ScoreDistribution::estimate(&mixed, &Silent).unwrap();
        assert!((distribution.masses.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        for score in [-1.0, f64::NAN, f64::INFINITY] {
            let error = ScoreDistribution::estimate(&[sample(score, 12.0)], &Silent).unwrap_err();
            assert!(error.to_string().contains("separation score"), "{error}");
        }
    }
}
