//! Naive Bayes over many sets: sums of log terms that are worked out once per fold.
//!
//! With the classes of training in order of size, a row is predicted by the first class
//! unless a later one has a larger sum. All that matters are differences to the first class,
//! so two classes need one number per row and feature. Where a probability is 0 the
//! differences have no number, and the sums of every class are taken.

use std::sync::Arc;

use rayon::prelude::*;

use super::fold_measure::FoldMeasure;
use super::judge::{FeaturePath, Judge};
use super::part::FoldRows;
use super::patterns::Patterns;
use super::posteriors::Posteriors;
use super::votes::{Duel, Planes, TILE, Tile, Vote, add};
use crate::classify::{EncodedCells, Gaussian, TrainOptions};
use crate::counts::CountColumn;
use crate::data::{Code, Codes, Feature};
use crate::network::{Cpt, FamilyCounts};
use crate::score::FeatureSet;
use crate::{Error, Observer, Result, check, with_codes};

/// Sets that share the sums of combinations.
const SHARING: usize = 1_024;

/// One fold.
pub(super) struct NaiveBayes {
    terms: Vec<FeatureTerms>,
    /// By plane.
    prior: Vec<f64>,
    planes: Planes,
    part: Arc<FoldRows>,
}

/// The log terms of one feature.
enum FeatureTerms {
    /// As they are fitted, by value and class; then by plane and value, and one more for cells
    /// without a value, which is 0.
    Values {
        codes: Codes,
        n_values: usize,
        logs: Vec<f64>,
    },
    /// By class: normal distributions.
    Numbers { numbers: Vec<f64>, bells: Vec<Bell> },
    /// No value in training: nothing to be said.
    Nothing,
}

/// `offset - (x - mean)² weight`
#[derive(Debug, Clone, Copy)]
struct Bell {
    mean: f64,
    weight: f64,
    offset: f64,
}

impl Bell {
    const NONE: Bell = Bell {
        mean: 0.0,
        weight: 0.0,
        offset: 0.0,
    };

    fn new(gaussian: &Gaussian, class: usize) -> Self {
        let variance = gaussian.variances[class];
        Bell {
            mean: gaussian.means[class],
            weight: 0.5 / variance,
            offset: -0.5 * (std::f64::consts::TAU.ln() + variance.ln()),
        }
    }

    fn at(&self, x: f64) -> f64 {
        let away = x - self.mean;
        // The square of a number far outside may be too large for any number.
        (self.offset - away * away * self.weight).max(-1e300)
    }
}

impl NaiveBayes {
    pub(super) fn new(part: Arc<FoldRows>, training: &TrainOptions) -> Result<Self> {
        let features = part.train.features.par_iter().zip(&part.test).enumerate();
        let fitted = features.map(|(place, (feature, test))| match test {
            None => Ok(FeatureTerms::Nothing),
            Some(test) => FeatureTerms::fit(&part, place, feature, &test.cells, training),
        });
        let mut terms = fitted.collect::<Result<Vec<FeatureTerms>>>()?;
        let is_finite = |terms: &FeatureTerms| match terms {
            FeatureTerms::Values { logs, .. } => logs.iter().all(|log| log.is_finite()),
            FeatureTerms::Numbers { .. } | FeatureTerms::Nothing => true,
        };
        let planes = if terms.iter().all(is_finite) {
            Planes::Differences
        } else {
            Planes::Logs
        };
        for terms in &mut terms {
            if let FeatureTerms::Values { logs, .. } = terms {
                *logs = planes.of_values(logs, part.classes.len());
            }
        }
        Ok(NaiveBayes {
            prior: planes.of(part.log_shares()),
            terms,
            planes,
            part,
        })
    }

    fn n_planes(&self) -> usize {
        self.prior.len()
    }

    /// The terms of some test rows, at most a tile.
    fn fill(&self, feature: usize, plane: usize, start: usize, tile: &mut Tile) {
        let end = self.part.truth.len().min(start + TILE);
        match &self.terms[feature] {
            FeatureTerms::Values {
                codes,
                n_values,
                logs,
            } => {
                let logs = &logs[plane * (n_values + 1)..(plane + 1) * (n_values + 1)];
                with_codes!(codes, cells => {
                    for (term, cell) in tile.iter_mut().zip(&cells[start..end]) {
                        *term = logs[cell.index().min(*n_values)];
                    }
                });
            }
            FeatureTerms::Numbers { numbers, bells } => {
                let (of, less) = match self.planes {
                    Planes::Differences => (bells[plane + 1], bells[0]),
                    Planes::Logs => (bells[plane], Bell::NONE),
                };
                for (term, &x) in tile.iter_mut().zip(&numbers[start..end]) {
                    *term = if x.is_nan() {
                        0.0
                    } else {
                        of.at(x) - less.at(x)
                    };
                }
            }
            FeatureTerms::Nothing => tile.fill(0.0),
        }
    }

