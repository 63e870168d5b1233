//! `bayesieve describe`: what the columns hold and what they tell about the class.

mod people;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use bayesieve::data::{
    CodedTable, Column, KindOrigin, Nominal, Table, Values, check_table_path, write_table,
};
use bayesieve::describe::{
    Description, Levels, PairDescription, describe, describe_counted, describe_counted_pairs,
    describe_pairs,
};
use bayesieve::document::{self, Seconds};
use bayesieve::{Error, Result};
use bayesieve_report::{DescriptionReport, description as page_of};
use clap::{Args, ValueEnum};

use crate::counted;
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
  bayesieve describe data.parquet --json -o description.json --pairs pairs.csv
  bayesieve describe --counts all.counts")]
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

impl LevelsOption {
    fn levels(self) -> Levels {
        match self {
            LevelsOption::Auto => Levels::Auto,
            LevelsOption::Zero => Levels::Zero,
            LevelsOption::One => Levels::One,
        }
    }
}

/// What was found out, ready to be shown.
struct Described {
    /// The columns, with or without their rows.
    coded: CodedTable,
    description: Description,
    pairs: Option<Vec<PairDescription>>,
    notes: Vec<String>,
    /// How long reading took, and when all else began.
    read: Duration,
    start: Instant,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    arguments.data.check()?;
    check_files(arguments)?;
    start_threads(arguments.run.threads)?;
    let progress = Progress::start(arguments.run.quiet)?;
    let mut described = if arguments.data.counted.is_given() {
        on_counts(arguments, &progress)?
    } else {
        on_rows(arguments, &progress)?
    };
    progress.check()?;
    progress.stage("writing");
    if let (Some(file), Some(pairs)) = (&arguments.pairs, &described.pairs) {
        write_table(file, &pair_table(&described.coded, pairs)?, &progress)?;
    }
    drop(progress);
    if !described.description.has_level1 && matches!(arguments.levels, LevelsOption::Auto) {
        described.notes.push(
            "redundancy at level 1 is left out above 1,000 features; ask by --levels 1".into(),
        );
    }
    let seconds = Seconds::new(described.read, described.start.elapsed());
    show(arguments, described, seconds)
}

/// From rows in memory.
fn on_rows(arguments: &Arguments, progress: &Progress) -> Result<Described> {
    let (table, read) = arguments.data.read(progress)?;
    let start = Instant::now();
    let roles = arguments.data.roles(&table)?;
    progress.stage("binning");
    let coded = arguments.data.code(&table, &roles)?;
    progress.check()?;
    progress.stage("describing");
    let description = describe(&coded, arguments.levels.levels(), progress)?;
    let pairs = arguments.pairs.as_ref();
    let pairs = pairs
        .map(|_| describe_pairs(&coded, progress))
        .transpose()?;
    Ok(Described {
        notes: roles.notes.iter().chain(&coded.notes).cloned().collect(),
        coded,
        description,
        pairs,
        read,
        start,
    })
}

/// From counts.
fn on_counts(arguments: &Arguments, progress: &Progress) -> Result<Described> {
    let data = counted::open(&arguments.data, progress, |data, header| data.roles(header))?;
    let start = Instant::now();
    progress.check()?;
    progress.stage("describing");
    let in_file = |error: Error| error.in_file_of_data(arguments.data.file());
    let description = describe_counted(&data.counted, arguments.levels.levels(), progress);
    let pairs = arguments.pairs.as_ref();
    let pairs = pairs.map(|_| describe_counted_pairs(&data.counted, progress));
    let mut notes = data.notes;
    let rows = if arguments.data.counted.is_streamed() {
        "rows that are not in memory are not compared with one another"
    } else {
        "counts do not tell which rows are equal"
    };
    notes.push(format!(
        "{rows}; columns of numbers are compared by their bins"
    ));
    Ok(Described {
        coded: data.counted.outline().clone(),
        description: description.map_err(in_file)?,
        pairs: pairs.transpose().map_err(in_file)?,
        notes,
        read: data.read,
        start,
    })
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

fn show(arguments: &Arguments, described: Described, seconds: Seconds) -> Result<()> {
    let Described {
        coded,
        description,
        mut notes,
        ..
    } = described;
    let document = document::description(&coded, &description, &notes, seconds);
    let json = document::to_text(&document)?;
    notes.splice(0..0, people::kinds(&description));
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
            description: &description,
            class: &coded.class_name,
            notes: &notes,
        })
    })?;
    output::print(&if arguments.run.json {
        json
    } else {
        people::show(file, &coded, &description, arguments.top)
    })
}

/// All pairs as a table: two names and two informations.
fn pair_table(coded: &CodedTable, pairs: &[PairDescription]) -> Result<Table> {
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
