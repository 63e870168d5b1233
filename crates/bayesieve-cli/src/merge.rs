//! `bayesieve merge`: add up files of counts.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bayesieve::counts::CountFile;
use bayesieve::data::check_folder;
use bayesieve::document::{Seconds, to_text};
use bayesieve::{Error, Observer, Result};
use clap::Args;

use crate::count::{counts_for_people, summary};
use crate::options::{check_paths, require_file};
use crate::output;
use crate::progress::Progress;

/// Add up files of counts
#[derive(Args)]
#[command(after_help = "\
The order of the files does not matter, nor does it how many merges it takes: the result is the
same, byte for byte. Files of different domains, and shards that are in two files, are refused.

Examples:
  bayesieve merge part-*.counts -o all.counts
  bayesieve merge all.counts new.counts -o newer.counts")]
pub(crate) struct Arguments {
    /// Files that `bayesieve count` or `merge` wrote
    #[arg(required = true, value_name = "COUNTS")]
    files: Vec<PathBuf>,

    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Print a summary as JSON
    #[arg(long)]
    json: bool,

    /// No progress and no notes; errors still show
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    require_file("-o", &arguments.output)?;
    let inputs: Vec<&Path> = arguments.files.iter().map(PathBuf::as_path).collect();
    check_paths(&inputs, &[("-o", Some(&arguments.output))])?;
    check_folder(&arguments.output)?;
    let progress = Progress::start(arguments.quiet)?;
    let start = Instant::now();
    let mut sum: Option<CountFile> = None;
    for (done, file) in (1..).zip(&arguments.files) {
        progress.check()?;
        let counts = CountFile::read(file)?;
        match &mut sum {
            None => sum = Some(counts),
            Some(sum) => sum.merge(counts).map_err(|error| error.in_file(file))?,
        }
        progress.progress("merging", done, arguments.files.len() as u64);
    }
    let sum = sum.ok_or_else(|| Error::usage("there is nothing to merge"))?;
    progress.check()?;
    drop(progress);
    sum.write(&arguments.output)?;
    if arguments.json {
        let seconds = Seconds::new(Duration::ZERO, start.elapsed());
        let document = summary(sum.domains(), Some(&sum), &arguments.output, seconds);
        return output::print(&to_text(&document)?);
    }
    output::print(&counts_for_people(&sum, &arguments.output))
}
