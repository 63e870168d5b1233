//! The paper's figures: D, R and how often which gain came, one below the other.

use bayesieve::evaluate::{Judged, JudgedMeans};

use super::text::{meaning, percent, setting};
use super::trials::{FigurePart, GainHistogram, ScoreResult, TrialResults, UNIFORM};
use bayesieve_report::draw::{Box2, Plot, Scale, Stroke, Svg, Text};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 982.0;
/// Judged by the true parameters; apart from the other for all kinds of eyes.
const TRUE_COLOR: &str = "#0072b2";
/// Judged by the estimates.
const PLUG_IN_COLOR: &str = "#e07b39";
const DASHES: &str = "7 5";

/// What is drawn of a law, in the upper and in the middle panel.
type DrawnMeasures = [fn(&JudgedMeans) -> f64; 2];

const ALL_BLOCKS: DrawnMeasures = [|means| means.distance.mean, |means| means.risk.mean];
const KEPT_BLOCKS: DrawnMeasures = [
    |means| means.distance_kept.mean,
    |means| means.risk_kept.mean,
];

/// A line of the two upper panels.
struct FigureCurve {
    label: &'static str,
    judged: Judged,
    measures: DrawnMeasures,
    stroke: Stroke<'static>,
}

/// Where lines lie on each other, the wide ones of the estimates show below the others.
const CURVES: [FigureCurve; 4] = [
    curve(
        "by the estimates, all blocks",
        Judged::PlugIn,
        ALL_BLOCKS,
        "",
    ),
    curve(
        "by the estimates, kept blocks",
        Judged::PlugIn,
        KEPT_BLOCKS,
        DASHES,
    ),
    curve("by the truth, all blocks", Judged::Truth, ALL_BLOCKS, ""),
    curve(
        "by the truth, kept blocks",
        Judged::Truth,
        KEPT_BLOCKS,
        DASHES,
    ),
];

const fn curve(
    label: &'static str,
    judged: Judged,
    measures: DrawnMeasures,
    dashes: &'static str,
) -> FigureCurve {
    let (color, width) = match judged {
        Judged::PlugIn => (PLUG_IN_COLOR, 3.6),
        Judged::Truth => (TRUE_COLOR, 1.6),
    };
    let stroke = Stroke {
        color,
        width,
        dashes,
    };
    FigureCurve {
        label,
        judged,
        measures,
        stroke,
    }
}

/// The figure of a part.
pub(super) fn draw(part: &FigurePart, results: &TrialResults) -> Svg {
    let found: Vec<&ScoreResult> = results
        .of(part)
        .filter(|one| one.entry.is_on_curve)
        .collect();
    let id = format!("figure{}", part.name);
    let size = (WIDTH, HEIGHT);
    let mut svg = Svg::new(&id, size, part.title, &description(part, results));
    svg.text(Text::at(70.0, 34.0).bold().sized(16.0), part.title);
    svg.text(Text::at(70.0, 54.0).soft(), &setting(results));
    legend(&mut svg);
    curves(&mut svg, part, &found);
    gains(&mut svg, part, results);
    svg
}

fn legend(svg: &mut Svg) {
    for (place, curve) in CURVES.iter().enumerate() {
        let x = 70.0 + 260.0 * (place % 2) as f64;
        let y = 100.0 - 20.0 * (place / 2) as f64;
        let stroke = curve.stroke;
        svg.line(
            &[(x, y - 4.0), (x + 34.0, y - 4.0)],
            (stroke.color, stroke.width),
            stroke.dashes,
        );
        svg.text(Text::at(x + 42.0, y), curve.label);
    }
}

fn field(row: usize) -> Box2 {
    Box2 {
        x: 70.0,
        y: 152.0 + 285.0 * row as f64,
        width: WIDTH - 70.0 - 30.0,
        height: 205.0,
    }
}

