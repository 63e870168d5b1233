//! Dropped features, grouped by why they are out.

use bayesieve::select::{DroppedFeature, REASON_KINDS, ReasonKind, Selection};
use bayesieve::wording::counted;

use crate::html::Html;
use crate::page::{more, section};
use crate::table::{PageCell, PageTable};

/// Features of a group that are listed.
const MAX_LISTED: usize = 40;

/// The kinds of reasons that there are, each with its features, the most telling first.
pub(super) fn groups(selection: &Selection) -> Vec<(&'static ReasonKind, Vec<&DroppedFeature>)> {
    let groups = REASON_KINDS.into_iter().map(|kind| {
        let is_member = |dropped: &&DroppedFeature| dropped.reason.kind() == kind;
        let mut members: Vec<&DroppedFeature> =
            selection.dropped.iter().filter(is_member).collect();
        let bits = |dropped: &DroppedFeature| dropped.alone_bits.unwrap_or(-1.0);
        // Stable: ties stay in column order.
        members.sort_by(|a, b| bits(b).total_cmp(&bits(a)));
        (kind, members)
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

fn list(html: &mut Html, group: &ReasonKind, members: &[&DroppedFeature]) {
    let shown = members.iter().copied().take(MAX_LISTED);
    let mut table = PageTable::new(group.title, shown);
    table.words("feature", |member| PageCell::Name(&member.feature));
    if members.iter().any(|member| member.alone_bits.is_some()) {
        table.value("tells alone (bits)", 4, |member| member.alone_bits);
    }
    table.words("because", |member| member.reason.sentence());
    table.write(html);
    let rest = " that tell less; the JSON document (-o FILE) has them all.";
    more(html, members.len(), MAX_LISTED, rest);
}
