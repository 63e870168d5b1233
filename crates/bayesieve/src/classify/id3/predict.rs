//! Sending rows down a tree.

use rayon::prelude::*;

use super::{Id3, Id3Node, Id3Split, kind};
use crate::data::{Codes, Column, Values};
use crate::{Error, Result};

/// Rows that a thread takes at a time.
const CHUNK_ROWS: usize = 4096;

/// The cells of a column, in the codes of training; a code outside of them counts as missing.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TreeCells<'a> {
    Codes(&'a Codes),
    Numbers(&'a [f64]),
    /// Missing in every row.
    Missing,
}

impl<'a> From<&'a Column> for TreeCells<'a> {
    fn from(column: &'a Column) -> Self {
        match column.values() {
            Values::Nominal(nominal) => TreeCells::Codes(&nominal.codes),
            Values::Numeric(numbers) => TreeCells::Numbers(numbers),
        }
    }
}

impl Id3 {
    /// The class of every row. The columns are those of training, with the same codes; a code
    /// outside the training domain counts as missing.
    ///
    /// Without columns there are no rows, and the answer is empty.
    ///
    /// # Errors
    /// Another number of columns than in training, columns of another kind or of different
    /// lengths.
    pub fn predict(&self, columns: &[&Column]) -> Result<Vec<u32>> {
        let n_rows = self.check(columns)?;
        let cells: Vec<TreeCells<'_>> = columns.iter().map(|&column| column.into()).collect();
        let rows = (0..n_rows).into_par_iter().with_min_len(CHUNK_ROWS);
        Ok(rows
            .map(|row| self.node_of(&cells, row).majority())
            .collect())
    }

    /// The class of every row and the probabilities of all classes, those of a row one behind
    /// the other.
    ///
    /// # Errors
    /// As [`Id3::predict`].
    pub(crate) fn predict_all(
        &self,
        columns: &[&Column],
        n_classes: usize,
    ) -> Result<(Vec<u32>, Vec<f64>)> {
        let n_rows = self.check(columns)?;
        let cells: Vec<TreeCells<'_>> = columns.iter().map(|&column| column.into()).collect();
        let mut probabilities = vec![0.0; n_rows * n_classes];
        let rows = probabilities.chunks_exact_mut(n_classes.max(1)).enumerate();
        let classes = rows.map(|(row, probabilities)| {
            let node = self.node_of(&cells, row);
            node.write_probabilities(probabilities);
            node.majority()
        });
        Ok((classes.collect(), probabilities))
    }

    /// Number of rows of columns that fit.
    fn check(&self, columns: &[&Column]) -> Result<usize> {
        if columns.len() != self.kinds.len() {
            return Err(Error::internal(format!(
                "{} columns for a tree of {}",
                columns.len(),
                self.kinds.len()
            )));
        }
        let n_rows = columns.first().map_or(0, |column| column.len());
        for (column, trained) in columns.iter().zip(&self.kinds) {
            if column.len() != n_rows || kind(column).is_some() != trained.is_some() {
                return Err(Error::internal(
                    "a column of another kind or length than the tree's others",
                )
                .in_column(column.name()));
            }
        }
        Ok(n_rows)
    }

    /// The node where a row ends up: a leaf, or where its value has no branch.
    pub(crate) fn node_of(&self, columns: &[TreeCells<'_>], row: usize) -> &Id3Node {
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
    fn next(&self, split: &Id3Split, columns: &[TreeCells<'_>], row: usize) -> Option<usize> {
        match split {
            Id3Split::Nominal {
                feature,
                branches,
                largest,
            } => {
                let code = match columns[*feature] {
                    TreeCells::Codes(codes) => codes.get(row),
                    TreeCells::Numbers(_) | TreeCells::Missing => None,
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
                    TreeCells::Numbers(numbers) => numbers[row],
                    TreeCells::Codes(_) | TreeCells::Missing => f64::NAN,
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
