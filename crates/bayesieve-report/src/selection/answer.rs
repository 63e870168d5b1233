//! The first screen: which features, what they buy, how many are out and why.

use bayesieve::search::Stop;
use bayesieve::select::Selection;
use bayesieve::wording::{counted, grouped};

use super::SelectionReport;
use super::accuracy::guess;
use super::dropped::groups;
use crate::html::Html;
use crate::page::{card, chips, percent};

/// Kept features that are named at the top.
const MOST_CHIPS: usize = 40;

pub(super) fn write(html: &mut Html, report: &SelectionReport<'_>) {
    let selection = report.selection;
    html.element("p", &[("class", "soft")], |html| {
        html.name(report.about.file);
        html.text(&format!(
            ": {}, {}; the class ",
            counted(selection.data.n_rows as u64, "row"),
            counted(selection.data.features.len() as u64, "feature"),
        ));
        html.name(&selection.data.class);
        let classes = selection.data.classes.len() as u64;
        html.text(&format!(" has {}.", counted(classes, "value")));
    });
    if selection.kept.is_empty() {
        html.words("p", nothing(report))
    } else {
        let names = selection.kept.iter().map(|kept| kept.feature.as_str());
        chips(html, names, MOST_CHIPS);
    }
    html.element("div", &[("class", "cards")], |html| {
        let kept = grouped(selection.kept.len() as u64);
        let all = grouped(selection.data.features.len() as u64);
        card(html, "Kept", &format!("{kept} of {all}"), |html| {
            html.words("p", &chosen_by(selection));
        });
        buys(html, report);
        dropped(html, report);
    });
}

/// By what the features were chosen.
fn chosen_by(selection: &Selection) -> String {
    let auto = selection.auto.as_ref();
    if let Some(chosen) = auto.and_then(|auto| auto.candidates.get(auto.chosen)) {
        return format!("features; auto took {}", chosen.name);
    }
    let model = selection.model.map(|model| format!(" with {model}"));
    let model = model.unwrap_or_default();
    format!("features, chosen by {}{model}", selection.method)
}

/// Why nothing is kept.
fn nothing(report: &SelectionReport<'_>) -> &'static str {
    match report.selection.stop {
        Stop::Budget | Stop::Interrupted => "The run ended before any feature was kept.",
        _ if report.selection.estimate.is_some() => {
            "No feature makes predictions more accurate than guessing the most frequent class."
        }
        _ => "No feature tells enough about the class to be worth its table.",
    }
}

/// Where features are no help.
const NO_BETTER: &str = "So these features do not predict better than guessing.";

/// What the kept features buy: accuracy, against guessing.
fn buys(html: &mut Html, report: &SelectionReport<'_>) {
    let selection = report.selection;
    let guessing = |html: &mut Html| {
        if let Some((label, share)) = guess(report) {
            html.element("p", &[], |html| {
                html.text("Always guessing ");
                html.name(label);
                html.text(&format!(", the most frequent class: {}.", percent(share)));
            });
        }
    };
    let guessed = guess(report).map_or(f64::NAN, |(_, share)| share);
    let corrected = selection.auto.as_ref().and_then(|auto| auto.corrected);
    if let Some(corrected) = corrected {
        let right = percent(corrected.mean);
        card(html, "Right on rows not seen before", &right, |html| {
            guessing(html);
            if corrected.mean <= guessed {
                html.words("p", NO_BETTER);
            }
        });
    } else if let Some(honest) = &selection.honest {
        card(
            html,
            "Right on rows not seen before",
            &percent(honest.mean),
            |html| {
                guessing(html);
                if honest.mean <= guessed {
                    html.words("p", NO_BETTER);
                }
            },
        );
    } else if let Some(inner) = selection.estimate {
        card(
            html,
            "Right by the search's own estimate",
            &percent(inner.mean),
            |html| {
                html.words("p", "Optimistic: the search took what looked best.");
                guessing(html);
            },
        );
    } else {
        card(
            html,
            "Right on rows not seen before",
            "not measured",
            |html| {
                guessing(html);
                if selection.auto.is_none() {
                    html.words("p", "The option --honest measures it.");
                }
            },
        );
    }
}

/// How many are out, by reason.
fn dropped(html: &mut Html, report: &SelectionReport<'_>) {
    let dropped = &report.selection.dropped;
    card(html, "Dropped", &grouped(dropped.len() as u64), |html| {
        if dropped.is_empty() {
            html.words("p", "Nothing is dropped.");
            return;
        }
        let parts = groups(report.selection);
        let parts = parts.iter().map(|(group, members)| {
            format!(
                "{} {}",
                grouped(members.len() as u64),
                group.short[usize::from(members.len() != 1)]
            )
        });
        let parts: Vec<String> = parts.collect();
        html.words("p", &format!("{}.", parts.join("; ")));
    });
}
