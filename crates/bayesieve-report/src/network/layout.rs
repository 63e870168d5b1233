//! Places for the nodes of a graph, layer by layer, so that no two are in each other's way.
//!
//! Paper: Sugiyama, Tagawa and Toda, 1981. Every node stands behind all that point at it; a link
//! over several layers has a place of its own in each, so that it passes between nodes; layers
//! are sorted by the mean place of neighbors; places move to their neighbors as far as the
//! nodes beside them let them.
//! Own code instead of `layout-rs`, which lets links cross labels and takes exponential time on
//! graphs of some hundred links; this needs two axes only, and no labels on links.
//! Cost: O(sweeps · links²) for counting crossings, on at most a few hundred links.

/// Links that are led around nodes; with more of them the drawing only grows.
const MAX_BENDS: usize = 400;
/// Passes that sort layers.
const N_SORTS: usize = 12;
/// Passes that move places.
const N_MOVES: usize = 24;
/// The room that a passing link takes, where a node takes 1.
const BEND_SIZE: f64 = 0.4;

/// A place: which layer, and where in it; a node takes a length of 1 in its layer.
pub(super) type GraphPlace = (usize, f64);

/// Where everything is.
#[derive(Debug)]
pub(super) struct GraphLayout {
    /// Of every node.
    pub(super) nodes: Vec<GraphPlace>,
    /// Of every link from its first to its second node, in its own direction: the ends, and
    /// where it passes between nodes.
    pub(super) links: Vec<Vec<GraphPlace>>,
    pub(super) n_layers: usize,
    /// Length of the longest layer.
    pub(super) breadth: f64,
}

/// Lays out nodes `0..n` with links between different ones.
pub(super) fn layered(n: usize, links: &[(usize, usize)]) -> GraphLayout {
    let rank = ranks(n, links);
    let forward = |&(a, b): &(usize, usize)| if rank[a] < rank[b] { (a, b) } else { (b, a) };
    let directed: Vec<(usize, usize)> = links.iter().map(forward).collect();
    let mut net = LayeredNet::new(&layers(n, &directed, &rank), &directed);
    net.sort();
    let position = net.positions();
    let place = |&vertex: &usize| (net.layer[vertex], position[vertex]);
    let chains = net.chains.iter().zip(links);
    let half = |vertex: usize| net.size(vertex) / 2.0;
    let ends = (0..net.layer.len()).map(|vertex| position[vertex] + half(vertex));
    GraphLayout {
        nodes: (0..n).map(|node| place(&node)).collect(),
        links: chains
            .map(|(chain, &(from, _))| {
                let mut places: Vec<GraphPlace> = chain.iter().map(place).collect();
                if chain.first() != Some(&from) {
                    places.reverse();
                }
                places
            })
            .collect(),
        n_layers: net.order.len(),
        breadth: ends.fold(0.0, f64::max),
    }
}

/// An order in which links go forward; where they go in circles, the lowest node comes first.
fn ranks(n: usize, links: &[(usize, usize)]) -> Vec<usize> {
    let mut rank = vec![usize::MAX; n];
    for next in 0..n {
        let is_free = |&node: &usize| rank[node] == usize::MAX;
        let waits = |node: usize| {
            let before = links.iter().filter(|link| link.1 == node);
            before.filter(|link| is_free(&link.0)).count()
        };
        let free = (0..n).filter(is_free);
        let Some(node) = free.min_by_key(|&node| (waits(node).min(1), node)) else {
            break;
        };
        rank[node] = next;
    }
    rank
}

/// The layer of every node: behind all that point at it, and sources close to what they
/// point at.
fn layers(n: usize, links: &[(usize, usize)], rank: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&node| rank[node]);
    let mut layer = vec![0; n];
    for &node in &order {
        let before = links.iter().filter(|link| link.1 == node);
        layer[node] = before.map(|link| layer[link.0] + 1).max().unwrap_or(0);
    }
    for &node in order.iter().rev() {
        let is_source = links.iter().all(|link| link.1 != node);
        let behind = links.iter().filter(|link| link.0 == node);
        if let Some(nearest) = behind.map(|link| layer[link.1]).min().filter(|_| is_source) {
            layer[node] = nearest - 1;
        }
    }
    layer
}

