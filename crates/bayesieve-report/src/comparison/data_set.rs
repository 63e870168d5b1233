//! One data set of a comparison: a chart, a table, learning curves, what was kept how often.

use bayesieve::evaluate::{Entry, Measure};
use bayesieve::printable;
use bayesieve::stats::MeanSd;
use bayesieve::wording::counted;

use super::answer::Mark;
use super::{ComparisonReport, curves, kind, scatter, stability};
use crate::html::Html;
use crate::page::{percent, section};
use crate::series::key;
use crate::table::{Cell, Kind, Table};

pub(super) fn write(
    html: &mut Html,
    report: &ComparisonReport<'_>,
    place: usize,
    marks: &[(usize, Mark)],
) {
    let found = report.comparison;
    let data = &found.data[place];
    let entries = marks
        .iter()
        .filter_map(|(pipeline, _)| found.entry(place, *pipeline));
    let entries: Vec<&Entry> = entries.collect();
    section(html, &printable(&data.name, 60), |html| {
        let n_splits = data.protocol.n_splits() as u64;
        let what = format!(
            "{}, {}, class {} with {}; {} of {}. Guessing the most frequent class is right in {}.",
            counted(data.n_rows as u64, "row"),
            counted(data.features.len() as u64, "feature"),
            printable(&data.class, 40),
            counted(data.classes.len() as u64, "value"),
            data.protocol,
            counted(n_splits, "split"),
            percent(data.guessing())
        );
        html.styled("p", "note", &what);
        if entries.is_empty() {
            html.words("p", "No pipeline was finished here.");
            return;
        }
        html.element("div", &[("class", "charts")], |html| {
            html.element("div", &[], |html| {
                html.drawing(scatter::draw(place, data, &entries))
            });
            if let Some(drawing) = curves::draw(found, place) {
                html.element("div", &[], |html| html.drawing(drawing));
            }
        });
        table(html, report, (place, marks), &entries);
        curves::table(html, found, place);
        stability::write(html, found, place, &entries);
    });
}

/// Mean and standard deviation, in units that are shown.
fn about<'a>(of_runs: Option<MeanSd>, unit: f64, digits: usize) -> Cell<'a> {
    let Some(of_runs) = of_runs else {
        return Cell::Text("–".into());
    };
    let mean = of_runs.mean * unit;
    Cell::Text(match of_runs.sd {
        Some(sd) => format!("{mean:.digits$} ± {:.digits$}", sd * unit),
        None => format!("{mean:.digits$}"),
    })
}

fn table(
    html: &mut Html,
    report: &ComparisonReport<'_>,
    (place, marks): (usize, &[(usize, Mark)]),
    entries: &[&Entry],
) {
    let found = report.comparison;
    let data = &found.data[place];
    let has_inner = entries.iter().any(|entry| entry.inner_accuracy().is_some());
    let mut head = vec![
        ("pipeline", Kind::Words),
        ("accuracy %", Kind::Number),
        ("", Kind::Plain),
        ("features kept", Kind::Number),
        ("log loss", Kind::Number),
        ("CALL", Kind::Number),
        ("stability", Kind::Number),
        ("seconds", Kind::Number),
    ];
    if has_inner {
        head.push(("own estimate %", Kind::Number));
    }
    let rows = entries.iter().zip(marks).map(|(entry, (_, mark))| {
        let name = printable(&found.pipelines[entry.pipeline].name, 48);
        let mut row = vec![
            Cell::Text(format!("{} {name}", key(entry.pipeline))),
            about(entry.mean_sd(Measure::Accuracy), 100.0, 2),
            Cell::Text(
                match mark {
                    Mark::Best => "★ best",
                    Mark::Even => "= even",
                    Mark::Worse => "",
                }
                .into(),
            ),
            about(entry.mean_sd(Measure::Kept), 1.0, 1),
            about(entry.mean_sd(Measure::LogLoss), 1.0, 3),
            about(entry.mean_sd(Measure::Call), 1.0, 3),
            Cell::number(entry.stability(data.features.len()), 2),
            Cell::number(
                entry.mean_sd(Measure::Seconds).map(|seconds| seconds.mean),
                3,
            ),
        ];
        if has_inner {
            let inner = entry.inner_accuracy().map(|inner| inner * 100.0);
            row.push(Cell::number(inner, 2));
        }
        row
    });
    let table = Table {
        label: "Pipelines on this data set",
        head: &head,
        rows: rows.collect(),
    };
    table.write(html);
    let mut text = format!(
        "± is the standard deviation over splits. Even: not told apart from the best by {} at \
         level {}. Log loss punishes wrong confidence, less is better; CALL is what the classifier \
         says beyond the features alone, in bits; stability is 1 where every split keeps the same \
         features, 0 where they agree by chance.",
        kind(report, place).name(),
        report.alpha
    );
    if has_inner {
        text += " Own estimate: the accuracy that the search went by, optimistic.";
    }
    html.styled("p", "note", &text);
}
