//! Which rows a model learns from and which it is tested on.

use super::{Estimate, Runs};
use crate::data::Nominal;
use crate::data::split::{Folds, Holdout, HoldoutSize, Rows, Split};
use crate::{Error, Result};

/// Runs of an estimate that repeats itself until it is sure enough.
const MAX_RUNS: usize = 5;

/// Where the standard error is above this, another run follows.
const SURE_ENOUGH: f64 = 0.01;

/// How rows are divided, run by run.
#[derive(Debug)]
pub(super) struct RowDivision {
    estimate: Estimate,
    folds: Option<Folds>,
    seed: u64,
    n_rows: usize,
}

impl RowDivision {
    /// Checks that the rows can be divided.
    pub(super) fn new(
        estimate: Estimate,
        folds: Option<Folds>,
        seed: u64,
        n_rows: usize,
    ) -> Result<Self> {
        if n_rows < 2 && estimate != Estimate::Training {
            return Err(
                Error::data("one row cannot be divided to estimate accuracy")
                    .with_hint("Give more rows, or a method that scores all rows, such as mdl-fs."),
            );
        }
        if let Some(folds) = &folds
            && folds.fold_of_row().len() != n_rows
        {
            return Err(Error::internal(format!(
                "folds of {} rows for {n_rows}",
                folds.fold_of_row().len()
            )));
        }
        Ok(RowDivision {
            estimate,
            folds,
            seed,
            n_rows,
        })
    }

    /// The parts of a run, one per fold.
    pub(super) fn splits(&self, run: usize, class: &Nominal) -> Result<Vec<Split>> {
        let n_rows = class.codes.len();
        let all = || (0..n_rows as u32).collect();
        match (self.estimate, &self.folds) {
            (Estimate::Training, _) => Ok(vec![Split {
                train: all(),
                test: all(),
            }]),
            (Estimate::Holdout, _) => {
                // The half to learn from has the odd row.
                let test = n_rows / 2;
                let train = n_rows - test;
                let holdout = Holdout {
                    rows: Rows::Plain(n_rows),
                    size: HoldoutSize::Fixed { train, test },
                    seed: self.seed,
                    repeat: run as u32,
                };
                Ok(vec![holdout.split()?])
            }
            (Estimate::CrossValidation { .. }, Some(folds)) => Ok(folds.splits().collect()),
            (Estimate::CrossValidation { n_folds, .. }, None) => {
                let rows = Rows::Stratified(&class.codes);
                let n_folds = n_folds.min(n_rows);
                let folds = Folds::draw(rows, n_folds, self.seed, run as u32)?;
                Ok(folds.splits().collect())
            }
        }
    }

    /// The largest number of runs that can become necessary.
    pub(super) fn max_runs(&self) -> usize {
        match (self.estimate, &self.folds) {
            // With a fold for every row there is only one way to draw them.
            (Estimate::CrossValidation { n_folds, .. }, None) if n_folds >= self.n_rows => 1,
            (Estimate::CrossValidation { runs, .. }, None) => match runs {
                Runs::Auto => MAX_RUNS,
                Runs::Fixed(n) => n.max(1),
            },
            _ => 1,
        }
    }

    /// Whether a set needs another run, by the standard error of its estimate.
    pub(super) fn wants_another(&self, standard_error: f64) -> bool {
        let is_auto = matches!(
            self.estimate,
            Estimate::CrossValidation {
                runs: Runs::Auto,
                ..
            }
        );
        !is_auto || standard_error > SURE_ENOUGH
    }
}
