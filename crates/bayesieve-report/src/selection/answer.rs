//! The first screen: which features, what they buy, how many are out and why.

use bayesieve::run::SelectOutcome;
use bayesieve::search::Stop;
use bayesieve::select::{KeptFeature, Selection};
use bayesieve::wording::{counted, grouped};

use super::accuracy::guess;
use super::dropped::groups;
use crate::html::Html;
use crate::page::{About, card, fact, percent};

/// Kept features that are named at the top.
const MAX_CHIPS: usize = 40;

pub(super) fn write(html: &mut Html, about: &About, report: &SelectOutcome) {
    let selection = &report.selection;
    html.element("p", &[("class", "soft")], |html| {
        html.name(&about.file);
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
        html.paragraph(nothing(report))
    } else {
        chips(html, &selection.kept);
    }
    html.division("cards", |html| {
        let kept = grouped(selection.kept.len() as u64);
        let all = grouped(selection.data.features.len() as u64);
        fact(
            html,
            "Kept",
            &format!("{kept} of {all}"),
            &chosen_by(selection),
        );
        buys(html, report);
        let dropped = grouped(selection.dropped.len() as u64);
        fact(html, "Dropped", &dropped, &dropped_by_reason(selection));
    });
}

/// Writes the names of kept features as a list that wraps.
fn chips(html: &mut Html, kept: &[KeptFeature]) {
    html.element("ul", &[("class", "chips")], |html| {
        for one in kept.iter().take(MAX_CHIPS) {
            html.element("li", &[], |html| html.name(&one.feature));
        }
        if kept.len() > MAX_CHIPS {
            let rest = format!("and {} more", kept.len() - MAX_CHIPS);
            html.styled("li", "more", &rest);
        }
    });
}

/// By what the features were chosen.
fn chosen_by(selection: &Selection) -> String {
    let auto = selection.auto.as_ref();
    if let Some(chosen) = auto.and_then(|auto| auto.candidates.get(auto.chosen)) {
        return if auto.is_some_and(|auto| auto.is_of_one_method) {
            format!("features, chosen by {}", chosen.name)
        } else {
            format!("features; auto took {}", chosen.name)
        };
    }
    let model = selection.model.map(|model| format!(" with {model}"));
    let method = selection.method;
    format!("features, chosen by {method}{}", model.unwrap_or_default())
}

/// Why nothing is kept.
fn nothing(report: &SelectOutcome) -> &'static str {
    match report.selection.stop {
        Stop::Budget | Stop::Interrupted => "The run ended before any feature was kept.",
        _ if report.selection.estimate.is_some_and(|e| !e.is_accuracy()) => {
            "No feature makes predictions better than the shares of the classes."
        }
        _ if report.selection.estimate.is_some() => {
            "No feature makes predictions more accurate than guessing the most frequent class."
        }
        _ => "No feature tells enough about the class to be worth its table.",
    }
}

/// Writes what the kept features buy: accuracy, against guessing.
fn buys(html: &mut Html, report: &SelectOutcome) {
    let selection = &report.selection;
    let guess = guess(report);
    let guessing = |html: &mut Html| {
        if let Some((label, share)) = guess {
            let share = format!(", the most frequent class: {}.", percent(share));
            html.sentence("Always guessing ", label, &share);
        }
    };
    let corrected = selection.auto.as_ref().and_then(|auto| auto.corrected);
    let honest = selection.honest.as_ref().map(|honest| honest.mean);
    let label = "Right on rows not seen before";
    if let Some(accuracy) = corrected.map(|corrected| corrected.mean).or(honest) {
        card(html, label, &percent(accuracy), |html| {
            guessing(html);
            if guess.is_some_and(|(_, share)| accuracy <= share) {
                html.paragraph("So these features do not predict better than guessing.");
            }
        });
    } else if let Some(inner) = selection.estimate {
        let optimistic = "Optimistic: the search took what looked best.";
        if inner.is_accuracy() {
            let label = "Right by the search's own estimate";
            card(html, label, &percent(inner.mean), |html| {
                html.paragraph(optimistic);
                guessing(html);
            });
        } else {
            let label = format!("The search's own estimate: {}", inner.measure);
            let value = format!("{:.4}", inner.mean);
            card(html, &label, &value, |html| html.paragraph(optimistic));
        }
    } else {
        card(html, label, "not measured", |html| {
            guessing(html);
            if selection.auto.is_none() {
                html.paragraph("The option --honest measures it.");
            }
        });
    }
}

/// Says how many are dropped for which reason.
fn dropped_by_reason(selection: &Selection) -> String {
    let parts = groups(selection).into_iter().map(|(group, members)| {
        let n = members.len();
        format!("{} {}", grouped(n as u64), group.short[usize::from(n != 1)])
    });
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() {
        return "Nothing is dropped.".into();
    }
    format!("{}.", parts.join("; "))
}
