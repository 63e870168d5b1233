//! `--report`: a page for people beside the result.

use std::path::PathBuf;

use bayesieve::data::check_folder;
use bayesieve::document::Seconds;
use bayesieve::{Error, Result};
use bayesieve_report::About;
use clap::Args;

use crate::output;

/// Where the page goes, if one is asked for.
#[derive(Args)]
pub(crate) struct ReportOption {
    /// Also write a page with drawings for people: one file, whole or not at all
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
}

impl ReportOption {
    /// The option and its file, for those who check paths.
    pub(crate) fn path(&self) -> (&'static str, Option<&PathBuf>) {
        ("--report", self.report.as_ref())
    }

    /// Whether a page is asked for.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.report.is_some()
    }

    /// Refuses a file that could not be written or would not open as a page, before anything
    /// is read.
    pub(crate) fn check(&self) -> Result<()> {
        let Some(path) = &self.report else {
            return Ok(());
        };
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        if !["html", "htm"].contains(&extension.to_ascii_lowercase().as_str()) {
            return Err(
                Error::usage("--report writes a page, and the name does not end in .html")
                    .in_file(path)
                    .with_hint("Let the name end in .html."),
            );
        }
        check_folder(path)
    }

    /// Writes the page, where one is asked for.
    pub(crate) fn write(&self, page: impl FnOnce() -> String) -> Result<()> {
        match &self.report {
            Some(path) => output::write(path, &page()),
            None => Ok(()),
        }
    }
}

/// What a page says about where it comes from: the data and the command, as they were typed.
pub(crate) fn about(file: String, seconds: Seconds) -> About {
    // What is no text could not be shown otherwise.
    let arguments = std::env::args_os().skip(1);
    let arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
    About {
        file,
        command: command(arguments),
        seconds: Some(seconds.read + seconds.run),
    }
}

/// The command with its arguments, ready for a shell.
fn command(arguments: impl Iterator<Item = String>) -> String {
    let is_plain = |ch: char| ch.is_ascii_alphanumeric() || "_./,:=+@%-".contains(ch);
    let mut out = "bayesieve".to_owned();
    for argument in arguments {
        out.push(' ');
        if !argument.is_empty() && argument.chars().all(is_plain) {
            out += &argument;
        } else {
            out += &format!("'{}'", argument.replace('\'', r"'\''"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_quoted_where_a_shell_would_read_them_otherwise() {
        let arguments = ["select", "my data.csv", "--set", "k=1", "it's", ""];
        let line = command(arguments.into_iter().map(str::to_owned));
        assert_eq!(
            line,
            r"bayesieve select 'my data.csv' --set k=1 'it'\''s' ''"
        );
    }
}
