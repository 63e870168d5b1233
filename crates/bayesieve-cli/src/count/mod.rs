//! `bayesieve count`: count rows into a file, from which methods work without them.

mod aside;
mod rows;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bayesieve::counts::{CountFile, ShardCounter, ShardName};
use bayesieve::data::{Domains, check_folder};
use bayesieve::document::{Seconds, to_text};
use bayesieve::run::DataRequest;
use bayesieve::wording::counted;
use bayesieve::{Error, Observer, Result};
use clap::Args;
use serde_json::{Value, json};

use self::aside::{Aside, Mark};
use crate::options::{ColumnOptions, HowToRead, budget, check_paths, require_file, start};
use crate::output;
use crate::progress::Progress;
use crate::text;

/// Count rows into a file: every feature and every pair of features given the class
#[derive(Args)]
#[command(after_help = "\
Counts add up. Parts of the data, on other machines or other days, are counted apart and
merged: bayesieve merge. The result is the same, byte for byte, as that of counting all at
once, as long as every part is counted with the same domains, which say what the columns are,
which labels they have and where numbers are cut.

Every DATA file is a shard, called by the name of the file, without its folder, and a number
made of what was counted. Two shards of the same name and number are never added: the same rows
in a file of the same name. Under another name they are another shard. --shard names all rows of
a run; then the name alone is compared.

A run that is cut off leaves OUTPUT.part; the same command with --resume goes on from there. A
run that ends at a fault of the data leaves nothing.

Examples:
  bayesieve count data.csv -o data.counts
  bayesieve select --counts data.counts --method mdl-fs
  bayesieve count part-*.csv --domains-only -o domains.json
  bayesieve count part-07.csv --domains domains.json -o part-07.counts
  bayesieve merge part-*.counts -o all.counts")]
pub(crate) struct Arguments {
    /// CSV (any delimiter, also gzipped), ARFF, Parquet or Arrow IPC; `-` is CSV on standard
    /// input
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Columns, labels and cut points as in this file [default: learned on DATA]
    #[arg(long, value_name = "FILE")]
    domains: Option<PathBuf>,

    /// Write the domains of all DATA, count nothing
    #[arg(long, conflicts_with_all = ["domains", "shard", "resume", "checkpoint_every"])]
    domains_only: bool,

    /// What all rows of this run are called, as one shard [default: one per file]
    #[arg(long, value_name = "ID")]
    shard: Option<String>,

    /// Go on where an earlier run was cut off
    #[arg(long)]
    resume: bool,

    /// How often OUTPUT.part is written
    #[arg(long, default_value = "5s", value_name = "TIME", value_parser = budget)]
    checkpoint_every: Duration,

    #[command(flatten)]
    how: HowToRead,

    #[command(flatten)]
    columns: ColumnOptions,

    /// Threads to use, 0 for all cores; never changes an answer
    #[arg(long, default_value_t = 0, value_name = "N")]
    threads: usize,

    /// Print a summary as JSON
    #[arg(long)]
    json: bool,

    /// No progress and no notes; errors still show
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let aside = Aside::of(&arguments.output);
    check(arguments, &aside)?;
    let progress = start(arguments.threads, arguments.quiet)?;
    let start = Instant::now();
    if arguments.domains_only {
        let domains = rows::learn(arguments, &progress)?;
        drop(progress);
        output::write(&arguments.output, &domains.to_json())?;
        return show(arguments, &domains, None, start.elapsed());
    }
    let mark = Mark::new(arguments)?;
    let resumed = if arguments.resume {
        aside.resumed(&mark)?
    } else {
        None
    };
    if arguments.resume && resumed.is_none() {
        let part = text::file(aside.path());
        let note = format!("there is nothing to resume in {part}: this run begins anew");
        output::note(arguments.quiet, &note);
    }
    let (mut counter, mut mark) = match resumed {
        Some((counter, mark)) => (counter, mark),
        None => {
            let domains = domains(arguments, &progress)?;
            check_weight(arguments.columns.weight(), &domains)?;
            (ShardCounter::new(domains)?, mark)
        }
    };
    let mut counting = Counting {
        arguments,
        aside: &aside,
        progress: &progress,
        last_put_aside: Instant::now(),
        pause: arguments.checkpoint_every,
    };
    let counted = counting.run(&mut counter, &mut mark).and_then(|()| {
        progress.stage("writing");
        let file = counter.finish()?;
        file.write(&arguments.output)?;
        Ok(file)
    });
    let file = counted.map_err(|error| aside.after(error, &arguments.data))?;
    drop(progress);
    aside.remove();
    show(arguments, file.domains(), Some(&file), start.elapsed())
}

