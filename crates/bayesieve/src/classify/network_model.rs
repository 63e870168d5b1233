//! Classifiers that are Bayesian networks: naive Bayes, TAN, K2, CB and block.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::block_gaussian::BlockGaussian;
use super::factors::Factors;
use super::gaussian::Gaussian;
use crate::counts::CountColumn;
use crate::network::{Cpt, Dag, FamilyCounts, Network, Smoothing, Variable};
use crate::{Error, Observer, Result, check};

/// Counts every node of a graph with its parents.
///
/// # Errors
/// Columns that cannot be counted, or the observer cancelled.
pub(super) fn count_families(
    variables: &[Variable],
    dag: &Dag,
    columns: &[CountColumn<'_>],
    observer: &dyn Observer,
) -> Result<Vec<FamilyCounts>> {
    (0..dag.n_nodes())
        .into_par_iter()
        .map(|node| {
            check(observer)?;
            let parents = dag.parents(node).iter().map(|&parent| columns[parent]);
            FamilyCounts::count(columns[node], &parents.collect::<Vec<_>>())
                .map_err(|error| error.in_column(&variables[node].name))
        })
        .collect()
}

/// A network over the coded features and the class, with the counts it was made from.
///
/// Nodes are the coded features in order, then the class. Numbers that are not binned are
/// normal given the class and nothing else, or jointly normal in blocks.
#[derive(Debug, Clone)]
pub struct NetworkModel {
    pub(super) families: Vec<FamilyCounts>,
    pub(super) gaussians: Vec<Gaussian>,
    pub(super) blocks: Option<BlockGaussian>,
    network: Network,
    /// Compiled when the first row is scored.
    factors: OnceLock<Factors>,
}

impl NetworkModel {
    /// From the counts of every family, just made or read from a model file.
    pub(super) fn from_counts(
        variables: Vec<Variable>,
        dag: Dag,
        families: Vec<FamilyCounts>,
        smoothing: Smoothing,
        gaussians: Vec<Gaussian>,
    ) -> Result<Self> {
        let class = variables
            .len()
            .checked_sub(1)
            .ok_or_else(|| Error::internal("a model without a class"))?;
        let table = |(node, family): (usize, &FamilyCounts)| {
            // The prior of the class is its plain frequency.
            let is_prior = node == class && dag.parents(class).is_empty();
            let smoothing = if is_prior {
                Smoothing::MaximumLikelihood
            } else {
                smoothing
            };
            Cpt::estimate(family, smoothing)
        };
        let tables = families
            .iter()
            .enumerate()
            .map(table)
            .collect::<Result<_>>()?;
        let network = Network::new(variables, dag, tables)?;
        Ok(NetworkModel {
            families,
            gaussians,
            blocks: None,
            network,
            factors: OnceLock::new(),
        })
    }

    /// The same with numbers in blocks.
    #[must_use]
    pub(super) fn with_blocks(mut self, blocks: BlockGaussian) -> Self {
        self.blocks = Some(blocks);
        self
    }

    /// Positions of the features that are read as numbers: of every Gaussian, then of every
    /// block that counts.
    pub(super) fn number_features(&self) -> Vec<usize> {
        let gaussians = self.gaussians.iter().map(|gaussian| gaussian.feature);
        let blocks = self.blocks.iter();
        gaussians
            .chain(blocks.flat_map(|blocks| blocks.used_features()))
            .collect()
    }

    /// The network: the coded features in order, then the class.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The class's node.
    pub fn class_node(&self) -> usize {
        self.network.variables().len() - 1
    }

    pub(super) fn factors(&self) -> &Factors {
        self.factors
            .get_or_init(|| Factors::new(&self.network, self.class_node()))
    }

    /// How often each class occurred in training.
    pub fn class_counts(&self) -> Vec<u64> {
        self.families[self.class_node()].marginal()
    }
}
