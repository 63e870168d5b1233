//! The tables of this paper for people, and what they mean.

use bayesieve::evaluate::{Average, Judged, JudgedMeans, ScoreSource};
use bayesieve::wording::{counted, grouped};

use super::trials::{CHI_SQUARE, FigurePart, NOT_IN_PAPER, ScoreResult, TrialResults, UNIFORM};
use crate::outcome::{PaperRun, TextPart};
use crate::text::ending;

/// Gains below this part of the risk are no more than a trace of the claimed 20 %.
const NEGLIGIBLE_GAIN: f64 = 0.02;

pub(super) fn of_trials(run: &PaperRun, results: &TrialResults) -> Vec<TextPart> {
    let paper = run.paper;
    let head = format!(
        "{}: {}\n{}\n\n",
        paper.name,
        paper.summary,
        setting(results)
    );
    let mut parts = vec![TextPart::Lines(head)];
    for &part in &results.parts {
        if results.of(part).next().is_some() {
            parts.push(TextPart::Lines(format!("{}\n\n", part.title)));
            parts.push(table(results, part));
            parts.push(TextPart::Lines(format!(
                "  {}\n\n",
                errors(results.n_trials)
            )));
        }
    }
    let mut tail = LEGEND.to_owned();
    for sentence in meaning(results) {
        tail += &format!("\n{sentence}\n");
    }
    tail += "\n";
    tail += &ending(run, "trials", results.found.len(), "laws");
    parts.push(TextPart::Lines(tail));
    parts
}

/// Says what was drawn.
pub(super) fn setting(results: &TrialResults) -> String {
    let design = results.design;
    format!(
        "{} of {}, {} per class, {} of every law",
        counted(design.n_blocks as u64, "block"),
        counted(design.block_size as u64, "feature"),
        counted(design.n_rows as u64, "training row"),
        counted(results.n_trials as u64, "trial"),
    )
}

/// What the numbers behind ± are.
fn errors(n_trials: usize) -> String {
    match n_trials {
        1 => "one trial: how far it is from the mean of many is not known".into(),
        n => format!(
            "means over {} trials; ± is the Monte-Carlo standard error, the spread of the trials \
             over the root of their number",
            grouped(n as u64)
        ),
    }
}

/// What the columns are.
const LEGEND: &str = "\
kept     blocks that equation (22) keeps
D, R     distance of the classes and risk with all blocks; D~, R~ with the kept ones
true     the classifier as it is, by the parameters that the data were drawn from
plug-in  what the estimates promise that the blocks were chosen by, as in the paper
gain     1 - R~/R of a trial, averaged: what choosing blocks takes off the risk
";

fn table(results: &TrialResults, part: &FigurePart) -> TextPart {
    let numbers = [
        "kept",
        "D true",
        "D~",
        "R true",
        "R~",
        "gain true",
        "D plug-in",
        "D~",
        "R plug-in",
        "R~",
        "gain plug-in",
    ];
    let rows = results.of(part).map(|found| {
        let mut row = words(found);
        row.push(format!("{:.1}", found.means.kept.mean));
        row.extend(judged(&found.means.by_truth));
        row.extend(judged(&found.means.by_plug_in));
        row
    });
    let n_words = usize::from(part.name == NOT_IN_PAPER.name);
    TextPart::table(part.words.iter().chain(&numbers).copied(), n_words, rows)
}

/// What a law goes by.
fn words(found: &ScoreResult) -> Vec<String> {
    let entry = &found.entry;
    match entry.source {
        ScoreSource::ChiSquare {
            degrees_of_freedom,
            noncentrality,
        } => vec![
            degrees_of_freedom.to_string(),
            noncentrality.to_string(),
            entry.place().to_string(),
        ],
        source => match entry.largest_distance {
            Some(b) => vec![b.to_string(), entry.place().to_string()],
            None => vec![source.to_string()],
        },
    }
}

fn judged(means: &JudgedMeans) -> [String; 5] {
    [
        format!("{:.3}", means.distance.mean),
        format!("{:.3}", means.distance_kept.mean),
        risk(means.risk.mean),
        risk(means.risk_kept.mean),
        gain(means.gain),
    ]
}

fn risk(risk: f64) -> String {
    if risk == 0.0 || risk >= 0.001 {
        format!("{risk:.4}")
    } else {
        format!("{risk:.1e}")
    }
}

fn gain(gain: Average) -> String {
    let error = gain.standard_error.map(|error| format!(" ± {error:.4}"));
    format!("{:+.4}{}", gain.mean, error.unwrap_or_default())
}

pub(super) fn percent(gain: f64) -> String {
    format!("{:+.1} %", 100.0 * gain)
}

/// What the numbers say about the paper's claim, in sentences.
pub(super) fn meaning(results: &TrialResults) -> Vec<String> {
    let mut sentences = Vec::new();
    let figures = [&UNIFORM, &CHI_SQUARE];
    let truth = results.gains(&figures, Judged::Truth);
    let plug_in = results.gains(&figures, Judged::PlugIn);
    if let (Some((least, most)), Some((_, promised))) = (truth, plug_in) {
        sentences.push(format!(
            "The paper claims up to 20 % lower risk for uniform and chi-square laws. By the true \
             parameters the mean gain lies between {} and {}; by the estimates that the blocks \
             were chosen by it reaches {}.",
            percent(least),
            percent(most),
            percent(promised)
        ));
        if most < NEGLIGIBLE_GAIN {
            sentences.push(
                "So the claim is not reproduced: what the estimates promise is selection bias, \
                 blocks chosen and judged by the same numbers."
                    .into(),
            );
        }
    }
    let irrelevant = results.gains(&[&NOT_IN_PAPER], Judged::Truth);
    if let Some((least, most)) = irrelevant.filter(|(least, _)| *least > NEGLIGIBLE_GAIN) {
        sentences.push(format!(
            "Where a sizeable share of the blocks is truly irrelevant, as the paper's theorem \
             assumes, the gain is real: {} to {} by the true parameters.",
            percent(least),
            percent(most)
        ));
    }
    sentences
}
