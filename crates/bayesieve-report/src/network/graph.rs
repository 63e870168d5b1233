//! What is drawn: nodes with labels and links between them.

use bayesieve::classify::{Classifier, Coding};
use bayesieve::select::{NamedBoundary, Role};

/// With more nodes nobody could read the drawing.
pub(super) const MOST_NODES: usize = 60;

/// A graph to draw. Node 0 is the class.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) links: Vec<Link>,
    /// Whether the class points at every other node, which is then drawn as one arrow.
    pub(crate) is_from_class: bool,
    /// Nodes that were left out, as there are too many.
    pub(crate) n_left_out: usize,
}

/// The class or a feature.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) name: String,
    /// What it is, in a word or two below its name.
    pub(crate) remark: String,
}

impl Node {
    /// What it stands beside, where nothing links it: shorter numbers come first.
    pub(super) fn group(&self) -> (usize, &str) {
        (self.remark.len(), &self.remark)
    }
}

/// Nodes that depend on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
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
        let mut nodes = vec![Node {
            name: model.class_name().to_owned(),
            remark: "class".into(),
        }];
        let blocks = model.blocks().map_or(&[][..], |blocks| blocks.blocks());
        let features = model.features().iter().enumerate();
        nodes.extend(features.map(|(place, feature)| {
            let block = blocks
                .iter()
                .position(|block| block.features.contains(&place));
            Node {
                name: feature.name.clone(),
                remark: block.map_or(String::new(), |block| format!("block {}", block + 1)),
            }
        }));
        // The network has nodes for coded features, then one for the class.
        let coded = model.features().iter().enumerate();
        let coded = coded.filter(|(_, feature)| feature.coding != Coding::Numbers);
        let mut places: Vec<usize> = coded.map(|(place, _)| place + 1).collect();
        places.push(0);
        let arcs = network.dag().arcs();
        let arcs = arcs.filter_map(|(from, to)| Some((*places.get(from)?, *places.get(to)?)));
        let mut links: Vec<Link> = arcs.map(|(from, to)| Link::arrow(from, to)).collect();
        // Numbers as they are hang on the class alone, and on their block.
        for place in 1..nodes.len() {
            if !places.contains(&place) {
                links.push(Link::arrow(0, place));
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
        let mut nodes = vec![Node {
            name: class.to_owned(),
            remark: "class".into(),
        }];
        nodes.extend(boundary.members.iter().map(|member| Node {
            name: member.feature.clone(),
            remark: member.role.name().to_owned(),
        }));
        let node = |name: &str| nodes.iter().position(|node| node.name == name);
        let pair = |(from, to): &(String, String)| Some((node(from)?, node(to)?));
        let arcs = boundary.arcs.iter().filter_map(pair);
        let mut links: Vec<Link> = arcs.map(|(from, to)| Link::arrow(from, to)).collect();
        let edges = boundary.edges.iter().filter_map(pair);
        links.extend(edges.map(|(from, to)| Link {
            from,
            to,
            kind: LinkKind::Line,
        }));
        for (place, member) in boundary.members.iter().enumerate() {
            let to = place + 1;
            let is_linked = links.iter().any(|link| link.from == to || link.to == to);
            if member.role == Role::Open && !is_linked {
                let kind = LinkKind::Open;
                links.push(Link { from: 0, to, kind });
            }
        }
        let graph = Graph::new(nodes, links, tells);
        Graph {
            is_from_class: false,
            ..graph
        }
    }

    fn new(nodes: Vec<Node>, links: Vec<Link>, tells: impl Fn(&str) -> f64) -> Self {
        let mut order: Vec<usize> = (1..nodes.len()).collect();
        let bits = |&place: &usize| tells(&nodes[place].name);
        // Stable: ties stay in column order.
        order.sort_by(|a, b| bits(b).total_cmp(&bits(a)));
        order.truncate(MOST_NODES);
        order.push(0);
        order.sort_unstable();
        let place = |node: usize| order.binary_search(&node).ok();
        let links = links.into_iter().filter(|link| link.from != link.to);
        let links = links.filter_map(|link| {
            Some(Link {
                from: place(link.from)?,
                to: place(link.to)?,
                ..link
            })
        });
        let links: Vec<Link> = links.collect();
        let n = order.len();
        let is_child = |node: usize| {
            links.contains(&Link::arrow(0, node)) && !links.contains(&Link::arrow(node, 0))
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
        /// Links that are named.
        const MOST: usize = 60;
        let name = |node: usize| bayesieve::printable(&self.nodes[node].name, 40);
        let drawn = self.drawn_links();
        let links = drawn.iter().take(MOST).map(|link| {
            let word = match link.kind {
                LinkKind::Arrow => "to",
                LinkKind::Line | LinkKind::Open => "with",
            };
            format!("{} {word} {}", name(link.from), name(link.to))
        });
        let links: Vec<String> = links.collect();
        let rest = match drawn.len().saturating_sub(MOST) {
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
    pub(super) fn drawn_links(&self) -> Vec<Link> {
        let links = self.links.iter().copied();
        links
            .filter(|link| !(self.is_from_class && link.from == 0))
            .collect()
    }
}

impl Link {
    fn arrow(from: usize, to: usize) -> Self {
        let kind = LinkKind::Arrow;
        Link { from, to, kind }
    }
}
