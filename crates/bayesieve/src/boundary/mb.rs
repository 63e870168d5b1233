//! MMMB and HITON-MB: the linked nodes, and through them the parents of common children.
//!
//! Papers: Tsamardinos, Aliferis and Statnikov, 2003 (MMMB); Aliferis, Tsamardinos and
//! Statnikov, 2003 (HITON-MB); Peña, Nilsson, Björkegren and Tegnér, 2007 (the correction).
//! PC are the nodes linked to the class. For Y in PC and X in the PC of Y, X itself not in PC: X is a
//! spouse if it depends on the class given S and Y, where S separated X from the class. Y is
//! then a child of both.
//! Cost: a search for links from the class, from everyone linked to it, and from every
//! spouse.
//! Where the papers are silent: a spouse needs rows enough for its test; HITON's pruning by a
//! wrapper is left out.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::found::{Boundary, Evidence, LocalGraph, Member, MemberRoles, Outside};
use super::independence::{IndependenceTests, sorted};
use super::pc::{Links, PcOptions, Universe};
use crate::search::{Limits, Step, Stop, unless_early};
use crate::stats::IndependenceTest;
use crate::{Error, Hushed, Observer, Result};

/// Finds the Markov boundary of a node from the nodes linked to it and to those.
///
/// When the time is over, those found by then are the members.
///
/// # Errors
/// There is no such node, or a stop from outside before anything was found.
///
/// # Cost
/// A search for links from the class, from everyone linked to it, and from every spouse.
pub fn pc_boundary(
    tests: &IndependenceTests<'_>,
    class: usize,
    options: &PcOptions,
    limits: &Limits<'_>,
) -> Result<Boundary> {
    let mut search = LinkSearch::new(tests, class, options)?;
    let searched = search.run(limits);
    let has_found = !search.links.members.is_empty();
    let stop = match unless_early(searched, limits, has_found)? {
        Ok(()) => Stop::Exhausted,
        Err(early) => early,
    };
    search.finish(stop)
}

/// The links of another node, as far as the class needs them.
struct Seen {
    linked: Vec<usize>,
    /// Why the class is not linked, seen from there.
    without_class: Option<Outside>,
    n_evaluations: u64,
}

/// A node that depends on the class once a common child is given.
struct Spouse {
    node: usize,
    child: usize,
    given: Vec<usize>,
    test: IndependenceTest,
}

/// How far it is.
struct LinkSearch<'t, 'a> {
    tests: &'t IndependenceTests<'a>,
    class: usize,
    options: &'t PcOptions,
    universe: Universe,
    links: Links<'t, 'a>,
    /// The nodes linked to the class, rising.
    linked: Vec<usize>,
    seen: BTreeMap<usize, Seen>,
    spouses: Vec<Spouse>,
    steps: Vec<Step>,
    n_evaluations: u64,
}

impl<'t, 'a> LinkSearch<'t, 'a> {
    fn new(tests: &'t IndependenceTests<'a>, class: usize, options: &'t PcOptions) -> Result<Self> {
        tests.check_node(class)?;
        Ok(LinkSearch {
            tests,
            class,
            options,
            universe: Universe::new(tests, class, options.copies)?,
            links: Links::new(tests, class, options.kmax),
            linked: Vec::new(),
            seen: BTreeMap::new(),
            spouses: Vec::new(),
            steps: Vec::new(),
            n_evaluations: 0,
        })
    }

    fn run(&mut self, limits: &Limits<'_>) -> Result<()> {
        self.find_links(limits)?;
        self.check_links(limits)?;
        self.find_spouses(limits)
    }

    /// The links seen from the class.
    fn find_links(&mut self, observer: &dyn Observer) -> Result<()> {
        let kind = self.options.kind;
        let found = self.links.run(&self.universe, kind, observer);
        self.linked = sorted(&self.links.members);
        found
    }

    /// Keeps the links that are also seen from the other side.
    fn check_links(&mut self, observer: &dyn Observer) -> Result<()> {
        let linked = self.linked.clone();
        self.see(&linked, observer)?;
        for node in linked {
            let seen = self.seen.get(&node).ok_or_else(unseen)?;
            if seen.linked.contains(&self.class) {
                continue;
            }
            if let Some(Outside::Separated { test, .. }) = &seen.without_class {
                self.steps.push(Step::remove(node, test.p));
            }
            self.links.outside[node].clone_from(&seen.without_class);
            self.linked.retain(|&other| other != node);
        }
        Ok(())
    }

    /// Searches for the links of some nodes, on all threads.
    fn see(&mut self, nodes: &[usize], observer: &dyn Observer) -> Result<()> {
        let nodes: Vec<usize> = nodes
            .iter()
            .copied()
            .filter(|node| !self.seen.contains_key(node))
            .collect();
        let hushed = Hushed(observer);
        let done = std::sync::atomic::AtomicU64::new(0);
        let look = |&node: &usize| {
            let mut links = Links::new(self.tests, node, self.options.kmax);
            links.run(&self.universe, self.options.kind, &hushed)?;
            let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            observer.progress("checking links", done, nodes.len() as u64);
            let seen = Seen {
                linked: sorted(&links.members),
                without_class: links.outside[self.class].take(),
                n_evaluations: links.n_evaluations,
            };
            Ok((node, seen))
        };
        let seen: Vec<(usize, Seen)> = if self.tests.nodes().is_in_memory() {
            nodes.par_iter().map(look).collect::<Result<_>>()?
        } else {
            // A look at rows that are elsewhere keeps all threads busy by itself.
            nodes.iter().map(look).collect::<Result<_>>()?
        };
        for (node, seen) in seen {
            self.n_evaluations += seen.n_evaluations;
            self.seen.insert(node, seen);
        }
        Ok(())
    }

