//! IAMB and Inter-IAMB: a boundary that grows by the strongest association and shrinks again.
//!
//! Paper: Tsamardinos, Aliferis and Statnikov, 2003.
//! Growing: the node most associated with the class given the members joins, while a test
//! says that it depends on the class. Shrinking: a member that is independent of the class
//! given the others leaves. IAMB shrinks at the end, Inter-IAMB after every node that joins.
//! Cost: a pass over the rows per candidate and round, O(n k N), by bitmaps where the groups
//! are few; the tests of shrinking share one table.
//! Where the paper is silent: the strongest association is the smallest p, then the largest
//! G2, then the lowest column, so that nodes of many values and few compare fairly
//! (`Association::Information` is the paper's); a test with fewer than five rows per cell
//! adds nobody and removes nobody; members are looked at in the order they joined, and again
//! from the first after one has left; a set of members that comes back ends it.
//!
//! Tsamardinos, I., Aliferis, C. and Statnikov, A. (2003). Algorithms for large scale Markov
//! blanket discovery. FLAIRS, 376-381.

use std::collections::HashSet;

use super::found::{Boundary, CopyRule, Evidence, LocalGraph, Member, MemberRoles, Outside};
use super::independence::{IndependenceTests, sorted};
use super::joint::Joint;
use super::layering::Layering;
use super::round::{GMeasure, TestRound};
use crate::search::{Limits, Step, Stop, unless_early};
use crate::stats::IndependenceTest;
use crate::{Observer, Result, check};

/// When members may leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Shrinking {
    /// When nobody joins any more: IAMB.
    #[default]
    AtTheEnd,
    /// After everyone that joins: Inter-IAMB.
    EveryRound,
}

/// What makes an association strong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Association {
    /// A small p of the G test.
    #[default]
    P,
    /// Much information about the class, as the paper has it.
    Information,
}

/// How IAMB goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IambOptions {
    /// When members may leave.
    pub shrinking: Shrinking,
    /// Who joins first.
    pub association: Association,
    /// What becomes of copies.
    pub copies: CopyRule,
}

/// Finds the Markov boundary of a node by growing and shrinking.
///
/// When the time is over, those that have joined by then are the members.
///
/// # Errors
/// There is no such node, or a stop from outside before anybody had joined.
///
/// # Cost
/// A pass over the rows per candidate and round.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::boundary::{IambOptions, IndependenceTests, TestOptions, iamb};
/// use bayesieve::counts::CountColumn;
/// use bayesieve::data::Codes;
/// use bayesieve::search::Limits;
///
/// // Bits of the row's number, and a class that is the first of them in most rows.
/// let bit = |bit: u32| Codes::new(2, (0..64).map(|row| Some(row >> bit & 1)));
/// let class = Codes::new(2, (0..64).map(|row| Some(if row < 8 { 0 } else { row & 1 })));
/// let columns = [bit(0), bit(1), class];
/// let columns = columns.each_ref().map(|codes| CountColumn { codes, n_values: 2 });
/// let tests = IndependenceTests::new(&columns, TestOptions::default())?;
/// let boundary = iamb(&tests, 2, &IambOptions::default(), &Limits::new(&Silent))?;
/// assert_eq!(boundary.roles.open, [0]);
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn iamb(
    tests: &IndependenceTests<'_>,
    class: usize,
    options: &IambOptions,
    limits: &Limits<'_>,
) -> Result<Boundary> {
    tests.check_node(class)?;
    let mut walk = IambWalk::new(tests, class, options)?;
    let walked = walk.run(limits);
    let stop = match unless_early(walked, limits, !walk.members.is_empty())? {
        Ok(stop) => stop,
        Err(early) => early,
    };
    Ok(walk.finish(stop))
}

/// How far it is.
struct IambWalk<'t, 'a> {
    tests: &'t IndependenceTests<'a>,
    class: usize,
    options: &'t IambOptions,
    /// In the order they joined.
    members: Vec<usize>,
    /// The last test of every member given the others, by node.
    evidence: Vec<Option<(Vec<usize>, IndependenceTest)>>,
    /// Why a node is not a member, as far as that is known.
    outside: Vec<Option<Outside>>,
    steps: Vec<Step>,
    n_evaluations: u64,
}

/// The end of growing: the best candidate's p, or nobody to test.
enum Grown {
    Joined,
    Ended(Stop),
}

