//! Kept features: what each tells, alone and besides the others.

use bayesieve::select::{KeptFeature, Selection};

use super::SelectionReport;
use crate::html::Html;
use crate::page::{column_digits, more, percent, section};
use crate::table::{Cell, Kind, Table};

/// Kept features that are listed.
const MOST_KEPT: usize = 60;
/// Dropped features whose bars are shown for comparison.
const MOST_DROPPED: usize = 12;

pub(super) fn write(html: &mut Html, report: &SelectionReport<'_>) {
    let selection = report.selection;
    let entropy = entropy(report.class_counts);
    let bits = selection.kept.iter().filter_map(|kept| kept.alone_bits);
    let others = selection
        .dropped
        .iter()
        .filter_map(|dropped| dropped.alone_bits);
    let most = bits.chain(others).fold(0.0, f64::max);
    if selection.kept.is_empty() && most <= 0.0 {
        return;
    }
    section(html, "What the features tell", |html| {
        html.words("p", &meaning(entropy));
        if !selection.kept.is_empty() {
            html.words("h3", "Kept");
            kept(html, selection, Bits { most, entropy });
        }
        compared(html, selection, Bits { most, entropy });
    });
}

/// What bars are drawn against.
#[derive(Debug, Clone, Copy)]
struct Bits {
    most: f64,
    entropy: Option<f64>,
}

impl Bits {
    fn cells<'a>(self, bits: Option<f64>, style: &'static str) -> [Cell<'a>; 3] {
        let known = bits.filter(|_| self.most > 0.0);
        let share = known
            .zip(self.entropy)
            .map(|(bits, entropy)| bits / entropy);
        [
            Cell::number(bits, 4),
            match known {
                Some(bits) => Cell::Bar(bits / self.most, style),
                None => Cell::Empty,
            },
            Cell::Text(share.map_or("–".into(), percent)),
        ]
    }
}

fn meaning(entropy: Option<f64>) -> String {
    let unit = "A bit is what the answer to one question with yes or no tells, where both are \
                equally likely.";
    match entropy {
        Some(entropy) => format!(
            "{unit} Knowing the class is worth {entropy:.4} bits per row; a feature that tells \
             100 % of that decides the class alone."
        ),
        None => unit.into(),
    }
}

/// The entropy of the class in bits.
fn entropy(counts: &[u64]) -> Option<f64> {
    let n = counts.iter().sum::<u64>() as f64;
    let parts = counts.iter().filter(|count| **count > 0);
    let parts = parts.map(|&count| count as f64 / n);
    let entropy: f64 = parts.map(|p| -p * p.log2()).sum();
    (entropy > 0.0).then_some(entropy)
}

fn kept(html: &mut Html, selection: &Selection, bits: Bits) {
    let shown = &selection.kept[..selection.kept.len().min(MOST_KEPT)];
    let has_rest = shown.iter().any(|kept| kept.given_rest_bits.is_some());
    let mut head = vec![
        ("feature", Kind::Words),
        ("bits alone", Kind::Number),
        ("", Kind::Bar),
        ("share", Kind::Number),
    ];
    if has_rest {
        head.push(("bits besides the others", Kind::Number));
    }
    let more_of = method_columns(selection, shown);
    head.extend(more_of.iter().map(|(title, kind, _)| (*title, *kind)));
    let mut more_of: Vec<_> = more_of
        .into_iter()
        .map(|(.., cells)| cells.into_iter())
        .collect();
    let rows = shown.iter().map(|kept| {
        let mut row = vec![Cell::Name(&kept.feature)];
        row.extend(bits.cells(kept.alone_bits, ""));
        if has_rest {
            row.push(Cell::number(kept.given_rest_bits, 4));
        }
        row.extend(more_of.iter_mut().filter_map(Iterator::next));
        row
    });
    let rows = rows.collect();
    let table = Table {
        label: "Kept features",
        head: &head,
        rows,
    };
    table.write(html);
    if has_rest {
        let text = "“Besides the others” is what a feature still tells once all other kept ones \
                    are known.";
        html.styled("p", "note", text);
    }
    more(html, (selection.kept.len(), MOST_KEPT), "");
}

/// A column: its head and its cells.
type Column<'a> = (&'static str, Kind, Vec<Cell<'a>>);

/// What the method itself says of kept features: roles in a boundary, or scores.
fn method_columns<'a>(selection: &Selection, shown: &[KeptFeature]) -> Vec<Column<'a>> {
    if let Some(boundary) = &selection.boundary {
        let members: Vec<_> = shown
            .iter()
            .map(|kept| boundary.member(&kept.feature))
            .collect();
        let roles = members.iter().map(|member| {
            let role = member.map_or("asked for", |member| member.role.name());
            Cell::Text(role.into())
        });
        let evidence = members.iter().map(|member| {
            let evidence = member.map(|member| member.evidence.sentence());
            Cell::Text(evidence.unwrap_or_default())
        });
        return vec![
            ("role", Kind::Plain, roles.collect()),
            ("what speaks for it", Kind::Words, evidence.collect()),
        ];
    }
    let scores: Vec<Option<f64>> = shown
        .iter()
        .map(|kept| {
            let mut steps = selection.steps.iter().rev();
            let step = steps.find(|step| step.feature == kept.feature)?;
            Some(step.score).filter(|score| score.is_finite())
        })
        .collect();
    if scores.iter().all(Option::is_none) {
        return Vec::new();
    }
    let n_digits = column_digits(scores.iter().flatten().copied());
    let cells = scores.iter().map(|&score| Cell::number(score, n_digits));
    vec![("score with it", Kind::Number, cells.collect())]
}

/// The dropped features that tell most alone, for comparison.
fn compared(html: &mut Html, selection: &Selection, bits: Bits) {
    let mut dropped: Vec<(&str, f64)> = selection
        .dropped
        .iter()
        .filter_map(|dropped| Some((dropped.feature.as_str(), dropped.alone_bits?)))
        .filter(|(_, bits)| *bits > 0.0)
        .collect();
    // Stable: ties stay in column order.
    dropped.sort_by(|a, b| b.1.total_cmp(&a.1));
    dropped.truncate(MOST_DROPPED);
    if dropped.is_empty() {
        return;
    }
    html.words("h3", "For comparison: dropped ones that tell most alone");
    let rows = dropped.iter().map(|&(name, alone)| {
        let mut row = vec![Cell::Name(name)];
        row.extend(bits.cells(Some(alone), "quiet"));
        row
    });
    let table = Table {
        label: "Dropped features that tell most",
        head: &[
            ("feature", Kind::Words),
            ("bits alone", Kind::Number),
            ("", Kind::Bar),
            ("share", Kind::Number),
        ],
        rows: rows.collect(),
    };
    table.write(html);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entropy_of_the_class_follows_its_counts() {
        assert_eq!(entropy(&[5, 5]), Some(1.0));
        assert_eq!(entropy(&[5, 5, 0, 5, 5]), Some(2.0));
        assert_eq!(entropy(&[7]), None);
        assert_eq!(entropy(&[]), None);
    }
}
