//! What speaks for the members of a learned graph's boundary, and against the others.

use super::found::{Boundary, CopyRule, Evidence, Member, Outside};
use super::fringed::{FringedGraph, Link};
use super::gains::FamilyGains;
use super::operator::{Operator, OperatorKind};
use super::rpdmb::{Rpdmb, RpdmbStep};
use crate::network::learn::FamilyScorer;
use crate::search::{Step, Stop};
use crate::{Error, Observer, Result};

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
    let mut gains = FamilyGains::new(scorer, usize::MAX, observer);
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
    let mut outside = outside(graph, &nodes, &mut gains)?;
    if matches!(found.stop, Stop::Budget | Stop::Interrupted) {
        outside.iter_mut().for_each(|(_, why)| unless_reached(why));
    }
    name_copies(found, scorer, &mut outside)?;
    Ok(Boundary {
        outside,
        roles,
        members,
        graph: graph.local_graph(),
        steps: found.steps.iter().map(step).collect(),
        moves: found.steps.iter().map(|step| step.operator).collect(),
        stop: found.stop,
        n_evaluations: found.n_scores,
    })
}

/// In a run that was cut short a link that would be good was still to come.
fn unless_reached(why: &mut Outside) {
    if matches!(why, Outside::Score { gain, .. } if *gain > 0.0) {
        *why = Outside::NotReached;
    }
}

/// A node outside that says the same as a member, or was left out for saying the same as an
/// earlier one, is a copy before anything else.
fn name_copies(
    found: &Rpdmb,
    scorer: &FamilyScorer<'_>,
    outside: &mut [(usize, Outside)],
) -> Result<()> {
    let copy_of = scorer.nodes().duplicates(found.graph.class())?;
    let members = found.graph.roles().members();
    // The first of its kind, or itself.
    let kind = |node: usize| copy_of[node].unwrap_or(node);
    for (node, why) in outside {
        let is_same = |member: &&usize| kind(**member) == kind(*node);
        let left_out = copy_of[*node].filter(|_| found.copies == CopyRule::Drop);
        let of = members.iter().find(is_same).copied().or(left_out);
        if let Some(of) = of {
            *why = Outside::Copy { of };
        }
    }
    Ok(())
}

/// A move as the coming or going of the node that it is about.
fn step(step: &RpdmbStep) -> Step {
    Step {
        action: step.operator.kind.action(),
        feature: step.operator.subject(),
        score: step.total,
    }
}

/// By how much the score falls without the links that make a node a member: its own to the
/// class, and its arcs to children of the class. What else hangs on it stays out of it.
fn loss_without(graph: &FringedGraph, node: usize, gains: &mut FamilyGains<'_, '_>) -> Result<f64> {
    let class = graph.class();
    let own = match graph.link(node) {
        Link::Child | Link::Sibling => Some((node, class)),
        Link::Parent => Some((class, node)),
        Link::Unlinked => None,
    };
    let is_parent = |child: &usize| graph.parents(*child).contains(&node);
    let shared = graph.children().filter(is_parent);
    let links = own.into_iter().chain(shared.map(|child| (child, node)));
    let mut loss = 0.0;
    for (below, above) in links {
        let parents = graph.family(below);
        let others: Vec<usize> = parents.iter().copied().filter(|&p| p != above).collect();
        loss += gains.score(below, parents)? - gains.score(below, &others)?;
    }
    Ok(loss)
}

/// What linking each other node to the class would bring.
fn outside(
    graph: &FringedGraph,
    members: &[usize],
    gains: &mut FamilyGains<'_, '_>,
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
