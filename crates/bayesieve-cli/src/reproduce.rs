//! `bayesieve reproduce`: a paper's tables, ours beside the published figures.
//!
//! Papers describe themselves and their options; this file turns what they describe into a
//! subcommand each, its flags into a request, and the outcome into text and files.

use std::path::{Path, PathBuf};

use bayesieve::data::check_folder;
use bayesieve::{Error, Result};
use bayesieve_papers::{
    Paper, PaperOption, PaperOptionKind, PaperOutcome, PaperPlan, PaperRequest, Published,
    TextPart, papers,
};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::checkpoint::CheckpointOptions;
use crate::options::{RunOptions, check_paths, names};
use crate::report::{ReportOption, about};
use crate::{output, text};

const HELP: &str = "\
Without a paper it lists those there are, and the files they need.

Examples:
  bayesieve reproduce
  bayesieve reproduce acid2011 --data DIR
  bayesieve reproduce acid2011 --data DIR --networks alarm,insurance --sizes 100,200
  bayesieve reproduce acid2011 --data DIR --checkpoint run.txt --resume -o acid2011.json
  bayesieve reproduce drugan2010 --data DIR --quick
  bayesieve reproduce pavlenko2004 --plots figures";

/// The paper that is asked for, if any, and its options.
pub(crate) struct Arguments(Option<(&'static Paper, ArgMatches)>);

/// Where a paper's data are.
#[derive(Args)]
struct DataFolder {
    /// The folder with the paper's data
    #[arg(long, value_name = "DIR")]
    data: PathBuf,

    #[command(flatten)]
    checkpoint: CheckpointOptions,
}

/// How the run of any paper behaves.
#[derive(Args)]
struct StudyOptions {
    /// Seed of all that is drawn
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,

    #[command(flatten)]
    report: ReportOption,

    #[command(flatten)]
    run: RunOptions,
}

/// Where drawings go.
#[derive(Args)]
struct PlotsOption {
    /// Draw the figures into this folder, as figure1.svg and figure2.svg
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
}

impl Args for Arguments {
    fn augment_args(command: Command) -> Command {
        let command = command
            .about("Compute a paper's tables again, ours beside the published figures")
            .after_help(HELP);
        // Deferred: other commands need not read the papers' files.
        command.defer(|command| command.subcommands(papers().map(subcommand)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Arguments::augment_args(command)
    }
}

impl FromArgMatches for Arguments {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        let asked = matches.subcommand();
        let asked = asked.and_then(|(name, matches)| {
            let paper = papers()
                .into_iter()
                .find(|paper| paper.published().name == name)?;
            Some((paper, matches.clone()))
        });
        Ok(Arguments(asked))
    }

    fn update_from_arg_matches(
        &mut self,
        matches: &ArgMatches,
    ) -> std::result::Result<(), clap::Error> {
        *self = Arguments::from_arg_matches(matches)?;
        Ok(())
    }
}

fn subcommand(paper: &Paper) -> Command {
    let paper = paper.published();
    let mut command = Command::new(&*paper.name);
    if paper.has_data {
        command = DataFolder::augment_args(command);
    }
    command = StudyOptions::augment_args(command).args(paper.options.iter().map(argument));
    if paper.has_drawings {
        command = PlotsOption::augment_args(command);
    }
    // Last: derived options bring texts of their own.
    command
        .about(&paper.about)
        .long_about(format!("{}\n\n{}", paper.about, paper.details))
        .after_help(&paper.help)
}

fn argument(option: &'static PaperOption) -> Arg {
    let name = option.name.as_str();
    let argument = Arg::new(name).long(name).help(&option.help);
    match &option.kind {
        PaperOptionKind::Names(example) => argument.value_name(example.as_str()),
        PaperOptionKind::Flag => argument.action(ArgAction::SetTrue),
        PaperOptionKind::Number { default, min, max } => {
            let range = i64::from(*min)..=i64::from(*max);
            let argument = argument
                .value_name("N")
                .value_parser(clap::value_parser!(u32).range(range));
            match default {
                Some(default) => argument.default_value(default.as_str()),
                None => argument.conflicts_with("quick"),
            }
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.0 {
        Some((paper, matches)) => reproduce(paper, matches),
        None => list(),
    }
}

fn list() -> Result<()> {
    let mut out = String::new();
    for paper in papers() {
        let published = paper.published();
        out += &format!("{}\n", published.name);
        let rows = [
            ("  computes", &published.summary),
            ("  needs", &published.needs),
            ("  source", &published.citation),
        ];
        let rows = rows.map(|(what, line)| vec![what.to_owned(), line.clone()]);
        out += &text::rows(&[], rows.into());
        out += "\n";
    }
    output::print(
        &(out + "Compute one: bayesieve reproduce PAPER, with --data DIR where it needs files\n"),
    )
}

fn reproduce(paper: &Paper, matches: &ArgMatches) -> Result<()> {
    let published = paper.published();
    let options: StudyOptions = read(matches)?;
    let folder: Option<DataFolder> = published.has_data.then(|| read(matches)).transpose()?;
    let plots: Option<PlotsOption> = published.has_drawings.then(|| read(matches)).transpose()?;
    let plots = plots.and_then(|option| option.plots);
    let checkpoint = folder.as_ref().map(|folder| &folder.checkpoint);
    let plan = paper.plan(&request(published, matches, options.seed, folder.as_ref())?)?;
    let drawings = drawings(&plan, plots.as_deref())?;

    let mut outputs = vec![("-o", options.run.output.as_ref()), options.report.path()];
    outputs.extend(checkpoint.map(CheckpointOptions::output));
    outputs.extend(drawings.iter().map(|(_, file)| ("--plots", Some(file))));
    let inputs: Vec<&Path> = plan.inputs.iter().map(PathBuf::as_path).collect();
    check_paths(&inputs, &outputs)?;
    // Nothing is made for a run that is refused.
    if let Some(folder) = &plots {
        std::fs::create_dir_all(folder).map_err(|error| {
            Error::output("the folder cannot be made")
                .with_source(error)
                .in_file(folder)
        })?;
    }
    options.report.check()?;
    for path in outputs.iter().filter_map(|(_, path)| *path) {
        check_folder(path)?;
    }
    let progress = options.run.start()?;
    let open = || checkpoint.map_or(Ok(None), CheckpointOptions::open);
    let outcome = plan.run(&progress, &open)?;
    drop(progress);
    for (name, drawing) in &outcome.drawings {
        if let Some((_, file)) = drawings.iter().find(|(known, _)| known == name) {
            output::write(file, &drawing.clone().finish())?;
        }
    }
    finish(&options, &outcome)
}

/// What derived options were given.
fn read<T: FromArgMatches>(matches: &ArgMatches) -> Result<T> {
    T::from_arg_matches(matches).map_err(|error| Error::usage(error.to_string()))
}

fn request(
    paper: &'static Published,
    matches: &ArgMatches,
    seed: u64,
    folder: Option<&DataFolder>,
) -> Result<PaperRequest> {
    let mut request = PaperRequest {
        data: folder.map_or_else(PathBuf::new, |folder| folder.data.clone()),
        seed,
        ..PaperRequest::default()
    };
    for option in &paper.options {
        let name = option.name.as_str();
        match option.kind {
            PaperOptionKind::Names(_) => {
                if let Some(text) = matches.get_one::<String>(name) {
                    let asked = names(&format!("--{name}"), text)?;
                    request.names.insert(name, asked);
                }
            }
            PaperOptionKind::Number { .. } => {
                let number = matches.get_one::<u32>(name);
                request.numbers.extend(number.map(|&number| (name, number)));
            }
            PaperOptionKind::Flag => {
                request.flags.extend(matches.get_flag(name).then_some(name));
            }
        }
    }
    Ok(request)
}

/// The files of the drawings that are asked for.
fn drawings(plan: &PaperPlan, plots: Option<&Path>) -> Result<Vec<(&'static str, PathBuf)>> {
    let Some(folder) = plots else {
        return Ok(Vec::new());
    };
    if plan.drawings.is_empty() {
        return Err(
            Error::usage("--plots draws figures 1 and 2, and neither is asked for")
                .with_hint("Ask for one with --figures, or leave --plots out."),
        );
    }
    let names = plan.drawings.iter();
    Ok(names.map(|&name| (name, folder.join(name))).collect())
}

/// Shows and writes what came out.
fn finish(options: &StudyOptions, outcome: &PaperOutcome) -> Result<()> {
    let warnings = &outcome.run.warnings;
    let json = options.run.write(warnings, &outcome.document())?;
    let about = about(outcome.run.paper.name.clone(), outcome.run.seconds);
    options.report.write(|| outcome.page(&about))?;
    let people = || Ok(outcome.text.iter().map(shown).collect());
    options.run.print(&json, people)?;
    if outcome.run.is_cut_short {
        // What was finished is out; the exit code still says that it was cut short.
        return Err(Error::interrupted());
    }
    Ok(())
}

fn shown(part: &TextPart) -> String {
    match part {
        TextPart::Lines(lines) => lines.clone(),
        TextPart::Table {
            header,
            n_words,
            rows,
        } => {
            let names: Vec<&str> = header.iter().map(String::as_str).collect();
            let numbers: Vec<usize> = (*n_words..header.len()).collect();
            text::table(&names, &numbers, rows.clone())
        }
    }
}
