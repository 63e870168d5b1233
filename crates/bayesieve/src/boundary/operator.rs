//! The fourteen moves between fringed C-RPDAGs.

use std::fmt;

use crate::search::Action;

/// What a move does. The order settles ties between moves of equal gain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OperatorKind {
    /// x - C.
    AddSibling,
    /// x → C ← z, for a sibling z; the other siblings become children.
    AddHeadToHead,
    /// x → C, for a class that has parents.
    AddParent,
    /// C → x, where the class or x has parents.
    AddChild,
    /// x → y ← C, for a sibling y.
    AddHeadToHeadOfChild,
    /// x → y, for a child y.
    AddParentOfChild,
    /// x → y, for a child or sibling x and a y not linked to the class: a fringe arc.
    AddChildOfChild,
    /// No x - C.
    DropSibling,
    /// No x → C, for one of two parents: the other one and what no head-to-head holds any
    /// longer become siblings.
    DropHeadToHead,
    /// No x → C, for one of three or more parents.
    DropParent,
    /// No C → x.
    DropChild,
    /// No x → y, for a child y that stays one.
    DropParentOfChild,
    /// No x → y, for a child y that becomes a sibling.
    DropHeadToHeadOfChild,
    /// No fringe arc x → y.
    DropChildOfChild,
}

impl OperatorKind {
    /// Its name in documents: as the paper writes it.
    pub fn name(self) -> &'static str {
        match self {
            OperatorKind::AddSibling => "A_Sibling",
            OperatorKind::AddHeadToHead => "A_HH",
            OperatorKind::AddParent => "A_Parent",
            OperatorKind::AddChild => "A_Child",
            OperatorKind::AddHeadToHeadOfChild => "A_HHOfChild",
            OperatorKind::AddParentOfChild => "A_ParentOfChild",
            OperatorKind::AddChildOfChild => "A_ChildOfChild",
            OperatorKind::DropSibling => "D_Sibling",
            OperatorKind::DropHeadToHead => "D_HH",
            OperatorKind::DropParent => "D_Parent",
            OperatorKind::DropChild => "D_Child",
            OperatorKind::DropParentOfChild => "D_ParentOfChild",
            OperatorKind::DropHeadToHeadOfChild => "D_HHOfChild",
            OperatorKind::DropChildOfChild => "D_ChildOfChild",
        }
    }

    /// Whether it puts a link in or takes one out.
    pub fn action(self) -> Action {
        match self {
            OperatorKind::AddSibling
            | OperatorKind::AddHeadToHead
            | OperatorKind::AddParent
            | OperatorKind::AddChild
            | OperatorKind::AddHeadToHeadOfChild
            | OperatorKind::AddParentOfChild
            | OperatorKind::AddChildOfChild => Action::Add,
            _ => Action::Remove,
        }
    }

    /// Whether it changes a link of the class; the others change arcs between features.
    pub fn is_of_class(self) -> bool {
        matches!(
            self,
            OperatorKind::AddSibling
                | OperatorKind::AddHeadToHead
                | OperatorKind::AddParent
                | OperatorKind::AddChild
                | OperatorKind::DropSibling
                | OperatorKind::DropHeadToHead
                | OperatorKind::DropParent
                | OperatorKind::DropChild
        )
    }
}

impl fmt::Display for OperatorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A move: what, for which node, and with which other one.
///
/// They are ordered as ties are settled: by kind, then x, then the other node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Operator {
    /// What it does.
    pub kind: OperatorKind,
    /// The node whose link changes.
    pub x: usize,
    /// The sibling or child that takes part; the class where there is none.
    pub other: usize,
}

impl Operator {
    /// The node that comes or goes: the lower end of a fringe arc, else x.
    pub fn subject(self) -> usize {
        match self.kind {
            OperatorKind::AddChildOfChild | OperatorKind::DropChildOfChild => self.other,
            _ => self.x,
        }
    }

    /// The other node that takes part; the class where there is none.
    pub fn partner(self) -> usize {
        match self.kind {
            OperatorKind::AddChildOfChild | OperatorKind::DropChildOfChild => self.x,
            _ => self.other,
        }
    }

    /// The two nodes whose link it changes; first the class or the one that is near it.
    pub(super) fn link(self, class: usize) -> (usize, usize) {
        match self.kind {
            OperatorKind::AddChildOfChild | OperatorKind::DropChildOfChild => (self.x, self.other),
            kind if kind.is_of_class() => (class, self.x),
            _ => (self.other, self.x),
        }
    }
}
