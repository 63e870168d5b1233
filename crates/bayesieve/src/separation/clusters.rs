//! Features that grow together into blocks of bounded size.

use std::cmp::Reverse;

/// Two features, and how strongly they depend on each other. Stronger ones come first, of
/// equals those of lower columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) strength: Reverse<u32>,
    pub(super) a: u32,
    pub(super) b: u32,
}

/// Disjoint clusters of features, each of a bounded size.
#[derive(Debug, Clone)]
pub(super) struct Clusters {
    /// The cluster of every feature: its lowest one.
    root: Vec<u32>,
    /// Of every cluster, by its lowest feature.
    members: Vec<Vec<u32>>,
    /// Features of a cluster.
    max_size: usize,
    /// Of every cluster, by its lowest feature: cells of its joint table; 1 for numbers.
    cells: Vec<f64>,
    max_cells: f64,
}

impl Clusters {
    /// Every feature by itself; clusters have this many at most.
    pub(super) fn new(n_features: usize, max_size: usize) -> Self {
        let all = 0..n_features as u32;
        Clusters {
            root: all.clone().collect(),
            members: all.map(|feature| vec![feature]).collect(),
            max_size,
            cells: vec![1.0; n_features],
            max_cells: 1.0,
        }
    }

    /// As many clusters as there are numbers of values; none may have more cells than these.
    pub(super) fn of_values(n_values: &[usize], max_size: usize, max_cells: f64) -> Self {
        Clusters {
            cells: n_values.iter().map(|&n| n as f64).collect(),
            max_cells,
            ..Clusters::new(n_values.len(), max_size)
        }
    }

    fn size_of(&self, feature: usize) -> usize {
        self.members[self.root[feature] as usize].len()
    }

    /// Whether two features are in clusters that may become one.
    pub(super) fn can_join(&self, a: usize, b: usize) -> bool {
        let cells = |feature: usize| self.cells[self.root[feature] as usize];
        self.root[a] != self.root[b]
            && self.size_of(a) + self.size_of(b) <= self.max_size
            && cells(a) * cells(b) <= self.max_cells
    }

    /// Joins the clusters of two features, if they fit.
    pub(super) fn join(&mut self, edge: Edge) {
        let (a, b) = (edge.a as usize, edge.b as usize);
        if !self.can_join(a, b) {
            return;
        }
        let (a, b) = (self.root[a], self.root[b]);
        let (low, high) = (a.min(b), a.max(b));
        let moved = std::mem::take(&mut self.members[high as usize]);
        for &feature in &moved {
            self.root[feature as usize] = low;
        }
        self.members[low as usize].extend(moved);
        self.cells[low as usize] *= self.cells[high as usize];
    }

    /// Features whose cluster may still grow: it would fit with the smallest.
    pub(super) fn open(&self) -> Vec<usize> {
        let sizes = || (0..self.root.len()).map(|feature| self.size_of(feature));
        let smallest = sizes().min().unwrap_or(0);
        let is_open = |(_, size): &(usize, usize)| size + smallest <= self.max_size;
        let open = sizes().enumerate().filter(is_open);
        open.map(|(feature, _)| feature).collect()
    }

    /// The clusters by their lowest features, each in order.
    pub(super) fn members(&self) -> Vec<Vec<usize>> {
        let whole = self.members.iter().filter(|members| !members.is_empty());
        let sorted = whole.map(|members| {
            let mut members: Vec<usize> = members.iter().map(|&f| f as usize).collect();
            members.sort_unstable();
            members
        });
        sorted.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(a: u32, b: u32) -> Edge {
        let strength = Reverse(1);
        Edge { strength, a, b }
    }

    #[test]
    fn clusters_grow_as_long_as_they_fit() {
        let mut clusters = Clusters::new(6, 3);
        clusters.join(edge(4, 5));
        clusters.join(edge(1, 2));
        clusters.join(edge(2, 4)); // 2 + 2 would be four
        clusters.join(edge(2, 0));
        clusters.join(edge(0, 1)); // one already
        assert_eq!(clusters.members(), [vec![0, 1, 2], vec![3], vec![4, 5]]);
        assert!(clusters.can_join(3, 5) && !clusters.can_join(3, 0));
        // Three and one do not fit, two and one do.
        assert_eq!(clusters.open(), [3, 4, 5]);
    }

    #[test]
    fn clusters_of_values_keep_their_tables_small() {
        let mut clusters = Clusters::of_values(&[2, 3, 4, 2], 3, 12.0);
        clusters.join(edge(1, 2)); // 12 cells
        clusters.join(edge(0, 1)); // 24 would be too many
        clusters.join(edge(0, 3));
        assert_eq!(clusters.members(), [vec![0, 3], vec![1, 2]]);
    }

    #[test]
    fn strong_edges_come_first_and_equals_by_column() {
        let mut edges = [(1, 0, 3), (2, 4, 5), (2, 1, 2)].map(|(strength, a, b)| Edge {
            strength: Reverse(strength),
            a,
            b,
        });
        edges.sort();
        assert_eq!(edges.map(|edge| edge.a), [1, 4, 0]);
    }
}
