//! When a run must stop before it is done.

use std::time::{Duration, Instant};

use super::Stop;
use crate::Observer;

/// Stops a run from outside or when its time is over; watches progress on the way.
///
/// # Example
/// ```
/// use std::time::Duration;
/// use bayesieve::search::Limits;
/// use bayesieve::{Observer, Silent};
///
/// assert!(!Limits::new(&Silent).is_cancelled());
/// assert!(Limits::new(&Silent).with_budget(Some(Duration::ZERO)).is_cancelled());
/// ```
pub struct Limits<'a> {
    observer: &'a dyn Observer,
    deadline: Option<Instant>,
}

impl<'a> Limits<'a> {
    /// Stops only when the observer says so.
    pub fn new(observer: &'a dyn Observer) -> Self {
        Limits {
            observer,
            deadline: None,
        }
    }

    /// Also stops when this much time has passed from now on.
    #[must_use]
    pub fn with_budget(mut self, budget: Option<Duration>) -> Self {
        self.deadline = budget.and_then(|budget| Instant::now().checked_add(budget));
        self
    }

    /// The same without the time limit, for what must be known in any case.
    pub(crate) fn without_budget(&self) -> Limits<'a> {
        Limits {
            observer: self.observer,
            deadline: None,
        }
    }

    /// Why a run that was cancelled had to stop.
    pub(crate) fn stop(&self) -> Stop {
        if self.observer.is_cancelled() {
            Stop::Interrupted
        } else {
            Stop::Budget
        }
    }
}

impl Observer for Limits<'_> {
    fn progress(&self, stage: &str, done: u64, total: u64) {
        self.observer.progress(stage, done, total);
    }

    fn is_cancelled(&self) -> bool {
        self.observer.is_cancelled()
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    struct Cancelled;

    impl Observer for Cancelled {
        fn is_cancelled(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_stop_says_whose_it_is() {
        let over = Limits::new(&Silent).with_budget(Some(Duration::ZERO));
        assert_eq!(over.stop(), Stop::Budget);
        assert_eq!(Limits::new(&Cancelled).stop(), Stop::Interrupted);
        let ages = Limits::new(&Silent).with_budget(Some(Duration::MAX));
        assert!(!ages.is_cancelled());
    }
}
