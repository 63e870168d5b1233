//! Options that all papers share, and how their runs begin and end.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bayesieve::data::{check_folder, unknown_name};
use bayesieve::document::{Seconds, to_text};
use bayesieve::{Error, Result};
use clap::Args;
use serde_json::Value;

use super::reproduction::Reproduction;
use super::{document, page, people};
pub(super) use crate::checkpoint::CheckpointOptions;
use crate::options::{RunOptions, check_paths, names, start_threads};
use crate::output;
use crate::progress::Progress;
use crate::report::ReportOption;
use crate::text;

/// Where a paper's data are, for papers that need any.
#[derive(Args)]
pub(super) struct DataFolder {
    /// The folder with the paper's data
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
}

impl DataFolder {
    /// The file of that name in the folder of the data, or in this folder inside it.
    pub(super) fn find(&self, folder: &str, name: &str) -> Result<PathBuf> {
        let places = [self.data.clone(), self.data.join(folder)];
        let mut files = places.iter().map(|place| place.join(name));
        files.find(|file| file.exists()).ok_or_else(|| {
            let [first, second] = places.map(|place| text::file(&place));
            Error::data(format!("there is no file {name} in {first} or {second}"))
                .with_hint("Name the folder that holds it with --data.")
        })
    }
}

impl DataFolder {
    pub(super) fn path(&self) -> &Path {
        &self.data
    }

    /// The first file of that name, with any of these endings, in the folder of the data or
    /// in this folder inside it.
    pub(super) fn table(&self, folder: &str, stem: &str, endings: &[&str]) -> Option<PathBuf> {
        let places = [self.data.clone(), self.data.join(folder)];
        let files = places.iter().flat_map(|place| {
            let names = endings.iter().map(|ending| format!("{stem}.{ending}"));
            names.map(|name| place.join(name))
        });
        files.into_iter().find(|file| file.exists())
    }
}

/// How the run of any paper behaves.
#[derive(Args)]
pub(super) struct StudyOptions {
    /// Seed of all that is drawn
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(super) seed: u64,

    #[command(flatten)]
    pub(super) report: ReportOption,

    #[command(flatten)]
    pub(super) run: RunOptions,
}

impl StudyOptions {
    /// Refuses outputs that get in each other's way, then starts the run; `outputs` are those
    /// besides `-o` and `--report`.
    pub(super) fn start(
        &self,
        inputs: &[PathBuf],
        outputs: &[(&'static str, Option<&PathBuf>)],
    ) -> Result<Progress> {
        let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
        let outputs = [&self.outputs(), outputs].concat();
        check_paths(&inputs, &outputs)?;
        self.report.check()?;
        for path in outputs.iter().filter_map(|(_, path)| *path) {
            check_folder(path)?;
        }
        start_threads(self.run.threads)?;
        Progress::start(self.run.quiet)
    }

    /// The files that runs of all papers may write.
    pub(super) fn outputs(&self) -> [(&'static str, Option<&PathBuf>); 2] {
        [("-o", self.run.output.as_ref()), self.report.path()]
    }

    /// Shows and writes what came out.
    pub(super) fn finish(&self, outcome: &Outcome) -> Result<()> {
        for warning in &outcome.warnings {
            output::note(self.run.quiet, warning);
        }
        let json = to_text(&outcome.document)?;
        if let Some(file) = &self.run.output {
            output::write(file, &json)?;
        }
        self.report.write(|| outcome.page.clone())?;
        output::print(if self.run.json {
            &json
        } else {
            &outcome.people
        })?;
        if outcome.is_cut_short {
            // What was finished is out; the exit code still says that it was cut short.
            Err(Error::interrupted())
        } else {
            Ok(())
        }
    }
}

/// What came out of a run, ready to be shown.
pub(super) struct Outcome {
    /// For programs.
    pub(super) document: Value,
    /// For people.
    pub(super) people: String,
    /// For people, as a page.
    pub(super) page: String,
    pub(super) warnings: Vec<String>,
    pub(super) is_cut_short: bool,
}

impl Outcome {
    /// Of tables beside the published ones.
    ///
    /// # Errors
    /// The run was stopped before any cell was finished.
    pub(super) fn of(reproduction: Reproduction, times: Times) -> Result<Self> {
        if reproduction.cells().next().is_none() {
            return Err(Error::interrupted());
        }
        let run = times.start.elapsed();
        let seconds = Seconds::new(times.read, run);
        Ok(Outcome {
            document: document::new(&reproduction, seconds),
            page: page::of(&reproduction, seconds),
            people: people::show(&reproduction, run),
            is_cut_short: reproduction.is_cut_short,
            warnings: reproduction.warnings,
        })
    }
}

/// When a run began, and how long reading took before.
#[derive(Clone, Copy)]
pub(super) struct Times {
    pub(super) read: Duration,
    pub(super) start: Instant,
}

/// Those of the known names that an option asks for, in the order they are known in; all
/// without the option.
pub(super) fn chosen<'a>(
    (option, what): (&str, &str),
    text: Option<&str>,
    known: &[&'a str],
) -> Result<Vec<&'a str>> {
    let Some(text) = text else {
        return Ok(known.to_vec());
    };
    let asked = names(option, text)?;
    if let Some(name) = asked.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(unknown_name(what, name, known.iter().copied()));
    }
    let is_asked = |name: &&&str| asked.iter().any(|asked| asked == **name);
    Ok(known.iter().filter(is_asked).copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_comes_in_the_order_of_the_paper() {
        let known = ["alarm", "boblo", "pigs"];
        let of = |text| chosen(("--networks", "network"), text, &known);
        assert_eq!(of(None).unwrap(), known);
        assert_eq!(of(Some("pigs,alarm,pigs")).unwrap(), ["alarm", "pigs"]);
        let error = of(Some("alarm,bobo")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no network \"bobo\". Did you mean \"boblo\"?"
        );
    }
}
