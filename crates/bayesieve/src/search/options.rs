//! Settings of searches that draw whole sets.

use serde::Deserialize;

use crate::Result;
use crate::setting::{Setting, SettingKind, Settings, choice};

/// What the best new set of a generation must be for the search to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Advance {
    /// Better; where the score is an estimate from at most 1,000 rows, significantly so.
    #[default]
    Auto,
    /// Better than the best before.
    Better,
    /// Better by a paired t test over folds, p below 0.1.
    Significant,
}

/// How two sets mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Crossover {
    /// The features up to one point change places.
    #[default]
    OnePoint,
    /// Every feature comes from either parent.
    Uniform,
}

/// How populations of sets are drawn and when they have been drawn long enough.
///
/// A population is of 2 sets at least, and no more can be selected than live.
///
/// | setting | default | meaning |
/// |---|---|---|
/// | `population` | 1,000; below 20 features 100; `pbil` 100 | sets that live at a time |
/// | `selected` | half of the population; `genetic` all | best sets that the next are drawn after |
/// | `generations` | 50 | most generations |
/// | `patience` | 1; `pbil`, and scores that are no estimates, 20 | generations without progress |
/// | `advance` | `auto` | what counts as progress |
/// | `crossover` | `one-point` | how sets mate, in `genetic` |
/// | `count` | their own stop | features to keep, for searches that change one at a time |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchOptions {
    /// Sets that live at a time; `None` for the search's own.
    pub population: Option<usize>,
    /// Best sets that the next are drawn after, not in `pbil`; `None` for the search's own.
    pub selected: Option<usize>,
    /// Most generations.
    pub generations: usize,
    /// Generations without progress that end the search; `None` for the search's own.
    pub patience: Option<usize>,
    /// What counts as progress.
    pub advance: Advance,
    /// How sets mate.
    pub crossover: Crossover,
    /// How many features to keep, for searches that change one at a time; their own stop without.
    pub count: Option<usize>,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions {
            population: None,
            selected: None,
            generations: 50,
            patience: None,
            advance: Advance::default(),
            crossover: Crossover::default(),
            count: None,
        }
    }
}

pub(super) const POPULATION: Setting = Setting {
    name: "population",
    default: "auto",
    kind: SettingKind::WordOrInteger {
        word: "auto",
        min: 2,
        max: 1_000_000,
    },
    meaning: "sets that live at a time; auto is the search's own: 1000, below 20 features 100, \
              pbil 100",
};

pub(super) const SELECTED: Setting = Setting {
    name: "selected",
    default: "auto",
    kind: SettingKind::WordOrInteger {
        word: "auto",
        min: 1,
        max: 1_000_000,
    },
    meaning: "best sets that the next are drawn after; auto is half of the population, in the \
              genetic search all",
};

pub(super) const GENERATIONS: Setting = Setting {
    name: "generations",
    default: "50",
    kind: SettingKind::Integer {
        min: 1,
        max: 1_000_000,
    },
    meaning: "most generations",
};

pub(super) const PATIENCE: Setting = Setting {
    name: "patience",
    default: "auto",
    kind: SettingKind::WordOrInteger {
        word: "auto",
        min: 1,
        max: 1_000_000,
    },
    meaning: "generations without progress that end the search; auto is the search's own: 1 where \
              the score is an estimate, else 20; pbil 20",
};

pub(super) const ADVANCE: Setting = Setting {
    name: "advance",
    default: "auto",
    kind: SettingKind::Choice(&["auto", "better", "significant"]),
    meaning: "what the best new set must be: better, significantly better over folds (paired t \
              test, 0.1), or auto: significantly where an estimate has at most 1,000 rows",
};

pub(super) const CROSSOVER: Setting = Setting {
    name: "crossover",
    default: "one-point",
    kind: SettingKind::Choice(&["one-point", "uniform"]),
    meaning: "how sets mate, in the genetic search",
};

impl SearchOptions {
    /// From checked settings, as [`Search::settings`](super::Search::settings) lists them;
    /// what a search does not take has its default.
    ///
    /// # Errors
    /// A setting is of another kind.
    ///
    /// # Example
    /// ```
    /// use bayesieve::search::{Advance, Search, SearchOptions};
    /// use bayesieve::setting::Settings;
    ///
    /// let given = ["population=200", "advance=better"];
    /// let settings = Settings::parse(Search::named("ebna")?.settings(), given)?;
    /// let options = SearchOptions::from_settings(&settings)?;
    /// assert_eq!((options.population, options.selected), (Some(200), None));
    /// assert_eq!(options.advance, Advance::Better);
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn from_settings(settings: &Settings) -> Result<Self> {
        let whole = |setting: Setting| match settings.get(setting.name) {
            None | Some("auto") => Ok(None),
            Some(_) => settings.integer(setting.name).map(Some),
        };
        let default = SearchOptions::default();
        Ok(SearchOptions {
            count: None,
            population: whole(POPULATION)?,
            selected: whole(SELECTED)?,
            generations: whole(GENERATIONS)?.unwrap_or(default.generations),
            patience: whole(PATIENCE)?,
            advance: choice(settings.get(ADVANCE.name).unwrap_or(ADVANCE.default))?,
            crossover: choice(settings.get(CROSSOVER.name).unwrap_or(CROSSOVER.default))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Search;
    use super::*;

    fn options(search: Search, given: &[&str]) -> Result<SearchOptions> {
        SearchOptions::from_settings(&Settings::parse(search.settings(), given.iter().copied())?)
    }

    #[test]
    fn settings_that_are_not_given_are_the_defaults() {
        for search in Search::all() {
            assert_eq!(
                options(search, &[]).unwrap(),
                SearchOptions::default(),
                "{search}"
            );
        }
    }

    #[test]
    fn settings_come_back() {
        let all = [
            "population=30",
            "selected=10",
            "generations=7",
            "patience=3",
            "advance=significant",
            "crossover=uniform",
        ];
        let expected = SearchOptions {
            population: Some(30),
            selected: Some(10),
            generations: 7,
            patience: Some(3),
            advance: Advance::Significant,
            crossover: Crossover::Uniform,
            count: None,
        };
        assert_eq!(
            options(Search::named("genetic").unwrap(), &all).unwrap(),
            expected
        );
    }

    #[test]
    fn a_search_refuses_what_it_does_not_use() {
        assert!(options(Search::named("ebna").unwrap(), &["crossover=uniform"]).is_err());
        assert!(options(Search::named("pbil").unwrap(), &["selected=10"]).is_err());
        assert!(options(Search::named("forward").unwrap(), &["population=10"]).is_err());
        assert!(options(Search::named("ebna").unwrap(), &["generations=0"]).is_err());
    }
}
