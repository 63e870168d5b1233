//! Blocks of features, for people.

use bayesieve::select::{NamedBlock, NamedBlocks, Selection};
use bayesieve::wording::{counted, grouped};

use super::people::number;
use crate::text::{TextTable, name};

/// Features of a block that are named in the table.
const MAX_NAMED: usize = 4;

/// Kept features that are looked at for those that --keep names: these come first.
const MAX_ASKED: usize = 100;

/// Pairs of classes in the table.
const MAX_PAIRS: usize = 10;

/// The pairs of classes, then the blocks that are kept, strongest first.
pub(super) fn show(selection: &Selection, blocks: &NamedBlocks, top: usize) -> String {
    let n_blocks = blocks.blocks.len() / blocks.pairs.len().max(1);
    let mut table = TextTable::new(blocks.pairs.iter().take(MAX_PAIRS));
    table.words("classes", |pair| classes(&pair.classes));
    table.number("blocks kept", |pair| {
        let n_kept = grouped(pair.n_kept as u64);
        format!("{n_kept} of {}", grouped(n_blocks as u64))
    });
    table.number("D of all", |pair| format!("{:.4}", pair.d));
    table.number("of kept", |pair| format!("{:.4}", pair.d_selected));
    table.number("risk of all", |pair| number(pair.risk));
    table.number("of kept", |pair| number(pair.risk_selected));
    let mut out = format!("\n{}", table.print());
    if blocks.pairs.len() > MAX_PAIRS {
        let more = (blocks.pairs.len() - MAX_PAIRS) as u64;
        out += &format!("… and {} of classes more\n", counted(more, "pair"));
    }
    out += &kept(selection, blocks, top);
    let in_kept = |feature: &str| {
        let mut kept = blocks.blocks.iter().filter(|block| block.is_kept);
        kept.any(|block| block.features.iter().any(|known| known == feature))
    };
    // Only those that --keep names can be without a kept block: few.
    let asked = selection.kept_names().into_iter().take(MAX_ASKED);
    let asked: Vec<String> = asked.filter(|name| !in_kept(name)).map(name).collect();
    if asked.is_empty() {
        out
    } else {
        format!(
            "{out}kept as asked, without their blocks: {}\n",
            asked.join(", ")
        )
    }
}

fn kept(selection: &Selection, blocks: &NamedBlocks, top: usize) -> String {
    let strongest = strongest(selection, blocks);
    let n_shown = match top {
        0 => strongest.len(),
        top => strongest.len().min(top),
    };
    let mut table = TextTable::new((1..).zip(strongest.iter().copied().take(n_shown)));
    table.number("", |(place, _): (usize, _)| place.to_string());
    table.number("score", |(_, block)| format!("{:.2}", block.score));
    table.number("needed", |(_, block)| format!("{:.2}", block.threshold));
    table.number("by chance", |(_, block)| format!("{:.2}", block.expected));
    table.number("weight", |(_, block)| format!("{:.3}", block.weight));
    if blocks.pairs.len() > 1 {
        table.words("classes", |(_, block)| {
            block.classes.as_deref().map_or(String::new(), classes)
        });
    }
    table.words("kept block", |(_, block)| features(&block.features));
    let table = table.print();
    let rest = match strongest.len() - n_shown {
        0 => String::new(),
        more => format!(
            "… and {} more; --top 0 shows all\n",
            counted(more as u64, "block")
        ),
    };
    format!("\n{table}{rest}")
}

/// Two classes and how far they are separated.
fn classes(pair: &[String; 2]) -> String {
    pair.each_ref().map(|class| name(class)).join(" : ")
}

/// Kept blocks in the order of the kept features; for more than two classes with the pair for
/// which the score is largest in units of its threshold.
fn strongest<'b>(selection: &Selection, blocks: &'b NamedBlocks) -> Vec<&'b NamedBlock> {
    let n_blocks = blocks.blocks.len() / blocks.pairs.len().max(1);
    let best = |place: usize| {
        let all = blocks.blocks.iter().skip(place).step_by(n_blocks.max(1));
        let kept = all.filter(|block| block.is_kept);
        let ratio = |block: &NamedBlock| block.score / block.threshold.max(f64::MIN_POSITIVE);
        kept.reduce(|best, next| {
            if ratio(next) > ratio(best) {
                next
            } else {
                best
            }
        })
    };
    let mut kept: Vec<&NamedBlock> = (0..n_blocks).filter_map(best).collect();
    let ranks: std::collections::HashMap<&str, usize> =
        selection.kept_names().into_iter().zip(0..).collect();
    let rank = |block: &&NamedBlock| {
        let features = block.features.iter();
        features
            .filter_map(|feature| ranks.get(feature.as_str()))
            .max()
            .copied()
    };
    kept.sort_by_key(rank);
    kept
}

fn features(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_NAMED).map(|n| name(n)).collect();
    match names.len().saturating_sub(MAX_NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