impl<'t, 'a> IambWalk<'t, 'a> {
    fn new(
        tests: &'t IndependenceTests<'a>,
        class: usize,
        options: &'t IambOptions,
    ) -> Result<Self> {
        let n_nodes = tests.n_nodes();
        let mut outside = vec![None; n_nodes];
        if options.copies == CopyRule::Drop {
            let copy_of = tests.nodes().duplicates(class)?;
            for (outside, of) in outside.iter_mut().zip(copy_of) {
                *outside = of.map(|of| Outside::Copy { of });
            }
        }
        Ok(IambWalk {
            tests,
            class,
            options,
            members: Vec::new(),
            evidence: vec![None; n_nodes],
            outside,
            steps: Vec::new(),
            n_evaluations: 0,
        })
    }

    fn run(&mut self, limits: &Limits<'_>) -> Result<Stop> {
        let mut seen = HashSet::new();
        seen.insert(Vec::new());
        let mut layering = Layering::of(self.tests, &[])?;
        let stop = loop {
            match self.grow(&layering, limits)? {
                Grown::Ended(stop) => break stop,
                Grown::Joined => {}
            }
            let joined = self.members[self.members.len() - 1];
            if self.options.shrinking == Shrinking::EveryRound {
                self.shrink(limits)?;
                let mut set = self.members.clone();
                set.sort_unstable();
                if !seen.insert(set) {
                    break Stop::NoImprovement;
                }
            }
            layering = match self.members.strip_suffix(&[joined]) {
                Some(before) if *before == layering.nodes => layering.split(self.tests, joined)?,
                _ => Layering::of(self.tests, &self.members)?,
            };
        };
        self.shrink(limits)?;
        self.explain_rest(limits)?;
        Ok(stop)
    }

    /// Nodes that are neither members nor copies, rising.
    fn candidates(&self) -> Vec<usize> {
        let is_open = |&node: &usize| {
            let is_copy = matches!(self.outside[node], Some(Outside::Copy { .. }));
            node != self.class && !is_copy && !self.members.contains(&node)
        };
        (0..self.tests.n_nodes()).filter(is_open).collect()
    }

    /// Lets the strongest candidate join, if it depends on the class.
    fn grow(&mut self, given: &Layering, limits: &Limits<'_>) -> Result<Grown> {
        check(limits)?;
        let (candidates, untestable) = self.testable(&given.nodes);
        let round = TestRound::new(self.tests, self.class, given, &candidates, limits)?;
        let measures = round.measures(limits)?;
        self.n_evaluations += candidates.len() as u64;
        let alpha = self.tests.options().alpha;
        let stop = match self.strongest(&round, &candidates, &measures)? {
            None if untestable.is_empty() => Stop::Exhausted,
            None => Stop::TooFewRows,
            Some((place, test)) if !test.is_independent(alpha) => {
                self.join(candidates[place], &given.nodes, test, limits);
                return Ok(Grown::Joined);
            }
            Some((_, test)) => Stop::NotSignificant { p: test.p, alpha },
        };
        for (place, &node) in candidates.iter().enumerate() {
            let test = round.exact(place)?;
            self.outside[node] = Some(self.left_out(&given.nodes, test));
        }
        for node in untestable {
            let given = sorted(&given.nodes);
            self.outside[node] = Some(Outside::TooFewRows { given });
        }
        Ok(Grown::Ended(stop))
    }

    /// Candidates with rows enough for a test given these nodes, and those without.
    fn testable(&self, given: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let candidates = self.candidates().into_iter();
        candidates.partition(|&node| self.tests.is_testable((self.class, node), given))
    }

    fn join(&mut self, node: usize, given: &[usize], test: IndependenceTest, limits: &Limits<'_>) {
        self.members.push(node);
        self.evidence[node] = Some((sorted(given), test));
        self.outside[node] = None;
        self.steps.push(Step::add(node, test.p));
        let n_members = self.members.len() as u64;
        limits.progress("growing the boundary", n_members, 0);
    }