/// Refuses files that get in each other's way or cannot be written, before anything is read.
fn check(arguments: &Arguments, aside: &Aside) -> Result<()> {
    require_file("-o", &arguments.output)?;
    let mut inputs: Vec<&Path> = arguments.data.iter().map(PathBuf::as_path).collect();
    inputs.extend(arguments.domains.as_deref());
    let part = aside.path().to_owned();
    let outputs = [
        ("-o", Some(&arguments.output)),
        ("the part of -o that is finished", Some(&part)),
    ];
    check_paths(&inputs, &outputs)?;
    if arguments.shard.as_deref() == Some("") {
        return Err(Error::usage("--shard is empty").with_hint("Give the rows a name."));
    }
    if arguments.domains.is_some() {
        refuse_what_is_settled(&arguments.columns.request(&arguments.how)?)?;
    }
    check_folder(&arguments.output)?;
    check_twice(&arguments.data)?;
    check_pipes(arguments)?;
    if arguments.resume || arguments.domains_only {
        Ok(())
    } else {
        aside.refuse()
    }
}

/// Refuses to say anew what the domains say.
fn refuse_what_is_settled(data: &DataRequest) -> Result<()> {
    match data.settled_by_domains() {
        Some(name) => Err(
            Error::usage(format!("--{name} is settled by the domains (--domains)")).with_hint(
                format!(
                    "Leave --{name} out, or learn the domains again with it: bayesieve count DATA \
             --{name} … --domains-only."
                ),
            ),
        ),
        None => Ok(()),
    }
}

/// Refuses weights that are a feature or the class of the domains.
fn check_weight(weight: Option<&str>, domains: &Domains) -> Result<()> {
    let mut columns = domains.features.iter().chain([&domains.class]);
    match weight.filter(|weight| columns.any(|column| column.name == *weight)) {
        Some(weight) => Err(Error::usage(format!(
            "--weight names {}, a column of the domains (--domains)",
            text::name(weight)
        ))
        .with_hint("Learn the domains again with --weight, which leaves this column out.")),
        None => Ok(()),
    }
}

/// A file that is given twice would be refused as a shard that is there already, after hours.
fn check_twice(data: &[PathBuf]) -> Result<()> {
    let place = |file: &PathBuf| file.canonicalize().unwrap_or_else(|_| file.clone());
    let mut places: Vec<PathBuf> = data.iter().map(place).collect();
    places.sort_unstable();
    match places.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Error::usage("this file is given twice")
            .in_file(&pair[0])
            .with_hint("Give every file once.")),
        None => Ok(()),
    }
}

/// Learning and counting read every file once each, which a pipe does not stand.
fn check_pipes(arguments: &Arguments) -> Result<()> {
    if arguments.domains.is_some() || arguments.domains_only {
        return Ok(());
    }
    let mut files = arguments.data.iter();
    match files.find(|file| rows::is_read_once(file)) {
        Some(file) => Err(Error::usage(format!(
            "{} can be read only once, and labels and cut points have to be learned first",
            text::file(file)
        ))
        .with_hint("Give the domains (--domains), or a file.")),
        None => Ok(()),
    }
}

/// The domains that were given, or those of the data.
fn domains(arguments: &Arguments, progress: &Progress) -> Result<Domains> {
    let Some(file) = &arguments.domains else {
        return rows::learn(arguments, progress);
    };
    let bytes = std::fs::read(file).map_err(Error::unreadable);
    let domains = bytes.and_then(|bytes| match std::str::from_utf8(&bytes) {
        Ok(text) => Domains::from_json(text),
        Err(_) => Err(no_domains(&bytes)),
    });
    domains.map_err(|error| error.in_file(file))
}

/// The error of a file of domains that is no text.
fn no_domains(bytes: &[u8]) -> Error {
    let what = match CountFile::from_bytes(bytes) {
        Ok(_) => "this is a file of counts, not of domains",
        Err(_) => "these are no domains: the file is no text",
    };
    let hint = "Write the domains apart: bayesieve count DATA --domains-only -o domains.json.";
    Error::data(what).with_hint(hint)
}

/// A run of the counter over all files.
struct Counting<'a> {
    arguments: &'a Arguments,
    aside: &'a Aside,
    progress: &'a Progress,
    last_put_aside: Instant,
    /// Until what is counted is put aside again.
    pause: Duration,
}

