//! Rows numbered by the joint value of the nodes that are held fixed.

use super::independence::{IndependenceTests, MAX_CELLS};
use crate::Result;
use crate::counts::{CountColumn, Partition, RowIndex, TableRows};
use crate::data::Codes;

/// One layer per combination of values of some nodes.
#[derive(Debug, Clone)]
pub(super) struct Layering {
    /// The layer of every row.
    pub(super) codes: Codes,
    /// Every layer lies below this.
    pub(super) n_layers: usize,
    /// How many combinations there could be, as far as that fits.
    pub(super) n_nominal: u64,
    /// The nodes, in the order they came in: the first changes slowest.
    pub(super) nodes: Vec<usize>,
}

impl Layering {
    /// No node: all rows in one layer.
    fn whole(n_rows: usize) -> Self {
        Layering {
            codes: Codes::U8(vec![0; n_rows]),
            n_layers: 1,
            n_nominal: 1,
            nodes: Vec::new(),
        }
    }

    /// The layers of some nodes. Where the rows are not in memory no row has its layer yet:
    /// [`Layering::over`] finds them for rows that have been counted.
    pub(super) fn of(tests: &IndependenceTests<'_>, nodes: &[usize]) -> Result<Self> {
        let is_in_memory = tests.nodes().is_in_memory();
        let whole = Layering::whole(if is_in_memory { tests.n_rows() } else { 0 });
        nodes
            .iter()
            .try_fold(whole, |layering, &node| layering.split(tests, node))
    }

    /// Splits every layer by the values of one more node.
    pub(super) fn split(&self, tests: &IndependenceTests<'_>, node: usize) -> Result<Self> {
        let mut layering = match tests.nodes().column(node) {
            Some(column) => self.by(column, tests.n_rows())?,
            None => Layering {
                n_nominal: self.nominal_with(tests.n_values(node)),
                ..self.clone()
            },
        };
        layering.nodes.push(node);
        Ok(layering)
    }

    /// The layers of the first nodes of some rows, which stand for so many.
    pub(super) fn over(rows: &TableRows<'_>, n_nodes: usize, n_rows: usize) -> Result<Self> {
        let whole = Layering::whole(rows.n_entries());
        (0..n_nodes).try_fold(whole, |layering, i| layering.by(rows.column(i), n_rows))
    }

    /// Splits every layer by one more column.
    fn by(&self, column: CountColumn<'_>, n_rows: usize) -> Result<Self> {
        // Tables that are counted whole need all combinations; above, only those that occur are
        // numbered.
        let max = MAX_CELLS.max(4 * n_rows);
        let n_dense = self.n_layers.saturating_mul(column.n_values);
        let (codes, n_layers) = if n_dense <= max.min(u32::MAX as usize) {
            let layers = (&self.codes, self.n_layers);
            let codes = Codes::joined(layers, (column.codes, column.n_values));
            (codes, n_dense)
        } else {
            let whole = Partition::whole(self.codes.len());
            let parts = whole.refine(&self.codes, self.n_layers)?;
            let parts = parts.refine(column.codes, column.n_values)?;
            (Codes::new(parts.n_parts(), parts.iter()), parts.n_parts())
        };
        Ok(Layering {
            codes,
            n_layers,
            n_nominal: self.nominal_with(column.n_values),
            nodes: self.nodes.clone(),
        })
    }

    /// Columns ready to be counted by group, of which there are so many.
    pub(super) fn index_of<'n>(
        tests: &'n IndependenceTests<'_>,
        groups: &Codes,
        n_groups: usize,
        nodes: &[usize],
    ) -> Result<RowIndex<'n>> {
        let columns = nodes.iter().map(|&node| tests.nodes().row_column(node));
        let columns: Vec<CountColumn<'n>> = columns.collect::<Result<_>>()?;
        let groups = CountColumn {
            codes: groups,
            n_values: n_groups,
        };
        RowIndex::new(&columns, groups)
    }

    fn nominal_with(&self, n_values: usize) -> u64 {
        self.n_nominal.saturating_mul(n_values as u64)
    }
}
