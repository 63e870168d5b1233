//! Steps b to d: from a skeleton to a directed graph.

use super::graph::MixedGraph;
use super::skeleton::Skeleton;
use crate::error::Result;
use crate::network::Dag;
use crate::network::learn::{FamilyScorer, TOLERANCE};

/// Step b: where two nodes that are not adjacent share a neighbor that did not separate
/// them, both edges point to it.
///
/// Each of the two edges is directed for itself: one that would close a cycle stays as it
/// is, and does not keep the other from being directed.
pub(super) fn direct_colliders(skeleton: &Skeleton) -> MixedGraph {
    let mut graph = skeleton.graph().clone();
    let n = graph.n_nodes();
    for (a, b) in (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))) {
        if graph.is_adjacent(a, b) {
            continue;
        }
        let separator = skeleton.separator(a, b);
        for c in (0..n).filter(|c| !separator.contains(c)) {
            if graph.is_adjacent(a, c) && graph.is_adjacent(b, c) {
                graph.add_head(a, c);
                graph.add_head(b, c);
            }
        }
    }
    graph
}

/// Step c: the rules of Verma and Pearl, rule by rule and pair by pair in index order, again
/// and again until none directs an edge.
pub(super) fn apply_rules(graph: &mut MixedGraph) {
    type Rule = fn(&MixedGraph, usize, usize) -> bool;
    const RULES: [Rule; 4] = [follows_arc, closes_chain, joins_arcs, runs_along];
    let n = graph.n_nodes();
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for rule in RULES {
            for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
                if a != b && graph.is_plain(a, b) && rule(graph, a, b) {
                    has_changed |= graph.direct(a, b);
                }
            }
        }
    }
}

/// R1: x → a - b with x and b not adjacent, so a → b (else a collider would be new).
fn follows_arc(graph: &MixedGraph, a: usize, b: usize) -> bool {
    (0..graph.n_nodes()).any(|x| graph.is_directed(x, a) && x != b && !graph.is_adjacent(x, b))
}

/// R2: a → x → b, so a → b (else a cycle).
fn closes_chain(graph: &MixedGraph, a: usize, b: usize) -> bool {
    (0..graph.n_nodes()).any(|x| graph.is_directed(a, x) && graph.is_directed(x, b))
}

/// R3: a - c → b and a - d → b with c and d not adjacent, so a → b.
fn joins_arcs(graph: &MixedGraph, a: usize, b: usize) -> bool {
    let into: Vec<usize> = (0..graph.n_nodes())
        .filter(|&c| graph.is_plain(a, c) && graph.is_directed(c, b))
        .collect();
    let is_apart = |&c: &usize| into.iter().any(|&d| c != d && !graph.is_adjacent(c, d));
    into.iter().any(is_apart)
}

/// R4: a - c → d → b with a and d adjacent, c and b not, so a → b.
fn runs_along(graph: &MixedGraph, a: usize, b: usize) -> bool {
    let n = graph.n_nodes();
    let through = |d: usize| {
        (0..n).any(|c| {
            c != b && graph.is_plain(a, c) && graph.is_directed(c, d) && !graph.is_adjacent(c, b)
        })
    };
    (0..n).any(|d| graph.is_adjacent(a, d) && graph.is_directed(d, b) && through(d))
}

/// Step d: every edge that points not one way gets the direction of the larger score, given
/// the parents so far; if that closes a cycle, the other.
pub(super) fn direct_rest(graph: &MixedGraph, scorer: &FamilyScorer<'_>) -> Result<Dag> {
    let mut dag = Dag::new(graph.n_nodes());
    let edges = graph.edges();
    for &(a, b) in &edges {
        for (from, to) in [(a, b), (b, a)] {
            if graph.is_directed(from, to) {
                dag.add_arc(from, to)?;
            }
        }
    }
    for (i, j) in edges {
        if graph.is_directed(i, j) || graph.is_directed(j, i) {
            continue;
        }
        let with = |node: usize, parent: usize| {
            let parents = [dag.parents(node), &[parent]].concat();
            Ok(scorer.score(node, &parents)? - scorer.score(node, dag.parents(node))?)
        };
        // ival >= jval, with what both have in common taken away.
        let is_forward = with(j, i)? >= with(i, j)? - TOLERANCE;
        let (from, to) = if is_forward { (i, j) } else { (j, i) };
        if dag.is_reachable(to, from) {
            dag.add_arc(to, from)?;
        } else {
            dag.add_arc(from, to)?;
        }
    }
    Ok(dag)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph of the given plain edges and arcs.
    fn graph(n: usize, plain: &[(usize, usize)], arcs: &[(usize, usize)]) -> MixedGraph {
        let mut graph = MixedGraph::complete(n);
        let is_in =
            |list: &[(usize, usize)], a, b| list.contains(&(a, b)) || list.contains(&(b, a));
        for (a, b) in graph.edges() {
            if !is_in(plain, a, b) && !is_in(arcs, a, b) {
                graph.remove(a, b);
            }
        }
        for &(a, b) in arcs {
            assert!(graph.direct(a, b));
        }
        graph
    }

    #[test]
    fn every_rule_directs_its_pattern() {
        // (plain edges, arcs, the arc that must follow), nodes a = 0, b = 1.
        type Case<'a> = (&'a str, &'a [(usize, usize)], &'a [(usize, usize)]);
        let cases: [Case<'_>; 4] = [
            ("R1", &[(0, 1)], &[(2, 0)]),
            ("R2", &[(0, 1)], &[(0, 2), (2, 1)]),
            ("R3", &[(0, 1), (0, 2), (0, 3)], &[(2, 1), (3, 1)]),
            ("R4", &[(0, 1), (0, 2), (0, 3)], &[(2, 3), (3, 1)]),
        ];
        for (rule, plain, arcs) in cases {
            let mut graph = graph(4, plain, arcs);
            apply_rules(&mut graph);
            assert!(graph.is_directed(0, 1), "{rule}");
        }
    }

    #[test]
    fn rules_leave_alone_what_does_not_fit() {
        type Case<'a> = (&'a str, &'a [(usize, usize)], &'a [(usize, usize)]);
        let cases: [Case<'_>; 3] = [
            ("R1, ends adjacent", &[(0, 1), (2, 1)], &[(2, 0)]),
            (
                "R3, c and d adjacent",
                &[(0, 1), (0, 2), (0, 3), (2, 3)],
                &[(2, 1), (3, 1)],
            ),
            (
                "R4, c and b adjacent",
                &[(0, 1), (0, 2), (0, 3), (2, 1)],
                &[(2, 3), (3, 1)],
            ),
        ];
        for (rule, plain, arcs) in cases {
            let mut graph = graph(4, plain, arcs);
            apply_rules(&mut graph);
            assert!(graph.is_plain(0, 1), "{rule}");
        }
    }
}
