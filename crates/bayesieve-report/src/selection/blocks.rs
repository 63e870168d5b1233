//! Blocks of features, for methods that score them.

use bayesieve::select::{NamedBlock, NamedBlocks};
use bayesieve::wording::grouped;

use crate::html::Html;
use crate::page::{more, percent, section};
use crate::table::{Cell, Kind, Table};

/// Blocks that are listed.
const MOST_BLOCKS: usize = 40;
/// Pairs of classes that are listed.
const MOST_PAIRS: usize = 20;
/// Features of a block that are named.
const MOST_NAMED: usize = 6;

pub(super) fn write(html: &mut Html, found: &NamedBlocks) {
    section(html, "Blocks of features", |html| {
        html.words(
            "p",
            "Features that depend on each other form a block and are judged together: the score \
             says how far a block holds two classes apart, and must reach the threshold.",
        );
        list(html, found);
        pairs(html, found);
    });
}

fn list(html: &mut Html, found: &NamedBlocks) {
    let mut blocks: Vec<&NamedBlock> = found.blocks.iter().collect();
    // Stable: ties stay in order.
    blocks.sort_by(|a, b| {
        (b.is_kept, b.score)
            .partial_cmp(&(a.is_kept, a.score))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let most = blocks
        .iter()
        .map(|block| block.score)
        .filter(|score| score.is_finite());
    let most = most.fold(0.0, f64::max);
    let has_classes = blocks.iter().any(|block| block.classes.is_some());
    let mut head = vec![("block", Kind::Words)];
    if has_classes {
        head.push(("classes", Kind::Words));
    }
    head.extend([
        ("", Kind::Words),
        ("score", Kind::Number),
        ("", Kind::Bar),
        ("threshold", Kind::Number),
    ]);
    let rows = blocks.iter().take(MOST_BLOCKS).map(|block| {
        let mut row = vec![Cell::Text(names(&block.features))];
        if has_classes {
            let classes = block.classes.as_ref();
            let classes = classes.map(|classes| names(&classes[..]));
            row.push(Cell::Text(classes.unwrap_or_default()));
        }
        let (word, style) = if block.is_kept {
            ("kept", "")
        } else {
            ("out", "quiet")
        };
        row.extend([
            Cell::Text(word.into()),
            Cell::number(Some(block.score), 2),
            Cell::Bar(block.score / most, style),
            Cell::number(Some(block.threshold), 2),
        ]);
        row
    });
    let table = Table {
        label: "Blocks of features",
        head: &head,
        rows: rows.collect(),
    };
    table.write(html);
    more(html, (blocks.len(), MOST_BLOCKS), "");
}

fn pairs(html: &mut Html, found: &NamedBlocks) {
    html.words(
        "h3",
        "Risk of taking one class for the other, as the scores promise",
    );
    let rows = found.pairs.iter().take(MOST_PAIRS).map(|pair| {
        vec![
            Cell::Text(names(&pair.classes)),
            Cell::Text(grouped(pair.n_kept as u64)),
            Cell::Text(percent(pair.risk)),
            Cell::Text(percent(pair.risk_selected)),
        ]
    });
    let table = Table {
        label: "Risk by pair of classes",
        head: &[
            ("classes", Kind::Words),
            ("blocks kept", Kind::Number),
            ("with all blocks", Kind::Number),
            ("with kept blocks", Kind::Number),
        ],
        rows: rows.collect(),
    };
    table.write(html);
    more(html, (found.pairs.len(), MOST_PAIRS), "");
}

/// Names in one cell.
fn names(names: &[String]) -> String {
    let shown = names.iter().take(MOST_NAMED);
    let mut shown: Vec<String> = shown.map(|name| bayesieve::printable(name, 24)).collect();
    if names.len() > MOST_NAMED {
        shown.push(format!("{} more", names.len() - MOST_NAMED));
    }
    shown.join(", ")
}