/// Nodes and the bends of links, in layers.
struct LayeredNet {
    n_nodes: usize,
    layer: Vec<usize>,
    /// Neighbors in the layer before and in the layer behind.
    before: Vec<Vec<usize>>,
    behind: Vec<Vec<usize>>,
    /// The vertices of every link, its ends included.
    chains: Vec<Vec<usize>>,
    /// The vertices of every layer.
    order: Vec<Vec<usize>>,
}

impl LayeredNet {
    fn new(layers: &[usize], links: &[(usize, usize)]) -> Self {
        let n_nodes = layers.len();
        let span = |&(a, b): &(usize, usize)| layers[b] - layers[a] - 1;
        let is_bent = links.iter().map(span).sum::<usize>() <= MAX_BENDS;
        let mut layer = layers.to_vec();
        let mut chains = Vec::new();
        for link in links {
            let mut chain = vec![link.0];
            for place in (layers[link.0] + 1..layers[link.1]).filter(|_| is_bent) {
                chain.push(layer.len());
                layer.push(place);
            }
            chain.push(link.1);
            chains.push(chain);
        }
        let n = layer.len();
        let (mut before, mut behind) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for pair in chains.iter().flat_map(|chain| chain.windows(2)) {
            behind[pair[0]].push(pair[1]);
            before[pair[1]].push(pair[0]);
        }
        let n_layers = layer.iter().max().map_or(0, |last| last + 1);
        let mut order = vec![Vec::new(); n_layers];
        for (vertex, &layer) in layer.iter().enumerate() {
            order[layer].push(vertex);
        }
        LayeredNet {
            n_nodes,
            layer,
            before,
            behind,
            chains,
            order,
        }
    }

    fn size(&self, vertex: usize) -> f64 {
        if vertex < self.n_nodes {
            1.0
        } else {
            BEND_SIZE
        }
    }

    /// The layers in the order of a pass.
    fn swept(&self, is_forward: bool) -> impl Iterator<Item = usize> + use<> {
        let n_layers = self.order.len();
        (0..n_layers).map(move |step| {
            if is_forward {
                step
            } else {
                n_layers - 1 - step
            }
        })
    }

    /// The neighbors of every vertex in the layer that a pass comes from.
    fn neighbors(&self, is_forward: bool) -> &[Vec<usize>] {
        if is_forward {
            &self.before
        } else {
            &self.behind
        }
    }

    /// Sorts the layers so that few links cross: the best of some passes.
    fn sort(&mut self) {
        let mut best = (self.n_crossings(), self.order.clone());
        for pass in 0..N_SORTS {
            let is_forward = pass % 2 == 0;
            for layer in self.swept(is_forward).skip(1) {
                self.sort_layer(layer, is_forward);
            }
            let n_crossings = self.n_crossings();
            if n_crossings < best.0 {
                best = (n_crossings, self.order.clone());
            }
        }
        self.order = best.1;
    }

    fn sort_layer(&mut self, layer: usize, is_forward: bool) {
        let place = self.places();
        let mut vertices = std::mem::take(&mut self.order[layer]);
        let neighbors = self.neighbors(is_forward);
        let mean = |vertex: usize| {
            let near = &neighbors[vertex];
            let sum: usize = near.iter().map(|&other| place[other]).sum();
            match near.len() {
                0 => place[vertex] as f64,
                n => sum as f64 / n as f64,
            }
        };
        // Stable: what is equal stays in order.
        vertices.sort_by(|&a, &b| mean(a).total_cmp(&mean(b)));
        self.order[layer] = vertices;
    }

    /// The place of every vertex in its layer.
    fn places(&self) -> Vec<usize> {
        let mut places = vec![0; self.layer.len()];
        for layer in &self.order {
            for (place, &vertex) in layer.iter().enumerate() {
                places[vertex] = place;
            }
        }
        places
    }

    fn n_crossings(&self) -> usize {
        let place = self.places();
        let crossings = |layer: &Vec<usize>| {
            let links: Vec<(usize, usize)> = layer
                .iter()
                .flat_map(|&a| self.behind[a].iter().map(move |&b| (a, b)))
                .map(|(a, b)| (place[a], place[b]))
                .collect();
            let pairs = links.iter().enumerate();
            pairs
                .map(|(i, x)| {
                    let others = links[i + 1..].iter();
                    others
                        .filter(|y| (x.0 < y.0 && x.1 > y.1) || (x.0 > y.0 && x.1 < y.1))
                        .count()
                })
                .sum::<usize>()
        };
        self.order.iter().map(crossings).sum()
    }

