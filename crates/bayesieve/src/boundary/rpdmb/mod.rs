//! RPDMB: the Markov boundary from the best fringed C-RPDAG that a climb finds.
//!
//! Paper: Acid, de Campos and Fernández, 2011.
//! From the empty graph, the best addition of every sweep is made while the score grows, then
//! the best deletions, and again, until neither makes the score larger. In the paper links on
//! which some addition made the score smaller, and links that were taken out, are never looked at
//! again; [`Pruning`] has other rules, one of them beyond the paper.
//! Cost: a sweep has O(n) moves of the class and O(n) of each child and sibling; scores are
//! computed once, for all candidates of a node together.
//! Where the paper is silent: links are ruled out after a sweep, so that the order of moves
//! does not matter; gains that are equal to nine decimals tie, and go by the order of
//! [`OperatorKind`], then by column.
//!
//! Acid, S., de Campos, L. and Fernández, M. (2011). Minimum redundancy maximum relevancy
//! versus score-based methods for learning Markov boundaries. ISDA, 619-623.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use super::evidence;
use super::found::Boundary;
use super::found::CopyRule;
use super::fringed::FringedGraph;
use super::gains::FamilyGains;
use super::operator::{Operator, OperatorKind};
use super::pruning::{Pruned, Pruning};
use super::sweep::{Sweep, additions_to_class, deletions};
use crate::math::OrderFreeSum;
use crate::network::learn::FamilyScorer;
use crate::search::{Limits, Stop, unless_early};
use crate::{Error, Observer, Result};

/// Tables of families above this many cells are not counted unless told otherwise.
const MAX_CELLS: usize = 1 << 24;

/// How RPDMB searches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RpdmbOptions {
    /// Which links are ruled out.
    pub pruning: Pruning,
    /// A move must make the score larger by more than this, in nats, and an addition by what
    /// the pruning asks for.
    pub tolerance: f64,
    /// When a child goes.
    pub children: ChildRule,
    /// What becomes of features that say the same as another.
    pub copies: CopyRule,
    /// Families whose table would have more cells are not looked at.
    pub max_cells: usize,
}

/// What the deletion of a child of the class is valued by.
///
/// Without its arc from the class a child also loses the parents that are not near the class,
/// because a fringed graph cannot hold them. A feature that shares a parent with the class so
/// stays a child for the sake of that parent, although it is not in the boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ChildRule {
    /// The total: with all that goes with the child.
    #[default]
    Total,
    /// The arc from the class alone, its other parents staying: a difference of two local
    /// scores, as the paper has it of all moves. The total may fall; so that the climb ends,
    /// the link never comes back.
    Link,
}

impl Default for RpdmbOptions {
    /// As in the paper.
    fn default() -> Self {
        RpdmbOptions::of(Pruning::Any)
    }
}

impl RpdmbOptions {
    /// What goes with a pruning: all as in the paper, except for [`Pruning::Smart`], which looks
    /// at one of several copies only and lets children go by their link.
    ///
    /// # Example
    /// ```
    /// use bayesieve::boundary::{ChildRule, Pruning, RpdmbOptions};
    ///
    /// assert_eq!(RpdmbOptions::of(Pruning::Smart).children, ChildRule::Link);
    /// assert_eq!(RpdmbOptions::of(Pruning::Any), RpdmbOptions::default());
    /// ```
    pub fn of(pruning: Pruning) -> Self {
        let is_smart = pruning == Pruning::Smart;
        RpdmbOptions {
            pruning,
            tolerance: 1e-9,
            children: if is_smart {
                ChildRule::Link
            } else {
                ChildRule::Total
            },
            copies: if is_smart {
                CopyRule::Drop
            } else {
                CopyRule::Keep
            },
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
    /// What became of features that say the same as another.
    pub copies: CopyRule,
    /// Whether some family was not looked at because its table would have been too large.
    pub is_limited: bool,
}

/// A move that was made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RpdmbStep {
    /// The move.
    pub operator: Operator,
    /// By how much it made the score larger; negative where a child goes that only its other
    /// parents held ([`ChildRule::Link`]).
    pub gain: f64,
    /// The score after it.
    pub total: f64,
}

/// Finds the Markov boundary of a class.
///
/// # Errors
/// A class that does not exist, columns with missing cells, or a stop from outside before the
/// first move.
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
    if scorer.has_gaps() {
        return Err(Error::internal(
            "a column with missing cells: families over different rows cannot be compared",
        ));
    }
    let mut climb = RpdmbClimb::new(scorer, class, options, limits)?;
    let stop = climb.run(limits)?;
    // What was found is told, even if time is over.
    climb.gains.go_on();
    let n_scores = climb.gains.n_scores;
    let start = climb.sum(|_, _| &[])?;
    let total = climb.sum(FringedGraph::family)?;
    Ok(Rpdmb {
        start,
        total,
        steps: climb.retraced(start)?,
        graph: climb.graph,
        stop,
        n_scores,
        copies: options.copies,
        is_limited: climb.gains.has_limited,
    })
}

