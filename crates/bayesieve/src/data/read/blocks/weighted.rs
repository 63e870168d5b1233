//! Blocks of rows that come as often as they weigh.
//!
//! A block that grows by its weights is handed over in pieces of at most as many rows as a block
//! may have, so that the memory stays within its bound. The pieces depend on the file alone.

use super::{BlockRequest, RowBlock, RowBlocks, Visit};
use crate::data::RowWeights;
use crate::{Observer, Result};

impl RowBlocks {
    /// As [`RowBlocks::read`] for a file whose column `weight` says how often every row comes.
    pub(super) fn read_weighted(
        &self,
        weight: usize,
        request: BlockRequest<'_>,
        observer: &dyn Observer,
        visit: &mut Visit<'_>,
    ) -> Result<()> {
        let place = request.columns.partition_point(|&column| column < weight);
        let is_wanted = request.columns.get(place) == Some(&weight);
        let mut columns = request.columns.to_vec();
        let mut kinds = request.kinds.to_vec();
        if !is_wanted {
            columns.insert(place, weight);
            kinds.insert(place, self.declared_kinds()?[weight]);
        }
        let mut pieces = WeightedPieces {
            file: self,
            weight: place,
            is_wanted,
            n_to_skip: request.n_skipped,
            n_rows_before: 0,
        };
        let all = BlockRequest {
            columns: &columns,
            kinds: &kinds,
            n_skipped: 0,
        };
        self.read_once(all, observer, &mut |block| pieces.hand_over(block, visit))
    }
}

/// Makes pieces of blocks, one block after the other.
struct WeightedPieces<'a> {
    file: &'a RowBlocks,
    /// The place of the weights among the columns of a block.
    weight: usize,
    /// Whether somebody asked for this column besides.
    is_wanted: bool,
    /// Pieces to leave out at the start.
    n_to_skip: usize,
    /// Rows of the blocks before, as they are in the file.
    n_rows_before: u64,
}

impl WeightedPieces<'_> {
    fn hand_over(&mut self, block: RowBlock, visit: &mut Visit<'_>) -> Result<()> {
        let RowBlock { table, mut unclear } = block;
        let weights = RowWeights::of_block_column(&table.columns()[self.weight])
            .map_err(|error| self.file.blame(error.behind_rows(self.n_rows_before)))?;
        let n_rows_before = self.n_rows_before;
        self.n_rows_before += table.n_rows() as u64;
        let table = if self.is_wanted {
            table
        } else {
            table.without_column(self.weight)?
        };
        let mut rows = weights.each_row();
        loop {
            let chosen: Vec<u32> = rows.by_ref().take(self.file.n_rows_of_block).collect();
            // A block without rows that count may still have a column to read again.
            if chosen.is_empty() && unclear.is_empty() {
                return Ok(());
            }
            if self.n_to_skip > 0 {
                self.n_to_skip -= 1;
                continue;
            }
            let piece = table.take_rows(&chosen);
            let visited = visit(RowBlock {
                // Labels that only rows of weight 0 have are none.
                table: if weights.drops_rows() {
                    piece.with_labels_present()
                } else {
                    piece
                },
                unclear: std::mem::take(&mut unclear),
            });
            visited.map_err(|error| error.among_rows(&chosen).behind_rows(n_rows_before))?;
        }
    }
}
