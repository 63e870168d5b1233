//! Markov boundaries learned from samples of networks, against the true ones.
//!
//! Paper: Acid, de Campos and Fernández, 2011, section III: every node of a network is the
//! class in turn; the boundary that a method finds in a sample is compared with that of the
//! graph.
//! Cost: per sample, all pair tables for mRMR; for RPDMB the families that its climbs look at,
//! each counted once for all classes.
//! Where the paper is silent: a node that is constant in a sample has an empty boundary there
//! and is in none; see [`Recovery`] for empty sets.

use std::fmt;

use rayon::prelude::*;
use serde_json::{Map, Value};

use super::recovery::Recovery;
use super::study::{Group, Study};
use crate::boundary::{
    ChildRule, IambOptions, IndependenceTests, Pruning, RpdmbOptions, TestOptions, iamb, rpdmb,
};
use crate::counts::CountColumn;
use crate::data::{Nominal, Table};
use crate::fingerprint::Fingerprint;
use crate::info::MutualInformations;
use crate::network::Network;
use crate::network::learn::{FamilyScorer, LocalScore};
use crate::random::seed_of;
use crate::search::Limits;
use crate::select::{Among, rank_among};
use crate::wording::counted;
use crate::{Error, Result};
use crate::{Hushed, Observer, check};

/// What learns boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BoundaryLearner {
    /// The best features by mRMR, as many as the true boundary has.
    Mrmr,
    /// RPDMB with BDeu of equivalent sample size 1, and the paper's pruning.
    Rpdmb,
    /// The same, with children valued by their link to the class alone.
    RpdmbLink,
    /// RPDMB with [`Pruning::Smart`].
    RpdmbSmart,
    /// IAMB with G tests at level 0.05.
    Iamb,
}

impl BoundaryLearner {
    /// All there are; the first two are the paper's.
    pub const ALL: [BoundaryLearner; 5] = [
        BoundaryLearner::Mrmr,
        BoundaryLearner::Rpdmb,
        BoundaryLearner::RpdmbLink,
        BoundaryLearner::RpdmbSmart,
        BoundaryLearner::Iamb,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            BoundaryLearner::Mrmr => "mrmr",
            BoundaryLearner::Rpdmb => "rpdmb",
            BoundaryLearner::RpdmbLink => "rpdmb-link",
            BoundaryLearner::RpdmbSmart => "rpdmb-smart",
            BoundaryLearner::Iamb => "iamb",
        }
    }
}

impl fmt::Display for BoundaryLearner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Boundaries learned from samples of networks.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::evaluate::{BoundaryCell, BoundaryLearner, BoundaryStudy, conduct};
/// use bayesieve::network::{Cpt, Dag, Network, Variable};
/// use bayesieve::search::Limits;
///
/// let variable = |name: &str| Variable {
///     name: name.into(),
///     states: vec!["no".into(), "yes".into()],
/// };
/// let mut dag = Dag::new(2);
/// dag.add_arc(0, 1)?;
/// let tables = vec![
///     Cpt::dense(2, vec![], vec![0.5, 0.5])?,
///     Cpt::dense(2, vec![2], vec![0.9, 0.1, 0.2, 0.8])?,
/// ];
/// let network = Network::new(vec![variable("rain"), variable("wet")], dag, tables)?;
/// let networks = vec![("weather".to_owned(), network)];
/// let cell = BoundaryCell { network: 0, n_rows: 100, learner: BoundaryLearner::Mrmr };
/// let study = BoundaryStudy::new(networks, vec![cell], 5, 1);
/// let samples = conduct(&study, None, &Limits::new(&Silent))?.groups[0].clone();
/// assert_eq!(samples.map(|samples| samples[4].f), Some(1.0)); // each is the other's
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct BoundaryStudy {
    networks: Vec<Truth>,
    cells: Vec<BoundaryCell>,
    n_samples: usize,
    seed: u64,
}

/// An entry of the table: a mean over all nodes and samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoundaryCell {
    /// The place of the network in the study's list.
    pub network: usize,
    /// Rows of a sample.
    pub n_rows: usize,
    /// What learns.
    pub learner: BoundaryLearner,
}

/// A network and the boundaries of all of its nodes.
#[derive(Debug, Clone)]
struct Truth {
    name: String,
    network: Network,
    boundaries: Vec<Vec<usize>>,
    data: String,
}

