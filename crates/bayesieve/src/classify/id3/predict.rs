//! Sending rows down a tree.

use super::super::coding::EncodedCells;
use super::{Id3, Id3Node, Id3Split};

impl Id3 {
    /// The node where a row ends up: a leaf, or where its value has no branch. Cells are in the
    /// codes of training; a code outside of them counts as missing.
    pub(crate) fn node_of(&self, columns: &[Option<&EncodedCells<'_>>], row: usize) -> &Id3Node {
        let mut node = &self.nodes[0];
        while let Some(split) = &node.split {
            match self.next(split, columns, row) {
                Some(next) => node = &self.nodes[next],
                None => break,
            }
        }
        node
    }

    /// The node after a split, `None` where the value was never seen there.
    fn next(
        &self,
        split: &Id3Split,
        columns: &[Option<&EncodedCells<'_>>],
        row: usize,
    ) -> Option<usize> {
        match split {
            Id3Split::Nominal {
                feature,
                branches,
                largest,
            } => {
                let code = match columns[*feature] {
                    Some(EncodedCells::Codes(codes)) => codes.get(row),
                    _ => None,
                };
                let n_values = self.kinds[*feature].unwrap_or(0);
                let Some(code) = code.filter(|&code| (code as usize) < n_values) else {
                    return Some(*largest);
                };
                let place = branches.binary_search_by_key(&code, |&(code, _)| code);
                place.ok().map(|place| branches[place].1)
            }
            Id3Split::Numeric {
                feature,
                cut,
                below,
                above,
                largest,
            } => {
                let x = match columns[*feature] {
                    Some(EncodedCells::Numbers(numbers)) => numbers[row],
                    _ => f64::NAN,
                };
                Some(if x.is_nan() {
                    *largest
                } else if x <= *cut {
                    *below
                } else {
                    *above
                })
            }
        }
    }
}

impl Id3Node {
    /// Writes Laplace's estimate for every class: `(n_c + 1) / (n + classes)` over the training rows
    /// that came here.
    pub(crate) fn write_probabilities(&self, out: &mut [f64]) {
        let n_rows: u64 = self.class_counts.iter().map(|&(_, n)| u64::from(n)).sum();
        let sum = n_rows as f64 + out.len() as f64;
        out.fill(1.0 / sum);
        for &(class, n) in &self.class_counts {
            out[class as usize] = (f64::from(n) + 1.0) / sum;
        }
    }
}
