//! Networks as drawings: a box per feature, the class marked, arrows between them.

mod graph;
mod layout;
mod picture;

pub(crate) use graph::Graph;

use bayesieve::wording::counted;

use crate::html::Html;
use crate::table::scrolling;
use graph::MAX_NODES;
use picture::draw;

/// Writes a drawing with what its signs mean; `which` says of the nodes drawn, where they are not all,
/// why these.
pub(crate) fn write_graph(html: &mut Html, graph: &Graph, meaning: &str, which: &str) {
    if !graph.drawn_links().is_empty() {
        html.note(meaning);
    }
    if graph.is_from_class {
        html.note(
            "The arrow from the class to the frame stands for an arrow to every feature in it.",
        );
    }
    if graph.n_left_out > 0 {
        let out = counted(graph.n_left_out as u64, "feature");
        html.note(&format!(
            "Drawn are the {MAX_NODES} that {which}; {out} more would not be legible."
        ));
    }
    html.division("network", |html| {
        scrolling(html, "Drawing of the network", |html| {
            html.drawing(draw(graph, "Network of the class and the features"));
        });
    });
}
