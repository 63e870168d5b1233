//! A part of the rows as codes.

use rayon::prelude::*;

use super::Domains;
use crate::data::{Codes, Column, MissingPolicy, Table, Values};
use crate::{Error, Result, parameter, quoted};

impl Domains {
    /// The nodes whose columns a part must have so that some can be coded: the class tells
    /// which rows count, and where rows with gaps are dropped all features do.
    pub fn nodes_to_read(&self, nodes: &[usize]) -> Vec<usize> {
        let mut needed = match self.missing {
            MissingPolicy::Drop => (0..self.features.len()).collect(),
            _ => nodes.to_vec(),
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
        let is_used = self.rows_to_use(find)?;
        let rows: Option<Vec<u32>> = is_used.map(|is_used| {
            let rows = (0..).zip(is_used);
            rows.filter(|(_, used)| *used).map(|(row, _)| row).collect()
        });
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
    ) -> Result<Option<Vec<bool>>> {
        let mut is_used: Option<Vec<bool>> = None;
        let mut leave_out = |column: &Column| {
            if column.n_missing() == 0 {
                return;
            }
            let is_used = is_used.get_or_insert_with(|| vec![true; column.len()]);
            for (row, used) in is_used.iter_mut().enumerate() {
                *used &= !is_missing(column, row);
            }
        };
        leave_out(find(self.class_node())?);
        if self.missing == MissingPolicy::Drop {
            for feature in 0..self.features.len() {
                leave_out(find(feature)?);
            }
        }
        if self.missing == MissingPolicy::Refuse {
            self.refuse_missing(&find)?;
        }
        Ok(is_used)
    }

    fn refuse_missing<'t>(&self, find: impl Fn(usize) -> Result<&'t Column>) -> Result<()> {
        for feature in 0..self.features.len() {
            // Only some columns may have been read.
            let Ok(column) = find(feature) else { continue };
            if let Some(row) = (0..column.len()).find(|&row| is_missing(column, row)) {
                return Err(Error::data("a cell is missing")
                    .in_column(column.name())
                    .at_row_of_part(row as u64)
                    .with_hint(format!(
                        "Fill it, or choose {} or drop.",
                        parameter("missing").is("value")
                    )));
            }
        }
        Ok(())
    }
}

fn is_missing(column: &Column, row: usize) -> bool {
    match column.values() {
        Values::Nominal(nominal) => nominal.codes.get(row).is_none(),
        Values::Numeric(numbers) => numbers[row].is_nan(),
    }
}
