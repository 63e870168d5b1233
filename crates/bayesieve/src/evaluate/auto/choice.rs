//! Which candidate is taken: the fewest features whose mean loss is not clearly above the best.

use super::judge::Judgement;

/// Losses of candidates, unit by unit.
pub(super) struct LossTable<'j> {
    judgement: &'j Judgement,
    /// How far above the best a mean loss may be; one standard error of the paired difference
    /// without.
    tolerance: Option<f64>,
}

/// How a candidate's mean loss stands to that of another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PairedDifference {
    /// Its mean less that of the other.
    pub(super) mean: f64,
    /// The standard error of that.
    pub(super) standard_error: f64,
}

impl<'j> LossTable<'j> {
    pub(super) fn new(judgement: &'j Judgement, tolerance: Option<f64>) -> Self {
        LossTable {
            judgement,
            tolerance,
        }
    }

    /// All of them.
    pub(super) fn all(&self) -> Vec<usize> {
        (0..self.judgement.candidates.len()).collect()
    }

    fn losses(&self, place: usize) -> &[f32] {
        &self.judgement.candidates[place].losses
    }

    fn n_kept(&self, place: usize) -> usize {
        self.judgement.candidates[place].candidate.n_kept
    }

    /// What the units add up over, each so often.
    fn n_total(&self, weights: Option<&[u32]>) -> f64 {
        let n_total = self.judgement.n_total as f64;
        let Some(weights) = weights else {
            return n_total;
        };
        let n_drawn: u64 = weights.iter().map(|&n| u64::from(n)).sum();
        n_total * n_drawn as f64 / weights.len().max(1) as f64
    }

    /// The mean loss of a candidate, units taken so often.
    pub(super) fn mean(&self, place: usize, weights: Option<&[u32]>) -> f64 {
        let losses = self.losses(place).iter().map(|&loss| f64::from(loss));
        let sum: f64 = match weights {
            None => losses.sum(),
            Some(weights) => losses
                .zip(weights)
                .map(|(loss, &n)| loss * f64::from(n))
                .sum(),
        };
        sum / self.n_total(weights)
    }

    /// How a candidate stands to another.
    pub(super) fn difference(
        &self,
        place: usize,
        other: usize,
        weights: Option<&[u32]>,
    ) -> PairedDifference {
        let (mut sum, mut squares, mut n) = (0.0, 0.0, 0.0);
        let pairs = self.losses(place).iter().zip(self.losses(other));
        for (unit, (&a, &b)) in pairs.enumerate() {
            let weight = weights.map_or(1.0, |weights| f64::from(weights[unit]));
            let difference = f64::from(a) - f64::from(b);
            sum += weight * difference;
            squares += weight * difference * difference;
            n += weight;
        }
        let n_total = self.n_total(weights);
        let variance = ((squares - sum * sum / n) / (n - 1.0).max(1.0)).max(0.0);
        PairedDifference {
            mean: sum / n_total,
            standard_error: (n * variance).sqrt() / n_total,
        }
    }

    /// The candidate of the smallest mean loss; of equals the smaller set, then the first.
    pub(super) fn best(&self, places: &[usize], weights: Option<&[u32]>) -> Option<usize> {
        let means = places
            .iter()
            .map(|&place| (place, self.mean(place, weights)));
        let best = means.reduce(|best, next| {
            let key = |(place, mean): (usize, f64)| (mean, self.n_kept(place));
            if key(next) < key(best) { next } else { best }
        });
        best.map(|(place, _)| place)
    }

    /// The candidate to take among some: of those not clearly worse than the best, the one with
    /// the fewest features; of equals the smaller loss, then the first.
    pub(super) fn choose(&self, places: &[usize], weights: Option<&[u32]>) -> Option<usize> {
        let best = self.best(places, weights)?;
        let is_near = |&&place: &&usize| {
            if self.n_kept(place) >= self.n_kept(best) {
                return false;
            }
            let difference = self.difference(place, best, weights);
            difference.mean <= self.tolerance.unwrap_or(difference.standard_error)
        };
        let near = places.iter().filter(is_near).copied();
        let smallest = near.reduce(|taken, next| {
            let key = |place: usize| (self.n_kept(place), self.mean(place, weights));
            if key(next) < key(taken) { next } else { taken }
        });
        Some(smallest.unwrap_or(best))
    }

