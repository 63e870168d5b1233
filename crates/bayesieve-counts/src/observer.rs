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

    /// A part of the run begins that reports later or not at all.
    fn stage(&self, stage: &str) {
        let _ = stage;
    }

    /// Something worth knowing while the run goes on.
    fn note(&self, text: &str) {
        let _ = text;
    }

    /// Whether the run now may wait for others without end, and has nothing to clean up.
    fn waits(&self, is_waiting: bool) {
        let _ = is_waiting;
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
pub struct Part<'a> {
    /// Who watches the whole.
    pub whole: &'a dyn Observer,
    /// Units finished before this batch.
    pub n_before: u64,
    /// Units of all batches.
    pub n_all: u64,
}

/// Lets a part of a larger step be cancelled, without a report of its own.
pub struct Hushed<'a>(pub &'a dyn Observer);

impl Observer for Hushed<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// An error if the run should stop.
pub fn check(observer: &dyn Observer) -> Result<()> {
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
