//! Separation scores: blocks of features that do not hold the classes apart far enough go.
//!
//! Paper: Pavlenko, Hall and von Rosen, 2004.
//! A block's score is `u = nh J`, with the distance J of two classes in it (the divergence of
//! their normal laws, both ways) and `nh = n1 n2 / (n1 + n2)`; m is what a block that tells
//! nothing scores. It is kept where `u >= 2 m U / (U + M)`, with the sums U and M over all
//! blocks: equation (22) for blocks of unequal sizes.
//! Numbers are taken as numbers, whatever their bins. Rows with a gap in a number are left out.
//! Beyond the paper: nominal features are in blocks of their own, scored by the information
//! they have about the class; more than two classes are compared two by two, and a block is
//! kept where it is for some pair; `threshold=exact` takes the best threshold under the
//! estimated law of true scores. Where no block is kept, the one of largest u / m is. Of columns
//! that are equal in every row only the first is looked at, unless blocks are given.
//! Cost: O(n² N) for n features and N rows.

use std::collections::HashMap;

use crate::classify::ModelKind;
use crate::counts::{CountColumn, duplicate_columns};
use crate::fingerprint::Fingerprint;
use crate::search::{Stop, unless_early};
use crate::select::method::{Blocks, Findings, Method, MethodRun, Outcome, ScoreKind, Takes, Task};
use crate::select::named_blocks::Names;
use crate::select::reason::{Reason, WeakBlock};
use crate::separation::{
    BlockSource, METHOD_SETTINGS, PairScores, Scored, Separation, SeparationOptions, separate,
};
use crate::stats::Better;
use crate::{Error, Result};

/// The method.
pub(in crate::select) static SEPARATION: Method = Method {
    name: "separation",
    summary: "keeps blocks of features that hold the classes apart far enough to pay for their \
              noise; for many numbers and few rows",
    formula: "u = nh J per block, J the divergence of two classes' normal laws; kept where \
              u >= 2 m U / (U + M), sums over all blocks, m what telling nothing scores; beyond the \
              paper, blocks of nominal features: u = 2 N I(block; class) in nats",
    cost: "O(n^2 N)",
    source: "Pavlenko, Hall and von Rosen, 2004",
    settings: METHOD_SETTINGS,
    takes: Takes {
        numbers: true,
        classifier: Some(ModelKind::Block),
        counts: false,
        ..Takes::NOTHING
    },
    run: MethodRun::Own(run),
};

/// What is optimized: the risk that the scores promise, mean over pairs of classes.
const RISK: ScoreKind = ScoreKind {
    name: "risk",
    unit: "",
    better: Better::Lower,
};

/// Why that is not what to expect.
const OPTIMISTIC: &str = "the risk after selection is optimistic: blocks were kept for their \
                          scores (an honest estimate tests the whole procedure on other rows)";