/// The distances and the risks.
fn curves(svg: &mut Svg, part: &FigurePart, found: &[&ScoreResult]) {
    let places = || found.iter().map(|one| one.entry.place());
    // Where scores are small choosing matters most: a linear axis would hide it.
    let x = Scale::logarithmic(
        places().fold(f64::INFINITY, f64::min) / 1.2,
        places().fold(0.0, f64::max) * 1.2,
    );
    let x_title = if part.name == UNIFORM.name {
        "n b / 2, the largest true score (logarithmic)"
    } else {
        "mean of the law of true scores (logarithmic)"
    };
    let panels = [("Distance D of the classes", "D"), ("Risk R", "R")];
    for (row, (title, y_title)) in panels.into_iter().enumerate() {
        let points = |curve: &FigureCurve| -> Vec<(f64, f64)> {
            let measure = |one: &ScoreResult| (curve.measures[row])(one.by(curve.judged));
            let points = found.iter().map(|one| (one.entry.place(), measure(one)));
            points.collect()
        };
        let values = CURVES.iter().flat_map(&points);
        let plot = Plot {
            field: field(row),
            x,
            y: Scale::from_zero(values.fold(0.0, |most, (_, y)| f64::max(most, y))),
            title,
            x_title,
            y_title,
        };
        plot.axes(svg);
        for curve in &CURVES {
            plot.line(svg, &points(curve), curve.stroke);
            if curve.stroke.dashes.is_empty() {
                plot.dots(svg, &points(curve), curve.stroke);
            }
        }
    }
}

/// How often which gain came.
fn gains(svg: &mut Svg, part: &FigurePart, results: &TrialResults) {
    let truth = results.histogram(part, Judged::Truth);
    let plug_in = results.histogram(part, Judged::PlugIn);
    let is_taken = |bin: &usize| truth.counts[*bin] + plug_in.counts[*bin] > 0;
    let bins = || (0..GainHistogram::N_BINS).filter(is_taken);
    let (first, last) = (bins().next().unwrap_or(0), bins().next_back().unwrap_or(0));
    let most = truth.counts.iter().chain(&plug_in.counts).max();
    let beyond = [&truth, &plug_in].map(|histogram| histogram.below + histogram.above);
    let title = match beyond {
        [0, 0] => "Trials by their gain 1 - R~/R".to_owned(),
        [truth, plug_in] => format!(
            "Trials by their gain 1 - R~/R; beyond the axis: {truth} by the truth, {plug_in} by the \
             estimates"
        ),
    };
    let plot = Plot {
        field: field(2),
        x: Scale::linear(
            GainHistogram::start(first) - GainHistogram::WIDTH,
            GainHistogram::start(last) + 2.0 * GainHistogram::WIDTH,
        ),
        y: Scale::from_zero(most.map_or(1.0, |n| *n as f64)),
        title: &title,
        x_title: "part of the risk that choosing blocks takes off; below 0 it adds",
        y_title: "trials",
    };
    plot.axes(svg);
    let half = GainHistogram::WIDTH / 2.0;
    for (histogram, color, shift) in [(&truth, TRUE_COLOR, 0.0), (&plug_in, PLUG_IN_COLOR, half)] {
        let bars = histogram.counts.iter().enumerate().map(|(bin, n)| {
            let from = GainHistogram::start(bin) + shift;
            (from + 0.08 * half, from + 0.92 * half, *n as f64)
        });
        let bars: Vec<(f64, f64, f64)> = bars.collect();
        plot.bars(svg, &bars, color);
    }
}

/// The figure in words.
fn description(part: &FigurePart, results: &TrialResults) -> String {
    let found = results.of(part).filter(|one| one.entry.is_on_curve);
    let gain = |means: &JudgedMeans| percent(means.gain.mean);
    let points: Vec<String> = found
        .map(|one| {
            format!(
                "at {} a mean gain of {} by the true parameters and {} by the estimates",
                one.entry.place(),
                gain(&one.means.by_truth),
                gain(&one.means.by_plug_in)
            )
        })
        .collect();
    format!(
        "Three panels: the distance D of the classes, the risk R, each with all blocks and with \
         the kept ones, and how often which gain came. {}. {}",
        points.join("; "),
        meaning(results).join(" ")
    )
}
