//! Which model is trained, and how.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::gaussian::VarianceDivisor;
use super::id3::Id3Cuts;
use crate::data::unknown_name;
use crate::network::Smoothing;
use crate::separation::{MODEL_SETTINGS, SeparationOptions};
use crate::setting::Settings;
use crate::{Error, Result, quoted};

/// Largest constant or weight of a smoothing.
pub(super) const MOST_ALPHA: f64 = 1e9;

/// Largest limit to the parents of a node.
pub(super) const MOST_PARENTS: usize = 1_000_000;

/// The settings of the block model: of its tables, then of its blocks.
const BLOCK_SETTINGS: [&str; 2 + MODEL_SETTINGS.len()] = {
    let mut names = ["smoothing"; 2 + MODEL_SETTINGS.len()];
    names[1] = "alpha";
    let mut place = 0;
    while place < MODEL_SETTINGS.len() {
        names[2 + place] = MODEL_SETTINGS[place].name;
        place += 1;
    }
    names
};

/// The models there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModelKind {
    /// Naive Bayes: features independent given the class; numbers may stay numbers.
    NaiveBayes,
    /// Tree-augmented naive Bayes: every feature has at most one other as parent.
    Tan,
    /// A network learned by K2, the class first.
    K2,
    /// A network learned by CB: tests for an order, then K2.
    Cb,
    /// A decision tree by gain ratio.
    Id3,
    /// Naive Bayes over labels; numbers jointly normal in blocks.
    Block,
}

const NAMES: [(&str, ModelKind); 6] = [
    ("nb", ModelKind::NaiveBayes),
    ("tan", ModelKind::Tan),
    ("k2", ModelKind::K2),
    ("cb", ModelKind::Cb),
    ("id3", ModelKind::Id3),
    ("block", ModelKind::Block),
];

impl ModelKind {
    /// All models, in the order they are listed.
    pub const ALL: [ModelKind; 6] = [
        ModelKind::NaiveBayes,
        ModelKind::Tan,
        ModelKind::K2,
        ModelKind::Cb,
        ModelKind::Id3,
        ModelKind::Block,
    ];

    /// How it is written.
    pub fn name(self) -> &'static str {
        NAMES
            .iter()
            .find(|(_, kind)| *kind == self)
            .map_or("", |&(name, _)| name)
    }
}

impl fmt::Display for ModelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ModelKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = NAMES.iter().find(|(name, _)| *name == text);
        found
            .map(|&(_, kind)| kind)
            .ok_or_else(|| unknown_name("model", text, NAMES.iter().map(|&(name, _)| name)))
    }
}

/// When CB stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CbStop {
    /// When the accuracy on the training rows no longer rises (Singh and Provan).
    #[default]
    Accuracy,
    /// When the network's K2 score no longer rises (Singh and Valtorta).
    Score,
}

/// The order of nodes that CB gives to K2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CbOrder {
    /// As the tests of independence give it.
    #[default]
    Tests,
    /// The same with the class before all features: what Singh and Provan seem to have had,
    /// whose networks predict far better on many classes than those of the tests' own order.
    ClassFirst,
}

/// How a model is trained: checked settings.
///
/// | setting | default | meaning | models |
/// |---|---|---|---|
/// | `smoothing` | `laplace` | `laplace`, `ml` (plain frequencies), `dirichlet`, `mixing` (with the marginal) | nb, tan, k2, cb, block |
/// | `alpha` | 1; `dirichlet` 1, `mixing` 5 | what laplace adds to every cell; the weight of the others | nb, tan, k2, cb, block |
/// | `divisor` | `n-1` | what a variance is divided by, `n-1` or `n` | nb |
/// | `parents` | 5 | most parents of a node | k2, cb |
/// | `level` | 0.05; id3 0.01 | level of the chi-square tests | cb, id3 |
/// | `order` | `tests` | the order CB gives to K2: `tests`, or `class-first` | cb |
/// | `cuts` | `ratio` | what makes a cut of numbers the best, `ratio` or `gain` | id3 |
/// | `stop` | `accuracy` | when CB stops, `accuracy` or `score` | cb |
/// | those of [`MODEL_SETTINGS`] | | how blocks are made and weighted | block |
#[derive(Debug, Clone, PartialEq)]
pub struct TrainOptions {
    /// The model.
    pub model: ModelKind,
    /// How counts become probabilities.
    pub smoothing: Smoothing,
    /// What variances are divided by.
    pub divisor: VarianceDivisor,
    /// Most parents of a node in K2 and CB.
    pub max_parents: usize,
    /// Level of the tests in CB and ID3.
    pub level: f64,
    /// The order that CB gives to K2.
    pub cb_order: CbOrder,
    /// What makes a cut of numbers the best in ID3.
    pub cuts: Id3Cuts,
    /// When CB stops.
    pub cb_stop: CbStop,
    /// How the block model makes and weights its blocks.
    pub block: SeparationOptions,
}