    /// The place of the candidate most associated with the class, and its test.
    fn strongest(
        &self,
        round: &TestRound<'_, '_>,
        candidates: &[usize],
        measures: &[GMeasure],
    ) -> Result<Option<(usize, IndependenceTest)>> {
        // Among equal degrees of freedom the largest statistic has the smallest p.
        let mut best_of: Vec<(u64, f64, usize)> = Vec::new();
        for (place, measure) in measures.iter().enumerate() {
            let freedom = match self.options.association {
                Association::P => measure.degrees_of_freedom.to_bits(),
                Association::Information => 0,
            };
            let statistic = self.tests.rounded(measure.statistic);
            match best_of.iter_mut().find(|best| best.0 == freedom) {
                None => best_of.push((freedom, statistic, place)),
                Some(best) if statistic > best.1 => *best = (freedom, statistic, place),
                Some(_) => {}
            }
        }
        let mut best: Option<(f64, f64, usize)> = None;
        for (_, statistic, place) in best_of {
            let ln_p = IndependenceTests::rounded_ln(measures[place].tail()?.ln_p);
            let is_better = best.is_none_or(|(known, most, other)| {
                (ln_p, -statistic, candidates[place]) < (known, -most, candidates[other])
            });
            if is_better {
                best = Some((ln_p, statistic, place));
            }
        }
        let tested = best.map(|(_, _, place)| Ok((place, round.exact(place)?)));
        tested.transpose()
    }

    /// Lets members leave that are independent of the class given the others.
    fn shrink(&mut self, limits: &Limits<'_>) -> Result<()> {
        let alpha = self.tests.options().alpha;
        'again: loop {
            check(limits)?;
            let joint = Joint::new(self.tests, self.class, &self.members)?;
            for (place, &member) in self.members.iter().enumerate() {
                let Some(test) = joint.test(member)? else {
                    self.evidence[member] = None;
                    continue;
                };
                self.n_evaluations += 1;
                let mut given = self.members.clone();
                given.remove(place);
                if test.is_independent(alpha) {
                    self.steps.push(Step::remove(member, test.p));
                    self.outside[member] = Some(Outside::separated(&given, test));
                    self.members = given;
                    continue 'again;
                }
                self.evidence[member] = Some((sorted(&given), test));
            }
            return Ok(());
        }
    }

    /// Tests the nodes of which nothing is known: those of an end by repetition.
    fn explain_rest(&mut self, limits: &Limits<'_>) -> Result<()> {
        let (candidates, untestable) = self.testable(&self.members);
        let is_open = |node: &usize| self.outside[*node].is_none();
        let candidates: Vec<usize> = candidates.into_iter().filter(is_open).collect();
        let untestable: Vec<usize> = untestable.into_iter().filter(is_open).collect();
        if !candidates.is_empty() {
            let given = Layering::of(self.tests, &self.members)?;
            let round = TestRound::new(self.tests, self.class, &given, &candidates, limits)?;
            for (place, &node) in candidates.iter().enumerate() {
                check(limits)?;
                let test = round.exact(place)?;
                self.outside[node] = Some(self.left_out(&self.members, test));
            }
        }
        for node in untestable {
            let given = sorted(&self.members);
            self.outside[node] = Some(Outside::TooFewRows { given });
        }
        Ok(())
    }

    /// Why a candidate that was tested is not in when growing has ended.
    fn left_out(&self, given: &[usize], test: IndependenceTest) -> Outside {
        if test.is_independent(self.tests.options().alpha) {
            Outside::separated(given, test)
        } else {
            Outside::Dependent {
                given: sorted(given),
                test,
            }
        }
    }

    fn finish(mut self, stop: Stop) -> Boundary {
        let open = sorted(&self.members);
        let is_early = matches!(stop, Stop::Budget | Stop::Interrupted);
        let members = open.iter().map(|&node| Member {
            node,
            evidence: match self.evidence[node].take().filter(|_| !is_early) {
                Some((given, test)) => Evidence::Test { given, test },
                None => Evidence::Untested,
            },
        });
        let members = members.collect();
        let is_outside = |node: &usize| *node != self.class && !open.contains(node);
        let outside = (0..self.tests.n_nodes()).filter(is_outside);
        let outside = outside.map(|node| {
            let why = self.outside[node].take();
            (node, why.unwrap_or(Outside::NotReached))
        });
        Boundary {
            outside: outside.collect(),
            members,
            roles: MemberRoles {
                open: open.clone(),
                ..MemberRoles::default()
            },
            graph: LocalGraph::default(),
            steps: self.steps,
            moves: Vec::new(),
            stop,
            n_evaluations: self.n_evaluations,
        }
    }
}
