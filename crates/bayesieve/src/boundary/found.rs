//! What a boundary method came back with.

use serde::Deserialize;

use super::independence::sorted;
use super::operator::Operator;
use crate::search::{Step, Stop};
use crate::stats::IndependenceTest;

/// What becomes of columns that say the same as another in every row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CopyRule {
    /// Only the first of them is looked at.
    #[default]
    Drop,
    /// All are looked at.
    Keep,
}

/// A Markov boundary, what speaks for its members, and why every other node is outside.
#[derive(Debug, Clone, PartialEq)]
pub struct Boundary {
    /// What the members are to the class.
    pub roles: MemberRoles,
    /// The members with what speaks for them, rising.
    pub members: Vec<Member>,
    /// Every other node but the class, rising, and why it is not a member.
    pub outside: Vec<(usize, Outside)>,
    /// The learned graph around the class; empty where a method learns none.
    pub graph: LocalGraph,
    /// Who came and went, as far as the method reports it; of tests the score is p.
    pub steps: Vec<Step>,
    /// The move behind every step, where a graph is searched; none else.
    pub moves: Vec<Operator>,
    /// Why the method ended.
    pub stop: Stop,
    /// How many tests or local scores it took.
    pub n_evaluations: u64,
}

/// What the members of a boundary are to the class: every list rises, and nobody is in two.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemberRoles {
    /// Arcs go from them to the class.
    pub parents: Vec<usize>,
    /// Arcs go from the class to them.
    pub children: Vec<usize>,
    /// Linked to the class, and nothing tells which way.
    pub siblings: Vec<usize>,
    /// Parents of the class's children that are not linked to the class themselves.
    pub spouses: Vec<usize>,
    /// Members whose role the method does not tell.
    pub open: Vec<usize>,
}

impl MemberRoles {
    /// All members, rising.
    ///
    /// # Example
    /// ```
    /// use bayesieve::boundary::MemberRoles;
    ///
    /// let roles = MemberRoles { children: vec![1, 4], spouses: vec![2], ..MemberRoles::default() };
    /// assert_eq!(roles.members(), [1, 2, 4]);
    /// ```
    pub fn members(&self) -> Vec<usize> {
        let lists = [
            &self.parents,
            &self.children,
            &self.siblings,
            &self.spouses,
            &self.open,
        ];
        let mut members: Vec<usize> = lists.into_iter().flatten().copied().collect();
        members.sort_unstable();
        members.dedup();
        members
    }
}

/// A member and what speaks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The node.
    pub node: usize,
    /// What speaks for it.
    pub evidence: Evidence,
}

/// What speaks for a member.
#[derive(Debug, Clone, PartialEq)]
pub enum Evidence {
    /// Without its links to the class and to children of the class the score of the graph is
    /// smaller by so many nats.
    Score {
        /// The loss, mostly positive.
        loss: f64,
    },
    /// Of all tests that could have separated it from the class the one that came closest; by
    /// IAMB the last one, given the other members.
    Test {
        /// The nodes held fixed.
        given: Vec<usize>,
        /// The test.
        test: IndependenceTest,
    },
    /// No test of it had enough rows, or the run ended before it was looked at again.
    Untested,
}

/// Why a node is not a member.
#[derive(Debug, Clone, PartialEq)]
pub enum Outside {
    /// A test found it independent of the class.
    Separated {
        /// The nodes held fixed: the separating set, rising.
        given: Vec<usize>,
        /// The test.
        test: IndependenceTest,
    },
    /// It depends on the class with these nodes held fixed, but the method ended before it could
    /// join: another candidate came first and did not.
    Dependent {
        /// The nodes held fixed, rising.
        given: Vec<usize>,
        /// The test.
        test: IndependenceTest,
    },
    /// There are too few rows for a test of it with these nodes held fixed.
    TooFewRows {
        /// The nodes held fixed, rising.
        given: Vec<usize>,
    },
    /// Linking it to the class would make the score of the graph better by so many nats:
    /// negative where worse; positive where that is less than the search asks for, or it had
    /// ruled the link out before.
    Score {
        /// The gain.
        gain: f64,
        /// The members it hangs on in the learned graph, rising; none where it hangs on none.
        through: Vec<usize>,
    },
    /// It says the same as this node in every row, and one of them was enough to look at.
    Copy {
        /// The other.
        of: usize,
    },
    /// The run ended before it was looked at.
    NotReached,
}

impl Outside {
    /// A test with these nodes held fixed found it independent.
    pub(super) fn separated(given: &[usize], test: IndependenceTest) -> Self {
        Outside::Separated {
            given: sorted(given),
            test,
        }
    }
}

/// The part of a network around the class, as far as it was learned.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LocalGraph {
    /// Arcs (from, to), rising.
    pub arcs: Vec<(usize, usize)>,
    /// Edges whose direction nothing tells, the lower node first, rising.
    pub edges: Vec<(usize, usize)>,
}
