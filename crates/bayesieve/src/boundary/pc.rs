//! MMPC and HITON-PC: who is linked to a node, because no set separates them.
//!
//! Papers: Tsamardinos, Brown and Aliferis, 2006 (MMPC); Aliferis, Tsamardinos and Statnikov,
//! 2003 (HITON-PC).
//! MMPC: the candidate whose weakest association with the target, over all sets of members,
//! is strongest joins; a candidate that a set separates is out; at the end members that
//! others separate leave. HITON-PC: candidates join in the order of their association, and
//! members that others separate leave at once.
//! Both may keep a node that the target itself would not be kept by; so the target must also
//! be found from there (the symmetry correction), see [`pc_boundary`](super::pc_boundary).
//! Cost: for every member that joins, a pass over the rows per candidate and set of at most
//! `kmax` members.
//! Where the papers are silent: sets have at most three members; they are tried from small to
//! large, those that joined first first; a set that leaves too few rows separates nobody, but a node that
//! cannot be tested alone never joins; HITON tests a newcomer before it tests the others.

use super::found::{CopyRule, Outside};
use super::independence::{IndependenceTests, sorted};
use super::layering::Layering;
use super::pair_tests::PairTests;
use super::round::TestRound;
use crate::network::learn::advance;
use crate::search::Step;
use crate::{Observer, Result, check};

/// Sets counted in one look at rows that are not in memory.
const SETS_AT_A_TIME: usize = 256;

/// How links are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PcKind {
    /// The strongest of the weakest associations first: MMPC.
    #[default]
    MaxMin,
    /// By association alone, with members leaving on the way: HITON-PC.
    Hiton,
}

/// How links are found, and with how many nodes given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PcOptions {
    /// How links are found.
    pub kind: PcKind,
    /// The most nodes given in a test.
    pub kmax: usize,
    /// What becomes of copies.
    pub copies: CopyRule,
}

impl Default for PcOptions {
    /// MMPC with up to three nodes given, without copies.
    fn default() -> Self {
        PcOptions {
            kind: PcKind::MaxMin,
            kmax: 3,
            copies: CopyRule::Drop,
        }
    }
}

/// The nodes that take part: all but copies.
pub(super) struct Universe {
    pub(super) nodes: Vec<usize>,
    /// By node, the one it is a copy of.
    pub(super) copy_of: Vec<Option<usize>>,
}

impl Universe {
    pub(super) fn new(tests: &IndependenceTests<'_>, class: usize, rule: CopyRule) -> Result<Self> {
        let copy_of = match rule {
            CopyRule::Drop => tests.nodes().duplicates(class)?,
            CopyRule::Keep => vec![None; tests.n_nodes()],
        };
        let is_first = |&node: &usize| copy_of[node].is_none();
        Ok(Universe {
            nodes: (0..tests.n_nodes()).filter(is_first).collect(),
            copy_of,
        })
    }
}

/// A test that did not separate, and what was given.
#[derive(Debug, Clone)]
pub(super) struct Survived {
    pub(super) given: Vec<usize>,
    pub(super) ln_p: f64,
    pub(super) statistic: f64,
}

impl Survived {
    /// Whether this test came closer to separating: larger p, then smaller statistic.
    fn is_closer(&self, other: &Survived) -> bool {
        let key = |test: &Survived| {
            let ln_p = IndependenceTests::rounded_ln(test.ln_p);
            (ln_p, -test.statistic)
        };
        key(self) > key(other)
    }
}

/// The search for the nodes linked to a target, seen from the target alone.
pub(super) struct Links<'t, 'a> {
    tests: &'t IndependenceTests<'a>,
    target: usize,
    kmax: usize,
    /// In the order they joined.
    pub(super) members: Vec<usize>,
    /// By node, the test that came closest to separating it.
    pub(super) closest: Vec<Option<Survived>>,
    /// By node, why it is not linked.
    pub(super) outside: Vec<Option<Outside>>,
    pub(super) steps: Vec<Step>,
    pub(super) n_evaluations: u64,
}

impl<'t, 'a> Links<'t, 'a> {
    pub(super) fn new(tests: &'t IndependenceTests<'a>, target: usize, kmax: usize) -> Self {
        Links {
            tests,
            target,
            kmax,
            members: Vec::new(),
            closest: vec![None; tests.n_nodes()],
            outside: vec![None; tests.n_nodes()],
            steps: Vec::new(),
            n_evaluations: 0,
        }
    }

