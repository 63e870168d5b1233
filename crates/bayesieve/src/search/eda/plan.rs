//! Settings as checked: how many sets live and when it has been enough.

use super::Population;
use crate::score::Estimated;
use crate::search::{Advance, SearchOptions};
use crate::{Error, Result, setting};

/// Rows up to which an estimate is too uncertain for plain improvement to count. Inza and
/// others, 2000, speak of 2,000 rows of which one half is searched with.
const FEW_ROWS: usize = 1_000;

/// How many sets live and mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sizes {
    /// Sets that live at a time.
    pub(super) n_living: usize,
    /// Best sets that the next are drawn after.
    pub(super) n_selected: usize,
}

impl Sizes {
    /// The sizes asked for, or the search's own for so many features that come and go.
    pub(super) fn new(
        population: &Population,
        options: &SearchOptions,
        n_bits: usize,
    ) -> Result<Self> {
        let by_bits = if n_bits < 20 { 100 } else { 1_000 };
        let own = population.n_living.unwrap_or(by_bits);
        let n_living = options.population.unwrap_or(own);
        if n_living < 2 {
            return Err(Error::usage(format!(
                "a population of {n_living} cannot be searched with"
            ))
            .with_hint(format!(
                "Give at least 2 sets ({}).",
                setting("population").is("100")
            )));
        }
        let own = n_living / population.selects_one_of;
        let n_selected = options.selected.unwrap_or(own);
        if n_selected == 0 || n_selected > n_living {
            return Err(Error::usage(format!(
                "{n_selected} selected sets of a population of {n_living}"
            ))
            .with_hint(format!(
                "Give 1 to {n_living} ({}).",
                setting("selected").is(own)
            )));
        }
        Ok(Sizes {
            n_living,
            n_selected,
        })
    }
}

/// What a new best set must be to be progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProgressRule {
    /// Better by more than rounding.
    Better,
    /// Better by a test over folds.
    Significant,
}

impl ProgressRule {
    /// The rule asked for, given how sure the score of the first set is.
    pub(super) fn new(advance: Advance, estimate: Option<&Estimated>) -> Result<Self> {
        // A test needs two folds.
        let is_few = |e: &Estimated| e.n_rows <= FEW_ROWS && e.first_run.len() > 1;
        match (advance, estimate) {
            (Advance::Better, _) => Ok(ProgressRule::Better),
            (Advance::Auto, estimate) if estimate.is_some_and(is_few) => {
                Ok(ProgressRule::Significant)
            }
            (Advance::Auto, _) => Ok(ProgressRule::Better),
            (Advance::Significant, Some(e)) if e.first_run.len() > 1 => {
                Ok(ProgressRule::Significant)
            }
            (Advance::Significant, _) => Err(Error::usage(
                "advance=significant needs a score with folds to test over, such as accuracy",
            )
            .with_hint(format!(
                "Leave it out, or give {}.",
                setting("advance").is("better")
            ))),
        }
    }
}

impl Population {
    /// Generations without progress that end the search.
    pub(super) fn patience(&self, options: &SearchOptions, estimate: Option<&Estimated>) -> usize {
        let by_score = if estimate.is_some() { 1 } else { 20 };
        let own = self.patience.unwrap_or(by_score);
        options.patience.unwrap_or(own).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Search, Strategy};

    fn estimate(n_rows: usize, n_folds: usize) -> Estimated {
        Estimated {
            mean: 0.5,
            standard_error: 0.1,
            first_run: vec![0.5; n_folds],
            n_runs: 1,
            n_rows,
        }
    }

    fn of(name: &str) -> &'static Population {
        match &Search::named(name).unwrap().0.strategy {
            Strategy::Draws(population) => population,
            _ => panic!("{name} draws no sets"),
        }
    }

    fn sizes(search: &str, population: usize, selected: usize) -> Result<(usize, usize)> {
        let options = SearchOptions {
            population: (population > 0).then_some(population),
            selected: (selected > 0).then_some(selected),
            ..SearchOptions::default()
        };
        Sizes::new(of(search), &options, 20).map(|sizes| (sizes.n_living, sizes.n_selected))
    }

    #[test]
    fn searches_have_sizes_of_their_own() {
        assert_eq!(sizes("ebna", 0, 0).unwrap(), (1_000, 500));
        assert_eq!(sizes("genetic", 0, 0).unwrap(), (1_000, 1_000));
        assert_eq!(sizes("pbil", 0, 0).unwrap(), (100, 50));
        assert_eq!(sizes("umda", 3, 0).unwrap(), (3, 1));
        assert_eq!(sizes("umda", 3, 3).unwrap(), (3, 3));
        let few = Sizes::new(of("ebna"), &SearchOptions::default(), 19).unwrap();
        assert_eq!((few.n_living, few.n_selected), (100, 50));
    }

    #[test]
    fn sizes_that_cannot_be_are_refused() {
        let error = sizes("ebna", 1, 0).unwrap_err();
        assert!(error.to_string().contains("population of 1 "), "{error}");
        let error = sizes("ebna", 10, 11).unwrap_err();
        assert!(error.to_string().contains("11 selected sets"), "{error}");
    }

    #[test]
    fn few_rows_ask_for_a_test_and_a_thousand_are_few() {
        let rule =
            |advance, estimate: Option<&Estimated>| ProgressRule::new(advance, estimate).ok();
        let auto = Advance::Auto;
        assert_eq!(
            rule(auto, Some(&estimate(1_000, 10))),
            Some(ProgressRule::Significant)
        );
        assert_eq!(
            rule(auto, Some(&estimate(1_001, 10))),
            Some(ProgressRule::Better)
        );
        assert_eq!(
            rule(auto, Some(&estimate(100, 1))),
            Some(ProgressRule::Better)
        );
        assert_eq!(rule(auto, None), Some(ProgressRule::Better));
        let asked = Advance::Significant;
        assert_eq!(
            rule(asked, Some(&estimate(9_999, 10))),
            Some(ProgressRule::Significant)
        );
        assert_eq!(rule(asked, None), None);
    }

    #[test]
    fn estimates_are_waited_for_once_and_pbil_twenty_times() {
        let options = SearchOptions::default();
        let some = estimate(500, 10);
        assert_eq!(of("ebna").patience(&options, Some(&some)), 1);
        assert_eq!(of("ebna").patience(&options, None), 20);
        assert_eq!(of("pbil").patience(&options, Some(&some)), 20);
        let asked = SearchOptions {
            patience: Some(3),
            ..options
        };
        assert_eq!(of("pbil").patience(&asked, None), 3);
    }
}
