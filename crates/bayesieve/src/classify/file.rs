//! Model files: JSON with the structure and the counts, checked when read.
//!
//! A file holds counts, not probabilities, so that a model read back is the model that was
//! written, to the last bit, and another smoothing can be tried without the data.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::classifier::{Classifier, Trained};
use super::coding::{CodedFeature, Coding};
use super::counts_entry::CountsEntry;
use super::gaussian::{Gaussian, VarianceDivisor};
use super::id3::Id3;
use super::network_model::NetworkModel;
use super::options::{CbStop, ModelKind, TrainOptions};
use crate::data::{CutPoints, Domain, write_whole};
use crate::error::{Error, Result, quoted};
use crate::network::{Dag, Smoothing, Variable};

/// The schema that this version writes and reads.
const SCHEMA: &str = "bayesieve.model.v1";

#[derive(Serialize, Deserialize)]
struct File {
    schema: String,
    version: String,
    model: String,
    settings: Settings,
    class: ClassEntry,
    features: Vec<FeatureEntry>,
    missing: String,
    unseen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<NetworkEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<Id3>,
    #[serde(default)]
    selection: Value,
}

#[derive(Serialize, Deserialize)]
struct Settings {
    smoothing: String,
    alpha: f64,
    divisor: String,
    parents: usize,
    level: f64,
    stop: String,
}

#[derive(Serialize, Deserialize)]
struct ClassEntry {
    name: String,
    labels: Vec<String>,
    counts: Vec<u64>,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum FeatureEntry {
    Nominal {
        name: String,
        labels: Vec<String>,
        missing_value: bool,
    },
    Binned {
        name: String,
        cut_points: Vec<f64>,
        missing_value: bool,
    },
    Numeric {
        name: String,
    },
}

#[derive(Serialize, Deserialize)]
struct NetworkEntry {
    nodes: Vec<NodeEntry>,
    gaussians: Vec<GaussianEntry>,
}

#[derive(Serialize, Deserialize)]
struct NodeEntry {
    name: String,
    parents: Vec<String>,
    #[serde(flatten)]
    counts: CountsEntry,
}

#[derive(Serialize, Deserialize)]
struct GaussianEntry {
    name: String,
    means: Vec<f64>,
    variances: Vec<f64>,
}

impl Classifier {
    /// The model as a JSON document.
    ///
    /// # Errors
    /// None that a trained model could cause.
    pub fn to_json(&self, selection: Value) -> Result<String> {
        let file = File {
            schema: SCHEMA.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            model: self.options.model.name().into(),
            settings: settings_entry(&self.options),
            class: ClassEntry {
                name: self.class_name.clone(),
                labels: self.class_labels.clone(),
                counts: self.class_counts.clone(),
            },
            features: self.features.iter().map(feature_entry).collect(),
            missing: format!(
                "a value of its own where training had gaps, else {}",
                self.fate()
            ),
            unseen: self.fate().into(),
            network: match &self.trained {
                Trained::Network(model) => Some(self.network_entry(model)),
                Trained::Tree(_) => None,
            },
            tree: match &self.trained {
                Trained::Tree(tree) => Some(tree.clone()),
                Trained::Network(_) => None,
            },
            selection,
        };
        serde_json::to_string_pretty(&file)
            .map(|text| text + "\n")
            .map_err(|error| Error::internal(format!("a model is no JSON: {error}")))
    }

    /// Writes the model to a file, whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path, selection: Value) -> Result<()> {
        let text = self.to_json(selection)?;
        write_whole(path, |out| out.write_all(text.as_bytes()))
    }

