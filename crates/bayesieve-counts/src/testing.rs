//! What tests of this crate and of those on top of it share: rows in memory handed over in
//! blocks, and observers that cancel.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{
    Codes, CountColumn, ErrorKind, Observer, PassTables, Passes, Result, Silent, TableOptions,
};

/// Columns in memory, the class last, handed over in blocks of so many rows.
#[derive(Debug)]
pub struct InBlocks {
    /// The features and the class.
    pub columns: Vec<Codes>,
    /// Rows of a block.
    pub n_rows_of_block: usize,
}

impl Passes for InBlocks {
    fn pass(
        &self,
        nodes: &[usize],
        _: &dyn Observer,
        visit: &mut dyn FnMut(&[&Codes]) -> Result<()>,
    ) -> Result<()> {
        let rows: Vec<u32> = (0..self.columns[0].len() as u32).collect();
        for rows in rows.chunks(self.n_rows_of_block) {
            let block: Vec<Codes> = nodes.iter().map(|&n| self.columns[n].take(rows)).collect();
            visit(&block.iter().collect::<Vec<_>>())?;
        }
        Ok(())
    }
}

/// Counts some features and a class in blocks; with little memory pairs are not kept.
///
/// # Panics
/// If the columns cannot be counted.
pub fn tables(
    features: &[CountColumn<'_>],
    class: CountColumn<'_>,
    n_rows_of_block: usize,
    memory: u64,
) -> PassTables<InBlocks> {
    let columns = features.iter().chain([&class]);
    let passes = InBlocks {
        columns: columns.map(|column| column.codes.clone()).collect(),
        n_rows_of_block,
    };
    let options = TableOptions {
        n_values: features.iter().map(|column| column.n_values).collect(),
        n_classes: class.n_values,
        memory,
    };
    PassTables::new(passes, options, &Silent).expect("columns that can be counted")
}

/// Cancels from the given look on, and counts the looks and the reports.
struct CancelsAt {
    look: u64,
    n_looks: AtomicU64,
    n_reports: AtomicU64,
}

impl CancelsAt {
    fn new(look: u64) -> Self {
        CancelsAt {
            look,
            n_looks: AtomicU64::new(0),
            n_reports: AtomicU64::new(0),
        }
    }
}

impl Observer for CancelsAt {
    fn progress(&self, _: &str, done: u64, total: u64) {
        assert!(done <= total || total == 0, "{done} of {total}");
        self.n_reports.fetch_add(1, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.n_looks.fetch_add(1, Ordering::Relaxed) >= self.look
    }
}

/// Asserts that a run reports, looks so many times at least whether it is cancelled, and
/// stops soon wherever it is.
pub fn assert_stops<T: Debug>(n_looks: u64, run: impl Fn(&dyn Observer) -> Result<T>) {
    let whole = CancelsAt::new(u64::MAX);
    run(&whole).expect("a run that is not cancelled");
    assert!(whole.n_reports.into_inner() > 0);
    let n = whole.n_looks.into_inner();
    assert!(n >= n_looks, "{n} looks");
    for look in [0, n / 4, n / 2, 3 * n / 4, n - 1] {
        let watch = CancelsAt::new(look);
        let done = run(&watch);
        // Threads share work as it comes: another run may look less often than the first.
        if watch.n_looks.load(Ordering::Relaxed) <= look {
            continue;
        }
        let error = done.expect_err("a run that is cancelled");
        assert_eq!(error.kind(), ErrorKind::Interrupted);
        // Every thread may look once more, and a step may pass over what is left of it.
        let n_after = watch.n_looks.into_inner() - look;
        assert!(n_after <= 100, "{n_after} looks after the cancellation");
    }
}
