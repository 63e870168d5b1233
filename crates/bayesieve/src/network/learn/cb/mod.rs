//! CB: tests of independence make an order of the nodes, K2 makes the network.
//!
//! Papers: Singh and Valtorta, 1993 and 1995; as outlined by Singh and Provan, 1996,
//! section 3. Round by round, with tests given 0, 1, 2, … nodes: (a) thin out the complete
//! graph, (b) direct colliders, (c) direct what follows, (d) direct the rest by score,
//! (e) sort, (f) run K2 along that order, (g) go on while the network gets better.
//! Cost: up to C(n, k) tests per pair in round k, hence the limit on k; tests that share
//! all but two columns are counted together.
//! Where the papers are silent: the level of the tests (0.05), degrees of freedom (values
//! that occur, layer by layer), tests without power (the edge stays), the limit on the
//! round (3), ties (the lower node first in step d, the lowest node in step e).
//! Whether "better" is the network's accuracy (Singh and Provan) or its score (Singh and
//! Valtorta) is the caller's choice; see [`CbStop`].
//!
//! Singh, M. and Valtorta, M. (1993). An algorithm for the construction of Bayesian network
//! structures from data. UAI, 259-265. Singh, M. and Valtorta, M. (1995). Construction of
//! Bayesian network structures from data: a brief survey and an efficient algorithm.
//! International Journal of Approximate Reasoning 12, 111-131. Singh, M. and Provan, G.
//! (1996). Efficient learning of selective Bayesian network classifiers. ICML, 453-461.
//! Verma, T. and Pearl, J. (1992). An algorithm for deciding if a set of observed
//! independencies has a causal explanation. UAI, 323-330.

mod graph;
mod growing;
mod independence;
mod orient;
mod skeleton;
#[cfg(test)]
mod tests;

use std::fmt;

use independence::Independence;
pub(crate) use independence::advance;
use skeleton::Skeleton;

use super::{FamilyScorer, K2Options, TOLERANCE, k2};
use crate::network::Dag;
use crate::{Error, Observer, Result};

/// Settings of [`cb`].
///
/// | setting | default | meaning | range |
/// |---|---|---|---|
/// | `alpha` | 0.05 | two nodes are independent when the test's p is above | 0 to 1 |
/// | `power` | five rows per cell | tests with fewer rows keep the edge | |
/// | `max_order` | 3 | the most nodes given in a test | |
/// | `k2` | five parents | settings of K2 | |
/// | `first` | none | a node that K2's order begins with, whatever the tests say | |
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CbOptions {
    /// Level of the tests of independence.
    pub alpha: f64,
    /// What a test needs to be believed.
    pub power: PowerRule,
    /// The most nodes given in a test.
    pub max_order: usize,
    /// Settings of K2.
    pub k2: K2Options,
    /// The node that K2's order begins with, whatever the tests say: so that all others may
    /// hang on it.
    pub first: Option<usize>,
}

impl Default for CbOptions {
    fn default() -> Self {
        CbOptions {
            alpha: 0.05,
            power: PowerRule::default(),
            max_order: 3,
            k2: K2Options::default(),
            first: None,
        }
    }
}

/// What a test of independence needs to be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PowerRule {
    /// Five rows per cell of its table on average; with fewer the edge stays.
    #[default]
    FiveRowsPerCell,
    /// Nothing: every test counts.
    Off,
}

/// How networks of two rounds are compared; the search goes on while this rises.
#[derive(Clone, Copy)]
pub enum CbStop<'q> {
    /// By the total of the local scores (Singh and Valtorta).
    Score,
    /// By this function, such as the accuracy of the network as a classifier (Singh and
    /// Provan); larger is better.
    Quality(&'q dyn Fn(&Dag) -> Result<f64>),
}

impl fmt::Debug for CbStop<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CbStop::Score => "Score",
            CbStop::Quality(_) => "Quality",
        })
    }
}

/// What CB learned.
#[derive(Debug, Clone, PartialEq)]
pub struct CbNetwork {
    /// The network of the best round.
    pub dag: Dag,
    /// Its quality.
    pub quality: f64,
    /// Every round, the last of which may be the first that was no better.
    pub rounds: Vec<CbRound>,
}

