//! Which links are not looked at again.

use std::collections::{HashMap, HashSet};

use super::operator::Operator;
use super::rpdmb::Valued;

/// When an addition that makes the score smaller rules its link out for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Pruning {
    /// Always, as in the paper.
    #[default]
    Any,
    /// Only if every move looked at on the same link makes the score smaller.
    All,
    /// Never; nor are links that were taken out.
    None,
}

/// The links that were ruled out.
pub(super) struct Pruned {
    pruning: Pruning,
    class: usize,
    links: HashSet<(usize, usize)>,
}

impl Pruned {
    pub(super) fn new(pruning: Pruning, class: usize) -> Self {
        Pruned {
            pruning,
            class,
            links: HashSet::new(),
        }
    }

    /// Whether the link of two nodes is still to be looked at.
    pub(super) fn is_open(&self, a: usize, b: usize) -> bool {
        !self.links.contains(&(a.min(b), a.max(b)))
    }

    /// Rules links out after a sweep of additions.
    pub(super) fn note_additions(&mut self, valued: &[Valued], tolerance: f64) {
        let link = |operator: Operator| operator.link(self.class);
        let is_worse = |valued: &Valued| valued.gain < -tolerance;
        match self.pruning {
            Pruning::None => {}
            Pruning::Any => {
                let worse = valued.iter().filter(|valued| is_worse(valued));
                self.links.extend(worse.map(|valued| link(valued.operator)));
            }
            Pruning::All => {
                let mut all_worse: HashMap<(usize, usize), bool> = HashMap::new();
                for valued in valued {
                    *all_worse.entry(link(valued.operator)).or_insert(true) &= is_worse(valued);
                }
                let worse = all_worse.into_iter().filter(|&(_, is_worse)| is_worse);
                self.links.extend(worse.map(|(link, _)| link));
            }
        }
    }

    /// Rules out the links that are better taken out.
    pub(super) fn note_deletions(&mut self, valued: &[Valued], tolerance: f64) {
        if self.pruning != Pruning::None {
            let better = valued.iter().filter(|valued| valued.gain > tolerance);
            self.links
                .extend(better.map(|valued| valued.operator.link(self.class)));
        }
    }
}