impl Rpdmb {
    /// The boundary with what speaks for its members, and why the others are outside.
    ///
    /// # Errors
    /// A scorer of other columns, or the observer cancelled.
    pub fn boundary(&self, scorer: &FamilyScorer<'_>, observer: &dyn Observer) -> Result<Boundary> {
        evidence::boundary(self, scorer, observer)
    }
}

/// A move and what it brings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Valued {
    pub(super) operator: Operator,
    pub(super) gain: f64,
}

/// The graph of a climb, and what is known around it.
struct RpdmbClimb<'s, 'a> {
    graph: FringedGraph,
    gains: FamilyGains<'s, 'a>,
    pruned: Pruned,
    pruning: Pruning,
    /// What a deletion must bring.
    tolerance: f64,
    /// What an addition must bring.
    asked: f64,
    children: ChildRule,
    steps: Vec<Operator>,
}

impl<'s, 'a> RpdmbClimb<'s, 'a> {
    fn new(
        scorer: &'s FamilyScorer<'a>,
        class: usize,
        options: &RpdmbOptions,
        observer: &'s dyn Observer,
    ) -> Result<Self> {
        let pruned = Pruned::new(options.pruning, class, scorer, options.copies)?;
        let asked = options.pruning.asks(pruned.n_looked_at());
        Ok(RpdmbClimb {
            graph: FringedGraph::new(scorer.n_nodes(), class),
            gains: FamilyGains::new(scorer, options.max_cells, observer),
            pruned,
            pruning: options.pruning,
            tolerance: options.tolerance,
            asked: options.tolerance.max(asked),
            children: options.children,
            steps: Vec::new(),
        })
    }

    /// Grows and shrinks until neither is better.
    ///
    /// It ends: a move makes the total larger, or takes a link out that never comes back.
    fn run(&mut self, limits: &Limits<'_>) -> Result<Stop> {
        loop {
            let moved = self.round(limits);
            match unless_early(moved, limits, !self.steps.is_empty())? {
                Ok(true) => {}
                Ok(false) => return Ok(Stop::NoImprovement),
                Err(stop) => return Ok(stop),
            }
        }
    }

    /// Grows as far as it goes, then shrinks; whether anything was moved.
    fn round(&mut self, limits: &Limits<'_>) -> Result<bool> {
        let n_before = self.steps.len();
        for phase in [RpdmbClimb::grow, RpdmbClimb::shrink] {
            while phase(self)? {
                limits.progress("climbing", self.steps.len() as u64, 0);
            }
        }
        Ok(self.steps.len() > n_before || self.reconsider()?)
    }

    /// Makes the best addition, if one is good.
    fn grow(&mut self) -> Result<bool> {
        self.gains.check()?;
        let sweep = Sweep::new(&self.graph, &mut self.gains, &self.pruned);
        let valued = sweep.additions()?;
        self.pruned.note_additions(&valued, self.asked);
        self.make_best(&valued, self.asked)
    }

