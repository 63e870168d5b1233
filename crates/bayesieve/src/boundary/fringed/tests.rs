use std::collections::BTreeSet;

use super::*;
use crate::boundary::operator::OperatorKind;
use crate::counts::CountColumn;
use crate::data::Codes;
use crate::network::Dag;
use crate::network::learn::{FamilyScorer, LocalScore};
use crate::search::Action;

/// All moves, in the order that settles ties.
const KINDS: [OperatorKind; 14] = [
    OperatorKind::AddSibling,
    OperatorKind::AddHeadToHead,
    OperatorKind::AddParent,
    OperatorKind::AddChild,
    OperatorKind::AddHeadToHeadOfChild,
    OperatorKind::AddParentOfChild,
    OperatorKind::AddChildOfChild,
    OperatorKind::DropSibling,
    OperatorKind::DropHeadToHead,
    OperatorKind::DropParent,
    OperatorKind::DropChild,
    OperatorKind::DropParentOfChild,
    OperatorKind::DropHeadToHeadOfChild,
    OperatorKind::DropChildOfChild,
];

impl FringedGraph {
    /// Every move that is possible, in the order of ties.
    pub(in crate::boundary) fn operators(&self) -> Vec<Operator> {
        let nodes = 0..self.n_nodes;
        let mut found = Vec::new();
        for kind in KINDS {
            for x in nodes.clone() {
                let others = nodes.clone().map(|other| Operator { kind, x, other });
                found.extend(others.filter(|&operator| self.edit(operator).is_some()));
            }
        }
        found
    }

    /// One of the networks that the graph stands for: edges directed away from the class.
    fn to_dag(&self) -> Result<Dag> {
        let mut dag = Dag::new(self.n_nodes);
        for (&node, parents) in &self.parents {
            parents.iter().try_for_each(|&p| dag.add_arc(p, node))?;
        }
        let mut edges = self.siblings();
        edges.try_for_each(|sibling| dag.add_arc(self.class, sibling))?;
        Ok(dag)
    }
}

/// A graph as plain lists: parents of every node, and siblings. The class is the last node.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Plain {
    parents: Vec<BTreeSet<usize>>,
    siblings: BTreeSet<usize>,
}

impl Plain {
    fn class(&self) -> usize {
        self.parents.len() - 1
    }

    fn children(&self) -> BTreeSet<usize> {
        let class = self.class();
        (0..class)
            .filter(|&x| self.parents[x].contains(&class))
            .collect()
    }

    fn is_acyclic(&self) -> bool {
        // Take away nodes without parents until none is left.
        let mut left: BTreeSet<usize> = (0..self.parents.len()).collect();
        while let Some(&free) = left.iter().find(|&&x| self.parents[x].is_disjoint(&left)) {
            left.remove(&free);
        }
        left.is_empty()
    }

    /// The four conditions of the paper, word by word.
    fn is_fringed(&self) -> bool {
        let class = self.class();
        let of_class = &self.parents[class];
        let near = &self.children() | &self.siblings;
        let second = of_class.is_empty() || (of_class.len() >= 2 && self.siblings.is_empty());
        let third = (0..class)
            .filter(|&x| !self.parents[x].is_empty())
            .all(|x| {
                let parents = &self.parents[x];
                if parents.contains(&class) {
                    parents.len() >= 2 || of_class.len() >= 2
                } else {
                    parents.is_subset(&near)
                }
            });
        let fourth = self.siblings.iter().all(|&x| self.parents[x].is_empty());
        self.is_acyclic() && second && third && fourth
    }

    /// Without fringes every arc between features ends in a child.
    fn has_fringe(&self) -> bool {
        let class = self.class();
        (0..class).any(|x| !self.parents[x].is_empty() && !self.parents[x].contains(&class))
    }
}

/// Every graph over so many features and a class whose links the types can hold.
fn all_plain(n: usize) -> Vec<Plain> {
    let pairs: Vec<(usize, usize)> = (0..n).flat_map(|a| (0..a).map(move |b| (b, a))).collect();
    let n_arcs = 3usize.pow(pairs.len() as u32);
    let n_links = 4usize.pow(n as u32);
    let mut all = Vec::new();
    for number in 0..n_arcs * n_links {
        let (mut arcs, mut links) = (number / n_links, number % n_links);
        let mut plain = Plain {
            parents: vec![BTreeSet::new(); n + 1],
            siblings: BTreeSet::new(),
        };
        for &(a, b) in &pairs {
            match arcs % 3 {
                1 => plain.parents[a].insert(b),
                2 => plain.parents[b].insert(a),
                _ => false,
            };
            arcs /= 3;
        }
        for x in 0..n {
            match links % 4 {
                1 => plain.parents[n].insert(x),
                2 => plain.parents[x].insert(n),
                3 => plain.siblings.insert(x),
                _ => false,
            };
            links /= 4;
        }
        all.push(plain);
    }
    all
}

fn plain(graph: &FringedGraph) -> Plain {
    let of = |node| graph.parents(node).iter().copied().collect();
    Plain {
        parents: (0..graph.n_nodes()).map(of).collect(),
        siblings: graph.siblings().collect(),
    }
}

