//! How the search went, step by step.

use bayesieve::printable;
use bayesieve::search::Action;
use bayesieve::select::Selection;
use bayesieve::stats::Better;
use bayesieve::wording::counted;

use crate::chart::draw_steps;
use crate::draw::Svg;
use crate::html::Html;
use crate::page::{column_digits, digits, more, section};
use crate::table::{PageCell, PageTable};

/// Steps that are listed.
const MAX_STEPS: usize = 40;

pub(super) fn write(html: &mut Html, selection: &Selection) {
    section(html, "How the search went", |html| {
        let what = selection.search.map_or("candidate", |_| "set");
        html.paragraph(&format!(
            "It ended because: {}. {} evaluated.",
            selection.stop,
            counted(selection.n_evaluations, what)
        ));
        if selection.steps.is_empty() {
            return;
        }
        html.division("charts", |html| {
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

fn chart(selection: &Selection) -> Option<Svg> {
    let mut values = vec![selection.start];
    values.extend(selection.steps.iter().map(|step| step.score));
    let description = format!(
        "A line over {}: from {} to {}.",
        counted(selection.steps.len() as u64, "step"),
        digits(selection.start),
        digits(selection.value),
    );
    draw_steps(&score_title(selection), &description, &values)
}

fn list(html: &mut Html, selection: &Selection) {
    let n_digits = column_digits(selection.steps.iter().map(|step| step.score));
    let steps = selection.steps.iter().take(MAX_STEPS);
    let mut table = PageTable::new("Steps of the search", (1..).zip(steps));
    table.number("step", |(place, _): (usize, _)| place.to_string());
    table.words("feature", |(_, step)| PageCell::Name(&step.feature));
    table.words("goes", |(_, step)| match (&step.operator, step.action) {
        (Some(operator), _) => format!("{} with {}", operator.name, printable(&operator.with, 32)),
        (None, Action::Add) => "in".to_owned(),
        (None, Action::Remove) => "out".to_owned(),
    });
    table.value("score", n_digits, |(_, step)| Some(step.score));
    table.write(html);
    more(html, selection.steps.len(), MAX_STEPS, "");
}
