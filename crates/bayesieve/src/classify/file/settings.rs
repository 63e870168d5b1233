//! The settings of training, as words and numbers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::super::id3::Id3Cuts;
use super::super::model::ModelKind;
use super::super::options::{CbOrder, MAX_PARENTS, TrainOptions};
use super::broken;
use crate::network::{MAX_ALPHA, SmoothingRule};
use crate::separation::{MODEL_SETTINGS, SeparationOptions};
use crate::setting::{Setting, Settings, choice, word};
use crate::{Result, quoted};

#[derive(Serialize, Deserialize)]
pub(super) struct SettingsEntry {
    smoothing: String,
    alpha: f64,
    divisor: String,
    parents: usize,
    level: f64,
    stop: String,
    /// Of CB alone; by the tests where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    order: Option<String>,
    /// Of trees alone; by ratio where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cuts: Option<String>,
    /// Of the block model alone, each as it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    block: Option<BTreeMap<String, String>>,
}

impl SettingsEntry {
    pub(super) fn new(options: &TrainOptions) -> Self {
        let of_block = |setting: &Setting| {
            let value = options.block.value_of(setting.name)?;
            Some((setting.name.to_owned(), value))
        };
        SettingsEntry {
            smoothing: options.smoothing.rule().name.into(),
            alpha: options.smoothing.alpha(),
            divisor: word(options.divisor),
            parents: options.max_parents,
            level: options.level,
            stop: word(options.cb_stop),
            order: (options.model == ModelKind::Cb).then(|| word(options.cb_order)),
            cuts: (options.model == ModelKind::Id3).then(|| word(options.cuts)),
            block: (options.model == ModelKind::Block)
                .then(|| MODEL_SETTINGS.iter().filter_map(of_block).collect()),
        }
    }

    /// The settings of a model, each as `train` would have taken it.
    pub(super) fn read(&self, model: &str) -> Result<TrainOptions> {
        let model: ModelKind = model
            .parse()
            .map_err(|_| broken(format!("there is no model {}", quoted(model))))?;
        if !(0.0..=MAX_ALPHA).contains(&self.alpha) {
            return Err(broken("the smoothing constant is out of range"));
        }
        if !(0.0..=1.0).contains(&self.level) {
            return Err(broken("the level of the tests is out of range"));
        }
        if self.parents > MAX_PARENTS {
            return Err(broken("the most parents of a node are out of range"));
        }
        let rule = SmoothingRule::named(&self.smoothing)
            .ok_or_else(|| broken(format!("there is no smoothing {}", quoted(&self.smoothing))))?;
        Ok(TrainOptions {
            model,
            smoothing: rule.with_alpha(self.alpha),
            divisor: chosen("divisor", &self.divisor)?,
            max_parents: self.parents,
            level: self.level,
            cb_order: self
                .order
                .as_deref()
                .map_or(Ok(CbOrder::default()), |order| chosen("order", order))?,
            cuts: self
                .cuts
                .as_deref()
                .map_or(Ok(Id3Cuts::default()), |cuts| {
                    chosen("criterion of cuts", cuts)
                })?,
            cb_stop: chosen("stop", &self.stop)?,
            block: self.read_block(model)?,
        })
    }

    /// How blocks were made; of other models nothing is said.
    fn read_block(&self, model: ModelKind) -> Result<SeparationOptions> {
        match (&self.block, model) {
            (Some(settings), ModelKind::Block) => {
                if let Some(absent) = MODEL_SETTINGS
                    .iter()
                    .find(|setting| !settings.contains_key(setting.name))
                {
                    return Err(broken(format!("the setting {} is missing", absent.name)));
                }
                let texts = settings
                    .iter()
                    .map(|(name, value)| format!("{name}={value}"));
                let texts: Vec<String> = texts.collect();
                let texts = texts.iter().map(String::as_str);
                SeparationOptions::from_settings(&Settings::parse(MODEL_SETTINGS, texts)?)
            }
            (None, ModelKind::Block) => Err(broken("the settings of the blocks are missing")),
            (Some(_), other) => Err(broken(format!("a model {other} has no settings of blocks"))),
            (None, _) => Ok(SeparationOptions::default()),
        }
    }
}

fn chosen<'w, T: Deserialize<'w>>(what: &str, word: &'w str) -> Result<T> {
    choice(word).map_err(|_| broken(format!("there is no {what} {}", quoted(word))))
}
