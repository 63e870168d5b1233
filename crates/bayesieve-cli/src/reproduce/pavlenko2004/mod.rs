//! Choosing blocks of features by their separation scores: figures 1 and 2.
//!
//! Paper: Pavlenko, Hall and von Rosen, 2004. It has no tables, so that nothing stands beside
//! our numbers; what it claims is that choosing lowers the risk by up to 20 %. The numbers
//! behind the figures are in `trials`, the drawings in `figure`.

mod document;
mod figure;
mod page;
mod people;
mod trials;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use bayesieve::document::Seconds;
use bayesieve::evaluate::{SeparationDesign, SeparationStudy, TrialMeans, conduct};
use bayesieve::search::Limits;
use bayesieve::{Error, Result};
use clap::Args;

use self::trials::{Entry, Found, Part, Results};
use super::options::{Outcome, StudyOptions, chosen};
use super::published::Published;
use crate::options::check_paths;
use crate::output;

/// What there is to know of the paper.
pub(super) const FIGURES: &str = include_str!("../../../../../papers/pavlenko2004.toml");

/// Choosing blocks of features by their separation scores (figures 1 and 2)
///
/// True scores of blocks are drawn from a law, estimated ones from the true, and equation (22)
/// says which blocks stay. The classifier without and with that choice is judged twice: by the
/// true parameters, and by the estimates that the blocks were chosen by, as the paper does.
#[derive(Args)]
#[command(after_help = "\
Figures:
  1           distances of blocks uniform from 0 to b; ten values of b up to 1.3
  2           scores by a non-central chi-square law; eleven degrees of freedom from 1 to
              blocks x block size, the non-centrality of every trial drawn from 0 to 10; then
              both drawn for every trial, as the figure's caption says; then two central laws
  irrelevant  a share of the blocks tells nothing: not in the paper, but what it assumes

Examples:
  bayesieve reproduce pavlenko2004
  bayesieve reproduce pavlenko2004 --figures 1 --trials 2000 --plots figures
  bayesieve reproduce pavlenko2004 --blocks 50 --block-size 5 --rows 200 --json")]
pub(super) struct Arguments {
    #[command(flatten)]
    study: StudyOptions,

    /// Only these: 1, 2, irrelevant
    #[arg(long, value_name = "A,B")]
    figures: Option<String>,

    /// Trials of every law
    #[arg(
        long,
        default_value_t = 300,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=100_000)
    )]
    trials: u32,

    /// Number of blocks
    #[arg(
        long,
        default_value_t = 100,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=100_000)
    )]
    blocks: u32,

    /// Features of a block
    #[arg(
        long,
        default_value_t = 12,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=10_000)
    )]
    block_size: u32,

    /// Training rows of each class
    #[arg(
        long,
        default_value_t = 1200,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(2..=1_000_000_000)
    )]
    rows: u32,

    /// Draw the figures into this folder, as figure1.svg and figure2.svg
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let paper = Published::read(FIGURES)?;
    let parts = arguments.parts()?;
    let design = arguments.design();
    let drawings = arguments.drawings(&parts)?;
    let outputs: Vec<(&str, Option<&PathBuf>)> = drawings
        .iter()
        .map(|(_, file)| ("--plots", Some(file)))
        .collect();
    if let Some(folder) = &arguments.plots {
        // Nothing is made for a run that will be refused.
        check_paths(&[], &[&arguments.study.outputs(), &outputs[..]].concat())?;
        std::fs::create_dir_all(folder).map_err(|error| {
            Error::output("the folder cannot be made")
                .with_source(error)
                .in_file(folder)
        })?;
    }
    let progress = arguments.study.start(&[], &outputs)?;

    let start = Instant::now();
    let entries: Vec<Entry> = parts
        .iter()
        .flat_map(|part| part.entries(&design))
        .collect();
    let results = Results {
        found: found(arguments, design, &entries, &progress)?,
        n_asked: entries.len(),
        design,
        n_trials: arguments.trials as usize,
        parts,
    };
    drop(progress);
    if results.found.is_empty() {
        return Err(Error::interrupted());
    }
    for (part, file) in &drawings {
        // A figure that was cut short would pass for a whole one.
        if results.is_whole(*part) {
            output::write(file, &figure::draw(*part, &results).finish())?;
        }
    }
    let run = start.elapsed();
    let seconds = Seconds::new(Duration::ZERO, run);
    let seed = arguments.study.seed;
    arguments.study.finish(&Outcome {
        document: document::new(&paper, &results, (seed, seconds)),
        people: people::show(&paper, &results, (seed, run)),
        page: page::of(&paper, &results, (seed, seconds)),
        warnings: Vec::new(),
        is_cut_short: results.is_cut_short(),
    })
}

impl Arguments {
    fn parts(&self) -> Result<Vec<Part>> {
        let known = Part::ALL.map(Part::name);
        let asked = chosen(
            ("--figures", "figure of this paper"),
            self.figures.as_deref(),
            &known,
        )?;
        let parts = Part::ALL.into_iter();
        Ok(parts.filter(|part| asked.contains(&part.name())).collect())
    }

    fn design(&self) -> SeparationDesign {
        SeparationDesign {
            n_blocks: self.blocks as usize,
            block_size: self.block_size as usize,
            n_rows: self.rows as usize,
        }
    }

    /// What is drawn, and the files it goes to.
    fn drawings(&self, parts: &[Part]) -> Result<Vec<(Part, PathBuf)>> {
        let Some(folder) = &self.plots else {
            return Ok(Vec::new());
        };
        let files = parts
            .iter()
            .filter_map(|part| Some((*part, folder.join(part.file()?))));
        let files: Vec<(Part, PathBuf)> = files.collect();
        if files.is_empty() {
            return Err(
                Error::usage("--plots draws figures 1 and 2, and neither is asked for")
                    .with_hint("Ask for one with --figures, or leave --plots out."),
            );
        }
        Ok(files)
    }
}

/// The laws that were finished.
fn found(
    arguments: &Arguments,
    design: SeparationDesign,
    entries: &[Entry],
    progress: &crate::progress::Progress,
) -> Result<Vec<Found>> {
    let sources = entries.iter().map(|entry| entry.source).collect();
    let n_trials = arguments.trials as usize;
    let study = SeparationStudy::new(design, sources, n_trials, arguments.study.seed)?;
    let conducted = conduct(&study, None, &Limits::new(progress))?;
    let finished = entries.iter().zip(conducted.groups);
    let finished = finished.filter_map(|(entry, trials)| Some((entry.clone(), trials?)));
    finished
        .map(|(entry, trials)| {
            Ok(Found {
                means: TrialMeans::of(&trials)?,
                entry,
                trials,
            })
        })
        .collect()
}
