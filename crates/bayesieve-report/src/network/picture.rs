//! From a graph to a drawing.

use super::graph::{Graph, GraphLink, GraphNode, LinkKind};
use super::layout::{GraphLayout, GraphPlace, layered};
use crate::draw::{Anchor, Box2, Svg, Text, number};

/// Letters of a label.
const LETTERS: f64 = 13.0;
/// Labels longer than this are cut.
const MAX_WIDTH: f64 = 128.0;
/// Around everything.
const MARGIN: f64 = 16.0;
/// Between boxes that no link passes.
const GAP: f64 = 14.0;
/// Between layers, for the arrows.
const LAYER_GAP: f64 = 44.0;
/// Nodes without links stand in rows about this wide.
const ROW_WIDTH: f64 = 480.0;

/// Draws the graph; no two labels are in each other's way.
pub(super) fn draw(graph: &Graph, title: &str) -> Svg {
    let picture = Picture::new(graph);
    let size = (picture.width, picture.height);
    let mut svg = Svg::inline_full("network", size, title, &graph.description());
    if let Some(frame) = picture.frame {
        draw_frame(&mut svg, frame, picture.boxes[0]);
    }
    for (link, path) in &picture.paths {
        draw_link(&mut svg, *link, path, picture.direction);
    }
    for (place, (node, place_of)) in graph.nodes.iter().zip(&picture.boxes).enumerate() {
        draw_node(&mut svg, node, *place_of, place == 0);
    }
    svg
}

/// Which way the layers go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Down,
    Right,
}

impl Direction {
    /// From places along a layer and across all layers to places on the paper, and back.
    fn turned(self, (along, across): (f64, f64)) -> (f64, f64) {
        match self {
            Direction::Down => (along, across),
            Direction::Right => (across, along),
        }
    }
}

/// Where everything is on the paper.
struct Picture {
    width: f64,
    height: f64,
    boxes: Vec<Box2>,
    paths: Vec<(GraphLink, Vec<(f64, f64)>)>,
    direction: Direction,
    /// Around all features, where the class points at every one.
    frame: Option<Box2>,
}

impl Picture {
    fn new(graph: &Graph) -> Self {
        let size = box_size(graph);
        let links = graph.drawn_links();
        let (linked, alone) = parted(graph, &links);
        let place_in = |node: usize| linked.binary_search(&node).unwrap_or(0);
        let pair = |link: &GraphLink| (place_in(link.from), place_in(link.to));
        let layout = layered(linked.len(), &links.iter().map(pair).collect::<Vec<_>>());
        let direction = direction(&layout, size);
        // In a frame the class stands above, with room for its arrow.
        let (left, top) = if graph.is_from_class {
            (2.0 * MARGIN, 2.0 * MARGIN + size.1 + LAYER_GAP)
        } else {
            (MARGIN, MARGIN)
        };
        let on_paper = |place: &GraphPlace| {
            let (x, y) = center(*place, direction, size);
            (left + x, top + y)
        };
        let mut boxes = vec![Box2::around((0.0, 0.0), size); graph.nodes.len()];
        for (&node, place) in linked.iter().zip(&layout.nodes) {
            boxes[node] = Box2::around(on_paper(place), size);
        }
        let paths = links.iter().zip(&layout.links).map(|(link, places)| {
            let points: Vec<(f64, f64)> = places.iter().map(on_paper).collect();
            (*link, trimmed(&points, direction, size))
        });
        let paths = paths.collect();
        let (width, height) = extent(&layout, direction, size);
        let has_both = !linked.is_empty() && !alone.is_empty();
        let below = top + height + if has_both { 2.0 * GAP } else { 0.0 };
        let grid = RowGrid::new(alone.len(), (left, below), size, width);
        for (place, &node) in alone.iter().enumerate() {
            boxes[node] = grid.place(place);
        }
        let taken = grid.extent();
        let picture = Picture {
            width: left + f64::max(width, taken.0) + MARGIN,
            height: below + taken.1 + MARGIN,
            boxes,
            paths,
            direction,
            frame: None,
        };
        if graph.is_from_class {
            picture.framed(size, top)
        } else {
            picture
        }
    }