    /// Reads a model from a file.
    ///
    /// # Errors
    /// A file that is absent, no model, of a newer schema, or broken.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            let error = match error.kind() {
                std::io::ErrorKind::NotFound => Error::data("there is no such file"),
                _ => Error::data("the model cannot be read").with_source(error),
            };
            error.in_file(path)
        })?;
        Classifier::from_json(&text).map_err(|error| error.in_file(path))
    }

    /// Reads a model from a JSON document.
    ///
    /// # Errors
    /// A document that is no model, of a newer schema, or broken.
    pub fn from_json(text: &str) -> Result<Self> {
        check_schema(text)?;
        let file: File = serde_json::from_str(text)
            .map_err(|error| broken(&format!("the model file is broken: {error}")))?;
        let options = read_settings(&file)?;
        let features: Vec<CodedFeature> = file
            .features
            .iter()
            .map(read_feature)
            .collect::<Result<_>>()?;
        let n_classes = file.class.labels.len();
        if n_classes < 2 || file.class.counts.len() != n_classes {
            return Err(broken(
                "the model file's classes and their counts do not fit",
            ));
        }
        let trained = match (file.network, file.tree) {
            (Some(entry), None) => {
                let model = read_network(&entry, &features, &file.class, options.smoothing)?;
                if model.class_counts() != file.class.counts {
                    return Err(broken(
                        "the model file's class counts are not those of its class node",
                    ));
                }
                let n_numbers = features
                    .iter()
                    .filter(|f| f.coding == Coding::Numbers)
                    .count();
                if model.gaussians.len() != n_numbers {
                    return Err(broken(
                        "the model file's means are not those of its numeric features",
                    ));
                }
                Trained::Network(Box::new(model))
            }
            (None, Some(tree)) => {
                let kinds: Vec<Option<usize>> = features.iter().map(tree_kind).collect();
                tree.check_whole(&kinds, n_classes)?;
                Trained::Tree(tree)
            }
            _ => {
                return Err(broken(
                    "the model file holds neither one network nor one tree",
                ));
            }
        };
        Ok(Classifier {
            class_name: file.class.name,
            class_labels: file.class.labels,
            class_counts: file.class.counts,
            features,
            options,
            trained,
        })
    }

    /// What happens to cells that training did not see.
    fn fate(&self) -> &'static str {
        match self.trained {
            Trained::Network(_) => "summed out",
            Trained::Tree(_) => "sent down the largest branch",
        }
    }

    fn network_entry(&self, model: &NetworkModel) -> NetworkEntry {
        let network = model.network();
        let name = |node: usize| network.variables()[node].name.clone();
        let nodes = model.families.iter().enumerate().map(|(node, family)| {
            let parents = network
                .dag()
                .parents(node)
                .iter()
                .map(|&parent| name(parent))
                .collect();
            NodeEntry {
                name: name(node),
                parents,
                counts: CountsEntry::new(family),
            }
        });
        let gaussians = model.gaussians.iter().map(|gaussian| GaussianEntry {
            name: self.features[gaussian.feature].name.clone(),
            means: gaussian.means.clone(),
            variances: gaussian.variances.clone(),
        });
        NetworkEntry {
            nodes: nodes.collect(),
            gaussians: gaussians.collect(),
        }
    }
}

/// Number of codes of a column that a tree reads, `None` for numbers.
fn tree_kind(feature: &CodedFeature) -> Option<usize> {
    (feature.coding != Coding::Numbers).then(|| feature.n_values())
}

fn broken(message: &str) -> Error {
    Error::data(message).with_hint("Train the model again.")
}

/// A file of another schema gets a message of its own before its content is looked at.
fn check_schema(text: &str) -> Result<()> {
    let document: Value = serde_json::from_str(text)
        .map_err(|error| broken(&format!("this is no model file: {error}")))?;
    match document.get("schema").and_then(Value::as_str) {
        Some(SCHEMA) => Ok(()),
        Some(other) if other.starts_with("bayesieve.model.") => Err(Error::data(format!(
            "the model file has schema {}, this version reads {SCHEMA}",
            quoted(other)
        ))
        .with_hint("Use the version that wrote it, or a newer one.")),
        Some(other) => Err(
            Error::data(format!("this is no model file but {}", quoted(other)))
                .with_hint("Give the file that `train` wrote."),
        ),
        None => Err(Error::data("this is no model file: it names no schema")
            .with_hint("Give the file that `train` wrote.")),
    }
}

fn settings_entry(options: &TrainOptions) -> Settings {
    let (smoothing, alpha) = match options.smoothing {
        Smoothing::MaximumLikelihood => ("ml", 0.0),
        Smoothing::Laplace(alpha) => ("laplace", alpha),
        Smoothing::Dirichlet(alpha) => ("dirichlet", alpha),
        Smoothing::MarginalMixing(alpha) => ("mixing", alpha),
    };
    Settings {
        smoothing: smoothing.into(),
        alpha,
        divisor: match options.divisor {
            VarianceDivisor::Rows => "n".into(),
            VarianceDivisor::RowsLessOne => "n-1".into(),
        },
        parents: options.max_parents,
        level: options.level,
        stop: match options.cb_stop {
            CbStop::Accuracy => "accuracy".into(),
            CbStop::Score => "score".into(),
        },
    }
}

fn read_settings(file: &File) -> Result<TrainOptions> {
    let model: ModelKind = file
        .model
        .parse()
        .map_err(|_| broken(&format!("there is no model {}", quoted(&file.model))))?;
    let settings = &file.settings;
    let mut options = TrainOptions::new(model);
    if !(settings.alpha >= 0.0 && settings.alpha.is_finite()) {
        return Err(broken("the model file's smoothing constant is no good"));
    }
    options.smoothing = match settings.smoothing.as_str() {
        "ml" => Smoothing::MaximumLikelihood,
        "laplace" => Smoothing::Laplace(settings.alpha),
        "dirichlet" => Smoothing::Dirichlet(settings.alpha),
        "mixing" => Smoothing::MarginalMixing(settings.alpha),
        other => return Err(broken(&format!("there is no smoothing {}", quoted(other)))),
    };
    options.divisor = if settings.divisor == "n" {
        VarianceDivisor::Rows
    } else {
        VarianceDivisor::RowsLessOne
    };
    options.cb_stop = if settings.stop == "score" {
        CbStop::Score
    } else {
        CbStop::Accuracy
    };
    options.max_parents = settings.parents;
    options.level = settings.level;
    Ok(options)
}

