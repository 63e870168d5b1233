//! Model files: JSON with the structure and the counts, checked when read.
//!
//! A file holds counts, not probabilities, so that a model read back is the model that was
//! written, to the last bit, and another smoothing can be tried without the data. A file is
//! trusted no more than any other input: what training could not have written is refused.

mod blocks;
mod features;
mod network;
mod settings;

use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::features::{ClassEntry, FeatureEntry, read_features};
use self::network::NetworkEntry;
use self::settings::SettingsEntry;
use super::classifier::{Classifier, Trained};
use super::coding::{CodedFeature, Coding};
use super::id3::Id3;
use super::model::{Learner, NumberUse};
use super::options::TrainOptions;
use super::prediction::by_size;
use crate::data::write_whole;
use crate::network::Variable;
use crate::{Error, ErrorKind, Result, quoted};

/// The schema that this version writes and reads.
const SCHEMA: &str = "bayesieve.model.v1";

/// What every schema of model files begins with.
const SCHEMA_FAMILY: &str = "bayesieve.model.";

/// Bytes of a file in which its schema must be found to call it a model.
const SCHEMA_BYTES: u64 = 4_096;

/// The way out of a broken file.
const AGAIN: &str = "Train the model again.";

/// The way out for whoever gave another file.
const OTHER_FILE: &str = "Give the file that `train` wrote.";

#[derive(Serialize, Deserialize)]
struct File {
    schema: String,
    version: String,
    model: String,
    settings: SettingsEntry,
    class: ClassEntry,
    features: Vec<FeatureEntry>,
    missing: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing_cells: Option<Vec<String>>,
    unseen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<NetworkEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<Id3>,
    #[serde(default)]
    selection: Value,
}

impl Classifier {
    /// The model as a JSON document, with the selection that led to it.
    ///
    /// # Errors
    /// None that a trained model could cause.
    pub fn to_json(&self) -> Result<String> {
        let fate = match self.trained {
            Trained::Network(_) => "summed out",
            Trained::Tree(_) => "sent down the largest branch",
        };
        let file = File {
            schema: SCHEMA.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            model: self.options.model.name().into(),
            settings: SettingsEntry::new(&self.options),
            class: ClassEntry {
                name: self.class_name.clone(),
                labels: self.class_labels.clone(),
                counts: self.class_counts.clone(),
            },
            features: self.features.iter().map(FeatureEntry::new).collect(),
            missing: match self.options.model.model().numbers {
                NumberUse::Plain => {
                    format!("a label of its own where training had gaps, else {fate}")
                }
                NumberUse::Binned | NumberUse::Either => {
                    format!("a value of its own where training had gaps, else {fate}")
                }
            },
            missing_cells: self.missing_cells.clone(),
            unseen: fate.into(),
            network: match &self.trained {
                Trained::Network(model) => {
                    Some(NetworkEntry::new(model, &self.features, &self.class_labels))
                }
                Trained::Tree(_) => None,
            },
            tree: match &self.trained {
                Trained::Tree(tree) => Some(tree.clone()),
                Trained::Network(_) => None,
            },
            selection: self.selection.clone(),
        };
        serde_json::to_string_pretty(&file)
            .map(|text| text + "\n")
            .map_err(|error| Error::internal(format!("a model is no JSON: {error}")))
    }

    /// Writes the model to a file, whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = self.to_json()?;
        write_whole(path, |out| out.write_all(text.as_bytes()))
    }

    /// Reads a model from a file.
    ///
    /// # Errors
    /// A file that is absent, no model, of a newer schema, or broken.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|error| {
            let error = Error::unreadable(error);
            error.with_hint(OTHER_FILE).in_file(path)
        })?;
        std::str::from_utf8(&bytes)
            .map_err(|_| Error::data("this is no model file: it is no text").with_hint(OTHER_FILE))
            .and_then(Classifier::from_json)
            .map_err(|error| error.in_file(path))
    }

    /// Whether a file calls itself a model, whole or broken.
    ///
    /// # Example
    /// ```
    /// use bayesieve::classify::Classifier;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("data.csv");
    /// std::fs::write(&path, "age,class\n7,young\n")?;
    /// assert!(!Classifier::is_model_file(&path));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_model_file(path: &Path) -> bool {
        let mut start = Vec::new();
        let is_read = std::fs::File::open(path)
            .and_then(|file| file.take(SCHEMA_BYTES).read_to_end(&mut start))
            .is_ok();
        let start = String::from_utf8_lossy(&start);
        is_read && start.trim_start().starts_with('{') && start.contains(SCHEMA_FAMILY)
    }

    /// Reads a model from a JSON document.
    ///
    /// # Errors
    /// A document that is no model, of a newer schema, or broken.
    pub fn from_json(text: &str) -> Result<Self> {
        check_schema(text)?;
        let file: File = serde_json::from_str(text)
            .map_err(|error| broken(format!("the model file is broken: {error}")))?;
        // What a file holds is never a defect of this crate.
        file.into_classifier().map_err(|error| match error.kind() {
            ErrorKind::Data => error.with_hint(AGAIN),
            // It may end with a way out of its own.
            _ => broken(error.to_string().trim_end_matches('.')),
        })
    }
}

