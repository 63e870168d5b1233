//! Blocks of features, for people.

use bayesieve::select::{NamedBlock, NamedBlocks, Selection};
use bayesieve::wording::{counted, grouped};

use super::people::number;
use crate::text::{self, name};

/// Features of a block that are named in the table.
const MOST_NAMED: usize = 4;

/// Kept features that are looked at for those that --keep names: these come first.
const MOST_ASKED: usize = 100;

/// Pairs of classes in the table.
const MOST_PAIRS: usize = 10;

/// The pairs of classes, then the blocks that are kept, strongest first.
pub(super) fn show(selection: &Selection, blocks: &NamedBlocks, top: usize) -> String {
    let n_blocks = blocks.blocks.len() / blocks.pairs.len().max(1);
    let rows = blocks.pairs.iter().take(MOST_PAIRS).map(|pair| {
        vec![
            pair.classes.each_ref().map(|class| name(class)).join(" : "),
            format!(
                "{} of {}",
                grouped(pair.n_kept as u64),
                grouped(n_blocks as u64)
            ),
            format!("{:.4}", pair.d),
            format!("{:.4}", pair.d_selected),
            number(pair.risk),
            number(pair.risk_selected),
        ]
    });
    let header = [
        "classes",
        "blocks kept",
        "D of all",
        "of kept",
        "risk of all",
        "of kept",
    ];
    let mut out = format!(
        "\n{}",
        text::table(&header, &[1, 2, 3, 4, 5], rows.collect())
    );
    if blocks.pairs.len() > MOST_PAIRS {
        let more = (blocks.pairs.len() - MOST_PAIRS) as u64;
        out += &format!("… and {} of classes more\n", counted(more, "pair"));
    }
    out += &kept(selection, blocks, top);
    let in_kept = |feature: &str| {
        let mut kept = blocks.blocks.iter().filter(|block| block.is_kept);
        kept.any(|block| block.features.iter().any(|known| known == feature))
    };
    // Only those that --keep names can be without a kept block: few.
    let asked = selection.kept_names().into_iter().take(MOST_ASKED);
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
    let rows = strongest[..n_shown]
        .iter()
        .enumerate()
        .map(|(place, block)| {
            let classes = block.classes.as_ref();
            vec![
                (place + 1).to_string(),
                format!("{:.2}", block.score),
                format!("{:.2}", block.threshold),
                format!("{:.2}", block.expected),
                format!("{:.3}", block.weight),
                classes.map_or(String::new(), |pair| {
                    pair.each_ref().map(|class| name(class)).join(" : ")
                }),
                features(&block.features),
            ]
        });
    let mut rows: Vec<Vec<String>> = rows.collect();
    let mut header = vec![
        "",
        "score",
        "needed",
        "by chance",
        "weight",
        "classes",
        "kept block",
    ];
    if blocks.pairs.len() < 2 {
        rows.iter_mut().for_each(|row| drop(row.remove(5)));
        header.remove(5);
    }
    let table = text::table(&header, &[0, 1, 2, 3, 4], rows);
    let rest = match strongest.len() - n_shown {
        0 => String::new(),
        more => format!(
            "… and {} more; --top 0 shows all\n",
            counted(more as u64, "block")
        ),
    };
    format!("\n{table}{rest}")
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
    let shown: Vec<String> = names.iter().take(MOST_NAMED).map(|n| name(n)).collect();
    match names.len().saturating_sub(MOST_NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
