//! Rows read again and again; what fits in memory is read once.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::packed::{Packed, width_of};
use super::passes::Passes;
use crate::codes::Codes;
use crate::error::Result;
use crate::observer::{Observer, check};

/// Rows in blocks that come in the same order and cut in every pass.
pub trait CodedBlocks: fmt::Debug + Send + Sync {
    /// Rows of all blocks, where that is known before they are read.
    fn n_rows(&self) -> Option<u64>;

    /// Hands the blocks behind the first `n_skipped` to `visit`, as the codes of these nodes in
    /// this order.
    ///
    /// # Errors
    /// The rows cannot be read, a cell cannot be coded, or `visit` failed.
    fn blocks(
        &self,
        n_skipped: usize,
        nodes: &[usize],
        observer: &dyn Observer,
        visit: &mut dyn FnMut(Vec<Codes>) -> Result<()>,
    ) -> Result<()>;
}

/// [`Passes`] over [`CodedBlocks`]: of the first pass over all nodes as many blocks are kept as
/// memory allows, packed to the bits that their values need.
#[derive(Debug)]
pub struct KeptRows<R> {
    rows: R,
    /// Number of values of every node, the class last.
    n_values: Vec<usize>,
    memory: u64,
    kept: Mutex<Arc<KeptBlocks>>,
}

/// The blocks from the first on that are in memory.
#[derive(Debug, Default)]
struct KeptBlocks {
    blocks: Vec<Vec<Packed>>,
    n_rows: u64,
    n_bytes: u64,
    /// Whether all blocks were seen, those not kept included.
    is_complete: bool,
}

impl<R: CodedBlocks> KeptRows<R> {
    /// Takes the rows, the number of values of every node and the bytes that may be kept.
    pub fn new(rows: R, n_values: Vec<usize>, memory: u64) -> Self {
        KeptRows {
            rows,
            n_values,
            memory,
            kept: Mutex::default(),
        }
    }

    /// The rows.
    pub fn rows(&self) -> &R {
        &self.rows
    }

    /// Bytes that so many rows take when they are kept, if no cell is missing: a gap is one
    /// more value, which may need more bits.
    pub fn bytes_of(n_values: &[usize], n_rows: u64) -> u64 {
        let bits = n_values.iter().map(|&n| match n {
            0..=255 => width_of(n) as u64,
            256..=65_535 => 16,
            _ => 32,
        });
        n_rows.saturating_mul(bits.sum()) / 8
    }

    fn kept(&self) -> Arc<KeptBlocks> {
        let kept = self.kept.lock();
        Arc::clone(&kept.unwrap_or_else(PoisonError::into_inner))
    }

    /// Goes through all nodes for the first time, keeping what fits.
    fn first_pass(
        &self,
        nodes: &[usize],
        observer: &dyn Observer,
        visit: &mut dyn FnMut(&[&Codes]) -> Result<()>,
    ) -> Result<()> {
        let mut kept = KeptBlocks::default();
        let mut has_room = true;
        let mut progress = self.progress(observer);
        self.rows.blocks(0, nodes, observer, &mut |block| {
            if has_room {
                let columns = block.par_iter().zip(&self.n_values);
                let packed: Vec<Packed> = columns.map(|(c, &n)| Packed::new(c, n)).collect();
                let n_bytes: u64 = packed.iter().map(Packed::n_bytes).sum();
                has_room = kept.n_bytes + n_bytes <= self.memory;
                if has_room {
                    kept.n_bytes += n_bytes;
                    kept.n_rows += n_rows(&block);
                    kept.blocks.push(packed);
                }
            }
            visit(&block.iter().collect::<Vec<_>>())?;
            progress(n_rows(&block));
            Ok(())
        })?;
        kept.is_complete = has_room;
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(kept);
        Ok(())
    }

    /// Reports rows as they are done.
    fn progress<'o>(&self, observer: &'o dyn Observer) -> impl FnMut(u64) + 'o {
        let (mut done, total) = (0, self.rows.n_rows().unwrap_or_default());
        move |n_rows| {
            done += n_rows;
            observer.progress("counting rows", done, total);
        }
    }
}

fn n_rows(block: &[Codes]) -> u64 {
    block.first().map_or(0, Codes::len) as u64
}