    /// Searches among the nodes of a universe.
    pub(super) fn run(
        &mut self,
        universe: &Universe,
        kind: PcKind,
        observer: &dyn Observer,
    ) -> Result<()> {
        let nodes = universe.nodes.iter().copied();
        let candidates: Vec<usize> = nodes.filter(|&node| node != self.target).collect();
        let candidates = self.test_alone(candidates, observer)?;
        match kind {
            PcKind::MaxMin => self.max_min(candidates, observer),
            PcKind::Hiton => self.hiton(candidates, observer),
        }
    }

    /// The candidates that depend on the target with nothing given.
    fn test_alone(
        &mut self,
        candidates: Vec<usize>,
        observer: &dyn Observer,
    ) -> Result<Vec<usize>> {
        let (tests, target) = (self.tests, self.target);
        let is_testable = |&node: &usize| tests.is_testable((target, node), &[]);
        let (testable, rest): (Vec<usize>, Vec<usize>) =
            candidates.into_iter().partition(is_testable);
        for node in rest {
            self.outside[node] = Some(Outside::TooFewRows { given: Vec::new() });
        }
        self.left_by(testable, &[], observer)
    }

    /// The candidates that a set does not separate from the target; rising as they were.
    fn left_by(
        &mut self,
        candidates: Vec<usize>,
        given: &[usize],
        observer: &dyn Observer,
    ) -> Result<Vec<usize>> {
        let (tests, target) = (self.tests, self.target);
        let is_testable = |&node: &usize| tests.is_testable((target, node), given);
        let testable: Vec<usize> = candidates.iter().copied().filter(is_testable).collect();
        if testable.is_empty() {
            return Ok(candidates);
        }
        let layering = Layering::of(tests, given)?;
        let round = TestRound::new(tests, target, &layering, &testable, observer)?;
        let measures = round.measures(observer)?;
        self.n_evaluations += testable.len() as u64;
        for (place, (&node, measure)) in testable.iter().zip(measures).enumerate() {
            let tail = measure.tail()?;
            if tail.p > tests.options().alpha {
                let test = round.exact(place)?;
                self.outside[node] = Some(Outside::separated(given, test));
            } else {
                self.survive(node, given, tail.ln_p, measure.statistic);
            }
        }
        let is_left = |&node: &usize| self.outside[node].is_none();
        Ok(candidates.into_iter().filter(is_left).collect())
    }

    /// Takes note of a test that did not separate.
    fn survive(&mut self, node: usize, given: &[usize], ln_p: f64, statistic: f64) {
        let survived = Survived {
            given: sorted(given),
            ln_p,
            statistic: self.tests.rounded(statistic),
        };
        let closest = &mut self.closest[node];
        if closest
            .as_ref()
            .is_none_or(|known| survived.is_closer(known))
        {
            *closest = Some(survived);
        }
    }

    fn max_min(&mut self, mut candidates: Vec<usize>, observer: &dyn Observer) -> Result<()> {
        while let Some(node) = self.strongest(&candidates) {
            check(observer)?;
            candidates.retain(|&candidate| candidate != node);
            let before = self.members.clone();
            self.join(node);
            for size in 0..self.kmax {
                let mut sets = Sets::of(&before, size);
                while let Some(rest) = sets.next().filter(|_| !candidates.is_empty()) {
                    let given = sorted(&[rest.as_slice(), &[node]].concat());
                    candidates = self.left_by(candidates, &given, observer)?;
                }
            }
        }
        // Who joined early has not been tested with those that joined later.
        for node in self.members.clone() {
            let mut later = self.members.rsplit(|&member| member == node);
            let later = later.next().unwrap_or_default().to_vec();
            if !later.is_empty() {
                self.leave_if_separated(node, &later, observer)?;
            }
        }
        Ok(())
    }

    /// The candidate whose closest test is farthest from separating it.
    fn strongest(&self, candidates: &[usize]) -> Option<usize> {
        let mut best: Option<(usize, &Survived)> = None;
        for &node in candidates {
            let Some(closest) = &self.closest[node] else {
                continue;
            };
            if best.is_none_or(|(_, known)| known.is_closer(closest)) {
                best = Some((node, closest));
            }
        }
        best.map(|(node, _)| node)
    }

