//! All moves from a graph, with what they bring.

use super::fringed::FringedGraph;
use super::gains::FamilyGains;
use super::operator::{Operator, OperatorKind};
use super::pruning::Pruned;
use super::rpdmb::Valued;
use crate::Result;

/// The additions from a graph whose links are not ruled out.
pub(super) struct Sweep<'c, 's, 'a> {
    graph: &'c FringedGraph,
    gains: &'c mut FamilyGains<'s, 'a>,
    pruned: &'c Pruned,
    class: usize,
    /// Nodes without parents and without a link to the class, rising.
    free: Vec<usize>,
    /// Nodes with parents that are not linked to the class, rising.
    fringe: Vec<usize>,
    found: Vec<Valued>,
}

impl<'c, 's, 'a> Sweep<'c, 's, 'a> {
    pub(super) fn new(
        graph: &'c FringedGraph,
        gains: &'c mut FamilyGains<'s, 'a>,
        pruned: &'c Pruned,
    ) -> Self {
        let class = graph.class();
        let mut is_free = vec![true; graph.n_nodes()];
        is_free[class] = false;
        let fringe: Vec<usize> = graph.fringe().collect();
        let linked = graph.parents(class).iter().copied();
        let linked = linked.chain(graph.children()).chain(graph.siblings());
        linked
            .chain(fringe.iter().copied())
            .for_each(|node| is_free[node] = false);
        Sweep {
            graph,
            gains,
            pruned,
            class,
            free: (0..is_free.len()).filter(|&node| is_free[node]).collect(),
            fringe,
            found: Vec::new(),
        }
    }

    /// Every addition with its gain.
    pub(super) fn additions(mut self) -> Result<Vec<Valued>> {
        if self.graph.parents(self.class).is_empty() {
            self.siblings()?;
            self.heads_to_head()?;
        } else {
            self.parents()?;
        }
        self.children()?;
        for y in self.graph.siblings().collect::<Vec<_>>() {
            self.parents_of(OperatorKind::AddHeadToHeadOfChild, y)?;
        }
        for y in self.graph.children().collect::<Vec<_>>() {
            self.parents_of(OperatorKind::AddParentOfChild, y)?;
        }
        self.fringe_arcs()?;
        Ok(self.found)
    }

    fn push(&mut self, kind: OperatorKind, x: usize, other: usize, gain: f64) {
        // A table that would be too large has no score.
        if !gain.is_nan() {
            let operator = Operator { kind, x, other };
            self.found.push(Valued { operator, gain });
        }
    }

    /// Free nodes whose link to the class is open.
    fn open_to_class(&self) -> Vec<usize> {
        let is_open = |&x: &usize| self.pruned.is_open(x, self.class);
        self.free.iter().copied().filter(is_open).collect()
    }

    /// What an arc from a node would bring to others without parents.
    fn below(&mut self, parent: usize, nodes: &[usize]) -> Result<Vec<f64>> {
        let alone = self.gains.of_each(nodes, &[])?;
        let alone: Vec<f64> = nodes.iter().map(|&node| alone[node]).collect();
        let with = self.gains.of_each(nodes, &[parent])?;
        let gains = nodes.iter().zip(alone);
        Ok(gains.map(|(&node, alone)| with[node] - alone).collect())
    }

    fn siblings(&mut self) -> Result<()> {
        let open = self.open_to_class();
        let gains = self.below(self.class, &open)?;
        for (x, gain) in open.into_iter().zip(gains) {
            self.push(OperatorKind::AddSibling, x, self.class, gain);
        }
        Ok(())
    }

    fn heads_to_head(&mut self) -> Result<()> {
        let open = self.open_to_class();
        for z in self.graph.siblings().collect::<Vec<_>>() {
            if self.graph.has_fringe(z) {
                continue;
            }
            // The sibling gives its place below the class up for one above.
            let lost = self.gains.score(self.class, &[])? + self.gains.score(z, &[self.class])?;
            let own = self.gains.score(z, &[])? - lost;
            let scores = self.gains.with_each(self.class, &[z], &open)?;
            let gains: Vec<f64> = open.iter().map(|&x| scores[x] + own).collect();
            for (&x, gain) in open.iter().zip(gains) {
                self.push(OperatorKind::AddHeadToHead, x, z, gain);
            }
        }
        Ok(())
    }

    fn parents(&mut self) -> Result<()> {
        let open = self.open_to_class();
        let parents = self.graph.parents(self.class);
        let before = self.gains.score(self.class, parents)?;
        let scores = self.gains.with_each(self.class, parents, &open)?;
        let gains: Vec<f64> = open.iter().map(|&x| scores[x] - before).collect();
        for (x, gain) in open.into_iter().zip(gains) {
            self.push(OperatorKind::AddParent, x, self.class, gain);
        }
        Ok(())
    }