    /// Those with the smallest mean losses, a number of them at most, the taken one among them.
    pub(super) fn finalists(&self, taken: usize, max: usize) -> Vec<usize> {
        let mut places = self.all();
        let means: Vec<f64> = places.iter().map(|&place| self.mean(place, None)).collect();
        places.sort_by(|&a, &b| means[a].total_cmp(&means[b]).then(a.cmp(&b)));
        places.truncate(max);
        if !places.contains(&taken) {
            places.push(taken);
        }
        places.sort_unstable();
        places
    }
}

#[cfg(test)]
mod tests {
    use super::super::judge::{Candidate, JudgedCandidate};
    use super::*;

    fn judged(n_kept: usize, losses: &[f32]) -> JudgedCandidate {
        JudgedCandidate {
            candidate: Candidate {
                method: 0,
                model: 0,
                size: n_kept,
                n_kept,
            },
            losses: losses.to_vec(),
            n_right: 0,
            log_loss: 0.0,
            n_kept_in_folds: 0,
        }
    }

    fn judgement(candidates: Vec<JudgedCandidate>) -> Judgement {
        Judgement {
            n_total: candidates[0].losses.len(),
            n_known: candidates[0].losses.len() as u64,
            candidates,
        }
    }

    #[test]
    fn the_smallest_set_within_a_standard_error_of_the_paired_difference_is_taken() {
        // Against the best, one feature loses 1, 0, 1, 0: 0.5 on average; the variance of these
        // is 1/3, the standard error of their mean sqrt(1/12) = 0.289: clearly worse. Two
        // features lose 1, -1, 1, -0.5: 0.125, variance (3.25 - 0.0625)/3, standard error 0.515.
        let judged = judgement(vec![
            judged(5, &[1.0, 2.0, 3.0, 4.0]),
            judged(1, &[2.0, 2.0, 4.0, 4.0]),
            judged(2, &[2.0, 1.0, 4.0, 3.5]),
        ]);
        let table = LossTable::new(&judged, None);
        let difference = table.difference(1, 0, None);
        assert!((difference.mean - 0.5).abs() < 1e-12);
        assert!((difference.standard_error - (1.0f64 / 12.0).sqrt()).abs() < 1e-12);
        assert_eq!(table.choose(&table.all(), None), Some(2));
        // In units of the measure: half a unit is near enough for one feature.
        let table = LossTable::new(&judged, Some(0.5));
        assert_eq!(table.choose(&table.all(), None), Some(1));
        let table = LossTable::new(&judged, Some(0.0));
        assert_eq!(table.choose(&table.all(), None), Some(0));
    }

    #[test]
    fn units_count_as_often_as_they_are_drawn() {
        let judged = judgement(vec![judged(1, &[1.0, 5.0]), judged(1, &[3.0, 2.0])]);
        let table = LossTable::new(&judged, None);
        assert_eq!(table.best(&[0, 1], None), Some(1));
        assert_eq!(table.best(&[0, 1], Some(&[2, 0])), Some(0));
        assert!((table.mean(0, Some(&[2, 0])) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn equals_go_to_the_first_and_finalists_hold_the_taken_one() {
        let judged = judgement(vec![
            judged(3, &[1.0, 1.0]),
            judged(3, &[1.0, 1.0]),
            judged(9, &[0.5, 0.5]),
        ]);
        let table = LossTable::new(&judged, Some(1.0));
        assert_eq!(table.choose(&table.all(), None), Some(0));
        assert_eq!(table.finalists(0, 1), [0, 2]);
    }
}