/// All graphs that some moves lead to, the first one included.
fn reached(start: FringedGraph, may: impl Fn(Operator) -> bool) -> BTreeSet<FringedGraph> {
    let mut seen = BTreeSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some(graph) = open.pop() {
        for operator in graph.operators().into_iter().filter(|&o| may(o)) {
            let mut next = graph.clone();
            next.apply(operator).unwrap();
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    seen
}

fn is_addition(operator: Operator) -> bool {
    operator.kind.action() == Action::Add
}

#[test]
fn additions_reach_every_fringed_graph_and_nothing_else() {
    // Graphs without and with fringes, for two, three and four features.
    for (n, without, with) in [(2, 9, 11), (3, 90, 144), (4, 2091, 4541)] {
        let valid: BTreeSet<Plain> = all_plain(n).into_iter().filter(Plain::is_fringed).collect();
        assert_eq!(valid.iter().filter(|g| !g.has_fringe()).count(), without);
        assert_eq!(valid.len(), with);
        let reached = reached(FringedGraph::new(n + 1, n), is_addition);
        let reached: BTreeSet<Plain> = reached.iter().map(plain).collect();
        assert_eq!(reached, valid);
    }
}

#[test]
fn every_move_from_every_graph_leads_to_a_fringed_graph() {
    for n in [2, 3, 4] {
        let graphs = reached(FringedGraph::new(n + 1, n), is_addition);
        for graph in &graphs {
            for operator in graph.operators() {
                let mut next = graph.clone();
                next.apply(operator).unwrap();
                assert!(plain(&next).is_fringed(), "{operator:?} of {graph:?}");
                assert!(graphs.contains(&next));
                assert_ne!(next, *graph);
            }
        }
    }
}

#[test]
fn deletions_lead_from_every_graph_to_the_empty_one() {
    for n in [2, 3] {
        let empty = FringedGraph::new(n + 1, n);
        for graph in reached(empty.clone(), is_addition) {
            let below = reached(graph.clone(), |operator| !is_addition(operator));
            assert!(below.contains(&empty), "{graph:?}");
        }
    }
}

#[test]
fn the_class_may_be_any_node() {
    // 11 graphs over two features, wherever the class stands.
    for class in 0..3 {
        let graphs = reached(FringedGraph::new(3, class), is_addition);
        assert_eq!(graphs.len(), 11);
    }
}

#[test]
fn deltas_are_differences_of_totals_for_every_score() {
    // Three features and a class, all dependent: some twenty rows by arithmetic.
    let rows = 0..23u32;
    let columns = [
        Codes::new(2, rows.clone().map(|i| Some(i % 2))),
        Codes::new(3, rows.clone().map(|i| Some(i * i % 3))),
        Codes::new(2, rows.clone().map(|i| Some(i / 3 % 2))),
        Codes::new(2, rows.map(|i| Some((i * i % 3 + i / 3) % 2))),
    ];
    let states = [2, 3, 2, 2];
    let columns: Vec<CountColumn<'_>> = columns
        .iter()
        .zip(states)
        .map(|(codes, n_values)| CountColumn { codes, n_values })
        .collect();
    let bdeu = LocalScore::Bdeu {
        equivalent_sample_size: 1.0,
    };
    for score in [bdeu, LocalScore::Bic, LocalScore::K2] {
        let scorer = FamilyScorer::new(&columns, score).unwrap();
        let total = |graph: &FringedGraph| scorer.score_dag(&graph.to_dag().unwrap()).unwrap();
        let graphs = reached(FringedGraph::new(4, 3), is_addition);
        assert_eq!(graphs.len(), 144);
        for graph in &graphs {
            for operator in graph.operators() {
                let changes = graph.changes(operator).unwrap();
                let delta: f64 = changes
                    .iter()
                    .map(|change| {
                        scorer.score(change.node, &change.after).unwrap()
                            - scorer.score(change.node, &change.before).unwrap()
                    })
                    .sum();
                let mut next = graph.clone();
                next.apply(operator).unwrap();
                let difference = total(&next) - total(graph);
                assert!(
                    (delta - difference).abs() < 1e-9,
                    "{operator:?} of {graph:?}"
                );
            }
        }
    }
}

#[test]
fn a_graph_and_its_network_have_the_same_boundary() {
    for graph in reached(FringedGraph::new(4, 3), is_addition) {
        let dag = graph.to_dag().unwrap();
        assert_eq!(graph.roles().members(), dag.boundary(3), "{graph:?}");
        let local = graph.local_graph();
        assert_eq!(local.arcs.len() + local.edges.len(), dag.n_arcs());
    }
}

#[test]
fn a_refused_move_changes_nothing() {
    let mut graph = FringedGraph::new(3, 2);
    let sibling = |x| Operator {
        kind: OperatorKind::AddSibling,
        x,
        other: 2,
    };
    graph.apply(sibling(0)).unwrap();
    let before = graph.clone();
    for operator in [sibling(0), sibling(2), sibling(9)] {
        assert!(graph.apply(operator).is_err());
        assert_eq!(graph, before);
    }
}