impl TrainOptions {
    /// The defaults of a model.
    pub fn new(model: ModelKind) -> Self {
        TrainOptions {
            model,
            smoothing: Smoothing::Laplace(1.0),
            divisor: VarianceDivisor::default(),
            max_parents: 5,
            level: if model == ModelKind::Id3 { 0.01 } else { 0.05 },
            cb_order: CbOrder::default(),
            cuts: Id3Cuts::default(),
            cb_stop: CbStop::default(),
            block: SeparationOptions::default(),
        }
    }

    /// The names of the settings that a model takes.
    pub fn setting_names(model: ModelKind) -> &'static [&'static str] {
        match model {
            ModelKind::NaiveBayes => &["smoothing", "alpha", "divisor"],
            ModelKind::Tan => &["smoothing", "alpha"],
            ModelKind::K2 => &["smoothing", "alpha", "parents"],
            ModelKind::Cb => &["smoothing", "alpha", "parents", "level", "stop", "order"],
            ModelKind::Id3 => &["level", "cuts"],
            ModelKind::Block => &BLOCK_SETTINGS,
        }
    }

    /// Takes settings written `name=value`.
    ///
    /// # Errors
    /// A setting that the model does not have or that is given twice, a value that it cannot
    /// take, or an alpha for plain frequencies.
    ///
    /// # Example
    /// ```
    /// use bayesieve::classify::{ModelKind, TrainOptions};
    /// use bayesieve::network::Smoothing;
    ///
    /// let options = TrainOptions::new(ModelKind::NaiveBayes).with_settings(["alpha=0.5"])?;
    /// assert_eq!(options.smoothing, Smoothing::Laplace(0.5));
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn with_settings<'a>(
        mut self,
        settings: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self> {
        let (mut smoothing, mut alpha) = ("laplace", None);
        let (mut given, mut of_blocks) = (Vec::new(), Vec::new());
        for setting in settings {
            let (name, value) = setting.split_once('=').ok_or_else(|| {
                Error::usage(format!("the setting {} has no value", quoted(setting)))
                    .with_hint(format!("Write {}.", crate::setting("name").is("value")))
            })?;
            let names = Self::setting_names(self.model);
            if !names.contains(&name) {
                let what = format!("setting of {}", self.model);
                return Err(unknown_name(&what, name, names.iter().copied()));
            }
            if given.contains(&name) {
                return Err(
                    Error::usage(format!("the setting {} is given twice", quoted(name)))
                        .with_hint("Give it once."),
                );
            }
            given.push(name);
            match name {
                "smoothing" => smoothing = value,
                "alpha" => alpha = Some(number(setting, value, 0.0..=MOST_ALPHA, "number")?),
                // Before the others: a level of blocks is no level of CB.
                _ if self.model == ModelKind::Block => of_blocks.push(setting),
                "divisor" => {
                    self.divisor = chosen(
                        setting,
                        value,
                        &[
                            ("n-1", VarianceDivisor::RowsLessOne),
                            ("n", VarianceDivisor::Rows),
                        ],
                    )?
                }
                "parents" => {
                    self.max_parents = number(setting, value, 0..=MOST_PARENTS, "whole number")?
                }
                "level" => self.level = number(setting, value, 0.0..=1.0, "number")?,
                "order" => {
                    self.cb_order = chosen(
                        setting,
                        value,
                        &[
                            ("tests", CbOrder::Tests),
                            ("class-first", CbOrder::ClassFirst),
                        ],
                    )?
                }
                "cuts" => {
                    self.cuts = chosen(
                        setting,
                        value,
                        &[("ratio", Id3Cuts::Ratio), ("gain", Id3Cuts::Gain)],
                    )?
                }
                _ => {
                    self.cb_stop = chosen(
                        setting,
                        value,
                        &[("accuracy", CbStop::Accuracy), ("score", CbStop::Score)],
                    )?
                }
            }
        }
        self.block =
            SeparationOptions::from_settings(&Settings::parse(MODEL_SETTINGS, of_blocks)?)?;
        self.smoothing = match smoothing {
            "ml" if alpha.is_some() => {
                return Err(Error::usage("smoothing=ml has no alpha")
                    .with_hint("Leave alpha out, or choose another smoothing."));
            }
            "ml" => Smoothing::MaximumLikelihood,
            "laplace" => Smoothing::Laplace(alpha.unwrap_or(1.0)),
            "dirichlet" => Smoothing::Dirichlet(alpha.unwrap_or(1.0)),
            "mixing" => Smoothing::MarginalMixing(alpha.unwrap_or(5.0)),
            other => {
                return Err(unknown_name(
                    "smoothing",
                    other,
                    ["laplace", "ml", "dirichlet", "mixing"],
                ));
            }
        };
        Ok(self)
    }
}