    /// With a frame around the features, and the class above it.
    fn framed(mut self, size: (f64, f64), top: f64) -> Self {
        let frame = Box2 {
            x: MARGIN,
            y: top - MARGIN,
            width: self.width - MARGIN,
            height: self.height - top + MARGIN,
        };
        let middle = (frame.x + frame.width / 2.0, MARGIN + size.1 / 2.0);
        self.boxes[0] = Box2::around(middle, size);
        Picture {
            width: self.width + MARGIN,
            height: self.height + MARGIN,
            frame: Some(frame),
            ..self
        }
    }
}

/// Nodes with and without links, the class left out where it stands above a frame. Of those
/// without, what belongs to one block stands together.
fn parted(graph: &Graph, links: &[GraphLink]) -> (Vec<usize>, Vec<usize>) {
    let is_linked = |node: &usize| links.iter().any(|link| [link.from, link.to].contains(node));
    let first = usize::from(graph.is_from_class);
    let (linked, mut alone): (Vec<usize>, Vec<usize>) =
        (first..graph.nodes.len()).partition(is_linked);
    // Stable: columns stay in order.
    alone.sort_by(|&a, &b| graph.nodes[a].group().cmp(&graph.nodes[b].group()));
    (linked, alone)
}

/// The width and height of all boxes: as wide as the widest label needs.
fn box_size(graph: &Graph) -> (f64, f64) {
    let labels = graph.nodes.iter().map(|node| width_of(&cut(&node.name)));
    let has_remarks = graph.nodes[1..].iter().any(|node| !node.remark.is_empty());
    let height = if has_remarks { 42.0 } else { 30.0 };
    (labels.fold(52.0, f64::max) + 20.0, height)
}

/// How wide a letter is at most in the common fonts.
fn letter_width(ch: char) -> f64 {
    LETTERS
        * match ch {
            'i' | 'j' | 'l' | '.' | ',' | '\'' | '|' | ':' | ';' | '!' => 0.40,
            'm' | 'w' | 'M' | 'W' | '@' | '%' => 1.02,
            ' '..='~' => 0.66,
            ch if (ch as u32) < 0x1100 => 0.80,
            _ => 1.10,
        }
}

fn width_of(text: &str) -> f64 {
    text.chars().map(letter_width).sum()
}

/// A label that fits.
fn cut(name: &str) -> String {
    let shown = bayesieve::printable(name, 64);
    if width_of(&shown) <= MAX_WIDTH {
        return shown;
    }
    let mut label = String::new();
    let mut width = letter_width('m');
    for ch in shown.chars() {
        width += letter_width(ch);
        if width > MAX_WIDTH {
            break;
        }
        label.push(ch);
    }
    label + "…"
}

/// The direction that makes the drawing narrower: paper is long, and phones are narrow.
fn direction(layout: &GraphLayout, size: (f64, f64)) -> Direction {
    let width = |direction: Direction| extent(layout, direction, size).0;
    if width(Direction::Right) < width(Direction::Down) {
        Direction::Right
    } else {
        Direction::Down
    }
}

/// The width and height that the layers take.
fn extent(layout: &GraphLayout, direction: Direction, size: (f64, f64)) -> (f64, f64) {
    if layout.n_layers == 0 {
        return (0.0, 0.0);
    }
    let (length, depth) = direction.turned(size);
    let gaps = (layout.n_layers - 1) as f64 * LAYER_GAP;
    let along = layout.breadth * (length + GAP) - GAP;
    direction.turned((along, layout.n_layers as f64 * depth + gaps))
}

/// The middle of a place.
fn center((layer, position): GraphPlace, direction: Direction, size: (f64, f64)) -> (f64, f64) {
    let (length, depth) = direction.turned(size);
    let along = position * (length + GAP) - GAP / 2.0;
    let across = layer as f64 * (depth + LAYER_GAP) + depth / 2.0;
    direction.turned((along, across))
}

