//! Which candidate is taken, and what that promises.

use rayon::prelude::*;

use super::FoldRun;
use crate::Result;
use crate::random::{Purpose, below, stream};
use crate::select::CorrectedAccuracy;
use crate::stats::mean_sd;

/// Draws of the correction; fewer where there are so many rows that few are as good.
const N_DRAWS: u32 = 1_000;
const N_DRAWS_OF_MANY: u32 = 100;
const MANY_ROWS: usize = 20_000;

/// A candidate, as far as it was tested.
#[derive(Clone, Copy)]
pub(super) struct Tested<'a> {
    /// By fold, then all rows; nothing where the run ended before.
    pub(super) runs: Option<&'a [FoldRun]>,
}

impl Tested<'_> {
    /// Whether it worked on every fold.
    pub(super) fn is_finished(&self) -> bool {
        self.runs.is_some() && self.failure().is_none()
    }

    /// Why it did not work.
    pub(super) fn failure(&self) -> Option<&str> {
        let mut runs = self.runs?.iter();
        runs.find_map(|run| run.failure.as_deref())
    }

    fn finished(&self) -> Option<&[FoldRun]> {
        self.runs.filter(|_| self.failure().is_none())
    }

    /// Rows that were predicted wrong, and what they were taken for.
    pub(super) fn wrong(&self) -> impl Iterator<Item = &(u32, Option<u32>)> {
        let runs = self.runs.unwrap_or_default().iter();
        runs.flat_map(|run| &run.wrong)
    }

    /// Share of all rows that were predicted right when they were tested.
    pub(super) fn accuracy(&self, n_rows: usize) -> Option<f64> {
        let n_wrong: usize = self.finished()?.iter().map(|run| run.wrong.len()).sum();
        Some((n_rows - n_wrong) as f64 / n_rows as f64)
    }

    /// What it keeps of all rows.
    pub(super) fn kept(&self) -> Option<&[u32]> {
        Some(&self.finished()?.last()?.kept)
    }

    /// Features kept, on average over the folds.
    pub(super) fn mean_kept(&self) -> Option<f64> {
        let (_, folds) = self.finished()?.split_last()?;
        let n_kept: usize = folds.iter().map(|run| run.kept.len()).sum();
        Some(n_kept as f64 / folds.len().max(1) as f64)
    }

    /// What the folds and all rows took together.
    pub(super) fn seconds(&self) -> Option<f64> {
        Some(self.finished()?.iter().map(|run| run.seconds).sum())
    }

    /// How much its set is that of another: features in both over features in one of them, of
    /// all rows; equal where both are empty.
    pub(super) fn agreement(&self, other: &Tested<'_>) -> Option<f64> {
        let (a, b) = (self.kept()?, other.kept()?);
        let n_both = a.iter().filter(|f| b.binary_search(f).is_ok()).count();
        Some(match a.len() + b.len() - n_both {
            0 => 1.0,
            n_any => n_both as f64 / n_any as f64,
        })
    }
}

/// The standard error of an accuracy over so many rows, each tested once.
pub(super) fn standard_error(accuracy: f64, n_rows: usize) -> f64 {
    (accuracy * (1.0 - accuracy) / n_rows as f64).sqrt()
}

/// Which rows each finished candidate predicts wrong.
pub(super) struct CandidateTally {
    n_rows: usize,
    /// Places of the finished candidates.
    places: Vec<usize>,
    /// Features that each keeps of all rows.
    sizes: Vec<usize>,
    /// The pattern of every row: which of the candidates are wrong on it.
    pattern_of_row: Vec<u32>,
    /// By pattern, a bit for every finished candidate that is wrong.
    patterns: Vec<u64>,
    n_wrong: Vec<usize>,
}