    /// Sets that share sums.
    fn n_right_shared(&self, sets: &[FeatureSet]) -> Vec<u32> {
        let patterns = Patterns::new(sets, self.terms.len());
        let mut work = TileSums::new(&patterns, self.terms.len());
        let mut n_right = vec![0; sets.len()];
        let mut votes = Vec::new();
        for start in (0..self.part.truth.len()).step_by(TILE) {
            let truth = &self.part.truth[start..self.part.truth.len().min(start + TILE)];
            if let Some(prior) = self.prior_of_two() {
                let duel = Duel::new(truth);
                work.prepare(self, 0, start);
                for (n_right, numbers) in n_right.iter_mut().zip(patterns.of_sets()) {
                    *n_right += duel.n_right(&total(prior, numbers, &work.combinations));
                }
                continue;
            }
            votes.clear();
            votes.resize_with(sets.len(), Vote::default);
            for plane in 0..self.n_planes() {
                work.prepare(self, plane, start);
                for (vote, numbers) in votes.iter_mut().zip(patterns.of_sets()) {
                    let sums = total(self.prior[plane], numbers, &work.combinations);
                    vote.hear(self.planes, plane, &sums);
                }
            }
            for (n_right, vote) in n_right.iter_mut().zip(&votes) {
                *n_right += vote.n_right(truth);
            }
        }
        n_right
    }

    /// The prior where there are two classes and one difference between them.
    fn prior_of_two(&self) -> Option<f64> {
        match (self.planes, &self.prior[..]) {
            (Planes::Differences, &[prior]) => Some(prior),
            _ => None,
        }
    }

    /// The sums of some features over all rows, by plane.
    fn sums_of(&self, features: &[usize]) -> Vec<Vec<Tile>> {
        let starts = (0..self.part.truth.len()).step_by(TILE);
        let mut tile = [0.0; TILE];
        (0..self.n_planes())
            .map(|plane| {
                let sums = starts.clone().map(|start| {
                    let mut sums = [self.prior[plane]; TILE];
                    for &feature in features {
                        self.fill(feature, plane, start, &mut tile);
                        add(&mut sums, &tile);
                    }
                    sums
                });
                sums.collect()
            })
            .collect()
    }

    /// Adds the terms of one more feature to sums over all rows.
    fn join(&self, feature: usize, sums: &mut [Vec<Tile>]) {
        let mut tile = [0.0; TILE];
        for (plane, tiles) in sums.iter_mut().enumerate() {
            for (place, sum) in tiles.iter_mut().enumerate() {
                self.fill(feature, plane, place * TILE, &mut tile);
                add(sum, &tile);
            }
        }
    }

    fn posteriors(&self, sums: &[Vec<Tile>]) -> Posteriors {
        Posteriors::of_sums(&self.part, self.planes, sums)
    }

    /// A set whose sums are known, with one feature in or out.
    fn n_right_by_one(&self, sums: &[Vec<Tile>], candidate: usize, sign: f64) -> u32 {
        let mut n_right = 0;
        let mut tile = [0.0; TILE];
        for (place, start) in (0..self.part.truth.len()).step_by(TILE).enumerate() {
            let truth = &self.part.truth[start..self.part.truth.len().min(start + TILE)];
            let mut vote = Vote::default();
            for (plane, sums) in sums.iter().enumerate() {
                self.fill(candidate, plane, start, &mut tile);
                for (term, base) in tile.iter_mut().zip(&sums[place]) {
                    *term = base + sign * *term;
                }
                if self.prior_of_two().is_none() {
                    vote.hear(self.planes, plane, &tile);
                }
            }
            n_right += match self.prior_of_two() {
                Some(_) => Duel::new(truth).n_right(&tile),
                None => vote.n_right(truth),
            };
        }
        n_right
    }
}

impl Judge for NaiveBayes {
    fn part(&self) -> &FoldRows {
        &self.part
    }

    fn predict(&self, features: &[usize], observer: &dyn Observer) -> Result<Posteriors> {
        check(observer)?;
        Ok(self.posteriors(&self.sums_of(features)))
    }

    fn predict_along(
        &self,
        path: FeaturePath<'_>,
        observer: &dyn Observer,
    ) -> Result<Vec<Posteriors>> {
        let mut sums = self.sums_of(&[]);
        let mut n_in = 0;
        let mut predicted = Vec::with_capacity(path.sizes.len());
        for &size in path.sizes {
            check(observer)?;
            for &feature in &path.order[n_in..size] {
                self.join(feature, &mut sums);
            }
            n_in = size;
            predicted.push(self.posteriors(&sums));
        }
        Ok(predicted)
    }

    fn measure_changed(
        &self,
        base: &FeatureSet,
        candidates: &[usize],
        by: &FoldMeasure,
        observer: &dyn Observer,
    ) -> Result<Vec<f64>> {
        // Probabilities have digits that a term taken out of a sum again would spoil.
        if candidates.iter().any(|&c| base.contains(c)) {
            return self.measure_sets(&base.changed(candidates), by, observer);
        }
        let sums = self.sums_of(&base.iter().collect::<Vec<_>>());
        let value = |&candidate: &usize| {
            check(observer)?;
            let mut sums = sums.clone();
            self.join(candidate, &mut sums);
            Ok(by.of(&self.part, &self.posteriors(&sums)))
        };
        candidates.par_iter().map(value).collect()
    }

