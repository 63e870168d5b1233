//! Dropped features, grouped by why they are out.

use bayesieve::select::{DroppedFeature, REASON_KINDS, ReasonKind, Selection};
use bayesieve::wording::counted;

use crate::html::Html;
use crate::page::{more, section};
use crate::table::{Cell, Kind, Table};

/// Features of a group that are listed.
const MOST_LISTED: usize = 40;

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
            html.styled("p", "note", group.meaning);
            list(html, group, &members);
        }
    });
}

fn list(html: &mut Html, group: &ReasonKind, members: &[&DroppedFeature]) {
    let has_bits = members.iter().any(|member| member.alone_bits.is_some());
    let head = [
        ("feature", Kind::Words),
        ("tells alone (bits)", Kind::Number),
        ("because", Kind::Words),
    ];
    let rows = members.iter().take(MOST_LISTED).map(|member| {
        let mut row = vec![Cell::Name(&member.feature)];
        if has_bits {
            row.push(Cell::number(member.alone_bits, 4));
        }
        row.push(Cell::Text(member.reason.sentence()));
        row
    });
    let without_bits = [head[0], head[2]];
    let table = Table {
        label: group.title,
        head: if has_bits { &head } else { &without_bits },
        rows: rows.collect(),
    };
    table.write(html);
    more(
        html,
        (members.len(), MOST_LISTED),
        " that tell less; the JSON document (-o FILE) has them all.",
    );
}