impl Counting<'_> {
    fn run(&mut self, counter: &mut ShardCounter, mark: &mut Mark) -> Result<()> {
        let arguments = self.arguments;
        for file in arguments.data.iter().skip(mark.n_files_done) {
            self.count(file, counter, mark)?;
            if arguments.shard.is_none() {
                counter.finish_shard(ShardName::WithContent(&name(file)))?;
            }
            mark.finish_file();
        }
        match &arguments.shard {
            Some(shard) => counter.finish_shard(ShardName::Exact(shard)),
            None => Ok(()),
        }
    }

    /// Counts the rows of a file that are not counted yet.
    fn count(&mut self, file: &Path, counter: &mut ShardCounter, mark: &mut Mark) -> Result<()> {
        let domains = counter.domains().clone();
        let source = rows::Rows {
            file,
            how: &self.arguments.how,
            weight: self.arguments.columns.weight(),
            domains: &domains,
            n_blocks_done: mark.n_blocks_done,
            n_rows_done: mark.n_rows_done,
        };
        source.each_block(&ToTheEnd(self.progress), &mut |block| {
            counter.observe(&block)?;
            mark.finish_block(block.n_rows() as u64);
            let is_stopped = self.progress.is_cancelled();
            let is_time = self.last_put_aside.elapsed() >= self.pause;
            if (is_time || is_stopped) && mark.can_resume() {
                self.put_aside(counter, mark)?;
            }
            if !is_stopped {
                return Ok(());
            }
            let error = Error::interrupted();
            Err(if mark.can_resume() {
                error.with_hint("The same command with --resume goes on.")
            } else {
                error
            })
        })
    }

    /// Puts aside what is counted, which takes a twentieth of the time at most.
    fn put_aside(&mut self, counter: &mut ShardCounter, mark: &Mark) -> Result<()> {
        let start = Instant::now();
        self.aside.put(counter, mark)?;
        self.last_put_aside = Instant::now();
        self.pause = self.arguments.checkpoint_every.max(20 * start.elapsed());
        Ok(())
    }
}

/// Reports how far the reading is and never ends it: that is for whoever puts counts aside.
struct ToTheEnd<'a>(&'a Progress);

impl Observer for ToTheEnd<'_> {
    fn progress(&self, stage: &str, done: u64, total: u64) {
        self.0.progress(stage, done, total);
    }
}

/// What a file is called among shards.
fn name(file: &Path) -> String {
    match file.file_name() {
        Some(name) if file != Path::new("-") => name.to_string_lossy().into_owned(),
        _ => "stdin".to_owned(),
    }
}

fn show(
    arguments: &Arguments,
    domains: &Domains,
    file: Option<&CountFile>,
    run: Duration,
) -> Result<()> {
    output::notes(arguments.quiet, &domains.notes);
    if arguments.json {
        let seconds = Seconds::new(Duration::ZERO, run);
        return output::print(&to_text(&summary(
            domains,
            file,
            &arguments.output,
            seconds,
        ))?);
    }
    let n_features = counted(domains.features.len() as u64, "feature");
    let written = text::file(&arguments.output);
    output::print(&match file {
        None => format!("domains of {n_features} written to {written}\n"),
        Some(file) => counts_for_people(file, &arguments.output),
    })
}

/// What a count file holds, in a line.
pub(crate) fn counts_for_people(file: &CountFile, path: &Path) -> String {
    let n_features = file.domains().features.len() as u64;
    let n_pairs = n_features * n_features.saturating_sub(1) / 2;
    format!(
        "{} of {}: {} and {} by {} counted; written to {}\n",
        counted(file.n_rows(), "row"),
        counted(file.shards().len() as u64, "shard"),
        counted(n_features, "feature"),
        counted(n_pairs, "pair"),
        text::name(&file.domains().class.name),
        text::file(path)
    )
}

/// What was counted, as JSON.
pub(crate) fn summary(
    domains: &Domains,
    file: Option<&CountFile>,
    path: &Path,
    seconds: Seconds,
) -> Value {
    let shards = file.map(|file| json!(file.shards()));
    json!({
        "schema": "bayesieve.counting.v1",
        "rows": file.map_or(domains.n_rows, CountFile::n_rows),
        "shards": shards,
        "class": domains.class.name,
        "classes": domains.class.domain.labels(),
        "features": domains.features.len(),
        "fingerprint": format!("{:016x}", domains.fingerprint()),
        "file": path.to_string_lossy(),
        "warnings": domains.notes,
        "seconds": seconds,
    })
}
