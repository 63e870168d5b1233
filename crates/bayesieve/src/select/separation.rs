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
//! estimated law of true scores. Where no block is kept, the one of largest u / m is.
//! Cost: O(n² N) for n features and N rows.

use super::method::{Findings, Method, Outcome, ScoreKind, Takes, Task};
use super::named_blocks::Names;
use super::reason::{Reason, WeakBlock};
use crate::classify::ModelKind;
use crate::error::Result;
use crate::search::{Stop, unless_early};
use crate::separation::{
    METHOD_SETTINGS, PairScores, Scored, Separation, SeparationOptions, separate,
};
use crate::stats::Better;

/// The method.
pub(super) static SEPARATION: Method = Method {
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
        ..Takes::NOTHING
    },
    run,
};

/// What is optimized: the risk that the scores promise, mean over pairs of classes.
const RISK: ScoreKind = ScoreKind {
    name: "risk",
    unit: "",
    better: Better::Lower,
};

/// Why that is not what to expect.
const OPTIMISTIC: &str = "the risk after selection is optimistic: blocks were kept for their \
                          scores (--honest tests the whole procedure on other rows)";

fn run(task: &Task<'_, '_>) -> Result<Outcome> {
    let options = SeparationOptions::from_settings(task.settings)?;
    let features: Vec<(&str, Scored<'_>)> = task
        .places
        .iter()
        .enumerate()
        .map(|(number, &place)| {
            let column = &task.table.features[place].column;
            let scored = match column.as_numeric() {
                Some(numbers) => Scored::Numbers(numbers),
                None => Scored::Values(task.told.feature(number)),
            };
            (column.name(), scored)
        })
        .collect();
    let found = separate(&features, &task.table.class, &options, task.limits);
    Ok(match unless_early(found, task.limits, false)? {
        Ok(found) => outcome(task, found),
        Err(stop) => Outcome {
            kept: task.keep.to_vec(),
            start: f64::NAN,
            value: f64::NAN,
            stop,
            n_evaluations: 0,
            warnings: Vec::new(),
            findings: Findings::Blocks(None),
            ..empty()
        },
    })
}

fn empty() -> Outcome {
    Outcome {
        kept: Vec::new(),
        score: RISK,
        start: 0.5,
        value: 0.5,
        steps: Vec::new(),
        stop: Stop::Judged,
        n_evaluations: 0,
        n_repeated: 0,
        estimate: None,
        misses: Vec::new(),
        findings: Findings::Nothing,
        warnings: Vec::new(),
    }
}

fn outcome(task: &Task<'_, '_>, mut found: Separation) -> Outcome {
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
        findings: Findings::Blocks(Some(found)),
        ..empty()
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
pub(super) fn reasons(found: Option<&Separation>, out: &[usize], names: &Names<'_>) -> Vec<Reason> {
    let Some(found) = found else {
        return vec![Reason::NotReached; out.len()];
    };
    let mut block_of = vec![None; names.features.len()];
    for (block, features) in found.blocks.iter().enumerate() {
        features
            .iter()
            .for_each(|&feature| block_of[feature] = Some(block));
    }
    let reason = |&feature: &usize| match block_of[feature] {
        Some(block) => weak(found, block, feature, names),
        None => Reason::ConstantInUsedRows,
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
    use super::super::testing::{Run, coded, run_on, run_without_time};
    use super::*;
    use crate::data::CodedTable;
    use crate::random::{Purpose, stream, unit};

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
                    let block = dropped.reason.block().unwrap();
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
    fn without_time_nothing_was_reached() {
        let selection = run_without_time(&table(20), &Run::of("separation"));
        assert!(selection.kept.is_empty() && selection.blocks.is_none());
        assert_eq!(selection.stop, Stop::Budget);
        assert_eq!(selection.dropped[0].reason, Reason::NotReached);
    }
}
