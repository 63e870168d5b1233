//! Settings of searches that draw whole sets.

use crate::error::Result;
use crate::setting::{Setting, SettingKind, Settings};

/// What the best new set of a generation must be for the search to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Crossover {
    /// The features up to one point change places.
    #[default]
    OnePoint,
    /// Every feature comes from either parent.
    Uniform,
}

/// How populations of sets are drawn and when they have been drawn long enough.
///
/// | setting | default | meaning |
/// |---|---|---|
/// | `population` | 1,000; below 20 features 100; `pbil` 100 | sets that live at a time |
/// | `selected` | half of the population | best sets that the next are drawn after |
/// | `generations` | 50 | most generations |
/// | `patience` | 1; `pbil`, and scores that are no estimates, 20 | generations without progress |
/// | `advance` | `auto` | what counts as progress |
/// | `crossover` | `one-point` | how sets mate, in `genetic` |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchOptions {
    /// Sets that live at a time; `None` for the search's own.
    pub population: Option<usize>,
    /// Best sets that the next are drawn after; `None` for half of the population.
    pub selected: Option<usize>,
    /// Most generations.
    pub generations: usize,
    /// Generations without progress that end the search; `None` for the search's own.
    pub patience: Option<usize>,
    /// What counts as progress.
    pub advance: Advance,
    /// How sets mate.
    pub crossover: Crossover,
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
        }
    }
}

/// The settings, for `--set`.
pub(super) static SETTINGS: [Setting; 6] = [
    Setting {
        name: "population",
        default: "0",
        kind: SettingKind::Integer {
            min: 0,
            max: 1_000_000,
        },
        meaning: "sets that live at a time; 0 for the search's own: 1000, below 20 features 100, \
                  pbil 100",
    },
    Setting {
        name: "selected",
        default: "0",
        kind: SettingKind::Integer {
            min: 0,
            max: 1_000_000,
        },
        meaning: "best sets that the next are drawn after; 0 for half of the population",
    },
    Setting {
        name: "generations",
        default: "50",
        kind: SettingKind::Integer {
            min: 1,
            max: 1_000_000,
        },
        meaning: "most generations",
    },
    Setting {
        name: "patience",
        default: "0",
        kind: SettingKind::Integer {
            min: 0,
            max: 1_000_000,
        },
        meaning: "generations without progress that end the search; 0 for the search's own: 1 \
                  where the score is an estimate, else 20; pbil 20",
    },
    Setting {
        name: "advance",
        default: "auto",
        kind: SettingKind::Choice(&["auto", "better", "significant"]),
        meaning: "what the best new set must be: better, significantly better over folds (paired t \
                  test, 0.1), or auto: significantly where an estimate has at most 1,000 rows",
    },
    Setting {
        name: "crossover",
        default: "one-point",
        kind: SettingKind::Choice(&["one-point", "uniform"]),
        meaning: "how sets mate, in the genetic search",
    },
];

impl SearchOptions {
    /// From checked settings, as [`Search::settings`](super::Search::settings) lists them.
    ///
    /// # Errors
    /// A setting is not among them.
    pub fn from_settings(settings: &Settings) -> Result<Self> {
        let or_own = |name| {
            let number = settings.integer(name)?;
            Ok((number > 0).then_some(number))
        };
        Ok(SearchOptions {
            population: or_own("population")?,
            selected: or_own("selected")?,
            generations: settings.integer("generations")?,
            patience: or_own("patience")?,
            advance: match settings.text("advance")? {
                "better" => Advance::Better,
                "significant" => Advance::Significant,
                _ => Advance::Auto,
            },
            crossover: match settings.text("crossover")? {
                "uniform" => Crossover::Uniform,
                _ => Crossover::OnePoint,
            },
        })
    }
}