fn feature_entry(feature: &CodedFeature) -> FeatureEntry {
    let name = feature.name.clone();
    match &feature.coding {
        Coding::Labels(domain) => FeatureEntry::Nominal {
            name,
            labels: domain.labels().to_vec(),
            missing_value: domain.has_missing_value(),
        },
        Coding::Bins {
            cuts,
            has_missing_value,
        } => FeatureEntry::Binned {
            name,
            cut_points: cuts.as_slice().to_vec(),
            missing_value: *has_missing_value,
        },
        Coding::Numbers => FeatureEntry::Numeric { name },
    }
}

fn read_feature(entry: &FeatureEntry) -> Result<CodedFeature> {
    let (name, coding) = match entry {
        FeatureEntry::Nominal {
            name,
            labels,
            missing_value,
        } => {
            let domain = Domain::ordered(labels.clone());
            let domain = if *missing_value {
                domain.with_missing_value()
            } else {
                domain
            };
            (name, Coding::Labels(domain))
        }
        FeatureEntry::Binned {
            name,
            cut_points,
            missing_value,
        } => {
            let cuts = CutPoints::new(cut_points.clone())
                .map_err(|_| broken("the model file's cut points do not rise").in_column(name))?;
            (
                name,
                Coding::Bins {
                    cuts,
                    has_missing_value: *missing_value,
                },
            )
        }
        FeatureEntry::Numeric { name } => (name, Coding::Numbers),
    };
    Ok(CodedFeature {
        name: name.clone(),
        coding,
    })
}

fn read_network(
    entry: &NetworkEntry,
    features: &[CodedFeature],
    class: &ClassEntry,
    smoothing: Smoothing,
) -> Result<NetworkModel> {
    let mut variables: Vec<Variable> = features
        .iter()
        .filter(|feature| feature.coding != Coding::Numbers)
        .map(|feature| Variable {
            name: feature.name.clone(),
            states: feature.state_names(),
        })
        .collect();
    variables.push(Variable {
        name: class.name.clone(),
        states: class.labels.clone(),
    });
    if variables.len() != entry.nodes.len() {
        return Err(broken(
            "the model file's nodes are not its features and the class",
        ));
    }
    let mut dag = Dag::new(variables.len());
    let mut families = Vec::new();
    for (node, (variable, entry)) in variables.iter().zip(&entry.nodes).enumerate() {
        if variable.name != entry.name {
            return Err(broken(
                "the model file's nodes are in another order than its features",
            ));
        }
        for parent in &entry.parents {
            let from = variables
                .iter()
                .position(|variable| variable.name == *parent);
            let from = from.ok_or_else(|| {
                broken(&format!("a parent {} is no node", quoted(parent))).in_column(&entry.name)
            })?;
            dag.add_arc(from, node)
                .map_err(|error| error.in_column(&entry.name))?;
        }
    }
    for (node, entry) in entry.nodes.iter().enumerate() {
        let parents: Vec<usize> = dag
            .parents(node)
            .iter()
            .map(|&parent| variables[parent].states.len())
            .collect();
        let family = entry.counts.read(variables[node].states.len(), parents);
        families.push(family.map_err(|error| error.in_column(&entry.name))?);
    }
    let gaussians = entry
        .gaussians
        .iter()
        .map(|g| read_gaussian(g, features, class))
        .collect::<Result<_>>()?;
    NetworkModel::from_counts(variables, dag, families, smoothing, gaussians)
}

fn read_gaussian(
    entry: &GaussianEntry,
    features: &[CodedFeature],
    class: &ClassEntry,
) -> Result<Gaussian> {
    let is_it =
        |feature: &CodedFeature| feature.name == entry.name && feature.coding == Coding::Numbers;
    let feature = features.iter().position(is_it);
    let n = class.labels.len();
    let is_right = entry.means.len() == n
        && entry.variances.len() == n
        && entry.variances.iter().all(|v| *v > 0.0 && v.is_finite());
    match feature {
        Some(feature) if is_right => Ok(Gaussian {
            feature,
            means: entry.means.clone(),
            variances: entry.variances.clone(),
        }),
        _ => Err(broken("the model file's means and variances do not fit").in_column(&entry.name)),
    }
}