impl BoundaryStudy {
    /// Of named networks: every cell with so many samples.
    ///
    /// The samples of a network depend on the seed, its name, the number of rows and the
    /// number of the sample, and on nothing else.
    pub fn new(
        networks: Vec<(String, Network)>,
        cells: Vec<BoundaryCell>,
        n_samples: usize,
        seed: u64,
    ) -> Self {
        let networks = networks.into_iter();
        BoundaryStudy {
            networks: networks
                .map(|(name, network)| Truth::new(name, network))
                .collect(),
            cells,
            n_samples,
            seed,
        }
    }

    fn cell(&self, group: usize) -> Result<(&BoundaryCell, &Truth)> {
        let cell = self.cells.get(group);
        let found = cell.and_then(|cell| Some((cell, self.networks.get(cell.network)?)));
        found.ok_or_else(|| Error::internal(format!("there is no cell {group}")))
    }
}

impl Study for BoundaryStudy {
    /// The means over all nodes of a network.
    type Measure = Recovery;

    fn settings(&self) -> Map<String, Value> {
        let mut settings = Map::new();
        settings.insert("study".into(), "boundaries".into());
        settings.insert("seed".into(), self.seed.into());
        settings
    }

    fn groups(&self) -> Vec<Group> {
        let groups = self.cells.iter().map(|cell| {
            let truth = self.networks.get(cell.network);
            let name = truth.map_or("", |truth| &truth.name);
            let rows = counted(cell.n_rows as u64, "row");
            let n_nodes = truth.map_or(0, |truth| truth.boundaries.len());
            Group {
                name: format!("{} on {name}, {rows}", cell.learner),
                data: truth.map(|truth| truth.data.clone()).unwrap_or_default(),
                n_units: self.n_samples,
                cost: cell.learner.cost(n_nodes as u64, cell.n_rows as u64),
            }
        });
        groups.collect()
    }

    fn measure(&self, group: usize, unit: usize, observer: &dyn Observer) -> Result<Recovery> {
        let (cell, truth) = self.cell(group)?;
        let name = format!("{}/{}/{}", truth.name, cell.n_rows, unit + 1);
        let seed = seed_of(self.seed, &name);
        let table = truth.network.sample(cell.n_rows, seed, &Hushed(observer))?;
        let sample = Sample::new(&table, &truth.boundaries)?;
        let found = sample.learn(cell.learner, observer)?;
        let pairs = found.iter().zip(&truth.boundaries);
        let all: Vec<Recovery> = pairs
            .map(|(found, truth)| Recovery::of(found, truth))
            .collect();
        Recovery::mean(&all).ok_or_else(|| Error::data("the network has no nodes"))
    }
}

impl Truth {
    fn new(name: String, network: Network) -> Self {
        let dag = network.dag();
        Truth {
            boundaries: (0..dag.n_nodes()).map(|node| dag.boundary(node)).collect(),
            data: fingerprint(&network).to_string(),
            name,
            network,
        }
    }
}

/// Of all that can be seen in a sample: names, states, arcs, probabilities.
fn fingerprint(network: &Network) -> Fingerprint {
    let mut hash = Fingerprint::new();
    for (node, variable) in network.variables().iter().enumerate() {
        hash.text(&variable.name);
        hash.whole(variable.states.len() as u64);
        variable.states.iter().for_each(|state| hash.text(state));
        let parents = network.dag().parents(node);
        hash.whole(parents.len() as u64);
        parents.iter().for_each(|&parent| hash.whole(parent as u64));
        let table = network.table(node);
        let default = table.default_row().unwrap_or_default();
        default.iter().for_each(|&p| hash.number(p));
        table.for_each_row(|values, row| {
            values
                .iter()
                .for_each(|&value| hash.whole(u64::from(value)));
            row.iter().for_each(|&p| hash.number(p));
        });
    }
    hash
}

/// A sample and what it should tell.
struct Sample<'s> {
    columns: Vec<&'s Nominal>,
    /// Whether a node has one value in all rows.
    is_constant: Vec<bool>,
    truth: &'s [Vec<usize>],
}

impl<'s> Sample<'s> {
    fn new(table: &'s Table, truth: &'s [Vec<usize>]) -> Result<Self> {
        let columns: Option<Vec<&Nominal>> = table
            .columns()
            .iter()
            .map(|column| column.as_nominal())
            .collect();
        Ok(Sample {
            columns: columns.ok_or_else(|| Error::internal("a sample holds numbers"))?,
            is_constant: table
                .columns()
                .iter()
                .map(|column| column.n_distinct() < 2)
                .collect(),
            truth,
        })
    }

