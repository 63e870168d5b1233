//! What there is to choose about blocks and their scores: one text for the method
//! `separation` and the model `block`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Result;
use crate::setting::{Setting, SettingKind, Settings, choice, word};

/// Whether classes share a covariance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Covariance {
    /// One for all classes: the discriminant is linear.
    #[default]
    Common,
    /// Each class has its own: the discriminant is quadratic.
    Own,
}

/// Whether distances are shrunk by what an estimated covariance makes them too large by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Correction {
    /// They are (Hotelling).
    #[default]
    On,
    /// Plain plug-in distances.
    Off,
}

/// Where the threshold of a block's score comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThresholdRule {
    /// Equation (22) of the paper: exact where few blocks tell little.
    #[default]
    Asymptotic,
    /// The threshold that makes the classifier best under the estimated distribution of true scores.
    Exact,
}

/// How the blocks of a classifier are weighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weighting {
    /// Every block counts as it is.
    #[default]
    None,
    /// Blocks below their threshold count nothing: equation (18).
    Threshold,
    /// Each by its score: equation (17).
    Optimal,
}

/// What is taken for the distribution of the true scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PriorKind {
    /// The most likely one, by expectation and maximization over a grid.
    #[default]
    Em,
    /// Every estimated score less its bias, with equal mass: crude.
    PlugIn,
    /// Uniform from 0, of the mean that the scores have.
    Uniform,
    /// Chi-square of the mean that the scores have.
    ChiSquare,
}

/// Which features make a block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum BlockSource {
    /// Features that depend on each other given the class, found in the data.
    #[default]
    Found,
    /// A JSON file: a list of lists of names.
    File(PathBuf),
    /// The same, as a text of its own.
    Given(String),
}

/// How blocks are made, scored and weighed.
#[derive(Debug, Clone, PartialEq)]
pub struct SeparationOptions {
    /// Which features make a block.
    pub blocks: BlockSource,
    /// Most features of a block that is found.
    pub block_size: usize,
    /// Level of the test that two features of a block depend on each other.
    pub level: f64,
    /// Whether classes share a covariance.
    pub covariance: Covariance,
    /// Whether distances are corrected.
    pub correction: Correction,
    /// Where thresholds come from.
    pub threshold: ThresholdRule,
    /// How blocks are weighted.
    pub weights: Weighting,
    /// What is taken for the distribution of the true scores.
    pub prior: PriorKind,
}

/// The word for blocks that are found.
const FOUND: &str = "found";

const BLOCKS: Setting = Setting {
    name: "blocks",
    default: FOUND,
    kind: SettingKind::WordOrFile { word: FOUND },
    meaning: "which features make a block: found in the data, or a list of lists of names, as JSON \
              or in a JSON file; features that it does not name are blocks of one",
};

const BLOCK_SIZE: Setting = Setting {
    name: "block_size",
    default: "12",
    kind: SettingKind::Integer { min: 1, max: 1000 },
    meaning: "most features of a block that is found; fewer where there are few rows",
};

const LEVEL: Setting = Setting {
    name: "level",
    default: "0.05",
    kind: SettingKind::Number { min: 0.0, max: 1.0 },
    meaning: "features join a block where the test that they depend on each other has p below this",
};

const COVARIANCE: Setting = Setting {
    name: "covariance",
    default: "common",
    kind: SettingKind::Choice(&["common", "own"]),
    meaning: "whether classes share a covariance or have their own",
};

const CORRECTION: Setting = Setting {
    name: "correction",
    default: "on",
    kind: SettingKind::Choice(&["on", "off"]),
    meaning: "shrink distances by what an estimated covariance makes them too large by",
};

const THRESHOLD: Setting = Setting {
    name: "threshold",
    default: "asymptotic",
    kind: SettingKind::Choice(&["asymptotic", "exact"]),
    meaning: "what a block must score: equation (22), or the best threshold under the estimated \
              law of true scores",
};

const PRIOR: Setting = Setting {
    name: "prior",
    default: "em",
    kind: SettingKind::Choice(&["em", "plug-in", "uniform", "chi-square"]),
    meaning: "what is taken for the law of the true scores where the threshold is exact or the \
              weights are optimal: em estimates it, plug-in takes the scores less their bias, \
              uniform and chi-square have the mean of the scores",
};

/// All settings, with the weights that blocks may have.
const fn with_weights(weights: Setting) -> [Setting; 8] {
    [
        BLOCKS, BLOCK_SIZE, LEVEL, COVARIANCE, CORRECTION, THRESHOLD, weights, PRIOR,
    ]
}

