//! The command `bayesieve`.
//!
//! One file per subcommand; `options/` holds the options they share. Results go to
//! standard output, everything else to standard error.

mod checkpoint;
mod compare;
mod completions;
mod count;
mod describe;
mod generate;
mod merge;
mod methods;
mod network;
mod options;
mod output;
mod predict;
mod progress;
mod report;
mod reproduce;
mod score;
mod select;
mod text;
mod train;

use std::process::ExitCode;

use bayesieve::{Error, ErrorKind, Spelling};
use clap::{Parser, Subcommand};

/// Finds the smallest set of features a Bayesian-network classifier needs, and says why
/// every other feature can go.
#[derive(Parser)]
#[command(name = "bayesieve", version, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  bayesieve describe data.csv                  what the columns hold and tell
  bayesieve describe data.csv --class income   with another class than the last column
  bayesieve select data.csv                    what to keep, and why the rest can go
  bayesieve select data.csv --report page.html the same as a page with drawings
  bayesieve train data.csv --model tan -o model.json
  bayesieve predict model.json new.csv > predicted.csv
  bayesieve compare data.csv                   which method and model do best on it
  bayesieve count data.csv -o data.counts      rows as counts, which can be merged
  bayesieve select --counts data.counts        the same from counts, without the rows
  bayesieve network info alarm.bif
  bayesieve reproduce                          papers whose tables can be computed again

Exit codes: 0 done, 1 error in the run, 2 wrong usage, 3 wrong data, 130 interrupted.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// How the command writes parameters: `--count 50`, `--set alpha=2`.
const FLAGS: Spelling = Spelling {
    parameter: "--",
    setting: "--set ",
    is: " ",
};

#[derive(Subcommand)]
enum Command {
    Describe(Box<describe::Arguments>),
    Select(Box<select::Arguments>),
    Score(Box<score::Arguments>),
    Train(Box<train::Arguments>),
    Predict(Box<predict::Arguments>),
    Compare(Box<compare::Arguments>),
    Count(Box<count::Arguments>),
    Merge(merge::Arguments),
    Network(network::Arguments),
    Generate(generate::Arguments),
    Reproduce(reproduce::Arguments),
    Methods(methods::Arguments),
    Completions(completions::Arguments),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Command::Describe(arguments) => describe::run(&arguments),
        Command::Select(arguments) => select::run(&arguments),
        Command::Score(arguments) => score::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        Command::Predict(arguments) => predict::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Count(arguments) => count::run(&arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Network(arguments) => network::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Reproduce(arguments) => reproduce::run(&arguments),
        Command::Methods(arguments) => methods::run(&arguments),
        Command::Completions(arguments) => completions::run::<Cli>(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn fail(error: &Error) -> ExitCode {
    eprintln!("bayesieve: {}", error.spelled(FLAGS));
    let code = match error.kind() {
        ErrorKind::Interrupted => progress::interrupted_exit_code(),
        kind => kind.exit_code(),
    };
    ExitCode::from(code)
}
