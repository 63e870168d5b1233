//! One data set of a comparison: a chart, a table, learning curves, what was kept how often.

use bayesieve::document::CompareOutcome;
use bayesieve::evaluate::{ComparedData, Entry, PairTestKind, Quantity, Standing};
use bayesieve::measure::Measure;
use bayesieve::printable;
use bayesieve::stats::MeanSd;
use bayesieve::wording::counted;

use super::{curves, label, stability};
use crate::draw::Svg;
use crate::html::Html;
use crate::page::{percent, section};
use crate::scatter::{self, ScatterPoint, Spread};
use crate::table::{ColumnStyle, PageCell, PageTable};

pub(super) fn write(
    html: &mut Html,
    report: &CompareOutcome,
    place: usize,
    marks: &[(usize, Standing)],
) {
    let found = &report.comparison;
    let data = &found.data[place];
    let entries = marks
        .iter()
        .filter_map(|(pipeline, _)| found.entry(place, *pipeline));
    let entries: Vec<&Entry> = entries.collect();
    section(html, &printable(&data.name, 60), |html| {
        let n_splits = data.protocol.n_splits() as u64;
        let what = format!(
            "{}, {}, class {} with {}; {}, {}. Majority-class baseline: {} right.",
            counted(data.n_rows as u64, "row"),
            counted(data.features.len() as u64, "feature"),
            printable(&data.class, 40),
            counted(data.classes.len() as u64, "value"),
            data.protocol,
            counted(n_splits, "split"),
            percent(data.guessing())
        );
        html.note(&what);
        if entries.is_empty() {
            html.paragraph("No pipeline was finished here.");
            return;
        }
        html.division("charts", |html| {
            let chart = chart(place, data, &entries);
            for drawing in [Some(chart), curves::draw(found, place)]
                .into_iter()
                .flatten()
            {
                html.element("div", &[], |html| html.drawing(drawing));
            }
        });
        table(html, report, place, marks);
        curves::table(html, found, place);
        stability::write(html, found, place, &entries);
    });
}

/// Draws accuracy against kept features.
fn chart(place: usize, data: &ComparedData, entries: &[&Entry]) -> Svg {
    let spread = |of_runs: MeanSd| Spread {
        mean: of_runs.mean,
        off: of_runs.sd.unwrap_or(f64::NAN),
    };
    let points = entries.iter().filter_map(|entry| {
        Some(ScatterPoint {
            place: entry.pipeline,
            kept: spread(entry.mean_sd(Quantity::Kept)?),
            accuracy: spread(entry.mean_sd(Quantity::ACCURACY)?),
        })
    });
    let name = printable(&data.name, 40);
    let title = format!("Accuracy and kept features on {name}");
    let points: Vec<ScatterPoint> = points.collect();
    scatter::draw(&format!("scatter-{place}"), &title, &points)
}

fn table(html: &mut Html, report: &CompareOutcome, place: usize, marks: &[(usize, Standing)]) {
    let found = &report.comparison;
    let data = &found.data[place];
    let marked = |&(pipeline, mark)| Some((found.entry(place, pipeline)?, mark));
    let mut table = PageTable::new(
        "Pipelines on this data set",
        marks.iter().filter_map(marked),
    );
    let of_runs = |quantity: Quantity, unit: f64, n_digits: usize| {
        move |(entry, _): (&Entry, Standing)| {
            let of_runs = entry.mean_sd(quantity);
            let sd = of_runs.and_then(|of_runs| of_runs.sd);
            let mean = of_runs.map(|of_runs| of_runs.mean * unit);
            PageCell::with_error(mean, sd.map(|sd| sd * unit), n_digits)
        }
    };
    table.words("pipeline", |(entry, _)| label(found, entry.pipeline));
    let decides = found.measure;
    if decides != Measure::ACCURACY && decides != Measure::LOG_LOSS {
        table.number(decides.name, of_runs(Quantity::Measured(decides), 1.0, 3));
    }
    table.number("accuracy %", of_runs(Quantity::ACCURACY, 100.0, 2));
    table.column("", ColumnStyle::Plain, |(_, mark)| match mark {
        Standing::Best => "★\u{a0}best",
        Standing::Even => "=\u{a0}even",
        Standing::Worse => "",
        Standing::Untested => "not tested",
    });
    table.number("features kept", of_runs(Quantity::Kept, 1.0, 1));
    table.number("log loss", of_runs(Quantity::LOG_LOSS, 1.0, 3));
    table.number("CALL", of_runs(Quantity::Call, 1.0, 3));
    let n_features = data.features.len();
    table.value("stability", 2, |(entry, _)| entry.stability(n_features));
    table.value("seconds", 3, |(entry, _)| {
        entry.mean_sd(Quantity::Seconds).map(|seconds| seconds.mean)
    });
    let inner = |entry: &Entry| entry.inner_accuracy();
    let has_inner = table.items().any(|(entry, _)| inner(entry).is_some());
    if has_inner {
        table.value("own estimate %", 2, |(entry, _)| {
            inner(entry).map(|accuracy| accuracy * 100.0)
        });
    }
    table.write(html);
    let mut text = format!(
        "± is the standard deviation over splits. Even: not significantly different from the best {} by {} at \
         level {}. Log loss punishes wrong confidence, less is better; CALL is what the classifier \
         says beyond the features alone, in bits; stability is 1 where every split keeps the same \
         features, 0 where they agree by chance.",
        decides.name,
        PairTestKind::for_protocol(report.test, data.protocol).name(),
        report.alpha
    );
    if has_inner {
        text += " Own estimate: the accuracy that the search went by, optimistic.";
    }
    html.note(&text);
}
