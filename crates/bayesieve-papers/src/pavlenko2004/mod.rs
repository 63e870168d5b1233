//! Choosing blocks of features by their separation scores: figures 1 and 2.
//!
//! Paper: Pavlenko, Hall and von Rosen, 2004. It has no tables, so that nothing stands beside
//! our numbers; what it claims is that choosing lowers the risk by up to 20 %. The numbers
//! behind the figures are in `trials`, the drawings in `figure`.

mod figure;
mod text;
mod trials;

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use bayesieve::document::Seconds;
use bayesieve::evaluate::{Judged, ScoreSource, SeparationDesign, SeparationStudy, Span, conduct};
use bayesieve::search::Limits;
use bayesieve::{Error, Observer, Result};
use bayesieve_report::{ReproducedCell, ReproducedPanel};
use serde_json::{Value, json};

use self::trials::{FigurePart, GainHistogram, PARTS, ScoreEntry, ScoreResult, TrialResults};
use crate::outcome::{PaperOutcome, PaperRun, object};
use crate::published::Published;
use crate::request::{Paper, PaperPlan, PaperRequest};

static FIGURES: LazyLock<Published> =
    LazyLock::new(|| Published::known(include_str!("../../papers/pavlenko2004.toml")));

pub(crate) static PAPER: Paper = Paper {
    published: &FIGURES,
    plan,
};

fn plan(request: &PaperRequest) -> Result<PaperPlan> {
    let names = PARTS.map(|part| part.name);
    let names = request.chosen("figures", "figure of this paper", &names)?;
    let parts = PARTS.into_iter().filter(|part| names.contains(&part.name));
    let parts: Vec<&FigurePart> = parts.collect();
    let design = SeparationDesign {
        n_blocks: request.number("blocks") as usize,
        block_size: request.number("block-size") as usize,
        n_rows: request.number("rows") as usize,
    };
    let n_trials = request.number("trials") as usize;
    let seed = request.seed;
    Ok(PaperPlan {
        inputs: Vec::new(),
        drawings: parts.iter().filter_map(|part| part.file).collect(),
        work: Box::new(move |observer, _| {
            let start = Instant::now();
            let results = conducted(parts, design, n_trials, seed, observer)?;
            if results.found.is_empty() {
                return Err(Error::interrupted());
            }
            let run = PaperRun {
                paper: &FIGURES,
                settings: settings(&results),
                seed,
                measure: "gain",
                n_units: results.found.len() * n_trials,
                n_asked: results.n_asked,
                is_cut_short: results.found.len() < results.n_asked,
                warnings: Vec::new(),
                seconds: Seconds::new(Duration::ZERO, start.elapsed()),
            };
            Ok(outcome(run, &results))
        }),
    })
}

/// Computes the trials of all laws, as far as the run goes.
fn conducted(
    parts: Vec<&'static FigurePart>,
    design: SeparationDesign,
    n_trials: usize,
    seed: u64,
    observer: &dyn Observer,
) -> Result<TrialResults> {
    let entries = parts.iter().flat_map(|part| (part.entries)(&design));
    let entries: Vec<ScoreEntry> = entries.collect();
    let sources = entries.iter().map(|entry| entry.source).collect();
    let study = SeparationStudy::new(design, sources, n_trials, seed)?;
    let conducted = conduct(&study, None, &Limits::new(observer))?;
    let n_asked = entries.len();
    let finished = entries.into_iter().zip(conducted.groups);
    let finished = finished.filter_map(|(entry, trials)| Some(ScoreResult::new(entry, trials?)));
    Ok(TrialResults {
        found: finished.collect::<Result<_>>()?,
        n_asked,
        design,
        n_trials,
        parts,
    })
}

fn settings(results: &TrialResults) -> Value {
    let names: Vec<&str> = results.parts.iter().map(|part| part.name).collect();
    object([
        ("figures", json!(names)),
        ("trials", json!(results.n_trials)),
        ("blocks", json!(results.design.n_blocks)),
        ("block_size", json!(results.design.block_size)),
        ("rows", json!(results.design.n_rows)),
    ])
}

fn outcome(run: PaperRun, results: &TrialResults) -> PaperOutcome {
    let findings = text::meaning(results);
    let parts = results.parts.iter().copied();
    // A figure that was cut short would pass for a whole one.
    let drawn = parts.clone().filter(|part| results.is_whole(part));
    let drawn = drawn.filter_map(|part| Some((part.file?, figure::draw(part, results))));
    let panels = parts
        .clone()
        .filter(|part| results.of(part).next().is_some());
    PaperOutcome {
        drawings: drawn.collect(),
        text: text::of_trials(&run, results),
        cells: results.found.iter().map(cell).collect(),
        more: vec![
            (
                "histograms",
                parts.map(|part| histograms(part, results)).collect(),
            ),
            ("summary", json!({"text": findings})),
        ],
        findings,
        panels: panels.map(|part| panel(part, results)).collect(),
        conclusions: Vec::new(),
        run,
    }
}

/// What the document says of a law.
fn cell(found: &ScoreResult) -> Value {
    let entry = &found.entry;
    let mut cell = vec![
        ("figure", json!(entry.part.name)),
        ("law", json!(entry.source.to_string())),
    ];
    cell.extend(entry.largest_distance.map(|b| ("b", json!(b))));
    match entry.source {
        ScoreSource::ChiSquare {
            degrees_of_freedom,
            noncentrality,
        } => cell.extend([
            ("degrees_of_freedom", span(degrees_of_freedom)),
            ("noncentrality", span(noncentrality)),
        ]),
        ScoreSource::Irrelevant { share, score } => {
            cell.extend([("irrelevant_share", json!(share)), ("score", json!(score))]);
        }
        _ => {}
    }
    cell.extend([
        ("place", json!(entry.place())),
        ("mean_score", json!(entry.source.mean())),
        ("trials", json!(found.trials.len())),
        ("kept", json!(found.means.kept)),
        ("true", json!(found.means.by_truth)),
        ("plug_in", json!(found.means.by_plug_in)),
    ]);
    object(cell)
}

/// One number, or where it is drawn from.
fn span(span: Span) -> Value {
    if span.from == span.to {
        json!(span.from)
    } else {
        json!([span.from, span.to])
    }
}

fn histograms(part: &FigurePart, results: &TrialResults) -> Value {
    json!({
        "figure": part.name,
        "from": GainHistogram::FROM,
        "width": GainHistogram::WIDTH,
        "true": results.histogram(part, Judged::Truth),
        "plug_in": results.histogram(part, Judged::PlugIn),
    })
}

/// What the page says of a part, law by law.
fn panel(part: &FigurePart, results: &TrialResults) -> ReproducedPanel {
    let cells = results.of(part).flat_map(|found| {
        let (truth, plug_in) = (&found.means.by_truth, &found.means.by_plug_in);
        let measures = [
            ("R with all blocks", truth.risk),
            ("R with kept blocks", truth.risk_kept),
            ("gain by the truth", truth.gain),
            ("gain by the estimates", plug_in.gain),
        ];
        measures.map(|(column, average)| ReproducedCell {
            table: part.name.to_owned(),
            row: found.entry.source.to_string(),
            column: column.to_owned(),
            measure: "risk".to_owned(),
            published: None,
            published_sd: None,
            ours: Some(average.mean),
            ours_sd: None,
        })
    });
    ReproducedPanel {
        title: part.title.to_owned(),
        cells: cells.collect(),
    }
}
