//! The kinds of reasons, each described once: documents name them, pages group by them, and
//! the list of what there is shows them.

use super::Reason;

/// A kind of reason: one text for documents, pages and lists.
#[derive(Debug, PartialEq, Eq)]
pub struct ReasonKind {
    /// Its name in documents.
    pub name: &'static str,
    /// Over a list of features that are out for it.
    pub title: &'static str,
    /// Behind a number of features: of one, and of more.
    pub short: [&'static str; 2],
    /// What it means, in one sentence.
    pub meaning: &'static str,
}

/// All kinds, in the order that pages show them.
pub static REASON_KINDS: [&ReasonKind; 11] = [
    &REDUNDANT,
    &IRRELEVANT,
    &WORSE_BY_ESTIMATE,
    &NOT_IN_BOUNDARY,
    &NOT_SELECTED_AT_THIS_SIZE,
    &OUTRANKED,
    &BELOW_THRESHOLD,
    &DUPLICATE,
    &CONSTANT,
    &IDENTIFIER,
    &EXCLUDED_BY_USER,
];

static REDUNDANT: ReasonKind = ReasonKind {
    name: "redundant",
    title: "Add nothing to what kept features tell",
    short: [
        "adds nothing to the kept ones",
        "add nothing to the kept ones",
    ],
    meaning: "They say something about the class, but once the kept features are known too \
              little is left to pay for learning it from these rows.",
};

static IRRELEVANT: ReasonKind = ReasonKind {
    name: "irrelevant",
    title: "Tell too little about the class",
    short: [
        "tells too little about the class",
        "tell too little about the class",
    ],
    meaning: "What they seem to tell could be chance: it is less than what learning it from \
              so many rows costs.",
};

static WORSE_BY_ESTIMATE: ReasonKind = ReasonKind {
    name: "worse-by-estimate",
    title: "Do not make predictions better",
    short: [
        "does not make predictions better",
        "do not make predictions better",
    ],
    meaning: "With them added, the estimated accuracy is lower, or no higher.",
};

static NOT_IN_BOUNDARY: ReasonKind = ReasonKind {
    name: "not-in-boundary",
    title: "Not needed once the kept features are known",
    short: ["is not in the boundary", "are not in the boundary"],
    meaning: "The kept features are the class's Markov boundary: with all of them known, \
              these tell nothing more about the class, as far as the rows can say.",
};

static NOT_SELECTED_AT_THIS_SIZE: ReasonKind = ReasonKind {
    name: "not-selected-at-this-size",
    title: "Come after the number of features that is enough",
    short: [
        "comes after the number that is enough",
        "come after the number that is enough",
    ],
    meaning: "Cross-validation found that the features before them predict about as well as any \
              larger number.",
};

static OUTRANKED: ReasonKind = ReasonKind {
    name: "outranked",
    title: "Came behind the kept ones",
    short: ["came behind the kept ones", "came behind the kept ones"],
    meaning: "The method ranks features, and others came first; or the run ended before \
              their turn.",
};

static BELOW_THRESHOLD: ReasonKind = ReasonKind {
    name: "below-threshold",
    title: "Do not pass the method's threshold",
    short: ["is below the threshold", "are below the threshold"],
    meaning: "The method's own number for them is not as good as it asks for.",
};

static DUPLICATE: ReasonKind = ReasonKind {
    name: "duplicate",
    title: "Copies of a kept feature",
    short: ["is a copy of a kept one", "are copies of kept ones"],
    meaning: "They say the same as another one in every row.",
};

static CONSTANT: ReasonKind = ReasonKind {
    name: "constant",
    title: "Always the same",
    short: ["is always the same", "are always the same"],
    meaning: "A feature with one value cannot tell rows apart.",
};

static IDENTIFIER: ReasonKind = ReasonKind {
    name: "identifier",
    title: "Identifiers of the rows",
    short: ["is an identifier", "are identifiers"],
    meaning: "They have a value of their own in nearly every row, which says nothing about other \
              rows.",
};

static EXCLUDED_BY_USER: ReasonKind = ReasonKind {
    name: "excluded-by-user",
    title: "Left out by the options",
    short: [
        "was left out by the options",
        "were left out by the options",
    ],
    meaning: "They were never looked at.",
};

impl Reason {
    /// Its kind.
    pub fn kind(&self) -> &'static ReasonKind {
        match self {
            Reason::Constant | Reason::ConstantInUsedRows => &CONSTANT,
            Reason::Duplicate { .. } => &DUPLICATE,
            Reason::Uncut => &IRRELEVANT,
            Reason::Redundant(known) if known.given.is_empty() => &IRRELEVANT,
            Reason::Redundant(_) => &REDUNDANT,
            Reason::NotSelectedAtThisSize { .. } => &NOT_SELECTED_AT_THIS_SIZE,
            Reason::Outranked { .. } | Reason::NotReached => &OUTRANKED,
            Reason::BelowThreshold { .. }
            | Reason::WeakBlock(_)
            | Reason::NoGain { .. }
            | Reason::NotSignificant { .. } => &BELOW_THRESHOLD,
            Reason::WorseByEstimate { .. } => &WORSE_BY_ESTIMATE,
            Reason::NotInBoundary { .. } => &NOT_IN_BOUNDARY,
            Reason::Identifier { .. } => &IDENTIFIER,
            Reason::ExcludedByUser => &EXCLUDED_BY_USER,
        }
    }

    /// Its name in documents.
    pub fn name(&self) -> &'static str {
        self.kind().name
    }
}
