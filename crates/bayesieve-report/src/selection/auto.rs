//! Who was compared, where the method was chosen by the data.

use bayesieve::select::{AutoCandidate, AutoReport};
use bayesieve::wording::counted;

use crate::html::Html;
use crate::page::section;
use crate::scatter::{self, About, Compared};
use crate::series::key;
use crate::table::{Cell, Kind, Table};

pub(super) fn write(html: &mut Html, report: &AutoReport) {
    section(html, "Who was compared", |html| {
        let chosen = report.candidates.get(report.chosen);
        html.element("p", &[], |html| {
            html.text(&format!(
                "Every method with its model was tested on the same {}, on rows that it had not \
                 learned from. Taken: the fewest features within one standard error of the best",
                counted(report.n_folds as u64, "fold")
            ));
            if let Some(chosen) = chosen {
                html.text(", which is ");
                html.words("b", &chosen.name);
            }
            html.text(".");
        });
        if report.is_cut_short {
            html.words("p", "The time was over before all were compared.");
        }
        let compared = report.candidates.iter().enumerate();
        let compared = compared.filter_map(|(place, one)| {
            Some(Compared {
                place,
                kept: About {
                    mean: one.n_kept? as f64,
                    off: f64::NAN,
                },
                accuracy: About {
                    mean: one.accuracy?,
                    off: one.standard_error.unwrap_or(f64::NAN),
                },
            })
        });
        let compared: Vec<Compared> = compared.collect();
        if compared.len() > 1 {
            html.drawing(scatter::draw(
                "compared",
                "Accuracy and kept features of all",
                &compared,
            ));
        }
        table(html, report);
        failures(html, report);
    });
}

fn table(html: &mut Html, report: &AutoReport) {
    let candidates = report.candidates.iter().enumerate();
    let shown = candidates.filter(|(_, one)| one.failure.is_none());
    let rows = shown.map(|(place, one)| {
        let name = format!("{} {}", key(place), one.name);
        let accuracy = one.accuracy.map(|accuracy| accuracy * 100.0);
        vec![
            Cell::Text(name),
            Cell::Text(
                if place == report.chosen {
                    "★\u{a0}taken"
                } else {
                    ""
                }
                .into(),
            ),
            match (accuracy, one.standard_error) {
                (Some(mean), Some(off)) => Cell::Text(format!("{mean:.2} ± {:.2}", off * 100.0)),
                (mean, _) => Cell::number(mean, 2),
            },
            Cell::number(one.n_kept.map(|n| n as f64), 0),
            Cell::number(one.mean_kept, 1),
            Cell::number(one.agreement.map(|share| share * 100.0), 0),
        ]
    });
    let table = Table {
        label: "Methods and models that were compared",
        head: &[
            ("method/model", Kind::Words),
            ("", Kind::Plain),
            ("accuracy %", Kind::Number),
            ("features kept", Kind::Number),
            ("in folds", Kind::Number),
            ("shared with the taken one, %", Kind::Number),
        ],
        rows: rows.collect(),
    };
    table.write(html);
    html.styled(
        "p",
        "note",
        "± is the standard error over all rows, each tested once; “in folds” is the mean number kept there.",
    );
}

fn failures(html: &mut Html, report: &AutoReport) {
    let failed: Vec<&AutoCandidate> = report
        .candidates
        .iter()
        .filter(|one| one.failure.is_some())
        .collect();
    if failed.is_empty() {
        return;
    }
    html.element("ul", &[("class", "note")], |html| {
        for one in failed {
            let why = one.failure.as_deref().unwrap_or_default();
            html.words(
                "li",
                &format!("{} does not work on these data: {why}", one.name),
            );
        }
    });
}
