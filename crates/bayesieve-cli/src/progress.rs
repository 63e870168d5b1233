//! Progress bars after two seconds, and a clean stop when interrupted.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use bayesieve::{Error, Observer, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use signal_hook::consts::{SIGINT, SIGTERM};

use crate::output;

/// A run shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_secs(2);

/// Which signal stopped the run; 0 for none.
static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// Whether a signal ends the process where it stands.
static EXITS_AT_ONCE: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Shows how far a run is, and stops it when the user interrupts.
pub(crate) struct Progress {
    start: Instant,
    is_quiet: bool,
    is_shown: bool,
    bar: Arc<Mutex<Shown>>,
}

/// What stands on the terminal.
#[derive(Default)]
struct Shown {
    stage: String,
    bar: Option<ProgressBar>,
    is_finished: bool,
}

impl Shown {
    /// Takes the bar away, for a stage that has none yet.
    fn clear(&mut self, stage: &str) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        stage.clone_into(&mut self.stage);
    }
}

impl Progress {
    /// Watches from now on; silent when asked to be, or when nobody sits at a terminal.
    pub(crate) fn start(quiet: bool) -> Result<Self> {
        watch_signals()
            .map_err(|error| Error::internal("cannot watch signals").with_source(error))?;
        let progress = Progress {
            start: Instant::now(),
            is_quiet: quiet,
            is_shown: !quiet && std::io::stderr().is_terminal(),
            bar: Arc::default(),
        };
        if progress.is_shown {
            spin_after_a_while(&progress.bar);
        }
        Ok(progress)
    }

    /// Runs a part that may wait for others for ever and has nothing to clean up: a signal
    /// ends the process at once.
    pub(crate) fn while_waiting<T>(&self, run: impl FnOnce() -> Result<T>) -> Result<T> {
        self.waits(true);
        let done = run();
        self.waits(false);
        done
    }

    /// An error if the user has interrupted.
    pub(crate) fn check(&self) -> Result<()> {
        if self.is_cancelled() {
            return Err(Error::interrupted());
        }
        Ok(())
    }
}

impl Drop for Progress {
    /// Removes the bar, however the run ended.
    fn drop(&mut self) {
        if let Ok(mut shown) = self.bar.lock() {
            shown.is_finished = true;
            shown.clear("");
        }
    }
}

impl Observer for Progress {
    fn progress(&self, stage: &str, done: u64, total: u64) {
        if !self.is_shown || self.start.elapsed() < PATIENCE {
            return;
        }
        // Whoever finds the bar in use skips this report: the next one is near.
        let Ok(mut shown) = self.bar.try_lock() else {
            return;
        };
        let has_length = |bar: &ProgressBar| bar.length() == Some(total).filter(|&n| n > 0);
        if shown.stage != stage || !shown.bar.as_ref().is_some_and(has_length) {
            shown.clear(stage);
            shown.bar = Some(new_bar(stage, total));
        }
        if let Some(bar) = &shown.bar {
            bar.set_position(done);
        }
    }

    /// Names the part of the run that starts now, for a part that does not report.
    fn stage(&self, stage: &str) {
        if let Ok(mut shown) = self.bar.lock() {
            shown.clear(stage);
        }
    }

    fn note(&self, text: &str) {
        self.stage("");
        output::note(self.is_quiet, text);
    }

    /// While the run waits, a signal ends the process at once.
    fn waits(&self, is_waiting: bool) {
        EXITS_AT_ONCE.store(is_waiting || self.is_cancelled(), Ordering::SeqCst);
    }

    fn is_cancelled(&self) -> bool {
        SIGNAL.load(Ordering::Relaxed) != 0
    }
}

/// Parts that do not report how far they are get a spinner with their name.
fn spin_after_a_while(shown: &Arc<Mutex<Shown>>) {
    let shown = Arc::clone(shown);
    std::thread::spawn(move || {
        let mut wait = PATIENCE;
        loop {
            std::thread::sleep(wait);
            wait = Duration::from_millis(200);
            let Ok(mut shown) = shown.lock() else { return };
            if shown.is_finished {
                return;
            }
            if shown.bar.is_none() && !shown.stage.is_empty() {
                let bar = new_bar(&shown.stage, 0);
                bar.enable_steady_tick(Duration::from_millis(100));
                shown.bar = Some(bar);
            }
        }
    });
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
fn watch_signals() -> std::io::Result<()> {
    for (number, code) in [(SIGINT, 130), (SIGTERM, 143)] {
        // In this order: the shutdown looks at the flag before this signal sets it.
        signal_hook::flag::register_conditional_shutdown(number, code, Arc::clone(&EXITS_AT_ONCE))?;
        signal_hook::flag::register(number, Arc::clone(&EXITS_AT_ONCE))?;
        signal_hook::flag::register_usize(number, Arc::clone(&SIGNAL), number as usize)?;
    }
    Ok(())
}

/// 128 and the number of the signal that stopped the run.
pub(crate) fn interrupted_exit_code() -> u8 {
    let signal = SIGNAL.load(Ordering::Relaxed);
    if signal == SIGTERM as usize { 143 } else { 130 }
}
