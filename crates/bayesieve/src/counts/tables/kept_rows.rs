//! Rows read part by part, on several threads; what fits in memory is read once.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use super::packed::{Packed, width_of};
use super::passes::Passes;
use crate::data::Codes;
use crate::error::{Error, Result};
use crate::observer::{Observer, check};

/// Rows in parts that can be read apart from one another, such as the row groups of a file.
pub trait Parts: fmt::Debug + Send + Sync {
    /// Number of parts.
    fn n_parts(&self) -> usize;

    /// Rows of all parts, where that is known before they are read.
    fn n_rows(&self) -> Option<u64>;

    /// Hands the blocks of one part to `visit`, as the codes of these nodes in this order.
    ///
    /// # Errors
    /// The part cannot be read, a cell cannot be coded, or `visit` failed.
    fn read(
        &self,
        part: usize,
        nodes: &[usize],
        observer: &dyn Observer,
        visit: &mut dyn FnMut(Vec<Codes>) -> Result<()>,
    ) -> Result<()>;
}

/// [`Passes`] over [`Parts`]: parts are read on all threads, and of the first pass over all
/// nodes as many parts are kept as memory allows, packed to the bits that their values need.
#[derive(Debug)]
pub struct KeptRows<R> {
    rows: R,
    /// Number of values of every node, the class last.
    n_values: Vec<usize>,
    memory: u64,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    /// The blocks of every part that is kept.
    parts: Vec<Option<Arc<Vec<Block>>>>,
    n_bytes: u64,
}

/// The columns of some rows.
type Block = Vec<Packed>;

impl<R: Parts> KeptRows<R> {
    /// Takes the rows, the number of values of every node and the bytes that may be kept.
    pub fn new(rows: R, n_values: Vec<usize>, memory: u64) -> Self {
        let mut parts = Vec::new();
        parts.resize_with(rows.n_parts(), || None);
        KeptRows {
            rows,
            n_values,
            memory,
            kept: Mutex::new(Kept { parts, n_bytes: 0 }),
        }
    }

    /// Bytes that so many rows take when they are kept.
    pub fn bytes_of(&self, n_rows: u64) -> u64 {
        let bits = self.n_values.iter().map(|&n| match n {
            0..=255 => width_of(n) as u64,
            256..=65_535 => 16,
            _ => 32,
        });
        n_rows.saturating_mul(bits.sum()) / 8
    }

    /// The share of the parts that is kept.
    pub fn share_kept(&self) -> f64 {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let n_kept = kept.parts.iter().filter(|part| part.is_some()).count();
        n_kept as f64 / kept.parts.len().max(1) as f64
    }

    fn kept_part(&self, part: usize) -> Option<Arc<Vec<Block>>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.parts[part].clone()
    }

    /// Keeps a part, if there is room.
    fn keep(&self, part: usize, blocks: Vec<Block>) {
        let n_bytes: u64 = blocks.iter().flatten().map(Packed::n_bytes).sum();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.n_bytes + n_bytes <= self.memory {
            kept.n_bytes += n_bytes;
            kept.parts[part] = Some(Arc::new(blocks));
        }
    }

    fn is_full(&self) -> bool {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.n_bytes >= self.memory
    }

    /// Hands the blocks of one part over, from memory or read.
    fn hand_over(
        &self,
        part: usize,
        nodes: &[usize],
        observer: &dyn Observer,
        visit: &mut dyn FnMut(Vec<Codes>) -> Result<()>,
    ) -> Result<()> {
        if let Some(blocks) = self.kept_part(part) {
            for block in blocks.iter() {
                check(observer)?;
                visit(nodes.iter().map(|&node| block[node].unpack()).collect())?;
            }
            return Ok(());
        }
        let is_whole = nodes.iter().copied().eq(0..self.n_values.len());
        let mut blocks = (is_whole && !self.is_full()).then(Vec::new);
        self.rows.read(part, nodes, observer, &mut |codes| {
            if let Some(blocks) = &mut blocks {
                let columns = codes.iter().zip(&self.n_values);
                blocks.push(columns.map(|(codes, &n)| Packed::new(codes, n)).collect());
            }
            visit(codes)
        })?;
        if let Some(blocks) = blocks {
            self.keep(part, blocks);
        }
        Ok(())
    }

    /// Reads part after part until there is none left or nobody listens.
    fn work(
        &self,
        nodes: &[usize],
        next: &AtomicUsize,
        observer: &dyn Observer,
        out: &SyncSender<Result<Vec<Codes>>>,
    ) {
        let n_parts = self.rows.n_parts();
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= n_parts {
                return;
            }
            let handed = self.hand_over(part, nodes, observer, &mut |block| {
                out.send(Ok(block)).map_err(|_| Error::interrupted())
            });
            if let Err(error) = handed {
                // Nobody listens where another error came first.
                let _ = out.send(Err(error));
                return;
            }
        }
    }
}

