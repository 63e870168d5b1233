//! What speaks for the members of a learned graph's boundary, and against the others.

use super::found::{Boundary, Evidence, Member, Outside};
use super::fringed::{FringedGraph, Link};
use super::gains::Gains;
use super::operator::{Operator, OperatorKind};
use super::rpdmb::{Rpdmb, RpdmbStep};
use super::sweep::deletions;
use crate::error::{Error, Result};
use crate::network::learn::FamilyScorer;
use crate::observer::Observer;
use crate::search::Step;

pub(super) fn boundary(
    found: &Rpdmb,
    scorer: &FamilyScorer<'_>,
    observer: &dyn Observer,
) -> Result<Boundary> {
    let graph = &found.graph;
    if graph.n_nodes() != scorer.n_nodes() {
        return Err(Error::internal(format!(
            "a graph of {} nodes for {} columns",
            graph.n_nodes(),
            scorer.n_nodes()
        )));
    }
    // What was found fits; what is asked in addition has at most one parent more.
    let mut gains = Gains::new(scorer, usize::MAX, observer);
    let roles = graph.roles();
    let nodes = roles.members();
    let mut members = Vec::with_capacity(nodes.len());
    for &node in &nodes {
        let loss = loss_without(graph, node, &mut gains)?;
        members.push(Member {
            node,
            evidence: Evidence::Score { loss },
        });
    }
    Ok(Boundary {
        outside: outside(graph, &nodes, &mut gains)?,
        roles,
        members,
        graph: graph.local_graph(),
        steps: found.steps.iter().map(step).collect(),
        moves: found.steps.iter().map(|step| step.operator).collect(),
        stop: found.stop,
        n_evaluations: found.n_scores,
    })
}

/// A move as the coming or going of the node that it is about.
fn step(step: &RpdmbStep) -> Step {
    Step {
        action: step.operator.kind.action(),
        feature: step.operator.subject(),
        score: step.total,
    }
}

/// By how much the score falls when every link that makes a node a member is taken out: its
/// arcs to children of the class first, then its own link.
fn loss_without(graph: &FringedGraph, node: usize, gains: &mut Gains<'_, '_>) -> Result<f64> {
    let mut left = graph.clone();
    let mut loss = 0.0;
    while let Some(operator) = next_out(&left, node) {
        loss -= gains.of_move(&left, operator)?.unwrap_or_default();
        left.apply(operator)?;
    }
    Ok(loss)
}

fn next_out(graph: &FringedGraph, node: usize) -> Option<Operator> {
    let mut moves = deletions(graph);
    moves.retain(|operator| operator.x == node && operator.kind != OperatorKind::DropChildOfChild);
    moves
        .into_iter()
        .min_by_key(|operator| operator.kind.is_of_class())
}

/// What linking each other node to the class would bring.
fn outside(
    graph: &FringedGraph,
    members: &[usize],
    gains: &mut Gains<'_, '_>,
) -> Result<Vec<(usize, Outside)>> {
    let class = graph.class();
    let is_outside = |&x: &usize| x != class && members.binary_search(&x).is_err();
    let nodes: Vec<usize> = (0..graph.n_nodes()).filter(is_outside).collect();
    let is_free = |&x: &usize| graph.parents(x).is_empty();
    let (free, hanging): (Vec<usize>, Vec<usize>) = nodes.iter().partition(|&x| is_free(x));
    let alone = gains.of_each(&free, &[])?;
    let alone: Vec<f64> = free.iter().map(|&x| alone[x]).collect();
    let below = gains.of_each(&free, &[class])?;
    // An edge or an arc from the class; where the class has parents also one more of them.
    let mut gain: Vec<f64> = free
        .iter()
        .zip(alone)
        .map(|(&x, alone)| below[x] - alone)
        .collect();
    let parents = graph.parents(class);
    if !parents.is_empty() {
        let before = gains.score(class, parents)?;
        let above = gains.with_each(class, parents, &free)?;
        for (gain, &x) in gain.iter_mut().zip(&free) {
            *gain = gain.max(above[x] - before);
        }
    }
    let mut found: Vec<(usize, Outside)> = free
        .into_iter()
        .zip(gain)
        .map(|(x, gain)| {
            let through = Vec::new();
            (x, Outside::Score { gain, through })
        })
        .collect();
    for x in hanging {
        debug_assert_eq!(graph.link(x), Link::Unlinked);
        let operator = Operator {
            kind: OperatorKind::AddChild,
            x,
            other: class,
        };
        let gain = gains.of_move(graph, operator)?.unwrap_or_default();
        let through = graph.parents(x).to_vec();
        found.push((x, Outside::Score { gain, through }));
    }
    found.sort_unstable_by_key(|&(x, _)| x);
    Ok(found)
}
