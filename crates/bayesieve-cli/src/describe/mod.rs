//! `bayesieve describe`: what the columns hold and what they tell about the class.

mod people;

use std::path::PathBuf;

use bayesieve::data::{Column, KindOrigin, Nominal, Table, Values, check_table_path, write_table};
use bayesieve::describe::{Description, Levels, PairDescription};
use bayesieve::run::{Dataset, DescribeOutcome, DescribeRequest};
use bayesieve::{Observer, Result};
use bayesieve_report::{DescriptionReport, description as page_of};
use clap::Args;

use crate::options::{DataOptions, RunOptions, check_paths};
use crate::report::{ReportOption, about};
use crate::text;

/// Say what the columns hold: kinds, values, missing cells, class balance, information
/// about the class, duplicates and redundancy
#[derive(Args)]
#[command(after_help = "\
Redundancy: at level 0 a feature tells less about the class than its table of counts
costs, log2(N)/(2N) bits per row for every free cell; at level 1 it does so once one other
feature is known.

Examples:
  bayesieve describe data.csv
  bayesieve describe data.csv --class income --ignore id --top 0
  bayesieve describe data.csv --report page.html
  bayesieve describe data.parquet --json -o description.json --pairs pairs.csv
  bayesieve describe --counts all.counts")]
pub(crate) struct Arguments {
    #[command(flatten)]
    data: DataOptions,

    /// How deep to look for redundancy: 0, 1, or auto (1 up to 1,000 features)
    #[arg(long, default_value = "auto", value_name = "LEVEL")]
    levels: Levels,

    /// Features to show in the table, the most telling first; 0 for all
    #[arg(long, default_value_t = 50, value_name = "N")]
    top: usize,

    /// Write what every pair of features tells about each other, and given the class
    /// (CSV or Parquet by extension)
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,

    #[command(flatten)]
    report: ReportOption,

    #[command(flatten)]
    run: RunOptions,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let data = arguments.data.request()?;
    let request = DescribeRequest {
        levels: arguments.levels,
        with_pairs: arguments.pairs.is_some(),
    };
    request.check(&data)?;
    check_files(arguments)?;
    let progress = arguments.run.start()?;
    let data = Dataset::open(&data, &progress)?;
    let outcome = request.run(&data, &progress)?;
    progress.check()?;
    progress.stage("writing");
    if let (Some(file), Some(pairs)) = (&arguments.pairs, &outcome.pairs) {
        let table = pair_table(&outcome.description, pairs)?;
        write_table(file, &table, &progress)?;
    }
    drop(progress);
    show(arguments, &outcome)
}

/// Refuses outputs that get in each other's way or cannot be written, before anything is read.
fn check_files(arguments: &Arguments) -> Result<()> {
    let outputs = [
        ("-o", arguments.run.output.as_ref()),
        ("--pairs", arguments.pairs.as_ref()),
        arguments.report.path(),
    ];
    check_paths(&[arguments.data.file()], &outputs)?;
    arguments.report.check()?;
    arguments.pairs.as_deref().map_or(Ok(()), check_table_path)
}

fn show(arguments: &Arguments, outcome: &DescribeOutcome) -> Result<()> {
    let description = &outcome.description;
    let mut notes = vec![people::kinds(description)];
    notes.extend(outcome.notes.iter().cloned());
    let json = arguments.run.write(&notes, &outcome.document())?;
    let file = arguments.data.file();
    let class = &outcome.coded.class_name;
    let about = about(text::file(file), outcome.seconds);
    arguments.report.write(|| {
        page_of(&DescriptionReport {
            about: &about,
            description,
            class,
            notes: &notes,
        })
    })?;
    arguments.run.print(&json, || {
        Ok(people::show(file, class, description, arguments.top))
    })
}

/// All pairs as a table: two names and two informations.
fn pair_table(description: &Description, pairs: &[PairDescription]) -> Result<Table> {
    let column = |title, values| Column::new(title, values, KindOrigin::Derived);
    let names = |title, place: fn(&PairDescription) -> usize| {
        let name = |pair| Some(description.features[place(pair)].column.name());
        let labels: Vec<Option<&str>> = pairs.iter().map(name).collect();
        column(title, Values::Nominal(Nominal::from_labels(labels)))
    };
    let numbers = |title, number: fn(&PairDescription) -> f64| {
        column(title, Values::Numeric(pairs.iter().map(number).collect()))
    };
    Table::new(vec![
        names("a", |pair| pair.pair.0),
        names("b", |pair| pair.pair.1),
        numbers("information_bits", |pair| pair.information_bits),
        numbers("information_given_class_bits", |pair| {
            pair.information_given_class_bits
        }),
    ])
}