/// A path that begins and ends at the edges of its boxes, and goes straight past others.
fn trimmed(points: &[(f64, f64)], direction: Direction, size: (f64, f64)) -> Vec<(f64, f64)> {
    let across = |point: &(f64, f64)| direction.turned(*point).1;
    let is_forward = points.first().map(across) < points.last().map(across);
    let sign = if is_forward { 1.0 } else { -1.0 };
    let half = direction.turned((0.0, direction.turned(size).1 / 2.0));
    let edge = |(x, y): (f64, f64), side: f64| (x + side * half.0, y + side * half.1);
    // Into every layer and out of it; the first box is only left, the last only reached.
    let edges = points
        .iter()
        .flat_map(|&point| [edge(point, -sign), edge(point, sign)]);
    let n_edges = 2 * points.len();
    edges.skip(1).take(n_edges.saturating_sub(2)).collect()
}

/// Rows of nodes without links.
struct RowGrid {
    corner: (f64, f64),
    size: (f64, f64),
    n_nodes: usize,
    n_columns: usize,
}

impl RowGrid {
    /// As many columns as fit into the width of the layers, or some.
    fn new(n_nodes: usize, corner: (f64, f64), size: (f64, f64), width: f64) -> Self {
        let fit = ((f64::max(width, ROW_WIDTH) + GAP) / (size.0 + GAP)) as usize;
        RowGrid {
            corner,
            size,
            n_nodes,
            n_columns: fit.clamp(1, n_nodes.max(1)),
        }
    }

    fn place(&self, place: usize) -> Box2 {
        let (column, row) = (place % self.n_columns, place / self.n_columns);
        let (width, height) = self.size;
        Box2 {
            x: self.corner.0 + column as f64 * (width + GAP),
            y: self.corner.1 + row as f64 * (height + GAP),
            width,
            height,
        }
    }

    /// How much room they take.
    fn extent(&self) -> (f64, f64) {
        if self.n_nodes == 0 {
            return (0.0, 0.0);
        }
        let n_rows = self.n_nodes.div_ceil(self.n_columns);
        let length = |n: usize, size: f64| n as f64 * (size + GAP) - GAP;
        (
            length(self.n_columns, self.size.0),
            length(n_rows, self.size.1),
        )
    }
}

/// The frame around all features, with the arrow from the class that stands for all.
fn draw_frame(svg: &mut Svg, frame: Box2, class: Box2) {
    let attributes = [
        ("rx", "12"),
        ("fill", "none"),
        ("stroke", "var(--line)"),
        ("stroke-width", "1.5"),
        ("stroke-dasharray", "2 5"),
    ];
    svg.boxed(frame, &attributes);
    let x = class.x + class.width / 2.0;
    let path = [(x, class.bottom()), (x, frame.y)];
    svg.line(&path, ("var(--accent)", 2.0), "");
    arrow_head(svg, path[1], (0.0, 1.0), "var(--accent)");
}

fn draw_link(svg: &mut Svg, link: GraphLink, points: &[(f64, f64)], direction: Direction) {
    let Some((&first, rest)) = points.split_first() else {
        return;
    };
    let mut path = format!("M{} {}", number(first.0), number(first.1));
    let mut last = first;
    for &point in rest {
        let ((from, before), (to, behind)) = (direction.turned(last), direction.turned(point));
        let middle = (before + behind) / 2.0;
        let (a, b) = (
            direction.turned((from, middle)),
            direction.turned((to, middle)),
        );
        let numbers = [a.0, a.1, b.0, b.1, point.0, point.1].map(number);
        path += &format!("C{}", numbers.join(" "));
        last = point;
    }
    let of_class = link.from == 0 || link.to == 0;
    let color = if of_class {
        "var(--accent)"
    } else {
        "var(--soft)"
    };
    let mut attributes = vec![
        ("d", path.as_str()),
        ("fill", "none"),
        ("stroke", color),
        ("stroke-width", "1.6"),
    ];
    if link.kind == LinkKind::Open {
        attributes.push(("stroke-dasharray", "5 4"));
    }
    svg.element("path", &attributes);
    if link.kind == LinkKind::Arrow {
        let across = direction.turned(last).1 - direction.turned(first).1;
        arrow_head(svg, last, direction.turned((0.0, across.signum())), color);
    }
}

/// A triangle whose tip is at a point.
fn arrow_head(svg: &mut Svg, (x, y): (f64, f64), (dx, dy): (f64, f64), color: &str) {
    let back = (x - 9.0 * dx, y - 9.0 * dy);
    let side = (4.5 * dy, 4.5 * dx);
    let corners = [
        (x, y),
        (back.0 + side.0, back.1 + side.1),
        (back.0 - side.0, back.1 - side.1),
    ];
    svg.polygon(&corners, color);
}

