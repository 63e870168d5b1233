//! Whether generations still bring progress, and what counts as found.

use super::Individual;
use super::plan::Rule;
use crate::error::{Error, Result};
use crate::score::FeatureSet;
use crate::search::{Stop, Walk};
use crate::stats::{Alternative, Better, paired_t};

/// The level of the test over folds.
const ALPHA: f64 = 0.1;

/// The best set at the last progress, and how long ago that was.
pub(super) struct Progress {
    rule: Rule,
    patience: usize,
    mark: Individual,
    n_stale: usize,
}

impl Progress {
    /// From the best set of the first population.
    pub(super) fn new(rule: Rule, patience: usize, first: Individual) -> Self {
        Progress {
            rule,
            patience,
            mark: first,
            n_stale: 0,
        }
    }

    /// What was found: the best set, unless it has to pass a test that it did not pass.
    pub(super) fn found<'i>(&'i self, best: &'i Individual) -> &'i Individual {
        match self.rule {
            Rule::Better => best,
            Rule::Significant => &self.mark,
        }
    }

    /// Takes in the best set after a generation; why it should be the last one, if so.
    pub(super) fn judge(
        &mut self,
        best: &Individual,
        walk: &Walk<'_>,
        whole: impl Fn(&FeatureSet) -> FeatureSet,
    ) -> Result<Option<Stop>> {
        let mut stop = Stop::Stale {
            n: self.patience,
            of: "generations",
        };
        if walk.score.is_better(best.value, self.mark.value) {
            let p = match self.rule {
                Rule::Better => 0.0,
                Rule::Significant => p_value(walk, &whole(&best.bits), &whole(&self.mark.bits))?,
            };
            if p < ALPHA {
                self.mark = best.clone();
                self.n_stale = 0;
                return Ok(None);
            }
            stop = Stop::NotSignificant { p, alpha: ALPHA };
        }
        self.n_stale += 1;
        Ok((self.n_stale >= self.patience).then_some(stop))
    }
}

/// The probability of a gain this large over the folds of the first run by chance.
fn p_value(walk: &Walk<'_>, new: &FeatureSet, old: &FeatureSet) -> Result<f64> {
    let folds = |set| {
        let estimate = walk.score.estimate(set, walk.limits)?;
        estimate
            .map(|estimate| estimate.first_run)
            .ok_or_else(|| Error::internal("a score estimates some sets only"))
    };
    let alternative = match walk.score.better() {
        Better::Higher => Alternative::Greater,
        Better::Lower => Alternative::Less,
    };
    Ok(paired_t(&folds(new)?, &folds(old)?, alternative)?.p)
}
