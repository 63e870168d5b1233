//! RPDMB: the Markov boundary from the best fringed C-RPDAG that a climb finds.
//!
//! Paper: Acid, de Campos and Fernández, 2011.
//! From the empty graph, the best addition of every sweep is made while the score grows, then
//! the best deletions, and again, until neither makes the score larger. Links on which some
//! addition made the score smaller, and links that were taken out, are never looked at again
//! ([`Pruning`]).
//! Cost: a sweep has O(n) moves of the class and O(n) of each child and sibling; scores are
//! computed once, for all candidates of a node together.
//! Where the paper is silent: links are ruled out after a sweep, so that the order of moves
//! does not matter; gains that differ by less than 1e-9 tie, and go by the order of
//! [`OperatorKind`](super::OperatorKind), then by column.
//!
//! Acid, S., de Campos, L. and Fernández, M. (2011). Minimum redundancy maximum relevancy
//! versus score-based methods for learning Markov boundaries. ISDA, 619-623.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use super::fringed::FringedGraph;
use super::gains::Gains;
use super::operator::Operator;
use super::pruning::{Pruned, Pruning};
use super::sweep::{Sweep, deletions};
use crate::error::{Error, Result};
use crate::math::OrderFreeSum;
use crate::network::learn::FamilyScorer;
use crate::observer::Observer;
use crate::search::{Limits, Stop, unless_early};

/// Tables of families above this many cells are not counted unless told otherwise.
const MAX_CELLS: usize = 1 << 24;

/// How RPDMB searches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RpdmbOptions {
    /// Which links are ruled out.
    pub pruning: Pruning,
    /// A move must make the score larger by more than this, in nats.
    pub tolerance: f64,
    /// Families whose table would have more cells are not looked at.
    pub max_cells: usize,
}

impl Default for RpdmbOptions {
    /// As in the paper.
    fn default() -> Self {
        RpdmbOptions {
            pruning: Pruning::Any,
            tolerance: 1e-9,
            max_cells: MAX_CELLS,
        }
    }
}

/// What RPDMB found.
#[derive(Debug, Clone, PartialEq)]
pub struct Rpdmb {
    /// The graph; its [`roles`](FringedGraph::roles) are the boundary.
    pub graph: FringedGraph,
    /// The score of the empty graph, in nats.
    pub start: f64,
    /// The score of the graph, in nats.
    pub total: f64,
    /// The moves that were made.
    pub steps: Vec<RpdmbStep>,
    /// Why it ended.
    pub stop: Stop,
    /// How many local scores it took.
    pub n_scores: u64,
    /// Whether some family was not looked at because its table would have been too large.
    pub is_limited: bool,
}

/// A move that was made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RpdmbStep {
    /// The move.
    pub operator: Operator,
    /// By how much it made the score larger.
    pub gain: f64,
    /// The score after it.
    pub total: f64,
}

/// Finds the Markov boundary of a class.
///
/// # Errors
/// A class that does not exist, or a stop from outside before the first move.
///
/// # Cost
/// See the module; memory for a number per node and looked-at family.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::boundary::{RpdmbOptions, rpdmb};
/// use bayesieve::counts::CountColumn;
/// use bayesieve::data::Codes;
/// use bayesieve::network::learn::{FamilyScorer, LocalScore};
/// use bayesieve::search::Limits;
///
/// // A class that is the exclusive or of nodes 0 and 1 with some noise, and a copy of it.
/// let codes: Vec<Codes> = vec![
///     Codes::new(2, (0..800).map(|i| Some(i / 2 % 2))),
///     Codes::new(2, (0..800).map(|i| Some(i / 5 % 2))),
///     Codes::new(2, (0..800).map(|i| Some((i / 2 + i / 5 + u32::from(i % 7 == 0)) % 2))),
///     Codes::new(2, (0..800).map(|i| Some((i / 2 + i / 5 + u32::from(i % 7 == 0)) % 2))),
/// ];
/// let columns: Vec<_> = codes.iter().map(|codes| CountColumn { codes, n_values: 2 }).collect();
/// let scorer = FamilyScorer::new(&columns, LocalScore::Bic)?;
/// let found = rpdmb(&scorer, 3, &RpdmbOptions::default(), &Limits::new(&Silent))?;
/// assert!(found.graph.roles().members().contains(&2));
/// assert!(found.total > found.start);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn rpdmb(
    scorer: &FamilyScorer<'_>,
    class: usize,
    options: &RpdmbOptions,
    limits: &Limits<'_>,
) -> Result<Rpdmb> {
    if class >= scorer.n_nodes() {
        return Err(Error::internal(format!(
            "class {class} of {} nodes",
            scorer.n_nodes()
        )));
    }
    let mut climb = Climb::new(scorer, class, options, limits);
    let stop = climb.run(limits)?;
    let start = climb.sum(|_, _| Vec::new())?;
    let total = climb.sum(|graph, node| graph.family(node).to_vec())?;
    Ok(Rpdmb {
        start,
        total,
        steps: climb.totals(start),
        graph: climb.graph,
        stop,
        n_scores: climb.gains.n_scores,
        is_limited: climb.gains.has_limited,
    })
}

