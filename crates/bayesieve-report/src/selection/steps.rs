//! How the search went, step by step.

use bayesieve::search::Action;
use bayesieve::select::Selection;
use bayesieve::stats::Better;
use bayesieve::wording::counted;

use crate::chart::StepChart;
use crate::html::Html;
use crate::page::{column_digits, digits, more, section};
use crate::table::{Cell, Kind, Table};

/// Steps that are listed.
const MOST_STEPS: usize = 40;

pub(super) fn write(html: &mut Html, selection: &Selection) {
    section(html, "How the search went", |html| {
        let stopped = format!(
            "It ended because: {}. {} evaluated.",
            selection.stop,
            match selection.search {
                Some(_) => counted(selection.n_evaluations, "set"),
                None => counted(selection.n_evaluations, "candidate"),
            }
        );
        html.words("p", &stopped);
        if selection.steps.is_empty() {
            return;
        }
        html.element("div", &[("class", "charts")], |html| {
            html.element("div", &[], |html| {
                if let Some(drawing) = chart(selection) {
                    html.drawing(drawing);
                }
            });
            html.element("div", &[], |html| list(html, selection));
        });
    });
}

/// The score's name, unit and direction.
fn score_title(selection: &Selection) -> String {
    let unit = match selection.score.unit {
        "" => String::new(),
        unit => format!(" in {unit}"),
    };
    let better = match selection.score.better {
        Better::Higher => "larger is better",
        Better::Lower => "smaller is better",
    };
    format!("{}{unit}, {better}", selection.score.name)
}

fn chart(selection: &Selection) -> Option<crate::draw::Svg> {
    let mut values = vec![selection.start];
    values.extend(selection.steps.iter().map(|step| step.score));
    let description = format!(
        "A line over {}: from {} to {}.",
        counted(selection.steps.len() as u64, "step"),
        digits(selection.start),
        digits(selection.value),
    );
    let chart = StepChart {
        id: "score",
        title: &score_title(selection),
        description: &description,
        x_title: "step",
        values: &values,
    };
    chart.draw()
}

fn list(html: &mut Html, selection: &Selection) {
    let n_digits = column_digits(selection.steps.iter().map(|step| step.score));
    let shown = selection.steps.iter().take(MOST_STEPS).enumerate();
    let rows = shown.map(|(place, step)| {
        let action = match (&step.operator, step.action) {
            (Some(operator), _) => format!("{} with {}", operator.name, shown_name(&operator.with)),
            (None, Action::Add) => "in".to_owned(),
            (None, Action::Remove) => "out".to_owned(),
        };
        vec![
            Cell::Text((place + 1).to_string()),
            Cell::Name(&step.feature),
            Cell::Text(action),
            Cell::number(Some(step.score), n_digits),
        ]
    });
    let table = Table {
        label: "Steps of the search",
        head: &[
            ("step", Kind::Number),
            ("feature", Kind::Words),
            ("goes", Kind::Words),
            ("score", Kind::Number),
        ],
        rows: rows.collect(),
    };
    table.write(html);
    more(html, (selection.steps.len(), MOST_STEPS), "");
}

fn shown_name(name: &str) -> String {
    bayesieve::printable(name, 32)
}
