//! Progress and cancellation: how a long run talks to whoever started it.

use crate::error::{Error, Result};

/// Watches a long run.
///
/// The library never prints; it reports here. Every call must be cheap, may come from
/// any thread, and never changes a result.
pub trait Observer: Sync {
    /// `done` of `total` units of `stage` are finished; `total` is 0 where it is not known.
    fn progress(&self, stage: &str, done: u64, total: u64) {
        let _ = (stage, done, total);
    }

    /// Whether the run should stop at the next safe point.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Watches nothing and never cancels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Watches one batch of several and reports it as a part of the whole.
pub(crate) struct Part<'a> {
    /// Who watches the whole.
    pub(crate) whole: &'a dyn Observer,
    /// Units finished before this batch.
    pub(crate) n_before: u64,
    /// Units of all batches.
    pub(crate) n_all: u64,
}

/// Lets a part of a larger step be cancelled, without a report of its own.
pub(crate) struct Hushed<'a>(pub(crate) &'a dyn Observer);

impl Observer for Hushed<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// An error if the run should stop.
pub(crate) fn check(observer: &dyn Observer) -> Result<()> {
    if observer.is_cancelled() {
        return Err(Error::interrupted());
    }
    Ok(())
}

impl Observer for Part<'_> {
    fn progress(&self, stage: &str, done: u64, _: u64) {
        self.whole.progress(stage, self.n_before + done, self.n_all);
    }

    fn is_cancelled(&self) -> bool {
        self.whole.is_cancelled()
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use std::fmt::Debug;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::Observer;
    use crate::error::{ErrorKind, Result};

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
    pub(crate) fn assert_stops<T: Debug>(n_looks: u64, run: impl Fn(&dyn Observer) -> Result<T>) {
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
}
