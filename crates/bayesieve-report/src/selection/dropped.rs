//! Dropped features, grouped by why they are out.

use bayesieve::select::{DroppedFeature, Reason, Selection};
use bayesieve::wording::counted;

use crate::html::Html;
use crate::page::{more, section};
use crate::table::{PageCell, PageTable};

/// Features of a group that are listed.
const MAX_LISTED: usize = 40;

/// Why features are out, in the words of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReasonGroup {
    /// As the reason is called in documents.
    name: &'static str,
    title: &'static str,
    /// Behind a number: of one, and of more.
    short: [&'static str; 2],
    meaning: &'static str,
}

/// All groups, in the order of the page.
const GROUPS: [ReasonGroup; 9] = [
    ReasonGroup {
        name: "redundant",
        title: "Add nothing to what kept features tell",
        short: [
            "adds nothing to the kept ones",
            "add nothing to the kept ones",
        ],
        meaning: "They say something about the class, but once the kept features are known too \
                  little is left to pay for learning it from these rows.",
    },
    ReasonGroup {
        name: "irrelevant",
        title: "Tell too little about the class",
        short: [
            "tells too little about the class",
            "tell too little about the class",
        ],
        meaning: "What they seem to tell could be chance: it is less than what learning it from \
                  so many rows costs.",
    },
    ReasonGroup {
        name: "worse-by-estimate",
        title: "Do not make predictions better",
        short: [
            "does not make predictions better",
            "do not make predictions better",
        ],
        meaning: "With them added, the estimated accuracy is lower, or no higher.",
    },
    ReasonGroup {
        name: "not-in-boundary",
        title: "Not needed once the kept features are known",
        short: ["is not in the boundary", "are not in the boundary"],
        meaning: "The kept features are the class's Markov boundary: with all of them known, \
                  these tell nothing more about the class, as far as the rows can say.",
    },
    ReasonGroup {
        name: "outranked",
        title: "Came behind the kept ones",
        short: ["came behind the kept ones", "came behind the kept ones"],
        meaning: "The method ranks features, and others came first; or the run ended before \
                  their turn.",
    },
    ReasonGroup {
        name: "below-threshold",
        title: "Do not pass the method's threshold",
        short: ["is below the threshold", "are below the threshold"],
        meaning: "The method's own number for them is not as good as it asks for.",
    },
    ReasonGroup {
        name: "duplicate",
        title: "Copies of a kept feature",
        short: ["is a copy of a kept one", "are copies of kept ones"],
        meaning: "They say the same as another one in every row.",
    },
    ReasonGroup {
        name: "constant",
        title: "Always the same",
        short: ["is always the same", "are always the same"],
        meaning: "A feature with one value cannot tell rows apart.",
    },
    ReasonGroup {
        name: "excluded-by-user",
        title: "Left out by the options",
        short: [
            "was left out by the options",
            "were left out by the options",
        ],
        meaning: "They were never looked at.",
    },
];

/// For reasons that this page does not know yet.
const OTHER: ReasonGroup = ReasonGroup {
    name: "",
    title: "Out for other reasons",
    short: ["is out for another reason", "are out for other reasons"],
    meaning: "The sentence beside each says why.",
};

impl ReasonGroup {
    /// Behind the number of its members.
    pub(super) fn short(&self, n: usize) -> &'static str {
        self.short[usize::from(n != 1)]
    }
}

/// The groups that have members, each with its members, the most telling first.
pub(super) fn groups(selection: &Selection) -> Vec<(ReasonGroup, Vec<&DroppedFeature>)> {
    let name_of = |dropped: &DroppedFeature| Reason::name(&dropped.reason);
    let known = |name: &str| GROUPS.iter().any(|group| group.name == name);
    let groups = GROUPS.into_iter().chain([OTHER]).map(|group| {
        let is_member = |dropped: &&DroppedFeature| match group.name {
            "" => !known(name_of(dropped)),
            name => name_of(dropped) == name,
        };
        let mut members: Vec<&DroppedFeature> =
            selection.dropped.iter().filter(is_member).collect();
        let bits = |dropped: &DroppedFeature| dropped.alone_bits.unwrap_or(-1.0);
        // Stable: ties stay in column order.
        members.sort_by(|a, b| bits(b).total_cmp(&bits(a)));
        (group, members)
    });
    groups.filter(|(_, members)| !members.is_empty()).collect()
}

pub(super) fn write(html: &mut Html, selection: &Selection) {
    if selection.dropped.is_empty() {
        return;
    }
    section(html, "Why the others are out", |html| {
        for (group, members) in groups(selection) {
            let n = members.len() as u64;
            html.words("h3", &format!("{}: {}", group.title, counted(n, "feature")));
            html.note(group.meaning);
            list(html, group, &members);
        }
    });
}

fn list(html: &mut Html, group: ReasonGroup, members: &[&DroppedFeature]) {
    let shown = members.iter().copied().take(MAX_LISTED);
    let mut table = PageTable::new(group.title, shown);
    table.words("feature", |member| PageCell::Name(&member.feature));
    if members.iter().any(|member| member.alone_bits.is_some()) {
        table.number("tells alone (bits)", |member| {
            PageCell::number(member.alone_bits, 4)
        });
    }
    table.words("because", |member| member.reason.sentence());
    table.write(html);
    let rest = " that tell less; the JSON document (-o FILE) has them all.";
    more(html, members.len(), MAX_LISTED, rest);
}
