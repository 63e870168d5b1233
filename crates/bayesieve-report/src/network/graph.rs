//! What is drawn: nodes with labels and links between them.

use bayesieve::classify::{Classifier, Coding};
use bayesieve::select::{NamedBoundary, NamedMember, Role};

/// With more nodes nobody could read the drawing.
pub(super) const MAX_NODES: usize = 60;

/// A graph to draw. GraphNode 0 is the class.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<GraphNode>,
    pub(crate) links: Vec<GraphLink>,
    /// Whether the class points at every other node, which is then drawn as one arrow.
    pub(crate) is_from_class: bool,
    /// Nodes that were left out, as there are too many.
    pub(crate) n_left_out: usize,
}

/// The class or a feature.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GraphNode {
    pub(crate) name: String,
    /// What it is, in a word or two below its name.
    pub(crate) remark: String,
}

impl GraphNode {
    fn new(name: &str, remark: String) -> Self {
        let name = name.to_owned();
        GraphNode { name, remark }
    }

    /// What it stands beside, where nothing links it: shorter numbers come first.
    pub(super) fn group(&self) -> (usize, &str) {
        (self.remark.len(), &self.remark)
    }
}

/// Nodes that depend on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GraphLink {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) kind: LinkKind,
}

/// How a link is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkKind {
    /// With an arrow.
    Arrow,
    /// Without: nothing tells which way.
    Line,
    /// Dashed: they belong together, and nothing tells how.
    Open,
}

impl Graph {
    /// The graph of a trained model; nothing for a tree of questions. Of many features those
    /// come in that tell most by `tells`.
    pub(crate) fn of_model(model: &Classifier, tells: impl Fn(&str) -> f64) -> Option<Self> {
        let network = model.network()?;
        let mut nodes = vec![GraphNode::new(model.class_name(), "class".into())];
        let blocks = model.blocks().map_or(&[][..], |blocks| blocks.blocks());
        let features = model.features().iter().enumerate();
        nodes.extend(features.map(|(place, feature)| {
            let mut blocks = blocks.iter();
            let block = blocks.position(|block| block.features.contains(&place));
            let remark = block.map_or(String::new(), |block| format!("block {}", block + 1));
            GraphNode::new(&feature.name, remark)
        }));
        // The network has nodes for coded features, then one for the class.
        let coded = model.features().iter().enumerate();
        let coded = coded.filter(|(_, feature)| feature.coding != Coding::Numbers);
        let mut places: Vec<usize> = coded.map(|(place, _)| place + 1).collect();
        places.push(0);
        let arcs = network.dag().arcs();
        let arcs = arcs.filter_map(|(from, to)| Some((*places.get(from)?, *places.get(to)?)));
        let mut links: Vec<GraphLink> = arcs.map(|(from, to)| GraphLink::arrow(from, to)).collect();
        // Numbers as they are hang on the class alone, and on their block.
        for place in 1..nodes.len() {
            if !places.contains(&place) {
                links.push(GraphLink::arrow(0, place));
            }
        }
        Some(Graph::new(nodes, links, tells))
    }

    /// The graph around the class that a boundary method learned.
    pub(crate) fn of_boundary(
        boundary: &NamedBoundary,
        class: &str,
        tells: impl Fn(&str) -> f64,
    ) -> Self {
        let mut nodes = vec![GraphNode::new(class, "class".into())];
        let member =
            |member: &NamedMember| GraphNode::new(&member.feature, member.role.name().to_owned());
        nodes.extend(boundary.members.iter().map(member));
        let node = |name: &str| nodes.iter().position(|node| node.name == name);
        let pair = |(from, to): &(String, String)| Some((node(from)?, node(to)?));
        let arcs = boundary.arcs.iter().filter_map(pair);
        let mut links: Vec<GraphLink> = arcs.map(|(from, to)| GraphLink::arrow(from, to)).collect();
        let edges = boundary.edges.iter().filter_map(pair);
        let kind = LinkKind::Line;
        links.extend(edges.map(|(from, to)| GraphLink { from, to, kind }));
        for (place, member) in boundary.members.iter().enumerate() {
            let to = place + 1;
            let is_linked = links.iter().any(|link| link.from == to || link.to == to);
            if member.role == Role::Open && !is_linked {
                let kind = LinkKind::Open;
                links.push(GraphLink { from: 0, to, kind });
            }
        }
        let mut graph = Graph::new(nodes, links, tells);
        graph.is_from_class = false;
        graph
    }

    fn new(nodes: Vec<GraphNode>, links: Vec<GraphLink>, tells: impl Fn(&str) -> f64) -> Self {
        let mut order: Vec<usize> = (1..nodes.len()).collect();
        let bits = |&place: &usize| tells(&nodes[place].name);
        // Stable: ties stay in column order.
        order.sort_by(|a, b| bits(b).total_cmp(&bits(a)));
        order.truncate(MAX_NODES);
        order.push(0);
        order.sort_unstable();
        let place = |node: usize| order.binary_search(&node).ok();
        let links = links.into_iter().filter(|link| link.from != link.to);
        let links = links.filter_map(|link| {
            Some(GraphLink {
                from: place(link.from)?,
                to: place(link.to)?,
                ..link
            })
        });
        let links: Vec<GraphLink> = links.collect();
        let n = order.len();
        let is_child = |node: usize| {
            links.contains(&GraphLink::arrow(0, node))
                && !links.contains(&GraphLink::arrow(node, 0))
        };
        Graph {
            n_left_out: nodes.len() - n,
            is_from_class: n > 1 && (1..n).all(is_child),
            nodes: order.iter().map(|&node| nodes[node].clone()).collect(),
            links,
        }
    }

    /// The graph in words, for those who hear the page.
    pub(crate) fn description(&self) -> String {
        const MAX_LINKS: usize = 60;
        let name = |node: usize| bayesieve::printable(&self.nodes[node].name, 40);
        let drawn = self.drawn_links();
        let links = drawn.iter().take(MAX_LINKS).map(|link| {
            let word = match link.kind {
                LinkKind::Arrow => "to",
                LinkKind::Line | LinkKind::Open => "with",
            };
            format!("{} {word} {}", name(link.from), name(link.to))
        });
        let links: Vec<String> = links.collect();
        let rest = match drawn.len().saturating_sub(MAX_LINKS) {
            0 => String::new(),
            rest => format!(" and {rest} more"),
        };
        let class = name(0);
        let from_class = if self.is_from_class {
            format!("The class {class} points at every feature. ")
        } else {
            format!("The class is {class}. ")
        };
        if links.is_empty() {
            format!("{from_class}No links between features.")
        } else {
            format!("{from_class}Links: {}{rest}.", links.join("; "))
        }
    }

    /// The links that are drawn one by one.
    pub(super) fn drawn_links(&self) -> Vec<GraphLink> {
        let is_drawn = |link: &GraphLink| !(self.is_from_class && link.from == 0);
        self.links.iter().copied().filter(is_drawn).collect()
    }
}

impl GraphLink {
    fn arrow(from: usize, to: usize) -> Self {
        let kind = LinkKind::Arrow;
        GraphLink { from, to, kind }
    }
}