fn draw_node(svg: &mut Svg, node: &GraphNode, place: Box2, is_class: bool) {
    let label = cut(&node.name);
    let title = match node.remark.as_str() {
        "" => node.name.clone(),
        remark => format!("{} ({remark})", node.name),
    };
    svg.titled(&title, |svg| {
        let (stroke, width, round) = if is_class {
            ("var(--accent)", "3", "4")
        } else {
            ("var(--line)", "1.5", "14")
        };
        let attributes = [
            ("rx", round),
            ("fill", "var(--paper)"),
            ("stroke", stroke),
            ("stroke-width", width),
        ];
        svg.boxed(place, &attributes);
        let (x, middle) = (place.x + place.width / 2.0, place.y + place.height / 2.0);
        // A box of two lines has its label in the upper half.
        let has_two = place.height > 36.0 && !node.remark.is_empty();
        let y = if has_two { middle - 2.5 } else { middle + 4.5 };
        let text = Text::at(x, y).anchored(Anchor::Middle).sized(LETTERS);
        let text = if is_class { text.bold() } else { text };
        svg.text(text, &label);
        if has_two {
            let below = Text::at(x, middle + 13.0).anchored(Anchor::Middle);
            svg.text(below.sized(11.0).soft(), &node.remark);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str, remark: &str) -> GraphNode {
        GraphNode {
            name: name.into(),
            remark: remark.into(),
        }
    }

    fn check(graph: &Graph) {
        let picture = Picture::new(graph);
        for (place, a) in picture.boxes.iter().enumerate() {
            assert!(picture.boxes[..place].iter().all(|b| !a.overlaps(b)));
            assert!(a.x >= 0.0 && a.right() <= picture.width, "{a:?}");
            assert!(a.y >= 0.0 && a.bottom() <= picture.height, "{a:?}");
        }
        let out = draw(graph, "network").finish();
        assert!(!out.contains("NaN") && !out.contains("inf"), "{out}");
        assert!(roxmltree::Document::parse(&out).is_ok(), "{out}");
    }

    fn graph(n: usize, links: &[(usize, usize)], is_from_class: bool) -> Graph {
        let kind = LinkKind::Arrow;
        let mut links: Vec<GraphLink> = links
            .iter()
            .map(|&(from, to)| GraphLink { from, to, kind })
            .collect();
        if is_from_class {
            links.extend((1..n).map(|to| GraphLink { from: 0, to, kind }));
        }
        let nodes = (0..n).map(|i| node(&format!("feature {i} {}", "x".repeat(i)), ""));
        Graph {
            nodes: nodes.collect(),
            links,
            is_from_class,
            n_left_out: 0,
        }
    }

    #[test]
    fn boxes_never_overlap_and_stay_on_the_paper() {
        let tree: Vec<(usize, usize)> = (2..30).map(|node| (1 + (node - 2) / 2, node)).collect();
        let dense: Vec<(usize, usize)> =
            (1..12).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        check(&graph(30, &tree, true));
        check(&graph(30, &tree, false));
        check(&graph(12, &dense, false));
        check(&graph(61, &[], true));
        check(&graph(61, &[], false));
        check(&graph(1, &[], false));
        check(&graph(3, &[(0, 1), (1, 2), (2, 0)], false));
    }

    #[test]
    fn long_and_hostile_names_are_cut_and_whole_in_their_title() {
        let long = format!("<script>\"'{}", "長".repeat(40));
        let mut one = graph(2, &[(0, 1)], false);
        one.nodes[1].name = long.clone();
        let out = draw(&one, "network").finish();
        assert!(!out.contains("<script"));
        let document = roxmltree::Document::parse(&out).unwrap();
        let titles = document
            .descendants()
            .filter(|node| node.has_tag_name("title"));
        assert!(
            titles
                .filter_map(|title| title.text())
                .any(|text| text == long)
        );
        assert!(width_of(&cut(&long)) <= MAX_WIDTH + letter_width('…'));
        check(&one);
    }
}
