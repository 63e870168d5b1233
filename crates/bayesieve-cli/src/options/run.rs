//! How a run behaves and where its result goes.

use std::path::PathBuf;

use bayesieve::document::to_text;
use bayesieve::{Error, Result};
use clap::Args;
use serde::Serialize;

use crate::output;
use crate::progress::Progress;

/// How a run behaves and where its result goes.
#[derive(Args)]
pub(crate) struct RunOptions {
    /// Threads to use, 0 for all cores; never changes an answer
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) threads: usize,

    /// Print one JSON document instead of the table for people
    #[arg(long)]
    pub(crate) json: bool,

    /// Also write the JSON document to this file, whole or not at all
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// No progress and no notes; errors still show
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl RunOptions {
    /// Starts the threads, and watches from now on.
    pub(crate) fn start(&self) -> Result<Progress> {
        start(self.threads, self.quiet)
    }

    /// Prints the notes, writes the document where a file is named, and returns its text.
    pub(crate) fn write(&self, notes: &[String], document: &impl Serialize) -> Result<String> {
        output::notes(self.quiet, notes);
        let json = to_text(document)?;
        if let Some(file) = &self.output {
            output::write(file, &json)?;
        }
        Ok(json)
    }

    /// Prints the document, or what people read instead.
    pub(crate) fn print(&self, json: &str, people: impl FnOnce() -> Result<String>) -> Result<()> {
        if self.json {
            output::print(json)
        } else {
            output::print(&people()?)
        }
    }
}

/// More threads than this only get in each other's way.
const MAX_THREADS: usize = 512;

/// As [`RunOptions::start`].
pub(crate) fn start(threads: usize, quiet: bool) -> Result<Progress> {
    let refused = |what: String| {
        let error = Error::usage(format!("--threads {threads}{what}"));
        error.with_hint("Use fewer threads, or 0 for all cores.")
    };
    if threads > MAX_THREADS {
        return Err(refused(format!(" is above {MAX_THREADS}")));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool.build_global();
    pool.map_err(|error| refused(format!(": {error}")))?;
    Progress::start(quiet)
}