    /// Where every vertex is in its layer, from 0.
    fn positions(&self) -> Vec<f64> {
        let mut position = vec![0.0; self.layer.len()];
        for layer in &self.order {
            self.settle(layer, &vec![0.0; layer.len()], &mut position);
        }
        for pass in 0..N_MOVES {
            let is_forward = pass % 2 == 0;
            let neighbors = self.neighbors(is_forward);
            for layer in self.swept(is_forward) {
                let wanted: Vec<f64> = self.order[layer]
                    .iter()
                    .map(|&vertex| match neighbors[vertex].as_slice() {
                        [] => position[vertex],
                        near => near.iter().map(|&v| position[v]).sum::<f64>() / near.len() as f64,
                    })
                    .collect();
                self.settle(&self.order[layer], &wanted, &mut position);
            }
        }
        let starts = (0..position.len()).map(|vertex| position[vertex] - self.size(vertex) / 2.0);
        let least = starts.fold(f64::INFINITY, f64::min);
        position.iter().map(|position| position - least).collect()
    }

    /// Puts a layer as near to the wanted places as the sizes let it: the mean of pushing all
    /// to the one side and to the other, of which each keeps the distances.
    fn settle(&self, layer: &[usize], wanted: &[f64], position: &mut [f64]) {
        let apart = |i: usize| (self.size(layer[i - 1]) + self.size(layer[i])) / 2.0;
        let mut up = wanted.to_vec();
        for i in 1..up.len() {
            up[i] = up[i].max(up[i - 1] + apart(i));
        }
        let mut down = wanted.to_vec();
        for i in (1..down.len()).rev() {
            down[i - 1] = down[i - 1].min(down[i] - apart(i));
        }
        for (i, &vertex) in layer.iter().enumerate() {
            position[vertex] = (up[i] + down[i]) / 2.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No two nodes of a layer are closer than their size.
    fn is_apart(layout: &GraphLayout) -> bool {
        let nodes = &layout.nodes;
        (0..nodes.len()).all(|a| {
            (0..a).all(|b| nodes[a].0 != nodes[b].0 || (nodes[a].1 - nodes[b].1).abs() > 1.0 - 1e-9)
        })
    }

    #[test]
    fn a_chain_is_a_straight_line() {
        let layout = layered(3, &[(0, 1), (1, 2)]);
        assert_eq!(layout.nodes, [(0, 0.5), (1, 0.5), (2, 0.5)]);
        assert_eq!((layout.n_layers, layout.breadth), (3, 1.0));
    }

    #[test]
    fn a_parent_stands_over_the_middle_of_its_children() {
        let layout = layered(4, &[(0, 1), (0, 2), (0, 3)]);
        assert_eq!(layout.nodes[0], (0, 1.5));
        assert_eq!(layout.nodes[2], (1, 1.5));
        assert!(is_apart(&layout));
    }

    #[test]
    fn a_long_link_passes_beside_the_node_between() {
        // 0 → 1 → 2 and 0 → 2, which has to pass the layer of 1.
        let layout = layered(3, &[(0, 1), (1, 2), (0, 2)]);
        let long = &layout.links[2];
        assert_eq!(long.len(), 3);
        let distance = (long[1].1 - layout.nodes[1].1).abs();
        assert!(distance >= (1.0 + BEND_SIZE) / 2.0 - 1e-9, "{distance}");
    }

    #[test]
    fn circles_and_dense_graphs_have_places_too() {
        let layout = layered(3, &[(0, 1), (1, 2), (2, 0)]);
        assert!(is_apart(&layout));
        // The link 2 → 0 is drawn from 2 to 0, whichever way the layers go.
        assert_eq!(layout.links[2][0], layout.nodes[2]);
        let all: Vec<(usize, usize)> = (0..40).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        let layout = layered(40, &all);
        assert!(is_apart(&layout));
        assert!(layout.breadth.is_finite());
        assert_eq!(layered(0, &[]).n_layers, 0);
    }

    #[test]
    fn crossings_that_need_not_be_are_taken_out() {
        // 0 → 3 and 1 → 2 in the order given would cross.
        let layout = layered(4, &[(0, 3), (1, 2)]);
        let at = |node: usize| layout.nodes[node].1;
        assert_eq!(at(0) < at(1), at(3) < at(2));
    }
}