impl<R: Parts> Passes for KeptRows<R> {
    fn pass(
        &self,
        nodes: &[usize],
        observer: &dyn Observer,
        visit: &mut dyn FnMut(&[&Codes]) -> Result<()>,
    ) -> Result<()> {
        let total = self.rows.n_rows().unwrap_or_default();
        let mut done = 0;
        let mut visit = |block: Vec<Codes>| {
            visit(&block.iter().collect::<Vec<_>>())?;
            done += block.first().map_or(0, Codes::len) as u64;
            observer.progress("counting rows", done, total);
            Ok(())
        };
        let n_threads = rayon::current_num_threads().min(self.rows.n_parts());
        if n_threads < 2 {
            let mut parts = 0..self.rows.n_parts();
            return parts.try_for_each(|part| self.hand_over(part, nodes, observer, &mut visit));
        }
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (out, blocks) = sync_channel(n_threads);
            for _ in 0..n_threads {
                let (out, next) = (out.clone(), &next);
                scope.spawn(move || self.work(nodes, next, observer, &out));
            }
            drop(out);
            // Leaving drops the receiver, which stops the readers.
            blocks.into_iter().try_for_each(|block| visit(block?))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    /// Parts of three rows; counts how often each is read.
    #[derive(Debug)]
    struct InParts {
        columns: Vec<Vec<u8>>,
        reads: Vec<AtomicUsize>,
        broken: Option<usize>,
    }

    impl Parts for InParts {
        fn n_parts(&self) -> usize {
            self.reads.len()
        }

        fn n_rows(&self) -> Option<u64> {
            None
        }

        fn read(
            &self,
            part: usize,
            nodes: &[usize],
            _: &dyn Observer,
            visit: &mut dyn FnMut(Vec<Codes>) -> Result<()>,
        ) -> Result<()> {
            if self.broken == Some(part) {
                return Err(Error::data("a broken part"));
            }
            self.reads[part].fetch_add(1, Ordering::Relaxed);
            for row in 3 * part..3 * part + 3 {
                let cells = nodes
                    .iter()
                    .map(|&node| Codes::U8(vec![self.columns[node][row]]));
                visit(cells.collect())?;
            }
            Ok(())
        }
    }

    fn rows(n_parts: usize, memory: u64) -> KeptRows<InParts> {
        let cells = |step: usize| (0..3 * n_parts).map(|row| (row / step % 2) as u8).collect();
        let parts = InParts {
            columns: vec![cells(1), cells(3)],
            reads: (0..n_parts).map(|_| AtomicUsize::new(0)).collect(),
            broken: None,
        };
        KeptRows::new(parts, vec![2, 2], memory)
    }

    fn sum(rows: &KeptRows<InParts>, nodes: &[usize]) -> Result<Vec<u64>> {
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
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                // A block of one row takes two bytes, a part six.
                let rows = rows(10, 26);
                assert_eq!(sum(&rows, &[0, 1]).unwrap(), [15, 15]);
                assert_eq!(rows.share_kept(), 0.4);
                assert_eq!(sum(&rows, &[1]).unwrap(), [15]);
                let reads = rows
                    .rows
                    .reads
                    .iter()
                    .map(|reads| reads.load(Ordering::Relaxed));
                let mut reads: Vec<usize> = reads.collect();
                reads.sort_unstable();
                assert_eq!(reads, [1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
            });
        }
    }

    #[test]
    fn an_error_of_a_part_or_of_the_visitor_ends_the_pass() {
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let mut rows = rows(10, 0);
                let stopped = rows.pass(&[0], &Silent, &mut |_| Err(Error::data("enough")));
                assert_eq!(stopped.unwrap_err().to_string(), "enough");
                rows.rows.broken = Some(7);
                assert_eq!(sum(&rows, &[0]).unwrap_err().to_string(), "a broken part");
            });
        }
    }
}