impl File {
    fn into_classifier(self) -> Result<Classifier> {
        let options = self.settings.read(&self.model)?;
        self.class.check()?;
        let features = read_features(&self.features, &self.class.name)?;
        let trained = self.read_trained(&features, &options)?;
        Ok(Classifier {
            class_name: self.class.name,
            class_labels: self.class.labels,
            class_order: by_size(&self.class.counts),
            class_counts: self.class.counts,
            features,
            options,
            trained,
            notes: Vec::new(),
            missing_cells: self.missing_cells,
            selection: self.selection,
        })
    }

    fn read_trained(&self, features: &[CodedFeature], options: &TrainOptions) -> Result<Trained> {
        match (&options.model.model().learner, &self.network, &self.tree) {
            (Learner::Tree, None, Some(tree)) => {
                let kinds: Vec<Option<usize>> = features.iter().map(tree_kind).collect();
                tree.check_whole(&kinds, &self.class.counts)?;
                Ok(Trained::Tree(tree.clone()))
            }
            (Learner::Network(learner), Some(network), None) => {
                let context = FileContext {
                    features,
                    class: &self.class,
                    options,
                };
                let model = network.read(learner, &context)?;
                Ok(Trained::Network(Box::new(model)))
            }
            (learner, _, _) => {
                let wanted = match learner {
                    Learner::Tree => "one tree and no network",
                    Learner::Network(_) => "one network and no tree",
                };
                Err(broken(format!("a model {} has {wanted}", options.model)))
            }
        }
    }
}

/// What the parts of a file are checked against.
#[derive(Clone, Copy)]
struct FileContext<'a> {
    features: &'a [CodedFeature],
    class: &'a ClassEntry,
    options: &'a TrainOptions,
}

impl FileContext<'_> {
    /// Positions of the features that are numbers.
    fn numbers(&self) -> impl Iterator<Item = usize> {
        let is_number = |&feature: &usize| self.features[feature].coding == Coding::Numbers;
        (0..self.features.len()).filter(is_number)
    }

    /// The nodes: the coded features in order, then the class.
    fn variables(&self) -> Vec<Variable> {
        let coded = self.features.iter().filter_map(CodedFeature::variable);
        let class = Variable {
            name: self.class.name.clone(),
            states: self.class.labels.clone(),
        };
        coded.chain([class]).collect()
    }
}

/// Number of codes of a column that a tree reads, `None` for numbers.
fn tree_kind(feature: &CodedFeature) -> Option<usize> {
    (feature.coding != Coding::Numbers).then(|| feature.n_values())
}

fn broken(message: impl Into<String>) -> Error {
    Error::data(message).with_hint(AGAIN)
}

/// A file of another schema gets a message of its own before its content is looked at.
fn check_schema(text: &str) -> Result<()> {
    #[derive(Deserialize)]
    struct Head {
        schema: Option<Value>,
    }
    let other = |message: String| Err(Error::data(message).with_hint(OTHER_FILE));
    let head: Head = match serde_json::from_str(text) {
        Ok(head) => head,
        Err(error) => return other(format!("this is no model file: {error}")),
    };
    match head.schema.as_ref().and_then(Value::as_str) {
        Some(SCHEMA) => Ok(()),
        Some(schema) if schema.starts_with(SCHEMA_FAMILY) => Err(Error::data(format!(
            "the model file has schema {}, this version reads {SCHEMA}",
            quoted(schema)
        ))
        .with_hint("Use the version that wrote it, or a newer one.")),
        Some(schema) => other(format!("this is no model file but {}", quoted(schema))),
        None => other("this is no model file: it names no schema".into()),
    }
}
