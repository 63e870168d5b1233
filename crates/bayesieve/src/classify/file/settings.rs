//! The settings of training, as words and numbers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::super::gaussian::VarianceDivisor;
use super::super::id3::Id3Cuts;
use super::super::options::{CbOrder, CbStop, MOST_ALPHA, MOST_PARENTS, ModelKind, TrainOptions};
use super::broken;
use crate::network::Smoothing;
use crate::separation::{MODEL_SETTINGS, SeparationOptions};
use crate::setting;
use crate::{Result, quoted};

const DIVISORS: [(&str, VarianceDivisor); 2] = [
    ("n-1", VarianceDivisor::RowsLessOne),
    ("n", VarianceDivisor::Rows),
];

const ORDERS: [(&str, CbOrder); 2] = [
    ("tests", CbOrder::Tests),
    ("class-first", CbOrder::ClassFirst),
];

const CUTS: [(&str, Id3Cuts); 2] = [("ratio", Id3Cuts::Ratio), ("gain", Id3Cuts::Gain)];

const STOPS: [(&str, CbStop); 2] = [("accuracy", CbStop::Accuracy), ("score", CbStop::Score)];

#[derive(Serialize, Deserialize)]
pub(super) struct Settings {
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

impl Settings {
    pub(super) fn new(options: &TrainOptions) -> Self {
        let (smoothing, alpha) = match options.smoothing {
            Smoothing::MaximumLikelihood => ("ml", 0.0),
            Smoothing::Laplace(alpha) => ("laplace", alpha),
            Smoothing::Dirichlet(alpha) => ("dirichlet", alpha),
            Smoothing::MarginalMixing(alpha) => ("mixing", alpha),
        };
        Settings {
            smoothing: smoothing.into(),
            alpha,
            divisor: word(&DIVISORS, options.divisor).into(),
            parents: options.max_parents,
            level: options.level,
            stop: word(&STOPS, options.cb_stop).into(),
            order: (options.model == ModelKind::Cb).then(|| word(&ORDERS, options.cb_order).into()),
            cuts: (options.model == ModelKind::Id3).then(|| word(&CUTS, options.cuts).into()),
            block: (options.model == ModelKind::Block).then(|| {
                let names = MODEL_SETTINGS.iter().map(|setting| setting.name);
                names
                    .map(|name| (name.to_owned(), options.block.value_of(name)))
                    .collect()
            }),
        }
    }

    /// The settings of a model, each as `train` would have taken it.
    pub(super) fn read(&self, model: &str) -> Result<TrainOptions> {
        let model: ModelKind = model
            .parse()
            .map_err(|_| broken(format!("there is no model {}", quoted(model))))?;
        if !(0.0..=MOST_ALPHA).contains(&self.alpha) {
            return Err(broken("the smoothing constant is out of range"));
        }
        if !(0.0..=1.0).contains(&self.level) {
            return Err(broken("the level of the tests is out of range"));
        }
        if self.parents > MOST_PARENTS {
            return Err(broken("the most parents of a node are out of range"));
        }
        let smoothing = match self.smoothing.as_str() {
            "ml" => Smoothing::MaximumLikelihood,
            "laplace" => Smoothing::Laplace(self.alpha),
            "dirichlet" => Smoothing::Dirichlet(self.alpha),
            "mixing" => Smoothing::MarginalMixing(self.alpha),
            other => return Err(broken(format!("there is no smoothing {}", quoted(other)))),
        };
        Ok(TrainOptions {
            model,
            smoothing,
            divisor: meaning(&DIVISORS, "divisor", &self.divisor)?,
            max_parents: self.parents,
            level: self.level,
            cb_order: match &self.order {
                Some(order) => meaning(&ORDERS, "order", order)?,
                None => CbOrder::default(),
            },
            cuts: match &self.cuts {
                Some(cuts) => meaning(&CUTS, "criterion of cuts", cuts)?,
                None => Id3Cuts::default(),
            },
            cb_stop: meaning(&STOPS, "stop", &self.stop)?,
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
                SeparationOptions::from_settings(&setting::Settings::parse(MODEL_SETTINGS, texts)?)
            }
            (None, ModelKind::Block) => Err(broken("the settings of the blocks are missing")),
            (Some(_), other) => Err(broken(format!("a model {other} has no settings of blocks"))),
            (None, _) => Ok(SeparationOptions::default()),
        }
    }
}

fn word<T: PartialEq>(words: &[(&'static str, T)], value: T) -> &'static str {
    let found = words.iter().find(|(_, known)| *known == value);
    found.map_or("", |&(word, _)| word)
}

fn meaning<T: Copy>(words: &[(&str, T)], what: &str, text: &str) -> Result<T> {
    let found = words.iter().find(|(word, _)| *word == text);
    found
        .map(|&(_, value)| value)
        .ok_or_else(|| broken(format!("there is no {what} {}", quoted(text))))
}