    fn n_right(&self, sets: &[FeatureSet], observer: &dyn Observer) -> Result<Vec<u32>> {
        let shared = sets.par_chunks(SHARING).map(|sets| {
            check(observer)?;
            Ok(self.n_right_shared(sets))
        });
        Ok(shared.collect::<Result<Vec<_>>>()?.concat())
    }

    fn n_right_changed(
        &self,
        base: &FeatureSet,
        candidates: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<u32>> {
        // A term so large that it swallowed others cannot be taken out of a sum again; logs of
        // shares never are, unless they are infinite.
        let leaves_numbers = || {
            let is_number =
                |&member: &usize| matches!(self.terms[member], FeatureTerms::Numbers { .. });
            candidates.iter().any(|&c| base.contains(c)) && base.iter().any(|m| is_number(&m))
        };
        if self.planes == Planes::Logs || leaves_numbers() {
            return self.n_right(&base.changed(candidates), observer);
        }
        let sums = self.sums_of(&base.iter().collect::<Vec<_>>());
        let candidates = candidates.par_iter().with_min_len(64);
        candidates
            .map(|&candidate| {
                check(observer)?;
                let sign = if base.contains(candidate) { -1.0 } else { 1.0 };
                Ok(self.n_right_by_one(&sums, candidate, sign))
            })
            .collect()
    }
}

/// Memory for the sums of one tile and plane.
struct TileSums<'p> {
    patterns: &'p Patterns,
    features: Vec<usize>,
    /// By feature, as far as it occurs.
    terms: Vec<Tile>,
    /// By combination.
    combinations: Vec<Tile>,
}

impl<'p> TileSums<'p> {
    fn new(patterns: &'p Patterns, n_features: usize) -> Self {
        TileSums {
            features: patterns.features(),
            terms: vec![[0.0; TILE]; n_features],
            combinations: vec![[0.0; TILE]; patterns.combinations.len()],
            patterns,
        }
    }

    /// Sums every combination for the rows of a tile.
    fn prepare(&mut self, fold: &NaiveBayes, plane: usize, start: usize) {
        for &feature in &self.features {
            fold.fill(feature, plane, start, &mut self.terms[feature]);
        }
        let combinations = self.patterns.combinations.iter();
        for (combination, sum) in combinations.zip(&mut self.combinations) {
            *sum = [0.0; TILE];
            for feature in combination.features() {
                add(sum, &self.terms[feature]);
            }
        }
    }
}

/// The sum of some tiles. A few rows at a time: their sums stay in registers.
#[inline]
fn total(prior: f64, numbers: &[u32], tiles: &[Tile]) -> Tile {
    const LANES: usize = 16;
    let mut total = [0.0; TILE];
    for (lane, total) in total.chunks_exact_mut(LANES).enumerate() {
        let mut sums = [prior; LANES];
        for &number in numbers {
            let tile = &tiles[number as usize][lane * LANES..(lane + 1) * LANES];
            for (sum, term) in sums.iter_mut().zip(tile) {
                *sum += term;
            }
        }
        total.copy_from_slice(&sums);
    }
    total
}

impl FeatureTerms {
    /// A feature's distribution in every class of training, by size.
    fn fit(
        part: &FoldRows,
        place: usize,
        feature: &Feature,
        test: &EncodedCells<'_>,
        training: &TrainOptions,
    ) -> Result<Self> {
        let class = &part.train.class;
        match (test, feature.coded(), feature.column.as_numeric()) {
            (EncodedCells::Codes(codes), Some(coded), _) => {
                let family = FamilyCounts::count(coded.into(), &[CountColumn::from(class)])?;
                let table = Cpt::estimate(&family, training.smoothing)?;
                let n_values = coded.n_values();
                let value_of = |value| part.classes.iter().map(move |&class| (value, class));
                let logs = (0..n_values)
                    .flat_map(value_of)
                    .map(|(value, class)| table.probability(&[class], value).ln());
                Ok(FeatureTerms::Values {
                    codes: (**codes).clone(),
                    n_values,
                    logs: logs.collect(),
                })
            }
            (EncodedCells::Numbers(numbers), _, Some(train)) => {
                let codes = &class.codes;
                let gaussian =
                    Gaussian::fit(place, train, codes, class.n_values(), training.divisor);
                let gaussian = gaussian.map_err(|error| error.in_column(feature.column.name()))?;
                let bell = |&class: &u32| Bell::new(&gaussian, class as usize);
                Ok(FeatureTerms::Numbers {
                    numbers: numbers.to_vec(),
                    bells: part.classes.iter().map(bell).collect(),
                })
            }
            _ => Err(Error::internal("a feature of two kinds")),
        }
    }
}
