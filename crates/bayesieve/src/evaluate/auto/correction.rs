//! What the choice promises on other rows.
//!
//! Bootstrap bias corrected cross-validation (Tsamardinos, Greasidou and Borboudakis, 2018):
//! rows are drawn with replacement, the choice is made on them, and what is taken is measured on
//! the rows that were not drawn.

use rayon::prelude::*;

use super::super::protocol::Protocol;
use super::choice::LossTable;
use super::judge::{Candidate, FoldSheet, Judge};
use crate::measure::{MEASURES, Measure, MeasuredValues, PredictedRows, Stakes, UNKNOWN};
use crate::random::{Purpose, below, stream};
use crate::score::Posteriors;
use crate::select::{MeasuredPerformance, Performance};
use crate::stats::mean_sd;
use crate::{Observer, Result};

/// Candidates that the choice of a draw is among.
pub(super) const MAX_FINALISTS: usize = 16;

/// Draws for a number of rows: fewer where there are so many that few are as good.
fn n_draws(n_rows: usize) -> u32 {
    match n_rows {
        0..=2_000 => 1_000,
        2_001..=20_000 => 200,
        _ => 20,
    }
}

/// The test rows of all folds, one fold behind the other, and what finalists say of them.
pub(super) struct TestedRows {
    truth: Vec<u32>,
    /// By finalist.
    posteriors: Vec<Posteriors>,
    n_classes: usize,
    n_folds: usize,
    measure: &'static Measure,
    /// The first row of every unit that losses are kept by, and the end.
    unit_starts: Vec<usize>,
}

impl TestedRows {
    /// Predicts all rows again, by the finalists alone.
    pub(super) fn new(
        judge: &Judge<'_, '_>,
        finalists: &[Candidate],
        observer: &dyn Observer,
    ) -> Result<Self> {
        let n_folds = judge.study.folds.n_folds();
        let folds = (0..n_folds).into_par_iter().map(|fold| {
            let sheet = FoldSheet::new(judge, fold)?;
            let predicted = finalists.iter().map(|&candidate| {
                let size = candidate.size.min(sheet.order(candidate.method).len());
                let mut predicted = sheet.predict(candidate, &[size], observer)?;
                Ok(predicted.remove(0))
            });
            Ok((
                sheet.part.test_classes().to_vec(),
                predicted.collect::<Result<Vec<_>>>()?,
            ))
        });
        let folds = folds.collect::<Result<Vec<(Vec<u32>, Vec<Posteriors>)>>>()?;
        let mut rows = TestedRows {
            truth: Vec::new(),
            posteriors: vec![Posteriors::default(); finalists.len()],
            n_classes: judge.study.class.n_values(),
            n_folds,
            measure: judge.measure,
            unit_starts: vec![0],
        };
        let group = judge.rows_per_unit();
        for (truth, posteriors) in folds {
            let start = rows.truth.len();
            let ends = (start..start + truth.len()).step_by(group.unwrap_or(truth.len()).max(1));
            rows.unit_starts.extend(ends.skip(1));
            rows.truth.extend(truth);
            rows.unit_starts.push(rows.truth.len());
            for (all, of_fold) in rows.posteriors.iter_mut().zip(posteriors) {
                all.predicted.extend(of_fold.predicted);
                all.probabilities.extend(of_fold.probabilities);
            }
        }
        Ok(rows)
    }

    /// All rows, as a finalist sees them.
    pub(super) fn of(&self, finalist: usize) -> PredictedRows<'_> {
        PredictedRows {
            truth: &self.truth,
            predicted: &self.posteriors[finalist].predicted,
            probabilities: &self.posteriors[finalist].probabilities,
            n_classes: self.n_classes,
        }
    }

    /// The rows of some units, as a finalist sees them, measured.
    fn measured(
        &self,
        finalist: usize,
        is_used: impl Fn(usize) -> bool,
        stakes: &Stakes,
    ) -> MeasuredValues {
        let (mut truth, mut predicted, mut probabilities) = (Vec::new(), Vec::new(), Vec::new());
        let posteriors = &self.posteriors[finalist];
        let units = self.unit_starts.windows(2).enumerate();
        for (_, bounds) in units.filter(|(unit, _)| is_used(*unit)) {
            let rows = bounds[0]..bounds[1];
            truth.extend_from_slice(&self.truth[rows.clone()]);
            predicted.extend_from_slice(&posteriors.predicted[rows.clone()]);
            let cells = rows.start * self.n_classes..rows.end * self.n_classes;
            probabilities.extend_from_slice(&posteriors.probabilities[cells]);
        }
        let rows = PredictedRows {
            truth: &truth,
            predicted: &predicted,
            probabilities: &probabilities,
            n_classes: self.n_classes,
        };
        MeasuredValues::new(&rows, stakes)
    }

    /// Every measure of always saying the shares of the classes.
    fn baseline(&self, stakes: &Stakes) -> MeasuredValues {
        let mut counts = vec![0u64; self.n_classes];
        let known = self.truth.iter().filter(|&&class| class != UNKNOWN);
        known.for_each(|&class| counts[class as usize] += 1);
        MeasuredValues::of_baseline(&self.truth, &counts, stakes)
    }

    /// What to expect of what is chosen, corrected for having been chosen.
    pub(super) fn performance(
        &self,
        (table, finalists, taken): (&LossTable<'_>, &[usize], usize),
        stakes: &Stakes,
        seed: u64,
    ) -> Result<Performance> {
        let protocol = Protocol::CrossValidation {
            n_folds: self.n_folds,
            n_runs: 1,
        };
        let n_units = self.unit_starts.len() - 1;
        let draws: Vec<Option<MeasuredValues>> = (0..n_draws(self.truth.len()))
            .into_par_iter()
            .map(|draw| {
                let mut rng = stream(seed, Purpose::Trial, draw);
                let mut drawn = vec![0u32; n_units];
                (0..n_units).for_each(|_| drawn[below(&mut rng, n_units as u64) as usize] += 1);
                let chosen = table.choose(finalists, Some(&drawn))?;
                let chosen = finalists.iter().position(|&place| place == chosen)?;
                Some(self.measured(chosen, |unit| drawn[unit] == 0, stakes))
            })
            .collect();
        let draws: Vec<MeasuredValues> = draws.into_iter().flatten().collect();
        let (plain, baseline) = (
            MeasuredValues::new(&self.of(taken), stakes),
            self.baseline(stakes),
        );
        let mut measures = Vec::new();
        for (place, measure) in MEASURES.iter().enumerate() {
            let values: Vec<f64> = draws.iter().filter_map(|draw| draw.0[place]).collect();
            let Some(on_folds) = plain.0[place].filter(|_| !values.is_empty()) else {
                continue;
            };
            let of_draws = mean_sd(&values)?;
            measures.push(MeasuredPerformance {
                measure,
                mean: of_draws.mean,
                standard_error: of_draws.sd,
                on_folds,
                baseline: baseline.0[place],
            });
        }
        Ok(Performance {
            protocol: protocol.to_string(),
            measure: Some(self.measure),
            measures,
            n_draws: draws.len(),
            positive: stakes.positive(),
            confusion: self.of(taken).confusion(),
        })
    }
}
