//! Rows numbered by the joint value of the nodes that are held fixed.

use super::independence::{IndependenceTests, MOST_CELLS};
use crate::counts::Partition;
use crate::data::Codes;
use crate::error::Result;

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
    pub(super) fn whole(n_rows: usize) -> Self {
        Layering {
            codes: Codes::U8(vec![0; n_rows]),
            n_layers: 1,
            n_nominal: 1,
            nodes: Vec::new(),
        }
    }

    /// The layers of some nodes.
    pub(super) fn of(tests: &IndependenceTests<'_>, nodes: &[usize]) -> Result<Self> {
        let whole = Layering::whole(tests.n_rows());
        nodes
            .iter()
            .try_fold(whole, |layering, &node| layering.split(tests, node))
    }

    /// Splits every layer by the values of one more node.
    pub(super) fn split(&self, tests: &IndependenceTests<'_>, node: usize) -> Result<Self> {
        let column = tests.column(node);
        // Tables that are counted whole need all combinations; above, only those that occur are
        // numbered.
        let most = MOST_CELLS.max(4 * tests.n_rows());
        let n_dense = self.n_layers.saturating_mul(column.n_values);
        let (codes, n_layers) = if n_dense <= most.min(u32::MAX as usize) {
            let layers = (&self.codes, self.n_layers);
            let codes = Codes::joined(layers, (column.codes, column.n_values));
            (codes, n_dense)
        } else {
            let whole = Partition::whole(tests.n_rows());
            let parts = whole.refine(&self.codes, self.n_layers)?;
            let parts = parts.refine(column.codes, column.n_values)?;
            (Codes::new(parts.n_parts(), parts.iter()), parts.n_parts())
        };
        let mut nodes = self.nodes.clone();
        nodes.push(node);
        Ok(Layering {
            codes,
            n_layers,
            n_nominal: self.n_nominal.saturating_mul(column.n_values as u64),
            nodes,
        })
    }
}