/// A number in a range; `kind` says which numbers there are, for the message.
fn number<T>(setting: &str, value: &str, range: RangeInclusive<T>, kind: &str) -> Result<T>
where
    T: FromStr + PartialOrd + fmt::Display,
{
    let number = value.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        Error::usage(format!("{} is out of range", quoted(setting))).with_hint(format!(
            "Use a {kind} from {} to {}.",
            range.start(),
            range.end()
        ))
    })
}

fn chosen<T: Copy>(setting: &str, value: &str, choices: &[(&str, T)]) -> Result<T> {
    let found = choices.iter().find(|(name, _)| *name == value);
    found.map(|&(_, choice)| choice).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|&(name, _)| name).collect();
        Error::usage(format!("{} is not one of its values", quoted(setting)))
            .with_hint(format!("Use {}.", names.join(" or ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_reads_back_as_it_prints() {
        for model in ModelKind::ALL {
            assert_eq!(model.name().parse::<ModelKind>().unwrap(), model);
        }
        assert!(
            "tam"
                .parse::<ModelKind>()
                .unwrap_err()
                .to_string()
                .contains("\"tan\"")
        );
    }

    #[test]
    fn settings_are_checked_against_the_model() {
        let set = |model, setting| TrainOptions::new(model).with_settings([setting]);
        assert_eq!(
            set(ModelKind::Cb, "stop=score").unwrap().cb_stop,
            CbStop::Score
        );
        assert_eq!(
            set(ModelKind::Tan, "smoothing=mixing").unwrap().smoothing,
            Smoothing::MarginalMixing(5.0)
        );
        let bad = [
            (ModelKind::Tan, "stop=score"),
            (ModelKind::Tan, "alpha=-1"),
            (ModelKind::Tan, "alpha=NaN"),
            (ModelKind::Tan, "alpha"),
            (ModelKind::Tan, "smoothing=no"),
            (ModelKind::Id3, "alpha=1"),
            (ModelKind::Id3, "cuts=middle"),
            (ModelKind::K2, "parents=2.7"),
            (ModelKind::K2, "parents=-1"),
        ];
        for (model, setting) in bad {
            let error = set(model, setting).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Usage, "{setting}");
        }
        assert_eq!(set(ModelKind::K2, "parents=2").unwrap().max_parents, 2);
        assert_eq!(
            set(ModelKind::Cb, "order=class-first").unwrap().cb_order,
            CbOrder::ClassFirst
        );
        assert_eq!(
            set(ModelKind::Id3, "cuts=gain").unwrap().cuts,
            Id3Cuts::Gain
        );
    }

    #[test]
    fn the_block_model_has_its_tables_settings_and_its_blocks() {
        let names = TrainOptions::setting_names(ModelKind::Block);
        let of_blocks = MODEL_SETTINGS.iter().map(|setting| setting.name);
        let expected: Vec<&str> = ["smoothing", "alpha"]
            .into_iter()
            .chain(of_blocks)
            .collect();
        assert_eq!(names, expected);
        let set = |settings: [&'static str; 3]| {
            TrainOptions::new(ModelKind::Block).with_settings(settings)
        };
        let options = set(["level=0.2", "alpha=2", "covariance=own"]).unwrap();
        assert_eq!((options.level, options.block.level), (0.05, 0.2));
        assert_eq!(options.smoothing, Smoothing::Laplace(2.0));
        assert_eq!(options.block.value_of("covariance"), "own");
        for bad in ["level=2", "weights=all", "block_size=0", "divisor=n"] {
            let error = set([bad, "alpha=1", "prior=em"]).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Usage, "{bad}");
        }
    }

    #[test]
    fn settings_that_would_be_passed_over_are_refused() {
        let set = |settings: [&'static str; 2]| {
            let options = TrainOptions::new(ModelKind::K2).with_settings(settings);
            options.unwrap_err().to_string()
        };
        assert!(set(["smoothing=ml", "alpha=2"]).contains("ml has no alpha"));
        assert!(set(["alpha=2", "smoothing=ml"]).contains("ml has no alpha"));
        assert!(set(["alpha=2", "alpha=2"]).contains("\"alpha\" is given twice"));
        assert!(set(["parents=2.7", "alpha=1"]).contains("a whole number from 0 to 1000000"));
    }
}