    /// Nodes that share a child with the class.
    fn find_spouses(&mut self, observer: &dyn Observer) -> Result<()> {
        let mut found = Vec::new();
        for &child in &self.linked {
            let seen = self.seen.get(&child).ok_or_else(unseen)?;
            for &node in &seen.linked {
                if node != self.class && self.linked.binary_search(&node).is_err() {
                    found.extend(self.spouse(node, child)?);
                }
            }
        }
        self.n_evaluations += found.len() as u64;
        let depends = |spouse: &Spouse| !spouse.test.is_independent(self.tests.options().alpha);
        found.retain(depends);
        let mut nodes: Vec<usize> = found.iter().map(|spouse| spouse.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        self.see(&nodes, observer)?;
        for spouse in found {
            let seen = self.seen.get(&spouse.node).ok_or_else(unseen)?;
            if seen.linked.contains(&spouse.child) {
                self.spouses.push(spouse);
            }
        }
        Ok(())
    }

    /// The test that makes a node a spouse, where it can be made.
    fn spouse(&self, node: usize, child: usize) -> Result<Option<Spouse>> {
        let Some(Outside::Separated { given, .. }) = &self.links.outside[node] else {
            return Ok(None);
        };
        if given.contains(&child) {
            return Ok(None); // with the child given they are independent
        }
        let given = sorted(&[given.as_slice(), &[child]].concat());
        let test = self.tests.test((self.class, node), &given)?;
        Ok(test.map(|test| Spouse {
            node,
            child,
            given,
            test,
        }))
    }

    fn finish(mut self, stop: Stop) -> Result<Boundary> {
        let roles = self.roles();
        let mut members = Vec::new();
        for node in roles.members() {
            members.push(Member {
                node,
                evidence: self.evidence(node)?,
            });
        }
        for &node in &roles.spouses {
            let tests = self.spouses.iter().filter(|spouse| spouse.node == node);
            self.steps.push(Step::add(
                node,
                tests.map(|spouse| spouse.test.p).fold(0.0, f64::max),
            ));
        }
        let is_member = |node: &usize| members.iter().any(|member| member.node == *node);
        let nodes = (0..self.tests.n_nodes()).filter(|node| *node != self.class);
        let outside: Vec<usize> = nodes.filter(|node| !is_member(node)).collect();
        let outside = outside.into_iter().map(|node| {
            let why = match self.universe.copy_of[node] {
                Some(of) => Outside::Copy { of },
                None => self.links.outside[node]
                    .take()
                    .unwrap_or(Outside::NotReached),
            };
            (node, why)
        });
        let outside = outside.collect();
        let mut steps = std::mem::take(&mut self.links.steps);
        steps.append(&mut self.steps);
        Ok(Boundary {
            graph: self.graph(&roles),
            roles,
            members,
            outside,
            steps,
            moves: Vec::new(),
            stop,
            n_evaluations: self.n_evaluations + self.links.n_evaluations,
        })
    }

    /// Who has a spouse with the class is its child; the rest is linked in some way.
    fn roles(&self) -> MemberRoles {
        let is_child = |node: &usize| self.spouses.iter().any(|spouse| spouse.child == *node);
        let (children, siblings) = self.linked.iter().partition(|node| is_child(node));
        let mut spouses: Vec<usize> = self.spouses.iter().map(|spouse| spouse.node).collect();
        spouses.sort_unstable();
        spouses.dedup();
        MemberRoles {
            children,
            siblings,
            spouses,
            ..MemberRoles::default()
        }
    }

    /// The test that came closest to separating a member.
    fn evidence(&self, node: usize) -> Result<Evidence> {
        let as_spouse = self.spouses.iter().filter(|spouse| spouse.node == node);
        let weakest = as_spouse.max_by(|x, y| x.test.ln_p.total_cmp(&y.test.ln_p));
        if let Some(Spouse { given, test, .. }) = weakest {
            let given = given.clone();
            return Ok(Evidence::Test { given, test: *test });
        }
        let Some(closest) = &self.links.closest[node] else {
            return Ok(Evidence::Untested);
        };
        let test = self.tests.test((self.class, node), &closest.given)?;
        Ok(match test {
            Some(test) => Evidence::Test {
                given: closest.given.clone(),
                test,
            },
            None => Evidence::Untested,
        })
    }

    fn graph(&self, roles: &MemberRoles) -> LocalGraph {
        let class = self.class;
        let from_class = roles.children.iter().map(|&child| (class, child));
        let from_spouses = self
            .spouses
            .iter()
            .map(|spouse| (spouse.node, spouse.child));
        let mut arcs: Vec<(usize, usize)> = from_class.chain(from_spouses).collect();
        arcs.sort_unstable();
        let siblings = roles.siblings.iter();
        let mut edges: Vec<(usize, usize)> = siblings
            .map(|&node| (node.min(class), node.max(class)))
            .collect();
        edges.sort_unstable();
        LocalGraph { arcs, edges }
    }
}

fn unseen() -> Error {
    Error::internal("the links of a node were not searched for")
}