impl CandidateTally {
    /// Of the candidates that were finished.
    pub(super) fn new(n_rows: usize, tested: &[Tested<'_>]) -> Self {
        let finished = tested.iter().enumerate();
        let finished: Vec<_> = finished.filter(|(_, one)| one.is_finished()).collect();
        let mut masks = vec![0u64; n_rows];
        let mut n_wrong = vec![0; finished.len()];
        for (bit, (_, one)) in finished.iter().enumerate() {
            for &(row, _) in one.wrong() {
                masks[row as usize] |= 1 << bit;
                n_wrong[bit] += 1;
            }
        }
        let mut patterns = masks.clone();
        patterns.sort_unstable();
        patterns.dedup();
        let place = |mask: &u64| patterns.partition_point(|known| known < mask) as u32;
        CandidateTally {
            n_rows,
            places: finished.iter().map(|(place, _)| *place).collect(),
            sizes: finished
                .iter()
                .map(|(_, one)| one.kept().map_or(usize::MAX, <[u32]>::len))
                .collect(),
            pattern_of_row: masks.iter().map(place).collect(),
            patterns,
            n_wrong,
        }
    }

    /// The place of the candidate with the fewest features among those within one standard
    /// error of the best; of equals the more accurate, then the first; nothing where none was
    /// finished.
    pub(super) fn choose(&self) -> Option<usize> {
        let bit = self.choose_by(&self.n_wrong);
        self.places.get(bit).copied()
    }

    fn choose_by(&self, n_wrong: &[usize]) -> usize {
        let fewest = n_wrong.iter().min().copied().unwrap_or(0);
        let accuracy = |n_wrong: usize| (self.n_rows - n_wrong) as f64 / self.n_rows as f64;
        let best = accuracy(fewest);
        let least = best - standard_error(best, self.n_rows);
        let near = (0..n_wrong.len()).filter(|&c| accuracy(n_wrong[c]) >= least);
        let is_better =
            |a: usize, b: usize| (self.sizes[a], n_wrong[a]) < (self.sizes[b], n_wrong[b]);
        near.reduce(|best, next| if is_better(next, best) { next } else { best })
            .unwrap_or(0)
    }

    fn bit(&self, place: usize) -> usize {
        self.places
            .iter()
            .position(|&known| known == place)
            .unwrap_or(0)
    }

    /// The share of rows that a finished candidate predicts right.
    pub(super) fn accuracy(&self, place: usize) -> f64 {
        1.0 - self.n_wrong[self.bit(place)] as f64 / self.n_rows as f64
    }

    /// Its standard error.
    pub(super) fn standard_error(&self, place: usize) -> f64 {
        standard_error(self.accuracy(place), self.n_rows)
    }

    /// What the choice promises on other rows: rows are drawn with replacement, the choice is
    /// made on them, and its accuracy on the rows that were not drawn is averaged.
    pub(super) fn corrected(&self, seed: u64) -> Result<Option<CorrectedAccuracy>> {
        let n_draws = if self.n_rows > MANY_ROWS {
            N_DRAWS_OF_MANY
        } else {
            N_DRAWS
        };
        let draws: Vec<Option<f64>> = (0..n_draws)
            .into_par_iter()
            .map(|draw| self.draw(seed, draw))
            .collect();
        let accuracies: Vec<f64> = draws.into_iter().flatten().collect();
        if accuracies.is_empty() {
            return Ok(None);
        }
        let of_draws = mean_sd(&accuracies)?;
        Ok(Some(CorrectedAccuracy {
            mean: of_draws.mean,
            sd: of_draws.sd,
            n_draws: accuracies.len(),
        }))
    }

    /// One draw; nothing where every row was drawn.
    fn draw(&self, seed: u64, draw: u32) -> Option<f64> {
        let mut rng = stream(seed, Purpose::Trial, draw);
        let mut is_drawn = vec![false; self.n_rows];
        let mut drawn = vec![0usize; self.patterns.len()];
        for _ in 0..self.n_rows {
            let row = below(&mut rng, self.n_rows as u64) as usize;
            is_drawn[row] = true;
            drawn[self.pattern_of_row[row] as usize] += 1;
        }
        let chosen = self.choose_by(&self.wrong_of(&drawn));
        let mut left = vec![0usize; self.patterns.len()];
        let rows = self.pattern_of_row.iter().zip(&is_drawn);
        let rest = rows.filter(|(_, is_drawn)| !**is_drawn);
        rest.for_each(|(&pattern, _)| left[pattern as usize] += 1);
        let n_left: usize = left.iter().sum();
        let n_wrong = self.wrong_of(&left)[chosen];
        (n_left > 0).then(|| 1.0 - n_wrong as f64 / n_left as f64)
    }

    /// Wrong predictions of every candidate, from rows by pattern.
    fn wrong_of(&self, rows_of_pattern: &[usize]) -> Vec<usize> {
        let mut n_wrong = vec![0; self.places.len()];
        for (&pattern, &n) in self.patterns.iter().zip(rows_of_pattern) {
            for (bit, count) in n_wrong.iter_mut().enumerate() {
                *count += n * (pattern >> bit & 1) as usize;
            }
        }
        n_wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(kept: &[u32], wrong: &[u32]) -> FoldRun {
        FoldRun {
            kept: kept.to_vec(),
            wrong: wrong.iter().map(|&row| (row, None)).collect(),
            failure: None,
            seconds: 0.5,
        }
    }

    fn tally(n_rows: usize, runs: &[[FoldRun; 3]]) -> CandidateTally {
        let tested = runs.iter().map(|runs| Tested { runs: Some(runs) });
        CandidateTally::new(n_rows, &tested.collect::<Vec<_>>())
    }

    /// So many wrong rows of each half of 100 rows.
    fn runs(n_kept: u32, n_wrong: [u32; 2]) -> [FoldRun; 3] {
        let kept: Vec<u32> = (0..n_kept).collect();
        let rows = |from: u32, n: u32| (from..from + n).collect::<Vec<u32>>();
        [
            run(&kept, &rows(0, n_wrong[0])),
            run(&kept, &rows(50, n_wrong[1])),
            run(&kept, &[]),
        ]
    }

    #[test]
    fn the_smallest_set_within_a_standard_error_of_the_best_is_taken() {
        // The best is right on 90 of 100 rows: standard error 3 %, so 87 % is near enough.
        let all = [
            runs(9, [5, 5]),
            runs(4, [7, 6]),
            runs(2, [7, 7]),
            runs(4, [6, 6]),
        ];
        let tally = tally(100, &all);
        assert_eq!(tally.choose(), Some(3)); // four features as the second, and more accurate
        assert!((tally.accuracy(3) - 0.88).abs() < 1e-12);
        assert!((tally.standard_error(0) - 0.03).abs() < 1e-12);
    }

    #[test]
    fn equals_go_to_the_first() {
        let tally = tally(100, &[runs(3, [5, 5]), runs(3, [5, 5])]);
        assert_eq!(tally.choose(), Some(0));
    }

    #[test]
    fn failures_have_no_part() {
        let failed = [
            run(&[], &[]),
            FoldRun {
                failure: Some("no".into()),
                ..run(&[], &[])
            },
        ];
        let fine = runs(3, [20, 20]);
        let tested = [
            Tested {
                runs: Some(&failed),
            },
            Tested { runs: None },
            Tested { runs: Some(&fine) },
        ];
        assert_eq!(CandidateTally::new(100, &tested).choose(), Some(2));
        assert_eq!(tested[0].failure(), Some("no"));
        assert_eq!(
            (tested[0].accuracy(100), tested[1].accuracy(100)),
            (None, None)
        );
        assert_eq!(tested[2].accuracy(100), Some(0.6));
        assert_eq!(tested[2].seconds(), Some(1.5));
    }

    #[test]
    fn agreement_is_shared_over_all() {
        let tested = |kept: &[u32]| [run(&[9], &[]), run(kept, &[])];
        let of = |a: &[u32], b: &[u32]| {
            let (a, b) = (tested(a), tested(b));
            let [a, b] = [&a, &b].map(|runs| Tested { runs: Some(runs) });
            a.agreement(&b)
        };
        assert_eq!(of(&[0, 1], &[1, 2, 3]), Some(0.25));
        assert_eq!((of(&[], &[]), of(&[], &[1])), (Some(1.0), Some(0.0)));
    }

    #[test]
    fn the_correction_takes_the_luck_out_of_the_choice() {
        // Twenty candidates that guess: each is right on a half of the rows of its own.
        let mut rng = stream(5, Purpose::Generate, 0);
        let guesses: Vec<[FoldRun; 3]> = (0..20)
            .map(|_| {
                let wrong: Vec<u32> = (0..100).filter(|_| below(&mut rng, 2) == 0).collect();
                let (first, second) = wrong.split_at(wrong.partition_point(|&row| row < 50));
                [run(&[0], first), run(&[0], second), run(&[0], &[])]
            })
            .collect();
        let tally = tally(100, &guesses);
        let promised = tally.accuracy(tally.choose().unwrap());
        let corrected = tally.corrected(1).unwrap().unwrap();
        assert!(promised > 0.55, "{promised}");
        assert!((corrected.mean - 0.5).abs() < 0.06, "{}", corrected.mean);
        assert_eq!(corrected.n_draws, 1_000);
        // One candidate: nothing was chosen, and the mean over draws is its accuracy.
        let alone = self::tally(100, &guesses[..1]);
        let corrected = alone.corrected(1).unwrap().unwrap();
        assert!((corrected.mean - alone.accuracy(0)).abs() < 0.01);
    }
}