/// The settings of the method.
pub const METHOD_SETTINGS: &[Setting] = &with_weights(Setting {
    name: "weights",
    default: "none",
    kind: SettingKind::Choice(&["none", "optimal"]),
    meaning: "what a kept block counts in a classifier: as it is, or by its score",
});

/// The settings of the model.
pub const MODEL_SETTINGS: &[Setting] = &with_weights(Setting {
    name: "weights",
    default: "none",
    kind: SettingKind::Choice(&["none", "threshold", "optimal"]),
    meaning: "what a block counts: as it is, nothing below its threshold, or by its score",
});

impl Default for SeparationOptions {
    fn default() -> Self {
        SeparationOptions {
            blocks: BlockSource::Found,
            block_size: 12,
            level: 0.05,
            covariance: Covariance::default(),
            correction: Correction::default(),
            threshold: ThresholdRule::default(),
            weights: Weighting::default(),
            prior: PriorKind::default(),
        }
    }
}

impl SeparationOptions {
    /// Takes settings that were checked against [`METHOD_SETTINGS`] or [`MODEL_SETTINGS`].
    ///
    /// # Errors
    /// Settings of something else.
    ///
    /// # Example
    /// ```
    /// use bayesieve::separation::{Covariance, MODEL_SETTINGS, SeparationOptions};
    /// use bayesieve::setting::Settings;
    ///
    /// let settings = Settings::parse(MODEL_SETTINGS, ["covariance=own"])?;
    /// let options = SeparationOptions::from_settings(&settings)?;
    /// assert_eq!(options.covariance, Covariance::Own);
    /// assert_eq!(options.value_of("covariance").as_deref(), Some("own"));
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn from_settings(settings: &Settings) -> Result<Self> {
        Ok(SeparationOptions {
            blocks: match settings.text(BLOCKS.name)? {
                FOUND => BlockSource::Found,
                text if text.starts_with('[') => BlockSource::Given(text.to_owned()),
                file => BlockSource::File(file.into()),
            },
            block_size: settings.integer(BLOCK_SIZE.name)?,
            level: settings.number(LEVEL.name)?,
            covariance: choice(settings.text(COVARIANCE.name)?)?,
            correction: choice(settings.text(CORRECTION.name)?)?,
            threshold: choice(settings.text(THRESHOLD.name)?)?,
            weights: choice(settings.text("weights")?)?,
            prior: choice(settings.text(PRIOR.name)?)?,
        })
    }

    /// The value of a setting, as it is written; `None` where there is no such setting.
    pub fn value_of(&self, setting: &str) -> Option<String> {
        Some(match setting {
            "blocks" => match &self.blocks {
                BlockSource::Found => FOUND.to_owned(),
                BlockSource::File(file) => file.to_string_lossy().into_owned(),
                BlockSource::Given(text) => text.clone(),
            },
            "block_size" => self.block_size.to_string(),
            "level" => self.level.to_string(),
            "covariance" => word(self.covariance),
            "correction" => word(self.correction),
            "threshold" => word(self.threshold),
            "weights" => word(self.weights),
            "prior" => word(self.prior),
            _ => return None,
        })
    }

    /// The file that says which features make a block.
    pub fn file(&self) -> Option<&Path> {
        match &self.blocks {
            BlockSource::Found | BlockSource::Given(_) => None,
            BlockSource::File(file) => Some(file),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_the_settings() {
        for known in [METHOD_SETTINGS, MODEL_SETTINGS] {
            let settings = Settings::parse(known, []).unwrap();
            let options = SeparationOptions::from_settings(&settings).unwrap();
            assert_eq!(options, SeparationOptions::default());
            for (name, value) in settings.iter() {
                assert_eq!(options.value_of(name).as_deref(), Some(value), "{name}");
            }
        }
    }

    #[test]
    fn every_value_of_every_setting_is_understood() {
        for setting in MODEL_SETTINGS {
            let SettingKind::Choice(words) = setting.kind else {
                continue;
            };
            for word in words {
                let text = format!("{}={word}", setting.name);
                let settings = Settings::parse(MODEL_SETTINGS, [text.as_str()]).unwrap();
                let options = SeparationOptions::from_settings(&settings).unwrap();
                assert_eq!(options.value_of(setting.name).as_deref(), Some(*word));
            }
        }
        let file = Settings::parse(MODEL_SETTINGS, ["blocks=my.json"]).unwrap();
        let options = SeparationOptions::from_settings(&file).unwrap();
        assert_eq!(options.file(), Some(Path::new("my.json")));
    }
}