    fn hiton(&mut self, mut candidates: Vec<usize>, observer: &dyn Observer) -> Result<()> {
        while let Some(node) = self.strongest(&candidates) {
            check(observer)?;
            candidates.retain(|&candidate| candidate != node);
            if self.separate(node, &[], observer)? {
                continue;
            }
            self.join(node);
            for member in self.members.clone() {
                if member != node {
                    self.leave_if_separated(member, &[node], observer)?;
                }
            }
        }
        Ok(())
    }

    fn join(&mut self, node: usize) {
        self.members.push(node);
        let ln_p = self.closest[node].as_ref().map_or(0.0, |known| known.ln_p);
        self.steps.push(Step::add(node, ln_p.exp()));
    }

    /// A member leaves if a set of the others separates it that has one of these members.
    fn leave_if_separated(
        &mut self,
        node: usize,
        having: &[usize],
        observer: &dyn Observer,
    ) -> Result<()> {
        if self.separate(node, having, observer)? {
            self.members.retain(|&member| member != node);
            let p = match &self.outside[node] {
                Some(Outside::Separated { test, .. }) => test.p,
                _ => f64::NAN,
            };
            self.steps.push(Step::remove(node, p));
        }
        Ok(())
    }

    /// Whether a set of members separates the node from the target; if any are named, only
    /// sets that have one of them are tried. With nothing given all were tested before.
    fn separate(&mut self, node: usize, having: &[usize], observer: &dyn Observer) -> Result<bool> {
        let others = self.members.iter().copied().filter(|&other| other != node);
        let others: Vec<usize> = others.collect();
        let mut tests = PairTests::new(self.tests, (self.target, node), &others);
        let is_tried = |given: &Vec<usize>| {
            having.is_empty() || having.iter().any(|node| given.contains(node))
        };
        for size in 1..=self.kmax {
            let mut sets = Sets::of(&others, size).filter(is_tried);
            let mut prepared = PreparedSets::new(self.tests, (self.target, node));
            while let Some(given) = prepared.next(&mut sets, observer)? {
                check(observer)?;
                let Some(test) = tests.test(&given)? else {
                    continue;
                };
                self.n_evaluations += 1;
                if test.is_independent(self.tests.options().alpha) {
                    self.outside[node] = Some(Outside::separated(&given, test));
                    return Ok(true);
                }
                self.survive(node, &given, test.ln_p, test.statistic);
            }
        }
        Ok(false)
    }
}

/// Sets of given nodes, those that come next counted together where a look at the rows is
/// long.
struct PreparedSets<'t, 'a> {
    tests: &'t IndependenceTests<'a>,
    pair: (usize, usize),
    sets: std::vec::IntoIter<Vec<usize>>,
}

impl<'t, 'a> PreparedSets<'t, 'a> {
    fn new(tests: &'t IndependenceTests<'a>, pair: (usize, usize)) -> Self {
        PreparedSets {
            tests,
            pair,
            sets: Vec::new().into_iter(),
        }
    }

    fn next(
        &mut self,
        sets: &mut impl Iterator<Item = Vec<usize>>,
        observer: &dyn Observer,
    ) -> Result<Option<Vec<usize>>> {
        if let Some(set) = self.sets.next() {
            return Ok(Some(set));
        }
        let n_at_a_time = if self.tests.nodes().is_in_memory() {
            1
        } else {
            SETS_AT_A_TIME
        };
        let next: Vec<Vec<usize>> = sets.take(n_at_a_time).collect();
        self.tests.prepare(self.pair, &next, observer)?;
        self.sets = next.into_iter();
        Ok(self.sets.next())
    }
}

/// All sets of so many of some nodes, in lexicographic order of their places.
struct Sets<'n> {
    nodes: &'n [usize],
    places: Option<Vec<usize>>,
}

impl<'n> Sets<'n> {
    fn of(nodes: &'n [usize], size: usize) -> Self {
        Sets {
            nodes,
            places: (size <= nodes.len()).then(|| (0..size).collect()),
        }
    }
}

impl Iterator for Sets<'_> {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let places = self.places.as_mut()?;
        let set = places.iter().map(|&place| self.nodes[place]).collect();
        if !advance(places, self.nodes.len()) {
            self.places = None;
        }
        Some(set)
    }
}
