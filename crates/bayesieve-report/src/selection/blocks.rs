//! Blocks of features, for methods that score them.

use bayesieve::select::{NamedBlock, NamedBlocks};
use bayesieve::wording::grouped;

use crate::html::Html;
use crate::page::{more, percent, section};
use crate::table::{ColumnStyle, PageCell, PageTable};

/// Blocks that are listed.
const MAX_BLOCKS: usize = 40;
/// Pairs of classes that are listed.
const MAX_PAIRS: usize = 20;
/// Features of a block that are named.
const MAX_NAMED: usize = 6;

pub(super) fn write(html: &mut Html, found: &NamedBlocks) {
    section(html, "Blocks of features", |html| {
        html.paragraph(
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
    let scores = blocks.iter().map(|block| block.score);
    let most = scores.filter(|score| score.is_finite()).fold(0.0, f64::max);
    let mut table = PageTable::new(
        "Blocks of features",
        blocks.iter().copied().take(MAX_BLOCKS),
    );
    table.words("block", |block| names(&block.features));
    if blocks.iter().any(|block| block.classes.is_some()) {
        table.words("classes", |block| {
            let classes = block.classes.as_ref();
            classes.map_or(String::new(), |classes| names(&classes[..]))
        });
    }
    table.words("", |block| if block.is_kept { "kept" } else { "out" });
    table.value("score", 2, |block| Some(block.score));
    table.column("", ColumnStyle::Bar, |block| {
        PageCell::Bar(block.score / most, if block.is_kept { "" } else { "quiet" })
    });
    table.value("threshold", 2, |block| Some(block.threshold));
    table.write(html);
    more(html, blocks.len(), MAX_BLOCKS, "");
}

fn pairs(html: &mut Html, found: &NamedBlocks) {
    let title = "Risk of taking one class for the other, as the scores promise";
    html.words("h3", title);
    let pairs = found.pairs.iter().take(MAX_PAIRS);
    let mut table = PageTable::new("Risk by pair of classes", pairs);
    table.words("classes", |pair| names(&pair.classes));
    table.number("blocks kept", |pair| grouped(pair.n_kept as u64));
    table.number("with all blocks", |pair| percent(pair.risk));
    table.number("with kept blocks", |pair| percent(pair.risk_selected));
    table.write(html);
    more(html, found.pairs.len(), MAX_PAIRS, "");
}

/// Names in one cell.
fn names(names: &[String]) -> String {
    let shown = names.iter().take(MAX_NAMED);
    let mut shown: Vec<String> = shown.map(|name| bayesieve::printable(name, 24)).collect();
    if names.len() > MAX_NAMED {
        shown.push(format!("{} more", names.len() - MAX_NAMED));
    }
    shown.join(", ")
}