/// One round of CB: tests given so many nodes, an order, a network.
#[derive(Debug, Clone, PartialEq)]
pub struct CbRound {
    /// How many nodes the tests were given.
    pub order: usize,
    /// Edges of the undirected graph after the tests.
    pub n_edges: usize,
    /// The order of the nodes that K2 was run with.
    pub node_order: Vec<usize>,
    /// The quality of K2's network.
    pub quality: f64,
}

/// Learns a network without being told an order of the nodes.
///
/// The scorer's score directs edges and chooses parents; in the papers it is K2's.
///
/// # Errors
/// A level outside 0 to 1, columns that cannot be counted, a test whose table is too large
/// (only with the power rule off), an error of the quality, or the observer cancelled.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::counts::CountColumn;
/// use bayesieve::data::Codes;
/// use bayesieve::network::learn::{CbOptions, CbStop, FamilyScorer, LocalScore, cb};
///
/// // 80 rows: a and b are independent, c mostly says whether a + b is large.
/// let times = [18, 2, 4, 16, 4, 16, 2, 18];
/// let column = |bit: u32| {
///     let cells = (0..8u32).flat_map(|i| vec![Some(i >> bit & 1); times[i as usize]]);
///     Codes::new(2, cells)
/// };
/// let (a, b, c) = (column(2), column(1), column(0));
/// let columns = [&a, &b, &c].map(|codes| CountColumn { codes, n_values: 2 });
/// let scorer = FamilyScorer::new(&columns, LocalScore::K2)?;
/// let network = cb(&scorer, CbOptions::default(), CbStop::Score, &Silent)?;
/// assert_eq!(network.dag.arcs().collect::<Vec<_>>(), [(0, 2), (1, 2)]); // a → c ← b
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn cb(
    scorer: &FamilyScorer<'_>,
    options: CbOptions,
    stop: CbStop<'_>,
    observer: &dyn Observer,
) -> Result<CbNetwork> {
    if !(0.0..=1.0).contains(&options.alpha) {
        return Err(
            Error::usage(format!("a test at the level {}", options.alpha))
                .with_hint("Give a level between 0 and 1, such as 0.05."),
        );
    }
    let columns = scorer.nodes().row_columns()?;
    let tests = Independence {
        columns: &columns,
        n_rows: scorer.n_rows(),
        alpha: options.alpha,
        power: options.power,
    };
    let mut skeleton = Skeleton::new(scorer.n_nodes());
    let mut best: Option<(Dag, f64)> = None;
    let mut rounds = Vec::new();
    for order in 0..=options.max_order {
        let has_tested = skeleton.thin(&tests, order, observer)?;
        let mut node_order = order_nodes(&skeleton, scorer, observer)?;
        if let Some(first) = options.first {
            // Stable: the others stay in their order.
            node_order.sort_by_key(|&node| node != first);
        }
        let dag = k2(scorer, &node_order, options.k2, observer)?;
        let quality = match stop {
            CbStop::Score => scorer.score_dag(&dag)?,
            CbStop::Quality(quality) => quality(&dag)?,
        };
        rounds.push(CbRound {
            order,
            n_edges: skeleton.graph().edges().len(),
            node_order,
            quality,
        });
        let is_better = |(_, before): &(Dag, f64)| quality > before + TOLERANCE;
        if !best.as_ref().is_none_or(is_better) {
            break;
        }
        best = Some((dag, quality));
        if !has_tested {
            break;
        }
    }
    let (dag, quality) = best.ok_or_else(|| Error::internal("no round of CB was run"))?;
    Ok(CbNetwork {
        dag,
        quality,
        rounds,
    })
}

/// Steps b to e: an order of the nodes in which edges go forward.
fn order_nodes(
    skeleton: &Skeleton,
    scorer: &FamilyScorer<'_>,
    observer: &dyn Observer,
) -> Result<Vec<usize>> {
    let mut graph = orient::direct_colliders(skeleton, observer)?;
    orient::apply_rules(&mut graph, observer)?;
    Ok(orient::direct_rest(&graph, scorer, observer)?.topological_order())
}
