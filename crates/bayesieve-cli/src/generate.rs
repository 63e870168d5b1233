//! `bayesieve generate`: artificial data.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bayesieve::Observer;
use bayesieve::Result;
use bayesieve::data::{Generator, check_table_path, write_blocks};
use bayesieve::document::{Seconds, to_text};
use bayesieve::wording::counted;
use clap::Args;
use serde_json::json;

use crate::output;
use crate::progress::Progress;

/// Artificial data
#[derive(Args)]
#[command(about = about(), after_help = help())]
pub(crate) struct Arguments {
    /// Which data
    name: Generator,

    #[arg(long, help = rows_help(), value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    rows: Option<u64>,

    /// Write the rows so many times, one copy behind the other (with -o)
    #[arg(long, default_value_t = 1, value_name = "K", requires = "output",
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    repeat: u64,

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

fn about() -> String {
    let names = Generator::ALL.map(Generator::name).join(", ");
    format!("Make artificial data: {names}")
}

fn rows_help() -> String {
    let rows = Generator::ALL.map(|generator| generator.default_rows().to_string());
    format!(
        "Number of rows [default: {}, in the order below]",
        rows.join(", ")
    )
}

fn help() -> String {
    let data = Generator::ALL.map(|generator| {
        let description = generator.description();
        format!("  {:<12} {}\n", description.name, description.summary)
    });
    format!(
        "Data:\n{}\n\
         Examples:\n  \
         bayesieve generate example1 --rows 3200 -o e.csv\n  \
         bayesieve generate led24 --seed 7 > led.csv\n  \
         bayesieve generate planted100 --rows 50000000 -o large.parquet",
        data.concat()
    )
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
    let Some(file) = &arguments.output else {
        let table = arguments.name.generate(rows, arguments.seed)?;
        progress.check()?;
        return output::print_table(&table, &progress);
    };
    let columns = write(arguments, rows, file, &progress)?;
    let rows = rows * arguments.repeat as usize;
    drop(progress);
    output::note(
        arguments.quiet || arguments.json,
        &format!(
            "wrote {} and {} to {}",
            counted(rows as u64, "row"),
            counted(columns.len() as u64, "column"),
            crate::text::file(file)
        ),
    );
    if arguments.json {
        output::print(&to_text(&json!({
            "schema": "bayesieve.generation.v1",
            "name": arguments.name.to_string(),
            "rows": rows,
            "columns": columns,
            "seed": arguments.seed,
            "file": file.to_string_lossy(),
            "seconds": Seconds::new(Duration::ZERO, start.elapsed()),
        }))?)?;
    }
    Ok(())
}

/// Writes the rows block by block, so that they need not fit in memory; gives the columns' names.
fn write(
    arguments: &Arguments,
    n_rows: usize,
    file: &Path,
    progress: &Progress,
) -> Result<Vec<String>> {
    let mut columns = Vec::new();
    let mut done = 0;
    let total = n_rows as u64 * arguments.repeat;
    let copies: Result<Vec<_>> = (0..arguments.repeat)
        .map(|_| arguments.name.blocks(n_rows, arguments.seed))
        .collect();
    let blocks = copies?.into_iter().flatten().map(|block| {
        progress.check()?;
        progress.progress("generating", done, total);
        let block = block?;
        done += block.n_rows() as u64;
        if columns.is_empty() {
            columns = block.names().map(str::to_owned).collect();
        }
        Ok(block)
    });
    write_blocks(file, blocks, progress)?;
    Ok(columns)
}