fn run(task: &Task<'_, '_>) -> Result<Outcome> {
    let options = SeparationOptions::from_settings(task.settings)?;
    let features: Vec<(&str, Scored<'_>)> = task
        .places
        .iter()
        .map(|&place| {
            let feature = &task.table.features[place];
            let column = &feature.column;
            let scored = match (column.as_numeric(), feature.coded()) {
                (Some(numbers), _) => Scored::Numbers(numbers),
                (None, Some(coded)) => Scored::Values(coded),
                (None, None) => return Err(Error::internal("labels without codes")),
            };
            Ok((column.name(), scored))
        })
        .collect::<Result<_>>()?;
    let copy_of = match options.blocks {
        BlockSource::Found => copies_among(&features),
        // Who gives blocks means what they hold.
        _ => vec![None; features.len()],
    };
    let first: Vec<usize> = (0..features.len())
        .filter(|&f| copy_of[f].is_none())
        .collect();
    let scored: Vec<(&str, Scored<'_>)> = first.iter().map(|&f| features[f]).collect();
    let found = separate(&scored, &task.table.class, &options, task.limits);
    Ok(match unless_early(found, task.limits, false)? {
        Ok(mut found) => {
            let blocks = found.blocks.iter_mut().flatten();
            blocks.for_each(|feature| *feature = first[*feature]);
            outcome(task, found, copy_of)
        }
        Err(stop) => Outcome {
            kept: task.keep.to_vec(),
            start: f64::NAN,
            value: f64::NAN,
            stop,
            findings: Findings::Blocks(Blocks {
                found: None,
                copy_of,
            }),
            ..Outcome::of(RISK)
        },
    })
}

/// For every feature the first one that says the same in every row, if that is another: a copy
/// would tell nothing and cost as much.
fn copies_among(features: &[(&str, Scored<'_>)]) -> Vec<Option<usize>> {
    let mut copy_of = vec![None; features.len()];
    let (mut known, mut nominal) = (HashMap::<String, Vec<usize>>::new(), Vec::new());
    for (place, (_, feature)) in features.iter().enumerate() {
        match feature {
            Scored::Values(values) => nominal.push((place, CountColumn::from(*values))),
            Scored::Numbers(numbers) => {
                let mut hash = Fingerprint::new();
                numbers.iter().for_each(|&x| hash.number(x));
                let alike = known.entry(hash.to_string()).or_default();
                // Equal fingerprints only promise equal columns: look.
                let is_same = |&&other: &&usize| match features[other].1 {
                    Scored::Numbers(others) => are_same(numbers, others),
                    Scored::Values(_) => false,
                };
                match alike.iter().find(is_same) {
                    Some(&first) => copy_of[place] = Some(first),
                    None => alike.push(place),
                }
            }
        }
    }
    let columns: Vec<CountColumn<'_>> = nominal.iter().map(|&(_, column)| column).collect();
    let of_values = duplicate_columns(&columns, usize::MAX);
    for (&(place, _), first) in nominal.iter().zip(of_values) {
        copy_of[place] = first.map(|first| nominal[first].0);
    }
    copy_of
}

/// Whether two columns hold the same numbers and gaps.
fn are_same(a: &[f64], b: &[f64]) -> bool {
    a.iter()
        .zip(b)
        .all(|(x, y)| x == y || (x.is_nan() && y.is_nan()))
}

fn outcome(task: &Task<'_, '_>, mut found: Separation, copy_of: Vec<Option<usize>>) -> Outcome {
    let mut kept = task.keep.to_vec();
    for block in strongest_first(&found) {
        let features = found.blocks[block].iter();
        kept.extend(features.filter(|feature| !task.keep.contains(feature)));
    }
    let mean = |risk: fn(&PairScores) -> f64| {
        let sum: f64 = found.pairs.iter().map(risk).sum();
        sum / found.pairs.len().max(1) as f64
    };
    let (start, value) = (mean(|pair| pair.all.risk), mean(|pair| pair.selected.risk));
    let mut warnings = std::mem::take(&mut found.warnings);
    let drops = |pair: &PairScores| pair.blocks.iter().any(|block| !block.is_kept);
    if found.pairs.iter().any(drops) {
        warnings.push(OPTIMISTIC.into());
    }
    Outcome {
        kept,
        start,
        value,
        n_evaluations: (found.blocks.len() * found.pairs.len()) as u64,
        warnings,
        findings: Findings::Blocks(Blocks {
            found: Some(found),
            copy_of,
        }),
        stop: Stop::Judged,
        ..Outcome::of(RISK)
    }
}

/// Kept blocks by how far their scores exceed their thresholds, for the two classes where
/// that is farthest.
fn strongest_first(found: &Separation) -> Vec<usize> {
    let mut kept: Vec<(f64, usize)> = (0..found.blocks.len())
        .filter(|&block| found.is_kept(block))
        .map(|block| (nearest(found, block).1, block))
        .collect();
    kept.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    kept.into_iter().map(|(_, block)| block).collect()
}

/// The pair of classes for which a block's score is largest in units of its threshold, and
/// that ratio.
fn nearest(found: &Separation, block: usize) -> (usize, f64) {
    let ratios = found.pairs.iter().enumerate().map(|(pair, scores)| {
        let scored = &scores.blocks[block];
        // A threshold of 0 is passed by everything.
        let ratio = scored.sample.score / scored.threshold.max(f64::MIN_POSITIVE);
        (pair, ratio)
    });
    let better = |best: (usize, f64), next: (usize, f64)| if next.1 > best.1 { next } else { best };
    ratios.reduce(better).unwrap_or((0, 0.0))
}

/// Why features are out.
pub(in crate::select) fn reasons(
    blocks: &Blocks,
    kept: &[usize],
    out: &[usize],
    names: &Names<'_>,
) -> Vec<Reason> {
    let Some(found) = &blocks.found else {
        return vec![Reason::NotReached; out.len()];
    };
    let mut block_of = vec![None; names.features.len()];
    for (block, features) in found.blocks.iter().enumerate() {
        features
            .iter()
            .for_each(|&feature| block_of[feature] = Some(block));
    }
    let mut is_kept = vec![false; names.features.len()];
    kept.iter().for_each(|&feature| is_kept[feature] = true);
    let reason = |&feature: &usize| match blocks.copy_of[feature] {
        Some(first) if is_kept[first] => Reason::Duplicate {
            of: names.features[first].to_owned(),
            recoding: false,
        },
        // What it says the same as is out as well, for the reason that it shares.
        first => match block_of[first.unwrap_or(feature)] {
            Some(block) => weak(found, block, first.unwrap_or(feature), names),
            None => Reason::ConstantInUsedRows,
        },
    };
    out.iter().map(reason).collect()
}

fn weak(found: &Separation, block: usize, feature: usize, names: &Names<'_>) -> Reason {
    let pair = &found.pairs[nearest(found, block).0];
    let scored = &pair.blocks[block];
    let others: Vec<usize> = found.blocks[block]
        .iter()
        .copied()
        .filter(|&other| other != feature)
        .collect();
    Reason::WeakBlock(Box::new(WeakBlock {
        with: names.features_of(&others),
        score: scored.sample.score,
        threshold: scored.threshold,
        expected: scored.sample.parameters,
        classes: (found.pairs.len() > 1).then(|| names.classes_of(pair)),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::CodedTable;
    use crate::random::{Purpose, stream, unit};
    use crate::select::testing::{Run, coded, run_on, run_without_time};

    /// Twenty numbers, of which the first two, alike, tell the class; a constant; two labels.
    fn table(n_rows: usize) -> CodedTable {
        let mut rng = stream(1, Purpose::Generate, 0);
        let mut text: String = (0..20).map(|f| format!("x{f},")).collect();
        text += "same,label,noise,class\n";
        for row in 0..n_rows {
            let class = row % 2;
            let shared = 3.0 * class as f64 + unit(&mut rng);
            for feature in 0..20 {
                let own = unit(&mut rng);
                let cell = if feature < 2 { shared + own } else { own };
                text += &format!("{cell},");
            }
            let label = if unit(&mut rng) < 0.1 {
                1 - class
            } else {
                class
            };
            text += &format!("7,l{label},n{},c{class}\n", row / 2 % 2);
        }
        coded(&text)
    }

    #[test]
    fn blocks_that_tell_are_kept_and_every_other_feature_has_its_numbers() {
        let selection = run_on(
            &table(100),
            Run {
                settings: vec!["block_size=2"],
                ..Run::of("separation")
            },
        );
        let kept = selection.kept_names();
        assert_eq!(kept[..3], ["x0", "x1", "label"]);
        assert!(selection.value < selection.start);
        let blocks = selection.blocks.as_ref().unwrap();
        let [pair] = &blocks.pairs[..] else {
            panic!("one pair");
        };
        assert_eq!(pair.classes, ["c0", "c1"]);
        assert!(pair.gain() > 0.0 && pair.d_selected > pair.d);
        for dropped in &selection.dropped {
            match dropped.feature.as_str() {
                "same" => assert_eq!(dropped.reason, Reason::Constant),
                _ => {
                    assert_eq!(dropped.reason.name(), "below-threshold");
                    let block = dropped.reason.parts().block.unwrap();
                    assert!(block.score < block.threshold);
                    assert!(dropped.reason.sentence().contains("is needed"));
                }
            }
        }
        let expected = |name: &str| {
            let block = blocks
                .blocks
                .iter()
                .find(|b| b.features.contains(&name.into()));
            block.map(|block| block.expected)
        };
        assert_eq!(expected("x0"), Some(2.0));
        assert!((expected("label").unwrap() - 1.0).abs() < 0.05);
        assert!(
            selection
                .warnings
                .iter()
                .any(|warning| warning.contains("optimistic"))
        );
    }

    #[test]
    fn what_must_stay_stays_without_its_block() {
        let selection = run_on(
            &table(100),
            Run {
                keep: vec!["noise", "same"],
                ..Run::of("separation")
            },
        );
        assert_eq!(selection.kept_names()[..4], ["noise", "same", "x0", "x1"]);
        assert!(
            !selection
                .dropped
                .iter()
                .any(|dropped| dropped.feature == "same")
        );
    }

    #[test]
    fn kept_blocks_have_optimal_weights_and_others_none() {
        let selection = run_on(
            &table(100),
            Run {
                settings: vec!["weights=optimal", "threshold=exact"],
                ..Run::of("separation")
            },
        );
        let blocks = &selection.blocks.as_ref().unwrap().blocks;
        let kept = || blocks.iter().filter(|block| block.is_kept);
        assert!(kept().all(|block| block.weight > 0.0 && block.weight.is_finite()));
        let dropped = blocks.iter().filter(|block| !block.is_kept);
        assert!(
            dropped
                .map(|block| block.weight)
                .all(|weight| weight == 0.0)
        );
    }

    #[test]
    fn copies_are_out_as_duplicates_of_what_is_kept() {
        let mut text = String::from("x,noise,same,again,label,other,class\n");
        for row in 0..60 {
            let (class, place) = (row % 2, row / 2);
            let x = f64::from(place * 7 % 11) + 20.0 * f64::from(class);
            let noise = f64::from(place * 5 % 13) + 0.5;
            text += &format!("{x}.5,{noise},{x}.5,{noise},l{class},o{class},c{class}\n");
        }
        let alone = Run {
            settings: vec!["block_size=1"],
            ..Run::of("separation")
        };
        let selection = run_on(&coded(&text), alone);
        assert_eq!(selection.kept_names(), ["x", "label"]);
        let reasons: Vec<(&str, &str, String)> = selection
            .dropped
            .iter()
            .map(|d| {
                (
                    d.feature.as_str(),
                    d.reason.name(),
                    d.reason.parts().given.concat(),
                )
            })
            .collect();
        let below = |name| (name, "below-threshold", String::new());
        let copy = |name, of: &str| (name, "duplicate", of.to_owned());
        assert_eq!(
            reasons,
            [
                below("noise"),
                copy("same", "x"),
                below("again"),
                copy("other", "label")
            ]
        );
    }

    #[test]
    fn without_time_nothing_was_reached() {
        let selection = run_without_time(&table(20), &Run::of("separation"));
        assert!(selection.kept.is_empty() && selection.blocks.is_none());
        assert_eq!(selection.stop, Stop::Budget);
        assert_eq!(selection.dropped[0].reason, Reason::NotReached);
    }
}
