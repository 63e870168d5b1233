//! Steps b to d: from a skeleton to a directed graph.

use super::graph::{MixedGraph, nodes};
use super::growing::GrowingFamilies;
use super::skeleton::Skeleton;
use crate::network::Dag;
use crate::network::learn::{FamilyScorer, TOLERANCE};
use crate::{Observer, Result, check};

/// Step b: where two nodes that are not adjacent share a neighbor that did not separate
/// them, both edges point to it.
///
/// Each of the two edges is directed for itself: one that would close a cycle stays as it
/// is, and does not keep the other from being directed.
pub(super) fn direct_colliders(skeleton: &Skeleton, observer: &dyn Observer) -> Result<MixedGraph> {
    let mut graph = skeleton.graph().clone();
    let n = graph.n_nodes;
    for a in 0..n {
        check(observer)?;
        for b in a + 1..n {
            if graph.adjacent.has(a, b) {
                continue;
            }
            let separator = skeleton.separator(a, b);
            let words = graph.adjacent.row(a).iter().zip(graph.adjacent.row(b));
            let shared: Vec<usize> = nodes(words.map(|(of_a, of_b)| of_a & of_b)).collect();
            for c in shared.into_iter().filter(|c| !separator.contains(c)) {
                graph.add_head(a, c);
                graph.add_head(b, c);
            }
        }
    }
    Ok(graph)
}

/// Step c: the rules of Verma and Pearl, rule by rule and pair by pair in index order, again
/// and again until none directs an edge.
pub(super) fn apply_rules(graph: &mut MixedGraph, observer: &dyn Observer) -> Result<()> {
    type Rule = fn(&MixedGraph, usize, usize) -> bool;
    const RULES: [Rule; 4] = [follows_arc, closes_chain, joins_arcs, runs_along];
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for rule in RULES {
            for a in 0..graph.n_nodes {
                check(observer)?;
                // Only the edge of a and b itself changes on the way.
                let plain: Vec<usize> = nodes(graph.plain.row(a).iter().copied()).collect();
                for b in plain {
                    if rule(graph, a, b) {
                        has_changed |= graph.direct(a, b);
                    }
                }
            }
        }
    }
    Ok(())
}

/// R1: x → a - b with x and b not adjacent, so a → b (else a collider would be new).
fn follows_arc(graph: &MixedGraph, a: usize, b: usize) -> bool {
    let mut words = graph.parents.row(a).iter().zip(graph.adjacent.row(b));
    // The edge of a and b is plain, so b is none of the parents.
    words.any(|(parents, adjacent)| parents & !adjacent != 0)
}

/// R2: a → x → b, so a → b (else a cycle).
fn closes_chain(graph: &MixedGraph, a: usize, b: usize) -> bool {
    let mut words = graph.children.row(a).iter().zip(graph.parents.row(b));
    words.any(|(children, parents)| children & parents != 0)
}

/// R3: a - c → b and a - d → b with c and d not adjacent, so a → b.
fn joins_arcs(graph: &MixedGraph, a: usize, b: usize) -> bool {
    let words = graph.plain.row(a).iter().zip(graph.parents.row(b));
    let into: Vec<usize> = nodes(words.map(|(plain, parents)| plain & parents)).collect();
    let is_apart = |&c: &usize| into.iter().any(|&d| c != d && !graph.adjacent.has(c, d));
    into.iter().any(is_apart)
}

/// R4: a - c → d → b with a and d adjacent, c and b not, so a → b.
fn runs_along(graph: &MixedGraph, a: usize, b: usize) -> bool {
    let through = |d: usize| {
        let words = graph.plain.row(a).iter().zip(graph.parents.row(d));
        let mut words = words.zip(graph.adjacent.row(b));
        // Never b itself: d points to it, so it does not point to d.
        words.any(|((plain, parents), adjacent)| plain & parents & !adjacent != 0)
    };
    let words = graph.adjacent.row(a).iter().zip(graph.parents.row(b));
    nodes(words.map(|(adjacent, parents)| adjacent & parents)).any(through)
}

/// Step d: every edge that points not one way gets the direction of the larger score, given
/// the parents so far; if that closes a cycle, the other.
pub(super) fn direct_rest(
    graph: &MixedGraph,
    scorer: &FamilyScorer<'_>,
    observer: &dyn Observer,
) -> Result<Dag> {
    let mut dag = Dag::new(graph.n_nodes);
    let mut families = GrowingFamilies::new(scorer);
    let edges = graph.edges();
    for &(a, b) in &edges {
        for (from, to) in [(a, b), (b, a)] {
            if graph.children.has(from, to) {
                dag.add_arc(from, to)?;
                families.add_parent(to, from)?;
            }
        }
    }
    let n_edges = edges.len() as u64;
    for ((i, j), done) in edges.into_iter().zip(0..) {
        check(observer)?;
        observer.progress("directing edges", done, n_edges);
        if graph.children.has(i, j) || graph.children.has(j, i) {
            continue;
        }
        // ival >= jval, with what both have in common taken away.
        let is_forward = families.gain(j, i)? >= families.gain(i, j)? - TOLERANCE;
        let (from, to) = if is_forward { (i, j) } else { (j, i) };
        let (from, to) = if dag.is_reachable(to, from) {
            (to, from)
        } else {
            (from, to)
        };
        dag.add_arc(from, to)?;
        families.add_parent(to, from)?;
    }
    Ok(dag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

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
            apply_rules(&mut graph, &Silent).unwrap();
            assert!(graph.children.has(0, 1), "{rule}");
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
            apply_rules(&mut graph, &Silent).unwrap();
            assert!(graph.plain.has(0, 1), "{rule}");
        }
    }
}
