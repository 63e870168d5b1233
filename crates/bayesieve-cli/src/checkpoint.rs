//! Where long runs keep what is finished.

use std::path::PathBuf;

use bayesieve::Result;
use bayesieve::journal::Checkpoint;
use bayesieve::run::CheckpointFile;
use clap::Args;

/// Where units are kept, for runs of many units.
#[derive(Args)]
pub(crate) struct CheckpointOptions {
    /// Write what is finished to this file, so that a run that is cut off can go on
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Go on from the checkpoint, also where more or less is asked for than before
    #[arg(long, requires = "checkpoint")]
    resume: bool,
}

impl CheckpointOptions {
    /// The option with its file.
    pub(crate) fn output(&self) -> (&'static str, Option<&PathBuf>) {
        ("--checkpoint", self.checkpoint.as_ref())
    }

    /// The same as requests have it.
    pub(crate) fn request(&self) -> Option<CheckpointFile> {
        let file = self.checkpoint.clone()?;
        Some(CheckpointFile {
            file,
            resume: self.resume,
        })
    }

    /// Where units are kept.
    pub(crate) fn open(&self) -> Result<Option<Checkpoint>> {
        self.request().map(|file| file.open()).transpose()
    }
}