    /// Makes the best deletion, if one is good.
    fn shrink(&mut self) -> Result<bool> {
        self.gains.check()?;
        let mut valued = Vec::new();
        for operator in deletions(&self.graph) {
            let is_child = operator.kind == OperatorKind::DropChild;
            let gain = if is_child && self.children == ChildRule::Link {
                Some(self.of_link(operator.x)?)
            } else {
                self.gains.of_move(&self.graph, operator)?
            };
            valued.extend(gain.map(|gain| Valued { operator, gain }));
        }
        self.pruned.note_deletions(&valued, self.tolerance);
        let has_moved = self.make_best(&valued, self.tolerance)?;
        let last = self.steps.last().filter(|_| has_moved);
        if let Some(&child) = last.filter(|last| last.kind == OperatorKind::DropChild)
            && self.children == ChildRule::Link
        {
            // The total may have fallen: it must not come back.
            self.pruned.rule_out(child);
        }
        Ok(has_moved)
    }

    /// What a child would gain without its arc from the class, its other parents staying.
    fn of_link(&mut self, child: usize) -> Result<f64> {
        let parents = self.graph.parents(child);
        let others = parents.iter().copied().filter(|&p| p != self.graph.class());
        let others: Vec<usize> = others.collect();
        Ok(self.gains.score(child, &others)? - self.gains.score(child, parents)?)
    }

    /// Looks again at links of the class that were ruled out, to nodes that have come into
    /// the graph by another way, and makes the best if it is good enough.
    fn reconsider(&mut self) -> Result<bool> {
        if self.pruning != Pruning::Smart {
            return Ok(false);
        }
        let mut nodes = self.graph.roles().spouses;
        nodes.extend(self.graph.fringe());
        nodes.retain(|&x| self.pruned.may_return(x));
        nodes.sort_unstable();
        nodes.dedup();
        let mut valued = Vec::new();
        for x in nodes {
            for operator in additions_to_class(&self.graph, x) {
                let gain = self.gains.of_move(&self.graph, operator)?;
                valued.extend(gain.map(|gain| Valued { operator, gain }));
            }
        }
        self.make_best(&valued, self.asked.max(Pruning::STRONG))
    }

    fn make_best(&mut self, valued: &[Valued], tolerance: f64) -> Result<bool> {
        let good = valued.iter().filter(|valued| valued.gain > tolerance);
        let best = good.min_by_key(|valued| (Reverse(rounded(valued.gain)), valued.operator));
        let Some(&Valued { operator, .. }) = best else {
            return Ok(false);
        };
        self.graph.apply(operator)?;
        self.steps.push(operator);
        Ok(true)
    }

    /// The sum of all local scores.
    fn sum(&self, parents: impl Fn(&FringedGraph, usize) -> &[usize]) -> Result<f64> {
        let scorer = self.gains.scorer;
        let mut sum = OrderFreeSum::default();
        for node in 0..scorer.n_nodes() {
            sum.add(scorer.score(node, parents(&self.graph, node))?);
        }
        Ok(sum.value())
    }

    /// The moves again from the empty graph, with what each made of the total.
    fn retraced(&mut self, start: f64) -> Result<Vec<RpdmbStep>> {
        let mut graph = FringedGraph::new(self.graph.n_nodes(), self.graph.class());
        let mut total = start;
        let mut steps = Vec::with_capacity(self.steps.len());
        for &operator in &self.steps {
            let gain = self.gains.of_move(&graph, operator)?;
            let gain = gain.ok_or_else(|| Error::internal("a move that could not be made"))?;
            graph.apply(operator)?;
            total += gain;
            steps.push(RpdmbStep {
                operator,
                gain,
                total,
            });
        }
        Ok(steps)
    }
}

/// A gain in units of the precision that ties are settled by.
fn rounded(gain: f64) -> i128 {
    (gain * 1e9).round() as i128
}
