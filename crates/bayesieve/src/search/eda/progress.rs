//! Whether generations still bring progress, and what counts as found.

use super::Individual;
use super::plan::ProgressRule;
use crate::score::FeatureSet;
use crate::search::{SearchTask, Stop};
use crate::stats::{Alternative, Better, paired_t};
use crate::{Error, Result};

/// The level of the test over folds.
const ALPHA: f64 = 0.1;

/// The best set at the last progress, and how long ago that was.
pub(super) struct SearchProgress {
    rule: ProgressRule,
    patience: usize,
    mark: Individual,
    n_stale: usize,
}

impl SearchProgress {
    /// From the best set of the first population.
    pub(super) fn new(rule: ProgressRule, patience: usize, first: Individual) -> Self {
        SearchProgress {
            rule,
            patience,
            mark: first,
            n_stale: 0,
        }
    }

    /// What was found: the best set, unless it has to pass a test that it did not pass.
    pub(super) fn found<'i>(&'i self, best: &'i Individual) -> &'i Individual {
        match self.rule {
            ProgressRule::Better => best,
            ProgressRule::Significant => &self.mark,
        }
    }

    /// Takes in the best set after a generation; why it should be the last one, if so.
    pub(super) fn judge(
        &mut self,
        best: &Individual,
        task: &SearchTask<'_>,
        whole: impl Fn(&FeatureSet) -> FeatureSet,
    ) -> Result<Option<Stop>> {
        let mut stop = Stop::Stale {
            n: self.patience,
            of: "generations",
        };
        if task.score.is_better(best.value, self.mark.value) {
            let p = match self.rule {
                ProgressRule::Better => 0.0,
                ProgressRule::Significant => {
                    p_value(task, &whole(&best.bits), &whole(&self.mark.bits))?
                }
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
fn p_value(task: &SearchTask<'_>, new: &FeatureSet, old: &FeatureSet) -> Result<f64> {
    let folds = |set| {
        let estimate = task.score.estimate(set, task.limits)?;
        estimate
            .map(|estimate| estimate.first_run)
            .ok_or_else(|| Error::internal("a score estimates some sets only"))
    };
    let alternative = match task.score.better() {
        Better::Higher => Alternative::Greater,
        Better::Lower => Alternative::Less,
    };
    Ok(paired_t(&folds(new)?, &folds(old)?, alternative)?.p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{Estimated, Score};
    use crate::search::{Limits, SearchOptions};
    use crate::{Observer, Silent};

    /// The empty set and the set {0}, by their folds.
    struct Two {
        better: Better,
        folds: [[f64; 10]; 2],
    }

    impl Score for Two {
        fn name(&self) -> &'static str {
            "two"
        }

        fn unit(&self) -> &'static str {
            ""
        }

        fn better(&self) -> Better {
            self.better
        }

        fn n_features(&self) -> usize {
            1
        }

        fn evaluate(&self, sets: &[FeatureSet], _: &dyn Observer) -> Result<Vec<f64>> {
            let folds = sets.iter().map(|set| &self.folds[set.len()]);
            Ok(folds
                .map(|folds| folds.iter().sum::<f64>() / 10.0)
                .collect())
        }

        fn estimate(&self, set: &FeatureSet, _: &dyn Observer) -> Result<Option<Estimated>> {
            Ok(Some(Estimated {
                mean: f64::NAN,
                standard_error: f64::NAN,
                first_run: self.folds[set.len()].to_vec(),
                n_runs: 1,
                n_rows: 100,
            }))
        }
    }

    /// The verdict on {0} after the empty set, and what counts as found.
    fn judged(score: &Two, rule: ProgressRule, patience: usize) -> (Option<Stop>, usize) {
        let walk = SearchTask {
            score,
            candidates: &[0],
            keep: &[],
            limits: &Limits::new(&Silent),
            seed: 1,
            options: SearchOptions::default(),
        };
        let sets = [0, 1].map(|n| FeatureSet::of(1, 0..n).unwrap());
        let values = score.evaluate(&sets, &Silent).unwrap();
        let [old, new] = [0, 1].map(|place| Individual {
            bits: sets[place].clone(),
            value: values[place],
        });
        let mut progress = SearchProgress::new(rule, patience, old);
        let stop = progress.judge(&new, &walk, FeatureSet::clone).unwrap();
        (stop, progress.found(&new).bits.len())
    }

    const OLD: [f64; 10] = [0.78, 0.81, 0.78, 0.79, 0.80, 0.80, 0.78, 0.77, 0.80, 0.77];
    const NEW: [f64; 10] = [0.80, 0.82, 0.78, 0.81, 0.79, 0.83, 0.80, 0.77, 0.82, 0.78];

    /// Old folds that change by these hundredths.
    fn changed(hundredths: [f64; 10]) -> [f64; 10] {
        std::array::from_fn(|fold| OLD[fold] + 0.01 * hundredths[fold])
    }

    #[test]
    fn a_small_p_is_progress_whichever_way_is_better() {
        // t = 3.086975, p = 0.0065 one-sided.
        let score = Two {
            better: Better::Higher,
            folds: [OLD, NEW],
        };
        assert_eq!(judged(&score, ProgressRule::Significant, 1), (None, 1));
        let score = Two {
            better: Better::Lower,
            folds: [NEW, OLD],
        };
        assert_eq!(judged(&score, ProgressRule::Significant, 1), (None, 1));
    }

    #[test]
    fn the_test_is_one_sided() {
        // Mean 0.6 and sd sqrt(14.4 / 9) = 1.264911: t = 0.6 sqrt(10) / 1.264911 = 1.5, of
        // which p = 0.0839 with 9 degrees of freedom; two-sided it would be 0.1679.
        let folds = [
            OLD,
            changed([2.0, -1.0, 2.0, -1.0, 2.0, 0.0, 0.0, 2.0, 0.0, 0.0]),
        ];
        let score = Two {
            better: Better::Higher,
            folds,
        };
        assert_eq!(judged(&score, ProgressRule::Significant, 1), (None, 1));
    }

    #[test]
    fn a_large_p_is_none_and_the_set_before_is_found() {
        // Mean 0.3, sd sqrt(16.1 / 9) = 1.337494: t = 0.709299, p = 0.2481.
        let folds = [
            OLD,
            changed([2.0, -2.0, 2.0, -1.0, 1.0, 1.0, 0.0, 0.0, 1.0, -1.0]),
        ];
        let score = Two {
            better: Better::Higher,
            folds,
        };
        let (stop, n_found) = judged(&score, ProgressRule::Significant, 1);
        let Some(Stop::NotSignificant { p, alpha }) = stop else {
            panic!("{stop:?}");
        };
        assert!((p - 0.2481).abs() < 5e-5 && alpha == 0.1, "{p}");
        assert_eq!(n_found, 0);
        // With patience it is not the end, but no progress either.
        assert_eq!(judged(&score, ProgressRule::Significant, 2), (None, 0));
        assert_eq!(judged(&score, ProgressRule::Better, 1), (None, 1));
    }

    #[test]
    fn a_worse_set_is_no_progress() {
        let score = Two {
            better: Better::Higher,
            folds: [NEW, OLD],
        };
        let stale = Stop::Stale {
            n: 1,
            of: "generations",
        };
        assert_eq!(judged(&score, ProgressRule::Significant, 1).0, Some(stale));
        assert_eq!(judged(&score, ProgressRule::Better, 1).0, Some(stale));
    }
}
