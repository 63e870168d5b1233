//! Who was compared, where the method was chosen by the data.

use bayesieve::measure::Measure;
use bayesieve::printable;
use bayesieve::select::AutoReport;
use bayesieve::wording::counted;

use crate::html::Html;
use crate::page::section;
use crate::scatter::{self, ScatterPoint, Spread};
use crate::series::key;
use crate::table::{ColumnStyle, PageCell, PageTable};

pub(super) fn write(html: &mut Html, report: &AutoReport) {
    section(html, "Who was compared", |html| {
        let chosen = report.candidates.get(report.chosen);
        html.element("p", &[], |html| {
            html.text(&format!(
                "Every method with its model was tested on the same {}, on rows that it had not \
                 learned from. Taken: the {}",
                counted(report.n_folds as u64, "fold"),
                report.rule()
            ));
            if let Some(chosen) = chosen {
                html.text(", which is ");
                html.words("b", &chosen.name);
            }
            html.text(".");
        });
        if report.is_cut_short {
            html.paragraph("The time was over before all were compared.");
        }
        let points = report.candidates.iter().enumerate();
        let points = points.filter_map(|(place, one)| {
            Some(ScatterPoint {
                place,
                kept: Spread {
                    mean: one.n_kept? as f64,
                    off: f64::NAN,
                },
                accuracy: Spread {
                    mean: one.accuracy?,
                    off: one.standard_error.unwrap_or(f64::NAN),
                },
            })
        });
        let points: Vec<ScatterPoint> = points.collect();
        if points.len() > 1 {
            let title = "Accuracy and kept features of all";
            html.drawing(scatter::draw("compared", title, &points));
        }
        table(html, report);
        runner_up(html, report);
        failures(html, report);
    });
}

fn table(html: &mut Html, report: &AutoReport) {
    let candidates = report.candidates.iter().enumerate();
    let finished = candidates.filter(|(_, one)| one.failure.is_none());
    let mut table = PageTable::new("Methods and models that were compared", finished);
    let percents = |share: Option<f64>| share.map(|share| share * 100.0);
    table.words("method/model", |(place, one)| {
        format!("{} {}", key(place), one.name)
    });
    table.column("", ColumnStyle::Plain, |(place, _)| {
        if place == report.chosen {
            "★\u{a0}taken"
        } else {
            ""
        }
    });
    if report.measure != Measure::ACCURACY {
        table.value(report.measure.name, 3, |(_, one)| one.value);
    }
    table.number("accuracy %", |(_, one)| {
        PageCell::with_error(percents(one.accuracy), percents(one.standard_error), 2)
    });
    table.value("features kept", 0, |(_, one)| one.n_kept.map(|n| n as f64));
    table.value("in folds", 1, |(_, one)| one.mean_kept);
    table.value("shared with the taken one, %", 0, |(_, one)| {
        percents(one.agreement)
    });
    table.write(html);
    html.note(
        "± is the standard error over all rows, each tested once; “in folds” is the mean number \
         kept there.",
    );
}

fn runner_up(html: &mut Html, report: &AutoReport) {
    if let Some(runner_up) = &report.runner_up {
        html.paragraph(&format!(
            "Nearly as good: {} by {} ({:+.1} points of accuracy): {}.",
            counted(runner_up.features.len() as u64, "feature"),
            runner_up.name,
            runner_up.accuracy_difference * 100.0,
            printable(&runner_up.features.join(", "), 300)
        ));
    }
}

fn failures(html: &mut Html, report: &AutoReport) {
    let candidates = report.candidates.iter();
    let failures = candidates.filter_map(|one| Some((&one.name, one.failure.as_ref()?)));
    let failures: Vec<(&String, &String)> = failures.collect();
    if failures.is_empty() {
        return;
    }
    html.element("ul", &[("class", "note")], |html| {
        for (name, why) in failures {
            html.words("li", &format!("{name} does not work on these data: {why}"));
        }
    });
}
