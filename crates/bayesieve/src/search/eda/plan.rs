//! Settings as checked: how many sets live and when it has been enough.

use crate::score::Estimated;
use crate::search::{Advance, Search, SearchOptions};
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
    pub(super) fn new(search: Search, options: &SearchOptions, n_bits: usize) -> Result<Self> {
        let own = if search == Search::Pbil || n_bits < 20 {
            100
        } else {
            1_000
        };
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
        let own = match search {
            Search::Genetic => n_living,
            _ => n_living / 2,
        };
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
pub(super) enum Rule {
    /// Better by more than rounding.
    Better,
    /// Better by a test over folds.
    Significant,
}

impl Rule {
    /// The rule asked for, given how sure the score of the first set is.
    pub(super) fn new(advance: Advance, estimate: Option<&Estimated>) -> Result<Self> {
        // A test needs two folds.
        let is_few = |e: &Estimated| e.n_rows <= FEW_ROWS && e.first_run.len() > 1;
        match (advance, estimate) {
            (Advance::Better, _) => Ok(Rule::Better),
            (Advance::Auto, estimate) if estimate.is_some_and(is_few) => Ok(Rule::Significant),
            (Advance::Auto, _) => Ok(Rule::Better),
            (Advance::Significant, Some(e)) if e.first_run.len() > 1 => Ok(Rule::Significant),
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

/// Generations without progress that end a search.
pub(super) fn patience(
    search: Search,
    options: &SearchOptions,
    estimate: Option<&Estimated>,
) -> usize {
    // PBIL learns a tenth of what a generation shows: one says little.
    let own = match (search, estimate) {
        (Search::Pbil, _) | (_, None) => 20,
        _ => 1,
    };
    options.patience.unwrap_or(own).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(n_rows: usize, n_folds: usize) -> Estimated {
        Estimated {
            mean: 0.5,
            standard_error: 0.1,
            first_run: vec![0.5; n_folds],
            n_runs: 1,
            n_rows,
        }
    }

    fn sizes(search: Search, population: usize, selected: usize) -> Result<(usize, usize)> {
        let options = SearchOptions {
            population: (population > 0).then_some(population),
            selected: (selected > 0).then_some(selected),
            ..SearchOptions::default()
        };
        Sizes::new(search, &options, 20).map(|sizes| (sizes.n_living, sizes.n_selected))
    }

    #[test]
    fn searches_have_sizes_of_their_own() {
        assert_eq!(sizes(Search::Ebna, 0, 0).unwrap(), (1_000, 500));
        assert_eq!(sizes(Search::Genetic, 0, 0).unwrap(), (1_000, 1_000));
        assert_eq!(sizes(Search::Pbil, 0, 0).unwrap(), (100, 50));
        assert_eq!(sizes(Search::Umda, 3, 0).unwrap(), (3, 1));
        assert_eq!(sizes(Search::Umda, 3, 3).unwrap(), (3, 3));
        let few = Sizes::new(Search::Ebna, &SearchOptions::default(), 19).unwrap();
        assert_eq!((few.n_living, few.n_selected), (100, 50));
    }

    #[test]
    fn sizes_that_cannot_be_are_refused() {
        let error = sizes(Search::Ebna, 1, 0).unwrap_err();
        assert!(error.to_string().contains("population of 1 "), "{error}");
        let error = sizes(Search::Ebna, 10, 11).unwrap_err();
        assert!(error.to_string().contains("11 selected sets"), "{error}");
    }

    #[test]
    fn few_rows_ask_for_a_test_and_a_thousand_are_few() {
        let rule = |advance, estimate: Option<&Estimated>| Rule::new(advance, estimate).ok();
        let auto = Advance::Auto;
        assert_eq!(
            rule(auto, Some(&estimate(1_000, 10))),
            Some(Rule::Significant)
        );
        assert_eq!(rule(auto, Some(&estimate(1_001, 10))), Some(Rule::Better));
        assert_eq!(rule(auto, Some(&estimate(100, 1))), Some(Rule::Better));
        assert_eq!(rule(auto, None), Some(Rule::Better));
        let asked = Advance::Significant;
        assert_eq!(
            rule(asked, Some(&estimate(9_999, 10))),
            Some(Rule::Significant)
        );
        assert_eq!(rule(asked, None), None);
    }

    #[test]
    fn estimates_are_waited_for_once_and_pbil_twenty_times() {
        let options = SearchOptions::default();
        let some = estimate(500, 10);
        assert_eq!(patience(Search::Ebna, &options, Some(&some)), 1);
        assert_eq!(patience(Search::Ebna, &options, None), 20);
        assert_eq!(patience(Search::Pbil, &options, Some(&some)), 20);
        let asked = SearchOptions {
            patience: Some(3),
            ..options
        };
        assert_eq!(patience(Search::Pbil, &asked, None), 3);
    }
}
