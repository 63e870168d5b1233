//! Which links are not looked at again.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

use super::operator::Operator;
use super::rpdmb::Valued;
use crate::data::unknown_name;
use crate::error::Error;

/// Two nodes, the lower first.
type Pair = (usize, usize);

/// When an addition that makes the score smaller rules its link out.
///
/// Links that were better taken out are ruled out for good, except by [`Pruning::None`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Pruning {
    /// Always and for good, as in the paper.
    #[default]
    Any,
    /// For good, but only if every move looked at on the same link makes the score smaller.
    All,
    /// Never.
    None,
    /// As [`Pruning::All`], but before it ends links of the class to nodes that came into the
    /// graph by another way are looked at again, and may return if that brings
    /// [`Pruning::STRONG`] nats: features that tell something only together, such as the
    /// parents of an exclusive or, look independent at first. In turn every move must bring
    /// [`Pruning::POSITIVE`] nats, and a child stays one only if the class tells something
    /// about it that its other parents do not.
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

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Pruning::Any => "any",
            Pruning::All => "all",
            Pruning::None => "none",
            Pruning::Smart => "smart",
        }
    }
}

impl fmt::Display for Pruning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Pruning {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Pruning::ALL.into_iter().find(|p| p.name() == text);
        found.ok_or_else(|| unknown_name("pruning", text, Pruning::ALL.map(Pruning::name)))
    }
}

/// The links that were ruled out.
pub(super) struct Pruned {
    pruning: Pruning,
    class: usize,
    /// By an addition that made the score smaller.
    worse: HashSet<Pair>,
    /// By a deletion that made the score larger.
    out: HashSet<Pair>,
}

impl Pruned {
    pub(super) fn new(pruning: Pruning, class: usize) -> Self {
        Pruned {
            pruning,
            class,
            worse: HashSet::new(),
            out: HashSet::new(),
        }
    }

    /// Whether the link of two nodes is still to be looked at.
    pub(super) fn is_open(&self, a: usize, b: usize) -> bool {
        let pair = (a.min(b), a.max(b));
        !self.worse.contains(&pair) && !self.out.contains(&pair)
    }

    /// Whether a link to the class was ruled out, but not because it was better taken out.
    pub(super) fn may_return(&self, x: usize) -> bool {
        let pair = (x.min(self.class), x.max(self.class));
        self.worse.contains(&pair) && !self.out.contains(&pair)
    }

    /// Rules links out after a sweep of additions.
    pub(super) fn note_additions(&mut self, valued: &[Valued], tolerance: f64) {
        let link = |operator: Operator| operator.link(self.class);
        let is_worse = |valued: &Valued| valued.gain < -tolerance;
        match self.pruning {
            Pruning::None => {}
            Pruning::Any => {
                let worse = valued.iter().filter(|valued| is_worse(valued));
                self.worse.extend(worse.map(|valued| link(valued.operator)));
            }
            Pruning::All | Pruning::Smart => {
                let mut all_worse: HashMap<Pair, bool> = HashMap::new();
                for valued in valued {
                    *all_worse.entry(link(valued.operator)).or_insert(true) &= is_worse(valued);
                }
                let worse = all_worse.into_iter().filter(|&(_, is_worse)| is_worse);
                self.worse.extend(worse.map(|(link, _)| link));
            }
        }
    }

    /// Rules out the links that are better taken out.
    pub(super) fn note_deletions(&mut self, valued: &[Valued], tolerance: f64) {
        if self.pruning != Pruning::None {
            let better = valued.iter().filter(|valued| valued.gain > tolerance);
            self.out
                .extend(better.map(|valued| valued.operator.link(self.class)));
        }
    }
}
