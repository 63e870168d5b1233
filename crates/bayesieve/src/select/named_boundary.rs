//! A Markov boundary with the names of its features.

use crate::boundary::{Boundary, Evidence};
use crate::printable;
use crate::stats::IndependenceTest;

/// What the members of the class's Markov boundary are to it, and what speaks for them.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedBoundary {
    /// The members, in column order.
    pub members: Vec<NamedMember>,
    /// Arcs (from, to) of the learned graph around the class.
    pub arcs: Vec<(String, String)>,
    /// Its edges whose direction nothing tells.
    pub edges: Vec<(String, String)>,
}

/// A member, what it is to the class, and what speaks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedMember {
    /// Its name.
    pub feature: String,
    /// What it is to the class.
    pub role: Role,
    /// What speaks for it.
    pub evidence: NamedEvidence,
}

/// What a member of a boundary is to the class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// An arc goes from it to the class.
    Parent,
    /// An arc goes from the class to it.
    Child,
    /// Linked to the class, and nothing tells which way.
    Sibling,
    /// A parent of one of the class's children, not linked to the class.
    Spouse,
    /// The method does not tell.
    Open,
}

impl Role {
    /// All roles, in the order they are listed.
    pub const ALL: [Role; 5] = [
        Role::Parent,
        Role::Child,
        Role::Sibling,
        Role::Spouse,
        Role::Open,
    ];

    /// One word for one member.
    pub fn name(self) -> &'static str {
        match self {
            Role::Parent => "parent",
            Role::Child => "child",
            Role::Sibling => "sibling",
            Role::Spouse => "spouse",
            Role::Open => "member",
        }
    }

    /// The name of the list of all such members in documents.
    pub fn plural(self) -> &'static str {
        match self {
            Role::Parent => "parents",
            Role::Child => "children",
            Role::Sibling => "siblings",
            Role::Spouse => "spouses",
            Role::Open => "open",
        }
    }
}

/// What speaks for a member.
#[derive(Debug, Clone, PartialEq)]
pub enum NamedEvidence {
    /// Without its links to the class and to children of the class the score of the graph is
    /// smaller by so many nats.
    Score {
        /// The loss.
        loss: f64,
    },
    /// Of all tests that could have separated it from the class the one that came closest.
    Test {
        /// The features held fixed.
        given: Vec<String>,
        /// The test.
        test: IndependenceTest,
    },
    /// No test of it had enough rows, or the run ended before.
    Untested,
}

impl NamedEvidence {
    /// What speaks for a member, in a few words.
    ///
    /// # Example
    /// ```
    /// use bayesieve::select::NamedEvidence;
    ///
    /// let evidence = NamedEvidence::Score { loss: 12.5 };
    /// assert_eq!(evidence.sentence(), "its links are worth 12.5000 nats");
    /// ```
    pub fn sentence(&self) -> String {
        match self {
            NamedEvidence::Score { loss } if *loss < 0.0 => {
                format!("the score is {} nats better without it", digits(-loss))
            }
            NamedEvidence::Score { loss } => {
                format!("its links are worth {} nats", digits(*loss))
            }
            NamedEvidence::Test { given, test } => {
                let given: Vec<String> = given.iter().map(|name| printable(name, 32)).collect();
                let given = match given.as_slice() {
                    [] => String::new(),
                    names => format!(" given {}", names.join(", ")),
                };
                // Smaller than any number is not nothing.
                let p = match test.p {
                    0.0 => "p < 1e-300".into(),
                    p => format!("p = {}", digits(p)),
                };
                format!("{p}{given}")
            }
            NamedEvidence::Untested => "too few rows or too little time to test it".into(),
        }
    }
}

/// Four digits behind the point for numbers of a readable size.
fn digits(x: f64) -> String {
    match x {
        x if x.is_nan() => "not known in time".into(),
        x if x != 0.0 && x.abs() < 0.001 => format!("{x:.2e}"),
        x => format!("{x:.4}"),
    }
}

impl NamedBoundary {
    /// Names the nodes of a boundary.
    pub(super) fn new(boundary: &Boundary, names: &[&str]) -> Self {
        let name = |node: usize| names.get(node).copied().unwrap_or_default().to_owned();
        let pairs = |pairs: &[(usize, usize)]| -> Vec<(String, String)> {
            let pairs = pairs.iter();
            pairs.map(|&(from, to)| (name(from), name(to))).collect()
        };
        let roles = &boundary.roles;
        let role = |node: &usize| match node {
            node if roles.parents.contains(node) => Role::Parent,
            node if roles.children.contains(node) => Role::Child,
            node if roles.siblings.contains(node) => Role::Sibling,
            node if roles.spouses.contains(node) => Role::Spouse,
            _ => Role::Open,
        };
        let members = boundary.members.iter().map(|member| NamedMember {
            feature: name(member.node),
            role: role(&member.node),
            evidence: match &member.evidence {
                Evidence::Score { loss } => NamedEvidence::Score { loss: *loss },
                Evidence::Test { given, test } => NamedEvidence::Test {
                    given: given.iter().map(|&node| name(node)).collect(),
                    test: *test,
                },
                Evidence::Untested => NamedEvidence::Untested,
            },
        });
        NamedBoundary {
            members: members.collect(),
            arcs: pairs(&boundary.graph.arcs),
            edges: pairs(&boundary.graph.edges),
        }
    }

    /// The members of a role, in column order.
    pub fn of_role(&self, role: Role) -> Vec<&str> {
        let members = self.members.iter().filter(|member| member.role == role);
        members.map(|member| member.feature.as_str()).collect()
    }

    /// A member by name.
    pub fn member(&self, feature: &str) -> Option<&NamedMember> {
        self.members.iter().find(|member| member.feature == feature)
    }
}
