//! The network of a model: every node's parents and counts, the numbers' moments and blocks.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::super::coding::CodedFeature;
use super::super::counts_entry::CountsEntry;
use super::super::gaussian::Gaussian;
use super::super::model::{GraphShape, NetworkLearner, NumberUse};
use super::super::network_model::NetworkModel;
use super::blocks::BlocksEntry;
use super::{AGAIN, FileContext, broken};
use crate::network::{Dag, FamilyCounts, Variable};
use crate::{Error, Result, quoted};

#[derive(Serialize, Deserialize)]
pub(super) struct NetworkEntry {
    nodes: Vec<NodeEntry>,
    gaussians: Vec<GaussianEntry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    blocks: Option<BlocksEntry>,
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

impl NetworkEntry {
    pub(super) fn new(
        model: &NetworkModel,
        features: &[CodedFeature],
        class_labels: &[String],
    ) -> Self {
        let network = model.network();
        let name = |node: usize| network.variables()[node].name.clone();
        let nodes = model.families.iter().enumerate().map(|(node, family)| {
            let parents = network.dag().parents(node).iter();
            NodeEntry {
                name: name(node),
                parents: parents.map(|&parent| name(parent)).collect(),
                counts: CountsEntry::new(family),
            }
        });
        let gaussians = model.gaussians.iter().map(|gaussian| GaussianEntry {
            name: features[gaussian.feature].name.clone(),
            means: gaussian.means.clone(),
            variances: gaussian.variances.clone(),
        });
        NetworkEntry {
            nodes: nodes.collect(),
            gaussians: gaussians.collect(),
            blocks: model
                .blocks
                .as_ref()
                .map(|blocks| BlocksEntry::new(blocks, features, class_labels)),
        }
    }

    /// The model of the features and the class of a file, if training could have made it.
    pub(super) fn read(
        &self,
        learner: &NetworkLearner,
        context: &FileContext<'_>,
    ) -> Result<NetworkModel> {
        let FileContext { class, options, .. } = *context;
        let variables = context.variables();
        self.check_nodes(&variables)?;
        let dag = self.read_dag()?;
        check_shape(&dag, learner.shape, options.max_parents).map_err(|(node, what)| {
            let what = format!("{what}, but the model is said to be {}", options.model);
            broken(what).in_column(&variables[node].name)
        })?;
        let families = self.read_families(&variables, &dag, class.n_rows())?;
        let gaussians = self.read_gaussians(context)?;
        let model =
            NetworkModel::from_counts(variables, dag, families, options.smoothing, gaussians)?;
        if model.class_counts() != class.counts {
            let what = "the class counts are not those of the class's node";
            return Err(broken(what).in_column(&class.name));
        }
        match (&self.blocks, options.model.model().numbers) {
            (Some(blocks), NumberUse::Plain) => Ok(model.with_blocks(blocks.read(context)?)),
            (None, NumberUse::Plain) => Err(broken("the blocks are missing")),
            (Some(_), _) => Err(broken(format!("a model {} has no blocks", options.model))),
            (None, _) => Ok(model),
        }
    }

    /// Refuses nodes that are not the coded features in order, then the class.
    fn check_nodes(&self, variables: &[Variable]) -> Result<()> {
        if variables.len() != self.nodes.len() {
            return Err(broken("the nodes are not the features and the class"));
        }
        let mut pairs = variables.iter().zip(&self.nodes);
        match pairs.find(|(variable, entry)| variable.name != entry.name) {
            Some((_, entry)) => {
                Err(broken("the nodes are in another order than the features")
                    .in_column(&entry.name))
            }
            None => Ok(()),
        }
    }

    fn read_dag(&self) -> Result<Dag> {
        let names = self.nodes.iter().map(|node| node.name.as_str());
        let places: HashMap<&str, usize> = names.zip(0..).collect();
        let parents = |entry: &NodeEntry| {
            let place = |name: &String| {
                places.get(name.as_str()).copied().ok_or_else(|| {
                    broken(format!("the parent {} is no node", quoted(name))).in_column(&entry.name)
                })
            };
            let parents: Vec<usize> = entry.parents.iter().map(place).collect::<Result<_>>()?;
            // The values of a combination stand in the order of the nodes; under parents in
            // another order they would mean other cells.
            if !parents.is_sorted_by(|a, b| a < b) {
                let what = "the parents stand twice or in another order than the nodes";
                return Err(broken(what).in_column(&entry.name));
            }
            Ok(parents)
        };
        Dag::from_parents(self.nodes.iter().map(parents).collect::<Result<_>>()?)
    }

