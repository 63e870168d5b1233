//! Progress bars after two seconds, and a clean stop when interrupted.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use bayesieve::{Error, Observer, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use signal_hook::consts::{SIGINT, SIGTERM};

/// A run shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_secs(2);

/// Which signal stopped the run; 0 for none.
static SIGNAL: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// Shows how far a run is, and stops it when the user interrupts.
pub(crate) struct Progress {
    start: Instant,
    is_shown: bool,
    bar: Mutex<Option<(String, ProgressBar)>>,
    signal: Arc<AtomicUsize>,
}

impl Progress {
    /// Watches from now on; silent when asked to be, or when nobody sits at a terminal.
    pub(crate) fn start(quiet: bool) -> Result<Self> {
        Ok(Progress {
            start: Instant::now(),
            is_shown: !quiet && std::io::stderr().is_terminal(),
            bar: Mutex::new(None),
            signal: watch_signals()
                .map_err(|error| Error::internal("cannot watch signals").with_source(error))?,
        })
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        if let Ok(mut bar) = self.bar.lock()
            && let Some((_, bar)) = bar.take()
        {
            bar.finish_and_clear();
        }
    }

    /// An error if the user has interrupted.
    pub(crate) fn check(&self) -> Result<()> {
        if self.is_cancelled() {
            return Err(Error::interrupted());
        }
        Ok(())
    }
}

impl Observer for Progress {
    fn progress(&self, stage: &str, done: u64, total: u64) {
        if !self.is_shown || self.start.elapsed() < PATIENCE {
            return;
        }
        // Whoever finds the bar in use skips this report: the next one is near.
        let Ok(mut bar) = self.bar.try_lock() else {
            return;
        };
        if bar.as_ref().is_none_or(|(shown, _)| shown != stage) {
            *bar = Some((stage.to_owned(), new_bar(stage, total)));
        }
        if let Some((_, bar)) = &*bar {
            bar.set_position(done);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.signal.load(Ordering::Relaxed) != 0
    }
}

fn new_bar(stage: &str, total: u64) -> ProgressBar {
    let template = if total > 0 {
        "{msg} {wide_bar} {percent} % ({eta} left)"
    } else {
        "{msg} {spinner} {elapsed}"
    };
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(10))
        .with_style(style)
        .with_message(stage.to_owned())
}

/// The first signal asks for a stop, the second stops at once.
fn watch_signals() -> std::io::Result<Arc<AtomicUsize>> {
    let signal = SIGNAL.get_or_init(Arc::default);
    let was_asked = Arc::new(AtomicBool::new(false));
    for (number, code) in [(SIGINT, 130), (SIGTERM, 143)] {
        // In this order: the shutdown looks at the flag before this signal sets it.
        signal_hook::flag::register_conditional_shutdown(number, code, Arc::clone(&was_asked))?;
        signal_hook::flag::register(number, Arc::clone(&was_asked))?;
        signal_hook::flag::register_usize(number, Arc::clone(signal), number as usize)?;
    }
    Ok(Arc::clone(signal))
}

/// 128 and the number of the signal that stopped the run.
pub(crate) fn interrupted_exit_code() -> u8 {
    let signal = SIGNAL
        .get()
        .map_or(0, |signal| signal.load(Ordering::Relaxed));
    if signal == SIGTERM as usize { 143 } else { 130 }
}
