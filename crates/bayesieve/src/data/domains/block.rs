//! A part of the rows as codes.

use rayon::prelude::*;

use super::Domains;
use crate::data::{Codes, Column, MissingPolicy, Table};
use crate::{Error, Result, quoted};

impl Domains {
    /// The nodes whose columns a part must have so that some can be coded: the class tells
    /// which rows count, and where rows with gaps are dropped all features do.
    pub fn nodes_to_read(&self, nodes: &[usize]) -> Vec<usize> {
        let mut needed = if self.missing.drops_rows() {
            (0..self.features.len()).collect()
        } else {
            nodes.to_vec()
        };
        needed.push(self.class_node());
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// The codes of some nodes over a part of the rows, in the order asked for; rows without a
    /// class are left out, and those with gaps where they are dropped.
    ///
    /// # Errors
    /// A column that is not there, a label that the domains do not know, or a missing cell
    /// where they are refused.
    pub fn code(&self, nodes: &[usize], part: &Table) -> Result<Vec<Codes>> {
        let find = |node: usize| {
            let name = &self.column(node)?.name;
            part.column(name).ok_or_else(|| {
                Error::data(format!("there is no column {}", quoted(name)))
                    .with_hint("Every part needs all columns of the domains.")
            })
        };
        let rows = self.rows_to_use(find)?;
        let code = |&node: &usize| {
            let (column, domain) = (find(node)?, self.column(node)?);
            let taken = rows
                .as_ref()
                .map(|rows| column.take(rows).with_labels_present());
            let missing = if node == self.class_node() {
                MissingPolicy::Drop
            } else {
                self.missing
            };
            let codes = domain.codes(taken.as_ref().unwrap_or(column), missing);
            codes.map_err(|error| {
                let error = error.in_column(&*domain.name);
                match &rows {
                    Some(rows) => error.among_rows(rows),
                    None => error,
                }
            })
        };
        // In the order of the nodes, so that the error does not depend on the threads.
        let codes: Vec<Result<Codes>> = nodes.par_iter().map(code).collect();
        codes.into_iter().collect()
    }

    /// Which rows count; `None` for all.
    fn rows_to_use<'t>(
        &self,
        find: impl Fn(usize) -> Result<&'t Column>,
    ) -> Result<Option<Vec<u32>>> {
        let features = 0..self.features.len();
        // Only some columns may have been read.
        let found = features.clone().filter_map(|feature| find(feature).ok());
        if let Some((column, row)) = self.missing.refused_cell(found) {
            let refused = self
                .missing
                .refuse(column.name(), column.n_missing() as u64, None);
            refused.map_err(|error| error.at_row_of_part(row as u64))?;
        }
        let features: Vec<&Column> = if self.missing.drops_rows() {
            features.map(&find).collect::<Result<_>>()?
        } else {
            Vec::new()
        };
        let class = find(self.class_node())?;
        Ok(self.missing.used_rows(class, &features).rows)
    }
}
