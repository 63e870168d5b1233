//! `bayesieve describe`: what the columns hold and what they tell about the class.

mod people;

use std::path::PathBuf;
use std::time::Instant;

use bayesieve::data::{
    CodedTable, Column, KindOrigin, Nominal, Table, Values, check_table_path, write_table,
};
use bayesieve::describe::{Description, Levels, describe, describe_pairs};
use bayesieve::document::{self, Seconds};
use bayesieve::{Observer, Result};
use bayesieve_report::{DescriptionReport, description as page_of};
use clap::{Args, ValueEnum};

use crate::options::{DataOptions, RunOptions, check_paths, start_threads};
use crate::output;
use crate::progress::Progress;
use crate::report::{Origin, ReportOption};

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
  bayesieve describe data.parquet --json -o description.json --pairs pairs.csv")]
pub(crate) struct Arguments {
    #[command(flatten)]
    data: DataOptions,

    /// How deep to look for redundancy: 0, 1, or auto (1 up to 1,000 features)
    #[arg(long, default_value = "auto", value_name = "LEVEL")]
    levels: LevelsOption,

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

#[derive(Clone, Copy, ValueEnum)]
enum LevelsOption {
    Auto,
    #[value(name = "0")]
    Zero,
    #[value(name = "1")]
    One,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    check_files(arguments)?;
    start_threads(arguments.run.threads)?;
    let progress = Progress::start(arguments.run.quiet)?;

    let (table, read) = arguments.data.read(&progress)?;
    let start = Instant::now();
    let roles = arguments.data.roles(&table)?;
    progress.stage("binning");
    let coded = arguments.data.code(&table, &roles)?;
    let levels = match arguments.levels {
        LevelsOption::Auto => Levels::Auto,
        LevelsOption::Zero => Levels::Zero,
        LevelsOption::One => Levels::One,
    };
    progress.check()?;
    progress.stage("describing");
    let description = describe(&coded, levels, &progress)?;
    let pairs = match &arguments.pairs {
        Some(_) => Some(pair_table(&coded, &progress)?),
        None => None,
    };
    progress.check()?;
    progress.stage("writing");
    if let (Some(file), Some(pairs)) = (&arguments.pairs, &pairs) {
        write_table(file, pairs, &progress)?;
    }
    drop(progress);
    let mut notes = roles.notes;
    notes.extend(coded.notes.iter().cloned());
    if !description.has_level1 && matches!(arguments.levels, LevelsOption::Auto) {
        notes.push(
            "redundancy at level 1 is left out above 1,000 features; ask by --levels 1".into(),
        );
    }
    let seconds = Seconds::new(read, start.elapsed());
    show(arguments, (&coded, &description), notes, seconds)
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

fn show(
    arguments: &Arguments,
    (coded, description): (&CodedTable, &Description),
    mut notes: Vec<String>,
    seconds: Seconds,
) -> Result<()> {
    let document = document::description(coded, description, &notes, seconds);
    let json = document::to_text(&document)?;
    notes.splice(0..0, people::kinds(description));
    for note in &notes {
        output::note(arguments.run.quiet, note);
    }
    if let Some(file) = &arguments.run.output {
        output::write(file, &json)?;
    }
    let file = arguments.data.file();
    let origin = Origin::new(file, seconds);
    arguments.report.write(|| {
        page_of(&DescriptionReport {
            about: origin.about(),
            description,
            class: &coded.class_name,
            notes: &notes,
        })
    })?;
    output::print(&match arguments.run.json {
        true => json,
        false => people::show(file, coded, description, arguments.top),
    })
}

/// All pairs as a table: two names and two informations.
fn pair_table(coded: &CodedTable, observer: &dyn Observer) -> Result<Table> {
    let pairs = describe_pairs(coded, observer)?;
    let name = |position: usize| Some(coded.features[position].column.name());
    let names = |title, cells: Vec<Option<&str>>| {
        let nominal = Nominal::from_labels(cells);
        Column::new(title, Values::Nominal(nominal), KindOrigin::Derived)
    };
    let numbers = |title, cells| Column::new(title, Values::Numeric(cells), KindOrigin::Derived);
    Table::new(vec![
        names("a", pairs.iter().map(|p| name(p.pair.0)).collect()),
        names("b", pairs.iter().map(|p| name(p.pair.1)).collect()),
        numbers(
            "information_bits",
            pairs.iter().map(|p| p.information_bits).collect(),
        ),
        numbers(
            "information_given_class_bits",
            pairs
                .iter()
                .map(|p| p.information_given_class_bits)
                .collect(),
        ),
    ])
}
