//! Which model is trained, and how.

use serde::{Deserialize, Serialize};

use super::gaussian::VarianceDivisor;
use super::id3::{Id3Cuts, Id3Options};
use super::model::ModelKind;
use crate::network::{ALPHA, SMOOTHING, Smoothing, SmoothingRule};
use crate::separation::SeparationOptions;
use crate::setting::{Settings, choice, word};
use crate::{Error, Result};

/// Largest limit to the parents of a node.
pub(super) const MAX_PARENTS: usize = 1_000_000;

/// When CB stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CbStop {
    /// When the accuracy on the training rows no longer rises (Singh and Provan).
    #[default]
    Accuracy,
    /// When the network's K2 score no longer rises (Singh and Valtorta).
    Score,
}

/// The order of nodes that CB gives to K2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CbOrder {
    /// As the tests of independence give it.
    #[default]
    Tests,
    /// The same with the class before all features: what Singh and Provan seem to have had,
    /// whose networks predict far better on many classes than those of the tests' own order.
    ClassFirst,
}

/// How a model is trained: checked settings. [`Model::settings`](super::Model) says which of them
/// a model has, with their defaults and ranges.
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
            smoothing: Smoothing::default(),
            divisor: VarianceDivisor::default(),
            max_parents: 5,
            level: match model {
                ModelKind::Id3 => Id3Options::default().alpha,
                ModelKind::NaiveBayes
                | ModelKind::Tan
                | ModelKind::K2
                | ModelKind::Cb
                | ModelKind::Block => 0.05,
            },
            cb_order: CbOrder::default(),
            cuts: Id3Cuts::default(),
            cb_stop: CbStop::default(),
            block: SeparationOptions::default(),
        }
    }

    /// The names of the settings that a model takes.
    pub fn setting_names(model: ModelKind) -> Vec<&'static str> {
        let settings = model.model().settings.iter();
        settings.map(|setting| setting.name).collect()
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
        let settings = Settings::parse(self.model.model().settings, settings)?;
        if settings.has(SMOOTHING.name) {
            self.smoothing = smoothing_of(&settings)?;
        }
        if self.model == ModelKind::Block {
            self.block = SeparationOptions::from_settings(&settings)?;
            return Ok(self);
        }
        for &name in settings.given() {
            let value = settings.text(name)?;
            match name {
                "smoothing" | "alpha" => {}
                "divisor" => self.divisor = choice(value)?,
                "parents" => self.max_parents = settings.integer(name)?,
                "level" => self.level = settings.number(name)?,
                "order" => self.cb_order = choice(value)?,
                "cuts" => self.cuts = choice(value)?,
                "stop" => self.cb_stop = choice(value)?,
                other => {
                    let what = format!("{} has no setting {other}", self.model);
                    return Err(Error::internal(what));
                }
            }
        }
        Ok(self)
    }

    /// The value of a setting of the model, as it is written; `None` where it has no such
    /// setting.
    pub fn value_of(&self, setting: &str) -> Option<String> {
        Some(match setting {
            "smoothing" => self.smoothing.rule().name.to_owned(),
            "alpha" => self.smoothing.alpha().to_string(),
            _ if self.model == ModelKind::Block => return self.block.value_of(setting),
            "divisor" => word(self.divisor),
            "parents" => self.max_parents.to_string(),
            "level" => self.level.to_string(),
            "order" => word(self.cb_order),
            "cuts" => word(self.cuts),
            "stop" => word(self.cb_stop),
            _ => return None,
        })
    }
}

/// The smoothing that was named, with the constant that was given, else its own.
fn smoothing_of(settings: &Settings) -> Result<Smoothing> {
    let name = settings.text(SMOOTHING.name)?;
    let rule = SmoothingRule::named(name)
        .ok_or_else(|| Error::internal(format!("there is no smoothing {name}")))?;
    if !settings.given().contains(&ALPHA.name) {
        return Ok(rule.with_default());
    }
    if rule.alpha.is_none() {
        return Err(Error::usage(format!("smoothing={name} has no alpha"))
            .with_hint("Leave alpha out, or choose another smoothing."));
    }
    Ok(rule.with_alpha(settings.number(ALPHA.name)?))
}

#[cfg(test)]
mod tests {
    use super::super::model::MODELS;
    use super::*;
    use crate::separation::MODEL_SETTINGS;
    use crate::setting::SettingKind;

    #[test]
    fn the_defaults_are_those_that_the_models_describe() {
        for model in MODELS {
            let options = TrainOptions::new(model.kind);
            for setting in model.settings {
                let value = options.value_of(setting.name).unwrap();
                assert_eq!(value, setting.default, "{} of {}", setting.name, model.name);
                let text = format!("{}={value}", setting.name);
                let given = options.clone().with_settings([text.as_str()]).unwrap();
                assert_eq!(given, options);
            }
        }
    }

    #[test]
    fn every_word_of_every_setting_is_understood() {
        for model in MODELS {
            for setting in model.settings {
                let SettingKind::Choice(words) = setting.kind else {
                    continue;
                };
                for word in words {
                    let text = format!("{}={word}", setting.name);
                    let options = TrainOptions::new(model.kind).with_settings([text.as_str()]);
                    let value = options.unwrap().value_of(setting.name).unwrap();
                    assert_eq!(value, *word, "{} of {}", setting.name, model.name);
                }
            }
        }
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
        assert_eq!(options.value_of("covariance").unwrap(), "own");
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
        assert!(set(["alpha=2", "alpha=2"]).contains("alpha is given twice"));
        assert!(set(["parents=2.7", "alpha=1"]).contains("a whole number, 0 to 1000000"));
    }
}
