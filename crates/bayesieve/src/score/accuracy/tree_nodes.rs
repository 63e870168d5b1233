//! A tree of features for one fold: tables of logs, and rows whose gaps are summed out.

use std::ops::Range;
use std::sync::Arc;

use super::votes::{TILE, Tile, add};

/// Products below are scaled up.
const SMALL: f64 = 1e-100;

/// A cell without a value that training knows.
pub(super) const GAP: u16 = u16::MAX;

/// Logs of a feature given its parent and the class.
pub(super) struct LogTable {
    /// By plane, then by the parent's value, then by its own.
    pub(super) logs: Vec<f64>,
    /// By the parent's value, then by its own, then by class; where test rows have gaps.
    pub(super) probabilities: Vec<f64>,
    pub(super) n_values: usize,
    pub(super) n_cells: usize,
}

/// A feature in its tree.
pub(super) struct TreeNode<'t> {
    pub(super) feature: usize,
    /// The place of its parent among the nodes.
    pub(super) parent: Option<usize>,
    pub(super) table: Arc<LogTable>,
    /// The test rows.
    pub(super) own: &'t [u16],
}

impl TreeNode<'_> {
    /// The values that it may have in a row: all where there is a gap.
    fn values_of(&self, row: usize) -> Range<usize> {
        match self.own[row] {
            GAP => 0..self.table.n_values,
            own => usize::from(own)..usize::from(own) + 1,
        }
    }

    /// What the node and all below it say of a row, by the values that its parent may have, then
    /// by class.
    fn message(
        &self,
        row: usize,
        above: Range<usize>,
        heard: &[f64],
        n_classes: usize,
    ) -> Vec<f64> {
        let mut message = vec![0.0; above.len() * n_classes];
        for (slot, above) in message.chunks_exact_mut(n_classes).zip(above) {
            let own = self.values_of(row).zip(heard.chunks_exact(n_classes));
            for (own, heard) in own {
                let cell = (above * self.table.n_values + own) * n_classes;
                let shares = &self.table.probabilities[cell..cell + n_classes];
                for ((sum, share), heard) in slot.iter_mut().zip(shares).zip(heard) {
                    *sum += share * heard;
                }
            }
        }
        message
    }
}

/// The log of every class of training and the known values of a row, its gaps summed out from
/// the leaves to the root.
pub(super) fn logs_summed_out(nodes: &[TreeNode<'_>], row: usize, log_shares: &[f64]) -> Vec<f64> {
    let n_classes = log_shares.len();
    // What the children of a node say: by the values that it may have, then by class.
    let mut heard: Vec<Vec<f64>> = nodes
        .iter()
        .map(|node| vec![1.0; node.values_of(row).len() * n_classes])
        .collect();
    let mut total = vec![1.0; n_classes];
    let mut logs = log_shares.to_vec();
    for (place, node) in nodes.iter().enumerate().rev() {
        let above = node
            .parent
            .map_or(0..1, |parent| nodes[parent].values_of(row));
        let message = node.message(row, above, &heard[place], n_classes);
        let target = node.parent.map_or(&mut total, |parent| &mut heard[parent]);
        for (product, term) in target.iter_mut().zip(&message) {
            *product *= term;
        }
        rescale(target, &mut logs);
    }
    for (log, product) in logs.iter_mut().zip(&total) {
        *log += product.ln();
    }
    logs
}

/// Moves what has become very small for all values of a class into its log, before it is too
/// small for a number.
fn rescale(products: &mut [f64], logs: &mut [f64]) {
    let n_classes = logs.len();
    for (class, log) in logs.iter_mut().enumerate() {
        let of_class = products.iter().skip(class).step_by(n_classes);
        let largest = of_class.copied().fold(0.0, f64::max);
        if largest > 0.0 && largest < SMALL {
            let of_class = products.iter_mut().skip(class).step_by(n_classes);
            of_class.for_each(|product| *product /= largest);
            *log += largest.ln();
        }
    }
}

impl LogTable {
    /// Adds the terms of some rows; what is added where there is a gap does not count.
    pub(super) fn add(&self, plane: usize, own: &[u16], above: Option<&[u16]>, sums: &mut Tile) {
        let logs = &self.logs[plane * self.n_cells..(plane + 1) * self.n_cells];
        let mut terms = [0.0; TILE];
        match above {
            None => {
                for (term, &own) in terms.iter_mut().zip(own) {
                    *term = logs[usize::from(own).min(self.n_cells - 1)];
                }
            }
            Some(above) => {
                for ((term, &own), &above) in terms.iter_mut().zip(own).zip(above) {
                    let cell = usize::from(above) * self.n_values + usize::from(own);
                    *term = logs[cell.min(self.n_cells - 1)];
                }
            }
        }
        add(sums, &terms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_gets_too_small_goes_into_the_log_of_its_class() {
        // Two values of two classes: the first class is small throughout, the second is not.
        let mut products = [1e-120, 1e-110, 1e-130, 0.5];
        let mut logs = [0.0, -1.0];
        rescale(&mut products, &mut logs);
        assert_eq!((products[1], products[3]), (1e-110, 0.5));
        assert!((products[0] - 1.0).abs() < 1e-12 && (products[2] / 1e-10 - 1.0).abs() < 1e-12);
        assert!((logs[0] + 120.0 * 10f64.ln()).abs() < 1e-9);
        assert_eq!(logs[1], -1.0);
        // What is impossible stays so.
        let mut nothing = [0.0];
        rescale(&mut nothing, &mut logs[1..]);
        assert_eq!((nothing[0], logs[1]), (0.0, -1.0));
    }
}
