//! Tables of a network with the values of known nodes put in.

use super::walk::{Grid, Walk};
use super::wide::Wide;
use crate::network::Network;

/// Where cells come from: tables, and a code for every known node.
#[derive(Clone, Copy)]
pub(super) struct KnownCodes<'a> {
    pub(super) network: &'a Network,
    pub(super) codes: &'a [u32],
}

/// The table of a node as a function of its unknown members alone.
///
/// Cells are in the order of the table: parents rising, then the node, the last changing
/// fastest; known members are left out.
pub(super) struct Restriction {
    node: usize,
    /// Known members, each with how far one more of its code is in the table.
    known: Vec<(usize, usize)>,
    /// Places of the unknown parents among the parents.
    free_parents: Vec<usize>,
    /// Whether the node itself is unknown.
    is_node_free: bool,
    /// Over the unknown members.
    grid: Grid,
}

impl Restriction {
    /// `is_free` says which nodes are summed over; of all others a row gives the code.
    pub(super) fn new(network: &Network, node: usize, is_free: impl Fn(usize) -> bool) -> Self {
        let parents = network.dag().parents(node);
        let members: Vec<usize> = parents.iter().chain([&node]).copied().collect();
        // Distances do not fit where a table is too large to be held whole; they are only
        // used where it is.
        let mut distances = vec![1usize; members.len()];
        for i in (1..members.len()).rev() {
            distances[i - 1] = distances[i].saturating_mul(network.n_states(members[i]));
        }
        let is_free_member = |i: &usize| is_free(members[*i]);
        let free: Vec<usize> = (0..members.len()).filter(is_free_member).collect();
        Restriction {
            node,
            known: (0..members.len())
                .filter(|i| !is_free(members[*i]))
                .map(|i| (members[i], distances[i]))
                .collect(),
            free_parents: free
                .iter()
                .copied()
                .filter(|&i| i < parents.len())
                .collect(),
            is_node_free: is_free(node),
            grid: Grid {
                dims: free.iter().map(|&i| network.n_states(members[i])).collect(),
                strides: free.iter().map(|&i| distances[i]).collect(),
            },
        }
    }

    /// The unknown members, in the order of the cells.
    pub(super) fn scope(&self, network: &Network) -> Vec<usize> {
        let parents = network.dag().parents(self.node);
        let free = self.free_parents.iter().map(|&i| parents[i]);
        free.chain(self.is_node_free.then_some(self.node)).collect()
    }

    /// Reads the cells.
    pub(super) fn read(&self, source: KnownCodes<'_>, walk: &mut Walk, out: &mut Vec<Wide>) {
        out.clear();
        match source.network.table(self.node).as_dense() {
            Some(cells) => self.read_dense(cells, source.codes, walk, out),
            None => self.read_sparse(source, walk, out),
        }
    }

    fn read_dense(&self, cells: &[f64], codes: &[u32], walk: &mut Walk, out: &mut Vec<Wide>) {
        let known = self.known.iter();
        let start: usize = known
            .map(|&(node, distance)| codes[node] as usize * distance)
            .sum();
        walk.start(&self.grid, 1);
        for _ in 0..self.grid.n_cells() {
            out.push(Wide::from_f64(cells[start + walk.offsets()[0]]));
            walk.advance(&self.grid);
        }
    }

    /// A table that holds only some rows is asked for one row after the other.
    fn read_sparse(&self, source: KnownCodes<'_>, walk: &mut Walk, out: &mut Vec<Wide>) {
        let table = source.network.table(self.node);
        let parents = source.network.dag().parents(self.node);
        let mut values: Vec<u32> = parents.iter().map(|&p| source.codes[p]).collect();
        let rows = Grid {
            dims: self.grid.dims[..self.free_parents.len()].to_vec(),
            strides: Vec::new(),
        };
        walk.start(&rows, 0);
        for _ in 0..rows.n_cells() {
            for (&place, &digit) in self.free_parents.iter().zip(walk.digits()) {
                values[place] = digit as u32;
            }
            if self.is_node_free {
                let row = table.row(&values);
                out.extend(row.iter().map(|&p| Wide::from_f64(p)));
            } else {
                let code = source.codes[self.node] as usize;
                out.push(Wide::from_f64(table.probability(&values, code)));
            }
            walk.advance(&rows);
        }
    }
}