    fn children(&mut self) -> Result<()> {
        if !self.graph.parents(self.class).is_empty() {
            let open = self.open_to_class();
            let gains = self.below(self.class, &open)?;
            for (x, gain) in open.into_iter().zip(gains) {
                self.push(OperatorKind::AddChild, x, self.class, gain);
            }
        }
        for place in 0..self.fringe.len() {
            let x = self.fringe[place];
            if self.pruned.is_open(x, self.class) {
                let gain = self.gains.of_fringe(x, self.graph.parents(x), self.class)?;
                self.push(OperatorKind::AddChild, x, self.class, gain);
            }
        }
        Ok(())
    }

    /// Further parents of a child or sibling.
    fn parents_of(&mut self, kind: OperatorKind, y: usize) -> Result<()> {
        let parents = self.graph.family(y);
        let below = self.graph.descendants(y);
        let can_be = |x: &usize| {
            *x != self.class
                && !parents.contains(x)
                && !below.contains(x)
                && self.pruned.is_open(*x, y)
        };
        let open: Vec<usize> = (0..self.graph.n_nodes()).filter(can_be).collect();
        let before = self.gains.score(y, parents)?;
        let scores = self.gains.with_each(y, parents, &open)?;
        let gains: Vec<f64> = open.iter().map(|&x| scores[x] - before).collect();
        for (x, gain) in open.into_iter().zip(gains) {
            self.push(kind, x, y, gain);
        }
        Ok(())
    }

    /// Arcs from children and siblings to nodes that are not linked to the class.
    fn fringe_arcs(&mut self) -> Result<()> {
        let near = self.graph.children().chain(self.graph.siblings());
        let mut near: Vec<usize> = near.collect();
        near.sort_unstable();
        for x in near {
            let above = self.graph.ancestors(x);
            let is_open = |&y: &usize| !above.contains(&y) && self.pruned.is_open(x, y);
            let open: Vec<usize> = self.free.iter().copied().filter(is_open).collect();
            let hanging = self.fringe.iter().copied().filter(is_open);
            let hanging: Vec<usize> = hanging
                .filter(|&y| !self.graph.parents(y).contains(&x))
                .collect();
            let gains = self.below(x, &open)?;
            for (y, gain) in open.into_iter().zip(gains) {
                self.push(OperatorKind::AddChildOfChild, x, y, gain);
            }
            for y in hanging {
                let gain = self.gains.of_fringe(y, self.graph.parents(y), x)?;
                self.push(OperatorKind::AddChildOfChild, x, y, gain);
            }
        }
        Ok(())
    }
}

/// Every deletion from a graph.
pub(super) fn deletions(graph: &FringedGraph) -> Vec<Operator> {
    let class = graph.class();
    let mut found: Vec<Operator> = Vec::new();
    let mut push = |kind, x, other| found.push(Operator { kind, x, other });
    for x in graph.siblings() {
        push(OperatorKind::DropSibling, x, class);
    }
    let parents = graph.parents(class);
    for &x in parents {
        let kind = match parents.len() {
            2 => OperatorKind::DropHeadToHead,
            _ => OperatorKind::DropParent,
        };
        push(kind, x, class);
    }
    for y in graph.children() {
        push(OperatorKind::DropChild, y, class);
        let kind = match graph.parents(y).len() {
            2 if parents.is_empty() => OperatorKind::DropHeadToHeadOfChild,
            _ => OperatorKind::DropParentOfChild,
        };
        let others = graph.parents(y).iter().filter(|&&x| x != class);
        others.for_each(|&x| push(kind, x, y));
    }
    for y in graph.fringe() {
        let parents = graph.parents(y).iter();
        parents.for_each(|&x| push(OperatorKind::DropChildOfChild, x, y));
    }
    found
}

/// The moves that could link a node to the class; which of them are possible depends on the
/// graph.
pub(super) fn additions_to_class(graph: &FringedGraph, x: usize) -> Vec<Operator> {
    let class = graph.class();
    let alone = [
        OperatorKind::AddSibling,
        OperatorKind::AddParent,
        OperatorKind::AddChild,
    ];
    let alone = alone.map(|kind| Operator {
        kind,
        x,
        other: class,
    });
    let heads = graph.siblings().map(|z| Operator {
        kind: OperatorKind::AddHeadToHead,
        x,
        other: z,
    });
    alone.into_iter().chain(heads).collect()
}
