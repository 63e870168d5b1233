//! Sending rows down a tree.

use rayon::prelude::*;

use super::{Id3, Id3Node, Id3Split, kind};
use crate::data::{Column, Values};
use crate::{Error, Result};

/// Rows that a thread takes at a time.
const CHUNK_ROWS: usize = 4096;

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
        Ok(self.classes(columns, n_rows))
    }

    /// The probabilities of the classes, row after row: `(n_c + 1) / (n + classes)` over the
    /// training rows where the row ends up.
    ///
    /// # Errors
    /// As [`Id3::predict`], or more probabilities than memory can hold.
    pub fn predict_probabilities(&self, columns: &[&Column]) -> Result<Vec<f64>> {
        let n_rows = self.check(columns)?;
        self.probabilities(columns, n_rows)
    }

    /// The classes and probabilities of so many rows, which a tree without columns has, too.
    ///
    /// # Errors
    /// As [`Id3::predict_probabilities`].
    pub(in crate::classify) fn predict_rows(
        &self,
        columns: &[&Column],
        n_rows: usize,
    ) -> Result<(Vec<u32>, Vec<f64>)> {
        if !columns.is_empty() && self.check(columns)? != n_rows {
            return Err(Error::internal("columns of another length than the table"));
        }
        let probabilities = self.probabilities(columns, n_rows)?;
        Ok((self.classes(columns, n_rows), probabilities))
    }

    fn classes(&self, columns: &[&Column], n_rows: usize) -> Vec<u32> {
        let rows = (0..n_rows).into_par_iter().with_min_len(CHUNK_ROWS);
        rows.map(|row| self.node_of(columns, row).majority())
            .collect()
    }

    fn probabilities(&self, columns: &[&Column], n_rows: usize) -> Result<Vec<f64>> {
        let mut probabilities = Vec::new();
        n_rows
            .checked_mul(self.n_classes)
            .and_then(|n| probabilities.try_reserve_exact(n).ok().map(|()| n))
            .map(|n| probabilities.resize(n, 0.0))
            .ok_or_else(|| {
                let n_classes = self.n_classes;
                Error::data(format!(
                    "probabilities of {n_classes} classes in {n_rows} rows are more than memory \
                     can hold"
                ))
                .with_hint("Predict fewer rows at a time.")
            })?;
        probabilities
            .par_chunks_mut(self.n_classes.max(1))
            .with_min_len(CHUNK_ROWS)
            .enumerate()
            .for_each(|(row, out)| self.node_of(columns, row).write_probabilities(out));
        Ok(probabilities)
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
    fn node_of(&self, columns: &[&Column], row: usize) -> &Id3Node {
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
    fn next(&self, split: &Id3Split, columns: &[&Column], row: usize) -> Option<usize> {
        match split {
            Id3Split::Nominal {
                feature,
                branches,
                largest,
            } => {
                let code = match columns[*feature].values() {
                    Values::Nominal(nominal) => nominal.codes.get(row),
                    Values::Numeric(_) => None,
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
                let x = match columns[*feature].values() {
                    Values::Numeric(numbers) => numbers[row],
                    Values::Nominal(_) => f64::NAN,
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
    /// Laplace's estimate for every class.
    fn write_probabilities(&self, out: &mut [f64]) {
        let n_rows: u64 = self.class_counts.iter().map(|&(_, n)| u64::from(n)).sum();
        let sum = n_rows as f64 + out.len() as f64;
        out.fill(1.0 / sum);
        for &(class, n) in &self.class_counts {
            out[class as usize] = (f64::from(n) + 1.0) / sum;
        }
    }
}
