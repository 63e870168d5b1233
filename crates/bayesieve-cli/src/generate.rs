//! `bayesieve generate`: artificial data.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use bayesieve::Result;
use bayesieve::data::{Generator, check_table_path, write_table};
use bayesieve::document::{Seconds, to_text};
use bayesieve::wording::counted;
use clap::Args;
use serde::Serialize;

use crate::output;
use crate::progress::Progress;

/// Make artificial data: example1, led24, redundant21, waveform40
#[derive(Args)]
#[command(after_help = "\
Data:
  example1     the 32 rows of the MDL-FS paper's example, repeated; class C
  led24        seven noisy segments of a digit and 17 random bits; ten classes
  redundant21  nine numbers and twelve copies of three of them; two classes
  waveform40   two of three waves mixed, with noise, and 19 noise columns; three classes

Examples:
  bayesieve generate example1 --rows 3200 -o e.csv
  bayesieve generate led24 --seed 7 > led.csv")]
pub(crate) struct Arguments {
    /// Which data
    name: Generator,

    /// Number of rows [default: 32, 1000, 2500 or 5000, in the order above]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    rows: Option<u64>,

    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,

    /// Write to this file, CSV or Parquet by its extension, instead of CSV on standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Print a summary as JSON (with -o)
    #[arg(long, requires = "output")]
    json: bool,

    /// No notes; errors still show
    #[arg(long)]
    quiet: bool,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    name: String,
    rows: usize,
    columns: Vec<String>,
    seed: u64,
    file: String,
    seconds: Seconds,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if let Some(file) = &arguments.output {
        check_table_path(file)?;
    }
    let progress = Progress::start(arguments.quiet)?;
    let start = Instant::now();
    progress.stage("generating");
    let rows = arguments
        .rows
        .map_or(arguments.name.default_rows(), |rows| rows as usize);
    let table = arguments.name.generate(rows, arguments.seed)?;
    progress.check()?;
    let Some(file) = &arguments.output else {
        return output::print_table(&table, &progress);
    };
    progress.stage("writing");
    write_table(file, &table, &progress)?;
    drop(progress);
    output::note(
        arguments.quiet || arguments.json,
        &format!(
            "wrote {} and {} to {}",
            counted(table.n_rows() as u64, "row"),
            counted(table.columns().len() as u64, "column"),
            crate::text::file(file)
        ),
    );
    if arguments.json {
        let document = Document {
            schema: "bayesieve.generation.v1",
            name: arguments.name.to_string(),
            rows,
            columns: table.names().map(str::to_owned).collect(),
            seed: arguments.seed,
            file: file.to_string_lossy().into_owned(),
            seconds: Seconds::new(Duration::ZERO, start.elapsed()),
        };
        output::print(&to_text(&document)?)?;
    }
    Ok(())
}
