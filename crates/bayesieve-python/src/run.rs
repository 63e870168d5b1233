//! Runs: threads of their own, the interpreter let go, progress and Ctrl-C looked after.
//!
//! Every run has a pool of its own and ends it: a process that forks, as workers of
//! `multiprocessing` do, never waits for threads that only its parent has.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::Duration;

use bayesieve::{Error, Observer, Result};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::{Interrupted, OrRaise};

/// How often Python is asked whether Ctrl-C was pressed.
const GLANCE: Duration = Duration::from_millis(50);

/// How a run is carried out: on so many threads, telling its progress to someone or nobody.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Runner {
    threads: usize,
    /// Called with stage, done and total.
    callback: Option<Py<PyAny>>,
}

/// What the run and its watcher tell each other.
struct Watched {
    is_cancelled: AtomicBool,
    /// Whether anybody wants to know how far it is.
    is_heard: bool,
    /// Stage, done and total, where that is news.
    latest: Mutex<Option<(String, u64, u64)>>,
}

impl Observer for Watched {
    fn progress(&self, stage: &str, done: u64, total: u64) {
        if !self.is_heard {
            return;
        }
        // Whoever finds it in use skips this report: the next one is near.
        if let Ok(mut latest) = self.latest.try_lock() {
            *latest = Some((stage.to_owned(), done, total));
        }
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

/// What a run asks Python for, and where the answer goes.
#[derive(Debug)]
struct Question {
    text: String,
    reply: SyncSender<Answer>,
}

/// Counts of parts of the rows.
pub(crate) type Answer = Vec<PyBackedBytes>;

/// Lets a run ask Python, from any of its threads.
///
/// The answer is given on the thread that called the package: what it does there, such as a job
/// of Spark, has that thread's settings and is stopped by Ctrl-C.
#[derive(Debug, Clone)]
pub(crate) struct Asker(Sender<Question>);

impl Asker {
    /// Waits for the answer.
    ///
    /// # Errors
    /// Python raised, which the caller is told when the run has ended.
    pub(crate) fn ask(&self, text: String) -> Result<Answer> {
        let (reply, answer) = sync_channel(1);
        // Where nobody listens or answers, the question is dropped, and the answer never comes.
        let _ = self.0.send(Question { text, reply });
        answer.recv().map_err(|_| Error::interrupted())
    }
}

impl Runner {
    /// The threads of one run.
    pub(crate) fn pool(&self) -> PyResult<ThreadPool> {
        let pool = ThreadPoolBuilder::new().num_threads(self.threads).build();
        pool.map_err(|error| Error::internal(format!("no threads: {error}")))
            .or_raise()
    }

    /// Does the work without the interpreter's lock. Every moment this thread looks whether
    /// the user wants to stop; the work then ends at its next safe point.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&dyn Observer) -> Result<T> + Send,
    ) -> PyResult<T> {
        let nobody = |_: Python<'_>, _: &str| Ok(Vec::new());
        self.run_asking(py, nobody, |observer, _| work(observer))
    }

    /// As [`Runner::run`], with work that asks Python now and then. It is attended to for as long
    /// as it holds on to the asker.
    pub(crate) fn run_asking<T: Send>(
        &self,
        py: Python<'_>,
        answer: impl Fn(Python<'_>, &str) -> PyResult<Answer> + Send,
        work: impl FnOnce(&dyn Observer, Asker) -> Result<T> + Send,
    ) -> PyResult<T> {
        let pool = self.pool()?;
        let watched = Watched {
            is_cancelled: AtomicBool::new(false),
            is_heard: self.callback.is_some(),
            latest: Mutex::new(None),
        };
        let (done, stopped) = py.detach(|| {
            std::thread::scope(|scope| {
                let (asker, questions) = channel::<Question>();
                let (pool, watched) = (&pool, &watched);
                let worker = scope.spawn(move || {
                    // Dropped at the end of the work, whatever that is.
                    let asker = Asker(asker);
                    pool.install(|| work(watched, asker))
                });
                let stopped = self.attend(&questions, watched, answer);
                (worker.join(), stopped)
            })
        });
        if let Some(error) = stopped {
            return Err(interruption(py, error));
        }
        let done = done.unwrap_or_else(|_| Err(Error::internal("the run broke off")));
        let done = done.or_raise()?;
        // What came after the last glance; a run shorter than that has not been heard at all.
        self.glance(py, &watched)?;
        Ok(done)
    }

    /// Answers questions and looks around until the work is done. What Python raises meanwhile
    /// ends it: nothing is answered from then on.
    fn attend(
        &self,
        questions: &Receiver<Question>,
        watched: &Watched,
        answer: impl Fn(Python<'_>, &str) -> PyResult<Answer>,
    ) -> Option<PyErr> {
        let mut stopped = None;
        loop {
            let question = match questions.recv_timeout(GLANCE) {
                Err(RecvTimeoutError::Disconnected) => return stopped,
                Err(RecvTimeoutError::Timeout) => None,
                Ok(question) => Some(question),
            };
            if stopped.is_some() {
                continue;
            }
            let looked = Python::attach(|py| {
                self.glance(py, watched)?;
                if let Some(question) = question {
                    let answer = answer(py, &question.text)?;
                    // Whoever asked may have given up.
                    let _ = question.reply.send(answer);
                }
                Ok(())
            });
            if let Err(error) = looked {
                watched.is_cancelled.store(true, Ordering::Relaxed);
                stopped = Some(error);
            }
        }
    }

    /// Looks for signals and passes on what is new.
    fn glance(&self, py: Python<'_>, watched: &Watched) -> PyResult<()> {
        py.check_signals()?;
        let Some(callback) = &self.callback else {
            return Ok(());
        };
        let latest = watched.latest.lock().ok().and_then(|mut it| it.take());
        latest.map_or(Ok(()), |news| callback.call1(py, news).map(drop))
    }
}

/// Raises where Ctrl-C was pressed.
pub(crate) fn check_signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals().map_err(|error| interruption(py, error))
}

/// Ctrl-C as the package's own exception, which is a `KeyboardInterrupt` still; what a handler or
/// a callback raised stays what it is.
fn interruption(py: Python<'_>, error: PyErr) -> PyErr {
    if !error.get_type(py).is(py.get_type::<PyKeyboardInterrupt>()) {
        return error;
    }
    let interrupted = Interrupted::new_err(Error::interrupted().to_string());
    interrupted.set_cause(py, Some(error));
    interrupted
}
