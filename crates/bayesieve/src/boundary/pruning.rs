//! Which links are not looked at again.

use serde::Deserialize;

use super::found::CopyRule;
use super::operator::Operator;
use super::rpdmb::Valued;
use crate::Result;
use crate::network::learn::FamilyScorer;

/// When an addition that makes the score smaller rules its link out.
///
/// Links that were better taken out are ruled out for good, except by [`Pruning::None`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Pruning {
    /// Always and for good, as in the paper.
    #[default]
    Any,
    /// For good, but only if every move looked at on the same link makes the score smaller.
    All,
    /// Never.
    None,
    /// As [`Pruning::All`], of moves that make the score smaller by more than
    /// [`Pruning::asks`]; but before it ends links of the class to nodes that came into the
    /// graph by another way are looked at again, and may return if that brings
    /// [`Pruning::STRONG`] nats: features that tell something only together, such as the
    /// parents of an exclusive or, look independent at first. In turn every addition must bring
    /// what [`Pruning::asks`] says. Best with children that go by their link
    /// ([`RpdmbOptions::of`](super::RpdmbOptions::of)).
    Smart,
}

impl Pruning {
    /// Positive evidence: the logarithm of a Bayes factor of about 3.
    ///
    /// Kass, R. and Raftery, A. (1995). Bayes factors. JASA 90, 773-795.
    pub const POSITIVE: f64 = 1.0;

    /// Strong evidence: the logarithm of a Bayes factor of about 20.
    pub const STRONG: f64 = 3.0;

    /// All of them.
    pub const ALL: [Pruning; 4] = [Pruning::Any, Pruning::All, Pruning::None, Pruning::Smart];

    /// How many nats an addition must bring at least among so many nodes.
    ///
    /// Smart pruning asks for positive evidence, and for more among many nodes, the best of
    /// which looks good by chance alone: ln n - 3, which is above 1 from 55 nodes on.
    pub fn asks(self, n_nodes: usize) -> f64 {
        match self {
            Pruning::Smart => Pruning::POSITIVE.max((n_nodes as f64).ln() - 3.0),
            _ => 0.0,
        }
    }
}

/// What is known of a link, as bits.
mod mark {
    /// An addition made the score smaller: not looked at, but may return.
    pub(super) const WORSE: u8 = 1;
    /// A deletion made the score larger.
    pub(super) const OUT: u8 = 2;
    /// In the sweep at hand some addition did not make the score smaller.
    pub(super) const NOT_WORSE: u8 = 4;
}

/// The links that were ruled out.
pub(super) struct Pruned {
    pruning: Pruning,
    class: usize,
    /// Nodes that are not linked at all: those with one value in every row, on which nothing
    /// depends whatever a prior says, and copies that are to be left out.
    is_apart: Vec<bool>,
    /// Marks by center, the class or a node near it, and other node: every link has a center.
    /// A link of two centers may be marked under either.
    marks: Vec<Option<Box<[u8]>>>,
}

impl Pruned {
    pub(super) fn new(
        pruning: Pruning,
        class: usize,
        scorer: &FamilyScorer<'_>,
        copies: CopyRule,
    ) -> Result<Self> {
        let nodes = scorer.nodes();
        let is_constant = |node: usize| nodes.is_constant(node);
        let mut is_apart: Vec<bool> = (0..scorer.n_nodes()).map(is_constant).collect();
        if copies == CopyRule::Drop {
            let copy_of = nodes.duplicates(class)?;
            is_apart
                .iter_mut()
                .zip(copy_of)
                .for_each(|(is_apart, of)| *is_apart |= of.is_some());
        }
        Ok(Pruned {
            pruning,
            class,
            marks: vec![None; is_apart.len()],
            is_apart,
        })
    }

    /// Whether the link of two nodes is still to be looked at.
    pub(super) fn is_open(&self, a: usize, b: usize) -> bool {
        !self.is_apart[a] && !self.is_apart[b] && self.marks(a, b) & (mark::WORSE | mark::OUT) == 0
    }

    /// Whether a link to the class was ruled out, but not because it was better taken out.
    pub(super) fn may_return(&self, x: usize) -> bool {
        self.marks(x, self.class) & (mark::WORSE | mark::OUT) == mark::WORSE
    }

    /// Rules links out after a sweep of additions.
    pub(super) fn note_additions(&mut self, valued: &[Valued], tolerance: f64) {
        let worse = valued.iter().filter(|valued| valued.gain < -tolerance);
        let others = valued.iter().filter(|valued| valued.gain >= -tolerance);
        match self.pruning {
            Pruning::None => {}
            Pruning::Any => worse.for_each(|valued| self.mark(valued.operator, mark::WORSE)),
            Pruning::All | Pruning::Smart => {
                let others = others.map(|valued| valued.operator);
                others
                    .clone()
                    .for_each(|operator| self.mark(operator, mark::NOT_WORSE));
                for operator in worse.map(|valued| valued.operator) {
                    let (center, x) = operator.link(self.class);
                    if self.marks(center, x) & mark::NOT_WORSE == 0 {
                        self.mark(operator, mark::WORSE);
                    }
                }
                others.for_each(|operator| self.unmark(operator, mark::NOT_WORSE));
            }
        }
    }

    /// Rules out the links that are better taken out.
    pub(super) fn note_deletions(&mut self, valued: &[Valued], tolerance: f64) {
        if self.pruning != Pruning::None {
            let better = valued.iter().filter(|valued| valued.gain > tolerance);
            better.for_each(|valued| self.rule_out(valued.operator));
        }
    }

    /// Rules a link out for good.
    pub(super) fn rule_out(&mut self, operator: Operator) {
        self.mark(operator, mark::OUT);
    }

    /// How many nodes are looked at, the class included.
    pub(super) fn n_looked_at(&self) -> usize {
        self.is_apart.iter().filter(|&&is_apart| !is_apart).count()
    }

    fn marks(&self, a: usize, b: usize) -> u8 {
        let under = |center: usize, x: usize| self.marks[center].as_ref().map_or(0, |row| row[x]);
        under(a, b) | under(b, a)
    }

    fn mark(&mut self, operator: Operator, bit: u8) {
        let n_nodes = self.marks.len();
        let (center, x) = operator.link(self.class);
        let row = self.marks[center].get_or_insert_with(|| vec![0; n_nodes].into());
        row[x] |= bit;
    }

    fn unmark(&mut self, operator: Operator, bit: u8) {
        let (center, x) = operator.link(self.class);
        if let Some(row) = &mut self.marks[center] {
            row[x] &= !bit;
        }
    }
}
