//! One data set of a comparison: a chart, a table, learning curves, what was kept how often.

use bayesieve::evaluate::{ComparedData, Entry, Measure, Standing};
use bayesieve::printable;
use bayesieve::stats::MeanSd;
use bayesieve::wording::counted;

use super::{ComparisonReport, curves, kind, stability};
use crate::draw::Svg;
use crate::html::Html;
use crate::page::{percent, section};
use crate::scatter::{self, About, Compared};
use crate::series::key;
use crate::table::{Cell, Kind, Table};

pub(super) fn write(
    html: &mut Html,
    report: &ComparisonReport<'_>,
    place: usize,
    marks: &[(usize, Standing)],
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
            "{}, {}, class {} with {}; {}, {}. Guessing the most frequent class is right in {}.",
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
                html.drawing(chart(place, data, &entries))
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

/// Accuracy against kept features.
fn chart(place: usize, data: &ComparedData, entries: &[&Entry]) -> Svg {
    let about = |of_runs: MeanSd| About {
        mean: of_runs.mean,
        off: of_runs.sd.unwrap_or(f64::NAN),
    };
    let compared = entries.iter().filter_map(|entry| {
        Some(Compared {
            place: entry.pipeline,
            kept: about(entry.mean_sd(Measure::Kept)?),
            accuracy: about(entry.mean_sd(Measure::Accuracy)?),
        })
    });
    let title = format!(
        "Accuracy and kept features on {}",
        printable(&data.name, 40)
    );
    let compared: Vec<Compared> = compared.collect();
    scatter::draw(&format!("scatter-{place}"), &title, &compared)
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
    (place, marks): (usize, &[(usize, Standing)]),
    entries: &[&Entry],
) {
    let found = report.comparison;
    let n_features = found.data[place].features.len();
    let has_inner = entries.iter().any(|entry| entry.inner_accuracy().is_some());
    let n_columns = if has_inner {
        HEAD.len()
    } else {
        HEAD.len() - 1
    };
    let rows = entries.iter().zip(marks).map(|(entry, (_, mark))| {
        let name = printable(&found.pipelines[entry.pipeline].name, 48);
        row(entry, (name, *mark), n_features)
    });
    let table = Table {
        label: "Pipelines on this data set",
        head: &HEAD[..n_columns],
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

/// The columns; the last one only where a search went by accuracy.
const HEAD: [(&str, Kind); 9] = [
    ("pipeline", Kind::Words),
    ("accuracy %", Kind::Number),
    ("", Kind::Plain),
    ("features kept", Kind::Number),
    ("log loss", Kind::Number),
    ("CALL", Kind::Number),
    ("stability", Kind::Number),
    ("seconds", Kind::Number),
    ("own estimate %", Kind::Number),
];

fn row<'a>(entry: &Entry, (name, mark): (String, Standing), n_features: usize) -> Vec<Cell<'a>> {
    let word = match mark {
        Standing::Best => "★\u{a0}best",
        Standing::Even => "=\u{a0}even",
        Standing::Worse => "",
        Standing::Untested => "not tested",
    };
    let seconds = entry.mean_sd(Measure::Seconds);
    let inner = entry.inner_accuracy();
    vec![
        Cell::Text(format!("{} {name}", key(entry.pipeline))),
        about(entry.mean_sd(Measure::Accuracy), 100.0, 2),
        Cell::Text(word.into()),
        about(entry.mean_sd(Measure::Kept), 1.0, 1),
        about(entry.mean_sd(Measure::LogLoss), 1.0, 3),
        about(entry.mean_sd(Measure::Call), 1.0, 3),
        Cell::number(entry.stability(n_features), 2),
        Cell::number(seconds.map(|seconds| seconds.mean), 3),
        Cell::number(inner.map(|inner| inner * 100.0), 2),
    ]
}