/// A move and what it brings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Valued {
    pub(super) operator: Operator,
    pub(super) gain: f64,
}

/// The graph of a climb, and what is known around it.
struct Climb<'s, 'a> {
    graph: FringedGraph,
    gains: Gains<'s, 'a>,
    pruned: Pruned,
    tolerance: f64,
    steps: Vec<Valued>,
}

impl<'s, 'a> Climb<'s, 'a> {
    fn new(
        scorer: &'s FamilyScorer<'a>,
        class: usize,
        options: &RpdmbOptions,
        observer: &'s dyn Observer,
    ) -> Self {
        Climb {
            graph: FringedGraph::new(scorer.n_nodes(), class),
            gains: Gains::new(scorer, options.max_cells, observer),
            pruned: Pruned::new(options.pruning, class),
            tolerance: options.tolerance,
            steps: Vec::new(),
        }
    }

    /// Grows and shrinks until neither is better.
    fn run(&mut self, limits: &Limits<'_>) -> Result<Stop> {
        loop {
            let n_before = self.steps.len();
            for phase in [Climb::grow, Climb::shrink] {
                loop {
                    let moved = phase(self);
                    match unless_early(moved, limits, !self.steps.is_empty())? {
                        Ok(true) => limits.progress("growing", self.steps.len() as u64, 0),
                        Ok(false) => break,
                        Err(stop) => return Ok(stop),
                    }
                }
            }
            if self.steps.len() == n_before {
                return Ok(Stop::NoImprovement);
            }
        }
    }

    /// Makes the best addition, if one is good.
    fn grow(&mut self) -> Result<bool> {
        let sweep = Sweep::new(&self.graph, &mut self.gains, &self.pruned);
        let valued = sweep.additions()?;
        self.pruned.note_additions(&valued, self.tolerance);
        self.make_best(&valued)
    }

    /// Makes the best deletion, if one is good.
    fn shrink(&mut self) -> Result<bool> {
        let mut valued = Vec::new();
        for operator in deletions(&self.graph) {
            if let Some(gain) = self.gains.of_move(&self.graph, operator)? {
                valued.push(Valued { operator, gain });
            }
        }
        self.pruned.note_deletions(&valued, self.tolerance);
        self.make_best(&valued)
    }

    fn make_best(&mut self, valued: &[Valued]) -> Result<bool> {
        let good = valued.iter().filter(|valued| valued.gain > self.tolerance);
        let best = good.min_by_key(|valued| (Reverse(rounded(valued.gain)), valued.operator));
        let Some(&best) = best else {
            return Ok(false);
        };
        self.graph.apply(best.operator)?;
        self.steps.push(best);
        Ok(true)
    }

    /// The sum of all local scores.
    fn sum(&mut self, parents: impl Fn(&FringedGraph, usize) -> Vec<usize>) -> Result<f64> {
        let scorer = self.gains.scorer();
        let mut sum = OrderFreeSum::default();
        for node in 0..scorer.n_nodes() {
            sum.add(scorer.score(node, &parents(&self.graph, node))?);
        }
        Ok(sum.value())
    }

    fn totals(&self, start: f64) -> Vec<RpdmbStep> {
        let mut total = start;
        let steps = self.steps.iter().map(|step| {
            total += step.gain;
            RpdmbStep {
                operator: step.operator,
                gain: step.gain,
                total,
            }
        });
        steps.collect()
    }
}

/// A gain in units of the precision that ties are settled by.
fn rounded(gain: f64) -> i128 {
    (gain * 1e9).round() as i128
}
