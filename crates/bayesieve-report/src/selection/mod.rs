//! The page of a selection: the answer first, then what speaks for it.

mod accuracy;
mod answer;
mod auto;
mod blocks;
mod dropped;
mod kept;
mod steps;

#[cfg(test)]
mod tests;

use bayesieve::printable;
use bayesieve::run::SelectOutcome;
use bayesieve::select::{Method, Selection};
use bayesieve::wording::{counted, grouped};

use crate::html::Html;
use crate::network::{Graph, write_graph};
use crate::page::{About, Page, notes, section};

/// Writes the page of a selection.
///
/// # Example
/// See the [crate's page](crate#how-do-i-get-a-page-about-a-selection).
pub fn selection(about: &About, report: &SelectOutcome) -> String {
    let selection = &report.selection;
    let title = title(selection);
    let page = Page {
        kicker: "Bayesieve · feature selection",
        title: &title,
        about,
        settings: settings(selection),
    };
    page.write(|html| {
        answer::write(html, about, report);
        kept::write(html, report);
        drawing(html, report);
        dropped::write(html, selection);
        accuracy::write(html, report);
        if let Some(found) = &selection.blocks {
            blocks::write(html, found);
        }
        if let Some(compared) = &selection.auto {
            auto::write(html, compared);
        }
        steps::write(html, selection);
        how(html, selection);
        notes(html, &selection.warnings);
    })
}

fn title(selection: &Selection) -> String {
    let class = printable(&selection.data.class, 40);
    let features = counted(selection.data.features.len() as u64, "feature");
    match (selection.kept.len(), selection.data.features.len()) {
        (0, _) => format!("None of {features} is kept to predict {class}"),
        (1, 1) => format!("The one feature is kept to predict {class}"),
        (kept, all) if kept == all => format!("Keeps all {features} to predict {class}"),
        (kept, _) => {
            let kept = grouped(kept as u64);
            format!("Keeps {kept} of {features} to predict {class}")
        }
    }
}

/// What the numbers depend on.
fn settings(selection: &Selection) -> Vec<(&str, String)> {
    let method = match selection.auto {
        Some(_) => format!("auto, which took {}", selection.method),
        None => selection.method.to_owned(),
    };
    let mut settings = vec![("method", method)];
    settings.extend(selection.model.map(|model| ("model", model.to_owned())));
    settings.extend(selection.search.map(|search| ("search", search.to_owned())));
    let own = selection.settings.iter();
    settings.extend(own.map(|(name, value)| (*name, printable(value, 200))));
    settings.push(("seed", selection.seed.to_string()));
    settings
}

/// What links between features of a boundary mean.
const OF_BOUNDARY: &str = "An arrow goes from one to another that depends on it directly; a line \
    without a tip means that the rows do not tell which way, a dashed one that the method does not \
    ask. Parents point at the class, children are pointed at, spouses share a child with it.";

/// What links between features of a model mean.
const OF_MODEL: &str = "An arrow means that the feature at its tip is predicted from the one at its \
    start, besides the class.";

/// The network over the kept features.
fn drawing(html: &mut Html, report: &SelectOutcome) {
    let selection = &report.selection;
    let tells = |name: &str| {
        let kept = selection.kept.iter().find(|kept| kept.feature == name);
        kept.and_then(|kept| kept.alone_bits).unwrap_or(-1.0)
    };
    let boundary = selection.boundary.as_ref();
    let (graph, what) = match boundary.filter(|boundary| !boundary.members.is_empty()) {
        Some(boundary) => {
            let graph = Graph::of_boundary(boundary, &selection.data.class, tells);
            (Some(graph), OF_BOUNDARY)
        }
        None => {
            let model = report.model.as_ref().filter(|_| !selection.kept.is_empty());
            (
                model.and_then(|model| Graph::of_model(model, tells)),
                OF_MODEL,
            )
        }
    };
    let Some(graph) = graph else {
        return;
    };
    section(html, "How the kept features hang together", |html| {
        write_graph(html, &graph, what, "tell most about the class");
    });
}

/// The method in words.
fn how(html: &mut Html, selection: &Selection) {
    let Ok(method) = Method::named(selection.method) else {
        return;
    };
    section(html, "How it was chosen", |html| {
        html.element("p", &[], |html| {
            html.words("b", selection.method);
            html.text(&format!(": {}", method.summary));
        });
        html.element("p", &[], |html| {
            html.text("What it computes: ");
            html.words("code", method.formula);
        });
        html.paragraph(&format!("Source: {}", method.source));
    });
}
