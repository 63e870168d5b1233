//! `bayesieve reproduce`: a paper's tables, ours beside the published figures.
//!
//! A paper is a file of published figures (`papers/NAME.toml`) and a module here that says
//! which study it is made of and which cells its tables have. The study itself is in the
//! library. What is the same for all papers is here: options, files, checkpoints, tables and
//! documents.

mod acid2011;
mod comparison;
mod document;
mod drugan2010;
mod inza2000;
mod options;
mod page;
mod pavlenko2004;
mod people;
mod published;
mod recipe;
mod reproduction;
mod singh1995;
mod statement;

use bayesieve::Result;
use clap::{Args, Subcommand};

use crate::{output, text};
use published::Published;

/// Compute a paper's tables again, ours beside the published figures
#[derive(Args)]
#[command(after_help = "\
Without a paper it lists those there are, and the files they need.

Examples:
  bayesieve reproduce
  bayesieve reproduce acid2011 --data DIR
  bayesieve reproduce acid2011 --data DIR --networks alarm,insurance --sizes 100,200
  bayesieve reproduce acid2011 --data DIR --checkpoint run.txt --resume -o acid2011.json
  bayesieve reproduce drugan2010 --data DIR --quick
  bayesieve reproduce pavlenko2004 --plots figures")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    paper: Option<Paper>,
}

#[derive(Subcommand)]
enum Paper {
    #[command(name = "acid2011")]
    Acid2011(Box<acid2011::Arguments>),
    #[command(name = "drugan2010")]
    Drugan2010(Box<drugan2010::Arguments>),
    #[command(name = "inza2000")]
    Inza2000(Box<inza2000::Arguments>),
    #[command(name = "pavlenko2004")]
    Pavlenko2004(Box<pavlenko2004::Arguments>),
    #[command(name = "singh1995")]
    Singh1995(Box<singh1995::Arguments>),
}

/// The published figures of all papers, as they are in their files.
const PAPERS: [&str; 5] = [
    acid2011::FIGURES,
    drugan2010::FIGURES,
    inza2000::FIGURES,
    pavlenko2004::FIGURES,
    singh1995::FIGURES,
];

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.paper {
        Some(Paper::Acid2011(arguments)) => acid2011::run(arguments),
        Some(Paper::Drugan2010(arguments)) => drugan2010::run(arguments),
        Some(Paper::Inza2000(arguments)) => inza2000::run(arguments),
        Some(Paper::Pavlenko2004(arguments)) => pavlenko2004::run(arguments),
        Some(Paper::Singh1995(arguments)) => singh1995::run(arguments),
        None => list(),
    }
}

fn list() -> Result<()> {
    let mut out = String::new();
    for figures in PAPERS {
        let paper = Published::read(figures)?;
        out += &format!("{}\n", paper.name);
        out += &text::rows(vec![
            vec!["  computes".into(), paper.summary],
            vec!["  needs".into(), paper.needs],
            vec!["  source".into(), paper.citation],
        ]);
        out += "\n";
    }
    output::print(
        &(out + "Compute one: bayesieve reproduce PAPER, with --data DIR where it needs files\n"),
    )
}