    /// The boundary of every node, rising.
    fn learn(&self, learner: BoundaryLearner, observer: &dyn Observer) -> Result<Vec<Vec<usize>>> {
        let paper = RpdmbOptions::default();
        match learner {
            BoundaryLearner::Mrmr => self.mrmr(observer),
            BoundaryLearner::Rpdmb => self.rpdmb(&paper, observer),
            BoundaryLearner::RpdmbLink => {
                let children = ChildRule::Link;
                self.rpdmb(&RpdmbOptions { children, ..paper }, observer)
            }
            BoundaryLearner::RpdmbSmart => self.rpdmb(&RpdmbOptions::of(Pruning::Smart), observer),
            BoundaryLearner::Iamb => self.iamb(observer),
        }
    }

    fn mrmr(&self, observer: &dyn Observer) -> Result<Vec<Vec<usize>>> {
        let hushed = Hushed(observer);
        let informations = MutualInformations::new(&self.columns, &hushed)?;
        self.for_each_class(observer, |class| {
            let features: Vec<usize> = self.varying().filter(|&node| node != class).collect();
            let among = Among {
                informations: &informations,
                class,
                features: &features,
            };
            let n = self.truth[class].len();
            let ranked = rank_among(among, n, &Limits::new(&hushed))?;
            Ok(ranked.into_iter().map(|(node, _)| node).collect())
        })
    }

    /// One scorer serves all classes: most families are asked for more than once.
    fn rpdmb(&self, options: &RpdmbOptions, observer: &dyn Observer) -> Result<Vec<Vec<usize>>> {
        let hushed = Hushed(observer);
        let score = LocalScore::Bdeu {
            equivalent_sample_size: 1.0,
        };
        let scorer = FamilyScorer::new(&self.varying_columns(), score)?;
        let limits = Limits::new(&hushed);
        self.for_each_place(observer, |place| {
            let found = rpdmb(&scorer, place, options, &limits)?;
            Ok(found.graph.roles().members())
        })
    }

    fn iamb(&self, observer: &dyn Observer) -> Result<Vec<Vec<usize>>> {
        let hushed = Hushed(observer);
        let tests = IndependenceTests::new(&self.varying_columns(), TestOptions::default())?;
        let limits = Limits::new(&hushed);
        self.for_each_place(observer, |place| {
            let found = iamb(&tests, place, &IambOptions::default(), &limits)?;
            Ok(found.roles.members())
        })
    }

    fn varying_columns(&self) -> Vec<CountColumn<'s>> {
        self.varying()
            .map(|node| self.columns[node].into())
            .collect()
    }

    /// Learns by places among the nodes that vary.
    fn for_each_place(
        &self,
        observer: &dyn Observer,
        learn: impl Fn(usize) -> Result<Vec<usize>> + Sync,
    ) -> Result<Vec<Vec<usize>>> {
        let nodes: Vec<usize> = self.varying().collect();
        self.for_each_class(observer, |class| {
            let place = nodes.partition_point(|&node| node < class);
            let members = learn(place)?;
            Ok(members.into_iter().map(|place| nodes[place]).collect())
        })
    }

    /// The nodes that have more than one value, rising.
    fn varying(&self) -> impl Iterator<Item = usize> {
        (0..self.columns.len()).filter(|&node| !self.is_constant[node])
    }

    /// Learns for every node that varies, in parallel; the others have nothing around them.
    fn for_each_class(
        &self,
        observer: &dyn Observer,
        learn: impl Fn(usize) -> Result<Vec<usize>> + Sync,
    ) -> Result<Vec<Vec<usize>>> {
        let n_done = std::sync::atomic::AtomicU64::new(0);
        (0..self.columns.len())
            .into_par_iter()
            .map(|class| {
                check(observer)?;
                let mut found = if self.is_constant[class] {
                    Vec::new()
                } else {
                    learn(class)?
                };
                check(observer)?;
                found.sort_unstable();
                let done = n_done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
                observer.progress("boundaries", done, self.columns.len() as u64);
                Ok(found)
            })
            .collect()
    }
}

impl BoundaryLearner {
    /// How long a sample takes, roughly, in passes over rows of single cells.
    fn cost(self, n_nodes: u64, n_rows: u64) -> u64 {
        match self {
            BoundaryLearner::Mrmr => n_nodes * n_nodes * (1_000 + n_rows) / 100,
            BoundaryLearner::Rpdmb | BoundaryLearner::RpdmbLink => {
                n_nodes * n_nodes * (1_000 + n_rows)
            }
            BoundaryLearner::RpdmbSmart => 3 * n_nodes * n_nodes * (1_000 + n_rows),
            BoundaryLearner::Iamb => n_nodes * n_nodes * (1_000 + n_rows) / 10,
        }
    }
}

#[cfg(test)]
mod tests;