impl<R: CodedBlocks> Passes for KeptRows<R> {
    fn pass(
        &self,
        nodes: &[usize],
        observer: &dyn Observer,
        visit: &mut dyn FnMut(&[&Codes]) -> Result<()>,
    ) -> Result<()> {
        let kept = self.kept();
        let is_whole = nodes.iter().copied().eq(0..self.n_values.len());
        if is_whole && kept.blocks.is_empty() {
            return self.first_pass(nodes, observer, visit);
        }
        let mut progress = self.progress(observer);
        let mut visit = |block: Vec<Codes>| {
            visit(&block.iter().collect::<Vec<_>>())?;
            progress(n_rows(&block));
            Ok(())
        };
        for block in &kept.blocks {
            check(observer)?;
            visit(nodes.par_iter().map(|&node| block[node].unpack()).collect())?;
        }
        if kept.is_complete && !kept.blocks.is_empty() {
            return Ok(());
        }
        self.rows
            .blocks(kept.blocks.len(), nodes, observer, &mut visit)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::Silent;
    use crate::error::Error;

    /// CodedBlocks of three rows; counts how many are read.
    #[derive(Debug)]
    struct InBlocks {
        columns: [Vec<u8>; 2],
        n_read: AtomicUsize,
        broken: Option<usize>,
    }

    impl CodedBlocks for InBlocks {
        fn n_rows(&self) -> Option<u64> {
            None
        }

        fn blocks(
            &self,
            n_skipped: usize,
            nodes: &[usize],
            _: &dyn Observer,
            visit: &mut dyn FnMut(Vec<Codes>) -> Result<()>,
        ) -> Result<()> {
            for block in n_skipped..self.columns[0].len() / 3 {
                if self.broken == Some(block) {
                    return Err(Error::data("a broken block"));
                }
                self.n_read.fetch_add(1, Ordering::Relaxed);
                let cells = |&node: &usize| self.columns[node][3 * block..3 * block + 3].to_vec();
                visit(nodes.iter().map(|node| Codes::U8(cells(node))).collect())?;
            }
            Ok(())
        }
    }

    fn rows(memory: u64) -> KeptRows<InBlocks> {
        let cells = |step: usize| (0..30).map(|row| (row / step % 2) as u8).collect();
        let blocks = InBlocks {
            columns: [cells(1), cells(3)],
            n_read: AtomicUsize::new(0),
            broken: None,
        };
        KeptRows::new(blocks, vec![2, 2], memory)
    }

    fn sum(rows: &KeptRows<InBlocks>, nodes: &[usize]) -> Result<Vec<u64>> {
        let mut sums = vec![0; nodes.len()];
        rows.pass(nodes, &Silent, &mut |block| {
            for (sum, codes) in sums.iter_mut().zip(block) {
                *sum += codes.iter().flatten().map(u64::from).sum::<u64>();
            }
            Ok(())
        })?;
        Ok(sums)
    }

    #[test]
    fn what_fits_is_read_once_and_the_rest_again() {
        // A block takes two bytes.
        for (memory, n_kept, n_read) in [(0, 0, 20), (9, 4, 16), (20, 10, 10), (99, 10, 10)] {
            let rows = rows(memory);
            assert_eq!(sum(&rows, &[0, 1]).unwrap(), [15, 15]);
            assert_eq!(rows.kept().n_rows, 3 * n_kept);
            assert_eq!(sum(&rows, &[1]).unwrap(), [15]);
            assert_eq!(rows.rows.n_read.load(Ordering::Relaxed), n_read, "{memory}");
        }
    }

    #[test]
    fn a_pass_may_begin_while_another_is_under_way() {
        let rows = rows(9);
        assert_eq!(sum(&rows, &[0, 1]).unwrap(), [15, 15]);
        let mut within = Vec::new();
        rows.pass(&[0], &Silent, &mut |_| {
            within.push(sum(&rows, &[1])?);
            Ok(())
        })
        .unwrap();
        assert_eq!(within, vec![[15]; 10]);
    }

    #[test]
    fn an_error_of_a_block_or_of_the_visitor_ends_the_pass() {
        let mut rows = rows(9);
        let stopped = rows.pass(&[0], &Silent, &mut |_| Err(Error::data("enough")));
        assert_eq!(stopped.unwrap_err().to_string(), "enough");
        rows.rows.broken = Some(7);
        assert_eq!(
            sum(&rows, &[0, 1]).unwrap_err().to_string(),
            "a broken block"
        );
        assert_eq!(rows.kept().n_rows, 0);
    }
}