    fn read_families(
        &self,
        variables: &[Variable],
        dag: &Dag,
        n_rows: u64,
    ) -> Result<Vec<FamilyCounts>> {
        let n_states = |node: usize| variables[node].states.len();
        let read = |(node, entry): (usize, &NodeEntry)| {
            let parents = dag.parents(node).iter().map(|&parent| n_states(parent));
            let family = entry.counts.read(n_states(node), parents.collect());
            let family = family.map_err(|error| error.with_hint(AGAIN))?;
            let total = family
                .iter()
                .flat_map(|(_, cells)| cells)
                .try_fold(0u64, |sum, &(_, n)| sum.checked_add(n));
            match total {
                Some(total) if total <= n_rows => Ok(family),
                _ => Err(broken("the node counts more rows than there are")),
            }
        };
        let nodes = self.nodes.iter().enumerate();
        nodes
            .map(|(node, entry)| read((node, entry)).map_err(|error| error.in_column(&entry.name)))
            .collect()
    }

    /// The moments of every feature of numbers, once each; of none where these are in blocks.
    fn read_gaussians(&self, context: &FileContext<'_>) -> Result<Vec<Gaussian>> {
        let model = context.options.model;
        match (model.model().numbers, self.gaussians.first()) {
            (NumberUse::Plain, None) => return Ok(Vec::new()),
            (NumberUse::Plain, Some(entry)) => {
                let what = "numbers in blocks have no variances of their own";
                return Err(broken(what).in_column(&entry.name));
            }
            (NumberUse::Either | NumberUse::Binned, _) => {}
        }
        let mut of_feature = vec![None; context.features.len()];
        for entry in &self.gaussians {
            let gaussian = entry
                .read(context)
                .map_err(|error| error.in_column(&entry.name))?;
            if of_feature[gaussian.feature].replace(gaussian).is_some() {
                return Err(broken("means and variances stand there twice").in_column(&entry.name));
            }
        }
        let in_column =
            |error: Error, feature: usize| Err(error.in_column(&context.features[feature].name));
        if let Some(feature) = context.numbers().find(|&f| of_feature[f].is_none()) {
            return in_column(broken("means and variances are missing"), feature);
        }
        let gaussians: Vec<Gaussian> = of_feature.into_iter().flatten().collect();
        match (model.model().numbers, &gaussians[..]) {
            (NumberUse::Binned, [first, ..]) => {
                let what = format!("numbers are not in bins, as {model} needs them");
                in_column(broken(what), first.feature)
            }
            _ => Ok(gaussians),
        }
    }
}

impl GaussianEntry {
    fn read(&self, context: &FileContext<'_>) -> Result<Gaussian> {
        let feature = context
            .numbers()
            .find(|&feature| context.features[feature].name == self.name)
            .ok_or_else(|| broken("means and variances are of no numeric feature"))?;
        let n_classes = context.class.labels.len();
        let is_right = self.means.len() == n_classes
            && self.variances.len() == n_classes
            && self.means.iter().all(|mean| mean.is_finite())
            && self.variances.iter().all(|v| *v > 0.0 && v.is_finite());
        if !is_right {
            return Err(broken("means and variances do not fit the classes"));
        }
        Ok(Gaussian {
            feature,
            means: self.means.clone(),
            variances: self.variances.clone(),
        })
    }
}

/// Refuses a graph that the model's learner cannot have made: the node, and what is wrong.
fn check_shape(
    dag: &Dag,
    shape: GraphShape,
    max_parents: usize,
) -> std::result::Result<(), (usize, &'static str)> {
    let class = dag.n_nodes() - 1;
    // Parents that a feature may have beside the class, where that is one.
    let (is_augmented, max_others) = match shape {
        GraphShape::Augmented { max_others } => (true, max_others),
        GraphShape::ClassFirst | GraphShape::Free => (false, max_parents),
    };
    if shape != GraphShape::Free && !dag.parents(class).is_empty() {
        return Err((class, "the class has parents"));
    }
    for node in 0..dag.n_nodes() {
        let has_class = dag.has_arc(class, node);
        let n_parents = dag.parents(node).len();
        if is_augmented && node != class && !has_class {
            return Err((node, "the class is not among the parents"));
        }
        if n_parents - usize::from(is_augmented && has_class) > max_others {
            return Err((node, "there are too many parents"));
        }
    }
    Ok(())
}
